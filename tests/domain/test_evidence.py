"""Checking a classifier: its excerpts must have been delivered, its labels must cover every query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.classifier_reply import ClassifierReply
from btc_gui.domain.evidence import Finding, examine, locate, numbered_results
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.trajectory import Ending, ResultId, SearchResult, Step, StepId, StepKind, Trajectory

DELIVERED = "Obituaries, May\nHe  said: “I’ll be\nback.” Jose\u0301 died on\u00a09 May."


def _trajectory() -> Trajectory:
    def result(number: int, title: str, *excerpts: str) -> SearchResult:
        return SearchResult(title, "https://example.org", "", excerpts, ResultId(number))

    steps = (
        Step(1, StepKind.REASONING, "Hm.", id=StepId(10)),
        Step(2, StepKind.QUERY, "one", (result(101, "First", "Nothing here."),), id=StepId(11)),
        Step(3, StepKind.QUERY, "two", error="the search failed", id=StepId(12)),
        Step(
            4,
            StepKind.QUERY,
            "three",
            (result(102, "Second", "Old news."), result(103, "He died in May", "A  long\nreport.", "Buried in Bath.")),
            id=StepId(13),
        ),
    )
    return Trajectory("u", Ending.ANSWERED, "Ask him.", steps)


def _examine(labels: list[tuple[int, str]], *evidence: tuple[int, str]) -> Finding:
    reply = ClassifierReply.model_validate(
        {
            "rationale": "Because.",
            "evidence": [{"result": number, "excerpt": text} for number, text in evidence],
            "queries": [{"query": number, "label": label} for number, label in labels],
        }
    )
    return examine(reply, _trajectory())


UNRELATED = [(1, "unrelated"), (2, "unrelated"), (3, "unrelated")]


@pytest.mark.parametrize(
    ("excerpt", "found"),
    [
        ('He said: "I\'ll be back."', "He  said: “I’ll be\nback.”"),
        ("José died on 9 May", "Jose\u0301 died on\u00a09 May"),
        (" Obituaries,\tMay ", "Obituaries, May"),
        ("May He said", "May\nHe  said"),
        ("jose died", None),
        ("He died on 9 May", None),
        ("Jose died", None),
        ("", None),
        (" … ", None),
    ],
)
def test_where_an_excerpt_occurs(excerpt: str, found: str | None) -> None:
    """Space, quotes and ways to write an accent don't matter; words, case and missing accents do."""
    place = locate(excerpt, DELIVERED)
    assert (DELIVERED[place[0] : place[1]] if place else None) == found


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_what_was_copied_is_found(before: str, excerpt: str, after: str) -> None:
    """Whatever a classifier copies letter by letter from a text is found in it."""
    place = locate(f"x{excerpt}y", f"{before} x{excerpt}y {after}")
    assert place is not None


def test_results_are_numbered_through_all_queries() -> None:
    """The numbers that a classifier sees go on from query to query."""
    assert [result.id for result in numbered_results(_trajectory())] == [101, 102, 103]


def test_evidence_makes_a_reasoning_error() -> None:
    """Title and excerpts count as delivered; the offsets lead back to the text as it was, each excerpt once."""
    finding = _examine(UNRELATED, (3, "died in May"), (3, "A long report."), (3, "died  in May"))
    assert finding.mode is FailureMode.REASONING
    assert [(e.result_id, e.excerpt, e.start) for e in finding.evidence] == [
        (103, "died in May", 3),
        (103, "A  long\nreport.", 15),
    ]
    assert finding.queries == dict.fromkeys([StepId(11), StepId(12), StepId(13)], QueryClass.UNRELATED)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ((3, "He passed away in May"), "does not occur in result 3"),
        ((2, "He died in May"), "does not occur in result 2"),
        ((9, "He died in May"), "there is no result 9"),
        ((0, "He died in May"), "there is no result 0"),
    ],
)
def test_invented_evidence_is_refused(claim: tuple[int, str], reason: str) -> None:
    """An excerpt that was not delivered is no evidence; the mode is derived from the queries, and the trace says so."""
    finding = _examine([(1, "unrelated"), (2, "indirect"), (3, "unrelated")], claim)
    assert finding.mode is FailureMode.INDIRECT
    assert finding.evidence == ()
    assert "refused evidence" in finding.trace
    assert reason in finding.trace


def test_one_refused_claim_does_not_spoil_another() -> None:
    """What was delivered still counts."""
    finding = _examine(UNRELATED, (1, "He died"), (3, "Buried in Bath"))
    assert finding.mode is FailureMode.REASONING
    assert len(finding.evidence) == 1
    assert "refused evidence" in finding.trace


@pytest.mark.parametrize(
    ("labels", "mode"),
    [
        (["explicit", "unrelated", "indirect"], FailureMode.EXPLICIT),
        (["unrelated", "indirect", "explicit"], FailureMode.EXPLICIT),
        (["unrelated", "unrelated", "indirect"], FailureMode.INDIRECT),
        (["unrelated", "unrelated", "unrelated"], FailureMode.NONE),
    ],
)
def test_without_evidence_the_queries_decide(labels: list[str], mode: FailureMode) -> None:
    """Any explicit query, else any indirect one, else none."""
    assert _examine(list(enumerate(labels, 1))).mode is mode


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([(1, "unrelated"), (3, "explicit")], "no label for query 2"),
        ([], "no label for query 1, 2, 3"),
        ([*UNRELATED, (4, "explicit")], "labels query 4, which does not exist"),
        ([(0, "explicit"), *UNRELATED], "labels query 0, which does not exist"),
        ([*UNRELATED, (2, "explicit")], "labels query 2 more than once"),
    ],
)
def test_labels_must_cover_every_query_once(labels: list[tuple[int, str]], reason: str) -> None:
    """Missing, extra and doubled labels leave the failure unscored with the reason, evidence or not."""
    finding = _examine(labels, (3, "died in May"))
    assert finding.mode is None
    assert reason in finding.unscored
