"""The key sheet (?): every command that has a key, by page, made from the command table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.ui.command_table import EVERYWHERE
from btc_gui.ui.commands import KeyTable
from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import scrolling, size_window
from btc_gui.ui.widgets.plain_text import label

#: Keys of tables and texts that Qt itself gives.
GIVEN = (("Open the row", "Enter"), ("Copy the rows", "Ctrl+C"), ("Next field", "Tab"), ("Leave a field", "Esc"))

#: What a command of everywhere does on one page, where its own words don't say it.
HERE = {"review": (("Find in the article", "view.filter"),)}

#: Lines of words and key, under a heading.
KeyGroup = tuple[str, Sequence[tuple[str, str]]]


class KeyList(QDialog):
    """Lists keys in two columns."""

    def __init__(
        self, left: Sequence[KeyGroup], right: Sequence[KeyGroup], note: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size_window(self, 720, 560)
        content = QWidget()
        columns = QHBoxLayout(content)
        columns.setContentsMargins(0, 0, BETWEEN, 0)
        columns.setSpacing(AROUND * 2)
        for groups in (left, right):
            side = QVBoxLayout()
            side.setSpacing(BETWEEN)
            columns.addLayout(side, 1)
            for title, lines in groups:
                _add_group(side, title, lines)
            side.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(AROUND, AROUND, AROUND, BETWEEN)
        column.setSpacing(BETWEEN)
        column.addWidget(label(note, "secondary"))
        column.addWidget(scrolling(content, "Keys"), 1)
        row = QHBoxLayout()
        row.addStretch(1)
        close = button("Close", role="primary")
        close.clicked.connect(self.accept)
        row.addWidget(close)
        column.addLayout(row)
        close.setFocus()


class KeySheet(KeyList):
    """Shows the keys of `page` first, then those that act everywhere, then the other pages'."""

    def __init__(
        self, keys: KeyTable, pages: Sequence[tuple[str, str]], page: str, parent: QWidget | None = None
    ) -> None:
        ordered = sorted(pages, key=lambda entry: entry[0] != page)
        everywhere = [(c.text, keys.key(c.name)) for c in keys.commands if c.page == EVERYWHERE]
        super().__init__(
            [(title, _lines(keys, name)) for name, title in ordered],
            [("Everywhere", everywhere), ("Tables and fields", GIVEN)],
            "Single letters act while no text field has the focus. Change keys on the Settings page.",
            parent,
        )


def _lines(keys: KeyTable, page: str) -> list[tuple[str, str]]:
    own = [(c.text, keys.key(c.name)) for c in keys.commands if c.page == page]
    return own + [(text, keys.key(name)) for text, name in HERE.get(page, ())]


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
        grid.addWidget(label(text.rstrip("…")), row, 0)
        grid.addWidget(label(key, "keycap", wraps=False), row, 1, Qt.AlignmentFlag.AlignRight)
    column.addLayout(grid)
