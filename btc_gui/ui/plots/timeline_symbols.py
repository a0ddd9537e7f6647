"""What stands on a timeline for a result, each kind drawn once as a small picture and placed as often as wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap, QPolygonF

from btc_gui.domain.failure_mode import QueryClass
from btc_gui.ui.marks import draw_mark, shape_of
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.marks import mark_of_query

#: Sizes in pixels at text size 1: of marks, of those with evidence and of the ring of light around these.
_SIZE, _EVIDENCE_SIZE, _HALO = 11, 13, 19
#: The side of a picture. The words that it has room for stand around its middle.
_SIDE = 32


class TimelineSymbols:
    """The pictures in the colours and sizes of the present theme."""

    def __init__(self, theme: Theme, ratio: float) -> None:
        self.theme = theme
        self.scale = max(1.0, theme.text_scale)
        self.ratio = ratio
        self._made: dict[object, QPixmap] = {}

    def mark(self, query_class: QueryClass | None, *, is_evidence: bool) -> QPixmap:
        """A result, by the class of its query. Nobody has said what an unclassified one could reveal: hollow."""
        size = _EVIDENCE_SIZE if is_evidence else _SIZE
        return self._picture((query_class, is_evidence), partial(self._draw_mark, query_class, size))

    def halo(self) -> QPixmap:
        """Behind a result that reveals the change."""
        return self._picture("halo", self._draw_halo)

    def underline(self) -> QPixmap:
        """Below a mark: the result names the subject."""
        return self._picture("underline", self._draw_underline)

    def above(self, *, is_hollow: bool) -> QPixmap:
        """Above a mark: the first revealing result that was given; hollow: the earliest published of those."""
        return self._picture(("above", is_hollow), partial(self._draw_above, is_hollow))

    def _picture(self, key: object, draw: Callable[[QPainter], None]) -> QPixmap:
        """A picture whose middle is the mark's place, `draw`n in pixels at text size 1."""
        made = self._made.get(key)
        if made is None:
            side = _SIDE * self.scale
            made = self._made[key] = QPixmap(round(side * self.ratio), round(side * self.ratio))
            made.setDevicePixelRatio(self.ratio)
            made.fill(Qt.GlobalColor.transparent)
            painter = QPainter(made)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(side / 2, side / 2)
            painter.scale(self.scale, self.scale)
            draw(painter)
            painter.end()
        return made

    def _draw_mark(self, query_class: QueryClass | None, size: int, painter: QPainter) -> None:
        surface, mark = self.theme.color("surface"), self.theme.mark(mark_of_query(query_class))
        box = QRectF(-size / 2, -size / 2, size, size)
        if query_class is None:
            painter.setPen(QPen(mark.color, 2))
            painter.setBrush(surface)
            painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
            return
        # A thin edge tells marks apart that lie over each other.
        painter.setPen(QPen(surface, 2))
        painter.drawPath(shape_of(mark, box))
        draw_mark(painter, box, mark)

    def _draw_halo(self, painter: QPainter) -> None:
        painter.setPen(QPen(self.theme.color("warning"), 1.5))
        painter.setBrush(self.theme.color("evidence"))
        painter.drawEllipse(QPointF(0, 0), _HALO / 2, _HALO / 2)

    def _draw_underline(self, painter: QPainter) -> None:
        painter.fillRect(QRectF(-6, 8, 12, 2), self.theme.color("accent"))

    def _draw_above(self, is_hollow: bool, painter: QPainter) -> None:
        ink, inset = self.theme.color("text"), 0.6 if is_hollow else 0.0
        painter.setPen(QPen(ink, 1.2) if is_hollow else Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("surface") if is_hollow else ink)
        half, top, tip = 5 - inset, -14 + inset, -7 - inset
        painter.drawPolygon(QPolygonF([QPointF(-half, top), QPointF(half, top), QPointF(0, tip)]))
