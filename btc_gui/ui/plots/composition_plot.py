"""Why answers failed: one bar a configuration, its failures by mode as shares, the total beside it.

Painted by hand, like the matrix: every piece is reachable by keyboard and opens its cases.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from btc_gui.domain.composition_table import CompositionRow
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.ui.marks import draw_mark
from btc_gui.ui.plots.ink import ink_on
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.marks import mark_of_mode
from btc_gui.ui.widgets.plain_text import tooltip

_MODES: tuple[FailureMode | None, ...] = (*FailureMode, None)
_STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}


def mode_text(mode: FailureMode | None) -> str:
    """The mode's name, or that there is none yet."""
    return mode.text if mode else "Not classified"


class CompositionPlot(QWidget):
    """The bars of some configurations. Arrow keys move between pieces; a click or Enter opens the cases of one."""

    #: The row and the mode (None: not classified) whose cases are wanted.
    piece_opened = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[CompositionRow, ...] = ()
        self._current = (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Failure modes by configuration")
        theme.changed.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[CompositionRow]) -> None:
        """Show the bars of other configurations; those without a failure are left out."""
        self._rows = tuple(row for row in rows if row.total)
        self._current = (0, 0)
        if self._rows:
            self._move_to(0, 0)
        self.updateGeometry()
        self.update()

    @property
    def current_words(self) -> str:
        """The current piece in words, as a screen reader hears it."""
        if not self._rows:
            return ""
        row, mode, count = self._piece(*self._current)
        return f"{row.title}: {mode_text(mode)}, {count:,} of {row.total:,} failures"

    def sizeHint(self) -> QSize:
        """All bars, 28 pixels apart at the normal text size."""
        return QSize(600, self._top() + len(self._rows) * self._pitch() + 4)

    def minimumSizeHint(self) -> QSize:
        """Narrower, never lower."""
        return QSize(360, self.sizeHint().height())

    # -- places ----------------------------------------------------------------------------------------------

    def _pitch(self) -> int:
        return self.fontMetrics().height() + 14

    def _top(self) -> int:
        return self.fontMetrics().height() + 16

    def _left(self) -> int:
        widest = max((self.fontMetrics().horizontalAdvance(row.title) for row in self._rows), default=0)
        return min(widest + 12, max(self.width() // 3, 120))

    def _right(self) -> int:
        return self.fontMetrics().horizontalAdvance("9,999 failures") + 12

    def _pieces(self, row: CompositionRow) -> list[tuple[FailureMode | None, int]]:
        counts = [*((mode, row.modes.get(mode, 0)) for mode in FailureMode), (None, row.unclassified)]
        return [(mode, count) for mode, count in counts if count]

    def _piece(self, line: int, index: int) -> tuple[CompositionRow, FailureMode | None, int]:
        row = self._rows[line]
        mode, count = self._pieces(row)[index]
        return row, mode, count

    def _rects(self, line: int) -> list[QRectF]:
        row = self._rows[line]
        room = self.width() - self._left() - self._right()
        x, found = float(self._left()), []
        for _, count in self._pieces(row):
            width = room * count / row.total
            found.append(QRectF(x, self._top() + line * self._pitch() + 3, width, self._pitch() - 6))
            x += width
        return found

    # -- painting --------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the key and the bars."""
        if not self._rows:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_key(painter)
        for line, row in enumerate(self._rows):
            self._paint_row(painter, line, row)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRect(self._rects(self._current[0])[self._current[1]].adjusted(-1, -1, 1, 1))
        painter.end()

    def _paint_key(self, painter: QPainter) -> None:
        x, height = self._left(), self.fontMetrics().height()
        shown = [mode for mode in _MODES if any(mode in dict(self._pieces(row)) for row in self._rows)]
        for mode in shown:
            draw_mark(painter, QRectF(x, 3, height * 0.7, height * 0.7), self._theme.mark(mark_of_mode(mode)))
            x += int(height * 0.7) + 6
            painter.setPen(self._theme.color("secondary"))
            words = mode_text(mode)
            width = self.fontMetrics().horizontalAdvance(words)
            painter.drawText(QRect(x, 0, width + 4, height), Qt.AlignmentFlag.AlignVCenter, words)
            x += width + 16

    def _paint_row(self, painter: QPainter, line: int, row: CompositionRow) -> None:
        top = self._top() + line * self._pitch()
        painter.setPen(self._theme.color("text"))
        title = self.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideMiddle, self._left() - 8)
        painter.drawText(QRect(0, top, self._left() - 8, self._pitch()), Qt.AlignmentFlag.AlignVCenter, title)
        for (mode, count), rect in zip(self._pieces(row), self._rects(line), strict=True):
            mark = self._theme.mark(mark_of_mode(mode))
            painter.setPen(QPen(self._theme.color("surface"), 1.5))
            painter.setBrush(mark.color)
            painter.drawRect(rect)
            words = f"{count:,}"
            if rect.width() > self.fontMetrics().horizontalAdvance(words) + 8:
                painter.setPen(ink_on(mark.color))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)
        painter.setPen(self._theme.color("secondary"))
        place = QRect(self.width() - self._right() + 8, top, self._right() - 8, self._pitch())
        words = f"{row.total:,} failure{'' if row.total == 1 else 's'}"
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)

    # -- mouse and keys --------------------------------------------------------------------------------------

    def _at(self, point: QPoint) -> tuple[int, int] | None:
        for line in range(len(self._rows)):
            for index, rect in enumerate(self._rects(line)):
                if rect.contains(point):
                    return line, index
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer."""
        found = self._at(event.position().toPoint())
        self.setCursor(Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.ArrowCursor)
        if found:
            row, mode, count = self._piece(*found)
            words = (
                f"{mode_text(mode)}: {count:,} of {row.total:,} ({count / row.total:.0%}). Click to open these cases."
            )
            self.setToolTip(tooltip(words))
        else:
            self.setToolTip("")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the piece under the pointer."""
        found = self._at(event.position().toPoint())
        if found and event.button() is Qt.MouseButton.LeftButton:
            self._move_to(*found)
            self._open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move, Enter and Space open."""
        step = _STEPS.get(Qt.Key(event.key()))
        if self._rows and step is not None:
            self._move_to(self._current[0] + step[0], self._current[1] + step[1])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and not event.isAutoRepeat():
            self._open()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the current piece."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the current piece."""
        super().focusOutEvent(event)
        self.update()

    def _move_to(self, line: int, index: int) -> None:
        line = min(max(line, 0), len(self._rows) - 1)
        index = min(max(index, 0), len(self._pieces(self._rows[line])) - 1)
        self._current = (line, index)
        self.setAccessibleDescription(self.current_words)
        self.update()

    def _open(self) -> None:
        if self._rows:
            row, mode, _ = self._piece(*self._current)
            self.piece_opened.emit(row, mode)
