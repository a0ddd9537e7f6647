"""The table of commands: keys, clashes, and what a command does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.errors import SettingsError
from btc_gui.ui.command_palette import Entry, ranked
from btc_gui.ui.command_table import COMMANDS, Command
from btc_gui.ui.commands import Commands, KeyTable
from btc_gui.ui.icons import icon
from btc_gui.ui.page_list import PAGES
from btc_gui.ui.theme import Theme
from tests.ui.conftest import activate

SMALL = (Command("open", "Open", "Ctrl+O"), Command("a.run", "Run", "R", "a"), Command("b.run", "Run", "R", "b"))


def test_no_two_commands_of_the_shipped_table_share_a_key() -> None:
    table = KeyTable()
    clashes = [(c.name, table.clash(c.name, c.key)) for c in COMMANDS]
    assert [pair for pair in clashes if pair[1] is not None] == []
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)


def test_every_command_belongs_to_a_page_that_exists_and_has_an_icon_that_exists() -> None:
    pages = {entry.name for entry in PAGES} | {""}
    for command in COMMANDS:
        assert command.page in pages
        if command.icon:
            assert not icon(command.icon).isNull()


def test_a_key_may_serve_two_pages_but_not_one_twice() -> None:
    table = KeyTable(commands=SMALL)
    table.set_key("b.run", "ctrl+j")
    assert table.key("b.run") == "Ctrl+J"
    with pytest.raises(SettingsError, match="already runs “Open”"):
        table.set_key("a.run", "Ctrl+O")
    with pytest.raises(SettingsError, match="already runs “Run” on A"):
        table.set_key("open", "R")
    with pytest.raises(SettingsError, match="is not a key"):
        table.set_key("open", "Ctrl+Nonsense")
    assert table.changed() == {"b.run": "Ctrl+J"}
    table.set_key("a.run", "")
    table.set_key("open", "R")
    assert table.key("open") == "R"


def test_changed_keys_of_commands_that_are_gone_are_passed_over() -> None:
    assert KeyTable({"no.such": "X", "a.run": "T"}, SMALL).changed() == {"a.run": "T"}


class Counter(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def add(self) -> None:
        self.count += 1


def test_a_letter_runs_its_command_except_where_text_is_typed_and_never_while_held(qtbot: QtBot, theme: Theme) -> None:
    window, page, counter = QMainWindow(), QWidget(), Counter()
    qtbot.addWidget(window)
    field = QLineEdit()
    QVBoxLayout(page).addWidget(field)
    window.setCentralWidget(page)
    commands = Commands(KeyTable(commands=SMALL), window)
    commands.bind("a.run", counter.add, page)
    activate(window, qtbot)
    page.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    page.setFocus()
    QTest.keyClick(page, Qt.Key.Key_R)
    assert counter.count == 1
    field.setFocus()
    QTest.keyClicks(field, "Rr")
    assert field.text() == "Rr"
    assert counter.count == 1
    assert not commands.action("a.run").autoRepeat()
    page.hide()
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_R)
    assert counter.count == 1


def test_typed_words_find_commands_in_any_order() -> None:
    entries = [
        Entry("a", "Accept", "Review", "A"),
        Entry("b", "Import events…", "File", ""),
        Entry("c", "Review these", "Probes", "R"),
    ]
    assert [e.name for e in ranked(entries, "rev")] == ["c", "a"]
    assert [e.name for e in ranked(entries, "events imp")] == ["b"]
    assert [e.name for e in ranked(entries, "")] == ["a", "b", "c"]
    assert ranked(entries, "nothing") == []
