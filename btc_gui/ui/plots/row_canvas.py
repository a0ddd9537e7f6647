"""Figures of named rows: names at the left under headings, what stands beside at the right, axes between."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen

from btc_gui.domain.figures.arranging import Line
from btc_gui.domain.figures.figure import Scale, Series
from btc_gui.ui.plots.figure_canvas import FigureCanvas, Spot

_INDENT = 14
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_AT_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RowCanvas(FigureCanvas):
    """What figures of rows share. `show_rows` before anything is drawn."""

    _rows: tuple[Line, ...] = ()
    _beside: tuple[str, ...] = ()
    _beside_name = ""
    _key: tuple[Series, ...] = ()
    _room_around = 10
    # Names of narrow panels take two lines.
    _name_lines = 1
    # Measured once for a size: every point asks for them.
    _measures: dict[str, int] | None = None

    def show_rows(
        self,
        lines: Sequence[Line],
        beside: Sequence[str],
        beside_name: str,
        key: Sequence[Series],
        spots: Sequence[Sequence[Spot]],
    ) -> None:
        """Take other rows: `beside` and `spots` have an entry for each row that is no heading, in their order."""
        self._rows, self._beside, self._beside_name, self._key = tuple(lines), tuple(beside), beside_name, tuple(key)
        self.show_spots(spots)

    # -- sizes -----------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """All rows at their height."""
        return QSize(760, self.height_for(max(self.width(), 360)))

    def minimumSizeHint(self) -> QSize:
        """Narrower, never lower."""
        return QSize(360, self.height_for(max(self.width(), 360)))

    def height_for(self, width: int) -> int:
        """The height of all in a width."""
        return self.top(width) + len(self._rows) * self.pitch() + self.line() + 10

    def pitch(self) -> int:
        """From row to row."""
        return self.line() + self._room_around

    def top(self, width: int = 0) -> int:
        """Where the rows begin, below the key, the names of panels and the numbers of axes."""
        if width:
            return self.key_height(self._key, width) + self._above() + 4
        return self._measured()["top"]

    def _above(self) -> int:
        """The height of the names and numbers above the rows."""
        return self._name_lines * self.line() + self.line() + 8

    def indent(self) -> int:
        """How far rows stand in from their headings."""
        return self._measured()["indent"]

    def left(self) -> int:
        """Where the axes begin."""
        return self._measured()["left"]

    def right(self) -> int:
        """The room at the right."""
        return self._measured()["right"]

    def forget_places(self) -> None:
        """All is measured anew."""
        super().forget_places()
        self._measures = None

    def _measured(self) -> dict[str, int]:
        if self._measures is None:
            wide = self.fontMetrics().horizontalAdvance
            indent = _INDENT if any(line.is_heading for line in self._rows) else 0
            names = max((wide(line.name) for line in self._rows if not line.is_heading), default=0)
            self._measures = {
                "top": self.top(max(self.width(), 1)),
                "indent": indent,
                "left": min(names + indent, int(self.width() * 0.36)) + 16,
                "right": max(map(wide, [*self._beside, self._beside_name]), default=0) + 16,
            }
        return self._measures

    def middle(self, place: int) -> float:
        """The middle of a line."""
        return self.top() + (place + 0.5) * self.pitch()

    # -- painting --------------------------------------------------------------------------------------------

    def paint_rows(self, painter: QPainter) -> None:
        """The key, the names of rows, and what stands beside."""
        self.paint_key(painter, self._key, 0, 2, self.width())
        painter.setPen(self.theme.color("secondary"))
        above = QRectF(0, self.top() - 2 * self.line() - 8, self.width() - 2, self.line())
        painter.drawText(above, _AT_END, self._beside_name)
        row = 0
        for place, line in enumerate(self._rows):
            if line.is_heading:
                self._paint_heading(painter, place, line.name)
                continue
            top = self.top() + place * self.pitch()
            room = self.left() - self.indent() - 10
            name = self.fontMetrics().elidedText(line.name, Qt.TextElideMode.ElideMiddle, room)
            painter.setPen(self.theme.color("text"))
            painter.drawText(QRectF(self.indent(), top, room, self.pitch()), _MIDDLE, name)
            painter.setPen(self.theme.color("secondary"))
            painter.drawText(QRectF(0, top, self.width() - 2, self.pitch()), _AT_END, self._beside[row])
            row += 1

    def _paint_heading(self, painter: QPainter, place: int, words: str) -> None:
        bold = QFont(self.font())
        bold.setBold(True)
        metrics = QFontMetrics(bold)
        name = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, self.width())
        box = QRectF(0, self.top() + place * self.pitch(), metrics.horizontalAdvance(name) + 8, self.pitch())
        # The grid does not run through a heading.
        painter.fillRect(box.adjusted(0, 2, 0, -2), self.palette().window())
        painter.setFont(bold)
        painter.setPen(self.theme.color("text"))
        painter.drawText(box, _MIDDLE, name)
        painter.setFont(self.font())

    def paint_axis(
        self,
        painter: QPainter,
        left: float,
        width: float,
        name: str,
        ticks: Sequence[float],
        scale: Scale,
        *,
        room: float = 0.0,
        has_zero: bool = False,
    ) -> None:
        """An axis over all rows: its name on top, its numbers above and below, a line at each tick."""
        top, bottom = self.top(), self.top() + len(self._rows) * self.pitch()
        painter.setPen(self.theme.color("text"))
        high = self._name_lines * self.line()
        box = QRectF(left, top - self._above(), room or width, high)
        if self._name_lines == 1:
            name = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(room or width))
        painter.drawText(box, Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap, name)
        words = [scale.tick(tick) for tick in ticks]
        widest = max(map(self.fontMetrics().horizontalAdvance, words)) + 8
        # Where not all numbers have room, every second has one, or third, counted from zero.
        every = max(1, -(-widest * (len(ticks) - 1) // max(int(width), 1)))
        zero = min(range(len(ticks)), key=lambda place: abs(ticks[place]))
        for place, tick in enumerate(ticks):
            x = left + width * (tick - ticks[0]) / (ticks[-1] - ticks[0])
            painter.setPen(QPen(self.theme.color("secondary" if has_zero and tick == 0 else "border"), 1.0))
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            if (place - zero) % every == 0:
                painter.setPen(self.theme.color("secondary"))
                for y in (top - self.line() - 4, bottom + 2):
                    box = QRectF(x - widest, y, 2 * widest, self.line())
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words[place])
