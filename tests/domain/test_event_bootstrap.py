"""Events are the units: clustered errors, resampling, and when a bootstrap must not be shown."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.event_bootstrap import (
    FiveNumbers,
    Summary,
    bootstrap_agreement,
    bootstrap_gap,
    chance_without_disagreement,
    cluster_gap,
    five_numbers,
    median_ranks,
)

GAPS = st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), min_size=1, max_size=20)


@given(GAPS)
def test_the_clustered_error_is_that_of_the_events_means(rows: list[list[int]]) -> None:
    found = cluster_gap(rows)
    assert found
    means = np.array(rows).mean(axis=1)
    assert found.mean == pytest.approx(means.mean())
    assert found.se == pytest.approx(means.std() / sqrt(len(rows)))


@pytest.mark.parametrize("summary", Summary)
def test_a_monte_carlo_bootstrap_comes_close_to_the_complete_one(summary: Summary) -> None:
    rows = [[1, 0, 1], [0, 0, 0], [1, 1, 1], [0, -1, 0], [1, 1, 0], [0, 0, 1]]
    exact, twice = bootstrap_gap(rows, summary), bootstrap_gap(rows * 2, summary, resamples=20_000)
    assert exact
    assert twice
    assert exact.exact
    assert not twice.exact
    assert twice.estimate == exact.estimate
    if summary is Summary.MEAN:
        # Twice the events: the error falls by √2.
        assert twice.se == pytest.approx(exact.se / sqrt(2), abs=3 * exact.se / sqrt(40_000))


def test_the_same_seed_gives_the_same_interval() -> None:
    rows = [[n % 3 - 1] for n in range(40)]
    assert bootstrap_gap(rows, seed=4) == bootstrap_gap(rows, seed=4)


def test_an_interval_without_width_is_refused_with_a_reason() -> None:
    found = bootstrap_gap([[1, 1]] * 30)
    assert found
    assert found.interval is None
    assert "every resample is the same" in found.reason


@pytest.mark.parametrize("imperfect", [0, 1, 3])
def test_few_disagreements_give_no_bootstrap_interval_of_the_agreement(imperfect: int) -> None:
    found = bootstrap_agreement([(3, 4)] * imperfect + [(4, 4)] * (50 - imperfect))
    assert found
    assert found.interval is None
    assert found.reason


def test_many_disagreements_give_one() -> None:
    found = bootstrap_agreement([(3, 4)] * 30 + [(4, 4)] * 20)
    assert found
    assert found.interval
    assert found.interval[0] < found.estimate == 0.85 < found.interval[1]


def test_the_chance_of_a_perfect_resample_is_a_third_for_one_error() -> None:
    assert chance_without_disagreement(200, 1) == pytest.approx(0.367, abs=5e-4)
    assert chance_without_disagreement(200, 0) == 1


def test_nothing_to_resample_is_nothing() -> None:
    assert cluster_gap([]) is None
    assert bootstrap_gap([]) is None
    assert bootstrap_agreement([]) is None


@pytest.mark.parametrize(("n", "ranks"), [(6, (1, 6)), (27, (8, 20)), (15, (4, 12)), (4, (None, None))])
def test_ranks_around_the_median(n: int, ranks: tuple[int | None, int | None]) -> None:
    found = median_ranks(n)
    assert found
    assert (found.lower, found.upper) == ranks


def test_no_values_have_no_median() -> None:
    assert median_ranks(0) is None
    assert five_numbers([]) is None


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_quartiles_are_those_of_numpy(values: list[float]) -> None:
    found = five_numbers(values)
    assert found
    expected = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    assert [getattr(found, name) for name in FiveNumbers.__slots__] == pytest.approx(expected.tolist(), abs=1e-9)
