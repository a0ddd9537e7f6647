"""One case as it is read, alone or beside others: its trajectory, what was found in it, who is named in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

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
    # What was looked for once, by step or result: a reading asks several times.
    _found: dict[tuple[str, int], list[Mention]] = field(default_factory=dict, repr=False, compare=False)
    _guessed: dict[int, list[tuple[int, int]]] = field(default_factory=dict, repr=False, compare=False)

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
        found: dict[ResultId, list[Evidence]] = {}
        evidence = self.all_evidence
        if not evidence or not step.results:
            return found
        own = {result.id for result in step.results}
        for each in evidence:
            if each.result_id in own and each not in found.get(each.result_id, ()):
                found.setdefault(each.result_id, []).append(each)
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
        return self._find("step", step.number, lambda: step.text)

    def result_mentions(self, result: SearchResult) -> list[Mention]:
        """Where a result names the entity; offsets count in its `delivered_text`."""
        found = self._found.get(("result", result.id or 0))
        return self._find("result", result.id or 0, lambda: delivered_text(result)) if found is None else found

    def guesses(self, result: SearchResult) -> list[tuple[int, int]]:
        """Where a result seems to tell of the change, by its words, and nobody located evidence; offsets as above."""
        if not self.change_words or not self.result_mentions(result):
            return []
        if result.id in self._guessed:
            return self._guessed[result.id]
        known = [(each.start, each.stop) for each in self.all_evidence if each.result_id == result.id]
        found = guess_passages(delivered_text(result), self.result_mentions(result), self.change_words)
        guessed = [(a, b) for a, b in found if not any(a < stop and start < b for start, stop in known)]
        if result.id is not None:
            self._guessed[result.id] = guessed
        return guessed

    def text_of(self, step: Step) -> LongText | None:
        """A step's own text as far as it is at hand; None where that is all of it."""
        return self._long(step.text, TextPart.TEXT, step.id)

    def output_of(self, step: Step) -> LongText | None:
        """What a step's tool gave, as far as it is at hand; None where that is all of it."""
        return self._long(step.output, TextPart.OUTPUT, step.id)

    def excerpts_of(self, result: SearchResult) -> LongText | None:
        """The excerpts of a result, a line each, as far as they are at hand; None where that is all of them."""
        if not self.outline.cut:
            return None
        more = self.distant.get(result.id, ()) if result.id is not None else ()
        return self._long("\n".join(result.excerpts), TextPart.EXCERPTS, result.id, more)

    def _long(self, text: str, part: TextPart, place_id: int | None, more: tuple[Piece, ...] = ()) -> LongText | None:
        if not self.outline.cut or place_id is None:
            return None
        place = TextPlace(part, place_id)
        length = self.outline.cut.get(place, 0)
        return LongText((Piece(0, text), *more), length, place) if length > len(text) else None

    def _find(self, kind: str, number: int, text: Callable[[], str]) -> list[Mention]:
        if not number:
            return find_mentions(text(), self.names)
        if (kind, number) not in self._found:
            self._found[(kind, number)] = find_mentions(text(), self.names) if self.names else []
        return self._found[(kind, number)]


def distant_pieces(whole: str, at_hand: int, passages: Iterable[tuple[int, int]]) -> tuple[Piece, ...]:
    """The neighbourhood of passages in excerpts that lie behind what is at hand of them."""
    behind = [(start, stop) for start, stop in passages if stop > at_hand]
    return excerpted(whole[at_hand:], behind, 0, at_hand) if behind else ()
