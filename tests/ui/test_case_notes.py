"""Notes, tags, collections and cards of the case that is read, as a person uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.case_remarks import LONGEST_NOTE
from btc_gui.domain.trajectory import AnswerId
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui.error_dialog import ErrorDialog
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets import collect_button
from btc_gui.ui.widgets.case_collections_dialog import CaseCollectionsDialog
from btc_gui.ui.widgets.case_notes import CaseNotes
from tests.case_builders import add_answers, make_query, make_result, make_trajectory
from tests.study_builders import add_judged, add_locked_study
from tests.ui.conftest import activate


@pytest.fixture
def first_page() -> str:
    return "cases"


@pytest.fixture
def ids(database: Database) -> list[AnswerId]:
    store = ProbeStore(database)
    probe = store.get(store.ids(ProbeQuery(contains="evening 1"))[0])
    queries = [make_query("a query", make_result())]
    return add_answers(database, probe, [make_trajectory(f"Answer {n}.", queries) for n in range(3)])[1]


@pytest.fixture
def page(window: MainWindow, ids: list[AnswerId], qtbot: QtBot) -> CasesPage:
    window.go("cases", ids[0])
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, CasesPage)
    activate(window, qtbot)
    made.take_focus()
    return made


@pytest.fixture
def notes(page: CasesPage) -> CaseNotes:
    return page._reader.notes


def verb(notes: QWidget, text: str) -> QPushButton:
    return next(b for b in notes.findChildren(QPushButton) if b.text() == text and b.isVisible())


def test_a_note_on_a_step_is_written_edited_and_withdrawn(
    window: MainWindow, database: Database, ids: list[AnswerId], notes: CaseNotes
) -> None:
    notes.note_on(0, 2)
    assert notes.target.text().startswith(f"On btc:{ids[0]}#2")
    QTest.keyClicks(notes.field, "to late")
    QTest.keyClick(notes.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(notes.field, "& more")
    QTest.keyClick(notes.field, Qt.Key.Key_Return)
    settle(window.job_runner)
    store = CaseNoteStore(database)
    assert [(note.note, note.step_number, note.author) for note in store.of(ids[0])] == [("to late\n& more", 2, "mara")]
    assert notes.field.text() == ""
    verb(notes, "Edit").click()
    assert notes.field.text() == "to late\n& more"
    notes.field.setText("too late")
    QTest.keyClick(notes.field, Qt.Key.Key_Return)
    settle(window.job_runner)
    assert [note.note for note in store.of(ids[0])] == ["too late"]
    assert len(store.of(ids[0], with_withdrawn=True)) == 2
    verb(notes, "Withdraw").setFocus()
    verb(notes, "Withdraw").click()
    settle(window.job_runner)
    assert store.of(ids[0]) == []
    back = verb(notes, "Put back")
    assert back.hasFocus()
    back.click()
    settle(window.job_runner)
    assert [(note.note, note.step_number) for note in store.of(ids[0])] == [("too late", 2)]
    assert len(store.of(ids[0], with_withdrawn=True)) == 3


def test_keys_reach_notes_tags_and_cards(window: MainWindow, ids: list[AnswerId], page: CasesPage) -> None:
    notes = page._reader.notes
    QTest.keyClick(page._view, Qt.Key.Key_Q)
    QTest.keyClick(page._view, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert notes.field.hasFocus()
    assert notes.target.text().startswith(f"On btc:{ids[0]}#2")
    QTest.keyClick(notes.field, Qt.Key.Key_Escape)
    assert not notes.field.isVisible()
    page.take_focus()
    QTest.keyClick(page._view, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    assert notes.tags.field.hasFocus()
    QTest.keyClick(notes.tags.field, Qt.Key.Key_Escape)
    # Keys read on: the next one is no letter of a tag.
    focus = window.focusWidget()
    assert focus is not None
    assert page._reader.compare.isAncestorOf(focus)
    window.commands.action("cases.copy_card").trigger()
    settle(window.job_runner)
    assert f"btc:{ids[0]}" in QGuiApplication.clipboard().text()


def test_what_is_typed_is_in_the_project_within_a_second(
    window: MainWindow, database: Database, ids: list[AnswerId], page: CasesPage, notes: CaseNotes, qtbot: QtBot
) -> None:
    QTest.keyClick(page._view, Qt.Key.Key_N)
    QTest.keyClicks(notes.field, "half a th")
    qtbot.waitUntil(lambda: DraftStore(database).get(f"case-note/{ids[0]}") == "half a th")
    notes.note_on(0, 2)
    assert notes.field.text() == ""
    notes.field.setText("of the step")
    notes.keep_draft()
    notes._to_case()
    assert notes.field.text() == "half a th"
    notes.note_on(0, 2)
    assert notes.field.text() == "of the step"


def test_a_note_that_found_no_room_and_was_given_then_is_not_unfinished_any_more(
    window: MainWindow, database: Database, ids: list[AnswerId], page: CasesPage, notes: CaseNotes
) -> None:
    (pages,) = database.read().execute("PRAGMA page_count").fetchone()
    database.read().execute(f"PRAGMA max_page_count = {pages}")
    QTest.keyClick(page._view, Qt.Key.Key_N)
    notes.field.setText(note := "y" * 20_000)
    notes.keep_draft()
    (told,) = window.findChildren(ErrorDialog)
    told.close()
    database.read().execute("PRAGMA max_page_count = 1000000")
    QTest.keyClick(notes.field, Qt.Key.Key_Return)
    settle(window.job_runner)
    assert [given.note for given in CaseNoteStore(database).of(ids[0])] == [note]
    DraftStore(database).keep("elsewhere", "x")
    assert DraftStore(database).get(f"case-note/{ids[0]}") == ""


def test_a_note_that_finds_no_room_is_told_once_and_kept_from_case_to_case(
    window: MainWindow, database: Database, ids: list[AnswerId], page: CasesPage, notes: CaseNotes
) -> None:
    (pages,) = database.read().execute("PRAGMA page_count").fetchone()
    database.read().execute(f"PRAGMA max_page_count = {pages}")
    QTest.keyClick(page._view, Qt.Key.Key_N)
    for length in (20_000, 25_000):
        notes.field.setText("x" * length)
        notes.keep_draft()
    (told,) = window.findChildren(ErrorDialog)
    assert told.message.text() == f"There is no space left for {database.path.name}."
    told.close()
    notes.note_on(0, 2)
    assert notes.field.text() == ""
    notes._to_case()
    assert notes.field.text() == "x" * 25_000
    database.read().execute("PRAGMA max_page_count = 1000000")
    notes.field.setText("short")
    notes.keep_draft()
    with Database.open(database.path) as again:
        assert DraftStore(again).get(f"case-note/{ids[0]}") == "short"


def test_a_note_that_is_edited_meanwhile_is_not_lost(
    window: MainWindow, database: Database, ids: list[AnswerId], page: CasesPage, notes: CaseNotes
) -> None:
    first = CaseNoteStore(database).add(ids[0], "first", "ann")
    page.activate()
    settle(window.job_runner)
    verb(notes, "Edit").click()
    notes.field.setText("mine")
    CaseNoteStore(database).withdraw(first, "ann")
    failed: list[object] = []
    assert window.context is not None
    notes._context.shell.failed.disconnect()
    notes._context.shell.failed.connect(failed.append)
    notes._give()
    assert "meanwhile" in str(failed[0])
    assert notes.field.text() == "mine"


def test_of_a_huge_paste_a_note_takes_what_it_can_hold(window: MainWindow, notes: CaseNotes) -> None:
    notes.to_note()
    QGuiApplication.clipboard().setText("word " * 200_000)
    notes.field.paste()
    assert len(notes.field.text()) == LONGEST_NOTE
    assert "20,000 characters at most" in window.job_bar.message.text()


def test_tags_are_added_completed_and_taken_off(
    window: MainWindow, database: Database, ids: list[AnswerId], notes: CaseNotes
) -> None:
    CaseTagStore(database).add([ids[1]], "Old news", "ann")
    notes.to_tag()
    assert notes.tags._known.stringList() == ["Old news"]
    notes.tags.field.setText("old NEWS, for & the paper")
    QTest.keyClick(notes.tags.field, Qt.Key.Key_Return)
    settle(window.job_runner)
    assert {tag.tag for tag in CaseTagStore(database).of(ids[0])} == {"Old news", "for & the paper"}
    assert notes.tags.field.text() == ""
    made = next(b for b in notes.tags._buttons if b.text().startswith("Old news"))
    made.click()
    settle(window.job_runner)
    assert [tag.tag for tag in CaseTagStore(database).of(ids[0])] == ["for & the paper"]


def test_a_case_is_collected_opened_as_a_list_and_let_go(
    window: MainWindow,
    database: Database,
    ids: list[AnswerId],
    page: CasesPage,
    notes: CaseNotes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = CaseCollectionStore(database)
    collection = store.create("Paper & talk", "", "ann")
    store.add(collection, [ids[2]], "ann")
    collect = notes.actions_row.collect
    collect.fill()
    assert [a.text() for a in collect.menu().actions() if a.data() == ("put", collection)] == ["Paper && talk\t1"]
    collect.put(collection)
    settle(window.job_runner)
    assert store.ids(collection) == [ids[2], ids[0]]
    assert collect.text() == "Collect · 1"
    collect.put(collection)
    settle(window.job_runner)
    assert store.ids(collection) == [ids[2]]
    collect.ask_name()
    assert collect.dialog is not None
    collect.dialog.field.setText("New one")
    collect.dialog.do_button.click()
    settle(window.job_runner)
    assert store.ids(store.find("new one").id) == [ids[0]]
    action = next(a for a in collect.menu().actions() if a.menu() is not None)
    collect.fill()
    action = next(a for a in collect.menu().actions() if a.menu() is not None)
    opening = action.menu()
    assert opening is not None
    next(a for a in opening.actions() if a.data() == ("open", collection)).trigger()  # type: ignore[attr-defined]
    settle(window.job_runner)
    assert page._table.ids == [ids[2]]
    page._show_all()
    settle(window.job_runner)
    # A long list is written by a job.
    monkeypatch.setattr(collect_button, "_AT_ONCE", 1)
    page.collect.put(collection)
    settle(window.job_runner)
    assert "Put 2 cases into “Paper & talk”; 1 in it before" in window.job_bar.message.text()
    assert store.ids(collection) == [ids[2], ids[0], ids[1]]
    collect._take(next(a for a in opening.actions() if a.data() == ("open", collection)))  # type: ignore[attr-defined]
    settle(window.job_runner)
    assert page._table.ids == [ids[2], ids[0], ids[1]]
    page._sort("stored", False)
    settle(window.job_runner)
    assert page._table.ids == ids


def test_a_collection_is_described_and_put_in_order(
    window: MainWindow, database: Database, ids: list[AnswerId], page: CasesPage
) -> None:
    store = CaseCollectionStore(database)
    collection = store.create("Paper", "", "ann")
    store.add(collection, ids, "ann")
    assert window.context is not None
    dialog = CaseCollectionsDialog(window.context, window)
    dialog.show()
    settle(window.job_runner)
    dialog.view.select_id(ids[2])
    verb(dialog, " Up").click()
    settle(window.job_runner)
    assert store.ids(collection) == [ids[0], ids[2], ids[1]]
    dialog.name.setText("The paper")
    dialog.description.setPlainText("What surprises")
    dialog._describe()
    settle(window.job_runner)
    assert (store.get(collection).name, store.get(collection).description) == ("The paper", "What surprises")
    dialog.view.select_id(ids[0])
    verb(dialog, " Take out").click()
    settle(window.job_runner)
    assert store.ids(collection) == [ids[2], ids[1]]
    dialog.drop_button.click()
    settle(window.job_runner)
    assert store.all() == []
    assert not dialog.open_button.isEnabled()
    dialog.close()


def test_a_card_is_copied_and_printed(
    window: MainWindow, ids: list[AnswerId], notes: CaseNotes, tmp_path: Path
) -> None:
    cards = notes.actions_row.cards
    notes.actions_row.copy_card()
    settle(window.job_runner)
    assert f"btc:{ids[0]}" in QGuiApplication.clipboard().text()
    cards.write(ids, tmp_path / "cards.pdf", "死去 مات 🕯 <b>")
    settle(window.job_runner)
    data = (tmp_path / "cards.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    # A card a page.
    assert data.count(b"/Type /Page\n") == 3
    cards.write(ids, tmp_path / "cards.tex", "Cards")
    settle(window.job_runner)
    assert "\\section*{Cards}" in (tmp_path / "cards.tex").read_text(encoding="utf-8")


def test_a_case_of_an_open_study_has_no_card(window: MainWindow, notes: CaseNotes, tmp_path: Path) -> None:
    assert window.context is not None
    database = window.context.database
    add_judged(database)
    drawn = [item.answer_id for item in StudyStore(database).items(add_locked_study(database))]
    notes.actions_row.cards.write(drawn, tmp_path / "cards.md", "Cards")
    settle(window.job_runner)
    assert not (tmp_path / "cards.md").exists()
    assert "part of a study that is not unblinded yet" in window.job_bar.message.text()
