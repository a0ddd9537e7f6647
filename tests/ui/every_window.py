"""A project with something of everything, and every dialog of the app, each opened with something in it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QDialog, QFileDialog

import btc_gui.ui
from btc_gui.domain.collection import Collection, CollectionId, Question
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.generation import FailedGeneration, GenerationId
from btc_gui.domain.leak_audit import Leak
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.probe import Probe, ProbeKind, ProbeText
from btc_gui.domain.study import Study
from btc_gui.jobs.ask_plan import forecast
from btc_gui.jobs.audit_study import AuditReport
from btc_gui.jobs.check_project import FIGURE, NOTE
from btc_gui.jobs.check_project import Finding as Checked
from btc_gui.jobs.foresee_asking import Foreseen
from btc_gui.jobs.generation_plan import rewrite_event, rewrite_probe
from btc_gui.jobs.return_packet import ReturnReport
from btc_gui.remote.model_choice import ModelChoice, ModelKind
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.store.articles import ArticleCounts
from btc_gui.store.counting_verdict import PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui.command_palette import CommandPalette, Entry
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import ErrorDialog, MessageDialog
from btc_gui.ui.help_window import HelpWindow
from btc_gui.ui.import_dialog import ImportDialog
from btc_gui.ui.key_sheet import KeyList, KeySheet
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES, help_topics
from btc_gui.ui.widgets.adjudicate_dialog import AdjudicateDialog
from btc_gui.ui.widgets.agreement_dialog import AgreementDialog
from btc_gui.ui.widgets.articles_dialog import ArticlesDialog
from btc_gui.ui.widgets.ask_dialog import AskDialog
from btc_gui.ui.widgets.assign_dialog import AssignDialog
from btc_gui.ui.widgets.audit_dialog import AuditDialog
from btc_gui.ui.widgets.bulk_dialog import BulkDialog
from btc_gui.ui.widgets.case_collections_dialog import CaseCollectionsDialog
from btc_gui.ui.widgets.check_dialog import CheckDialog
from btc_gui.ui.widgets.checked_text_dialog import CheckedTextDialog
from btc_gui.ui.widgets.collect_dialog import CollectDialog
from btc_gui.ui.widgets.collections_dialog import CollectionsDialog
from btc_gui.ui.widgets.event_dialog import EventDialog
from btc_gui.ui.widgets.extend_dialog import ExtendDialog
from btc_gui.ui.widgets.failed_generations import FailedGenerations
from btc_gui.ui.widgets.generate_dialog import GenerateDialog, Scope
from btc_gui.ui.widgets.judges_dialog import JudgesDialog
from btc_gui.ui.widgets.lock_dialog import LockDialog
from btc_gui.ui.widgets.log_load_dialog import LogLoadDialog
from btc_gui.ui.widgets.moved_dialog import MovedDialog
from btc_gui.ui.widgets.name_dialog import NameDialog
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.widgets.pick_dialog import PickDialog
from btc_gui.ui.widgets.pipeline_dialog import PipelineDialog
from btc_gui.ui.widgets.releases_dialog import ReleasesDialog
from btc_gui.ui.widgets.return_dialog import ReturnDialog, Returned
from btc_gui.ui.widgets.run_dialog import RunDialog
from btc_gui.ui.widgets.study_dialog import StudyDialog
from btc_gui.ui.widgets.try_dialog import TryDialog
from btc_gui.ui.widgets.waive_dialog import WaiveDialog
from btc_gui.ui.widgets.whole_text_dialog import WholeTextDialog
from btc_gui.ui.widgets.write_probe_dialog import WriteProbeDialog
from tests.builders import add_event, add_probe
from tests.planted import plant
from tests.study_builders import JUDGE, add_judged, make_design, unblinded_study

_AT: Final = "2026-11-30T10:00:00+00:00"


def furnish(database: Database, folder: Path) -> None:
    """Fill a project: events with probes, cases of both kinds, a finished study and the draft of another."""
    event = add_event(database, entity="R&D Ltd & Sons", qid="Q1", source="https://example.org/ada")
    for number in range(1, 6):
        add_probe(database, event, f"Who could speak at evening {number}?")
    add_probe(database, event, "Is Ada Lovely still alive?", ProbeKind.DIRECT)
    add_judged(database)
    unblinded_study(database, folder)
    plant(database)
    ProjectStore(database).set_value(PRIMARY_JUDGE, JUDGE)
    StudyStore(database).create("A draft", make_design(), "tests")


@dataclass(frozen=True)
class Stage:
    """What a dialog is opened over."""

    window: MainWindow
    context: Context
    folder: Path

    @property
    def probe(self) -> Probe:
        """The first probe."""
        store = ProbeStore(self.context.database)
        return store.get(store.ids()[0])

    def study(self, *, is_draft: bool) -> Study:
        """The draft, or the study that is finished."""
        return next(s for s in StudyStore(self.context.database).all() if (s.name == "A draft") is is_draft)


def dialog_classes() -> set[type[QDialog]]:
    """Every class of dialog that the app has; that for files is Qt's own, with Qt's names and order of Tab."""
    for module in pkgutil.walk_packages(btc_gui.ui.__path__, "btc_gui.ui."):
        importlib.import_module(module.name)
    made_here = {each for each in _below(QDialog) if each.__module__.startswith("btc_gui.")}
    return {each for each in made_here if not issubclass(each, QFileDialog)}


def _below(kind: type[QDialog]) -> Iterator[type[QDialog]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def _ask(stage: Stage) -> AskDialog:
    recorded = ("demo-judge", stage.folder / "judge.jsonl")
    runner = stage.context.job_runner
    return AskDialog("Judge answers", "12 answers without a label.", recorded, "Judge", runner, _foresee, stage.window)


def _foresee(choice: ModelChoice, price: TokenPrice | None) -> Foreseen:
    return Foreseen(forecast((), price, 0.0, is_measured=False), None, (), False)


def _generate(stage: Stage) -> GenerateDialog:
    probe = stage.probe
    scopes = [
        Scope("this probe", lambda database, _, note: rewrite_probe(database, probe.id, note)),
        Scope("all five of its event", lambda database, _, note: rewrite_event(probe.event_id, note)),
    ]
    writer = ModelChoice(ModelKind.RECORDED, "demo-writer", stage.folder / "generator.jsonl")
    return GenerateDialog(
        "Regenerate with a note",
        "The new wording takes the old one's place.",
        scopes,
        {False: writer, True: writer},
        ("demo-writer", stage.folder / "generator.jsonl"),
        stage.context.database,
        stage.context.categories,
        stage.context.job_runner,
        has_note=True,
        parent=stage.window,
    )


def _import(stage: Stage) -> ImportDialog:
    file = stage.folder / "events.csv"
    file.write_text("category,entity,date,source\ndemise,Cy Cook,2026-03-01,https://example.org/cy\n", encoding="utf-8")
    return ImportDialog(LoadSubject.EVENTS, file, stage.context, stage.window)


def _collections(stage: Stage) -> CollectionsDialog:
    question = Question("demise", date(2026, 2, 1), date(2026, 6, 30), "wikidata", "https://example.org/sparql", "a1")
    made = Collection(CollectionId(1), question, _AT, "mara", "2026-11-29", _AT, 12, 0.5)
    return CollectionsDialog(stage.context, [made], stage.window)


def _failed(stage: Stage) -> FailedGenerations:
    event = EventStore(stage.context.database).ids()[0]
    failure = FailedGeneration(
        GenerationId(1), event, "Ada Lovely", ProbeKind.INDIRECT, None, "demo-writer", "", "Four, not five.", True, _AT
    )  # fmt: skip
    return FailedGenerations([failure], stage.window)


def _returned(stage: Stage) -> ReturnDialog:
    report = ReturnReport("p1", "Test study", "PK", "blind", 8, 7, 1, 7, 0, 0, 0)
    return ReturnDialog(
        stage.context.theme, [Returned("PK.btcp", report), Returned("x.btcp", None, "It is no packet.")], stage.window
    )


def _audited(stage: Stage) -> AuditDialog:
    leak = Leak("window texts", "model", "Quagga-9", "the item's note")
    return AuditDialog(stage.context.theme, AuditReport("Test study", 12, {"window texts": 40}, (leak,)), stage.window)


def _waive(stage: Stage) -> WaiveDialog:
    finding = Finding("length", Severity.WARNING, 0, 4, "Whom", "A probe has at least eight words.")
    return WaiveDialog(stage.context, stage.probe.id, [finding], stage.window)


def _study(stage: Stage) -> StudyDialog:
    return StudyDialog(stage.context, ValidatingSession(stage.context.database, stage.context.categories), stage.window)


def _lock(stage: Stage) -> LockDialog:
    session = ValidatingSession(stage.context.database, stage.context.categories)
    return LockDialog(stage.context, session, stage.study(is_draft=True), stage.window)


def _bulk(stage: Stage) -> BulkDialog:
    return BulkDialog(stage.context, ProbeStore(stage.context.database).ids(), "All probes.", stage.window)


def _assign(stage: Stage) -> AssignDialog:
    return AssignDialog(stage.context, ProbeStore(stage.context.database).ids(), "All probes.", stage.window)


def _write(stage: Stage) -> WriteProbeDialog:
    def save(text: ProbeText) -> object:
        raise AssertionError("nothing is saved here")

    return WriteProbeDialog("Ada Lovely", "She was alive. She died.", save, stage.window)  # type: ignore[arg-type]


def _event(stage: Stage) -> EventDialog:
    store = EventStore(stage.context.database)
    return EventDialog(stage.context, store.get(store.ids()[0]), stage.window)


def _palette(stage: Stage) -> CommandPalette:
    entries = [Entry("file.open", "Open project…", "File", "Ctrl+O"), Entry("go.events", "Go to Events", "View", "")]
    return CommandPalette(entries, stage.context.theme, stage.window, has_cases=True)


def _sheet(stage: Stage) -> KeySheet:
    pages = [(entry.name, entry.title) for entry in PAGES]
    return KeySheet(stage.context.commands.keys, pages, "review", stage.window)


#: How each dialog is opened.
VISITS: Final[Mapping[type[QDialog], Callable[[Stage], QDialog]]] = {
    AdjudicateDialog: lambda stage: AdjudicateDialog(4, ("PK", "Dagmar"), "Umpire-77", stage.window),
    AgreementDialog: lambda stage: AgreementDialog(stage.context, stage.window),
    ArticlesDialog: lambda stage: ArticlesDialog(ArticleCounts(3, 1, 1, 4), stage.window),
    AskDialog: _ask,
    AssignDialog: _assign,
    AuditDialog: _audited,
    BulkDialog: _bulk,
    CaseCollectionsDialog: lambda stage: CaseCollectionsDialog(stage.context, stage.window),
    CheckDialog: lambda stage: CheckDialog(
        "project.btc", [Checked(NOTE, "Not linted."), Checked(FIGURE, "The file is whole.")], stage.window
    ),
    CheckedTextDialog: lambda stage: CheckedTextDialog("A prompt", "What it is for.", "Text", print, stage.window),
    CollectDialog: lambda stage: CollectDialog(stage.context, stage.window),
    CollectionsDialog: _collections,
    CommandPalette: _palette,
    ErrorDialog: lambda stage: ErrorDialog(ValueError("a fault"), stage.window),
    EventDialog: _event,
    ExtendDialog: lambda stage: ExtendDialog(stage.study(is_draft=False), frozenset(), stage.window),
    FailedGenerations: _failed,
    GenerateDialog: _generate,
    HelpWindow: lambda stage: HelpWindow(help_topics(), stage.window),
    ImportDialog: _import,
    JudgesDialog: lambda stage: JudgesDialog(stage.context, stage.window),
    KeyList: lambda stage: KeyList([("Labels", (("Correct", "C"),))], [], "Some keys.", stage.window),
    KeySheet: _sheet,
    LockDialog: _lock,
    LogLoadDialog: lambda stage: LogLoadDialog(stage.context, stage.window),
    MessageDialog: lambda stage: MessageDialog("Stop it?", "What is done is kept.", yes="Stop", parent=stage.window),
    MovedDialog: lambda stage: MovedDialog(stage.context, stage.window),
    NameDialog: lambda stage: NameDialog("Save the filter", "It is kept.", "Save", frozenset(), stage.window),
    NoteDialog: lambda stage: NoteDialog("Reject the event", "Say why.", "Reject", parent=stage.window),
    PickDialog: lambda stage: PickDialog(40, stage.window),
    PipelineDialog: lambda stage: PipelineDialog(stage.context, stage.window),
    ReleasesDialog: lambda stage: ReleasesDialog(stage.context, stage.window),
    ReturnDialog: _returned,
    RunDialog: lambda stage: RunDialog(stage.context, stage.window),
    StudyDialog: _study,
    TryDialog: lambda stage: TryDialog(stage.context, stage.probe, stage.window),
    WaiveDialog: _waive,
    WholeTextDialog: lambda stage: WholeTextDialog(stage.context, "Result", lambda: "A text. " * 40, stage.window),
    WriteProbeDialog: _write,
}
