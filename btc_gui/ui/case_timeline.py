"""What the world-change timeline of a case shows, read on a worker thread."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from btc_gui.domain.case import CaseRow
from btc_gui.domain.timeline import TimelineMark, published_date, span_of
from btc_gui.sessions.case_marks import MarkKind
from btc_gui.sessions.comparing import ComparingSession


def timeline_of(session: ComparingSession) -> tuple[tuple[TimelineMark, ...], float | None]:
    """The marks of the results, and the day on which the (first) answer was given."""
    marks: list[TimelineMark] = []
    asked: float | None = None
    for mark in session.timeline():
        known = published_date(mark.date) if mark.date else None
        start, stop = span_of(known) if known else (0.0, 0.0)
        if mark.kind is MarkKind.ANSWER and known and asked is None:
            asked = float(date(known.year, known.month or 1, known.day or 1).toordinal())
        if mark.kind is MarkKind.RESULT and mark.step_number is not None:
            marks.append(
                TimelineMark(
                    lane=mark.lane,
                    step_number=mark.step_number,
                    day=(start + stop) / 2 if known else None,
                    published=known.text if known else "",
                    title=mark.title,
                    query_class=mark.query_class,
                    is_evidence=mark.reveals,
                    is_first=mark.is_first,
                    names_entity=mark.mentions,
                )
            )
    return tuple(marks), asked


def lane_names(cases: Sequence[CaseRow]) -> tuple[str, ...]:
    """What tells the lanes of the timeline apart, as short as that can be."""
    configurations = [case.configuration for case in cases]
    if len({case.kind for case in cases}) > 1:
        return tuple(case.kind_text for case in cases)
    if len({each.model for each in configurations}) < 2:
        return tuple(each.effort.value for each in configurations)
    if len({each.effort for each in configurations}) < 2:
        return tuple(each.model[:16] for each in configurations)
    return tuple(f"{each.model[:14]} {each.effort}" for each in configurations)
