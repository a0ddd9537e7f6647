"""The world-change timeline of the cases side by side: a lane each, a mark for every search result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from btc_gui.domain.case import CaseRow
from btc_gui.domain.event import Event
from btc_gui.domain.timeline import TimelineEvent, TimelineMark, event_span, published_date, span_of
from btc_gui.sessions.case_side import Side


@dataclass(frozen=True, slots=True)
class CaseTimeline:
    """What the timeline shows. `event` is None for samples of somebody else's log; `asked` is the day that the first
    agent was told it is (else the day of its answer); `marks` of a lane stand in the order of their delivery."""

    event: TimelineEvent | None
    lanes: tuple[str, ...]
    marks: tuple[TimelineMark, ...]
    asked: float | None


def timeline_of(event: Event | None, sides: Sequence[Side]) -> CaseTimeline:
    """The change, every result at its publication date (in the middle of a month or year), and the first answer."""
    told = (published_date(side.told_date or side.trajectory.finished_at) for side in sides)
    return CaseTimeline(
        event=event_span(event.facts.date) if event else None,
        lanes=_lane_names([side.case for side in sides]),
        marks=tuple(mark for lane, side in enumerate(sides) for mark in _marks(lane, side)),
        asked=next((float(day.first_day.toordinal()) for day in told if day), None),
    )


def _marks(lane: int, side: Side) -> Iterator[TimelineMark]:
    is_revealed = False
    for number, step in enumerate(side.trajectory.queries, start=1):
        evidence = side.evidence(step)
        query_class = side.query_class(step)
        for result in step.results:
            day, published = _published(result.published)
            reveals = result.id in evidence
            yield TimelineMark(
                lane=lane,
                step_number=step.number,
                day=day,
                published=published,
                title=result.title,
                query_class=query_class,
                is_evidence=reveals,
                is_first=reveals and not is_revealed,
                names_entity=bool(side.result_mentions(result)),
                query=number,
                source=result.url,
            )
            is_revealed = is_revealed or reveals


@lru_cache(maxsize=4_096)
def _published(text: str) -> tuple[float | None, str]:
    """The day of a result's date (in the middle of a month or year), and the date in words."""
    known = published_date(text)
    return (sum(span_of(known)) / 2, known.text) if known else (None, "")


def _lane_names(cases: Sequence[CaseRow]) -> tuple[str, ...]:
    """What tells the lanes apart, as short as that can be."""
    configurations = [case.configuration for case in cases]
    if len({case.kind for case in cases}) == len(cases) > 1:
        return tuple(case.kind_text for case in cases)
    differing = [
        [each.model[:16] for each in configurations],
        [each.effort.value for each in configurations],
        [each.harness.value for each in configurations],
        [case.kind_text for case in cases],
        [f"answer {case.repetition}" for case in cases],
    ]
    telling = [words for words in differing if len(set(words)) > 1] or [differing[1]]
    return tuple(" ".join(words) for words in zip(*telling, strict=True))
