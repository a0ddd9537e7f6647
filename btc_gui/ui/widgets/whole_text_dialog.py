"""A text of any length, read part by part: ten megabytes in one line, too."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.domain.outside_text import showable
from btc_gui.domain.received import parts_of
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.theme import AROUND, INSIDE
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import PlainView, copy_to_clipboard, label, one_line

#: So many characters are laid out at a time.
PART = 8_000


class WholeTextDialog(QDialog):
    """Reads a text on a worker thread and shows it in parts; finds words in all of it."""

    def __init__(self, context: Context, title: str, read: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(one_line(title, 120))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size_window(self, 760, 640)
        self._text, self._parts, self._part = "", [(0, 0)], 0
        self._sought, self._found_at = "", -1
        self._reading = LatestJob(context.job_runner, "Read a text", self._show_text, self)
        self._finding = LatestJob(context.job_runner, "Find in a text", self._show_found, self, drops_older=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(AROUND, AROUND, AROUND, AROUND)
        column.setSpacing(INSIDE)
        top = QHBoxLayout()
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find in this text; Enter for the next")
        self.field.setAccessibleName("Find in this text")
        self.field.returnPressed.connect(self.find_next)
        self.field.setEnabled(False)
        top.addWidget(self.field, 1)
        self.copy = button("Copy all", "copy")
        self.copy.clicked.connect(self._copy)
        self.copy.setEnabled(False)
        top.addWidget(self.copy)
        column.addLayout(top)
        self.view = PlainView("Reading…", "reading")
        self.view.setAccessibleName(one_line(title, 80))
        column.addWidget(self.view, 1)
        turning = QHBoxLayout()
        self.where = label("", "small", wraps=False)
        self.earlier, self.later = button("Earlier"), button("Later")
        for made, step, key in ((self.earlier, -1, "Alt+Left"), (self.later, 1, "Alt+Right")):
            made.setToolTip(f"Key {key}")
            made.setProperty("step", step)
            made.clicked.connect(self._turn)
            made.setEnabled(False)
            QShortcut(QKeySequence(key), self, made.click)
        close = button("Close", role="primary")
        close.clicked.connect(self.accept)
        turning.addWidget(self.where, 1)
        for made in (self.earlier, self.later, close):
            turning.addWidget(made)
        column.addLayout(turning)

        def read_it(progress: Progress) -> tuple[str, list[tuple[int, int]]]:
            text = showable(read())
            return text, parts_of(text, PART)

        self._reading.ask(read_it)

    def _show_text(self, read: object) -> None:
        if isinstance(read, tuple):
            self._text, self._parts = read
            self.field.setEnabled(True)
            self.copy.setEnabled(True)
            self._show_part(0)

    def _show_part(self, part: int, select: tuple[int, int] | None = None) -> None:
        self._part = part
        start, stop = self._parts[part]
        self.view.setPlainText(self._text[start:stop])
        count = len(self._parts)
        place = f"Part {part + 1:,} of {count:,} · " if count > 1 else ""
        self.where.setText(f"{place}characters {start + 1 if stop else 0:,}–{stop:,} of {len(self._text):,}")
        self.earlier.setEnabled(part > 0)
        self.later.setEnabled(part < count - 1)
        if select is not None:
            cursor = self.view.textCursor()
            before = len(self._text[start : select[0]].encode("utf-16-le")) // 2
            length = len(self._text[select[0] : min(select[1], stop)].encode("utf-16-le")) // 2
            cursor.setPosition(before)
            cursor.setPosition(before + length, QTextCursor.MoveMode.KeepAnchor)
            self.view.setTextCursor(cursor)

    def _turn(self) -> None:
        part = self._part + int(self.sender().property("step"))
        if 0 <= part < len(self._parts):
            self._show_part(part)

    def find_next(self) -> None:
        """Go to the next place of the words in the field; behind the last one to the first."""
        words, text = self.field.text(), self._text
        if not words:
            return
        after = self._found_at + 1 if words == self._sought else self._parts[self._part][0]
        self._sought = words

        def find(progress: Progress) -> tuple[str, int, int]:
            pattern = re.compile(r"\s+".join(map(re.escape, words.split())) or re.escape(words), re.IGNORECASE)
            match = pattern.search(text, after) or pattern.search(text)
            return (words, *match.span()) if match else (words, -1, -1)

        self._finding.ask(find)

    def _show_found(self, found: object) -> None:
        if not isinstance(found, tuple) or found[0] != self._sought:
            return
        _, start, stop = found
        self._found_at = start
        if start < 0:
            self.where.setText(f"“{one_line(self._sought, 40)}” is not in this text")
            return
        part = next(number for number, (_, end) in enumerate(self._parts) if start < end)
        self._show_part(part, (start, stop))

    def _copy(self) -> None:
        copy_to_clipboard(self._text)
