"""The world-change timeline: every search result at its publication date, the change as a line across.

Import this module only when a timeline is about to be shown: it brings pyqtgraph and numpy along.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

import numpy
import pyqtgraph
from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QCursor, QFocusEvent, QKeyEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QWidget

from btc_gui.domain.timeline import FirstKnowledge, TimelineEvent, TimelineMark, first_view
from btc_gui.domain.timeline_layout import COLUMNS, lay_out
from btc_gui.ui.plots.day_axis import FIRST_DAY, LAST_DAY, DayAxis
from btc_gui.ui.plots.timeline_symbols import ABOVE, ABOVE_HOLLOW, SYMBOL_SIZE, UNDERLINE
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.marks import mark_of_query
from btc_gui.ui.widgets.plain_text import tooltip

#: Sizes of marks in pixels.
_SIZE, _EVIDENCE_SIZE, _HALO, _RING = 10, 12, 19, 22
#: So many marks are drawn at once, and for so long in one turn of the window; more take several.
_AT_ONCE, _TURN_SECONDS = 600, 0.008
#: Above the first lane there is room for words, in lanes.
_HEAD = 0.55
_TOP = -0.5 - _HEAD
#: A click or the mouse is on a mark within so many pixels.
_NEAR = 9.0
_UNDATED_WIDTH = 112
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
        self._event: TimelineEvent | None = None
        self._asked: float | None = None
        self._lanes: tuple[str, ...] = ()
        self._marks: tuple[TimelineMark, ...] = ()
        self._layout = lay_out((), 0, 1.0)
        self._span = (0.0, 1.0, 0)
        self._current: int | None = None
        #: What of the marks is still to be drawn, a part a turn.
        self._waiting: list[Callable[[], None]] = []
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._draw_next)
        self._ring: pyqtgraph.ScatterPlotItem | None = None
        self._older: pyqtgraph.TextItem | None = None
        self._change: pyqtgraph.TextItem | None = None
        self._dated = self._new_plot({"bottom": DayAxis("bottom")})
        #: Made when there is a result without a date: a plot takes as long to make as all else of the page.
        self._undated: pyqtgraph.PlotWidget | None = None
        self._dated.getViewBox().setLimits(xMin=FIRST_DAY, xMax=LAST_DAY, minXRange=14)
        self._dated.getViewBox().sigXRangeChanged.connect(self._keep_change_inside)
        self._dated.getViewBox().sigResized.connect(self._keep_change_inside)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self._dated, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("World-change timeline")
        theme.changed.connect(self._redraw)

    # -- building --------------------------------------------------------------------------------------------

    @property
    def _plots(self) -> list[pyqtgraph.PlotWidget]:
        return [self._dated] if self._undated is None else [self._dated, self._undated]

    def _plot_of_undated(self) -> pyqtgraph.PlotWidget:
        if self._undated is None:
            self._undated = self._new_plot()
            self._undated.setFixedWidth(_UNDATED_WIDTH)
            self._undated.getViewBox().setMouseEnabled(x=False, y=False)
            self._undated.setBackground(self._theme.color("surface"))
            self._dress_axes(self._undated)
            self._row.addWidget(self._undated)
        return self._undated

    def _new_plot(self, axes: dict[str, pyqtgraph.AxisItem] | None = None) -> pyqtgraph.PlotWidget:
        # Without the menu: pyqtgraph builds a form of fifty widgets for it.
        plot = pyqtgraph.PlotWidget(plotItem=pyqtgraph.PlotItem(axisItems=axes, enableMenu=False))
        plot.hideButtons()
        # This widget takes the keys.
        for part in (plot, plot.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.viewport().installEventFilter(self)
        plot.setFrameShape(plot.Shape.NoFrame)
        box = plot.getViewBox()
        box.setMouseEnabled(x=True, y=False)
        box.disableAutoRange()
        box.setDefaultPadding(0)
        plot.scene().sigMouseClicked.connect(self._dated_clicked if axes else self._undated_clicked)
        plot.scene().sigMouseMoved.connect(self._dated_hovered if axes else self._undated_hovered)
        return plot

    def sizeHint(self) -> QSize:
        """As high as its lanes."""
        line = self.fontMetrics().height()
        return QSize(600, int((max(len(self._lanes), 1) + _HEAD) * line * 1.9 + line * 1.6))

    def minimumSizeHint(self) -> QSize:
        """Narrower, never lower."""
        return QSize(240, self.sizeHint().height())

    def prepare(self, marks: Sequence[TimelineMark]) -> bool:
        """Make what these marks need and is not there yet; whether something was made.

        A plot takes some dozen milliseconds to make: a page may give the window its turn in between.
        """
        if self._undated is not None or all(mark.day is not None for mark in marks):
            return False
        self._plot_of_undated()
        return True

    # -- showing ---------------------------------------------------------------------------------------------

    def show_trajectories(
        self,
        event: TimelineEvent,
        lanes: Sequence[str],
        marks: Sequence[TimelineMark],
        asked: float | None = None,
    ) -> None:
        """Show the results of some trajectories; `asked` is the day of the answer."""
        self._event, self._lanes, self._marks, self._asked = event, tuple(lanes), tuple(marks), asked
        self._current = None
        # Without a mark there is nothing for the keys to go to.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if self._marks else Qt.FocusPolicy.NoFocus)
        start, stop, _ = self._span = self._first_view()
        self._layout = lay_out(self._marks, len(self._lanes), max((stop - start) / 110, 1.0))
        self._redraw()
        self._show_first_view()
        self.updateGeometry()
        self._describe()

    @property
    def knowledge(self) -> tuple[FirstKnowledge, ...]:
        """When each lane could first have known of the change."""
        return self._layout.knowledge

    @property
    def order(self) -> tuple[numpy.ndarray, ...]:
        """The indices of each lane's marks as the keys go through them: by date, undated ones last."""
        return self._layout.order

    def _describe(self) -> None:
        assert self._event is not None
        dated = int(self._layout.is_dated.sum())
        after = int((self._layout.points[self._layout.is_dated, 0] >= self._event.start).sum())
        known = [f"{lane}: {each.words}." for lane, each in zip(self._lanes, self.knowledge, strict=True)]
        self.setAccessibleDescription(
            f"The change: {self._event.text}. {len(self._marks)} search results, {dated} with a date, "
            f"{after} of them since the change. {' '.join(known)}"
        )

    def _show_first_view(self) -> None:
        if self._event is None:
            return
        start, stop, _ = self._span
        self._dated.setXRange(start, stop, padding=0)
        for plot in self._plots:
            plot.setYRange(_TOP, max(len(self._lanes), 1) - 0.4, padding=0)

    def _first_view(self) -> tuple[float, float, int]:
        assert self._event is not None
        today = self._asked if self._asked is not None else float(date.today().toordinal())
        start, stop, older = first_view(self._marks, self._event, today)
        if self._asked is not None:
            stop = max(stop, self._asked + (stop - start) * 0.03)
        return start, stop, older

    # -- drawing ---------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        self._turn.stop()
        self._waiting.clear()
        for plot in self._plots:
            # Painted once, when all is there.
            plot.setUpdatesEnabled(False)
            plot.clear()
        self._ring = self._older = self._change = None
        if self._event is not None:
            self._waiting += [partial(self._dress, plot) for plot in self._plots]
            self._waiting += [self._draw_event, self._draw_asked, self._draw_older]
            self._plan_all()
        self._turn.start()

    def _plan_all(self) -> None:
        layout = self._layout
        has_undated = not layout.is_dated.all()
        if self._undated is not None:
            self._undated.setVisible(has_undated)
        if has_undated:
            plot = self._plot_of_undated()
            self._waiting.append(partial(self._draw_rest, plot))
            self._plan_marks(plot, ~layout.is_dated & layout.has_room)
        self._plan_marks(self._dated, layout.is_dated)

    def _dress(self, plot: pyqtgraph.PlotWidget) -> None:
        plot.setBackground(self._theme.color("surface"))
        self._dress_axes(plot)

    def _dress_axes(self, plot: pyqtgraph.PlotWidget) -> None:
        ink, line = self._theme.color("secondary"), self._theme.color("border")
        for side in ("left", "bottom"):
            axis = plot.getAxis(side)
            axis.setPen(line)
            axis.setTextPen(ink)
            axis.setTickFont(self.font())
            axis.setStyle(tickLength=4)
        # Of one height in both plots, so that their lanes stay in line.
        plot.getAxis("bottom").setHeight(self.fontMetrics().height() + 10)
        # Lane 0 on top, as the columns below read from left to right.
        plot.getViewBox().invertY(True)
        if plot is self._dated:
            plot.getAxis("left").setTicks([list(enumerate(self._lanes))])
        else:
            plot.hideAxis("left")
            plot.getAxis("bottom").setTicks([[((COLUMNS - 1) / 2, "no date")]])

    def _draw_event(self) -> None:
        assert self._event is not None
        accent = self._theme.color("accent")
        if self._event.stop > self._event.start:
            wash = self._theme.color("accent")
            wash.setAlpha(50)
            region = pyqtgraph.LinearRegionItem(
                (self._event.start, self._event.stop), movable=False, brush=wash, pen=accent
            )
            region.setZValue(-10)
            self._dated.addItem(region)
        else:
            self._dated.addItem(pyqtgraph.InfiniteLine(self._event.start, pen=pyqtgraph.mkPen(accent, width=2)))
        self._change = self._words(f"change: {self._event.text}", "accent", self._event.start, _TOP, (1.02, 0.1))
        self._dated.addItem(self._change)
        self._keep_change_inside()

    def _keep_change_inside(self, *_: object) -> None:
        """Let the words of the change end at its line, or begin at the left edge where there is no room for that."""
        if self._change is None or self._event is None:
            return
        box = self._dated.getViewBox()
        first, last = box.viewRange()[0]
        room = (self._event.start - first) / (last - first) * box.width()
        width = self._change.boundingRect().width()
        if width > 0 and 0 <= room <= box.width():
            self._change.setAnchor((min(1.02, room / width), 0.1))

    def _draw_asked(self) -> None:
        if self._asked is not None:
            pen = pyqtgraph.mkPen(self._theme.color("secondary"), width=1, style=Qt.PenStyle.DashLine)
            self._dated.addItem(pyqtgraph.InfiniteLine(self._asked, pen=pen))
            self._dated.addItem(self._words("asked", "secondary", self._asked, _TOP, (1.06, 0.1)))

    def _draw_older(self) -> None:
        start, _, older = self._span
        if older:
            self._older = self._words(f"◂ {older:,} older", "secondary", start, _TOP, (0, 0.1))
            self._dated.addItem(self._older)

    def _words(self, text: str, token: str, x: float, y: float, anchor: tuple[float, float]) -> pyqtgraph.TextItem:
        ground = self._theme.color("surface")
        item = pyqtgraph.TextItem(text, color=self._theme.color(token), anchor=anchor, fill=ground)
        item.setFont(self.font())
        item.setPos(x, y)
        return item

    def _draw_rest(self, plot: pyqtgraph.PlotWidget) -> None:
        """The lane of marks without a date: its edge, and how many have no room, by lane, in the last place."""
        pen = pyqtgraph.mkPen(self._theme.color("border_strong"), width=1)
        plot.addItem(pyqtgraph.InfiniteLine(-0.8, pen=pen))
        plot.setXRange(-0.8, COLUMNS - 0.2, padding=0)
        for lane, rest in enumerate(self._layout.rest):
            if rest:
                plot.addItem(self._words(f"+{rest:,}", "secondary", COLUMNS - 0.3, lane + 0.27, (1, 0.5)))

    def _plan_marks(self, plot: pyqtgraph.PlotWidget, which: numpy.ndarray) -> None:
        """Plan the drawing: an item for each look and each so many marks, evidence and words on top."""
        layout, surface = self._layout, self._theme.color("surface")
        halo = pyqtgraph.mkPen(self._theme.color("warning"), width=1.5)
        self._plan(plot, numpy.flatnonzero(which & layout.is_evidence), "o", _HALO, "evidence", halo)
        for look in layout.looks(which):
            shape = self._theme.mark(mark_of_query(look.query_class))
            size = _EVIDENCE_SIZE if look.is_evidence else _SIZE
            # Nobody has said what an unclassified query could reveal: a hollow mark.
            hollow = look.query_class is None
            pen = pyqtgraph.mkPen(shape.color if hollow else surface, width=2 if hollow else 1)
            self._plan(plot, look.indices, shape.plot_symbol, size, surface if hollow else shape.color, pen)
        self._plan(plot, numpy.flatnonzero(which & layout.is_named), UNDERLINE, SYMBOL_SIZE, "accent", None)
        for each in layout.knowledge:
            for mark, symbol in ((each.published, ABOVE_HOLLOW), (each.returned, ABOVE)):
                found = [n for n in numpy.flatnonzero(which & layout.is_evidence) if self._marks[n] is mark]
                self._plan(plot, numpy.array(found, dtype=numpy.intp), symbol, SYMBOL_SIZE, "text", None)

    def _pixels(self, size: float) -> float:
        """A size of marks as large as the text is."""
        return size * max(1.0, self._theme.text_scale)

    def _plan(
        self,
        plot: pyqtgraph.PlotWidget,
        indices: numpy.ndarray,
        symbol: object,
        size: int,
        color: QColor | str,
        pen: QPen | None,
    ) -> None:
        brush = pyqtgraph.mkBrush(self._theme.color(color) if isinstance(color, str) else color)
        for start in range(0, len(indices), _AT_ONCE):
            part = indices[start : start + _AT_ONCE]
            self._waiting.append(partial(self._scatter, plot, part, symbol, size, brush, pen))

    def _draw_next(self) -> None:
        """Draw what fits into one turn of the window; the rest follows."""
        start = time.monotonic()
        while self._waiting and time.monotonic() - start < _TURN_SECONDS:
            self._waiting.pop(0)()
        if self._waiting:
            self._turn.start()
            return
        self._draw_ring()
        for plot in self._plots:
            plot.setUpdatesEnabled(True)

    def _scatter(
        self,
        plot: pyqtgraph.PlotWidget,
        indices: numpy.ndarray,
        symbol: object,
        size: int,
        brush: QBrush,
        pen: QPen | None,
    ) -> None:
        x, y = self._layout.points[indices].T
        plot.addItem(pyqtgraph.ScatterPlotItem(x=x, y=y, symbol=symbol, size=self._pixels(size), brush=brush, pen=pen))

    def _draw_ring(self) -> None:
        """The ring around the mark that the keys are at."""
        for plot in self._plots:
            if self._ring in plot.getPlotItem().items:
                # By the plot, which would look for it again when it is cleared.
                plot.removeItem(self._ring)
        self._ring = None
        if self._current is None or not self.hasFocus() or numpy.isnan(self._layout.points[self._current, 0]):
            return
        point = self._layout.points[self._current]
        pen = pyqtgraph.mkPen(self._theme.color("accent"), width=2)
        self._ring = pyqtgraph.ScatterPlotItem(
            x=[point[0]], y=[point[1]], symbol="o", size=self._pixels(_RING), brush=pyqtgraph.mkBrush(None), pen=pen
        )
        (self._dated if self._layout.is_dated[self._current] else self._plot_of_undated()).addItem(self._ring)

    # -- mouse -----------------------------------------------------------------------------------------------

    def _near(self, plot: pyqtgraph.PlotWidget, place: QPointF) -> int | None:
        """The mark at a place of the plot's scene, the nearest one first."""
        if not len(self._marks):
            return None
        box = plot.getViewBox()
        if not box.sceneBoundingRect().contains(place):
            return None
        origin, unit = box.mapViewToScene(QPointF(0, 0)), box.mapViewToScene(QPointF(1, 1))
        of_plot = self._layout.is_dated if plot is self._dated else ~self._layout.is_dated
        x = self._layout.points[:, 0] * (unit.x() - origin.x()) + origin.x() - place.x()
        y = self._layout.points[:, 1] * (unit.y() - origin.y()) + origin.y() - place.y()
        distance = numpy.where(of_plot & ~numpy.isnan(x), x * x + y * y, numpy.inf)
        found = int(distance.argmin())
        return found if distance[found] <= self._pixels(_NEAR) ** 2 else None

    def _dated_clicked(self, event: object) -> None:
        if getattr(event, "double", bool)():
            self._show_first_view()
        else:
            self._clicked(self._dated, event)

    def _undated_clicked(self, event: object) -> None:
        self._clicked(self._plot_of_undated(), event)

    def _clicked(self, plot: pyqtgraph.PlotWidget, event: object) -> None:
        place = getattr(event, "scenePos", QPointF)()
        index = self._near(plot, place)
        if index is not None:
            self._current = index
            self._draw_ring()
            self._open(index)

    def _dated_hovered(self, place: QPointF) -> None:
        self._hovered(self._dated, place)

    def _undated_hovered(self, place: QPointF) -> None:
        self._hovered(self._plot_of_undated(), place)

    def _hovered(self, plot: pyqtgraph.PlotWidget, place: QPointF) -> None:
        index = self._near(plot, place)
        plot.viewport().setCursor(Qt.CursorShape.ArrowCursor if index is None else Qt.CursorShape.PointingHandCursor)
        # Titles are strangers' text: escaped, since tooltips guess at rich text.
        words = tooltip(self._marks[index].words) if index is not None else ""
        if words:
            QToolTip.showText(QCursor.pos(), words, plot.viewport())
        elif QToolTip.isVisible():
            QToolTip.hideText()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The scene knows of no words for marks, and would take those that hovering shows away after a moment."""
        return event.type() == QEvent.Type.ToolTip or super().eventFilter(watched, event)

    def _open(self, index: int) -> None:
        mark = self._marks[index]
        self.step_chosen.emit(mark.lane, mark.step_number)

    # -- keys ------------------------------------------------------------------------------------------------

    @property
    def current_words(self) -> str:
        """The mark that the keys are at, as a screen reader hears it."""
        if self._current is None:
            return ""
        mark = self._marks[self._current]
        lane = f"{self._lanes[mark.lane]}: " if len(self._lanes) > 1 else ""
        return lane + mark.words

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End go through the marks; Enter opens the step of one."""
        key = Qt.Key(event.key())
        if self._marks and (key in _STEPS or key in _LANES or key in _HOME):
            self._move(key)
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            if not event.isAutoRepeat():
                self._open(self._current)
            return
        super().keyPressEvent(event)

    def _move(self, key: Qt.Key) -> None:
        lanes = [lane for lane, order in enumerate(self._layout.order) if len(order)]
        if self._current is None:
            self._go_to(self._first_in_view(lanes[0]))
            return
        lane = self._marks[self._current].lane
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
        start = self._dated.getViewBox().viewRange()[0][0]
        order = self._layout.order[lane]
        return int(next((n for n in order if self._day(n) >= start), order[0]))

    def _day(self, index: int) -> float:
        day = self._marks[index].day
        return LAST_DAY if day is None else day

    def _go_to(self, index: int) -> None:
        self._current = index = int(index)
        if self._layout.is_dated[index]:
            box, day = self._dated.getViewBox(), self._layout.points[index, 0]
            start, stop = box.viewRange()[0]
            if not start <= day <= stop:
                half = (stop - start) / 2
                box.setXRange(day - half, day + half, padding=0)
        self._draw_ring()
        self.current_said.emit(self.current_words)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys are; the first mark when there is none yet."""
        super().focusInEvent(event)
        if self._current is None and self._marks:
            self._move(Qt.Key.Key_Home)
        else:
            self._draw_ring()
            self.current_said.emit(self.current_words)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        super().focusOutEvent(event)
        self._draw_ring()
        self.current_said.emit("")

    def position_of(self, index: int) -> QPointF:
        """Where the mark at `index` of those shown lies, in this widget's coordinates (NaN where it has no room)."""
        plot = self._dated if self._layout.is_dated[index] else self._plot_of_undated()
        scene = plot.getViewBox().mapViewToScene(QPointF(*self._layout.points[index]))
        return QPointF(self.mapFromGlobal(plot.viewport().mapToGlobal(plot.mapFromScene(scene))))
