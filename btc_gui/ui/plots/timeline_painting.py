"""Paints what stands on a timeline: where lanes, days and marks lie in a widget, and how they look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPixmap

from btc_gui.domain.timeline import TimelineEvent, TimelineMark
from btc_gui.domain.timeline_layout import COLUMNS, TimelineLayout
from btc_gui.ui.plots.timeline_symbols import TimelineSymbols

#: Above the first lane there is room for words, in lanes; below the last one, a little.
HEAD: Final = 0.55
_TOP, _BELOW = -0.5 - HEAD, 0.6
_UNDATED_WIDTH, _RING = 112, 22
#: The length of a tick of the axis, and the room below it before a name.
TICK, _BELOW_TICK = 4, 2
#: Names of lanes take no more of the width than this.
_NAMES_SHARE = 0.2
_BETWEEN = 6

_Floats = NDArray[numpy.float64]
_Places = NDArray[numpy.intp]


@dataclass(frozen=True)
class TimelineScene:
    """What a timeline shows; `older` results lie before the day `begins`."""

    event: TimelineEvent
    asked: float | None
    lanes: tuple[str, ...]
    marks: tuple[TimelineMark, ...]
    layout: TimelineLayout
    begins: float
    older: int


@dataclass(frozen=True, slots=True)
class TimelineFrame:
    """Where things lie: the rectangles of days and of what has no date, and the first and last day in sight."""

    dated: QRectF
    undated: QRectF
    start: float
    stop: float
    lanes: int

    def x_of(self, day: float) -> float:
        """Where a day lies."""
        return self.dated.left() + (day - self.start) / (self.stop - self.start) * self.dated.width()

    def y_of(self, lane: float) -> float:
        """Where a lane lies, or a height between two."""
        return self.dated.top() + (lane - _TOP) / (self.lanes - 1 + _BELOW - _TOP) * self.dated.height()

    def places(self, layout: TimelineLayout) -> _Floats:
        """The place of each mark (NaN for one that has no room), also of those beyond the edges."""
        x, y = layout.points.T
        found: _Floats = numpy.empty_like(layout.points)
        dated = self.dated.left() + (x - self.start) * (self.dated.width() / (self.stop - self.start))
        # A column's width before the first one is the edge of this lane.
        undated = self.undated.left() + (x + 0.8) * (self.undated.width() / (COLUMNS + 0.6))
        found[:, 0] = numpy.where(layout.is_dated, dated, undated)
        found[:, 1] = self.y_of(0) + y * (self.y_of(1) - self.y_of(0))
        return found


def frame_of(
    scene: TimelineScene, size: QRectF, metrics: QFontMetricsF, scale: float, start: float, stop: float
) -> TimelineFrame:
    """Where a scene's parts lie in a widget of that size."""
    bottom = size.bottom() - axis_height(metrics)
    left = size.left() + _BETWEEN + (_names_width(scene, size, metrics) if len(scene.lanes) > 1 else 0)
    undated = _UNDATED_WIDTH * scale if not scene.layout.is_dated.all() else 0
    right = size.right() - undated
    dated = QRectF(QPointF(left, size.top()), QPointF(right, bottom))
    return TimelineFrame(dated, QRectF(QPointF(right, size.top()), QPointF(size.right(), bottom)), start, stop,
                         max(len(scene.lanes), 1))  # fmt: skip


def axis_height(metrics: QFontMetricsF) -> float:
    """How high the axis of days is."""
    return metrics.height() + 10


def _names_width(scene: TimelineScene, size: QRectF, metrics: QFontMetricsF) -> float:
    widest = max(metrics.horizontalAdvance(lane) for lane in scene.lanes)
    return min(widest + _BETWEEN, _NAMES_SHARE * size.width())


class TimelinePainting:
    """Paints one scene in one frame."""

    def __init__(self, painter: QPainter, symbols: TimelineSymbols, scene: TimelineScene, frame: TimelineFrame) -> None:
        self._painter, self._symbols, self._scene, self._frame = painter, symbols, scene, frame
        self._metrics = QFontMetricsF(painter.font())

    def paint(self, places: _Floats, current: int | None) -> None:
        """Paint all but days and their names: the marks at their places, a ring around the `current` one."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_names()
        frame, layout = self._frame, self._scene.layout
        self._painter.setClipRect(frame.dated)
        self._paint_event()
        self._paint_marks(places, layout.is_dated)
        self._paint_words()
        self._painter.setClipping(False)
        if frame.undated.width():
            self._paint_undated(places)
        if current is not None and not numpy.isnan(places[current]).any():
            self._paint_ring(places[current], is_dated=bool(layout.is_dated[current]))

    def _ink(self, token: str) -> QColor:
        return self._symbols.theme.color(token)

    def _paint_names(self) -> None:
        """The names of the lanes, on the left of them."""
        if len(self._scene.lanes) < 2:
            return
        room = self._frame.dated.left() - _BETWEEN
        self._painter.setPen(self._ink("secondary"))
        for lane, name in enumerate(self._scene.lanes):
            words = self._metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
            place = QRectF(_BETWEEN, self._frame.y_of(lane) - self._metrics.height() / 2, room, self._metrics.height())
            self._painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)

    def _paint_event(self) -> None:
        event, dated = self._scene.event, self._frame.dated
        accent = self._ink("accent")
        first, last = self._frame.x_of(event.start), self._frame.x_of(event.stop)
        self._painter.setPen(QPen(accent, 1 if last > first else 2))
        if last > first:
            wash = QColor(accent)
            wash.setAlpha(50)
            self._painter.fillRect(QRectF(QPointF(first, dated.top()), QPointF(last, dated.bottom())), wash)
            self._paint_line(last)
        self._paint_line(first)
        if self._scene.asked is not None:
            self._painter.setPen(QPen(self._ink("secondary"), 1, Qt.PenStyle.DashLine))
            self._paint_line(self._frame.x_of(self._scene.asked))

    def _paint_line(self, x: float) -> None:
        self._painter.drawLine(QPointF(x, self._frame.dated.top()), QPointF(x, self._frame.dated.bottom()))

    def _paint_words(self) -> None:
        """Words above the first lane: of the change, and of what else there is room for."""
        scene, frame = self._scene, self._frame
        change = f"change: {scene.event.text}"
        at = frame.x_of(scene.event.start)
        begins = at - self._width(change)
        if frame.dated.left() <= at <= frame.dated.right():
            # They end at the line, or begin at the left edge where there is no room for that.
            begins = max(begins, frame.dated.left())
        wanted = [(change, "accent", begins)]
        if scene.asked is not None:
            wanted.append(("asked", "secondary", frame.x_of(scene.asked) - self._width("asked")))
        if scene.older:
            wanted.append((f"◂ {scene.older:,} older", "secondary", frame.x_of(scene.begins)))
        taken: list[QRectF] = []
        for words, token, left in wanted:
            box = QRectF(left, frame.dated.top(), self._width(words), self._metrics.height() + 2)
            if not any(box.intersects(other) for other in taken):
                taken.append(box)
                # On a ground of its own.
                self._painter.fillRect(box.adjusted(_BETWEEN / 2, 0, -_BETWEEN / 2, 0), self._ink("surface"))
                self._painter.setPen(self._ink(token))
                self._painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _width(self, words: str) -> float:
        return self._metrics.horizontalAdvance(words) + 2 * _BETWEEN

    def _paint_undated(self, places: _Floats) -> None:
        """What has no date: its edge, its marks, and how many have no room, by lane, in the last places."""
        box, layout = self._frame.undated, self._scene.layout
        self._painter.setPen(self._ink("border_strong"))
        x = round(box.left()) + 0.5
        self._painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        self._paint_marks(places, ~layout.is_dated & layout.has_room)
        for lane, rest in enumerate(layout.rest):
            if rest:
                height = self._metrics.height()
                row = QRectF(box.left(), self._frame.y_of(lane + 0.27) - height / 2, box.width() - _BETWEEN, height)
                self._painter.setPen(self._ink("secondary"))
                self._painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"+{rest:,}")
        self._painter.setPen(self._ink("border"))
        y = round(box.bottom()) + 0.5
        self._painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        self._painter.setPen(self._ink("secondary"))
        row = QRectF(box.left(), box.bottom() + TICK + _BELOW_TICK, box.width(), self._metrics.height())
        self._painter.drawText(row, Qt.AlignmentFlag.AlignCenter, "no date")

    # -- marks -----------------------------------------------------------------------------------------------

    def _paint_marks(self, places: _Floats, which: NDArray[numpy.bool_]) -> None:
        for indices, picture in self._pictures(which):
            half = picture.deviceIndependentSize().width() / 2
            x, y = numpy.round(places[indices] - half).astype(numpy.intp).T
            in_sight = (x > self._frame.dated.left() - 2 * half) & (x < self._frame.undated.right())
            # What lies on one pixel is drawn once: thousands of results take no longer than the lane has pixels.
            for left, top in dict.fromkeys(zip(x[in_sight].tolist(), y[in_sight].tolist(), strict=True)):
                self._painter.drawPixmap(left, top, picture)

    def _pictures(self, which: NDArray[numpy.bool_]) -> Iterator[tuple[_Places, QPixmap]]:
        """What is drawn, from the bottom to the top: light behind evidence, marks, words and signs around them."""
        layout, symbols = self._scene.layout, self._symbols
        evidence = numpy.flatnonzero(which & layout.is_evidence)
        yield evidence, symbols.halo()
        for look in layout.looks(which):
            yield look.indices, symbols.mark(look.query_class, is_evidence=look.is_evidence)
        yield numpy.flatnonzero(which & layout.is_named), symbols.underline()
        for each in layout.knowledge:
            for mark, is_hollow in ((each.published, True), (each.returned, False)):
                found = [n for n in evidence if self._scene.marks[n] is mark]
                yield numpy.array(found, dtype=numpy.intp), symbols.above(is_hollow=is_hollow)

    def _paint_ring(self, place: _Floats, *, is_dated: bool) -> None:
        """The ring around the mark that the keys are at."""
        self._painter.setClipRect(self._frame.dated if is_dated else self._frame.undated)
        self._painter.setPen(QPen(self._ink("accent"), 2))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = _RING / 2 * self._symbols.scale
        self._painter.drawEllipse(QPointF(*place), radius, radius)
