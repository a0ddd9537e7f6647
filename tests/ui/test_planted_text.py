"""Text from outside, planted everywhere: no page loads, runs or draws any of it, and no list is turned around."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
import shiboken6
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTableView,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.generation import FailedGeneration, GenerationId
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.leak_audit import Leak
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.mode_form import EvidenceAnswer, ModeForm, OverrideCode, QueryAnswer, QueryLabel
from btc_gui.domain.outside_text import UNPRINTABLE
from btc_gui.domain.packet import Excerpt, Layer, Mode, PacketItem, PracticeItem, Search, written
from btc_gui.domain.probe import ProbeId, ProbeKind, ProbeText
from btc_gui.domain.run import RunRecipe
from btc_gui.domain.run_recipe_file import sealed
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import StudyDesign, StudyId
from btc_gui.errors import InputError
from btc_gui.jobs.audit_study import AuditReport
from btc_gui.jobs.issue_adjudication import issue_adjudication
from btc_gui.jobs.issue_revealed import issue_revealed
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import ReturnReport, return_packet
from btc_gui.jobs.unblind_study import close_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.probes import ProbeStore
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui import run_recipes
from btc_gui.ui.error_dialog import ErrorDialog
from btc_gui.ui.import_dialog import ImportDialog
from btc_gui.ui.labelling.mentions import mention_spans
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES
from btc_gui.ui.pages.runs_page import RunsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.adjudicate_dialog import AdjudicateDialog
from btc_gui.ui.widgets.audit_dialog import AuditDialog
from btc_gui.ui.widgets.checked_text_dialog import CheckedTextDialog
from btc_gui.ui.widgets.event_dialog import EventDialog
from btc_gui.ui.widgets.failed_generations import FailedGenerations
from btc_gui.ui.widgets.name_dialog import NameDialog
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.widgets.return_dialog import ReturnDialog, Returned
from btc_gui.ui.widgets.waive_dialog import WaiveDialog
from btc_gui.ui.widgets.whole_text_dialog import WholeTextDialog
from btc_gui.ui.widgets.write_probe_dialog import WriteProbeDialog
from tests.case_builders import make_configuration
from tests.planted import PLANTED, plant
from tests.study_builders import issue, item_id, make_categories, make_design, make_manifest, practice_id
from tests.ui.conftest import activate, close
from tests.ui.every_window import VISITS, Stage, dialog_classes, furnish

_FILE = "=1+1<img src=x>\u202egpj"
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


@pytest.fixture
def planted_window(qtbot: QtBot, theme: Theme, database: Database) -> Iterator[MainWindow]:
    plant(database)
    window = _open(qtbot, theme, database)
    yield window
    close(window, qtbot)


def _open(qtbot: QtBot, theme: Theme, database: Database) -> MainWindow:
    window = MainWindow(
        Settings(reviewer="mara", recent=(f"/tmp/{_FILE}.btc",)),
        load_categories(paths.resources() / "categories"),
        theme,
    )
    qtbot.addWidget(window)
    activate(window, qtbot)
    window.show_project(database)
    return window


def test_no_page_shows_outside_text_as_markup(planted_window: MainWindow) -> None:
    wrong: list[str] = []
    seen = 0
    for entry in PAGES:
        planted_window.go(entry.name)
        settle(planted_window.job_runner)
        for widget in planted_window.findChildren(QWidget):
            seen += any("HYPERLINK" in text for text in _texts(widget))
            wrong += [f"{entry.name}: {type(widget).__name__} {fault}" for fault in _faults(widget)]
    for menu in planted_window.findChildren(QMenu):
        menu.aboutToShow.emit()
    for action in planted_window.findChildren(QAction):
        wrong += [f"action {fault}" for fault in _faults_of_line(action.text() + action.toolTip())]
    wrong += [f"title {fault}" for fault in _faults_of_line(planted_window.windowTitle())]
    assert wrong == []
    assert seen > 30


def test_no_dialog_shows_outside_text_as_markup(qtbot: QtBot, theme: Theme, database: Database, tmp_path: Path) -> None:
    furnish(database, tmp_path)
    window = _open(qtbot, theme, database)
    assert window.context is not None
    stage = Stage(window, window.context, tmp_path)
    assert set(PLANTED_VISITS) == dialog_classes()
    wrong: list[str] = []
    seen = set()
    for kind, visit in PLANTED_VISITS.items():
        dialog = visit(stage)
        activate(dialog, qtbot)
        settle(window.job_runner)
        for widget in (dialog, *dialog.findChildren(QWidget)):
            if any("HYPERLINK" in text for text in (*_texts(widget), *_long_texts(widget))):
                seen.add(kind.__name__)
            wrong += [f"{kind.__name__}: {type(widget).__name__} {fault}" for fault in _faults(widget)]
        dialog.close()
    close(window, qtbot)
    assert wrong == []
    assert len(seen) > 12, seen


def _failed(stage: Stage) -> FailedGenerations:
    event = EventStore(stage.context.database).ids()[0]
    kind, at = ProbeKind.INDIRECT, "2026-11-30T10:00:00+00:00"
    failure = FailedGeneration(GenerationId(1), event, PLANTED, kind, None, PLANTED, PLANTED, PLANTED, True, at)
    return FailedGenerations([failure], stage.window)


def _event(stage: Stage) -> EventDialog:
    store = EventStore(stage.context.database)
    planted = next(each for each in store.fetch(store.ids()).values() if each.facts.entity == PLANTED)
    return EventDialog(stage.context, planted, stage.window)


def _audited(stage: Stage) -> AuditDialog:
    leak = Leak(PLANTED, PLANTED, PLANTED, PLANTED)
    return AuditDialog(stage.context.theme, AuditReport(PLANTED, 12, {PLANTED: 40}, (leak,)), stage.window)


def _import(stage: Stage) -> ImportDialog:
    file = stage.folder / f"{_FILE}.csv"
    cell = PLANTED.replace('"', '""')
    file.write_text(
        f'category,entity,date,source,"{cell}"\n"{cell}","{cell}","{cell}","{cell}","{cell}"\n', encoding="utf-8"
    )
    return ImportDialog(LoadSubject.EVENTS, file, stage.context, stage.window)


def _returned(stage: Stage) -> ReturnDialog:
    rows = [Returned(PLANTED, ReturnReport("p1", PLANTED, PLANTED, "blind", 8, 7, 1, 7, 0, 0, 0))]
    return ReturnDialog(stage.context.theme, [*rows, Returned(PLANTED, None, PLANTED)], stage.window)


def _waive(stage: Stage) -> WaiveDialog:
    finding = Finding("length", Severity.WARNING, 0, 4, PLANTED, PLANTED)
    return WaiveDialog(stage.context, stage.probe.id, [finding], stage.window)


def _write(stage: Stage) -> WriteProbeDialog:
    def save(text: ProbeText) -> ProbeId:
        raise AssertionError("nothing is saved here")

    return WriteProbeDialog(PLANTED, PLANTED, save, stage.window)


#: As every window is opened for other tests, with planted text in place of the names that those pass in.
PLANTED_VISITS: Mapping[type[QDialog], Callable[[Stage], QDialog]] = {
    **VISITS,
    AdjudicateDialog: lambda stage: AdjudicateDialog(4, (PLANTED, PLANTED), PLANTED, stage.window),
    AuditDialog: _audited,
    CheckedTextDialog: lambda stage: CheckedTextDialog(PLANTED, PLANTED, PLANTED, print, stage.window),
    ErrorDialog: lambda stage: ErrorDialog(InputError(PLANTED, PLANTED), stage.window),
    EventDialog: _event,
    FailedGenerations: _failed,
    ImportDialog: _import,
    NameDialog: lambda stage: NameDialog("Save", PLANTED, "Save", frozenset({PLANTED}), stage.window),
    NoteDialog: lambda stage: NoteDialog(PLANTED, PLANTED, "Reject", parent=stage.window),
    ReturnDialog: _returned,
    WaiveDialog: _waive,
    WholeTextDialog: lambda stage: WholeTextDialog(stage.context, PLANTED, lambda: PLANTED, stage.window),
    WriteProbeDialog: _write,
}


@pytest.mark.parametrize("kind", ["judge_verdict", "failure_mode"])
def test_the_labelling_window_shows_outside_text_as_text(qtbot: QtBot, theme: Theme, tmp_path: Path, kind: str) -> None:
    """Practice and items, also what a classifier found."""
    manifest = replace(make_manifest(1, kind, Layer.ASSISTED), annotator=PLANTED, title=PLANTED, question=PLANTED)
    values = {field.name: PLANTED for field in manifest.fields}
    label, parts = manifest.choices[0].value, ""
    if kind == "failure_mode":
        manifest = replace(manifest, relations=("states", "entails"))
        values["searches"] = written([Search(PLANTED, PLANTED)])
        values["evidence"] = written([Excerpt(PLANTED, PLANTED, "2026-03-09")])
        label, parts = "none", '{"evidence":"no","queries":[{"label":"indirect"}]}'
    entries = [PacketItem(item_id(1), 1, PLANTED, values)]
    practice = [PracticeItem(practice_id(1), PLANTED, values, label, PLANTED, parts)]
    seen = 0
    for number, known in enumerate([practice, []]):
        path = tmp_path / f"planted-{number}.btcp"
        PacketFile.create(path, manifest, {PLANTED: PLANTED}, entries, known)
        window = LabellingWindow(LabellingSession(path), theme, mention_spans)
        qtbot.addWidget(window)
        activate(window, qtbot)
        widgets = [window, *window.findChildren(QWidget)]
        seen += sum("HYPERLINK" in text for each in widgets for text in (*_texts(each), *_long_texts(each)))
        assert [fault for widget in widgets for fault in _faults(widget)] == []
        window.close()
    assert seen >= 10


def test_an_adjudicator_is_shown_labels_of_others_as_text(
    qtbot: QtBot, theme: Theme, database: Database, tmp_path: Path
) -> None:
    plant(database)
    names = (PLANTED[:90], PLANTED[9:99])
    design = make_design(strata=(Stratum(PLANTED, 1, {}),), annotators=names)
    study = _labelled_study(database, design, tmp_path, ItemState("unsure", PLANTED, PLANTED))
    close_study(database, study, PLANTED)
    packet = issue_adjudication(database, study, PLANTED[40:], tmp_path, make_categories(), PLANTED, Progress())
    assert _labels_shown_as_text(qtbot, theme, packet) == 2


def test_a_second_packet_shows_the_own_label_as_text(
    qtbot: QtBot, theme: Theme, database: Database, tmp_path: Path
) -> None:
    """With the parts of the form: a note to each query, and why the rules' mode was overridden."""
    plant(database)
    query = QueryAnswer(QueryLabel.INDIRECT, note=PLANTED)
    form = ModeForm((query, query), EvidenceAnswer.NO, override=OverrideCode.OTHER, override_text=PLANTED)
    strata, mode = (Stratum(PLANTED, 1, {}),), Mode.BLIND_THEN_REVEALED
    design = make_design(kind="failure_mode", mode=mode, strata=strata, annotators=(PLANTED[:90],))
    study = _labelled_study(database, design, tmp_path, ItemState("reasoning", PLANTED, PLANTED, answers=form.text))
    packet = issue_revealed(database, study, PLANTED[:90], tmp_path, make_categories(), PLANTED, Progress())
    assert _labels_shown_as_text(qtbot, theme, packet) == 1


def _labelled_study(database: Database, design: StudyDesign, folder: Path, state: ItemState) -> StudyId:
    """All items labelled so by all annotators, and taken back."""
    study = StudyStore(database).create(PLANTED, design, PLANTED)
    lock_study(database, study, make_categories(), PLANTED, Progress())
    for name in design.annotators:
        packet = issue(database, study, folder, name)
        with LabellingSession(packet) as session:
            while session.current is not None:
                session.label_as(session.current.item, state)
        return_packet(database, packet, PLANTED, Progress())
    return study


def _labels_shown_as_text(qtbot: QtBot, theme: Theme, packet: Path) -> int:
    """How many earlier labels the window of a packet shows."""
    window = LabellingWindow(LabellingSession(packet), theme, mention_spans)
    qtbot.addWidget(window)
    activate(window, qtbot)
    widgets = [window, *window.findChildren(QWidget)]
    shown = sum("Note: =HYPERLINK" in text for each in widgets for text in _long_texts(each))
    assert [fault for widget in widgets for fault in _faults(widget)] == []
    window.close()
    return shown


def test_a_recipe_is_told_as_text(planted_window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved under a name that is one; a stranger's is planned, with notes, or refused in words of the stranger's."""
    assert planted_window.context is not None
    database = planted_window.context.database
    item = next(iter(ProbeStore(database).fetch(ProbeStore(database).ids()).values()))
    run = RunStore(database).create(
        PLANTED, RunRecipe("2026-07-15"), [make_configuration(PLANTED)], [(item.id, item.revision_id)], 1, PLANTED
    )
    planted_window.go("runs")
    settle(planted_window.job_runner)
    page = planted_window.current_page
    assert isinstance(page, RunsPage)
    file = tmp_path / f"{_FILE}.json"
    asked = Mock(return_value=file)
    monkeypatch.setattr(run_recipes, "ask_save", asked)
    page._recipes.ask_to_save(RunStore(database).get(run))
    settle(planted_window.job_runner)
    assert not UNPRINTABLE.search(asked.call_args.args[2].name)
    assert _faults_of_window(planted_window) == []
    recipe = json.loads(file.read_text(encoding="utf-8"))
    del recipe["sha256"]
    probe = recipe["run"]["probes"][0]
    file.write_text(sealed({**recipe, "versions": {PLANTED: PLANTED}}), encoding="utf-8")
    page._recipes.plan(file)
    settle(planted_window.job_runner)
    assert page._recipes.dialog is not None
    assert any("HYPERLINK" in text for each in page._recipes.dialog.findChildren(QLabel) for text in _texts(each))
    assert _faults_of_window(planted_window) == []
    page._recipes.dialog.accept()
    refused = {
        "probe": sealed({**recipe, "run": {**recipe["run"], "probes": [{**probe, "key": PLANTED}]}}),
        "setting": sealed({**recipe, "run": {**recipe["run"], "recipe": {**recipe["run"]["recipe"], PLANTED: 1}}}),
        "shape": sealed({**recipe, "run": {**recipe["run"], "recipe": {"current_date": PLANTED, "purpose": PLANTED}}}),
        "prompt": sealed({**recipe, "prompts": {PLANTED: "x"}}),
        "version": sealed(recipe).replace('"version":1', f'"version":{json.dumps(PLANTED)}'),
    }
    for what, text in refused.items():
        file.write_text(text, encoding="utf-8")
        page._recipes.plan(file)
        settle(planted_window.job_runner)
        (error,) = planted_window.findChildren(ErrorDialog)
        words = [text for each in error.findChildren(QLabel) for text in _texts(each)]
        # Of what has another shape, only its place is said.
        assert what == "shape" or any("HYPERLINK" in text for text in words), what
        assert (what, _faults_of_window(planted_window)) == (what, [])
        shiboken6.delete(error)
    runs = RunStore(database).fetch(RunStore(database).ids())
    assert [each.name for each in runs.values() if each.name.startswith(PLANTED)] == [PLANTED, f"{PLANTED} (2)"]


def _faults_of_window(window: MainWindow) -> list[str]:
    return [f"{type(each).__name__} {fault}" for each in window.findChildren(QWidget) for fault in _faults(each)]


def _long_texts(widget: QWidget) -> list[str]:
    return [widget.toPlainText()] if isinstance(widget, QTextEdit | QPlainTextEdit) else []


def _texts(widget: QWidget) -> list[str]:
    """What a widget says at most on a line."""
    if isinstance(widget, QAbstractButton):
        return [widget.text()]
    if isinstance(widget, QComboBox):
        return [widget.itemText(row) for row in range(widget.count())]
    if isinstance(widget, QLabel):
        return [widget.text()]
    return []


def _faults(widget: QWidget) -> Iterator[str]:
    for text in (widget.toolTip(), widget.whatsThis(), widget.statusTip()):
        yield from _faults_of_markup(text)
        yield from _faults_of_line(text)
    for text in (widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle()):
        yield from _faults_of_line(text)
    if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
        yield from _faults_of_markup(widget.text())
    for text in _texts(widget):
        yield from _faults_of_line(text)
    if isinstance(widget, QLineEdit | QTextEdit | QPlainTextEdit):
        yield from _faults_of_line(widget.text() if isinstance(widget, QLineEdit) else widget.toPlainText())
        yield from _faults_of_line(widget.placeholderText())
    if isinstance(widget, QTextEdit):
        yield from _loaded(widget)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        for index in _cells(widget):
            for role in _ROLES:
                text = index.data(role)
                if isinstance(text, str):
                    yield from _faults_of_line(text)
                    yield from _faults_of_markup(text) if role == Qt.ItemDataRole.ToolTipRole else ()


def _cells(view: QAbstractItemView) -> Iterator[QModelIndex]:
    model = view.model()
    columns = view.horizontalHeader().count() if isinstance(view, QTableView) else 1
    for row in range(min(model.rowCount(), 30)):
        for column in range(columns):
            yield model.index(row, column)


def _faults_of_markup(text: str) -> Iterator[str]:
    if RichText.mightBeRichText(text) and any(tag in text for tag in ("<img", "<script", "<b>bold")):
        yield f"markup: {text[:80]!r}"


def _faults_of_line(text: str) -> Iterator[str]:
    if UNPRINTABLE.search(text):
        yield f"unprintable: {text[:200]!r}"


def _loaded(widget: QTextEdit) -> Iterator[str]:
    flags = Qt.TextInteractionFlag
    leads = widget.textInteractionFlags() & (flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
    block = widget.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            form = fragments.fragment().charFormat()
            if form.isImageFormat() or (form.isAnchor() and leads):
                yield f"loads: {fragments.fragment().text()[:80]!r}"
            fragments += 1
        block = block.next()
