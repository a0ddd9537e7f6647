"""Every command with its key, and a field to give the chosen one another key. A clash is refused."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QKeySequenceEdit, QLineEdit, QVBoxLayout, QWidget

from btc_gui.errors import SettingsError
from btc_gui.ui.command_table import Command
from btc_gui.ui.commands import KeyTable
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import INSIDE, Theme
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.filter_bar import add_clear_button
from btc_gui.ui.widgets.plain_text import label, set_role


class ShortcutEditor(QWidget):
    """`keys_chosen` carries the changed keys by command name, as the settings keep them."""

    keys_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = KeyTable()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(INSIDE)
        columns: tuple[Column[Command], ...] = (
            Column("Command", lambda command: command.text.rstrip("…"), 0),
            Column("Where", lambda command: command.page.capitalize() or "Everywhere", 110),
            Column("Key", lambda command: self._keys.key(command.name), 120),
        )
        self.table = LazyTable[str, Command](columns, self._fetch, self)
        self.view = TableView(self.table, theme, "Shortcuts")
        self.view.setMinimumHeight(260)
        self.view.current_changed.connect(self._show_command)
        column.addWidget(self.view, 1)
        row = QHBoxLayout()
        row.setSpacing(INSIDE)
        self.field = QKeySequenceEdit()
        self.field.setMaximumSequenceLength(1)
        line = self.field.findChild(QLineEdit)
        assert line is not None
        add_clear_button(line)
        self.field.setAccessibleName("New key of the chosen command")
        self.set_button, self.reset_button = button("Set key"), button("Reset all")
        self.set_button.clicked.connect(self._set)
        self.reset_button.clicked.connect(self._reset)
        row.addWidget(self.field, 1)
        row.addWidget(self.set_button)
        row.addWidget(self.reset_button)
        column.addLayout(row)
        self.message = label(
            "Choose a command, press the new key, then Set key. An empty field takes the key away.", "small"
        )
        column.addWidget(self.message)

    def show_keys(self, keys: KeyTable) -> None:
        """Show the keys in use."""
        self._keys = KeyTable(keys.changed())
        self.table.show_ids([command.name for command in self._keys.commands])
        self.view.select_first()

    def _fetch(self, names: Sequence[str]) -> dict[str, Command]:
        return {name: self._keys.command(name) for name in names}

    def _show_command(self, name: object) -> None:
        if isinstance(name, str):
            self.field.setKeySequence(QKeySequence.fromString(self._keys.key(name)))

    def _set(self) -> None:
        name = self.view.current_id
        if name is None:
            return
        try:
            self._keys.set_key(name, self.field.keySequence().toString())
        except SettingsError as error:
            self._say(str(error), "danger")
            return
        self._say(f"Saved: {self._keys.command(name).text.rstrip('…')}.", "success")
        self.table.refresh()
        self.keys_chosen.emit(self._keys.changed())

    def _reset(self) -> None:
        self._keys.reset()
        self._say("All keys are as they came.", "success")
        self.table.refresh()
        self.keys_chosen.emit({})

    def _say(self, text: str, role: str) -> None:
        set_role(self.message, role)
        self.message.setText(text)
