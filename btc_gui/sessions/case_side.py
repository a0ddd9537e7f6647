"""One case as it is read, alone or beside others: its trajectory, what was found in it, who is named in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from btc_gui.domain.case import CaseRow
from btc_gui.domain.classification import Classification, Evidence, delivered_text
from btc_gui.domain.excerpting import LongText, Piece, excerpted
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.guesses import guess_passages
from btc_gui.domain.mentions import Mention, Name, find_mentions
from btc_gui.domain.outline import Outline, TextPart, TextPlace
from btc_gui.domain.trajectory import ResultId, SearchResult, Step, Trajectory
from btc_gui.domain.verdict import Verdict
from btc_gui.sessions.human_marks import HumanMark


@dataclass(frozen=True)
class Side:
    """One case with its trajectory, its verdict and what classifier and people found.

    Of very long texts the `outline` has the beginning only; `distant` has the neighbourhood of evidence behind that, by
    result, with places in its excerpts. `told_date` is the day that the agent was told it is (ISO).
    """

    case: CaseRow
    told_date: str
    outline: Outline
    verdict: Verdict | None
    classification: Classification | None
    names: tuple[Name, ...]
    change_words: tuple[str, ...] = ()
    marks: tuple[HumanMark, ...] = ()
    distant: dict[ResultId, tuple[Piece, ...]] = field(default_factory=dict)

    @property
    def trajectory(self) -> Trajectory:
        """What happened; the beginnings of very long texts."""
        return self.outline.trajectory

    def query_class(self, step: Step) -> QueryClass | None:
        """What the classifier says this query could reveal; None for other steps, or where it said nothing."""
        if self.classification is None or step.id is None:
            return None
        return self.classification.queries.get(step.id)

    def evidence(self, step: Step) -> dict[ResultId, list[Evidence]]:
        """The evidence in a query's results, by result: what the classifier quoted and what people marked, each once.

        Offsets count in the result's whole `delivered_text`.
        """
        known = self.evidence_of
        return {result.id: known[result.id] for result in step.results if result.id in known} if known else {}

    @cached_property
    def evidence_of(self) -> dict[ResultId, list[Evidence]]:
        """The results that have evidence, with each passage once."""
        found: dict[ResultId, list[Evidence]] = {}
        for each in self.all_evidence:
            if each not in found.setdefault(each.result_id, []):
                found[each.result_id].append(each)
        return found

    @property
    def all_evidence(self) -> tuple[Evidence, ...]:
        """The classifier's evidence, then people's; one passage may come twice."""
        found = self.classification.evidence if self.classification is not None else ()
        return (*found, *(mark.evidence for mark in self.marks if mark.evidence is not None))

    def evidence_by(self, step: Step) -> tuple[str, ...]:
        """Who located evidence in a query's results."""
        if not step.results:
            return ()
        own = {result.id for result in step.results}
        who: list[str] = []
        if self.classification is not None and any(e.result_id in own for e in self.classification.evidence):
            who.append(self.classification.classifier)
        who += [mark.annotator for mark in self.marks if mark.evidence is not None and mark.evidence.result_id in own]
        return tuple(dict.fromkeys(who))

    def mentions(self, step: Step) -> list[Mention]:
        """Where the step's text names the entity."""
        return self.mentions_of.get(step.number, [])

    @cached_property
    def mentions_of(self) -> dict[int, list[Mention]]:
        """The steps whose own texts name the entity, by their numbers."""
        found = {step.number: find_mentions(step.text, self.names) for step in self.trajectory.steps}
        return {number: mentions for number, mentions in found.items() if mentions}

    def result_mentions(self, result: SearchResult) -> list[Mention]:
        """Where a result names the entity; offsets count in its `delivered_text`."""
        return self.named.get(result.id, []) if result.id is not None else []

    @cached_property
    def named(self) -> dict[ResultId, list[Mention]]:
        """The results that name the entity."""
        if not self.names:
            return {}
        return {
            result.id: mentions
            for result in self._results
            if result.id is not None and (mentions := find_mentions(delivered_text(result), self.names))
        }

    @cached_property
    def guesses(self) -> dict[ResultId, list[tuple[int, int]]]:
        """Where results seem to tell of the change, by their words, and nobody located evidence; offsets as above."""
        found: dict[ResultId, list[tuple[int, int]]] = {}
        named = self.named if self.change_words else {}
        for result in (each for each in self._results if each.id in named):
            assert result.id is not None
            known = [(each.start, each.stop) for each in self.evidence_of.get(result.id, ())]
            guessed = guess_passages(delivered_text(result), named[result.id], self.change_words)
            free = [(a, b) for a, b in guessed if not any(a < stop and start < b for start, stop in known)]
            if free:
                found[result.id] = free
        return found

    @property
    def _results(self) -> Iterable[SearchResult]:
        return (result for step in self.trajectory.steps for result in step.results)

    def text_of(self, step: Step) -> LongText | None:
        """A step's own text as far as it is at hand; None where that is all of it."""
        return self._long(step.text, TextPart.TEXT, step.id)

    def output_of(self, step: Step) -> LongText | None:
        """What a step's tool gave, as far as it is at hand; None where that is all of it."""
        return self._long(step.output, TextPart.OUTPUT, step.id)

    def cut_excerpts(self, step: Step) -> dict[ResultId, LongText]:
        """The excerpts of a step's results, a line each, as far as they are at hand, where that is not all of them."""
        if not self.outline.cut:
            return {}
        found = {
            result.id: self._long(
                "\n".join(result.excerpts), TextPart.EXCERPTS, result.id, self.distant.get(result.id, ())
            )
            for result in step.results
            if result.id is not None
        }
        return {result_id: text for result_id, text in found.items() if text is not None}

    def _long(self, text: str, part: TextPart, place_id: int | None, more: tuple[Piece, ...] = ()) -> LongText | None:
        if not self.outline.cut or place_id is None:
            return None
        place = TextPlace(part, place_id)
        length = self.outline.cut.get(place, 0)
        return LongText((Piece(0, text), *more), length, place) if length > len(text) else None


def distant_pieces(whole: str, at_hand: int, passages: Iterable[tuple[int, int]]) -> tuple[Piece, ...]:
    """The neighbourhood of passages in excerpts that lie behind what is at hand of them."""
    behind = [(start, stop) for start, stop in passages if stop > at_hand]
    return excerpted(whole[at_hand:], behind, 0, at_hand) if behind else ()
