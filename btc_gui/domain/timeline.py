"""What the world-change timeline shows: every search result at its publication date, and the date of the change.

Pure: days are proleptic Gregorian ordinals (`date.toordinal`), so that axes need no time zone.
"""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from urllib.parse import urlsplit

from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.trajectory import Step


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """One search result on the timeline. `day` is None for a result without a date (or one that can't be read);
    `is_first` marks the first one that reveals the change in its trajectory. `query` counts the trajectory's queries
    from 1 (0: not told); `source` is the result's address."""

    lane: int
    step_number: int
    day: float | None
    published: str
    title: str
    query_class: QueryClass | None
    is_evidence: bool
    is_first: bool = False
    names_entity: bool = False
    query: int = 0
    source: str = ""

    @property
    def words(self) -> str:
        """The mark in words, as hovering shows them and a screen reader hears them."""
        asked = f"query {self.query}" if self.query else "a query"
        parts = [self.published or "no date", self.title or "(no title)"]
        host = host_of(self.source)
        if host:
            parts.append(host)
        parts.append(f"{asked}, {self.query_class.value}" if self.query_class else asked)
        if self.is_evidence:
            parts.append("reveals the change" + (", the first to do so" if self.is_first else ""))
        if self.names_entity:
            parts.append("names the subject")
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class FirstKnowledge:
    """When a trajectory could first have known: the first revealing result that it was given, and, which may be
    another one, the earliest published of the revealing ones. None without any (or without one that has a date)."""

    returned: TimelineMark | None
    published: TimelineMark | None

    @property
    def words(self) -> str:
        """Both as half a sentence, with the signs that mark them on the timeline."""
        if self.returned is None:
            return "no result is marked as revealing the change"
        first = self.returned
        at = f"query {first.query}" if first.query else "a query"
        text = f"▼ could first have known from {at} (result of {first.published or 'unknown date'})"
        early = self.published
        if early is None or early == first:
            return text
        where = f", from query {early.query}" if early.query and early.query != first.query else ""
        return f"{text}; ▽ earliest published of what reveals it: {early.published}{where}"


def first_knowledge(marks: Sequence[TimelineMark], lane: int) -> FirstKnowledge:
    """When the trajectory of a lane could first have known of the change, from the results that reveal it."""
    revealing = [mark for mark in marks if mark.lane == lane and mark.is_evidence]
    returned = min(revealing, key=lambda mark: (not mark.is_first, mark.step_number), default=None)
    dated = [(mark.day, mark.step_number, mark) for mark in revealing if mark.day is not None]
    published = min(dated, key=lambda each: each[:2])[2] if dated else None
    return FirstKnowledge(returned, published)


def host_of(address: str) -> str:
    """The host of an address, for people; empty when there is none that can be read."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """When the change happened: a day, or the span of the month or year that is known."""

    start: float
    stop: float
    text: str


@lru_cache(maxsize=4_096)
def published_date(text: str) -> EventDate | None:
    """The date of a result: `2026-05-09`, `2026-05`, `2026`, with or without a time of day; None when unreadable."""
    try:
        return parse_event_date(text.strip()[:10])
    except ValueError:
        return None


def span_of(day: EventDate) -> tuple[float, float]:
    """The first and last day that a date may mean."""
    if day.day:
        return (float(date(day.year, day.month, day.day).toordinal()),) * 2
    if day.month:
        last = calendar.monthrange(day.year, day.month)[1]
        return (
            float(date(day.year, day.month, 1).toordinal()),
            float(date(day.year, day.month, last).toordinal()),
        )
    return float(date(day.year, 1, 1).toordinal()), float(date(day.year, 12, 31).toordinal())


def event_span(day: EventDate) -> TimelineEvent:
    """Where the change stands on the timeline."""
    start, stop = span_of(day)
    return TimelineEvent(start, stop, day.text)


def newest_published(step: Step) -> str:
    """The newest publication date among a query's results, in words; empty when none has one."""
    found = [day for day in (published_date(result.published) for result in step.results) if day]
    return max(found).text if found else ""


def first_view(marks: Sequence[TimelineMark], event: TimelineEvent, today: float) -> tuple[float, float, int]:
    """The span of days to show at first, and how many older marks lie before it.

    Three years before the change at most: one result of 1987 must not squeeze a hundred of this spring.
    """
    days = [mark.day for mark in marks if mark.day is not None]
    oldest = event.start - 3 * 365.25
    start = max(min([*days, event.start - 90]), oldest)
    stop = max([*(day for day in days if day <= today + 31), event.stop + 30])
    margin = max((stop - start) * 0.03, 7.0)
    return start - margin, stop + margin, sum(1 for day in days if day < start)
