"""Draws the points of figures: each series by its shape and colour, so that nothing is told by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from btc_gui.domain.figures.figure import Series, Shape
from btc_gui.ui.theme import Theme

_CORNERS = {
    Shape.DIAMOND: ((0.0, -0.6), (0.6, 0.0), (0.0, 0.6), (-0.6, 0.0)),
    Shape.TRIANGLE: ((0.0, -0.55), (0.55, 0.45), (-0.55, 0.45)),
    Shape.DOWN: ((0.0, 0.55), (0.55, -0.45), (-0.55, -0.45)),
    Shape.SQUARE: ((-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)),
}


def draw_series(painter: QPainter, theme: Theme, series: Series, center: QPointF, size: float) -> None:
    """A point of a series, as large as `size` pixels."""
    colour = theme.color(series.colour)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.6))
    painter.setBrush(theme.color("surface") if series.is_hollow else colour)
    painter.translate(center)
    half = size / 2
    if series.shape is Shape.CIRCLE:
        painter.drawEllipse(QRectF(-half * 0.9, -half * 0.9, size * 0.9, size * 0.9))
    elif series.shape is Shape.CROSS:
        painter.drawLine(QPointF(-half * 0.8, -half * 0.8), QPointF(half * 0.8, half * 0.8))
        painter.drawLine(QPointF(-half * 0.8, half * 0.8), QPointF(half * 0.8, -half * 0.8))
    elif series.shape is Shape.TICK:
        painter.drawLine(QPointF(0, -half), QPointF(0, half))
    elif series.shape is Shape.DASH:
        painter.setPen(QPen(colour, 1.6, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(-half * 1.4, 0), QPointF(half * 1.4, 0))
    else:
        corners = [QPointF(x * size, y * size) for x, y in _CORNERS[series.shape]]
        painter.drawPolygon(QPolygonF(corners))
    painter.restore()
