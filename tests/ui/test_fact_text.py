"""Facts with their names are one text: to be read, selected and copied, and as high as it needs to be."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.fact_text import FactText

_FACTS = [("Date", "9 May 2026"), ("Position", ""), ("Source", "https://example.org/" + "a-long-address/" * 12)]


@pytest.fixture
def facts(qtbot: QtBot, theme: Theme) -> FactText:
    made = FactText(theme, "Facts")
    qtbot.addWidget(made)
    made.show_facts(_FACTS)
    made.resize(400, 200)
    made.show()
    return made


def test_only_facts_that_are_known_are_told_and_copied_as_they_are(facts: FactText) -> None:
    assert facts.toPlainText() == f"Date\t9 May 2026\nSource\t{_FACTS[2][1]}"
    facts.selectAll()
    assert facts.textCursor().selection().toPlainText() == facts.toPlainText()


def test_a_fact_is_text_on_lines_of_its_own(facts: FactText) -> None:
    facts.show_facts([("Note", "<b>bold</b>\nnext\tone \u202eback"), ("Facts", "x" * 1_000)])
    assert facts.document().blockCount() == 2
    note, long = facts.toPlainText().split("\nFacts\t")
    assert note == "Note\t<b>bold</b>\nnext one \ufffdback"
    assert long == "x" * 600 + " …"


def test_its_height_holds_all_lines_at_each_width(facts: FactText) -> None:
    for width in (600, 400, 260, 150):
        facts.resize(width, facts.heightForWidth(width))
        assert facts.verticalScrollBar().maximum() == 0
        facts.moveCursor(QTextCursor.MoveOperation.End)
        assert facts.viewport().rect().contains(facts.cursorRect().center())
    assert facts.heightForWidth(600) < facts.heightForWidth(260)


def test_where_there_is_no_room_beside_its_name_a_fact_stands_below(facts: FactText) -> None:
    def left_of_value() -> int:
        cursor = QTextCursor(facts.document().firstBlock())
        cursor.setPosition(len("Date\t"))
        return facts.cursorRect(cursor).left()

    beside = left_of_value()
    facts.resize(150, 400)
    assert left_of_value() < 5 < beside
    facts.resize(400, 400)
    assert left_of_value() == beside


def test_it_lets_tab_through_and_takes_no_letters(facts: FactText) -> None:
    assert facts.tabChangesFocus()
    assert facts.isReadOnly()
    assert facts.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard
