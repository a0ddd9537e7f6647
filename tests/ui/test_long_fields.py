"""A field whose text is long: a key typed at once takes nothing of it away, and what is saved is all of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.probes import ProbeStore
from btc_gui.ui.context import Context
from btc_gui.ui.kept_draft import KeptDraft
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.review_page import ReviewPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.checked_text_dialog import CheckedTextDialog
from btc_gui.ui.widgets.note_field import NoteField
from tests.builders import add_event, add_probe

#: More than is shown of a text that is only read, in many lines.
LONG = "\n".join(f"Line {number} of a text that takes a while to lay out." for number in range(500))


@pytest.fixture
def first_page() -> str:
    return "review"


@pytest.fixture
def filled(database: Database) -> Database:
    """A project with one long probe."""
    add_probe(database, add_event(database), LONG)
    return database


def test_a_prompt_is_whole_when_the_first_key_is_typed(qtbot: QtBot) -> None:
    """Q6: before the dialog was painted, and right after."""
    saved: list[str] = []
    dialog = CheckedTextDialog("A prompt", "What it is for.", LONG * 80, saved.append)
    qtbot.addWidget(dialog)
    QTest.keyClicks(dialog.editor, "a")
    dialog.open()
    QTest.keyClicks(dialog.editor, "b")
    dialog.save_button.click()
    assert saved == [f"ab{LONG * 80}"]


def test_a_draft_is_whole_when_the_first_key_is_typed(qtbot: QtBot, context: Context) -> None:
    """Q6: what was unfinished goes on where it ended."""
    drafts = DraftStore(context.database)
    drafts.keep("case-note/1", LONG)
    field = NoteField()
    qtbot.addWidget(field)
    draft = KeptDraft(context, field)
    draft.begin("case-note/1")
    QTest.keyClicks(field, "!")
    draft.flush()
    assert drafts.get("case-note/1") == f"{LONG}!"


def test_a_probe_of_which_only_a_part_is_shown_is_edited_as_a_whole(window: MainWindow, filled: Database) -> None:
    """Q6: to be read it is cut; who types into it, and saves it, has all of it."""
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, ReviewPage)
    card = page.probe_card
    assert 0 < len(card.text.toPlainText()) < len(LONG)
    QTest.keyClick(page, Qt.Key.Key_E)
    QTest.keyClicks(card.text, "!")
    QTest.keyClick(card.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(window.job_runner)
    assert ProbeStore(filled).get(ProbeStore(filled).ids()[0]).text == f"{LONG}!"
