"""The world-change timeline: every search result at its publication date, the change as a line across.

Import this module only when a timeline is about to be shown: it brings pyqtgraph and numpy along.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from datetime import date

import pyqtgraph
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from btc_gui.domain.timeline import TimelineEvent, TimelineMark, first_view
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.marks import mark_of_query

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_FIRST_DAY = float(date(1000, 1, 1).toordinal())
_LAST_DAY = float(date(2999, 12, 31).toordinal())


class _DayAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """An axis of days that writes years and months."""

    def tickValues(self, start: float, stop: float, size: float) -> list[tuple[float, list[float]]]:
        """The first of every so many months, about 90 pixels apart."""
        months = max((stop - start) / 30.44, 0.1)
        wanted = max(size / 90, 1)
        step = next((s for s in (1, 2, 3, 6, 12, 24, 60, 120, 240, 600) if months / s <= wanted), 1200)
        first = date.fromordinal(int(min(max(start, _FIRST_DAY), _LAST_DAY)))
        number = (first.year * 12 + first.month - 1) // step * step
        values: list[float] = []
        while len(values) < 60:
            year, month = divmod(number, 12)
            if year > 2999:
                break
            day = float(date(max(year, 1), month + 1, 1).toordinal())
            if day > stop:
                break
            if day >= start:
                values.append(day)
            number += step
        return [(step * 30.44, values)]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """`2025` for a year's first day, else `Oct 2025`."""
        days = [date.fromordinal(int(value)) for value in values]
        yearly = spacing > 300
        return [str(day.year) if yearly else f"{_MONTHS[day.month - 1]} {day.year}" for day in days]


class TimelinePlot(QWidget):
    """The timeline of one or two trajectories, one lane each. Drag and wheel move and zoom; double click resets."""

    #: The lane and the number of the step whose mark was clicked.
    step_chosen = Signal(int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._event: TimelineEvent | None = None
        self._asked: float | None = None
        self._lanes: tuple[str, ...] = ()
        self._marks: tuple[TimelineMark, ...] = ()
        self._older = 0
        self._dated = self._new_plot({"bottom": _DayAxis("bottom")})
        #: Made when there is a result without a date: a plot takes as long to make as all else of the page.
        self._undated: pyqtgraph.PlotWidget | None = None
        self._dated.getViewBox().setLimits(xMin=_FIRST_DAY, xMax=_LAST_DAY, minXRange=14)
        self._layout = layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._dated, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("World-change timeline")
        theme.changed.connect(self._redraw)

    @property
    def _plots(self) -> list[pyqtgraph.PlotWidget]:
        return [self._dated] if self._undated is None else [self._dated, self._undated]

    def _plot_of_undated(self) -> pyqtgraph.PlotWidget:
        if self._undated is None:
            self._undated = self._new_plot()
            self._undated.setFixedWidth(112)
            self._undated.getViewBox().setMouseEnabled(x=False, y=False)
            self._undated.setBackground(self._theme.color("surface"))
            self._dress_axes(self._undated)
            self._layout.addWidget(self._undated)
        return self._undated

    def _new_plot(self, axes: dict[str, pyqtgraph.AxisItem] | None = None) -> pyqtgraph.PlotWidget:
        # Without the menu: pyqtgraph builds a form of fifty widgets for it.
        plot = pyqtgraph.PlotWidget(plotItem=pyqtgraph.PlotItem(axisItems=axes, enableMenu=False))
        plot.hideButtons()
        # The jump keys go to the same steps; the plot itself takes no keys.
        for part in (plot, plot.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setFrameShape(plot.Shape.NoFrame)
        box = plot.getViewBox()
        box.setMouseEnabled(x=True, y=False)
        box.disableAutoRange()
        box.setDefaultPadding(0)
        plot.scene().sigMouseClicked.connect(self._scene_clicked)
        return plot

    def sizeHint(self) -> QSize:
        """As high as its lanes."""
        line = self.fontMetrics().height()
        return QSize(600, int(max(len(self._lanes), 1) * line * 1.7 + line * 2.6))

    def prepare(self, marks: Sequence[TimelineMark]) -> bool:
        """Make what these marks need and is not there yet; whether something was made.

        A plot takes some dozen milliseconds to make: a page may give the window its turn in between.
        """
        if self._undated is not None or all(mark.day is not None for mark in marks):
            return False
        self._plot_of_undated()
        return True

    def show_trajectories(
        self,
        event: TimelineEvent,
        lanes: Sequence[str],
        marks: Sequence[TimelineMark],
        asked: float | None = None,
    ) -> None:
        """Show the results of some trajectories; `asked` is the day of the answer."""
        self._event, self._lanes, self._marks, self._asked = event, tuple(lanes), tuple(marks), asked
        self._redraw()
        self._show_first_view()
        self.updateGeometry()
        self._describe()

    def _describe(self) -> None:
        assert self._event is not None
        dated = sum(mark.day is not None for mark in self._marks)
        after = sum(mark.day is not None and mark.day >= self._event.start for mark in self._marks)
        self.setAccessibleDescription(
            f"The change: {self._event.text}. {len(self._marks)} search results, {dated} with a date, "
            f"{after} of them since the change."
        )

    def _show_first_view(self) -> None:
        if self._event is None:
            return
        today = self._asked if self._asked is not None else float(date.today().toordinal())
        start, stop, self._older = first_view(self._marks, self._event, today)
        if self._asked is not None:
            stop = max(stop, self._asked + (stop - start) * 0.03)
        self._dated.setXRange(start, stop, padding=0)
        for plot in self._plots:
            plot.setYRange(-0.6, max(len(self._lanes), 1) - 0.4, padding=0)
        words = f"{self._older} older ◂ zoom out to see" if self._older else ""
        self._dated.setToolTip(words)

    # -- drawing ---------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        for plot in self._plots:
            plot.clear()
            plot.setBackground(self._theme.color("surface"))
            self._dress_axes(plot)
        if self._event is None:
            return
        self._draw_event()
        dated = [index for index, mark in enumerate(self._marks) if mark.day is not None]
        self._dated.addItem(self._scatter(dated, self._dated_points(dated)))
        undated = [index for index, mark in enumerate(self._marks) if mark.day is None]
        if self._undated is not None:
            self._undated.setVisible(bool(undated))
        if undated:
            points, plot = self._undated_points(undated), self._plot_of_undated()
            plot.addItem(self._scatter(undated, points))
            plot.setXRange(-0.7, max(max(x for x, _ in points), 4) + 0.7, padding=0)

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
            plot.getAxis("bottom").setTicks([[(2.0, "no date")]])

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
        name = pyqtgraph.TextItem(self._event.text, color=accent, anchor=(1.03, 0.2))
        name.setFont(self.font())
        name.setPos(self._event.start, -0.6)
        self._dated.addItem(name)
        if self._asked is not None:
            pen = pyqtgraph.mkPen(self._theme.color("secondary"), width=1, style=Qt.PenStyle.DashLine)
            self._dated.addItem(pyqtgraph.InfiniteLine(self._asked, pen=pen))

    def _dated_points(self, indices: Sequence[int]) -> list[tuple[float, float]]:
        """Where the dated marks go: those of nearly the same day are spread over their lane."""
        start, stop, _ = first_view(self._marks, self._event, _LAST_DAY) if self._event else (0.0, 1.0, 0)
        bucket = max((stop - start) / 110, 1.0)
        taken: dict[tuple[int, int], int] = {}
        points = []
        for index in indices:
            mark = self._marks[index]
            assert mark.day is not None
            place = (mark.lane, int(mark.day / bucket))
            number = taken.get(place, 0)
            taken[place] = number + 1
            offset = ((number + 1) // 2) * 0.2 * (1 if number % 2 else -1)
            points.append((mark.day, mark.lane + max(min(offset, 0.44), -0.44)))
        return points

    def _undated_points(self, indices: Sequence[int]) -> list[tuple[float, float]]:
        """Where the marks without a date go: rows of five."""
        counts: dict[int, int] = {}
        points = []
        for index in indices:
            lane = self._marks[index].lane
            number = counts.get(lane, 0)
            counts[lane] = number + 1
            row, column = divmod(number, 5)
            points.append((float(column), lane - 0.22 + min(row, 3) * 0.22))
        return points

    def _scatter(self, indices: Sequence[int], points: Sequence[tuple[float, float]]) -> pyqtgraph.ScatterPlotItem:
        evidence = self._theme.color("warning")
        surface = self._theme.color("surface")
        spots = []
        for index, point in zip(indices, points, strict=True):
            mark = self._marks[index]
            look = self._theme.mark(mark_of_query(mark.query_class))
            color, hollow = look.color, mark.query_class is None
            spots.append(
                {
                    "pos": point,
                    "symbol": look.plot_symbol,
                    "size": 13 if mark.is_evidence else 10,
                    "brush": pyqtgraph.mkBrush(surface if hollow else color),
                    "pen": pyqtgraph.mkPen(evidence if mark.is_evidence else (color if hollow else surface), width=2),
                    "data": index,
                }
            )
        scatter = pyqtgraph.ScatterPlotItem(spots=spots, hoverable=True, tip=self._tip, hoverSize=15)
        scatter.sigClicked.connect(self._mark_clicked)
        return scatter

    def _tip(self, x: float, y: float, data: int) -> str:
        """What a mark is. Titles are strangers' text: escaped, since tooltips guess at rich text."""
        mark = self._marks[data]
        words = [mark.title[:160] or "(no title)", mark.published or "no date"]
        if mark.is_evidence:
            words.append("evidence of the change")
        return f"<qt>{html.escape(' · '.join(words))}</qt>"

    # -- mouse -----------------------------------------------------------------------------------------------

    def _mark_clicked(self, item: object, spots: Sequence[pyqtgraph.SpotItem], event: object) -> None:
        if len(spots):
            mark = self._marks[spots[0].data()]
            self.step_chosen.emit(mark.lane, mark.step_number)

    def _scene_clicked(self, event: object) -> None:
        if getattr(event, "double", bool)():
            self._show_first_view()

    def position_of(self, index: int) -> QPointF:
        """Where the mark at `index` of those shown lies, in this widget's coordinates (NaN without a date)."""
        points = self._dated_points([index])
        scene = self._dated.getViewBox().mapViewToScene(QPointF(*points[0]))
        return QPointF(self._dated.mapFromScene(scene))
