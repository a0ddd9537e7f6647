"""How many labels, shares of several classes, trends and guesses: against tables, libraries and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.blinding_index import bang_index
from btc_gui.domain.composition import goodman_intervals
from btc_gui.domain.proportions import clopper_pearson
from btc_gui.domain.sample_size import n_for_half_width, n_for_kappa_half_width, n_for_lower_limit, n_without_error
from btc_gui.domain.trend import bin_intervals, cochran_armitage
from btc_gui.errors import InputError

#: One process loads the libraries that they ask.
pytestmark = pytest.mark.xdist_group("oracles")

LOWER_LIMITS = {
    0: {0.95: 72, 0.97: 122, 0.98: 183, 0.99: 368},
    1: {0.95: 110, 0.97: 184, 0.98: 277, 0.99: 555},
    2: {0.95: 142, 0.97: 239, 0.98: 359, 0.99: 720},
    3: {0.95: 173, 0.97: 290, 0.98: 436, 0.99: 874},
}


@pytest.mark.parametrize(
    ("errors", "target", "n"),
    [(errors, target, n) for errors, row in LOWER_LIMITS.items() for target, n in row.items()],
)
def test_labels_needed_for_a_lower_limit(errors: int, target: float, n: int) -> None:
    assert n_for_lower_limit(target, errors) == n


@given(st.floats(0.5, 0.99), st.integers(0, 5))
def test_one_label_less_does_not_reach_the_limit(target: float, errors: int) -> None:
    n = n_for_lower_limit(target, errors)
    enough = clopper_pearson(n - errors, n)
    assert enough
    assert enough[0] >= target
    if n - 1 > errors:
        less = clopper_pearson(n - 1 - errors, n - 1)
        assert less
        assert less[0] < target


def test_no_error_in_a_two_sided_limit_is_the_same_number_by_another_way() -> None:
    assert n_without_error(0.01) == n_for_lower_limit(0.99, 0) == 368


@pytest.mark.parametrize("value", [0, 1, -0.1, 2])
def test_senseless_targets_are_refused(value: float) -> None:
    for plan in (n_without_error, lambda v: n_for_lower_limit(v, 0), lambda v: n_for_half_width(0.5, v)):
        with pytest.raises(InputError, match="between 0 and 1"):
            plan(value)


def test_a_shape_without_error_can_plan_no_kappa() -> None:
    assert n_for_kappa_half_width([[10, 0], [0, 10]], 0.05) is None


@given(st.lists(st.integers(1, 200), min_size=2, max_size=6))
def test_goodmans_intervals_are_those_of_statsmodels(counts: list[int]) -> None:
    from statsmodels.stats.proportion import multinomial_proportions_confint

    found = goodman_intervals(counts)
    assert found
    expected = multinomial_proportions_confint(counts, method="goodman")
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(tuple(theirs), abs=1e-9)


def test_an_empty_class_has_an_upper_limit_and_nothing_counted_has_none() -> None:
    found = goodman_intervals([0, 10])
    assert found
    assert found[0][0] == 0 < found[0][1]
    assert found[1][1] == 1
    assert goodman_intervals([0, 0]) is None


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=5))
def test_the_permutation_trend_is_that_of_statsmodels(bins: list[tuple[int, int]]) -> None:
    from statsmodels.stats.contingency_tables import Table

    correct, incorrect = [list(side) for side in zip(*bins, strict=True)]
    found = cochran_armitage(correct, incorrect, range(len(bins)))
    if found:
        table = Table([correct, incorrect], shift_zeros=False)
        expected = table.test_ordinal_association(row_scores=np.array([1, 0]), col_scores=np.arange(len(bins)))
        assert found.z_permutation == pytest.approx(expected.zscore, abs=1e-8)
        assert (found.z > 0) == (found.z_permutation > 0)


def test_a_trend_needs_both_outcomes_and_two_bins() -> None:
    assert cochran_armitage([5, 5], [0, 0], [1, 2]) is None
    assert cochran_armitage([5, 0], [5, 0], [1, 2]) is None
    assert bin_intervals([1, 0], [1, 0])[1] is None


def test_guesses_that_are_all_alike_have_no_interval() -> None:
    found = bang_index(10, 0, 0)
    assert found
    assert (found.value, found.interval) == (1, None)
    assert bang_index(0, 0, 0) is None
