"""A confusion matrix that is read and clicked: rows = judge or classifier, columns = human, counts large.

Painted by hand: sixteen cells need the keyboard, a screen reader's words and exact type more than zoom and axes.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.number_words import percent
from btc_gui.ui.announcing import announce
from btc_gui.ui.marks import draw_mark
from btc_gui.ui.plots.ink import ink_on
from btc_gui.ui.theme import MARKS, Theme

#: The mark of a class, by its name in matrices.
_MARKS = {spec.text.casefold(): name for name, spec in MARKS.items() if name != "unrelated"}
_STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}


class ConfusionPlot(QWidget):
    """The plot of one matrix. Arrow keys move between cells; a click or Enter opens the cases of a cell."""

    #: The class of the row and the class of the column whose cases are wanted.
    cell_opened = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._matrix: ConfusionMatrix | None = None
        self._current = (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Confusion matrix")
        theme.changed.connect(self.update)

    def show_matrix(self, matrix: ConfusionMatrix | None) -> None:
        """Show another matrix, or none."""
        self._matrix = matrix
        self._current = (0, 0)
        self.setAccessibleDescription(self._words(0, 0) if matrix and matrix.classes else "")
        self.updateGeometry()
        self.update()

    @property
    def current_words(self) -> str:
        """The current cell in words, as a screen reader hears it."""
        return self._words(*self._current)

    # -- sizes -----------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """Square cells that hold their figures at the font's size."""
        size = len(self._matrix.classes) if self._matrix else 2
        side = self._side_wanted()
        return QSize(self._left() + size * side + 2, self._top() + size * side + self._foot())

    def minimumSizeHint(self) -> QSize:
        """Cells of three lines."""
        size = len(self._matrix.classes) if self._matrix else 2
        side = self._line() * 3
        return QSize(self._left() + size * side + 2, self._top() + size * side + self._foot())

    def _mark_room(self) -> int:
        return self._line()

    def _line(self) -> int:
        return self.fontMetrics().height()

    def _side_wanted(self) -> int:
        size = len(self._matrix.classes) if self._matrix else 2
        names = self._matrix.classes if self._matrix else ()
        widest = max((self.fontMetrics().horizontalAdvance(_sentence(name)) for name in names), default=0)
        return max(self._line() * (7 if size <= 2 else 5), widest + self._mark_room() + 12)

    def _left(self) -> int:
        names = self._matrix.classes if self._matrix else ()
        widest = max((self.fontMetrics().horizontalAdvance(_sentence(name)) for name in names), default=40)
        return widest + 2 * self._line() + 24

    def _top(self) -> int:
        return 2 * self._line() + 16

    def _side(self) -> int:
        assert self._matrix is not None
        size = max(len(self._matrix.classes), 1)
        wide = (self.width() - self._left() - 2) // size
        high = (self.height() - self._top() - self._foot()) // size
        return max(min(wide, high, int(self._side_wanted() * 1.3)), 8)

    def _cell(self, row: int, column: int) -> QRect:
        side = self._side()
        return QRect(self._left() + column * side, self._top() + row * side, side, side)

    # -- painting --------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the matrix with its axis names."""
        if self._matrix is None or not self._matrix.classes:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axes(painter)
        for row in range(len(self._matrix.classes)):
            for column in range(len(self._matrix.classes)):
                self._paint_cell(painter, row, column)
        # Above all cells, so that no neighbour covers the outline.
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("text"), 1.5))
        for index in range(len(self._matrix.classes)):
            painter.drawRect(QRectF(self._cell(index, index)).adjusted(1, 1, -1, -1))
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRect(QRectF(self._cell(*self._current)).adjusted(4, 4, -4, -4))
        self._paint_left_out(painter)
        painter.end()

    def _paint_axes(self, painter: QPainter) -> None:
        assert self._matrix is not None
        side, line, left, top = self._side(), self._line(), self._left(), self._top()
        size = len(self._matrix.classes)
        strong = QFont(self.font())
        strong.setBold(True)
        painter.setFont(strong)
        painter.setPen(self._theme.color("text"))
        along = QRect(0, 0, size * side, line + 4)
        room = along.width() - painter.fontMetrics().horizontalAdvance("← ")
        names = (
            painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room)
            for name in (self._matrix.columns_name, self._matrix.rows_name)
        )
        columns_name, rows_name = names
        painter.drawText(along.translated(left, 0), Qt.AlignmentFlag.AlignCenter, f"{columns_name} →")
        painter.save()
        painter.translate(0, top + size * side)
        painter.rotate(-90)
        painter.drawText(along, Qt.AlignmentFlag.AlignCenter, f"← {rows_name}")
        painter.restore()
        painter.setPen(self._theme.color("secondary"))
        for index, name in enumerate(self._matrix.classes):
            self._paint_column_name(painter, index, name)
            self._paint_row_name(painter, index, name)

    def _paint_column_name(self, painter: QPainter, index: int, name: str) -> None:
        """The name above a column: smaller, then without its mark, then cut, where there is no room."""
        side, line = self._side(), self._line()
        small = QFont(self.font())
        small.setPointSizeF(self.font().pointSizeF() * 0.86)
        mark = _MARKS.get(name.casefold())
        with_mark = self._mark_room() if mark else 0
        for font, room in ((self.font(), with_mark), (small, with_mark), (small, 0)):
            painter.setFont(font)
            width = painter.fontMetrics().horizontalAdvance(_sentence(name))
            if width + room <= side - 4:
                break
        word = painter.fontMetrics().elidedText(_sentence(name), Qt.TextElideMode.ElideRight, side - 4 - room)
        width = painter.fontMetrics().horizontalAdvance(word)
        x = self._left() + index * side + (side - width - room) / 2
        place = QRectF(x + room, line + 6, width + 2, line + 4)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, word)
        if mark and room:
            across = QRectF(x, place.center().y() - room * 0.3, room * 0.6, room * 0.6)
            draw_mark(painter, across, self._theme.mark(mark))

    def _paint_row_name(self, painter: QPainter, index: int, name: str) -> None:
        side, line, left = self._side(), self._line(), self._left()
        painter.setFont(self.font())
        place = QRectF(line + 8, self._top() + index * side, left - line - 16, side)
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, _sentence(name))
        mark = _MARKS.get(name.casefold())
        if mark:
            room = self._mark_room()
            start = place.right() - painter.fontMetrics().horizontalAdvance(_sentence(name)) - room
            draw_mark(
                painter,
                QRectF(start, place.center().y() - room * 0.3, room * 0.6, room * 0.6),
                self._theme.mark(mark),
            )

    def _paint_cell(self, painter: QPainter, row: int, column: int) -> None:
        assert self._matrix is not None
        count = self._matrix.counts[row][column]
        rect = self._cell(row, column)
        total = self._matrix.row_totals[row]
        # The shade is the share of the row, as in the exported pictures: what the judge meant by its label.
        fill = self._ramp(count / total if total else 0.0)
        painter.setPen(QPen(self._theme.color("border"), 1))
        painter.setBrush(fill)
        painter.drawRect(rect)
        ink = ink_on(fill)
        large = QFont(self.font())
        large.setPointSizeF(self.font().pointSizeF() * (1.9 if rect.width() >= 4 * self._line() else 1.3))
        painter.setFont(large)
        painter.setPen(ink if count else self._theme.color("secondary"))
        share_height = self._line() if rect.height() >= 3 * self._line() else 0
        painter.drawText(rect.adjusted(0, 0, 0, -share_height), Qt.AlignmentFlag.AlignCenter, f"{count:,}")
        if share_height and total:
            small = QFont(self.font())
            small.setPointSizeF(self.font().pointSizeF() * 0.86)
            painter.setFont(small)
            place = QRect(rect.left(), rect.center().y() + self._line() // 2, rect.width(), share_height + 4)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, percent(count / total))

    def _notes(self) -> list[str]:
        if self._matrix is None:
            return []
        words = [f"{self._matrix.total:,} pairs; small figures: share of the row"]
        return words + [f"left out: {count:,} {reason}" for reason, count in self._matrix.left_out.items() if count]

    def _foot(self) -> int:
        return len(self._notes()) * (self._line() + 2) + 10

    def _paint_left_out(self, painter: QPainter) -> None:
        assert self._matrix is not None
        painter.setFont(self.font())
        painter.setPen(self._theme.color("secondary"))
        top = self._top() + len(self._matrix.classes) * self._side() + 8
        for place, words in enumerate(self._notes()):
            shown = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, self.width())
            width = self.fontMetrics().horizontalAdvance(shown)
            # Below the cells where there is room, else as far left as it takes.
            left = max(min(self._left(), self.width() - width - 2), 0)
            rect = QRect(left, top + place * (self._line() + 2), width + 4, self._line() + 2)
            painter.drawText(rect, Qt.AlignmentFlag.AlignLeft, shown)

    def _ramp(self, weight: float) -> QColor:
        """One sequential ramp from the surface to the accent; a count of zero is the bare surface."""
        low, high = self._theme.color("surface"), self._theme.color("accent")
        if weight <= 0:
            return low
        part = 0.12 + 0.88 * weight
        return QColor.fromRgbF(
            low.redF() + (high.redF() - low.redF()) * part,
            low.greenF() + (high.greenF() - low.greenF()) * part,
            low.blueF() + (high.blueF() - low.blueF()) * part,
        )

    # -- mouse and keys --------------------------------------------------------------------------------------

    def _at(self, point: QPoint) -> tuple[int, int] | None:
        if self._matrix is None:
            return None
        size = len(self._matrix.classes)
        found = ((r, c) for r in range(size) for c in range(size) if self._cell(r, c).contains(point))
        return next(found, None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show that a cell can be opened, and what it is."""
        cell = self._at(event.position().toPoint())
        self.setCursor(Qt.CursorShape.PointingHandCursor if cell else Qt.CursorShape.ArrowCursor)
        self.setToolTip(f"{self._words(*cell)}. Click to open these cases." if cell else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the cell under the pointer."""
        cell = self._at(event.position().toPoint())
        if cell and event.button() is Qt.MouseButton.LeftButton:
            self._move_to(cell)
            self._open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move, Enter and Space open."""
        step = _STEPS.get(Qt.Key(event.key()))
        if self._matrix is not None and step is not None:
            last = len(self._matrix.classes) - 1
            row, column = self._current[0] + step[0], self._current[1] + step[1]
            self._move_to((min(max(row, 0), last), min(max(column, 0), last)))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and not event.isAutoRepeat():
            self._open()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the current cell."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the current cell."""
        super().focusOutEvent(event)
        self.update()

    def _move_to(self, cell: tuple[int, int]) -> None:
        self._current = cell
        self.setAccessibleDescription(self._words(*cell))
        announce(self, self._words(*cell))
        self.update()

    def _open(self) -> None:
        if self._matrix is not None and self._matrix.classes:
            row, column = self._current
            self.cell_opened.emit(self._matrix.classes[row], self._matrix.classes[column])

    def _words(self, row: int, column: int) -> str:
        if self._matrix is None:
            return ""
        matrix = self._matrix
        return (
            f"{matrix.rows_name} {matrix.classes[row]}, {matrix.columns_name} {matrix.classes[column]}: "
            f"{matrix.counts[row][column]:,} of {matrix.total:,}"
        )


def _sentence(name: str) -> str:
    return name[:1].upper() + name[1:]
