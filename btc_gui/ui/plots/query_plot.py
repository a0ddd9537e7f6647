"""Accuracy by number of queries: a panel for each model, a line for each effort, the groups' shares below."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from btc_gui.domain.figures.figure import QueryFigure, QueryLine, QueryPanel, QueryPoint, Scale, nice_ticks
from btc_gui.domain.figures.series import ALL_TOGETHER
from btc_gui.domain.number_words import counted
from btc_gui.domain.query_table import SMALLEST_DRAWN
from btc_gui.ui.plots.figure_canvas import FigureCanvas, Spot
from btc_gui.ui.plots.shapes import draw_series
from btc_gui.ui.theme import Theme

#: A panel is at least so wide; as many stand beside each other as have room.
_NARROWEST = 300
_ACCURACY, _BETWEEN, _SHARES = 150, 16, 56
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class QueryPlot(FigureCanvas):
    """The plot of a `QueryFigure`: up and down lead to another line, left and right along it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Figure", parent)
        self._figure: QueryFigure | None = None
        self._most: list[float] = []
        self._last: list[int] = []
        self._found_areas: dict[int, tuple[QRectF, QRectF]] = {}

    def show_figure(self, figure: QueryFigure) -> None:
        """Show another figure."""
        self._figure = figure
        # The ends of the axes, for each panel.
        self._last = [panel.last for panel in figure.panels]
        self._most = [
            nice_ticks(0, max((p.share.value or 0.0 for line in panel.lines for p in line.points), default=0.0), 0.2)[
                -1
            ]
            for panel in figure.panels
        ]
        self.setAccessibleName(figure.title)
        self.show_spots(
            [
                [Spot(line.title, point.words(line.series.text), point.answers) for point in _shown(panel, line)]
                for panel in figure.panels
                for line in panel.lines
            ]
        )

    # -- sizes and places ------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """All panels at their height."""
        return QSize(760, self._height(max(self.width(), _NARROWEST)))

    def minimumSizeHint(self) -> QSize:
        """One panel wide."""
        return QSize(_NARROWEST, self._height(max(self.width(), _NARROWEST)))

    def _height(self, width: int) -> int:
        count = len(self._figure.panels) if self._figure else 0
        return self._top(width) + -(-count // self._across(width)) * self._block()

    def _across(self, width: int) -> int:
        count = len(self._figure.panels) if self._figure else 1
        return max(1, min(width // _NARROWEST, count, 3))

    def _top(self, width: int) -> int:
        return self.key_height((*self._figure.series, ALL_TOGETHER), width) + 4 if self._figure else 0

    def _block(self) -> int:
        return 4 * self.line() + _ACCURACY + _BETWEEN + _SHARES + 24

    def _side(self) -> int:
        return self.fontMetrics().horizontalAdvance("100") + 10

    def _areas(self, number: int) -> tuple[QRectF, QRectF]:
        """Where a panel has its accuracies, and its shares; worked out once for a size."""
        known = self._found_areas.get(number)
        if known is None:
            known = self._found_areas[number] = self._place_areas(number)
        return known

    def forget_places(self) -> None:
        """All is placed anew."""
        super().forget_places()
        self._found_areas = {}

    def _place_areas(self, number: int) -> tuple[QRectF, QRectF]:
        across = self._across(self.width())
        wide = self.width() / across
        row, column = divmod(number, across)
        left = column * wide + self._side()
        top = self._top(self.width()) + row * self._block() + 2 * self.line() + 8
        width = max(wide - self._side() - 20, 20)
        return QRectF(left, top, width, _ACCURACY), QRectF(left, top + _ACCURACY + _BETWEEN, width, _SHARES)

    def place_spots(self) -> list[list[QRectF]]:
        """Points with their intervals; of groups too small for one, the bar of their share."""
        if self._figure is None:
            return []
        return [
            [
                self._point_box(number, place, point) if point.is_drawn else self._bar(number, place, point)
                for point in _shown(panel, line)
            ]
            for number, panel in enumerate(self._figure.panels)
            for place, line in enumerate(panel.lines)
        ]

    def spot_at(self, point: QPointF) -> tuple[int, int] | None:
        """Points first, then the bars of shares."""
        found = super().spot_at(point)
        if found is not None or self._figure is None:
            return found
        line = 0
        for number, panel in enumerate(self._figure.panels):
            for place, each in enumerate(panel.lines):
                for index, group in enumerate(_shown(panel, each)):
                    if self._bar(number, place, group).contains(point):
                        return line, index
                line += 1
        return None

    def _x(self, number: int, queries: float) -> float:
        area, _ = self._areas(number)
        return area.left() + area.width() * (queries + 0.7) / (self._last[number] + 1.4)

    def _center(self, number: int, place: int, point: QueryPoint) -> QPointF:
        assert self._figure is not None
        area, _ = self._areas(number)
        count = len(self._figure.panels[number].lines)
        apart = (place - (count - 1) / 2) * min(0.3, 0.8 / count)
        value = point.accuracy.value or 0.0
        return QPointF(self._x(number, point.queries + apart), area.bottom() - area.height() * value)

    def _point_box(self, number: int, place: int, point: QueryPoint) -> QRectF:
        center, size = self._center(number, place, point), self.line() * 0.62 + 4
        box = QRectF(center.x() - size / 2, center.y() - size / 2, size, size)
        if point.interval is not None:
            area, _ = self._areas(number)
            low, high = (area.bottom() - area.height() * limit for limit in point.interval)
            box = box.united(QRectF(box.x(), high, size, low - high))
        return box

    def _bar(self, number: int, place: int, point: QueryPoint) -> QRectF:
        assert self._figure is not None
        _, area = self._areas(number)
        count = len(self._figure.panels[number].lines)
        width = self._x(number, 0.8 / count) - self._x(number, 0)
        left = self._x(number, point.queries) + (place - count / 2) * width
        height = area.height() * (point.share.value or 0.0) / self._most[number]
        return QRectF(left, area.bottom() - height, width, height)

    # -- painting --------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the figure."""
        figure = self._figure
        if figure is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_key(painter, (*figure.series, ALL_TOGETHER), 0, 2, self.width())
        for number, panel in enumerate(figure.panels):
            area, shares = self._areas(number)
            if event.rect().intersects(area.united(shares).adjusted(-60, -60, 60, 60).toRect()):
                self._paint_frame(painter, number, panel)
                for place, line in enumerate(panel.lines):
                    self._paint_line(painter, number, place, line)
        self.paint_current(painter)
        painter.end()

    def _paint_frame(self, painter: QPainter, number: int, panel: QueryPanel) -> None:
        area, shares = self._areas(number)
        bold = QFont(self.font())
        bold.setBold(True)
        painter.setFont(bold)
        painter.setPen(self.theme.color("text"))
        left, room = area.left() - self._side(), area.width() + self._side()
        title = painter.fontMetrics().elidedText(panel.title, Qt.TextElideMode.ElideMiddle, int(room))
        painter.drawText(QRectF(left, area.top() - 2 * self.line() - 8, room, self.line()), _MIDDLE, title)
        painter.setFont(self.font())
        painter.setPen(self.theme.color("secondary"))
        painter.drawText(
            QRectF(left, area.top() - self.line() - 6, room, self.line()), _MIDDLE, "Accuracy (%), below it share (%)"
        )
        self._paint_levels(painter, area, (0.0, 0.5, 1.0), 1.0)
        self._paint_levels(painter, shares, (0.0, self._most[number]), self._most[number])
        if not any(point.is_drawn for line in panel.lines for point in line.points):
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, f"no group of {SMALLEST_DRAWN} probes")
        step = max(1, round(nice_ticks(0, panel.last, 1)[1]), -(-panel.last // 8))
        for queries in range(0, panel.last + 1, step):
            box = QRectF(self._x(number, queries) - 30, shares.bottom() + 2, 60, self.line())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(queries))
        words = "Queries" + (f" ({counted(panel.beyond, 'probe')} beyond {panel.last})" if panel.beyond else "")
        below = QRectF(area.left(), shares.bottom() + self.line() + 2, area.width(), self.line())
        words = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(below.width()))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_levels(self, painter: QPainter, area: QRectF, levels: tuple[float, ...], most: float) -> None:
        for level in levels:
            y = area.bottom() - area.height() * level / most
            painter.setPen(QPen(self.theme.color("border"), 1.0))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self.theme.color("secondary"))
            box = QRectF(area.left() - self._side(), y - self.line() / 2, self._side() - 6, self.line())
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | _MIDDLE, Scale.SHARE.tick(level))

    def _paint_line(self, painter: QPainter, number: int, place: int, line: QueryLine) -> None:
        assert self._figure is not None
        area, _ = self._areas(number)
        colour = self.theme.color(line.series.colour)
        if line.overall.value is not None:
            y = area.bottom() - area.height() * line.overall.value
            painter.setPen(QPen(colour, 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        shown = _shown(self._figure.panels[number], line)
        painter.setPen(QPen(colour, 1.2))
        painter.setBrush(self.theme.color("surface") if line.series.is_hollow else colour)
        for point in shown:
            painter.drawRect(self._bar(number, place, point))
        drawn = [point for point in shown if point.is_drawn]
        centers = [self._center(number, place, point) for point in drawn]
        faint = self.theme.color(line.series.colour)
        faint.setAlpha(150)
        painter.setPen(QPen(faint, 1.2))
        for one, other in pairwise(centers):
            painter.drawLine(one, other)
        painter.setPen(QPen(colour, 1.6))
        for point, center in zip(drawn, centers, strict=True):
            if point.interval is not None:
                low, high = (area.bottom() - area.height() * limit for limit in point.interval)
                painter.drawLine(QPointF(center.x(), low), QPointF(center.x(), high))
        for center in centers:
            draw_series(painter, self.theme, line.series, center, self.line() * 0.62)


def _shown(panel: QueryPanel, line: QueryLine) -> list[QueryPoint]:
    """The groups of a line within the panel's axis."""
    return [point for point in line.points if point.queries <= panel.last]
