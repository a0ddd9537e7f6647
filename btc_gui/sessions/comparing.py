"""Reading one case, alone or beside another: aligned steps, evidence, mentions, places to jump to. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from btc_gui.domain.alignment import GAP, align_by, similarity_of_keys
from btc_gui.domain.case import CaseRow
from btc_gui.domain.category import Category
from btc_gui.domain.classification import Classification, Evidence, delivered_text
from btc_gui.domain.event import Event
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.folding import search_key
from btc_gui.domain.mentions import Mention, Name, find_mentions, names_of
from btc_gui.domain.timeline import published_date
from btc_gui.domain.trajectory import AnswerId, ResultId, SearchResult, Step, StepKind, Trajectory
from btc_gui.domain.verdict import Verdict
from btc_gui.errors import InputError
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import VerdictStore

# Steps other than queries are paired when they are of one kind: just better than leaving both alone.
_SAME_KIND = 2 * GAP + 0.05


class TargetKind(StrEnum):
    """What one can jump to."""

    QUERY = "query"
    EVIDENCE = "evidence"
    MENTION = "mention"
    ANSWER = "answer"


class MarkKind(StrEnum):
    """What a mark on the timeline stands for."""

    EVENT = "event"
    RESULT = "result"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Target:
    """A step to jump to: its row, its side (0 left, 1 right) and its number."""

    row: int
    lane: int
    step_number: int


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """Steps that stand side by side; None where a side has no such step."""

    left: Step | None
    right: Step | None = None


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


@dataclass(frozen=True)
class Side:
    """One case with its trajectory, its verdict and what the classifier found.

    `told_date` is the day that the agent was told it is (ISO).
    """

    case: CaseRow
    told_date: str
    trajectory: Trajectory
    verdict: Verdict | None
    classification: Classification | None
    names: tuple[Name, ...]
    _found: dict[str, list[Mention]] = field(default_factory=dict, repr=False, compare=False)

    def query_class(self, step: Step) -> QueryClass | None:
        """What the classifier says this query could reveal; None for other steps, or where it said nothing."""
        if self.classification is None or step.id is None:
            return None
        return self.classification.queries.get(step.id)

    def evidence(self, step: Step) -> dict[ResultId, list[Evidence]]:
        """The evidence in a query's results, by result; offsets count in the result's `delivered_text`."""
        found: dict[ResultId, list[Evidence]] = {}
        if self.classification is not None:
            own = {result.id for result in step.results}
            for each in self.classification.evidence:
                if each.result_id in own:
                    found.setdefault(each.result_id, []).append(each)
        return found

    def mentions(self, step: Step) -> list[Mention]:
        """Where the step's text names the entity."""
        return self._find(step.text)

    def result_mentions(self, result: SearchResult) -> list[Mention]:
        """Where a result names the entity; offsets count in its `delivered_text`."""
        return self._find(delivered_text(result))

    def _find(self, text: str) -> list[Mention]:
        if text not in self._found:
            self._found[text] = find_mentions(text, self.names)
        return self._found[text]


class ComparingSession:
    """What a researcher reads: one case, and another beside it. `person` is who (exposures are recorded)."""

    def __init__(self, database: Database, categories: Mapping[str, Category], person: str = "") -> None:
        self._database = database
        self._categories = categories
        self._person = person
        self._cases = CaseStore(database)
        self._event: Event | None = None
        self._sides: list[Side] = []
        self._rows: list[ComparedRow] = []

    # -- opening ---------------------------------------------------------------------------------------------

    def open(self, answer_id: AnswerId) -> None:
        """Read one case, alone. A case of an open study is noted as seen by this person.

        Raises `ProjectError` when there is no such case.
        """
        case = self._cases.get(answer_id)
        self._event = None if case.event_id is None else EventStore(self._database).get(case.event_id)
        self._sides = [self._side(case)]
        self._align()

    def compare_with(self, answer_id: AnswerId | None) -> None:
        """Put another case about the same event beside it; None reads the first one alone again.

        Raises `InputError` for a case about another event, `ProjectError` when there is no such case.
        """
        del self._sides[1:]
        if answer_id is not None:
            case = self._cases.get(answer_id)
            own = self.left.case
            if case.event_id != own.event_id or (own.event_id is None and case.entity != own.entity):
                raise InputError(
                    f"{case.reference} is about {case.entity}, not about {own.entity}.",
                    "Compare cases about the same event.",
                )
            self._sides.append(self._side(case))
        self._align()

    def _side(self, case: CaseRow) -> Side:
        self._cases.record_exposure(case.answer_id, self._person)
        ids = [case.answer_id]
        category = self._categories.get(case.category)
        is_person = category is None or bool(category.rules.get("human", False))
        return Side(
            case=case,
            told_date=case.configuration.as_of or RunStore(self._database).get(case.run_id).recipe.current_date,
            trajectory=AnswerStore(self._database).trajectory(case.answer_id),
            verdict=VerdictStore(self._database).counting(ids).get(case.answer_id),
            classification=ClassificationStore(self._database).counting(ids).get(case.answer_id),
            names=names_of(self._event.facts, is_person=is_person) if self._event else (),
        )

    def _align(self) -> None:
        steps = [side.trajectory.steps for side in self._sides]
        if len(steps) == 1:
            self._rows = [ComparedRow(step) for step in steps[0]]
            return
        keyed = [[(step, search_key(step.text) if step.kind is StepKind.QUERY else "") for step in s] for s in steps]
        self._rows = [
            ComparedRow(None if i is None else steps[0][i], None if j is None else steps[1][j])
            for i, j in align_by(keyed[0], keyed[1], _alike)
        ]

    # -- what is shown ---------------------------------------------------------------------------------------

    @property
    def event(self) -> Event | None:
        """The event that the case is about; None for a sample of somebody else's log."""
        return self._event

    @property
    def change(self) -> str:
        """What changed, as a sentence of the category; the name of a sample that is about no event."""
        if self._event is None:
            return self.left.case.entity
        category = self._categories.get(self._event.facts.category)
        return category.fact_after(self._event.facts) if category else self._event.title

    @property
    def left(self) -> Side:
        """The case that was opened."""
        return self._sides[0]

    @property
    def right(self) -> Side | None:
        """The case beside it, if any."""
        return self._sides[1] if len(self._sides) > 1 else None

    @property
    def sides(self) -> tuple[Side, ...]:
        """One or two cases, the left one first."""
        return tuple(self._sides)

    @property
    def others(self) -> list[CaseRow]:
        """The cases to compare with: the same probe's first, then the event's other probes, direct ones too."""
        ids = self._cases.relatives(self.left.case.answer_id)
        found = self._cases.fetch(ids)
        return [found[answer_id] for answer_id in ids if answer_id in found]

    @property
    def rows(self) -> tuple[ComparedRow, ...]:
        """The steps, aligned when there are two cases: alike queries and steps of one kind side by side."""
        return tuple(self._rows)

    @property
    def first_divergence(self) -> int | None:
        """The first row in which only one side searches or answers; None when there is none, or only one side."""
        if self.right is None:
            return None
        for number, row in enumerate(self._rows):
            alone = row.left or row.right
            if (row.left is None or row.right is None) and alone and alone.kind in (StepKind.QUERY, StepKind.ANSWER):
                return number
        return None

    # -- jumping ---------------------------------------------------------------------------------------------

    def targets(self, kind: TargetKind) -> list[Target]:
        """All places of a kind, from top to bottom, left before right."""
        return [
            Target(number, lane, step.number)
            for number, row in enumerate(self._rows)
            for lane, step in enumerate((row.left, row.right))
            if step is not None and self._is_target(self._sides[lane], step, kind)
        ]

    def _is_target(self, side: Side, step: Step, kind: TargetKind) -> bool:
        if kind is TargetKind.QUERY:
            return step.kind is StepKind.QUERY
        if kind is TargetKind.ANSWER:
            return step.kind is StepKind.ANSWER
        if kind is TargetKind.EVIDENCE:
            return bool(side.evidence(step))
        return bool(side.mentions(step)) or any(side.result_mentions(result) for result in step.results)

    def next_target(self, kind: TargetKind, after: Target | None = None) -> Target | None:
        """The next place of a kind behind `after` (None: from the top); None when there is none further on."""
        place = (-1, -1) if after is None else (after.row, after.lane)
        return next((target for target in self.targets(kind) if (target.row, target.lane) > place), None)

    def previous_target(self, kind: TargetKind, before: Target) -> Target | None:
        """The last place of a kind in front of `before`; None when there is none."""
        found = [t for t in self.targets(kind) if (t.row, t.lane) < (before.row, before.lane)]
        return found[-1] if found else None

    def next_query(self, after: Target | None = None) -> Target | None:
        """The next query."""
        return self.next_target(TargetKind.QUERY, after)

    def next_evidence(self, after: Target | None = None) -> Target | None:
        """The next query with a result that reveals the change."""
        return self.next_target(TargetKind.EVIDENCE, after)

    def next_mention(self, after: Target | None = None) -> Target | None:
        """The next step that names the entity, in its text or in a result."""
        return self.next_target(TargetKind.MENTION, after)

    # -- the timeline ----------------------------------------------------------------------------------------

    def timeline(self) -> list[Mark]:
        """The change, every result at its publication date, and the answers; dated marks first, by date."""
        marks = [Mark(self._event.facts.date.iso, MarkKind.EVENT, title=self.change)] if self._event else []
        for lane, side in enumerate(self._sides):
            marks += _result_marks(lane, side)
            marks.append(_answer_mark(lane, side))
        return sorted(marks, key=lambda mark: (not mark.date, mark.date))


def _alike(left: tuple[Step, str], right: tuple[Step, str]) -> float | None:
    (one, one_key), (other, other_key) = left, right
    if one.kind is not other.kind or one.tool != other.tool:
        return None
    if one.kind is StepKind.QUERY:
        return similarity_of_keys(one_key, other_key)
    return 1.0 if one.kind is StepKind.ANSWER else _SAME_KIND


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
