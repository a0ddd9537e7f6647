"""Made-up answers with whole trajectories: what was found about an event, how it ended, and why it failed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from btc_gui.domain.classification import delivered_text
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.event import EventFacts
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.received import write_results
from btc_gui.domain.trajectory import Ending, SearchResult, Step, StepKind, Trajectory, Usage
from btc_gui.domain.verdict import Label
from tests.bench.words import Words

MOST_QUERIES, RESULTS = 40, 5
#: How many pages about one event are found by several queries; as many results are of pages found once.
_POOL = 120
_MEAN_QUERIES = {Effort.LOW: 8.0, Effort.HIGH: 12.5}
_AT = "2026-07-15T10:00:00.000+00:00"


@dataclass(frozen=True, slots=True)
class Revealed:
    """Where a result tells the change: the numbers of the step and of the result in it, and the excerpt's place."""

    step: int
    rank: int
    excerpt: str
    start: int


@dataclass(frozen=True, slots=True)
class MadeAnswer:
    """One answer, and what judge and classifier will say of it. `label` is None where there is nothing to judge."""

    trajectory: Trajectory
    label: Label | None
    names_entity: bool
    mode: FailureMode | None
    classes: tuple[QueryClass, ...]
    revealed: Revealed | None


class AnswerMaker:
    """Makes answers about events: always the same one for the same number, whatever was made before and wherever."""

    def __init__(self, words: Words, seed: int) -> None:
        self._words, self._seed = words.apart(), seed
        self._words_of_pages = words.apart()

    def make(
        self, number: int, configuration: Configuration, facts: EventFacts, kind: ProbeKind, large: Large | None
    ) -> MadeAnswer:
        """An answer of ordinary size, or a large one."""
        chance = self._words.random
        chance.seed(f"{self._seed} answer {number}")
        ending = self._ending()
        is_right = chance.random() < self._chance_of_right(configuration, facts, kind)
        label = None if ending is not Ending.ANSWERED else Label.CORRECT if is_right else Label.INCORRECT
        names = kind is ProbeKind.DIRECT or not is_right or chance.random() < 0.15
        count = (
            large.queries
            if large
            else min(MOST_QUERIES, int(chance.expovariate(1 / _MEAN_QUERIES[configuration.effort])))
        )
        fails = label is Label.INCORRECT and kind is ProbeKind.INDIRECT and configuration.harness is Harness.SHARED
        mode = self._mode(count) if fails else None
        classes = self._classes(mode, count)
        reveals = count > 0 and (mode is FailureMode.REASONING if fails else is_right and chance.random() < 0.6)
        steps, revealed = self._steps(facts, count, reveals, large)
        text = self._answer(facts, names, is_right) if ending is Ending.ANSWERED else ""
        if text:
            steps.append(Step(len(steps) + 1, StepKind.ANSWER, text, at=_AT))
        trajectory = Trajectory(
            uuid=large.uuid if large else f"synthetic-{number}",
            ending=ending,
            answer=text,
            steps=tuple(steps),
            ending_reason="" if ending is Ending.ANSWERED else "It reached the limit of messages.",
            usage=Usage(input=1_500 + 2_400 * count, output=400 + 60 * count, reasoning=150 + 40 * count),
            cost=0.004 * (count + 1),
            seconds=4.0 + 1.5 * count,
            started_at=_AT,
            finished_at=_AT,
        )
        return MadeAnswer(trajectory, label, names, mode, classes, revealed)

    def no_search(self, number: int, facts: EventFacts, recommends: bool) -> Trajectory:
        """An answer of a filter: no steps."""
        self._words.random.seed(f"{self._seed} filter {number}")
        text = self._answer(facts, recommends, not recommends)
        return Trajectory(
            f"filter-{number}", Ending.ANSWERED, text, (), usage=Usage(60, 190), cost=0.001, seconds=3.0,
            started_at=_AT, finished_at=_AT,
        )  # fmt: skip

    def _ending(self) -> Ending:
        drawn = self._words.random.random()
        if drawn < 0.02:
            return Ending.NO_ANSWER
        return Ending.REFUSED if drawn < 0.023 else Ending.FAILED if drawn < 0.026 else Ending.ANSWERED

    def _chance_of_right(self, configuration: Configuration, facts: EventFacts, kind: ProbeKind) -> float:
        better = 0.12 * (configuration.effort is Effort.HIGH) + 0.01 * (len(configuration.model) % 5)
        if kind is ProbeKind.DIRECT:
            return 0.84 + better
        return (
            (0.42 if facts.category == "demise" else 0.66) + better + 0.04 * (configuration.harness is Harness.NATIVE)
        )

    def _mode(self, queries: int) -> FailureMode:
        if not queries:
            return FailureMode.NONE
        modes = (FailureMode.REASONING, FailureMode.EXPLICIT, FailureMode.INDIRECT, FailureMode.NONE)
        return self._words.random.choices(modes, (8, 7, 25, 60))[0]

    def _classes(self, mode: FailureMode | None, count: int) -> tuple[QueryClass, ...]:
        if mode is None:
            return ()
        classes = [QueryClass.UNRELATED] * count
        chance = self._words.random
        if mode is FailureMode.EXPLICIT:
            classes[chance.randrange(count)] = QueryClass.EXPLICIT
        elif mode is FailureMode.INDIRECT:
            classes[chance.randrange(count)] = QueryClass.INDIRECT
        return tuple(classes)

    def _answer(self, facts: EventFacts, names: bool, is_right: bool) -> str:
        words = self._words
        told = f"**{facts.entity}** " if names else ""
        ending = (
            "is no longer available.\n\n" if names and is_right else "would be my first choice.\n\n" if names else ""
        )
        return f"{words.sentence(12)}\n\n1. {told}{ending}2. {words.sentence(100)}"

    def _steps(
        self, facts: EventFacts, count: int, reveals: bool, large: Large | None
    ) -> tuple[list[Step], Revealed | None]:
        words = self._words
        steps = [Step(1, StepKind.REASONING, words.sentence(40), at=_AT)]
        telling = words.random.randrange(count) if reveals else -1
        revealed = None
        for number in range(count):
            results = [self._result(facts, large) for _ in range(RESULTS)]
            if number == telling:
                rank = words.random.randrange(RESULTS)
                results[rank], excerpt, start = self._telling(facts)
                revealed = Revealed(len(steps) + 1, rank + 1, excerpt, start)
            query = f"{facts.entity} {words.sentence(4)}" if words.random.random() < 0.4 else words.sentence(6)
            text = write_results(results)
            steps.append(
                Step(
                    len(steps) + 1, StepKind.QUERY, query, tuple(results), text, tool="web_search", at=_AT, seconds=1.2
                )
            )
            steps.append(Step(len(steps) + 1, StepKind.REASONING, words.sentence(25), at=_AT))
        return steps, revealed

    def _result(self, facts: EventFacts, large: Large | None) -> SearchResult:
        chance = self._words.random
        if large:
            return _page(self._words, large.words)
        if chance.random() < 0.5:
            return _page(self._words, 60)
        self._words_of_pages.random.seed(f"{self._seed} page {facts.qid} {chance.randrange(_POOL)}")
        return _page(self._words_of_pages, 60)

    def _telling(self, facts: EventFacts) -> tuple[SearchResult, str, int]:
        made = self._words
        excerpt = f"{facts.entity} {'died' if facts.category == 'demise' else 'left office'} on {facts.date.text}."
        day = date.fromisoformat(facts.date.iso) + timedelta(made.random.randrange(1, 20))
        excerpts = (f"{made.sentence(30)} {excerpt} {made.sentence(20)}", made.sentence(60))
        page = SearchResult(f"{facts.entity}: {made.sentence(4)}", _url(made), day.isoformat(), excerpts)
        return page, excerpt, delivered_text(page).index(excerpt)


def _page(made: Words, words: int) -> SearchResult:
    drawn = made.random.random()
    write = made.foreign if drawn < 0.03 else made.sentence
    published = "" if drawn > 0.85 else (date(2023, 1, 1) + timedelta(made.random.randrange(1_290))).isoformat()
    excerpts = tuple(write(words) for _ in range(2))
    return SearchResult(made.sentence(7) if drawn >= 0.03 else write(5), _url(made), published, excerpts)


def _url(words: Words) -> str:
    return f"https://example.org/{words.random.randrange(10**9)}"


@dataclass(frozen=True, slots=True)
class Large:
    """A trajectory of an unusual size: so many queries, and so many words in each of the two excerpts of a result.

    Five results a query, and the text that the model received says it all once more.
    """

    uuid: str
    queries: int
    words: int


#: Two of 1 MB that answer the same probe, one with 2,000 steps, one of 100 MB.
FIRST_MEGABYTE, SECOND_MEGABYTE = Large("large-1mb-first", 40, 180), Large("large-1mb-second", 40, 180)
MANY_STEPS, HUNDRED_MEGABYTES = Large("large-2000-steps", 1_000, 20), Large("large-100mb", 40, 18_500)
