"""Having answers judged and failures classified from the window: asked for with a forecast, started, told of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from btc_gui import paths
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.model_family import Role
from btc_gui.domain.run import RunId
from btc_gui.errors import ModelError
from btc_gui.jobs.classify import ClassifyOutcome, classify
from btc_gui.jobs.foresee_asking import Foreseen, foresee
from btc_gui.jobs.judge import JudgeOutcome, judge
from btc_gui.jobs.model_price import role_choice
from btc_gui.jobs.spending import Spending
from btc_gui.progress import Progress
from btc_gui.remote.model_choice import ModelChoice
from btc_gui.store.evaluated_models import role_models
from btc_gui.store.projects import ProjectStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.run_driver import RunSummary
from btc_gui.ui.widgets.ask_dialog import AskDialog
from btc_gui.ui.widgets.plain_text import one_line
from btc_gui.ui.words import counted


class MachineAsking(QObject):
    """Judge and classifier of the Runs page. `ended` comes when one of them is through."""

    ended = Signal()

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._page = context, page
        self._run: tuple[RunId, str] | None = None

    def ask_to_judge(self, summary: RunSummary, folder: Path | None) -> None:
        """Ask by which judge the answers of a run are to be judged; `folder` may hold recorded replies."""
        words = f"“{one_line(summary.run.name, 60)}”: {counted(summary.unjudged, 'answer')} without a label."
        dialog = self._open(Role.JUDGE, "Judge answers", words, ("demo-judge", "judge.jsonl"), "Judge", summary, folder)
        dialog.accepted.connect(self._start_judging)

    def ask_to_classify(self, summary: RunSummary, folder: Path | None) -> None:
        """Ask by which classifier the failures of a run are to get their modes."""
        words = (
            f"“{one_line(summary.run.name, 60)}”: {counted(summary.unclassified, 'failure')} without a mode. "
            "Those without a query get theirs by construction."
        )
        recorded = ("demo-classifier", "classifier.jsonl")
        dialog = self._open(Role.CLASSIFIER, "Classify failures", words, recorded, "Classify", summary, folder)
        dialog.accepted.connect(self._start_classifying)

    def _open(
        self,
        role: Role,
        title: str,
        words: str,
        recorded: tuple[str, str],
        verb: str,
        summary: RunSummary,
        folder: Path | None,
    ) -> AskDialog:
        run_id = summary.run.id
        name, file = recorded
        database, categories = self._context.database, self._context.categories

        def look_ahead(choice: ModelChoice, price: TokenPrice | None) -> Foreseen:
            return foresee(database, role, choice, categories, run_id=run_id, price=price)

        path = (folder or paths.resources() / "demo") / file
        self._run = run_id, summary.run.name
        self._dialog = AskDialog(title, words, (name, path), verb, self._context.job_runner, look_ahead, self._page)
        self._dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog.open()

        def look_up(progress: Progress) -> ModelChoice | None:
            return role_choice(database, role.value) if role.value in role_models(database) else None

        # The app's own recordings know the demo's answers and no others; beside a project there may be none.
        dialog, is_of_demo = self._dialog, ProjectStore(database).is_illustrative
        is_for_recordings = path.is_file() and (folder is not None or is_of_demo)

        def propose(choice: object) -> None:
            dialog.propose(choice, at_once=not is_for_recordings)

        self._context.job_runner.start("Read models", look_up, is_quiet=True, succeeded=propose, failed=propose)
        return self._dialog

    def _start_judging(self) -> None:
        self._start("Judge", judge)

    def _start_classifying(self) -> None:
        self._start("Classify", classify)

    def _start(self, verb: str, work: Callable[..., object]) -> None:
        if self._run is None:
            return
        run_id, run_name = self._run
        database, categories = self._context.database, self._context.categories
        choice, price = self._dialog.choice, self._dialog.price
        spending = Spending(self._dialog.limit, price)

        def ask(progress: Progress) -> object:
            with choice.open(price) as model:
                return work(database, model, categories, progress, run_id=run_id, spending=spending)

        self._context.job_runner.start(
            f"{verb} “{run_name}”", ask, lane=f"machines-{run_id}", succeeded=self._has_ended
        )

    def _has_ended(self, outcome: object) -> None:
        self._context.shell.say(outcome_words(outcome))
        failures = outcome.failures if isinstance(outcome, JudgeOutcome | ClassifyOutcome) else ()
        if failures:
            first = failures[0]
            self._context.shell.show_error(
                ModelError(
                    f"{counted(len(failures), 'answer')} got no reply. The first: {first.reason}",
                    "They have no label and are asked again next time.",
                )
            )
        self._context.changes.tell(Subject.VERDICTS)
        self.ended.emit()


def outcome_words(outcome: object) -> str:
    """What judging or classifying came to: `40 judged · 2 unscored · 1 without a reply`."""
    if isinstance(outcome, JudgeOutcome):
        counts = [(outcome.judged, "judged")]
    elif isinstance(outcome, ClassifyOutcome):
        counts = [(outcome.classified, "classified"), (outcome.by_construction, "by construction")]
    else:
        return ""
    counts += [(outcome.unscored, "unscored"), (outcome.skipped, "known already"), (outcome.failed, "without a reply")]
    counts.append((outcome.left, "left by the spending limit"))
    return " · ".join(f"{count:,} {word}" for count, word in counts if count) or "Nothing to do"
