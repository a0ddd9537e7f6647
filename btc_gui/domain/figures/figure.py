"""What a figure is before anybody draws it: rows of points, stacked bars, or accuracy by number of queries.

Everything drawn carries the words that say it and the answers behind it, so that a point leads to its cases.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, floor, log10

from btc_gui.domain.estimate import Interval
from btc_gui.domain.number_words import brief, decimal, percent
from btc_gui.domain.query_table import Share
from btc_gui.domain.result_rows import ConfigurationRow, ResultAnswer
from btc_gui.domain.trajectory import AnswerId


class Shape(StrEnum):
    """The shape of a point: with the colour it tells series apart, and alone where there is no colour."""

    CIRCLE = "circle"
    SQUARE = "square"
    DIAMOND = "diamond"
    TRIANGLE = "triangle"
    DOWN = "down"
    CROSS = "cross"
    TICK = "tick"
    DASH = "dash"


@dataclass(frozen=True, slots=True)
class Series:
    """What all points of one look have in common. `colour` is the name of a colour of the palette, not a colour."""

    key: str
    text: str
    shape: Shape
    colour: str
    is_hollow: bool = False


class Scale(StrEnum):
    """What an axis counts."""

    SHARE = "share"
    POINTS = "points"
    COUNT = "count"
    COEFFICIENT = "coefficient"

    @property
    def unit(self) -> str:
        """What stands at the axis; empty for plain numbers."""
        return {"share": "%", "points": "points"}.get(self.value, "")

    def text(self, value: float) -> str:
        """A value in words: `85.0 %`, `−3.5 points`, `2.5`, `0.97`."""
        if self is Scale.COUNT:
            return decimal(value, 1).removesuffix(".0")
        return decimal(value) if self is Scale.COEFFICIENT else f"{decimal(value * 100, 1)} {self.unit}"

    def tick(self, value: float) -> str:
        """The same as short as an axis has it."""
        if self in (Scale.SHARE, Scale.POINTS):
            value *= 100
        return brief(value)


@dataclass(frozen=True, slots=True)
class Panel:
    """One axis of a figure of points. `has_zero` draws a line at zero: on one side it is more, on the other less."""

    title: str
    scale: Scale
    has_zero: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One point: its value, its interval, the counts in words, and the answers that it is made from."""

    series: Series
    value: float
    interval: Interval | None
    counts: str
    answers: tuple[AnswerId, ...] = ()

    def words(self, scale: Scale) -> str:
        """All of it in a sentence."""
        found = f"{self.series.text}: {scale.text(self.value)}"
        if self.interval is not None:
            found += f", 95 % interval {scale.text(self.interval[0])} to {scale.text(self.interval[1])}"
        return f"{found} ({self.counts})" if self.counts else found


@dataclass(frozen=True, slots=True)
class PointRow:
    """One line of a figure of points: its group and label, the points in each panel, what stands beside them."""

    group: str
    label: str
    title: str
    points: tuple[tuple[Point, ...], ...]
    beside: str = ""

    @property
    def order(self) -> float | None:
        """What rows are sorted by: the last point of the first panel that has one."""
        return next((points[-1].value for points in self.points if points), None)


@dataclass(frozen=True, slots=True)
class PointFigure:
    """Rows of points with their intervals, in one panel or several beside each other.

    `name` is that of its files. `words` say what is drawn, `beside` what the last column is.
    """

    name: str
    kind: str
    title: str
    words: str
    panels: tuple[Panel, ...]
    rows: tuple[PointRow, ...]
    beside: str = ""

    @property
    def series(self) -> tuple[Series, ...]:
        """The series that have a point, in the order in which they come."""
        return _distinct(point.series for row in self.rows for points in row.points for point in points)

    @property
    def told_apart(self) -> tuple[Series, ...]:
        """The series that need a key: those of panels with several. Elsewhere the panel's name says what is drawn."""
        found: list[Series] = []
        for number in range(len(self.panels)):
            of_panel = _distinct(point.series for row in self.rows for point in row.points[number])
            found += of_panel if len(of_panel) > 1 else ()
        return _distinct(found)

    def ticks(self, panel: int) -> tuple[float, ...]:
        """Where the axis of a panel has its ticks: the outer ones are its ends, and hold all points and intervals."""
        shown = [point for row in self.rows for point in row.points[panel]]
        values = [point.value for point in shown]
        values += [limit for point in shown if point.interval for limit in point.interval]
        scale = self.panels[panel].scale
        if scale is Scale.SHARE:
            return (0.0, 0.25, 0.5, 0.75, 1.0)
        if scale is Scale.COEFFICIENT:
            return (0.0, 0.25, 0.5, 0.75, 1.0) if min(values, default=0.0) >= 0 else (-1.0, -0.5, 0.0, 0.5, 1.0)
        if scale is Scale.COUNT:
            return nice_ticks(0.0, max([0.0, *values]) * 1.05, 4.0)
        return nice_ticks(min([0.0, *values]), max([0.0, *values]), 0.1)

    def spread(self, panel: int) -> dict[str, float]:
        """How far each series of a panel stands from the middle of its line, as a share of the line's height.

        Series with an interval stand apart, so that none hides another's; those without stay in the middle.
        """
        seen: dict[str, list[Point]] = {}
        for row in self.rows:
            for point in row.points[panel]:
                seen.setdefault(point.series.key, []).append(point)
        moved = [key for key, points in seen.items() if any(point.interval for point in points)] or list(seen)
        step = 0.34 if len(moved) <= 2 else 0.72 / len(moved)
        return {key: (moved.index(key) - (len(moved) - 1) / 2) * step if key in moved else 0.0 for key in seen}


@dataclass(frozen=True, slots=True)
class Piece:
    """One class within a bar. Which answers it has tells their label."""

    series: Series
    count: int
    answers: tuple[AnswerId, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, its pieces from the bottom up (those without a count are left out)."""

    group: str
    label: str
    title: str
    pieces: tuple[Piece, ...]

    @property
    def total(self) -> int:
        """The number that stands at the bar."""
        return sum(piece.count for piece in self.pieces)

    def words(self, piece: Piece) -> str:
        """A piece in words."""
        return f"{piece.series.text}: {piece.count:,} of {self.total:,} ({percent(piece.count / self.total)})"


@dataclass(frozen=True, slots=True)
class BarFigure:
    """Bars of one length, each cut into shares; what its total counts is `unit`."""

    name: str
    kind: str
    title: str
    words: str
    bars: tuple[Bar, ...]
    unit: str

    @property
    def series(self) -> tuple[Series, ...]:
        """The classes that occur, in the order in which they are stacked."""
        order = _distinct(piece.series for bar in self.bars for piece in bar.pieces)
        return tuple(sorted(order, key=lambda series: _STACKED.index(series.key) if series.key in _STACKED else 99))


_STACKED = ("reasoning", "explicit", "indirect", "indirect_or_none", "none", "unclassified")


@dataclass(frozen=True, slots=True)
class QueryPoint:
    """The answers with this many queries: how many are right, and what part they are of all. `is_drawn` if enough.

    `interval` is that of the accuracy.
    """

    queries: int
    accuracy: Share
    interval: Interval | None
    share: Share
    is_drawn: bool
    answers: tuple[AnswerId, ...] = ()

    def words(self, line: str) -> str:
        """All of it in a sentence."""
        queries = "1 query" if self.queries == 1 else f"{self.queries} queries"
        found = f"{line}, {queries}: {self.accuracy.count:,} of {self.accuracy.n:,} correct"
        limits = self.interval
        if self.accuracy.value is not None and limits is not None:
            found += (
                f" ({Scale.SHARE.text(self.accuracy.value)}, 95 % interval {Scale.SHARE.text(limits[0])} to "
                f"{Scale.SHARE.text(limits[1])})"
            )
        return found + (f"; {percent(self.share.value)} of its probes" if self.share.value is not None else "")


@dataclass(frozen=True, slots=True)
class QueryLine:
    """One configuration: its groups by rising number of queries, and the accuracy over all of them."""

    series: Series
    title: str
    points: tuple[QueryPoint, ...]
    overall: Share


@dataclass(frozen=True, slots=True)
class QueryPanel:
    """One model: a line for each effort."""

    model: str
    title: str
    lines: tuple[QueryLine, ...]

    @property
    def last(self) -> int:
        """The greatest number of queries that is drawn: that of the last group which is large enough for a point.

        Without any, the number that 95 of 100 probes don't exceed: one with very many leaves room for the rest.
        """
        points = sorted((point for line in self.lines for point in line.points), key=lambda point: point.queries)
        large = [point.queries for point in points if point.is_drawn]
        if large:
            return max(large)
        whole, seen = sum(point.share.count for point in points), 0
        for point in points:
            seen += point.share.count
            if seen * 100 >= whole * 95:
                return point.queries
        return 0

    @property
    def beyond(self) -> int:
        """How many probes have more queries than the last drawn group."""
        last = self.last
        return sum(point.share.count for line in self.lines for point in line.points if point.queries > last)


@dataclass(frozen=True, slots=True)
class QueryFigure:
    """Accuracy by number of queries, a panel for each model."""

    name: str
    kind: str
    title: str
    words: str
    panels: tuple[QueryPanel, ...]

    @property
    def series(self) -> tuple[Series, ...]:
        """The efforts that occur."""
        return _distinct(line.series for panel in self.panels for line in panel.lines)


Figure = PointFigure | BarFigure | QueryFigure


def label_of(head: ConfigurationRow) -> tuple[str, str]:
    """A configuration's model, and the rest of its title (`low · shared`, and what tells it from others like it)."""
    model = head.configuration.model
    return model, head.title[len(model) :].removeprefix(" · ") if head.title.startswith(model) else head.title


def ids_of(answers: Iterable[ResultAnswer]) -> tuple[AnswerId, ...]:
    """The answers' ids."""
    return tuple(answer.id for answer in answers)


def counts_of(share: Share) -> str:
    """`170 of 200`."""
    return f"{share.count:,} of {share.n:,}"


def nice_ticks(low: float, high: float, least: float) -> tuple[float, ...]:
    """About five ticks at 1, 2 or 5 times a power of ten that span `low` to `high`, and at least `least`."""
    high = max(high, low + least)
    raw = (high - low) / 5
    power = 10.0 ** floor(log10(raw))
    step = next(each * power for each in (1, 2, 5, 10) if raw <= each * power * (1 + 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    if last - first < 2:
        last += 1
    return tuple(round(number * step, 10) for number in range(first, last + 1))


def _distinct(series: Iterable[Series]) -> tuple[Series, ...]:
    return tuple(dict.fromkeys(series))
