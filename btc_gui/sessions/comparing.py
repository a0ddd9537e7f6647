"""Reading one case, alone or beside others: aligned steps, evidence, mentions, places to jump to. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from btc_gui.domain.alignment import align_steps
from btc_gui.domain.case import CaseRow
from btc_gui.domain.category import Category
from btc_gui.domain.classification import delivered_text
from btc_gui.domain.event import Event
from btc_gui.domain.excerpting import Piece
from btc_gui.domain.mentions import find_mentions, names_of
from btc_gui.domain.outline import Outline, TextPart, TextPlace
from btc_gui.domain.trajectory import AnswerId, ResultId, SearchResult, Step, StepKind
from btc_gui.errors import InputError
from btc_gui.progress import Progress
from btc_gui.sessions.case_side import Side, distant_pieces
from btc_gui.sessions.case_timeline import CaseTimeline, timeline_of
from btc_gui.sessions.human_marks import human_marks
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.outlines import OutlineStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import VerdictStore

#: So many trajectories can stand side by side.
MOST_LANES = 4


class TargetKind(StrEnum):
    """What one can jump to."""

    STEP = "step"
    QUERY = "query"
    EVIDENCE = "evidence"
    MENTION = "mention"
    GUESS = "guess"
    DIVERGENCE = "divergence"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Target:
    """A step to jump to: its row, its lane (0 is the leftmost) and its number."""

    row: int
    lane: int
    step_number: int


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """Steps that stand side by side, one a lane; None where a trajectory has no such step."""

    steps: tuple[Step | None, ...]


class ComparingSession:
    """What a researcher reads: one case, and up to three beside it. `person` is who (exposures are recorded).

    Trajectories that `outlines` has read already are not read again.
    """

    def __init__(
        self,
        database: Database,
        categories: Mapping[str, Category],
        person: str = "",
        outlines: OutlineStore | None = None,
    ) -> None:
        self._outlines = outlines or OutlineStore(database)
        self._database = database
        self._categories = categories
        self._person = person
        self._cases = CaseStore(database)
        self._event: Event | None = None
        self._sides: list[Side] = []
        self._rows: tuple[ComparedRow, ...] | None = None
        self._divergences: tuple[int, ...] | None = None

    # -- opening ---------------------------------------------------------------------------------------------

    def open(self, answer_id: AnswerId) -> None:
        """Read one case, alone. A case of an open study is noted as seen by this person.

        Raises `ProjectError` when there is no such case.
        """
        case = self._cases.get(answer_id)
        self._event = None if case.event_id is None else EventStore(self._database).get(case.event_id)
        self._put([self._side(case)])

    def compare_with(self, *others: AnswerId) -> None:
        """Put other cases about the same event beside it, in this order; none reads the first one alone again.

        Raises `InputError` for a case about another event or one that is there already, and for more than fit;
        `ProjectError` when there is no such case.
        """
        own = self.left.case
        ids = [own.answer_id, *others]
        if len(ids) > MOST_LANES:
            raise InputError(f"{len(ids)} trajectories can't stand side by side.", f"Choose {MOST_LANES} at most.")
        if len(set(ids)) < len(ids):
            raise InputError("A case can't stand beside itself.", "Choose different cases.")
        sides = [self.left]
        for case in map(self._cases.get, others):
            if case.event_id != own.event_id or (own.event_id is None and case.entity != own.entity):
                raise InputError(
                    f"{case.reference} is about {case.entity}, not about {own.entity}.",
                    "Compare cases about the same event.",
                )
            sides.append(self._side(case))
        self._put(sides)

    def _side(self, case: CaseRow) -> Side:
        self._cases.record_exposure(case.answer_id, self._person)
        ids = [case.answer_id]
        category = self._categories.get(case.category)
        is_person = category is None or bool(category.rules.get("human", False))
        outline = self._with_answer(self._outlines.outline(case.answer_id), case.answer_id)
        marks = human_marks(
            self._database, case.answer_id, outline.trajectory.queries, lambda result: self._delivered(outline, result)
        )
        side = Side(
            case=case,
            told_date=case.configuration.as_of or RunStore(self._database).get(case.run_id).recipe.current_date,
            outline=outline,
            verdict=VerdictStore(self._database).counting(ids).get(case.answer_id),
            classification=ClassificationStore(self._database).counting(ids).get(case.answer_id),
            names=names_of(self._event.facts, is_person=is_person) if self._event else (),
            change_words=category.change_words if category else (),
            marks=marks,
        )
        return replace(side, distant=self._distant(side))

    def _with_answer(self, outline: Outline, answer_id: AnswerId) -> Outline:
        """With the answer as its only step where none were stored: those of filters are kept without steps."""
        trajectory = outline.trajectory
        if trajectory.steps or not trajectory.answer:
            return outline
        # Whole: what is cut is found again by its step, and this one is not in the project.
        answer = AnswerStore(self._database).get(answer_id).answer
        return replace(outline, trajectory=replace(trajectory, steps=(Step(1, StepKind.ANSWER, answer),)))

    def _delivered(self, outline: Outline, result: SearchResult) -> str:
        """The whole text that a result delivered."""
        place = TextPlace(TextPart.EXCERPTS, result.id) if result.id is not None else None
        if place is None or place not in outline.cut:
            return delivered_text(result)
        return f"{result.title}\n{self._outlines.whole(place)}"

    def _distant(self, side: Side) -> dict[ResultId, tuple[Piece, ...]]:
        """The neighbourhood of evidence that lies behind what was read of a very long result."""
        found: dict[ResultId, tuple[Piece, ...]] = {}
        if not side.outline.cut:
            return found
        for result in (result for step in side.trajectory.queries for result in step.results):
            if result.id is None or TextPlace(TextPart.EXCERPTS, result.id) not in side.outline.cut:
                continue
            behind_title = len(result.title) + 1
            passages = [
                (each.start - behind_title, each.stop - behind_title)
                for each in side.all_evidence
                if each.result_id == result.id
            ]
            at_hand = len(delivered_text(result)) - behind_title
            if any(stop > at_hand for _, stop in passages):
                whole = self._delivered(side.outline, result)[behind_title:]
                found[result.id] = distant_pieces(whole, at_hand, passages)
        return found

    def _put(self, sides: list[Side]) -> None:
        self._sides = sides
        # Aligned when somebody asks: who compares at once needs no rows of the first case alone.
        self._rows = self._divergences = None

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
    def sides(self) -> tuple[Side, ...]:
        """One to four cases, the one that was opened first."""
        return tuple(self._sides)

    @property
    def others(self) -> list[CaseRow]:
        """The cases to compare with: the same probe's first, then the event's other probes, direct ones too."""
        ids = self._cases.relatives(self.left.case.answer_id)
        found = self._cases.fetch(ids)
        return [found[answer_id] for answer_id in ids if answer_id in found]

    @property
    def rows(self) -> tuple[ComparedRow, ...]:
        """The steps, aligned when there are several cases: alike queries and steps of one kind side by side."""
        if self._rows is None:
            self._rows = tuple(ComparedRow(steps) for steps in align_steps([s.trajectory.steps for s in self._sides]))
        return self._rows

    @property
    def divergences(self) -> tuple[int, ...]:
        """The rows from which on only some search or answer; none where there is only one case."""
        if self._divergences is None:
            self._divergences = tuple(_divergences(self.rows))
        return self._divergences

    @property
    def first_divergence(self) -> int | None:
        """The first row in which only some search or answer; None when there is none, or only one case."""
        return self.divergences[0] if self.divergences else None

    # -- jumping ---------------------------------------------------------------------------------------------

    def targets(self, kind: TargetKind) -> list[Target]:
        """All places of a kind, from top to bottom, left before right."""
        if kind is TargetKind.DIVERGENCE:
            return [_first_step(self.rows, number) for number in self.divergences]
        return [
            Target(number, lane, step.number)
            for number, row in enumerate(self.rows)
            for lane, step in enumerate(row.steps)
            if step is not None and self._is_target(self._sides[lane], step, kind)
        ]

    def _is_target(self, side: Side, step: Step, kind: TargetKind) -> bool:
        if kind is TargetKind.STEP:
            return True
        if kind is TargetKind.QUERY:
            return step.kind is StepKind.QUERY
        if kind is TargetKind.ANSWER:
            return step.kind is StepKind.ANSWER
        if kind is TargetKind.EVIDENCE:
            return bool(side.evidence(step))
        if kind is TargetKind.GUESS:
            return any(result.id in side.guesses for result in step.results)
        return step.number in side.mentions_of or any(result.id in side.named for result in step.results)

    @property
    def has_rest(self) -> bool:
        """Whether texts are so long that only their beginnings were searched for mentions."""
        return any(side.outline.cut and side.names for side in self._sides)

    def mentions_in_rest(self, progress: Progress) -> list[Target]:
        """The steps that name the entity only behind what was read of their texts; all of those are read for it.

        Takes a second for each hundred megabytes, and little memory.
        """
        known = {(target.row, target.lane) for target in self.targets(TargetKind.MENTION)}
        found: list[Target] = []
        for number, row in enumerate(self.rows):
            for lane, step in enumerate(row.steps):
                if step is not None and (number, lane) not in known and self._names_later(lane, step, progress):
                    found.append(Target(number, lane, step.number))
        return found

    def _names_later(self, lane: int, step: Step, progress: Progress) -> bool:
        side = self._sides[lane]
        places = [TextPlace(TextPart.TEXT, step.id)] if step.id is not None else []
        places += [TextPlace(TextPart.EXCERPTS, result.id) for result in step.results if result.id is not None]
        for place in places:
            for piece in self._outlines.pieces(place) if place in side.outline.cut else ():
                progress.check()
                if find_mentions(piece, side.names):
                    return True
        return False

    # -- the timeline ----------------------------------------------------------------------------------------

    def timeline(self) -> CaseTimeline:
        """The change, and every result at its publication date, a lane for each case."""
        return timeline_of(self._event, self._sides)


def neighbour(targets: Sequence[Target], place: tuple[int, int], *, forward: bool) -> Target | None:
    """Of places in their order the next one behind a row and lane, or the last one in front of it."""
    if forward:
        return next((target for target in targets if (target.row, target.lane) > place), None)
    return next((target for target in reversed(targets) if (target.row, target.lane) < place), None)


def _divergences(rows: Sequence[ComparedRow]) -> list[int]:
    found: list[int] = []
    are_together = True
    for number, row in enumerate(rows):
        present = [step for step in row.steps if step is not None]
        if present[0].kind not in (StepKind.QUERY, StepKind.ANSWER):
            continue
        is_together = len(present) == len(row.steps)
        if are_together and not is_together:
            found.append(number)
        are_together = is_together
    return found


def _first_step(rows: Sequence[ComparedRow], number: int) -> Target:
    return next(Target(number, lane, step.number) for lane, step in enumerate(rows[number].steps) if step is not None)
