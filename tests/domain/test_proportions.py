"""Intervals for proportions: against two libraries, and where the libraries are wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.estimate import clip, combine
from btc_gui.domain.proportions import clopper_pearson, jeffreys, mover, wilson

#: One process loads the libraries that they ask.
pytestmark = pytest.mark.xdist_group("oracles")

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.sampled_from([0.8, 0.95, 0.99])


@given(COUNTS, LEVELS)
def test_wilson_and_clopper_pearson_are_those_of_scipy(counts: tuple[int, int], level: float) -> None:
    from scipy.stats import binomtest

    test = binomtest(*counts)
    for ours, theirs in (
        (wilson, test.proportion_ci(level, method="wilson")),
        (clopper_pearson, test.proportion_ci(level, method="exact")),
    ):
        assert ours(*counts, level) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(COUNTS)
def test_jeffreys_is_that_of_statsmodels_except_at_the_ends(counts: tuple[int, int]) -> None:
    from statsmodels.stats.proportion import proportion_confint

    found = jeffreys(*counts)
    assert found
    low, high = proportion_confint(*counts, method="jeffreys")
    assert found[0] == (0 if counts[0] == 0 else pytest.approx(low, abs=1e-9))
    assert found[1] == (1 if counts[0] == counts[1] else pytest.approx(high, abs=1e-9))


@given(COUNTS, LEVELS)
def test_every_interval_holds_the_estimate_and_has_a_width(counts: tuple[int, int], level: float) -> None:
    for method in (wilson, clopper_pearson, jeffreys):
        interval = method(*counts, level)
        assert interval
        assert 0 <= interval[0] <= counts[0] / counts[1] <= interval[1] <= 1
        assert interval[0] < interval[1]


def test_without_labels_there_is_no_interval() -> None:
    assert wilson(0, 0) is clopper_pearson(0, 0) is jeffreys(0, 0) is None


@pytest.mark.parametrize("counts", [(-1, 5), (6, 5), (1, 0)])
def test_impossible_counts_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is not a share"):
        wilson(*counts)


@given(COUNTS)
def test_mover_of_one_proportion_is_its_own_interval(counts: tuple[int, int]) -> None:
    interval = clopper_pearson(*counts)
    assert interval
    assert mover(lambda values: values[0], [counts[0] / counts[1]], [interval]) == pytest.approx(interval)


def test_mover_is_undefined_where_the_function_is() -> None:
    assert mover(lambda values: None if values[0] > 0.5 else 1.0, [0.4], [(0.1, 0.9)]) is None


def test_sources_of_error_combine_by_squares_on_each_side() -> None:
    assert combine(0.5, (0.47, 0.6), (0.46, 0.5)) == pytest.approx((0.45, 0.6))
    assert clip((-0.1, 1.2), 0, 1) == (0, 1)
