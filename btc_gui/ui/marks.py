"""Draws marks: a shape with its colour, so that nothing is told by colour alone."""

from __future__ import annotations

from functools import cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from btc_gui.ui.theme import Mark

#: Shapes that are drawn as lines; the others are filled.
_STROKES: Final = ("check", "cross", "pause", "ring")


def draw_mark(painter: QPainter, rect: QRectF, mark: Mark) -> None:
    """Draw `mark` centred in `rect`, as large as the shorter side."""
    side = min(rect.width(), rect.height())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if mark.shape in _STROKES:
        pen = QPen(mark.color, side * 0.17)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark.color)
    painter.translate(rect.center() - QPointF(side / 2, side / 2))
    painter.drawPath(_path(mark.shape, side))
    painter.restore()


def shape_of(mark: Mark, box: QRectF) -> QPainterPath:
    """The outline of a mark that is a filled shape, in `box`."""
    return _area(mark.shape, box)


@cache
def _path(shape: str, side: float) -> QPainterPath:
    """The outline of a shape of this size, with its corner at 0, 0."""
    box = QRectF(0, 0, side, side)
    return _stroke(shape, box) if shape in _STROKES else _area(shape, box)


def _at(box: QRectF, *points: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(box.x() + x * box.width(), box.y() + y * box.height()) for x, y in points])


def _stroke(shape: str, box: QRectF) -> QPainterPath:
    path = QPainterPath()
    if shape == "check":
        path.addPolygon(_at(box, (0.14, 0.55), (0.40, 0.80), (0.88, 0.24)))
    elif shape == "cross":
        path.addPolygon(_at(box, (0.2, 0.2), (0.8, 0.8)))
        path.addPolygon(_at(box, (0.8, 0.2), (0.2, 0.8)))
    elif shape == "pause":
        path.addPolygon(_at(box, (0.33, 0.2), (0.33, 0.8)))
        path.addPolygon(_at(box, (0.67, 0.2), (0.67, 0.8)))
    else:
        inset = box.width() * 0.17
        path.addEllipse(box.adjusted(inset, inset, -inset, -inset))
    return path


def _area(shape: str, box: QRectF) -> QPainterPath:
    path = QPainterPath()
    inset = box.width() * 0.1
    inner = box.adjusted(inset, inset, -inset, -inset)
    if shape == "diamond":
        path.addPolygon(_at(box, (0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)))
    elif shape == "triangle":
        path.addPolygon(_at(box, (0.5, 0.05), (1.0, 0.92), (0.0, 0.92)))
    elif shape == "square":
        path.addRect(inner)
    elif shape == "flag":
        path.addRect(QRectF(box.x() + box.width() * 0.14, box.y(), box.width() * 0.12, box.height()))
        path.addPolygon(_at(box, (0.26, 0.06), (0.95, 0.3), (0.26, 0.58)))
    elif shape == "warning":
        path.setFillRule(Qt.FillRule.OddEvenFill)
        path.addPolygon(_at(box, (0.5, 0.02), (1.0, 0.95), (0.0, 0.95)))
        width, height = box.width(), box.height()
        path.addRect(QRectF(box.x() + width * 0.44, box.y() + height * 0.36, width * 0.12, height * 0.34))
    else:
        path.addEllipse(inner)
    path.closeSubpath()
    return path


def mark_pixmap(mark: Mark, size: int = 12, ratio: float = 1.0) -> QPixmap:
    """The mark as a picture of `size` logical pixels."""
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(QColor(0, 0, 0, 0))
    painter = QPainter(pixmap)
    draw_mark(painter, QRectF(0, 0, size, size), mark)
    painter.end()
    return pixmap


def mark_icon(mark: Mark, size: int = 12) -> QIcon:
    """The mark as an icon, crisp up to 300 %."""
    icon = QIcon()
    for ratio in (1.0, 2.0, 3.0):
        icon.addPixmap(mark_pixmap(mark, size, ratio))
    return icon
