"""Collecting in the window: the dialog with its funnel, putting back, what moved, and events by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QTableWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.article import About, Article, AsOf, Leak
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.probe import ReviewStatus
from btc_gui.domain.verification import Moved, Movement
from btc_gui.jobs.fetch_articles import ArticleRequest
from btc_gui.store.articles import ArticleStore
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.movements import MovementStore
from btc_gui.store.probes import ProbeStore
from btc_gui.ui.context import Context
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.events_page import EventsPage
from btc_gui.ui.widgets.articles_dialog import ArticlesDialog
from btc_gui.ui.widgets.collect_dialog import CollectDialog
from btc_gui.ui.widgets.collections_dialog import CollectionsDialog
from btc_gui.ui.widgets.event_dialog import EventDialog
from btc_gui.ui.widgets.moved_dialog import MovedDialog
from btc_gui.ui.widgets.note_dialog import NoteDialog
from tests.builders import make_facts
from tests.fakes.service_faults import FaultyServer
from tests.fakes.wdqs import QueryWorld, wdqs
from tests.fakes.world import make_world

_TIMEOUT = 20_000


@pytest.fixture
def first_page() -> str:
    return "events"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyServer]:
    world = make_world(4, 0, date(2026, 2, 1), 4)
    world.dead[1].precision = 10
    with wdqs(QueryWorld(world.tables())) as made:
        monkeypatch.setenv("WDQS_BASE_URL", f"{made.address}/sparql")
        yield made


@pytest.fixture
def page(window: MainWindow) -> EventsPage:
    window.go("events")
    found = window.current_page
    assert isinstance(found, EventsPage)
    return found


def _dialog(page: EventsPage) -> QDialog:
    dialog = page._collecting.dialog
    assert dialog is not None
    return dialog


def _collect_dialog(qtbot: QtBot, page: EventsPage, contact: str = "curator@example.org") -> CollectDialog:
    context = page._context
    context.settings = replace(context.settings, operator_contact=contact)
    page._collecting.collect()
    dialog = _dialog(page)
    assert isinstance(dialog, CollectDialog)
    dialog.category.setCurrentIndex(dialog.category.findData("demise"))
    dialog.first_day.setText("2026-02-01")
    dialog.last_day.setText("2026-02-04")
    dialog._wait.stop()
    dialog._foresee()
    qtbot.waitUntil(lambda: "4 requests" in dialog.outlook.text(), timeout=_TIMEOUT)
    return dialog


def test_collecting_shows_its_funnel_and_rows_can_be_put_back(
    qtbot: QtBot, page: EventsPage, context: Context, server: FaultyServer
) -> None:
    """Every number, every dropped row with its reason; put back, it is an event of the table."""
    dialog = _collect_dialog(qtbot, page)
    dialog.start()
    view = dialog.collected_view
    qtbot.waitUntil(lambda: view.table.rowCount() == 1, timeout=_TIMEOUT)
    assert dialog.heading.text().startswith("Demises: 4 rows, 3 events")
    assert _texts(view.steps, 0)[0] == "Everything dropped"
    assert view.steps.rowCount() > 5
    dialog.resize(dialog.minimumSizeHint())
    step = next(row for row in range(view.steps.rowCount()) if "category needs" in _texts(view.steps, 0)[row])
    qtbot.waitUntil(lambda: view.steps.rowHeight(step) > view.steps.rowHeight(0), timeout=_TIMEOUT)
    assert "known only to the month" in view.detail.text()
    view.put_back_button.click()
    note = view.findChild(NoteDialog)
    assert note is not None
    assert not note.do_button.isEnabled()
    note.editor.setPlainText("The obituary has the day")
    assert not note.do_button.isEnabled()
    note.day_field.setText("2026-02-04")
    note.do_button.click()
    events = EventStore(context.database)
    qtbot.waitUntil(lambda: len(events.ids(EventQuery(contains="Bo Ambrus"))) == 1, timeout=_TIMEOUT)
    qtbot.waitUntil(view.withdraw_button.isVisible, timeout=_TIMEOUT)
    assert view.put_back_button.isHidden()
    assert view.detail.text().count("The obituary has the day") == 1
    assert view.view.isColumnHidden(2)  # Nobody has a position here.
    rows = [_texts(view.steps, column)[-2:] for column in range(3)]
    assert rows == [["Put back by hand", "Events"], ["+1", ""], ["4", "4"]]
    # Withdrawn, the event stays; put back again, it is the same one.
    view.withdraw_button.click()
    qtbot.waitUntil(view.put_back_button.isVisible, timeout=_TIMEOUT)
    assert len(events.ids(EventQuery(contains="Bo Ambrus"))) == 1
    qtbot.waitUntil(lambda: "Put back by hand" not in _texts(view.steps, 0), timeout=_TIMEOUT)
    view.put_back_button.click()
    note = view.findChildren(NoteDialog)[-1]
    note.editor.setPlainText("It has")
    note.day_field.setText("2026-02-04")
    note.do_button.click()
    qtbot.waitUntil(view.withdraw_button.isVisible, timeout=_TIMEOUT)
    assert len(events.ids(EventQuery(contains="Bo Ambrus"))) == 1
    dialog.reject()
    page._collecting.show_collections()
    shown = _dialog(page)
    assert isinstance(shown, CollectionsDialog)
    assert shown.choice.currentText() == "1: Demises, 1 February to 4 February 2026"
    qtbot.waitUntil(lambda: "put back" in shown.collected_view.detail.text().casefold(), timeout=_TIMEOUT)
    shown.reject()


def test_what_stops_a_collection_is_said_in_the_dialog(
    qtbot: QtBot, page: EventsPage, context: Context, server: FaultyServer
) -> None:
    """A sentence that stays while the rest of the dialog is brought up to date; the next try goes on."""
    server.give_faults("ok", "ok", "ban")
    dialog = _collect_dialog(qtbot, page)
    dialog.start()
    qtbot.waitUntil(lambda: "left, then the batches" in dialog.outlook.text(), timeout=_TIMEOUT)
    assert "banned" in dialog.problem.text()
    assert dialog.problem.isVisible()
    assert dialog.start_button.isVisible()
    dialog.reject()


def test_a_contact_is_needed_first(qtbot: QtBot, page: EventsPage, server: FaultyServer) -> None:
    """It can be given right there; it is kept in the settings."""
    dialog = _collect_dialog(qtbot, page, contact="")
    assert not dialog.start_button.isEnabled()
    assert "contact is needed" in dialog.problem.text()
    QTest.keyClicks(dialog.contact, "a@example.org")
    qtbot.waitUntil(dialog.start_button.isEnabled, timeout=_TIMEOUT)
    dialog.last_day.selectAll()
    QTest.keyClicks(dialog.last_day, "June")
    qtbot.waitUntil(lambda: "Write the days" in dialog.problem.text(), timeout=_TIMEOUT)
    assert not dialog.start_button.isEnabled()
    assert server.asked == []
    dialog.reject()


def _texts(table: QTableWidget, column: int) -> list[str]:
    items = [table.item(row, column) for row in range(table.rowCount())]
    return [item.text() for item in items if item is not None]


def _ada(context: Context) -> tuple[EventId, EventFacts]:
    event_id = EventStore(context.database).ids(EventQuery(contains="Ada Lovely"))[0]
    return event_id, EventStore(context.database).get(event_id).facts


def test_what_moved_is_answered_entry_by_entry(qtbot: QtBot, page: EventsPage, context: Context) -> None:
    """The notice leads to the queue; taking the new facts corrects the event."""
    event_id, facts = _ada(context)
    now = make_facts(entity="Ada Lovely", qid="Q1", date="2026-05-10", source=facts.source)
    store = MovementStore(context.database)
    with context.database.write() as connection:
        store.add(connection, [(event_id, Moved(facts, Movement.DATE_CORRECTED, "It moved.", now))], "wdqs")
    page.activate()
    qtbot.waitUntil(page.moved_link.isVisible, timeout=_TIMEOUT)
    assert page.moved_link.text() == "1 event moved since: look at them"
    page.moved_link.click()
    dialog = _dialog(page)
    assert isinstance(dialog, MovedDialog)
    qtbot.waitUntil(lambda: dialog.table.rowCount() == 1, timeout=_TIMEOUT)
    assert "It moved." in dialog.detail.text()
    dialog.take_button.click()
    qtbot.waitUntil(lambda: dialog.table.rowCount() == 0, timeout=_TIMEOUT)
    assert EventStore(context.database).get(event_id).facts.date.iso == "2026-05-10"
    assert store.open_ids() == []
    assert dialog.heading.text() == "Nothing left to answer"
    dialog.reject()
    qtbot.waitUntil(lambda: not page.moved_link.isVisible(), timeout=_TIMEOUT)


def test_an_event_is_rejected_with_its_probes_and_taken_in_again(
    qtbot: QtBot, page: EventsPage, context: Context
) -> None:
    """With a note; the list says so, and can show the rejected ones alone."""
    event_id, _ = _ada(context)
    page.view.select_id(event_id)
    QTest.keyClick(page.view, Qt.Key.Key_X)
    dialog = _dialog(page)
    assert isinstance(dialog, NoteDialog)
    QTest.keyClicks(dialog.editor, "A hoax")
    QTest.keyClick(dialog.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    probes = ProbeStore(context.database)
    qtbot.waitUntil(
        lambda: {each.status for each in probes.siblings(event_id)} == {ReviewStatus.REJECTED}, timeout=_TIMEOUT
    )
    qtbot.waitUntil(lambda: "A hoax" in page.origin.rejected.text(), timeout=_TIMEOUT)
    page.standing.choose(["rejected"])
    page.standing.chosen.emit(("rejected",))
    qtbot.waitUntil(lambda: page.table.rowCount() == 1, timeout=_TIMEOUT)
    assert page.table.data(page.table.index(0, 0)) == "Ada Lovely (rejected)"
    context.commands.action("events.reject").trigger()
    qtbot.waitUntil(lambda: page.table.rowCount() == 0, timeout=_TIMEOUT)


def test_years_in_descriptions_are_named_beside_the_event(qtbot: QtBot, page: EventsPage, context: Context) -> None:
    """Also those of the position, which its article brings."""
    event_id, _ = _ada(context)
    told = Article(event_id, About.POSITION, "Mayor", AsOf.WINDOW, None, description="office (2010–2026)")
    ArticleStore(context.database).keep([told])
    page.view.select_id(event_id)
    qtbot.waitUntil(
        lambda: "Years in the position's description: (2010–2026)." in page.origin.moved.text(), timeout=_TIMEOUT
    )


def test_an_event_is_added_and_corrected_by_hand(qtbot: QtBot, page: EventsPage, context: Context) -> None:
    """What is wrong is said beside the form; offices' fields are there for offices only."""
    page._collecting.add()
    dialog = _dialog(page)
    assert isinstance(dialog, EventDialog)
    dialog.category.setCurrentIndex(dialog.category.findData("closure"))
    dialog._show_fields()
    assert dialog.fields["ends"].isVisible()
    dialog.category.setCurrentIndex(0)
    assert dialog.category.value == "demise"
    dialog._show_fields()
    assert not dialog.fields["position"].isVisible()
    assert not dialog.fields["ends"].isVisible()  # What has happened to somebody does not end.
    assert dialog.focusWidget() is dialog.fields["entity"]
    dialog.fields["entity"].setText("Cleo Corvin")
    dialog.save_button.click()
    qtbot.waitUntil(lambda: "date is missing" in dialog.problem.text(), timeout=_TIMEOUT)
    QTest.keyClicks(dialog.fields["date"], "2026-04-01")
    QTest.keyClick(dialog.fields["date"], Qt.Key.Key_Return)
    events = EventStore(context.database)
    qtbot.waitUntil(lambda: len(events.ids(EventQuery(contains="Cleo Corvin"))) == 1, timeout=_TIMEOUT)
    (added,) = events.ids(EventQuery(contains="Cleo Corvin"))
    qtbot.waitUntil(lambda: page.view.current_id == added, timeout=_TIMEOUT)
    context.commands.action("events.correct").trigger()
    again = _dialog(page)
    assert isinstance(again, EventDialog)
    assert again.fields["date"].text() == "2026-04-01"
    again.fields["date"].setText("2026-04-02")
    again.save_button.click()
    qtbot.waitUntil(lambda: events.get(added).facts.date.iso == "2026-04-02", timeout=_TIMEOUT)


def test_one_key_each_opens_article_and_source(
    qtbot: QtBot, page: EventsPage, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the browser; an event without them says so."""
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    event_id, facts = _ada(context)
    EventStore(context.database).revise(event_id, replace(facts, article="Ada Lovely"), "tests")
    page.view.select_id(event_id)
    QTest.keyClick(page.view, Qt.Key.Key_A)
    QTest.keyClick(page.view, Qt.Key.Key_S)
    assert opened == ["https://en.wikipedia.org/wiki/Ada_Lovely", "https://example.org/ada"]
    said: list[str] = []
    context.shell.said.connect(said.append)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    QTest.keyClick(page.view, Qt.Key.Key_S)
    assert said == ["No browser could be opened for https://example.org/ada"]


def test_the_article_stands_beside_the_event(qtbot: QtBot, page: EventsPage, context: Context) -> None:
    """As of its revision, or the reason why there is none."""
    event_id, _ = _ada(context)
    article = Article(event_id, About.ENTITY, "Ada Lovely", AsOf.WINDOW, date(2026, 2, 1), title="Ada Lovely")
    article = replace(article, revision_id=7, revised_at="2026-01-01T00:00:00Z", text="She speaks.")
    ArticleStore(context.database).keep([article])
    page.view.select_id(event_id)
    page._show_event(event_id)
    assert page.article.view.toPlainText() == "She speaks."
    ArticleStore(context.database).keep([replace(article, text="", problem="There is no article.")])
    page._show_event(event_id)
    assert page.article.note.text() == "There is no article."
    leaking = replace(article, text="She died in 2026.", leaks=(Leak(4, 8, "“died” in one sentence with 2026"),))
    ArticleStore(context.database).keep([leaking])
    page.standing.choose(["leaking"])
    page.standing.chosen.emit(("leaking",))
    qtbot.waitUntil(lambda: page.table.rowCount() == 1, timeout=_TIMEOUT)
    page.standing.choose(["missing"])
    page.standing.chosen.emit(("missing",))
    qtbot.waitUntil(lambda: page.table.data(page.table.index(0, 0)) == "Bo Brown", timeout=_TIMEOUT)


def test_articles_are_asked_for_with_their_day(qtbot: QtBot, page: EventsPage) -> None:
    """Before the window, the day before, or now; the window's first day only where it counts."""
    page._collecting.fetch_articles()
    dialog = _dialog(page)
    assert isinstance(dialog, ArticlesDialog)
    dialog.wanted.disconnect()
    wanted: list[object] = []
    dialog.wanted.connect(wanted.append)
    dialog.has_start.setChecked(True)
    dialog.fetch_button.click()
    assert wanted == [ArticleRequest(AsOf.WINDOW, date(2026, 2, 1))]
