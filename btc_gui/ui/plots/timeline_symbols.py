"""Symbols of the timeline that pyqtgraph does not have. They are drawn around a mark: give them `SYMBOL_SIZE`."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPolygonF

#: pyqtgraph cuts a symbol off at half its size: in these, a pixel is one part of so many.
SYMBOL_SIZE: Final = 28
_PIXEL = 1 / SYMBOL_SIZE


def _underline() -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(-6 * _PIXEL, 8 * _PIXEL, 12 * _PIXEL, 2 * _PIXEL))
    return path


def _triangle(inset: float) -> QPainterPath:
    path = QPainterPath()
    top, tip, half = (-14 + inset * 0.7) * _PIXEL, (-7 - inset * 1.3) * _PIXEL, (5 - inset * 1.2) * _PIXEL
    path.addPolygon(QPolygonF([QPointF(-half, top), QPointF(half, top), QPointF(0.0, tip)]))
    path.closeSubpath()
    return path


#: Below a mark: the result names the subject.
UNDERLINE: Final = _underline()
#: Above a mark: the first revealing result that was given; hollow: the earliest published of those that reveal.
ABOVE: Final = _triangle(0)
ABOVE_HOLLOW: Final = _triangle(0).subtracted(_triangle(1.5))
