"""The review page from the keyboard."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from btc_gui.domain.probe import Probe, ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui import unsaved
from btc_gui.ui.context import Context
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages import review_page
from btc_gui.ui.pages.review_page import ReviewPage


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting between decisions, except where the test is about it."""
    monkeypatch.setattr(review_page, "SETTLE_MILLISECONDS", 0)


@pytest.fixture
def page(window: MainWindow) -> ReviewPage:
    window.go("review")
    made = window.current_page
    assert isinstance(made, ReviewPage)
    return made


def _probes(database: Database) -> list[Probe]:
    store = ProbeStore(database)
    ids = store.ids()
    found = store.fetch(ids)
    return [found[i] for i in ids]


def _statuses(database: Database) -> list[str]:
    return [probe.status.value[:3] for probe in _probes(database)]


def _shown(page: ReviewPage) -> str:
    return page.probe_card.text.toPlainText()


def _press(page: ReviewPage, letters: str) -> None:
    for letter in letters:
        QTest.keyClick(page, Qt.Key(ord(letter.upper())))


def test_a_queue_is_worked_off_with_single_letters(page: ReviewPage, filled: Database) -> None:
    assert _shown(page) == "Which mayors should we invite?"
    _press(page, "adad")
    assert _statuses(filled) == ["acc", "def", "acc", "def", "unr"]
    assert page.header.counts.text().startswith("2 of 5 decided · 2 deferred")
    _press(page, "a")
    assert page.finished.isVisible()
    _press(page, "u")
    assert _shown(page) == "Is Ada Lovely still alive?"
    assert _statuses(filled)[-1] == "unr"


def test_a_rejection_needs_reasons_chosen_by_digits(page: ReviewPage, filled: Database) -> None:
    _press(page, "r")
    assert page.panel.isVisible()
    QTest.keyClick(page.panel, Qt.Key.Key_Return)
    assert page.panel.problem.isVisible()
    assert _statuses(filled)[0] == "unr"
    QTest.keyClicks(page.panel, "131")
    QTest.keyClick(page.panel, Qt.Key.Key_Tab)
    assert page.panel.note.hasFocus()
    QTest.keyClicks(page.panel.note, "Sounds odd 1a")
    QTest.keyClick(page.panel.note, Qt.Key.Key_Return)
    assert _statuses(filled)[0] == "rej"
    decision = ReviewStore(filled).log(_probes(filled)[0].id)[-1]
    assert decision.reasons == ("singles_out",)
    assert decision.note == "Sounds odd 1a"
    assert not page.panel.isVisible()
    _press(page, "a")
    assert _statuses(filled)[1] == "acc"


def test_letters_do_nothing_while_reasons_are_chosen_or_a_text_is_edited(page: ReviewPage, filled: Database) -> None:
    _press(page, "r")
    QTest.keyClicks(page.panel, "ad")
    QTest.keyClick(page.panel, Qt.Key.Key_Escape)
    assert not page.panel.isVisible()
    _press(page, "e")
    QTest.keyClicks(page.probe_card.text, "adfu")
    assert _shown(page).endswith("adfu")
    assert set(_statuses(filled)) == {"unr"}


def test_an_edit_is_saved_as_a_new_revision_and_accepted_next(page: ReviewPage, filled: Database) -> None:
    _press(page, "e")
    QTest.keyClicks(page.probe_card.text, " Soon")
    QTest.keyClick(page.probe_card.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    probe = _probes(filled)[0]
    assert probe.text == "Which mayors should we invite? Soon"
    assert probe.revision == 2
    assert _shown(page) == probe.text
    assert not page.probe_card.is_editing
    _press(page, "a")
    assert _statuses(filled)[0] == "acc"


def test_what_was_typed_is_kept_when_the_edit_is_left_by_esc_by_mouse_or_by_another_page(
    qtbot: QtBot, page: ReviewPage, window: MainWindow, filled: Database
) -> None:
    _press(page, "j")
    first = _shown(page)
    _press(page, "e")
    QTest.keyClicks(page.probe_card.text, " One")
    QTest.keyClick(page.probe_card.text, Qt.Key.Key_Escape)
    assert _shown(page) == first
    _press(page, "e")
    assert _shown(page) == f"{first} One"
    QTest.keyClicks(page.probe_card.text, " Two")
    page.probe_card.siblings._rows[1].click()
    assert "evening 2" in _shown(page)
    page.probe_card.siblings._rows[0].click()
    _press(page, "e")
    assert _shown(page) == f"{first} One Two"
    QTest.keyClicks(page.probe_card.text, " Three")
    window.go("settings")
    window.go("review")
    _press(page, "e")
    assert _shown(page) == f"{first} One Two Three"
    QTest.keyClick(page.probe_card.text, Qt.Key.Key_Escape)
    page.probe_card.draft_dropped.emit()
    _press(page, "e")
    assert _shown(page) == first


def test_an_edit_that_finds_no_room_is_not_lost_on_another_probe_and_asked_about_on_closing(
    qtbot: QtBot, page: ReviewPage, window: MainWindow, filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pages,) = filled.read().execute("PRAGMA page_count").fetchone()
    filled.read().execute(f"PRAGMA max_page_count = {pages}")
    first = _shown(page)
    _press(page, "e")
    page.probe_card.text.setPlainText(longer := f"{first} {'And by when? ' * 9_000}")
    QTest.keyClick(page.probe_card.text, Qt.Key.Key_Escape)
    _press(page, "jke")
    assert _shown(page) == longer
    asked = []
    monkeypatch.setattr(unsaved, "confirm", lambda _, question, *words: asked.append(question))
    window.close()
    assert asked == ["Close without what was typed last?"]
    assert window.isVisible()
    filled.read().execute("PRAGMA max_page_count = 1000000")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert len(asked) == 1
    with Database.open(filled.path) as again:
        assert len(DraftStore(again).places("review-edit/")) == 1


def test_an_edit_is_on_the_disk_soon_after_the_last_keystroke(qtbot: QtBot, page: ReviewPage, context: Context) -> None:
    _press(page, "e")
    QTest.keyClicks(page.probe_card.text, " typed")
    probe = _probes(context.database)[0]
    qtbot.waitUntil(lambda: page._session.edit_draft(probe.id) is not None)
    draft = page._session.edit_draft(probe.id)
    assert draft is not None
    assert draft.content.text.endswith("typed")


def test_a_probe_edited_by_somebody_else_meanwhile_keeps_ones_own_text(page: ReviewPage, filled: Database) -> None:
    _press(page, "e")
    QTest.keyClicks(page.probe_card.text, " Mine")
    seen = _probes(filled)[0]
    ReviewStore(filled).decide(seen.id, seen.revision_id, Action.EDIT, "jo", edited=ProbeText("Theirs?"))
    QTest.keyClick(page.probe_card.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert _shown(page).endswith("Mine")
    assert "edited in the meantime" in page.probe_card.notice.text()
    assert "Theirs?" in page.probe_card.notice.text()
    QTest.keyClick(page.probe_card.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert _probes(filled)[0].text.endswith("Mine")
    assert _probes(filled)[0].revision == 3


def test_accepting_a_wording_that_is_no_longer_there_is_refused(page: ReviewPage, filled: Database) -> None:
    seen = _probes(filled)[0]
    ReviewStore(filled).decide(seen.id, seen.revision_id, Action.EDIT, "jo", edited=ProbeText("Theirs?"))
    _press(page, "a")
    assert _shown(page) == "Theirs?"
    assert page.probe_card.notice.isVisible()
    assert _statuses(filled)[0] == "unr"


def test_a_decision_on_a_project_that_was_moved_away_is_refused_and_made_again_later(
    page: ReviewPage, filled: Database
) -> None:
    """The page says so, keeps the probe on screen, and goes on once the file is back."""
    shown = _shown(page)
    away = filled.path.with_name("away.btc")
    filled.path.rename(away)
    _press(page, "a")
    assert page.probe_card.notice.isVisible()
    assert "project.btc is no longer at its place" in page.probe_card.notice.text()
    assert _shown(page) == shown
    away.rename(filled.path)
    _press(page, "a")
    assert _statuses(filled)[0] == "acc"


def test_a_decision_while_another_program_holds_the_project_is_refused_with_a_sentence(
    page: ReviewPage, filled: Database
) -> None:
    """Also the note that is being typed stays; both are made as soon as the other has let go."""
    shown = _shown(page)
    other = sqlite3.connect(filled.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    _press(page, "a")
    assert "project.btc is locked by another program" in page.probe_card.notice.text()
    assert _shown(page) == shown
    _press(page, "r")
    page.panel.typed.emit("half a note")
    assert "locked by another program" in page.panel.problem.text()
    other.execute("ROLLBACK")
    other.close()
    page.panel.typed.emit("half a note")
    QTest.keyClick(page.panel, Qt.Key.Key_Escape)
    _press(page, "a")
    assert _statuses(filled)[0] == "acc"


def test_changes_of_others_do_not_disturb_an_edit(page: ReviewPage, filled: Database) -> None:
    _press(page, "e")
    QTest.keyClicks(page.probe_card.text, " Mine")
    other = _probes(filled)[1]
    ReviewStore(filled).decide(other.id, other.revision_id, Action.ACCEPT, "jo")
    page.activate()
    assert page.probe_card.is_editing
    assert _shown(page).endswith("Mine")


def test_a_held_key_and_a_double_press_decide_once(
    page: ReviewPage, filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_page, "SETTLE_MILLISECONDS", 10_000)
    _press(page, "aa")
    assert _statuses(filled).count("acc") == 1
    monkeypatch.setattr(review_page, "SETTLE_MILLISECONDS", 0)
    for _ in range(3):
        held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a", autorep=True, count=1)
        QApplication.sendEvent(page, held)
    assert _statuses(filled).count("acc") == 1


def test_flags_and_notes_stay_on_the_probe(page: ReviewPage, filled: Database) -> None:
    _press(page, "f")
    assert _probes(filled)[0].is_flagged
    _press(page, "n")
    QTest.keyClicks(page.panel.note, "ask jo")
    QTest.keyClick(page.panel.note, Qt.Key.Key_Escape)
    _press(page, "n")
    assert page.panel.note.text() == "ask jo"
    QTest.keyClick(page.panel.note, Qt.Key.Key_Return)
    assert ReviewStore(filled).log(_probes(filled)[0].id)[-1].note == "ask jo"
    _press(page, "fu")
    assert _probes(filled)[0].is_flagged
    assert _shown(page) == "Which mayors should we invite?"


def test_j_and_k_move_and_decide_nothing(page: ReviewPage, filled: Database) -> None:
    _press(page, "jjk")
    assert "evening 1" in _shown(page)
    _press(page, "kkkk")
    assert _shown(page) == "Which mayors should we invite?"
    assert set(_statuses(filled)) == {"unr"}


#: What each command leads to, once the first probe is accepted and the second is shown.
EFFECTS: dict[str, Callable[[ReviewPage, Database], bool]] = {
    "accept": lambda page, database: _statuses(database)[:2] == ["acc", "acc"],
    "defer": lambda page, database: _statuses(database)[:2] == ["acc", "def"],
    "flag": lambda page, database: _probes(database)[1].is_flagged,
    "undo": lambda page, database: _statuses(database)[0] == "unr",
    "next": lambda page, database: "evening 2" in _shown(page),
    "previous": lambda page, database: _shown(page) == "Which mayors should we invite?",
    "reject": lambda page, database: page.panel.isVisible(),
    "note": lambda page, database: page.panel.isVisible(),
    "edit": lambda page, database: page.probe_card.is_editing,
}


@pytest.mark.parametrize("name", EFFECTS)
def test_every_command_does_what_it_says(page: ReviewPage, window: MainWindow, filled: Database, name: str) -> None:
    _press(page, "a")
    assert "evening 1" in _shown(page)
    assert not EFFECTS[name](page, filled)
    window.commands.action(f"review.{name}").trigger()
    assert EFFECTS[name](page, filled)


def test_queues_can_be_chosen(page: ReviewPage, filled: Database) -> None:
    _press(page, "d")
    page.header.queue_box.setCurrentIndex(1)
    page.header.queue_box.activated.emit(1)
    assert _shown(page) == "Which mayors should we invite?"
    page.header.category.choose(["demise"])
    page.header.category.chosen.emit(page.header.category.values)
    assert page.finished.isVisible()
    page.header.queue_box.setCurrentIndex(7)
    page.header.queue_box.activated.emit(7)
    assert page.header.counts.text().startswith("0 of 4")


def test_chosen_probes_are_reviewed_in_their_order(page: ReviewPage, window: MainWindow, filled: Database) -> None:
    probes = _probes(filled)
    window.go("review", [probes[4].id, probes[1].id])
    assert _shown(page) == probes[4].text
    _press(page, "a")
    assert _shown(page) == probes[1].text
    window.go("review", probes[2].id)
    assert _shown(page) == probes[2].text


def test_an_empty_project_says_what_would_be_here(qtbot: QtBot, bare_window: MainWindow, database: Database) -> None:
    bare_window.show_project(database)
    bare_window.go("review")
    page = bare_window.current_page
    assert isinstance(page, ReviewPage)
    assert page.empty.isVisible()
    assert page.empty.button is not None
    assert page.empty.button.isEnabled()
    assert not bare_window.commands.action("review.accept").isEnabled()
    assert _statuses(database) == []


def test_text_from_outside_is_never_markup(page: ReviewPage, filled: Database) -> None:
    seen = _probes(filled)[0]
    wild = "<b>x</b><img src='http://127.0.0.1:9/x.png'> 王小明 مرحبا 🎸"
    ReviewStore(filled).decide(seen.id, seen.revision_id, Action.EDIT, "jo", edited=ProbeText(wild, "<i>r</i>"))
    page.activate()
    assert _shown(page) == wild
    assert page.probe_card.varied.text() == "<i>r</i>"
    assert page.probe_card.varied.textFormat() == Qt.TextFormat.PlainText
    assert _probes(filled)[0].status == ReviewStatus.UNREVIEWED
