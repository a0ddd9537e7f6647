"""Having probes written from the window: asked for with a forecast, started, told of; what did not come is listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from btc_gui import paths
from btc_gui.domain.event import Event, EventId
from btc_gui.domain.generation import FailedGeneration
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ProbeText
from btc_gui.errors import BtcError
from btc_gui.jobs.generate_probes import REPLY_TOKENS, GenerationOutcome, generate_probes
from btc_gui.jobs.generation_plan import Choice, choose_again, choose_events, rewrite_event, rewrite_probe
from btc_gui.jobs.model_price import role_choice
from btc_gui.jobs.pair_probes import choose_pairs
from btc_gui.jobs.spending import Spending
from btc_gui.progress import Progress
from btc_gui.remote.model_choice import ModelChoice, ModelKind
from btc_gui.sessions.writing import write_probe
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.projects import ProjectStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.failed_generations import FailedGenerations
from btc_gui.ui.widgets.generate_dialog import GenerateDialog, Scope
from btc_gui.ui.widgets.write_probe_dialog import WriteProbeDialog
from btc_gui.ui.words import counted

_RECORDED = ("demo-writer", "generator.jsonl")


class Generating(QObject):
    """The generator, for a page. `ended` comes when probes were written, with the first of them (or None)."""

    ended = Signal(object)

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._page = context, page
        self.dialog: QDialog | None = None

    # -- what may be asked -------------------------------------------------------------------------------------

    def ask(self, selected: Sequence[EventId]) -> None:
        """Ask for the probes of the selected events, or of all that lack them; for direct ones instead, too."""
        these = f"the {counted(len(selected), 'selected event')}"
        scopes = [_events("five indirect probes for all events without probes", None)]
        if len(selected) > 1 or (selected and self._lacks_probes(selected[0])):
            scopes.insert(0, _events(f"five indirect probes for {these}", tuple(selected)))
        scopes.append(self._direct("direct probes for all events with a retained probe", None))
        if len(selected) > 1:
            scopes.append(self._direct(f"direct probes for {these}", tuple(selected)))
        words = (
            "Five indirect probes for each event, which wait for their review; or a direct one for each event with a "
            "retained probe, from its category's template."
        )
        self._open("Generate probes", words, scopes)

    def _direct(self, text: str, event_ids: Sequence[EventId] | None) -> Scope:
        categories = self._context.categories

        def choose(database: Database, retry: bool, _: str) -> Choice:
            return choose_pairs(database, categories, event_ids, retry=retry)

        return Scope(text, choose, is_direct=True)

    def rewrite(self, probe: Probe, event: Event | None) -> None:
        """Ask for another wording of this probe, or of its event's five, with a note to the model."""
        is_direct = probe.kind is ProbeKind.DIRECT
        one = Scope(
            f"this {probe.kind} probe", lambda database, _, note: rewrite_probe(database, probe.id, note), is_direct
        )
        scopes = [one]
        if not is_direct:
            five = Scope("all five of its event", lambda database, _, note: rewrite_event(probe.event_id, note))
            scopes.append(five)
        name = event.title if event else ""
        words = f"{name}. The new wording takes the old one's place and can be undone in the review."
        self._open("Regenerate with a note", words, scopes, verb="Regenerate", has_note=True)

    def write(self, event: Event) -> None:
        """Write a probe of this event by hand."""
        category = self._context.categories.get(event.facts.category)
        before_after = (category.fact_before(event.facts), category.fact_after(event.facts)) if category else None
        facts = "Before: {} Since then: {}".format(*before_after) if before_after else ""
        save = partial(self._add, event.id)
        dialog = WriteProbeDialog(event.title, facts, save, self._page)
        dialog.accepted.connect(self._was_written)
        self._show(dialog)

    def show_failed(self) -> None:
        """List what did not come, with the reasons."""
        dialog = FailedGenerations(GenerationStore(self._context.database).failed(), self._page)
        dialog.again.connect(self._ask_again)
        dialog.dismissed.connect(self._dismiss)
        self._show(dialog)

    def _dismiss(self, failures: object) -> None:
        chosen: list[FailedGeneration] = failures if isinstance(failures, list) else []
        number = GenerationStore(self._context.database).dismiss(chosen, self._context.settings.reviewer)
        self._context.shell.say(f"{counted(number, 'request')} put aside; the probes stay as they are.")
        self._context.changes.tell(Subject.PROBES)

    def _ask_again(self, failures: object) -> None:
        chosen: list[FailedGeneration] = failures if isinstance(failures, list) else []
        is_direct = bool(chosen) and all(each.kind is ProbeKind.DIRECT for each in chosen)
        scope = Scope(counted(len(chosen), "request"), lambda database, *_: choose_again(database, chosen), is_direct)
        what = f"{counted(len(chosen), 'request')} that brought no probes. The model is told why, where it had replied."
        self._open("Ask again", what, [scope], verb="Ask again", has_limit=False)

    # -- asking ------------------------------------------------------------------------------------------------

    def _open(
        self,
        title: str,
        words: str,
        scopes: Sequence[Scope],
        *,
        verb: str = "Generate",
        has_note: bool = False,
        has_limit: bool | None = None,
    ) -> None:
        context = self._context
        name, file = _RECORDED
        path = paths.resources() / "demo" / file
        try:
            writers = {each: self._writer("pairer" if each else "generator", path) for each in _kinds(scopes)}
        except BtcError as error:
            context.shell.show_error(error)
            return
        dialog = GenerateDialog(
            title,
            words,
            scopes,
            writers,
            (name, path),
            context.database,
            context.categories,
            context.job_runner,
            verb=verb,
            has_note=has_note,
            has_limit=not has_note if has_limit is None else has_limit,
            servers=context.settings.model_servers,
            parent=self._page,
        )
        dialog.accepted.connect(self._start)
        self._show(dialog)

    def _writer(self, role: str, recorded: Path) -> ModelChoice:
        """Who writes unless somebody else is chosen: in a project of invented behaviour, the recording."""
        if ProjectStore(self._context.database).is_illustrative and recorded.is_file():
            return ModelChoice(ModelKind.RECORDED, _RECORDED[0], recorded)
        return role_choice(self._context.database, role)

    def _show(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        dialog.open()

    def _start(self) -> None:
        dialog = self.dialog
        if not isinstance(dialog, GenerateDialog):
            return
        database, categories = self._context.database, self._context.categories
        author = self._context.settings.reviewer
        draft, model, price = dialog.draft, dialog.choice, dialog.price
        self._keep_server(model)
        spending = Spending(dialog.limit, price, first_reply=round(REPLY_TOKENS))

        def work(progress: Progress) -> GenerationOutcome:
            targets = draft.choice(database).targets
            with model.open(price) as language_model:
                return generate_probes(
                    database,
                    language_model,
                    categories,
                    targets,
                    progress,
                    author=author,
                    limit=draft.limit,
                    without_context=draft.without_context,
                    spending=spending,
                )

        job = self._context.job_runner.start("Generate probes", work, lane="generate", succeeded=self._has_ended)
        job.ended.connect(self._tell)

    def _keep_server(self, model: ModelChoice) -> None:
        """The next dialog begins with the address that was used last."""
        settings = self._context.settings
        kind, known = model.kind.value, settings.model_servers
        if model.kind is not ModelKind.RECORDED and model.base_url != known.get(kind, ""):
            servers = {**known, kind: model.base_url}
            self._context.shell.change_settings(replace(settings, model_servers=servers))

    def _has_ended(self, outcome: object) -> None:
        if not isinstance(outcome, GenerationOutcome):
            return
        self._context.shell.say(outcome_words(outcome))
        self.ended.emit(outcome.probes[0] if outcome.probes else None)

    def _tell(self, _: object) -> None:
        # A job that was stopped or failed may have written some, too.
        self._context.changes.tell(Subject.PROBES, Subject.REVIEWS)

    def _lacks_probes(self, event_id: EventId) -> bool:
        return not any(event.probes for event in EventStore(self._context.database).fetch([event_id]).values())

    # -- by hand -----------------------------------------------------------------------------------------------

    def _add(self, event_id: EventId, content: ProbeText) -> ProbeId:
        return write_probe(self._context.database, event_id, content, self._context.settings.reviewer)

    def _was_written(self) -> None:
        if isinstance(self.dialog, WriteProbeDialog):
            self._context.changes.tell(Subject.PROBES)
            self.ended.emit(self.dialog.probe_id)


def _kinds(scopes: Sequence[Scope]) -> set[bool]:
    return {each.is_direct for each in scopes}


def _events(text: str, event_ids: Sequence[EventId] | None) -> Scope:
    return Scope(text, lambda database, retry, _: choose_events(database, event_ids, retry=retry))


def outcome_words(outcome: GenerationOutcome) -> str:
    """What generating came to: `40 probes written · 1 reply that can't be used · $0.31`."""
    parts = [f"{counted(len(outcome.probes), 'probe')} written"]
    if outcome.unusable:
        parts.append(counted(len(outcome.unusable), "reply that can't be used", "replies that can't be used"))
    if outcome.failed:
        parts.append(counted(len(outcome.failed), "request without a reply", "requests without a reply"))
    if outcome.refused:
        parts.append(f"{counted(len(outcome.refused), 'event')} could not be asked for")
    if outcome.left:
        parts.append(f"{outcome.left:,} left by the spending limit")
    if outcome.cost is not None:
        parts.append(f"${outcome.cost:,.2f}")
    return " · ".join(parts)
