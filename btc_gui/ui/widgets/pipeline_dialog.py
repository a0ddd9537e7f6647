"""The composer of the whole pipeline: one job from the answers without search to the classified failures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit

from btc_gui import paths
from btc_gui.domain.pipeline import PipelineForecast
from btc_gui.domain.probe_sample import SAMPLE_SIZE, SampleDesign
from btc_gui.progress import Progress
from btc_gui.ui.pipeline_composing import PipelineDraft, PipelineOutlook, look_ahead_pipeline
from btc_gui.ui.run_composing import Composition, Offers
from btc_gui.ui.widgets.model_field import ModelField
from btc_gui.ui.widgets.number_box import NumberBox
from btc_gui.ui.widgets.plain_text import set_role
from btc_gui.ui.widgets.run_dialog import RunDialog
from btc_gui.ui.words import counted, duration, money, tokens

_JUDGE, _CLASSIFIER = "judge.jsonl", "classifier.jsonl"


class PipelineDialog(RunDialog):
    """After `accepted`, `draft` holds what is to be done."""

    TITLE = "Whole pipeline"
    VERB = "Run the pipeline"
    draft: PipelineDraft | None = None

    def _add_name(self, form: QFormLayout) -> None:
        self._sample_name = QLineEdit("main")
        self._sample_name.setToolTip("The sample of this name is drawn, or gone on with when there is one")
        self._sample_name.textEdited.connect(self._wait.start)
        form.addRow("Sample &name", self._sample_name)

    def _add_rows(self, form: QFormLayout) -> None:
        demo = paths.resources() / "demo"
        self._judge = ModelField("judge", "demo-judge", demo / _JUDGE)
        self._classifier = ModelField("classifier", "demo-classifier", demo / _CLASSIFIER)
        form.addRow("&Judge", self._judge)
        form.addRow("&Classifier", self._classifier)
        self._by_model = QCheckBox("Have a model write the direct probes")
        self._by_model.setToolTip("Else they follow their category's template, which costs nothing")
        self._pairer = ModelField("writer of direct probes", "demo-writer", demo / "generator.jsonl")
        form.addRow("", self._by_model)
        form.addRow("&Written by", self._pairer)
        form.setRowVisible(self._pairer, False)
        self._by_model.toggled.connect(lambda is_on: form.setRowVisible(self._pairer, is_on))
        self._by_model.toggled.connect(self._wait.start)
        for field in (self._judge, self._classifier, self._pairer):
            field.changed.connect(self._wait.start)
        self._size = NumberBox()
        self._size.setRange(1, 100_000)
        self._size.setValue(SAMPLE_SIZE)
        self._size.setToolTip("Probes for each model and category")
        self._size.valueChanged.connect(self._wait.start)
        form.addRow("Sample si&ze", self._size)
        self._seed = QLineEdit("1")
        self._seed.setToolTip("What decides the draw: any text")
        self._seed.textEdited.connect(self._wait.start)
        form.addRow("See&d", self._seed)
        self._add_limit(
            form,
            "Nothing new is started once filters, evaluations, judges, classifiers and direct probes "
            "of this project have cost so much, in all sessions",
        )
        self._unreviewed = QCheckBox("Also filter probes that wait for their review")
        self._retry = QCheckBox("Also try again what failed")
        form.addRow("", self._row_of([self._unreviewed, self._retry], wraps=True))

    def _show_samples(self, names: Sequence[str]) -> None:
        if self._offers is not None:
            self._take_replies(self._offers.folder)
            for role, field in (("judge", self._judge), ("classifier", self._classifier), ("pairer", self._pairer)):
                if role in self._offers.roles:
                    field.propose(self._offers.roles[role])

    def _take_replies(self, folder: Path) -> None:
        """Replies that were recorded beside the agents go with them."""
        for field, file in ((self._judge, _JUDGE), (self._classifier, _CLASSIFIER)):
            if (folder / file).is_file():
                field.set_replies(folder / file)

    def _composition(self, offers: Offers) -> Composition:
        return self._whoever(offers, self._at_once.value())

    def _draft(self, offers: Offers) -> PipelineDraft:
        return PipelineDraft(
            agents=self._composition(offers),
            sample=self._sample_name.text().strip(),
            design=SampleDesign(self._seed.text().strip(), self._size.value()),
            judge=self._judge.choice,
            classifier=self._classifier.choice,
            include_unreviewed=self._unreviewed.isChecked(),
            retry_failed=self._retry.isChecked(),
            max_cost=self._limit.value() or None,
            pairer=self._pairer.choice if self._by_model.isChecked() else None,
        )

    def _forecast(self) -> None:
        if self._offers is None:
            return
        draft, database = self._draft(self._offers), self._context.database
        categories, author = self._context.categories, self._context.settings.reviewer
        self.start_button.setEnabled(False)

        def look(progress: Progress) -> PipelineOutlook:
            return look_ahead_pipeline(database, draft, categories, author, progress)

        self._forecasting.ask(look)

    def _show_outlook(self, outlook: object) -> None:
        if not isinstance(outlook, PipelineOutlook) or self._offers is None:
            return
        if outlook.draft != self._draft(self._offers):
            return
        self.draft = outlook.draft
        told = outlook.forecast
        self.start_button.setEnabled(told is not None)
        set_role(self._headline, "heading" if told else "warning")
        if told is not None and not any(each.items for each in told.stages):
            set_role(self._headline, "warning")
            self._headline.setText("There is nothing to do")
            self._details.setText(
                "No accepted probe is left to filter, and no answer to judge. Accept probes on the Review page, or "
                "tick that those which wait for their review are filtered too."
            )
            self.start_button.setEnabled(False)
            return
        is_free = outlook.draft.is_free
        self._headline.setText(_total(told, is_free) if told else outlook.problem)
        limit = outlook.draft.max_cost
        self._details.setText(stage_words(told, limit, is_free=is_free) if told else outlook.remedy)


def _total(told: PipelineForecast, is_free: bool) -> str:
    cost = ", nothing to pay" if is_free else "" if told.cost is None else f", {money(told.cost)}"
    return f"About {counted(told.calls, 'call')}, {tokens(told.usage.total)} tokens{cost}, {duration(told.seconds)}"


def stage_words(told: PipelineForecast, max_cost: float | None = None, *, is_free: bool = False) -> str:
    """One line a stage: what it is, how many items, and whether that is only the most it can come to; then what a
    limit on the costs will do. What recordings once cost is not told where all `is_free`."""
    lines = []
    for number, each in enumerate(told.stages, 1):
        most = "at most " if each.is_bound and each.items else ""
        words = (
            f"{number}. {each.stage.text}: {most}{each.items:,}" if each.items else f"{number}. {each.stage.text}: –"
        )
        if each.calls:
            words += f" · {duration(each.seconds)}"
        if each.cost and not is_free:
            words += f" · {money(each.cost)}"
        lines.append(words)
    if max_cost is not None and told.cost is not None and told.cost > max_cost:
        lines.append(f"The limit of {money(max_cost)} will stop it before its end; what came is kept.")
    return "\n".join(lines)
