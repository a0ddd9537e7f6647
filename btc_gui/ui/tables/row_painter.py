"""Paints the rows of a table: hover and selection over the full width, one line below, no vertical lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPen,
    QPixmap,
    QStaticText,
    QTextLayout,
    QTransform,
)

from btc_gui.ui.marks import mark_pixmap
from btc_gui.ui.tables.lazy_table import Cell, LazyTable
from btc_gui.ui.theme import MARKS, Theme

if TYPE_CHECKING:
    from btc_gui.ui.tables.table_view import TableView

#: Left and right of what a cell shows.
PADDING = 8
_MARK = 10
_BAR = 6
#: Marks are painted from pictures made at this scale, crisp on dense screens too.
_MARK_RATIO = 3.0
#: So many laid out texts are kept: some screens full.
_LAID_OUT = 4_000
_ANY_WIDTH = 1_000_000
#: Letters that the font of a table hardly has itself: all but Latin, Greek, Cyrillic and signs.
_OTHER_SCRIPT = re.compile(r"[^\u0000-\u052f\u1e00-\u25ff]")


class RowPainter:
    """Paints whole rows at once, not cell by cell as Qt asks a delegate to: a table is repainted with every frame that
    scrolls and every list that is read, and a hundred calls from Qt into Python take longer than the painting.

    Texts are laid out once and kept.
    """

    def __init__(self, theme: Theme, view: TableView[Any], table: LazyTable[Any, Any]) -> None:
        self._theme, self._view, self._table = theme, view, table
        self._laid_out: dict[tuple[str, int, bool], tuple[QStaticText, float, float]] = {}
        self._selected: list[tuple[range, range]] = []
        #: The first column that is shown.
        self._first = 0
        self.take_theme()

    def take_theme(self) -> None:
        """Follow other colours and fonts."""
        tokens, scale = self._theme.tokens, max(1.0, self._theme.text_scale)
        self._laid_out.clear()
        self._selection, self._hover = QColor(tokens.selection), QColor(tokens.hover)
        self._sunken, self._line, self._accent = QColor(tokens.sunken), QColor(tokens.border), QColor(tokens.accent)
        self._away = QColor(tokens.secondary)
        self._surface, self._edge = QColor(tokens.surface), QColor(tokens.border_strong)
        self._text, self._danger = QPen(QColor(tokens.text)), QPen(QColor(tokens.danger))
        self._link = QPen(self._accent)
        self._number_font = self._theme.font("body", tabular=True)
        self._mark_size = round(_MARK * scale)
        self._marks: dict[str, QPixmap] = {}

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Paint the rows and columns that lie in `area` of the view's viewport."""
        view = self._view
        columns = self._shown_columns()
        row = view.rowAt(area.top())
        if row < 0 or not columns:
            return
        self._first = columns[0][0]
        start, end = columns[0][1], columns[-1][1] + columns[-1][2]
        seen = [each for each in columns if each[1] <= area.right() and each[1] + each[2] > area.left()]
        self._selected = self._selected_places()
        height, top = view.rowHeight(row), view.rowViewportPosition(row)
        for place in range(row, min(row + (area.bottom() - top) // height + 1, len(self._table.ids))):
            self._paint_row(painter, place, QRect(start, top, end - start, height), seen)
            top += height

    def paint_pinned(self, painter: QPainter, area: QRect, width: int) -> None:
        """Paint the first column once more, `width` pixels wide, at the left of the viewport over what is there."""
        view, section = self._view, self._shown_columns()[0][0]
        first = max(view.rowAt(area.top()), 0)
        for row in range(first, len(self._table.ids)):
            rect = QRect(0, view.rowViewportPosition(row), width, view.rowHeight(row))
            if rect.top() > area.bottom():
                break
            # A heading stands over all columns.
            is_heading = self._table.cells(row)[section].is_heading
            if is_heading:
                rect.setWidth(view.viewport().width())
            painter.fillRect(rect, self._surface)
            self._paint_row(painter, row, rect, [(section, 0, width)])
            if not is_heading:
                painter.fillRect(width - 1, rect.top(), 1, rect.height(), self._edge)

    def _shown_columns(self) -> list[tuple[int, int, int]]:
        """The number, place and width of each column that is not hidden."""
        view = self._view
        return [
            (section, view.columnViewportPosition(section), view.columnWidth(section))
            for section in range(len(self._table.columns))
            if not view.isColumnHidden(section)
        ]

    def _selected_places(self) -> list[tuple[range, range]]:
        """The rows and columns that are selected."""
        selection = self._view.selectionModel().selection()
        parts = [selection.at(place) for place in range(selection.size())]
        return [(range(p.top(), p.bottom() + 1), range(p.left(), p.right() + 1)) for p in parts]

    def _is_selected(self, row: int, section: int) -> bool:
        return any(row in rows and section in sections for rows, sections in self._selected)

    def _paint_row(self, painter: QPainter, row: int, rect: QRect, columns: list[tuple[int, int, int]]) -> None:
        cells = self._table.cells(row)
        left, top, width, height = rect.x(), rect.y(), rect.width(), rect.height()
        selected = [each for each in columns if self._is_selected(row, each[0])] if self._selected else []
        if columns and (heading := cells[columns[0][0]]).is_heading:
            self._paint_heading(painter, rect, heading.text, self._selection if selected else self._sunken)
            return
        if row == self._view.hovered_row:
            painter.fillRect(rect, self._hover)
        for _, x, room in selected:
            painter.fillRect(x, top, room, height, self._selection)
        painter.fillRect(left, top + height - 1, width, 1, self._line)
        if selected and (selected[0][0] == self._first or len(selected) < len(columns)):
            # The wash alone is hardly told from the ground: the bar has 3 : 1, with the focus and without. It stands
            # at the left of a row or of a cell, and goes with the first column where that is scrolled away.
            bar = self._accent if self._view.hasFocus() else self._away
            painter.fillRect(selected[0][1], top, 3, height, bar)
        notes = self._view.notes
        if notes.height:
            notes.paint(painter, rect, left + PADDING, self._table.id_at(row))
            height -= notes.height
        for section, x, room in columns:
            self._paint_cell(painter, cells[section], section, x, top, room, height)

    def _paint_heading(self, painter: QPainter, rect: QRect, words: str, ground: QColor) -> None:
        """Paint the words of a heading over a whole row."""
        painter.fillRect(rect, ground)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, self._line)
        font = QFont(self._view.font())
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._text)
        room = rect.adjusted(PADDING, 0, -PADDING, 0)
        shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _paint_cell(
        self, painter: QPainter, cell: Cell, section: int, left: int, top: int, width: int, height: int
    ) -> None:
        column = self._table.columns[section]
        start, room = left + PADDING, width - 2 * PADDING
        if cell.mark in MARKS:
            size = self._mark_size
            if cell.mark not in self._marks:
                self._marks[cell.mark] = mark_pixmap(self._theme.mark(cell.mark), size, _MARK_RATIO)
            painter.drawPixmap(QPointF(start, top + (height - size) / 2 + 0.5), self._marks[cell.mark])
            start, room = start + size + 6, room - size - 6
        if cell.bar is not None:
            self._paint_bar(painter, QRectF(start, top + (height - _BAR) / 2, room, _BAR), cell.bar)
            return
        if not cell.text or room <= 0 or (column.is_mark_only and not cell.is_error):
            return
        key = (cell.text, room, column.is_number)
        text, text_width, above = self._laid_out.get(key) or self._lay_out(key)
        painter.setPen(self._danger if cell.is_error else self._link if column.is_link else self._text)
        painter.setFont(self._number_font if column.is_number else self._view.font())
        x = start + room - text_width if column.is_number else start
        painter.drawStaticText(QPointF(x, top + height / 2 - above), text)

    def _paint_bar(self, painter: QPainter, rect: QRectF, full: float) -> None:
        """Paint how far something is, as a `ProgressBar` does."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._line)
        painter.drawRoundedRect(rect, _BAR / 2, _BAR / 2)
        if full > 0:
            rect.setWidth(max(rect.width() * min(full, 1.0), _BAR))
            painter.setBrush(self._accent)
            painter.drawRoundedRect(rect, _BAR / 2, _BAR / 2)
        painter.restore()

    def _lay_out(self, key: tuple[str, int, bool]) -> tuple[QStaticText, float, float]:
        words, room, is_number = key
        font = self._number_font if is_number else self._view.font()
        text = QStaticText(QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, room))
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        text.prepare(QTransform(), font)
        if len(self._laid_out) >= _LAID_OUT:
            self._laid_out.clear()
        self._laid_out[key] = made = text, text.size().width(), _above_middle(text, font)
        return made


def _above_middle(text: QStaticText, font: QFont) -> float:
    """How much of a line stands above the middle of its row, so that all of a row stand on one base line: letters of
    another font than the table's own reach higher or lower."""
    metrics = QFontMetricsF(font)
    above = metrics.height() / 2
    if not _OTHER_SCRIPT.search(text.text()):
        return above
    layout = QTextLayout(text.text(), font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(_ANY_WIDTH)
    layout.endLayout()
    return above + line.ascent() - metrics.ascent()
