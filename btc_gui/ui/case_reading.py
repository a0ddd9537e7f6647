"""A case as the reader shows it, read in one go on a worker thread: rows, marks, places to jump to, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from btc_gui.domain.case import CaseRow
from btc_gui.domain.category import Category
from btc_gui.domain.timeline import TimelineEvent, TimelineMark, event_span, published_date, span_of
from btc_gui.domain.trajectory import AnswerId, ResultId, Step, StepKind
from btc_gui.jobs.explain_case import Opinion, opinions_on
from btc_gui.sessions.comparing import ComparingSession, MarkKind, Side, Target, TargetKind
from btc_gui.store.cases import CaseNote, CaseStore
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from btc_gui.ui.widgets.compare_view import RowView
from btc_gui.ui.widgets.marked_text import Passage, Span
from btc_gui.ui.widgets.step_card import StepView


@dataclass(frozen=True, slots=True)
class CaseGate:
    """A case of an open study that this person has not agreed to see: nothing of it was read."""

    answer_id: AnswerId
    other_id: AnswerId | None
    studies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseReading:
    """All that the reader shows of a case, alone or beside another.

    `asked` is the day of the answer; `opinions` holds for each side what judges and classifiers said of it.
    """

    case: CaseRow
    other: CaseRow | None
    others: tuple[CaseRow, ...]
    change: str
    rows: tuple[RowView, ...]
    targets: Mapping[TargetKind, tuple[Target, ...]]
    difference: int | None
    event: TimelineEvent | None
    lanes: tuple[str, ...]
    marks: tuple[TimelineMark, ...]
    asked: float | None
    notes: tuple[CaseNote, ...]
    opinions: tuple[tuple[Opinion, ...], ...]
    studies: tuple[str, ...]


def read_case(
    database: Database,
    categories: Mapping[str, Category],
    answer_id: AnswerId,
    other_id: AnswerId | None,
    person: str,
    *,
    has_agreed: bool,
) -> CaseReading | CaseGate:
    """Read a case. One of an open study is read, and that noted, only when the person has agreed to it.

    Raises `ProjectError` when there is no such case.
    """
    ids = [answer_id, *([other_id] if other_id is not None else [])]
    studies = tuple(study.name for study in StudyStore(database).open_over(ids))
    if studies and not has_agreed:
        return CaseGate(answer_id, other_id, studies)
    session = ComparingSession(database, categories, person)
    session.open(answer_id)
    if other_id is not None:
        session.compare_with(other_id)
    difference = session.first_divergence
    marks, asked = _timeline(session)
    return CaseReading(
        case=session.left.case,
        other=session.right.case if session.right else None,
        others=tuple(session.others),
        change=session.change,
        rows=_rows(session, difference),
        targets={kind: tuple(session.targets(kind)) for kind in TargetKind},
        difference=difference,
        event=event_span(session.event.facts.date) if session.event else None,
        lanes=_lanes([side.case for side in session.sides]),
        marks=marks,
        asked=asked,
        notes=tuple(CaseStore(database).notes(answer_id)),
        opinions=tuple(opinions_on(database, side.case.answer_id, categories) for side in session.sides),
        studies=studies,
    )


def _lanes(cases: Sequence[CaseRow]) -> tuple[str, ...]:
    """What tells the lanes of the timeline apart, as short as that can be."""
    configurations = [case.configuration for case in cases]
    if len({case.kind for case in cases}) > 1:
        return tuple(case.kind_text for case in cases)
    if len({each.model for each in configurations}) < 2:
        return tuple(each.effort.value for each in configurations)
    if len({each.effort for each in configurations}) < 2:
        return tuple(each.model[:16] for each in configurations)
    return tuple(f"{each.model[:14]} {each.effort}" for each in configurations)


def _rows(session: ComparingSession, difference: int | None) -> tuple[RowView, ...]:
    ordinals = [{step.number: n for n, step in enumerate(s.trajectory.queries, start=1)} for s in session.sides]
    rows = []
    for number, row in enumerate(session.rows):
        views = [
            _step_view(side, step, ordinals[lane].get(step.number, 0)) if step is not None else None
            for lane, (side, step) in enumerate(zip(session.sides, (row.left, row.right), strict=False))
        ]
        rows.append(RowView(views[0], views[1] if len(views) > 1 else None, number == difference))
    return tuple(rows)


def _step_view(side: Side, step: Step, ordinal: int) -> StepView:
    spans = tuple(Span(mention.start, mention.stop, Passage.MENTION) for mention in side.mentions(step))
    results: dict[ResultId, tuple[Span, ...]] = {}
    if step.kind is StepKind.QUERY:
        evidence = side.evidence(step)
        for result in step.results:
            if result.id is None:
                continue
            found = [Span(each.start, each.stop, Passage.EVIDENCE) for each in evidence.get(result.id, ())]
            found += [Span(each.start, each.stop, Passage.MENTION) for each in side.result_mentions(result)]
            if found:
                results[result.id] = tuple(found)
    return StepView(step, ordinal, side.query_class(step), spans, results)


def _timeline(session: ComparingSession) -> tuple[tuple[TimelineMark, ...], float | None]:
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
