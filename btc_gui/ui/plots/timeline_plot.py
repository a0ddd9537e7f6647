"""The world-change timeline: every search result at its publication date, the change as a line across.

Import this module only when a timeline is about to be shown: it brings pyqtgraph and numpy along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

import numpy
import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from btc_gui.domain.timeline import FirstKnowledge, TimelineEvent, TimelineMark, first_view
from btc_gui.domain.timeline_layout import lay_out
from btc_gui.ui.announcing import announce
from btc_gui.ui.plots.day_axis import FIRST_DAY, LAST_DAY, DayAxis
from btc_gui.ui.plots.timeline_painting import (
    HEAD,
    TICK,
    TimelineFrame,
    TimelinePainting,
    TimelineScene,
    axis_height,
    frame_of,
)
from btc_gui.ui.plots.timeline_symbols import TimelineSymbols
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import tooltip

if TYPE_CHECKING:
    from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent

#: A click or the mouse is on a mark within so many pixels.
_NEAR = 9.0
#: No fewer days than this are shown.
_FEWEST_DAYS = 14.0
_HOME = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_LANES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class TimelinePlot(QWidget):
    """The timeline of one to four trajectories, one lane each. Drag and wheel move and zoom; double click resets.

    With the focus, arrows go through the marks (left and right by date, up and down by lane), Enter opens the step.
    """

    #: The lane and the number of the step whose mark was clicked.
    step_chosen = Signal(int, int)
    #: The mark under the keyboard in words; empty when there is none.
    current_said = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scene: TimelineScene | None = None
        self._layout = lay_out((), 0, 1.0)
        self._first_view = (0.0, 1.0)
        self._frame: TimelineFrame | None = None
        self._places = self._layout.points
        self._symbols: TimelineSymbols | None = None
        self._current: int | None = None
        # Without the menu: pyqtgraph builds a form of fifty widgets for it.
        self._item = pyqtgraph.PlotItem(axisItems={"bottom": DayAxis("bottom")}, enableMenu=False)
        self._item.hideButtons()
        self._item.hideAxis("left")
        self._plot = pyqtgraph.PlotWidget(plotItem=self._item)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        # This widget takes the keys.
        for part in (self._plot, self._plot.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        box = self._item.getViewBox()
        box.setMouseEnabled(x=True, y=False)
        box.disableAutoRange()
        box.setDefaultPadding(0)
        box.setLimits(xMin=FIRST_DAY, xMax=LAST_DAY, minXRange=_FEWEST_DAYS)
        box.sigXRangeChanged.connect(self._forget_places)
        self._picture = _Picture(self._paint)
        scene = self._plot.scene()
        scene.addItem(self._picture)
        scene.sigMouseClicked.connect(self._clicked)
        scene.sigMouseMoved.connect(self._hovered)
        # While somebody listens, a change of the scene is painted with all else that changes. Else Qt paints all of the
        # window for it at once, in the middle of what is being laid out, and once more when that is done.
        scene.changed.connect(self._scene_changed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._plot)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("World-change timeline")
        theme.changed.connect(self._dress)
        self._dress()

    def sizeHint(self) -> QSize:
        """As high as its lanes."""
        line = self.fontMetrics().height()
        lanes = len(self._scene.lanes) if self._scene is not None else 1
        return QSize(600, int((max(lanes, 1) + HEAD) * line * 1.9 + line * 1.6))

    def minimumSizeHint(self) -> QSize:
        """Narrower, never lower."""
        return QSize(240, self.sizeHint().height())

    def _scene_changed(self, _: object) -> None:
        """Nothing to do."""

    # -- showing ---------------------------------------------------------------------------------------------

    def show_trajectories(
        self,
        event: TimelineEvent,
        lanes: Sequence[str],
        marks: Sequence[TimelineMark],
        asked: float | None = None,
    ) -> None:
        """Show the results of some trajectories; `asked` is the day of the answer."""
        today = asked if asked is not None else float(date.today().toordinal())
        start, stop, older = first_view(marks, event, today)
        if asked is not None:
            stop = max(stop, asked + (stop - start) * 0.03)
        self._layout = lay_out(marks, len(lanes), max((stop - start) / 110, 1.0))
        self._scene = TimelineScene(event, asked, tuple(lanes), tuple(marks), self._layout, start, older)
        self._current = None
        # Without a mark there is nothing for the keys to go to.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if marks else Qt.FocusPolicy.NoFocus)
        self._first_view = start, stop
        self._show_days(start, stop)
        self._make_room()
        self.updateGeometry()
        self._describe(self._scene)

    @property
    def knowledge(self) -> tuple[FirstKnowledge, ...]:
        """When each lane could first have known of the change."""
        return self._layout.knowledge

    @property
    def order(self) -> tuple[numpy.ndarray, ...]:
        """The indices of each lane's marks as the keys go through them: by date, undated ones last."""
        return self._layout.order

    @property
    def days_in_sight(self) -> tuple[float, float]:
        """The first and the last day that are shown, as ordinals."""
        start, stop = self._item.getViewBox().viewRange()[0]
        return float(start), float(stop)

    def _describe(self, scene: TimelineScene) -> None:
        dated = int(self._layout.is_dated.sum())
        after = int((self._layout.points[self._layout.is_dated, 0] >= scene.event.start).sum())
        known = [f"{lane}: {each.words}." for lane, each in zip(scene.lanes, self.knowledge, strict=True)]
        self.setAccessibleDescription(
            f"The change: {scene.event.text}. {len(scene.marks)} search results, {dated} with a date, "
            f"{after} of them since the change. {' '.join(known)}"
        )

    def _show_days(self, start: float, stop: float) -> None:
        self._item.getViewBox().setXRange(start, stop, padding=0)

    def _forget_places(self, *_: object) -> None:
        self._frame = None
        self._picture.update()

    @property
    def _placed(self) -> TimelineFrame | None:
        """Where everything lies now."""
        if self._frame is None and self._scene is not None:
            room, metrics = QRectF(self.rect()), QFontMetricsF(self.font())
            scale = max(1.0, self._theme.text_scale)
            self._frame = frame_of(self._scene, room, metrics, scale, *self.days_in_sight)
            self._places = self._frame.places(self._layout)
        return self._frame

    def _make_room(self) -> None:
        """Give the plot of days the room between the names and what has no date."""
        self._forget_places()
        frame = self._placed
        if frame is None:
            return
        margins = frame.dated.left(), 0.0, max(self.width() - frame.dated.right(), 0.0), 0.0
        if self._item.layout.getContentsMargins() != margins:
            self._item.layout.setContentsMargins(*margins)
            self._item.layout.activate()

    def _dress(self) -> None:
        self._plot.setBackground(self._theme.color("surface"))
        axis = self._item.getAxis("bottom")
        axis.setPen(self._theme.color("border"))
        axis.setTextPen(self._theme.color("secondary"))
        axis.setTickFont(self.font())
        axis.setStyle(tickLength=TICK)
        axis.setHeight(axis_height(QFontMetricsF(self.font())))
        self._symbols = None
        self.updateGeometry()
        self._make_room()

    def _paint(self, painter: QPainter) -> None:
        frame = self._placed
        if frame is not None and self._scene is not None:
            painter.setFont(self.font())
            if self._symbols is None or self._symbols.ratio != self.devicePixelRatioF():
                self._symbols = TimelineSymbols(self._theme, self.devicePixelRatioF())
            current = self._current if self.hasFocus() else None
            TimelinePainting(painter, self._symbols, self._scene, frame).paint(self._places, current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Everything has another place."""
        super().resizeEvent(event)
        self._picture.take(QRectF(self.rect()))
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        """Another font makes other sizes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._dress()

    # -- mouse -----------------------------------------------------------------------------------------------

    def mark_at(self, place: QPointF) -> int | None:
        """The mark at a place of this widget, the nearest one first."""
        frame = self._placed
        if frame is None or not len(self._places):
            return None
        is_dated = frame.dated.contains(place)
        if not is_dated and not frame.undated.contains(place):
            return None
        distance = ((self._places - (place.x(), place.y())) ** 2).sum(axis=1)
        distance[numpy.isnan(distance) | (self._layout.is_dated != is_dated)] = numpy.inf
        found = int(distance.argmin())
        return found if distance[found] <= (_NEAR * max(1.0, self._theme.text_scale)) ** 2 else None

    def position_of(self, index: int) -> QPointF:
        """Where the mark at `index` of those shown lies, in this widget's coordinates (NaN where it has no room)."""
        return QPointF(*self._places[index]) if self._placed is not None else QPointF()

    def _clicked(self, event: MouseClickEvent) -> None:
        """Open the step of the mark that was clicked; a double click shows the days of the beginning again."""
        if event.double():
            self._show_days(*self._first_view)
            return
        index = self.mark_at(event.scenePos()) if event.button() is Qt.MouseButton.LeftButton else None
        if index is not None:
            self._current = index
            self._picture.update()
            self._open(index)

    def _hovered(self, place: QPointF) -> None:
        index = self.mark_at(place)
        shape = Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor
        self._plot.viewport().setCursor(shape)
        assert self._scene is not None or index is None
        # Titles are strangers' text: escaped, since tooltips guess at rich text.
        self._picture.setToolTip(tooltip(self._scene.marks[index].words) if self._scene and index is not None else "")

    def _open(self, index: int) -> None:
        if self._scene is not None:
            mark = self._scene.marks[index]
            self.step_chosen.emit(mark.lane, mark.step_number)

    # -- keys ------------------------------------------------------------------------------------------------

    @property
    def current_words(self) -> str:
        """The mark that the keys are at, as a screen reader hears it."""
        if self._current is None or self._scene is None:
            return ""
        mark = self._scene.marks[self._current]
        lane = f"{self._scene.lanes[mark.lane]}: " if len(self._scene.lanes) > 1 else ""
        return lane + mark.words

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End go through the marks; Enter opens the step of one."""
        key = Qt.Key(event.key())
        if len(self._layout.points) and (key in _STEPS or key in _LANES or key in _HOME):
            self._move(key)
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            if not event.isAutoRepeat():
                self._open(self._current)
            return
        super().keyPressEvent(event)

    def _move(self, key: Qt.Key) -> None:
        assert self._scene is not None
        lanes = [lane for lane, order in enumerate(self._layout.order) if len(order)]
        if self._current is None:
            self._go_to(self._first_in_view(lanes[0]))
            return
        lane = self._scene.marks[self._current].lane
        order = self._layout.order[lane]
        place = int(numpy.flatnonzero(order == self._current)[0])
        if key in _HOME:
            self._go_to(order[_HOME[key]])
        elif key in _STEPS:
            self._go_to(order[max(0, min(place + _STEPS[key], len(order) - 1))])
        else:
            others = [each for each in lanes if (each - lane) * _LANES[key] > 0]
            if others:
                nearest = min(others, key=lambda each: abs(each - lane))
                self._go_to(min(self._layout.order[nearest], key=lambda n: abs(self._day(n) - self._day(order[place]))))

    def _first_in_view(self, lane: int) -> int:
        order = self._layout.order[lane]
        return int(next((n for n in order if self._day(n) >= self.days_in_sight[0]), order[0]))

    def _day(self, index: int) -> float:
        day = self._layout.points[index, 0]
        return float(day) if self._layout.is_dated[index] else LAST_DAY

    def _go_to(self, index: int) -> None:
        self._current = index = int(index)
        start, stop = self.days_in_sight
        if self._layout.is_dated[index] and not start <= self._day(index) <= stop:
            half = (stop - start) / 2
            self._show_days(self._day(index) - half, self._day(index) + half)
        self._say_current()

    def _say_current(self) -> None:
        self._picture.update()
        self.current_said.emit(self.current_words)
        announce(self, self.current_words)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys are; the first mark when there is none yet."""
        super().focusInEvent(event)
        if self._current is None and len(self._layout.points):
            self._move(Qt.Key.Key_Home)
        else:
            self._say_current()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        super().focusOutEvent(event)
        self._picture.update()
        self.current_said.emit("")


class _Picture(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """What stands on the plot, painted in one go: an item for each kind of mark takes ten times as long."""

    def __init__(self, paint: Callable[[QPainter], None]) -> None:
        super().__init__()
        self._paint_all = paint
        self._room = QRectF()
        # Drags and the wheel are for the plot below it.
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(1)

    def take(self, room: QRectF) -> None:
        """Fill this part of the scene."""
        self.prepareGeometryChange()
        self._room = room

    def boundingRect(self) -> QRectF:
        """All that it may paint in."""
        return self._room

    def paint(self, painter: QPainter, *_: object) -> None:
        """Paint it."""
        self._paint_all(painter)
