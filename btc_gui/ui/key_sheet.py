"""The key sheet (?): every command that has a key, by page, made from the command table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.ui.command_table import EVERYWHERE
from btc_gui.ui.commands import KeyTable
from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import scrolling
from btc_gui.ui.widgets.plain_text import label

#: Keys of tables and texts that Qt itself gives.
_GIVEN = (("Open the row", "Enter"), ("Copy the rows", "Ctrl+C"), ("Next field", "Tab"), ("Leave a field", "Esc"))


class KeySheet(QDialog):
    """Shows the keys of `page` first, then those that act everywhere, then the other pages'."""

    def __init__(
        self, keys: KeyTable, pages: Sequence[tuple[str, str]], page: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 560)
        content = QWidget()
        columns = QHBoxLayout(content)
        columns.setContentsMargins(0, 0, BETWEEN, 0)
        columns.setSpacing(AROUND * 2)
        left, right = QVBoxLayout(), QVBoxLayout()
        for side in (left, right):
            side.setSpacing(BETWEEN)
            columns.addLayout(side, 1)
        ordered = sorted(pages, key=lambda entry: entry[0] != page)
        for name, title in ordered:
            _add_group(left, title, [(c.text, keys.key(c.name)) for c in keys.commands if c.page == name])
        everywhere = [(c.text, keys.key(c.name)) for c in keys.commands if c.page == EVERYWHERE]
        _add_group(right, "Everywhere", everywhere)
        _add_group(right, "Tables and fields", _GIVEN)
        left.addStretch(1)
        right.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(AROUND, AROUND, AROUND, BETWEEN)
        column.setSpacing(BETWEEN)
        note = "Single letters act while no text field has the focus. Change keys on the Settings page."
        column.addWidget(label(note, "secondary"))
        column.addWidget(scrolling(content, "Keys"), 1)
        row = QHBoxLayout()
        row.addStretch(1)
        close = button("Close", role="primary")
        close.clicked.connect(self.accept)
        row.addWidget(close)
        column.addLayout(row)
        close.setFocus()


def _add_group(column: QVBoxLayout, title: str, lines: Sequence[tuple[str, str]]) -> None:
    with_key = [(text, key) for text, key in lines if key]
    if not with_key:
        return
    grid = QGridLayout()
    grid.setHorizontalSpacing(BETWEEN)
    grid.setVerticalSpacing(INSIDE // 2)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(title, "heading", wraps=False), 0, 0, 1, 2)
    for row, (text, key) in enumerate(with_key, start=1):
        grid.addWidget(label(text.rstrip("…"), wraps=False), row, 0)
        grid.addWidget(label(key, "keycap", wraps=False), row, 1, Qt.AlignmentFlag.AlignRight)
    column.addLayout(grid)
