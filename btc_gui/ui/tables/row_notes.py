"""A second line under the rows of a table: words from a text, some of them marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from btc_gui.ui.theme import Theme

#: So many laid out lines are kept: some screens full.
_LAID_OUT = 400
#: How much higher a row is with its second line, in pixels at text size 1.
NOTE_HEIGHT = 20


@dataclass(frozen=True, slots=True)
class RowNote:
    """One line: where it is from, its text, and the spans of what is marked."""

    head: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()


class RowNotes:
    """The second lines of a table's rows, by the id of the row."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.notes: Mapping[Any, RowNote] | None = None
        self._laid_out: dict[RowNote, QTextLayout] = {}

    def show(self, notes: Mapping[Any, RowNote] | None) -> None:
        """Show these; None: rows have no second line."""
        self.notes = notes

    def take_theme(self) -> None:
        """Follow other colours and fonts."""
        self._laid_out.clear()

    @property
    def height(self) -> int:
        """How much higher rows are."""
        return 0 if self.notes is None else round(NOTE_HEIGHT * max(1.0, self._theme.text_scale))

    def paint(self, painter: QPainter, cell: QRect, left: int, item: object) -> None:
        """Paint the part of a row's second line that lies in one cell; the line begins at `left`."""
        note = self.notes.get(item) if self.notes is not None else None
        if note is None:
            return
        layout = self._laid_out.get(note)
        if layout is None:
            layout = self._lay_out(note)
        painter.save()
        painter.setClipRect(cell)
        top = cell.bottom() - self.height - 3
        layout.draw(painter, QPointF(left, top))
        painter.restore()

    def _lay_out(self, note: RowNote) -> QTextLayout:
        tokens = self._theme.tokens
        head = f"{note.head}: "
        font = self._theme.font("small")
        layout = QTextLayout(head + note.text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        # The place of the words is what is looked for: also in a text that runs from the right, the line begins left.
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        layout.setTextOption(option)
        formats = []
        whole = QTextLayout.FormatRange()
        whole.start, whole.length = 0, len(head) + len(note.text)
        quiet = QTextCharFormat()
        quiet.setForeground(QColor(tokens.secondary))
        whole.format = quiet
        formats.append(whole)
        for start, stop in note.marks:
            each = QTextLayout.FormatRange()
            # Qt counts in UTF-16.
            before = len((head + note.text[:start]).encode("utf-16-le", "replace")) // 2
            inside = len(note.text[start:stop].encode("utf-16-le", "replace")) // 2
            each.start, each.length = before, inside
            marked = QTextCharFormat()
            # Not filled: filled is evidence.
            marked.setForeground(QColor(tokens.accent))
            marked.setFontWeight(QFont.Weight.DemiBold)
            each.format = marked
            formats.append(each)
        layout.setFormats(formats)
        layout.beginLayout()
        layout.createLine().setLineWidth(10_000)
        layout.endLayout()
        if len(self._laid_out) >= _LAID_OUT:
            self._laid_out.clear()
        self._laid_out[note] = layout
        return layout
