"""Rows of points with their intervals, in one panel or several: what the accuracies and changes of results are."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from btc_gui.domain.figures.arranging import Line, lines_of, names_of
from btc_gui.domain.figures.figure import Point, PointFigure
from btc_gui.ui.plots.figure_canvas import Spot
from btc_gui.ui.plots.row_canvas import RowCanvas
from btc_gui.ui.plots.shapes import draw_series
from btc_gui.ui.theme import Theme

_NARROWEST = 80


class PointPlot(RowCanvas):
    """The plot of a `PointFigure`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Figure", parent)
        self._figure: PointFigure | None = None
        self._ticks: list[tuple[float, ...]] = []
        self._spread: list[dict[str, float]] = []

    def show_figure(self, figure: PointFigure) -> None:
        """Show another figure."""
        self._figure = figure
        self._ticks = [figure.ticks(number) for number in range(len(figure.panels))]
        self._spread = [figure.spread(number) for number in range(len(figure.panels))]
        self.setAccessibleName(figure.title)
        most = max((len(points) for row in figure.rows for points in row.points), default=0)
        self._room_around = 10 if most <= 2 else 18
        self._name_lines = 1 if len(figure.panels) <= 2 else 2
        lines = lines_of(names_of(figure))
        scales = [panel.scale for panel in figure.panels]
        rows = [figure.rows[line.row] for line in lines if not line.is_heading]
        spots = [
            [
                Spot(row.title, point.words(scale), point.answers)
                for scale, points in zip(scales, row.points, strict=True)
                for point in points
            ]
            for row in rows
        ]
        self.show_rows(lines, [row.beside for row in rows], figure.beside, figure.told_apart, spots)

    def minimumSizeHint(self) -> QSize:
        """Panels that can still be read."""
        count = len(self._figure.panels) if self._figure else 1
        return QSize(200 + count * _NARROWEST + (count - 1) * self._gap(), super().minimumSizeHint().height())

    # -- places ----------------------------------------------------------------------------------------------

    def place_spots(self) -> list[list[QRectF]]:
        """A box around each point, as wide as its interval."""
        return [
            [self._box(number, place, point) for number, point in points]
            for place, line in enumerate(self._rows)
            if not line.is_heading and (points := self._points(line))
        ]

    def _points(self, line: Line) -> list[tuple[int, Point]]:
        assert self._figure is not None
        points = self._figure.rows[line.row].points
        return [(number, point) for number, of_panel in enumerate(points) for point in of_panel]

    def _gap(self) -> int:
        """Between panels: room for the last number of one axis and the first of the next."""
        return self.fontMetrics().horizontalAdvance("−100") + 8

    def _panel(self, number: int) -> tuple[float, float]:
        """Where a panel begins, and how wide it is."""
        assert self._figure is not None
        count = len(self._figure.panels)
        width = max((self.width() - self.left() - self.right() - self._gap() * (count - 1)) / count, 20.0)
        return self.left() + number * (width + self._gap()), width

    def _x(self, number: int, value: float) -> float:
        ticks, (left, width) = self._ticks[number], self._panel(number)
        return left + width * (value - ticks[0]) / (ticks[-1] - ticks[0])

    def _center(self, number: int, place: int, point: Point) -> QPointF:
        apart = self._spread[number][point.series.key] * self.pitch()
        return QPointF(self._x(number, point.value), self.middle(place) + apart)

    def _box(self, number: int, place: int, point: Point) -> QRectF:
        side = self._size() + 4
        center = self._center(number, place, point)
        box = QRectF(center.x() - side / 2, center.y() - side / 2, side, side)
        if point.interval is not None:
            low, high = (self._x(number, limit) for limit in point.interval)
            box = box.united(QRectF(low, box.y(), high - low, side))
        return box

    def _size(self) -> float:
        return self.line() * 0.62

    # -- painting --------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the figure."""
        figure = self._figure
        if figure is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, panel in enumerate(figure.panels):
            left, width = self._panel(number)
            name = f"{panel.title} ({panel.scale.unit})" if panel.scale.unit else panel.title
            self.paint_axis(
                painter,
                left,
                width,
                name,
                self._ticks[number],
                panel.scale,
                room=width + self._gap() - 6,
                has_zero=panel.has_zero,
            )
        self.paint_rows(painter)
        for place, line in enumerate(self._rows):
            if not line.is_heading:
                self._paint_row(painter, place, line)
        self.paint_current(painter)
        painter.end()

    def _paint_row(self, painter: QPainter, place: int, line: Line) -> None:
        points = self._points(line)
        if not points:
            painter.setPen(self.theme.color("secondary"))
            box = QRectF(self.left() + 6, self.middle(place) - self.pitch() / 2, self.width(), self.pitch())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, "no scored answer")
        for number, point in points:
            center = self._center(number, place, point)
            if point.interval is not None:
                painter.setPen(QPen(self.theme.color(point.series.colour), 1.8))
                low, high = (self._x(number, limit) for limit in point.interval)
                painter.drawLine(QPointF(low, center.y()), QPointF(high, center.y()))
            draw_series(painter, self.theme, point.series, center, self._size())
