"""A case as the reader shows it, read in one go on a worker thread: rows, marks, places to jump to, notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from btc_gui.domain.case import CaseRow
from btc_gui.domain.case_remarks import CaseRemarks
from btc_gui.domain.category import Category
from btc_gui.domain.trajectory import AnswerId, ResultId, Step, StepKind
from btc_gui.jobs.explain_case import Opinion, opinions_on
from btc_gui.progress import Progress
from btc_gui.sessions.case_side import Side
from btc_gui.sessions.case_timeline import CaseTimeline
from btc_gui.sessions.comparing import ComparingSession, Target, TargetKind
from btc_gui.store.case_remarks import case_remarks
from btc_gui.store.database import Database
from btc_gui.store.outlines import OutlineStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui.widgets.answer_diff import ShownAnswer
from btc_gui.ui.widgets.compare_view import RowView
from btc_gui.ui.widgets.marked_text import Passage, Span
from btc_gui.ui.widgets.step_card import StepView


@dataclass(frozen=True, slots=True)
class CaseGate:
    """A case of an open study that this person has not agreed to see: nothing of it was read."""

    ids: tuple[AnswerId, ...]
    studies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseReading:
    """All that the reader shows of a case, alone or beside others.

    `cases` are those that stand side by side, the one that was opened first; `others` are what it can be compared
    with. `find_in_rest` finds mentions behind the beginnings of very long texts, where there are such. For each lane,
    `remarks` are its notes and tags, and `opinions` what judges, classifiers and people said.
    """

    cases: tuple[CaseRow, ...]
    others: tuple[CaseRow, ...]
    change: str
    rows: tuple[RowView, ...]
    targets: Mapping[TargetKind, tuple[Target, ...]]
    difference: int | None
    timeline: CaseTimeline
    remarks: tuple[CaseRemarks, ...]
    opinions: tuple[tuple[Opinion, ...], ...]
    studies: tuple[str, ...]
    find_in_rest: Callable[[Progress], list[Target]] | None = field(default=None, compare=False)

    @property
    def case(self) -> CaseRow:
        """The case that was opened."""
        return self.cases[0]

    @property
    def answers(self) -> tuple[ShownAnswer, ...]:
        """The answer of each lane as it is compared with the others; what came instead where there is none."""
        views = [[row.steps[lane] for row in self.rows] for lane in range(len(self.cases))]
        found = []
        for case, name, own in zip(self.cases, self.timeline.lanes, views, strict=True):
            last = next((v for v in reversed(own) if v is not None and v.step.kind is StepKind.ANSWER), None)
            text = last.step.text if last else f"({case.ending.text})"
            whole = last.text.length if last and last.text else len(text)
            found.append(ShownAnswer(f"{name} · {case.reference}", text, whole > len(text)))
        return tuple(found)

    @property
    def ids(self) -> tuple[AnswerId, ...]:
        """The cases side by side, by their answers."""
        return tuple(case.answer_id for case in self.cases)


def read_case(
    database: Database,
    categories: Mapping[str, Category],
    ids: Sequence[AnswerId],
    person: str,
    *,
    has_agreed: bool,
    outlines: OutlineStore | None = None,
    others: tuple[CaseRow, ...] | None = None,
) -> CaseReading | CaseGate:
    """Read a case and those beside it. One of an open study is read, and that noted, only when the person agreed to it.

    Who knows the `others` that it can be compared with gives them.

    Raises `ProjectError` when there is no such case, `InputError` for cases that can't stand side by side.
    """
    studies = tuple(study.name for study in StudyStore(database).open_over(ids))
    if studies and not has_agreed:
        return CaseGate(tuple(ids), studies)
    session = ComparingSession(database, categories, person, outlines)
    session.open(ids[0])
    if len(ids) > 1:
        session.compare_with(*ids[1:])
    difference = session.first_divergence
    return CaseReading(
        cases=tuple(side.case for side in session.sides),
        others=tuple(session.others) if others is None else others,
        change=session.change,
        rows=_rows(session, difference),
        targets={kind: tuple(session.targets(kind)) for kind in TargetKind},
        difference=difference,
        timeline=session.timeline(),
        remarks=case_remarks(database, ids),
        opinions=tuple(opinions_on(database, side.case.answer_id, categories) for side in session.sides),
        studies=studies,
        find_in_rest=session.mentions_in_rest if session.has_rest else None,
    )


def _rows(session: ComparingSession, difference: int | None) -> tuple[RowView, ...]:
    ordinals = [{step.number: n for n, step in enumerate(s.trajectory.queries, start=1)} for s in session.sides]
    return tuple(
        RowView(
            tuple(
                _step_view(side, step, ordinals[lane].get(step.number, 0)) if step is not None else None
                for lane, (side, step) in enumerate(zip(session.sides, row.steps, strict=True))
            ),
            number == difference,
        )
        for number, row in enumerate(session.rows)
    )


def _step_view(side: Side, step: Step, ordinal: int) -> StepView:
    spans = tuple(Span(mention.start, mention.stop, Passage.MENTION) for mention in side.mentions(step))
    results: dict[ResultId, tuple[Span, ...]] = {}
    evidence = side.evidence(step)
    for result in step.results:
        if result.id is None or not (result.id in side.named or result.id in evidence):
            continue
        found = [Span(each.start, each.stop, Passage.EVIDENCE) for each in evidence.get(result.id, ())]
        found += [Span(each.start, each.stop, Passage.MENTION) for each in side.result_mentions(result)]
        found += [Span(start, stop, Passage.GUESS) for start, stop in side.guesses.get(result.id, ())]
        results[result.id] = tuple(found)
    return StepView(
        step,
        ordinal,
        side.query_class(step),
        spans,
        results,
        text=side.text_of(step),
        output=side.output_of(step),
        excerpts=side.cut_excerpts(step),
        evidence_by=side.evidence_by(step),
        lost_marks=tuple(m.quote for m in side.marks if ordinal and m.query == ordinal and m.evidence is None),
        names=side.names if step.kind is StepKind.ANSWER else (),
    )
