"""Agreement of two raters: oracles over random tables, hand-made tables, and what is undefined."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from btc_gui.domain.agreement import (
    agreement,
    bowker,
    class_scores,
    kappa_estimate,
    kappa_mapped_interval,
    stuart_maxwell,
    unsure_bounds,
)
from btc_gui.domain.raters import CountedUnit, count_units, fleiss_kappa, gwet_ac1, krippendorff_alpha
from btc_gui.errors import InputError

#: One process loads the libraries that they ask.
pytestmark = pytest.mark.xdist_group("oracles")

Table = list[list[int]]

PARADOX_A = [[40, 9], [6, 45]]
PARADOX_B = [[80, 10], [5, 5]]
SKEWED = [[118, 5], [2, 0]]
TENURES = [[27, 0, 3, 0], [1, 27, 7, 0], [2, 6, 54, 3], [0, 1, 8, 26]]
DEMISES = [[12, 0, 0, 0], [0, 19, 1, 0], [0, 1, 84, 0], [0, 0, 1, 42]]


def tables(largest: int = 5, least: int = 0) -> st.SearchStrategy[Table]:
    def of_size(size: int) -> st.SearchStrategy[Table]:
        row = st.lists(st.integers(least, 60), min_size=size, max_size=size)
        return st.lists(row, min_size=size, max_size=size)

    return st.integers(2, largest).flatmap(of_size)


def labels(table: Table) -> tuple[list[int], list[int]]:
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in pairs], [j for _, j in pairs]


@given(tables())
def test_kappa_is_that_of_scikit_learn(table: Table) -> None:
    from sklearn.metrics import cohen_kappa_score

    found = agreement(table)
    assume(found.kappa is not None)
    assert found.kappa == pytest.approx(cohen_kappa_score(*labels(table)), abs=1e-9)


@given(tables(least=1))
def test_the_standard_error_of_kappa_is_that_of_statsmodels(table: Table) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa

    expected = cohens_kappa(np.array(table))
    found = agreement(table)
    assert found.kappa == pytest.approx(expected.kappa, abs=1e-9)
    assert found.kappa_ase == pytest.approx(expected.std_kappa, abs=1e-9)


@given(tables())
def test_alpha_of_two_complete_raters_is_scotts_pi_with_a_small_sample_term(table: Table) -> None:
    found = agreement(table)
    assume(found.scott_pi is not None)
    assert found.scott_pi is not None
    assert found.alpha == pytest.approx(found.scott_pi + (1 - found.scott_pi) / (2 * found.n), abs=1e-9)


@given(tables())
def test_swapping_the_raters_changes_no_symmetric_statistic(table: Table) -> None:
    swapped = [list(column) for column in zip(*table, strict=True)]
    ours, theirs = agreement(table), agreement(swapped)
    for name in ("kappa", "kappa_ase", "ac1", "ac1_se", "alpha", "scott_pi"):
        mine, yours = getattr(ours, name), getattr(theirs, name)
        assert mine == (yours if yours is None else pytest.approx(yours, abs=1e-9))


@given(tables())
def test_an_unused_class_changes_ac1_and_nothing_that_ignores_the_number_of_classes(table: Table) -> None:
    wider = [[*row, 0] for row in table] + [[0] * (len(table) + 1)]
    plain, more = agreement(table), agreement(wider)
    for name in ("observed", "expected", "kappa", "kappa_ase", "alpha", "scott_pi"):
        mine, other = getattr(plain, name), getattr(more, name)
        assert mine == (other if other is None else pytest.approx(other, abs=1e-9))


@given(tables(), st.integers(0, 4))
def test_nothing_is_ever_nan(table: Table, empty: int) -> None:
    for i in range(len(table)):
        for j in range(len(table)):
            if i != empty and j != empty:
                table[i][j] = 0
    found = agreement(table)
    values = [getattr(found, name) for name in found.__slots__]
    assert all(value is None or not math.isnan(value) for value in values)


@pytest.mark.parametrize(
    ("table", "observed", "kappa", "ac1"),
    [(PARADOX_A, 0.85, 0.70, 0.70), (PARADOX_B, 0.85, 0.32, 0.81), (SKEWED, 0.944, -0.023, 0.941)],
)
def test_the_prevalence_paradox_is_shown_by_three_numbers(
    table: Table, observed: float, kappa: float, ac1: float
) -> None:
    found = agreement(table)
    assert (found.observed, found.kappa, found.ac1) == pytest.approx((observed, kappa, ac1), abs=0.005)


def test_without_labels_everything_is_undefined() -> None:
    found = agreement([[0, 0], [0, 0]])
    assert found.observed is found.kappa is found.ac1 is found.alpha is found.brennan_prediger is None
    assert kappa_estimate([[0, 0], [0, 0]]).reason == "no labels"


def test_one_class_only_has_no_kappa_but_an_agreement() -> None:
    assert agreement([[10, 0], [0, 0]]).observed == 1
    assert agreement([[10, 0], [0, 0]]).kappa is None
    assert "only one class" in kappa_estimate([[10, 0], [0, 0]]).reason


def test_many_disagreements_use_the_analytic_error_and_few_the_mapped_interval() -> None:
    many, few = kappa_estimate(TENURES), kappa_estimate(DEMISES)
    assert many.interval == pytest.approx((0.652, 0.822), abs=5e-4)
    assert few.interval == pytest.approx((0.914, 0.990), abs=5e-4)


def test_skewed_margins_give_no_interval_rather_than_one_below_minus_one() -> None:
    table = [[95, 5], [0, 0]]
    mapped = kappa_mapped_interval(table)
    assert mapped
    assert mapped[0] < -1
    found = kappa_estimate(table)
    assert found.interval is None
    assert "skewed" in found.reason


@pytest.mark.parametrize("table", [[[0, 50], [50, 0]], [[100, 0], [0, 100]], [[1, 0], [0, 1]]])
def test_no_interval_of_kappa_is_a_point(table: Table) -> None:
    interval = kappa_estimate(table).interval
    assert interval
    assert interval[1] - interval[0] > 0.01


def test_one_label_gives_no_kappa() -> None:
    assert kappa_estimate([[0, 1], [0, 0]]).value is None


@given(tables())
def test_precision_recall_and_f1_are_those_of_scikit_learn(table: Table) -> None:
    from sklearn.metrics import precision_recall_fscore_support

    judge, human = labels(table)
    assume(judge)
    names = list(range(len(table)))
    expected = precision_recall_fscore_support(human, judge, labels=names, zero_division=0)
    for place, score in enumerate(class_scores(table)):
        ours = (score.precision, score.recall, score.f1)
        assert [value or 0 for value in ours] == pytest.approx([part[place] for part in expected[:3]], abs=1e-9)


@given(tables(least=1))
def test_stuart_maxwell_and_bowker_are_those_of_statsmodels(table: Table) -> None:
    from statsmodels.stats.contingency_tables import SquareTable

    square = SquareTable(np.array(table), shift_zeros=False)
    for ours, theirs in ((stuart_maxwell(table), square.homogeneity()), (bowker(table), square.symmetry())):
        assert ours
        assert (ours.statistic, ours.df) == pytest.approx((theirs.statistic, theirs.df), abs=1e-6)
        assert ours.p == pytest.approx(theirs.pvalue, abs=1e-6)


def test_a_class_without_disagreement_does_not_break_the_test_of_the_margins() -> None:
    # statsmodels gives NaN here: its covariance is singular.
    merged, whole = stuart_maxwell([[19, 1, 0], [1, 84, 0], [0, 1, 42]]), stuart_maxwell(DEMISES)
    assert merged
    assert whole
    assert (whole.statistic, whole.df, whole.p) == pytest.approx((merged.statistic, merged.df, merged.p))


def test_two_pairs_of_classes_that_are_never_confused_count_one_degree_each() -> None:
    found = stuart_maxwell([[9, 4, 0, 0], [1, 9, 0, 0], [0, 0, 9, 6], [0, 0, 2, 9]])
    assert found
    assert found.df == 2
    assert found.statistic == pytest.approx((4 - 1) ** 2 / 5 + (6 - 2) ** 2 / 8)


def test_without_a_disagreement_there_is_nothing_to_test() -> None:
    assert stuart_maxwell([[5, 0], [0, 5]]) is None
    assert bowker([[5, 0], [0, 5]]) is None


def test_unsure_answers_bound_the_agreement() -> None:
    found = unsure_bounds(195, 2, 3)
    assert (found.excluded.value, found.lower, found.upper) == pytest.approx((0.990, 0.975, 0.990), abs=5e-4)
    assert unsure_bounds(0, 0, 3).excluded.value is None
    assert unsure_bounds(0, 0, 0).lower is None


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=30),
)
def test_fleiss_kappa_is_that_of_statsmodels(ratings: list[list[int]]) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

    counts = [[row.count(k) for k in range(4)] for row in ratings]
    found = fleiss_kappa([CountedUnit(tuple(row)) for row in counts])
    assume(found is not None)
    assert found == pytest.approx(statsmodels_fleiss(np.array(counts)), abs=1e-9)


def test_fleiss_kappa_refuses_missing_labels() -> None:
    with pytest.raises(InputError, match="same number"):
        fleiss_kappa([CountedUnit((2, 0)), CountedUnit((1, 0))])


def alpha_by_pairs(units: list[list[str | None]]) -> float | None:
    """Krippendorff's definition, pair by pair."""
    kept = [[label for label in unit if label] for unit in units]
    kept = [unit for unit in kept if len(unit) > 1]
    values = [label for unit in kept for label in unit]
    n = len(values)
    observed = sum(
        sum(a != b for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j) / (len(unit) - 1) for unit in kept
    )
    expected = sum(a != b for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    return None if not expected else 1 - observed / n / (expected / (n * (n - 1)))


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", None, ""]), min_size=1, max_size=4), min_size=1, max_size=8))
def test_alpha_with_missing_labels_follows_its_definition(units: list[list[str | None]]) -> None:
    expected = alpha_by_pairs(units)
    found = krippendorff_alpha(count_units(units, ["a", "b", "c"]))
    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-9))


def test_a_label_that_is_no_class_is_refused() -> None:
    with pytest.raises(InputError, match="“d” is not a class"):
        count_units([["a", "d"]], ["a", "b"])


def test_ac1_without_a_pair_is_undefined() -> None:
    found: Any = gwet_ac1([CountedUnit((1, 0)), CountedUnit((0, 1))])
    assert found.value is found.se is None
