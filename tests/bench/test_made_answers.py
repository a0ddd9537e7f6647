"""The synthetic project is the same however many processes make it: an answer depends on the seed and its number."""

from __future__ import annotations

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts
from btc_gui.domain.probe import ProbeKind
from tests.bench.made_answers import AnswerMaker, MadeAnswer
from tests.bench.words import Words

_FACTS = EventFacts("demise", "Ada Quist", EventDate(2026, 5, 9), qid="Q1")
_CONFIGURATION = Configuration("Larkspur-2", Harness.SHARED, Effort.HIGH, "exa")


def _made(maker: AnswerMaker, number: int) -> MadeAnswer:
    return maker.make(number, _CONFIGURATION, _FACTS, ProbeKind.INDIRECT, None)


def test_an_answer_is_the_same_whatever_was_made_before_it_and_pages_are_found_again() -> None:
    words = Words(7)
    first, second = AnswerMaker(words, 7), AnswerMaker(words, 7)
    there = [_made(first, number) for number in range(6)]
    assert [_made(second, number) for number in reversed(range(6))] == there[::-1]
    assert _made(AnswerMaker(words, 8), 0) != there[0]
    pages = [result for each in there for step in each.trajectory.queries for result in step.results]
    assert len(set(pages)) < len(pages)
