"""Alignment of two searches: alike queries side by side, nothing lost, nothing out of order."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.alignment import GAP, NEVER, UNIT, align, align_scores, align_steps, similarity
from btc_gui.domain.trajectory import Step, StepKind

WORDS = st.lists(
    st.sampled_from(["best iPad art", "iPad art best", "David Hockney alive", "Hockney", "", "x"]), max_size=6
)


@given(WORDS, WORDS)
def test_every_index_once_and_in_order(left: list[str], right: list[str]) -> None:
    """The rows of a comparison hold each step of both sides exactly once, in its order."""
    pairs = align(left, right)
    assert [i for i, _ in pairs if i is not None] == list(range(len(left)))
    assert [j for _, j in pairs if j is not None] == list(range(len(right)))
    assert all(i is not None or j is not None for i, j in pairs)


@given(WORDS, WORDS)
def test_the_sum_is_the_best_there_is(left: list[str], right: list[str]) -> None:
    """Checked against the recurrence written down directly, from the other end."""

    @cache
    def best(i: int, j: int) -> float:
        if i == 0 or j == 0:
            return (i + j) * GAP
        paired = best(i - 1, j - 1) + similarity(left[i - 1], right[j - 1])
        return max(paired, best(i - 1, j) + GAP, best(i, j - 1) + GAP)

    total = sum(GAP if i is None or j is None else similarity(left[i], right[j]) for i, j in align(left, right))
    assert total == pytest.approx(best(len(left), len(right)))


@given(WORDS)
def test_the_same_search_twice(queries: list[str]) -> None:
    """A trajectory beside itself has no gap."""
    assert align(queries, queries) == [(i, i) for i in range(len(queries))]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([], [], []),
        (["a"], [], [(0, None)]),
        ([], ["a"], [(None, 0)]),
        (["is David Hockney still alive"], ["David Hockney alive 2026"], [(0, 0)]),
        (["best iPad art teachers"], ["Kluge film archive contact"], [(0, None), (None, 0)]),
        (
            ["current chief ministers of India", "car subsidies stance"],
            ["Mamata Banerjee events", "list of current chief ministers", "stance on car subsidies"],
            [(None, 0), (0, 1), (1, 2)],
        ),
        (
            ["quarterback speakers", "Craig Morton alive", "speaker fees"],
            ["quarterbacks as speakers", "fees of speakers"],
            [(0, 0), (1, None), (2, 1)],
        ),
        (["QUERY  one"], ["query one"], [(0, 0)]),
    ],
)
def test_pairs_made_by_hand(left: list[str], right: list[str], expected: list[tuple[int | None, int | None]]) -> None:
    """Alike queries meet; what only one side asked stands alone."""
    assert align(left, right) == expected


def test_what_never_stands_side_by_side() -> None:
    """A measure may forbid a pair, however much a gap costs."""
    scores = np.array([[NEVER, NEVER], [NEVER, UNIT]])
    assert align_scores(scores) == [(0, None), (None, 0), (1, 1)]


def _steps(*texts: str) -> list[Step]:
    """`?` begins a query, `!` the answer, anything else is a thought."""
    kinds = {"?": StepKind.QUERY, "!": StepKind.ANSWER}
    return [Step(n, kinds.get(text[0], StepKind.REASONING), text.lstrip("?!")) for n, text in enumerate(texts, 1)]


def _rows(*lanes: list[Step]) -> list[tuple[str, ...]]:
    return [tuple(step.text if step else "-" for step in row) for row in align_steps(lanes)]


def test_three_trajectories_side_by_side() -> None:
    """Worked out by hand: what two of them asked stands in one row, whichever two they are."""
    low = _steps("Let me see.", "?quarterback speakers", "!Ask Craig Morton.")
    high = _steps("Let me see.", "?Craig Morton alive", "?speakers quarterback", "!Ask another.")
    other = _steps("?is Craig Morton still alive", "Oh.", "!Ask nobody.")
    assert _rows(low, high, other) == [
        ("Let me see.", "Let me see.", "-"),
        ("-", "Craig Morton alive", "is Craig Morton still alive"),
        ("quarterback speakers", "speakers quarterback", "-"),
        ("-", "-", "Oh."),
        ("Ask Craig Morton.", "Ask another.", "Ask nobody."),
    ]


def test_four_trajectories_of_one_step_each() -> None:
    """A row is as alike to a query as its own queries are on average."""
    lanes = [_steps("?iPad art"), _steps("?art iPad"), _steps("?bridges of Leeds"), _steps("?iPad art 2026")]
    assert _rows(*lanes) == [
        ("iPad art", "art iPad", "-", "iPad art 2026"),
        ("-", "-", "bridges of Leeds", "-"),
    ]


def test_a_query_is_a_query_whichever_tool_answers_it() -> None:
    """A provider's own search and the shared one are compared by what was asked; other tools by their names."""
    shared = [Step(1, StepKind.QUERY, "Hockney alive", tool="web_search"), Step(2, StepKind.TOOL, "x", tool="python")]
    native = [Step(1, StepKind.QUERY, "hockney ALIVE", tool="search"), Step(2, StepKind.TOOL, "x", tool="bash")]
    found = [tuple(step.number if step else None for step in row) for row in align_steps([shared, native])]
    assert found == [(1, 1), (2, None), (None, 2)]


def test_one_trajectory_and_none() -> None:
    """Alone, each step has a row; an empty trajectory leaves gaps."""
    one = _steps("?a", "!b")
    assert _rows(one) == [("a",), ("b",)]
    assert _rows(one, []) == [("a", "-"), ("b", "-")]
    assert _rows([], one) == [("-", "a"), ("-", "b")]
    assert _rows([], [], one) == [("-", "-", "a"), ("-", "-", "b")]


def test_very_long_trajectories_are_aligned_in_parts() -> None:
    """Three thousand steps beside themselves have no gap, and that takes no minute."""
    long = _steps(*(f"?query number {n}" if n % 2 else f"thought {n}" for n in range(3_000)))
    assert all(left is right for left, right in align_steps([long, long]))
