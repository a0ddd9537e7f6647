"""Where the marks of a timeline stand: dated ones spread over their lane, undated ones in rows. Pure, on numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.timeline import FirstKnowledge, TimelineMark, first_knowledge

#: Marks without a date: columns and rows of one lane. What has no room is counted.
COLUMNS, ROWS = 6, 3
#: Marks of one place are spread by so much of a lane, and by no more than this.
_SPREAD, _MOST = 0.2, 0.4
_CLASSES: tuple[QueryClass | None, ...] = (*QueryClass, None)


@dataclass(frozen=True, slots=True)
class Look:
    """Marks that look alike, by their indices."""

    query_class: QueryClass | None
    is_evidence: bool
    indices: NDArray[numpy.intp]


@dataclass(frozen=True)
class TimelineLayout:
    """The places of some marks. `points` has a row (x, y) for each: x is the day, or the column of the undated lane;
    NaN where the undated lane has no room. `order` has the indices of each lane by date, undated ones last; `rest`
    how many of each lane have no room; `knowledge` when each trajectory could first have known."""

    points: NDArray[numpy.float64]
    is_dated: NDArray[numpy.bool_]
    is_evidence: NDArray[numpy.bool_]
    is_named: NDArray[numpy.bool_]
    order: tuple[NDArray[numpy.intp], ...]
    rest: tuple[int, ...]
    knowledge: tuple[FirstKnowledge, ...]
    _class: NDArray[numpy.intp] = field(repr=False)

    @property
    def has_room(self) -> NDArray[numpy.bool_]:
        """Which marks are drawn."""
        return ~numpy.isnan(self.points[:, 0])

    def looks(self, which: NDArray[numpy.bool_]) -> Iterator[Look]:
        """The marks of `which`, those that look alike together; evidence last, so that it is drawn on top."""
        for is_evidence in (False, True):
            for number, query_class in enumerate(_CLASSES):
                found = numpy.flatnonzero(which & (self._class == number) & (self.is_evidence == is_evidence))
                if len(found):
                    yield Look(query_class, is_evidence, found)


def lay_out(marks: Sequence[TimelineMark], lanes: int, bucket: float) -> TimelineLayout:
    """Place marks. Dated ones of one lane within `bucket` days are spread up and down."""
    numbers = {query_class: number for number, query_class in enumerate(_CLASSES)}
    lane = numpy.array([mark.lane for mark in marks], dtype=numpy.intp)
    day = numpy.array([numpy.nan if mark.day is None else mark.day for mark in marks], dtype=numpy.float64)
    step = numpy.array([mark.step_number for mark in marks], dtype=numpy.intp)
    is_dated = ~numpy.isnan(day)
    place = numpy.where(is_dated, numpy.floor(numpy.nan_to_num(day) / bucket), -1.0)
    number = _number_within(lane, place)
    offset = ((number + 1) // 2) * _SPREAD * numpy.where(number % 2, 1, -1)
    points = numpy.column_stack([day, lane + numpy.clip(offset, -_MOST, _MOST)])
    undated = numpy.bincount(lane[~is_dated], minlength=lanes)
    # The last two places say how many there are more.
    room = numpy.where(undated > COLUMNS * ROWS, COLUMNS * ROWS - 2, COLUMNS * ROWS)
    fits = ~is_dated & (number < room[lane])
    points[fits, 0] = number[fits] % COLUMNS
    points[fits, 1] = lane[fits] + (number[fits] // COLUMNS - 1) * 0.27
    by_date = numpy.lexsort((step, numpy.nan_to_num(day), ~is_dated))
    return TimelineLayout(
        points=points,
        is_dated=is_dated,
        is_evidence=numpy.array([mark.is_evidence for mark in marks], dtype=numpy.bool_),
        is_named=numpy.array([mark.names_entity for mark in marks], dtype=numpy.bool_),
        order=tuple(by_date[lane[by_date] == each] for each in range(lanes)),
        rest=tuple(int(n) for n in numpy.maximum(undated - room, 0)),
        knowledge=tuple(first_knowledge(marks, each) for each in range(lanes)),
        _class=numpy.array([numbers[mark.query_class] for mark in marks], dtype=numpy.intp),
    )


def _number_within(lane: NDArray[numpy.intp], place: NDArray[numpy.float64]) -> NDArray[numpy.intp]:
    """For each mark, how many before it have its lane and place."""
    order = numpy.lexsort((place, lane))
    is_new = numpy.ones(len(order), dtype=numpy.bool_)
    is_new[1:] = (numpy.diff(lane[order]) != 0) | (numpy.diff(place[order]) != 0)
    starts = numpy.flatnonzero(is_new)
    counts = numpy.diff(numpy.append(starts, len(order)))
    number = numpy.empty(len(order), dtype=numpy.intp)
    number[order] = numpy.arange(len(order)) - numpy.repeat(starts, counts)
    return number
