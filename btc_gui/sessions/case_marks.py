"""The marks of the world-change timeline: the change, every search result at its publication date, the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from btc_gui.domain.event import Event
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.timeline import published_date
from btc_gui.domain.trajectory import ResultId, StepKind
from btc_gui.sessions.case_side import Side


class MarkKind(StrEnum):
    """What a mark on the timeline stands for."""

    EVENT = "event"
    RESULT = "result"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on the world-change timeline. `date` is ISO (a day, month or year), or empty: the undated lane.

    `reveals` marks a result with evidence of the change, `is_first` the first such in its trajectory;
    `mentions` one that names the entity. The event belongs to no lane (-1).
    """

    date: str
    kind: MarkKind
    lane: int = -1
    step_number: int | None = None
    query_class: QueryClass | None = None
    reveals: bool = False
    is_first: bool = False
    mentions: bool = False
    title: str = ""
    url: str = ""
    result_id: ResultId | None = None


def marks_of(event: Event | None, change: str, sides: Sequence[Side]) -> list[Mark]:
    """The change, every result at its publication date, and the answers; dated marks first, by date."""
    marks = [Mark(event.facts.date.iso, MarkKind.EVENT, title=change)] if event else []
    for lane, side in enumerate(sides):
        marks += _result_marks(lane, side)
        marks.append(_answer_mark(lane, side))
    return sorted(marks, key=lambda mark: (not mark.date, mark.date))


def _result_marks(lane: int, side: Side) -> list[Mark]:
    marks: list[Mark] = []
    is_revealed = False
    for step in side.trajectory.queries:
        evidence = side.evidence(step)
        for result in step.results:
            day = published_date(result.published)
            reveals = result.id in evidence
            marks.append(
                Mark(
                    date=day.iso if day else "",
                    kind=MarkKind.RESULT,
                    lane=lane,
                    step_number=step.number,
                    query_class=side.query_class(step),
                    reveals=reveals,
                    is_first=reveals and not is_revealed,
                    mentions=bool(side.result_mentions(result)),
                    title=result.title,
                    url=result.url,
                    result_id=result.id,
                )
            )
            is_revealed = is_revealed or reveals
    return marks


def _answer_mark(lane: int, side: Side) -> Mark:
    """The answer, on the day that the agent was told it is; else on the day it was given."""
    answer = next((step for step in reversed(side.trajectory.steps) if step.kind is StepKind.ANSWER), None)
    return Mark(
        date=side.told_date or side.trajectory.finished_at[:10],
        kind=MarkKind.ANSWER,
        lane=lane,
        step_number=answer.number if answer else None,
        title=side.case.ending.text,
    )
