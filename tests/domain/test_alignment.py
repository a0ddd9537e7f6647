"""Alignment of two searches: alike queries side by side, nothing lost, nothing out of order."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.alignment import GAP, align, align_by, similarity

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
    pairs = align_by("ab", "xb", lambda a, b: 1.0 if a == b else None)
    assert pairs == [(0, None), (None, 0), (1, 1)]
