"""Events, Probes and the import dialog."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.event import EventId
from btc_gui.domain.review import Action
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui import import_dialog
from btc_gui.ui.context import Context
from btc_gui.ui.import_dialog import ImportDialog
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages import events_page, probes_page
from btc_gui.ui.pages.events_page import EventsPage
from btc_gui.ui.pages.probes_page import ProbesPage
from btc_gui.ui.pictures import settle
from tests.builders import add_event, add_probe, make_facts


@pytest.fixture
def first_page() -> str:
    return "events"


@pytest.fixture
def events(window: MainWindow) -> EventsPage:
    window.go("events")
    page = window.current_page
    assert isinstance(page, EventsPage)
    return page


@pytest.fixture
def probes(window: MainWindow) -> ProbesPage:
    window.go("probes")
    page = window.current_page
    assert isinstance(page, ProbesPage)
    return page


def _cells(page: EventsPage | ProbesPage, column: int) -> list[str]:
    return [str(page.table.data(page.table.index(row, column))) for row in range(page.table.rowCount())]


# -- events ---------------------------------------------------------------------------------------------------


def test_events_are_listed_by_date_and_the_first_is_shown(events: EventsPage) -> None:
    QAbstractItemModelTester(events.table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert _cells(events, 0) == ["Bo Brown", "Ada Lovely"]
    assert _cells(events, 2) == ["March 2026", "9 May 2026"]
    assert _cells(events, 4) == ["0 of 1", "0 of 4"]
    assert events.card.entity.text() == "Bo Brown"
    assert "after\tBo Brown no longer holds the position of Mayor of Exampleton" in events.card.change.toPlainText()
    assert events.header.counts.text() == "2 events"


def test_events_can_be_filtered_and_sorted(qtbot: QtBot, events: EventsPage) -> None:
    events.focus_filter()
    assert events.filter.hasFocus()
    QTest.keyClicks(events.filter, "ada p r")
    assert events.filter.text() == "ada p r"
    events.filter.clear()
    QTest.keyClicks(events.filter, "lovely")
    qtbot.waitUntil(lambda: _cells(events, 0) == ["Ada Lovely"])
    assert events.header.counts.text() == "1 of 2 events"
    QTest.keyClick(events.filter, Qt.Key.Key_Escape)
    assert len(_cells(events, 0)) == 2
    events.category.choose(["tenure"])
    events.category.chosen.emit(("tenure",))
    assert _cells(events, 0) == ["Bo Brown"]
    events.category.choose([])
    events.view.sort_asked.emit("probes", True)
    assert _cells(events, 0) == ["Ada Lovely", "Bo Brown"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Escape])
def test_keys_lead_from_the_filter_to_the_list(events: EventsPage, key: Qt.Key) -> None:
    events.focus_filter()
    QTest.keyClicks(events.filter, "ada")
    if key == Qt.Key.Key_Escape:
        QTest.keyClick(events.filter, key)
        assert events.filter.text() == ""
        assert events.filter.hasFocus()
    QTest.keyClick(events.filter, key)
    assert events.view.hasFocus()


def test_events_without_probes_can_be_found(events: EventsPage, filled: Database) -> None:
    add_event(filled, entity="Cy Third")
    events.with_probes.choose(["without"])
    events.activate()
    assert _cells(events, 0) == ["Cy Third"]
    events.with_probes.choose(["with"])
    events.activate()
    assert _cells(events, 0) == ["Bo Brown", "Ada Lovely"]


def test_an_event_leads_to_its_probes_and_to_their_review(events: EventsPage, window: MainWindow) -> None:
    events.view.select_id(EventStore(window.context.database).find("Q1")[0])  # type: ignore[union-attr]
    events.take_focus()
    QTest.keyClick(events.view, Qt.Key.Key_P)
    assert isinstance(window.current_page, ProbesPage)
    assert window.current_page.detail.text.view.toPlainText() == "Who could speak at evening 1?"
    window.go("events")
    QTest.keyClick(events.view, Qt.Key.Key_R)
    assert window.current_page.name == "review"


def test_an_event_is_shown_even_when_a_filter_hides_it(events: EventsPage, window: MainWindow) -> None:
    events.category.choose(["tenure"])
    events.activate()
    ada = EventStore(window.context.database).find("Q1")[0]  # type: ignore[union-attr]
    window.go("events", ada)
    assert events.view.current_id == ada


def test_an_empty_list_offers_the_import(
    bare_window: MainWindow, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    for module in (events_page, probes_page):
        monkeypatch.setattr(module, "ask_open", lambda parent, title, kinds: asked.append(title))
    bare_window.show_project(database)
    for name in ("events", "probes"):
        bare_window.go(name)
        page = bare_window.current_page
        assert isinstance(page, EventsPage | ProbesPage)
        assert page.empty.isVisible()
        assert page.empty.button is not None
        page.empty.button.click()
        bare_window.commands.action(f"file.import_{name}").trigger()
    assert asked == ["Import events", "Import events", "Import probes", "Import probes"]


def test_ten_thousand_events_are_listed_quickly(qtbot: QtBot, window: MainWindow, filled: Database) -> None:
    store = EventStore(filled)
    with filled.write() as connection:
        store.add_many(connection, [make_facts(entity=f"Person {i:05}") for i in range(10_000)], "tests", None)
    window.go("events")
    page = window.current_page
    assert isinstance(page, EventsPage)
    assert page.table.rowCount() == 10_002
    page.view.scrollToBottom()
    window.grab()


# -- probes ---------------------------------------------------------------------------------------------------


def test_probes_are_listed_with_their_event(probes: ProbesPage) -> None:
    QAbstractItemModelTester(probes.table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert _cells(probes, 2) == ["Bo Brown", *["Ada Lovely"] * 4]
    assert _cells(probes, 3) == ["indirect 1", "indirect 1", "indirect 2", "indirect 3", "direct 1"]
    assert probes.header.counts.text() == "5 probes"


def test_probes_can_be_filtered_by_status_kind_and_flag(probes: ProbesPage, filled: Database) -> None:
    ids = ProbeStore(filled).ids()
    reviews, store = ReviewStore(filled), ProbeStore(filled)
    reviews.decide(ids[0], store.get(ids[0]).revision_id, Action.ACCEPT, "mara")
    reviews.decide(ids[1], store.get(ids[1]).revision_id, Action.FLAG, "mara")
    event = EventStore(filled)
    event.revise(store.get(ids[0]).event_id, make_facts("Bo Brown", "tenure", "2026-04"), "tests")
    for facet, value, wanted in (
        (probes.status, "accepted", [ids[0]]),
        (probes.kind, "direct", [ids[4]]),
        (probes.more, "flagged", [ids[1]]),
        (probes.more, "stale", [ids[0]]),
    ):
        probes.activate()
        facet.choose([value])
        facet.chosen.emit(facet.values)
        assert probes.table.ids == wanted
        facet.choose([])
    assert [probes.table.data(probes.table.index(0, 1))] == ["accepted for other facts"]


def test_a_probe_shows_how_its_wording_changed(probes: ProbesPage, filled: Database) -> None:
    store = ProbeStore(filled)
    probe = store.get(store.ids()[0])
    assert not probes.detail.wordings_card.isVisible()
    edited = probe.content.__class__("Which mayors should we write to?")
    ReviewStore(filled).decide(probe.id, probe.revision_id, Action.EDIT, "mara", edited=edited)
    probes.activate()
    assert probes.detail.wordings_card.isVisible()
    texts = [label.text() for label in probes.detail.wordings.findChildren(QLabel)]
    assert texts[0].startswith("Revision 2 · edited · mara")
    assert texts[1].startswith("Revision 1 · loaded · tests")


def test_the_filtered_probes_are_reviewed_together(probes: ProbesPage, window: MainWindow) -> None:
    probes.kind.choose(["direct"])
    probes.activate()
    probes.take_focus()
    QTest.keyClick(probes.view, Qt.Key.Key_R)
    page = window.current_page
    assert page is not None
    assert page.name == "review"
    window.go("probes")
    QTest.keyClick(probes.view, Qt.Key.Key_E)
    assert isinstance(window.current_page, EventsPage)
    assert window.current_page.card.entity.text() == "Ada Lovely"


# -- import ---------------------------------------------------------------------------------------------------

EVENTS_CSV = """who,what,when,wikidata
Ada Lovely,demise,2026-05-09,Q1
Cy Third,demise,2026-06-01,Q3
Nobody,demise,not a date,Q4
"""


@pytest.fixture
def events_file(tmp_path: Path) -> Path:
    path = tmp_path / "events.csv"
    path.write_text(EVENTS_CSV, encoding="utf-8")
    return path


def _dialog(qtbot: QtBot, path: Path, subject: LoadSubject, context: Context, window: QWidget) -> ImportDialog:
    made = ImportDialog(subject, path, context, window)
    made.open()
    qtbot.waitUntil(lambda: not context.job_runner.jobs())
    return made


def test_columns_are_shown_adjusted_and_the_file_loaded_with_a_report(
    qtbot: QtBot, window: MainWindow, context: Context, events_file: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    window.go("events")
    dialog = _dialog(qtbot, events_file, LoadSubject.EVENTS, context, window)
    assert not dialog.load_button.isEnabled()
    assert "no column holds" in dialog.problem.text()
    for fact, column in (("entity", "who"), ("category", "what"), ("date", "when")):
        combo = dialog.form.combos[fact]
        combo.setCurrentIndex(combo.findData(column))
        combo.activated.emit(combo.currentIndex())
        qtbot.waitUntil(lambda: not context.job_runner.jobs())
    assert dialog.form.combos["qid"].value == "wikidata"
    assert dialog.load_button.isEnabled()
    assert dialog.status.text() == "2 of the first 3 rows would be taken."
    dialog.load_button.click()
    qtbot.waitUntil(lambda: dialog.report_view.isVisible())
    assert {name: number.text() for name, number in dialog.report_view.numbers.items()} == {
        "read": "3", "new": "1", "known already": "1", "rejected": "1",
    }  # fmt: skip
    assert dialog.report_view.table.rowCount() == 1
    monkeypatch.setattr(import_dialog, "ask_save", lambda *_: tmp_path / "out" / "rejected.csv")
    dialog._save.click()
    assert "not a date" in (tmp_path / "out" / "rejected.csv").read_text(encoding="utf-8-sig")
    dialog._copy.click()
    dialog.close()
    assert ProjectStore(context.database).counts().events == 3
    page = window.current_page
    assert isinstance(page, EventsPage)
    assert page.table.rowCount() == 3


def test_a_file_of_which_nothing_can_be_taken_is_reported(
    qtbot: QtBot, window: MainWindow, context: Context, tmp_path: Path
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("entity,category,date\nAda,demise,never\nBo,demise,soon\n", encoding="utf-8")
    dialog = _dialog(qtbot, path, LoadSubject.EVENTS, context, window)
    assert not dialog.load_button.isEnabled()
    assert dialog.status.text() == "0 of the first 2 rows would be taken."
    dialog.close()


def test_a_file_that_cannot_be_read_says_why(
    qtbot: QtBot, window: MainWindow, context: Context, tmp_path: Path
) -> None:
    path = tmp_path / "old.csv"
    path.write_bytes("entity,date\nJosé,2026\n".encode("utf-16"))
    dialog = _dialog(qtbot, path, LoadSubject.EVENTS, context, window)
    assert dialog.problem.isVisible()
    assert not dialog.load_button.isEnabled()
    dialog.close()


def test_probes_are_imported_with_a_default_kind(
    qtbot: QtBot, window: MainWindow, context: Context, tmp_path: Path
) -> None:
    path = tmp_path / "probes.csv"
    path.write_text("qid,text\nQ1,Who else could speak?\nQ99,Lost?\n", encoding="utf-8")
    dialog = _dialog(qtbot, path, LoadSubject.PROBES, context, window)
    dialog.form.default.setCurrentIndex(dialog.form.default.findData("indirect"))
    dialog.form.default.activated.emit(1)
    qtbot.waitUntil(lambda: dialog.load_button.isEnabled())
    dialog.load_button.click()
    qtbot.waitUntil(lambda: dialog.report_view.isVisible())
    assert dialog.report_view.numbers["new"].text() == "1"
    assert len(ProbeStore(context.database).siblings(EventId(1))) == 5
    dialog.close()


def test_closing_the_dialog_leaves_the_import_running(
    qtbot: QtBot, window: MainWindow, context: Context, tmp_path: Path
) -> None:
    path = tmp_path / "many.csv"
    rows = [f"Person {i},demise,2026-05-09" for i in range(3_000)]
    path.write_text("\n".join(["entity,category,date", *rows]), encoding="utf-8")
    dialog = _dialog(qtbot, path, LoadSubject.EVENTS, context, window)
    dialog.load()
    dialog.close()
    qtbot.waitUntil(lambda: not context.job_runner.jobs())
    assert ProjectStore(context.database).counts().events == 3_002


def test_answers_of_ones_own_agent_are_imported(
    qtbot: QtBot, window: MainWindow, context: Context, tmp_path: Path
) -> None:
    probe = add_probe(context.database, add_event(context.database, entity="Own Agent"), key="own")
    path = tmp_path / "mine.jsonl"
    path.write_text('{"probe": "own", "answer": "Ask Bo.", "queries": ["who speaks"]}\n', encoding="utf-8")
    dialog = _dialog(qtbot, path, LoadSubject.ANSWERS, context, window)
    assert dialog.problem.text().startswith("Before it can be imported: no column holds the model. ")
    assert dialog.status.text() == "No row would be taken yet."
    dialog.form.default.setCurrentIndex(1)
    dialog.form.default.activated.emit(1)
    qtbot.waitUntil(lambda: dialog.load_button.isEnabled())
    model = dialog.form.default.value
    dialog.load_button.click()
    qtbot.waitUntil(lambda: dialog.report_view.isVisible())
    assert dialog.report_view.numbers["new"].text() == "1"
    store = AnswerStore(context.database)
    answer = store.fetch(store.ids()).popitem()[1]
    assert (answer.probe_id, answer.configuration.model, answer.answer) == (probe.id, model, "Ask Bo.")
    dialog.close()


def test_nothing_is_said_of_what_was_not_read_yet(window: MainWindow) -> None:
    """Not that no row fits, nor what can be done with the chosen one."""
    page = window.page("probes")
    assert isinstance(page, ProbesPage)
    assert not page.view.isVisibleTo(page)
    window.go("probes")
    settle(window.job_runner)
    assert page.view.isVisibleTo(page)
