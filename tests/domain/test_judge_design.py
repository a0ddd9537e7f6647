"""From a sample stratified on the judge's label to the benchmark: identities, oracles, published figures, coverage."""

from __future__ import annotations

import itertools
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from btc_gui.domain.judge_design import (
    JudgeDesign,
    JudgeStratum,
    SampledCell,
    average_share,
    configuration_bound,
    corrected_gap,
    pooled_share,
    two_strata,
)
from btc_gui.domain.prediction_powered import prediction_powered_mean
from btc_gui.domain.weighted_agreement import TableStratum, by_classifier_mode, weighted_agreement
from btc_gui.errors import InputError

#: One process loads the libraries that they ask.
pytestmark = pytest.mark.xdist_group("oracles")

TENURES = [[27, 0, 3, 0], [1, 27, 7, 0], [2, 6, 54, 3], [0, 1, 8, 26]]
CELLS = st.tuples(st.integers(0, 60), st.integers(0, 60)).filter(lambda cell: sum(cell) > 0)
SHARES = st.floats(0.02, 0.98)


@given(CELLS, CELLS, SHARES)
def test_kappa_in_the_benchmark_is_the_weighted_kappa_of_scikit_learn(
    accepted: tuple[int, int], rejected: tuple[int, int], pi1: float
) -> None:
    from sklearn.metrics import cohen_kappa_score

    found = two_strata(accepted, rejected, pi1).estimates()
    assume(found.kappa.value is not None)
    cells = [(1, 1, accepted[0]), (1, 0, accepted[1]), (0, 1, rejected[0]), (0, 0, rejected[1])]
    weights = [count * (pi1 / sum(accepted) if judge else (1 - pi1) / sum(rejected)) for judge, _, count in cells]
    expected = cohen_kappa_score([j for j, _, _ in cells], [h for _, h, _ in cells], sample_weight=weights)
    assert found.kappa.value == pytest.approx(expected, abs=1e-9)


@given(CELLS, CELLS, SHARES)
def test_rogan_gladen_with_weighted_rates_gives_the_same_accuracy(
    accepted: tuple[int, int], rejected: tuple[int, int], pi1: float
) -> None:
    found = two_strata(accepted, rejected, pi1).estimates()
    sensitivity, specificity = found.sensitivity.value, found.specificity.value
    assume(sensitivity is not None and specificity is not None)
    assert sensitivity is not None
    assert specificity is not None
    assume(abs(sensitivity + specificity - 1) > 1e-6)
    assert found.theta.value == pytest.approx((pi1 + specificity - 1) / (sensitivity + specificity - 1), abs=1e-8)


@given(CELLS, CELLS, SHARES)
def test_every_interval_holds_its_estimate(accepted: tuple[int, int], rejected: tuple[int, int], pi1: float) -> None:
    found = two_strata(accepted, rejected, pi1).estimates()
    for name in ("ppv", "npv", "theta", "agreement", "sensitivity", "specificity", "kappa"):
        estimate = getattr(found, name)
        if estimate.interval is None:
            assert estimate.reason
        else:
            assert estimate.interval[0] <= estimate.value <= estimate.interval[1]


@given(CELLS, CELLS, SHARES)
def test_the_general_weighting_agrees_with_the_design_of_the_judge(
    accepted: tuple[int, int], rejected: tuple[int, int], pi1: float
) -> None:
    sizes = round(pi1 * 100_000), 100_000 - round(pi1 * 100_000)
    table = [list(accepted), list(rejected)]
    general = weighted_agreement(by_classifier_mode(table, sizes))
    found = two_strata(accepted, rejected, sizes[0] / 100_000).estimates()
    assert general
    assert general.agreement == pytest.approx(found.agreement.value)
    assert general.human_shares[0] == pytest.approx(found.theta.value)
    if general.kappa is not None and found.kappa.value is not None:
        assert general.kappa == pytest.approx(found.kappa.value, abs=1e-7)


@pytest.mark.parametrize(
    ("cells", "pi1", "theta", "agreement", "sensitivity", "specificity", "kappa"),
    [
        (((99, 1), (0, 100)), 0.30, 0.297, 0.997, 1, 0.9957, 0.993),
        (((99, 1), (0, 100)), 0.90, 0.891, 0.991, 1, 0.917, 0.952),
        (((100, 0), (1, 99)), 0.05, 0.0595, 0.9905, 0.840, 1, 0.908),
        (((100, 0), (1, 99)), 0.90, 0.901, 0.999, 0.9989, 1, 0.994),
    ],
)
def test_where_the_one_error_of_199_in_200_sits_matters(
    cells: tuple[tuple[int, int], tuple[int, int]],
    pi1: float,
    theta: float,
    agreement: float,
    sensitivity: float,
    specificity: float,
    kappa: float,
) -> None:
    found = two_strata(*cells, pi1).estimates()
    values = [found.theta, found.agreement, found.sensitivity, found.specificity, found.kappa]
    assert [value.value for value in values] == pytest.approx(
        [theta, agreement, sensitivity, specificity, kappa], abs=5e-4
    )


@pytest.mark.parametrize("pi1", [0.05, 0.3, 0.9])
@pytest.mark.parametrize(("ppv", "npv"), [(0.98, 0.99), (0.95, 0.95)])
def test_the_intervals_of_accuracy_and_agreement_hold_their_level(ppv: float, npv: float, pi1: float) -> None:
    # Exact: every outcome with a probability that matters, for 100 + 100 labels.
    def chances(share: float) -> dict[int, float]:
        found = {k: comb(100, k) * share**k * (1 - share) ** (100 - k) for k in range(101)}
        return {k: chance for k, chance in found.items() if chance > 1e-6}

    theta, agreement = pi1 * ppv + (1 - pi1) * (1 - npv), pi1 * ppv + (1 - pi1) * npv
    covered = [0.0, 0.0]
    for (a, chance_a), (b, chance_b) in itertools.product(chances(ppv).items(), chances(npv).items()):
        found = two_strata((a, 100 - a), (100 - b, b), pi1).estimates()
        for place, (estimate, truth) in enumerate(((found.theta, theta), (found.agreement, agreement))):
            assert estimate.interval
            covered[place] += chance_a * chance_b * (estimate.interval[0] <= truth <= estimate.interval[1])
    assert min(covered) >= 0.95


def test_a_quota_within_the_accepted_answers_is_weighted_back() -> None:
    design = JudgeDesign(
        [
            JudgeStratum("names", True, 0.24, 85, 83),
            JudgeStratum("does not name", True, 0.06, 15, 15),
            JudgeStratum("rejected", False, 0.7, 100, 1),
        ]
    )
    found = design.estimates()
    assert found.ppv.value == pytest.approx(0.8 * 83 / 85 + 0.2)
    assert found.pi1 == pytest.approx(0.3)


def test_an_empty_stratum_leaves_everything_undefined_by_name() -> None:
    found = two_strata((0, 0), (1, 99), 0.3).estimates()
    assert found.theta.value is None
    assert "accepted" in found.theta.reason
    assert found.theta_se is None


def test_a_judge_that_accepts_nothing_has_no_ppv_but_an_accuracy() -> None:
    found = JudgeDesign([JudgeStratum("rejected", False, 1.0, 100, 4)]).estimates()
    assert found.ppv.value is None
    assert found.theta.value == pytest.approx(0.04)


def test_shares_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(InputError, match="add up to 1"):
        JudgeDesign([JudgeStratum("accepted", True, 0.5, 10, 9)])


def test_a_frame_taken_whole_has_no_error_and_a_superpopulation_adds_some() -> None:
    whole = JudgeDesign([JudgeStratum("a", True, 0.4, 40, 30, 40), JudgeStratum("r", False, 0.6, 60, 6, 60)])
    plain = whole.theta_se()
    assert plain
    assert whole.theta_se(finite_frame=True) == 0
    expected = sqrt(plain**2 + 0.4 * 0.6 * (0.75 + 0.9 - 1) ** 2 / 100)
    # 30/40 accepted are correct, 54/60 rejected are not: PPV .75, NPV .9.
    assert whole.theta_se(superpopulation=100) == pytest.approx(expected)


def test_the_corrected_gap_of_a_judge_without_labels_is_undefined() -> None:
    assert corrected_gap(two_strata((9, 1), (1, 9), 0.5), two_strata((0, 0), (1, 9), 0.5)).value is None


def test_one_configuration_is_bounded_and_not_corrected() -> None:
    assert configuration_bound(0.98, 0.99, 0.5) == pytest.approx(0.01)
    assert configuration_bound(0.98, 0.99, 0.1) == pytest.approx(0.009)


def test_equal_allocation_gives_a_configuration_average_and_not_the_pooled_share() -> None:
    cells = [SampledCell(50, 4, 4), SampledCell(170, 4, 3)]
    assert pooled_share(cells) == pytest.approx((50 + 170 * 0.75) / 220)
    assert average_share(cells) == pytest.approx(0.875)
    assert pooled_share([SampledCell(50, 0, 0), SampledCell(1, 1, 1)]) is None
    assert average_share([]) is None


def test_invented_frame_counts_move_kappa_far_on_the_same_labels() -> None:
    found = weighted_agreement(by_classifier_mode(TENURES, [30, 35, 640, 310]))
    assert found
    assert found.kappa == pytest.approx(0.635, abs=5e-4)


def test_the_error_of_the_weighted_kappa_is_that_of_a_numeric_gradient() -> None:
    sizes = [40, 60, 640, 310]
    total = sum(sizes)

    def kappa(shares: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
        table = shares * (np.array(sizes) / total)[:, None]
        observed, expected = np.trace(table), float(table.sum(axis=1) @ table.sum(axis=0))
        return float((observed - expected) / (1 - expected))

    counts = np.array(TENURES, dtype=float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    variance = 0.0
    for i, size in enumerate(sizes):
        n = counts[i].sum()
        gradient = np.zeros(4)
        for j in range(4):
            step = np.zeros((4, 4))
            step[i, j] = 1e-6
            gradient[j] = (kappa(shares + step) - kappa(shares - step)) / 2e-6
        covariance = (np.diag(shares[i]) - np.outer(shares[i], shares[i])) * (1 - n / size) / (n - 1)
        variance += float(gradient @ covariance @ gradient)
    found = weighted_agreement(by_classifier_mode(TENURES, sizes))
    assert found
    assert found.kappa_se == pytest.approx(sqrt(variance), abs=1e-7)


def test_a_mode_seen_only_where_all_were_labelled_still_has_an_upper_limit() -> None:
    found = weighted_agreement(by_classifier_mode([[12, 0], [0, 40]], [12, 640]))
    assert found
    assert found.human_share_ses[0] == 0
    low, high = found.human_share_intervals[0]
    assert low <= 12 / 652 < 0.05 < high


def test_strata_across_the_judges_labels_are_weighted_too() -> None:
    strata = [TableStratum("a", 100, ((5, 1), (2, 2))), TableStratum("b", 900, ((1, 0), (0, 9)))]
    found = weighted_agreement(strata)
    assert found
    assert found.agreement == pytest.approx(0.1 * 0.7 + 0.9)
    assert found.human_shares[0] == pytest.approx(0.1 * 0.7 + 0.9 * 0.1)


def test_a_stratum_without_labels_or_with_too_many_is_not_guessed() -> None:
    assert weighted_agreement(by_classifier_mode([[1, 0], [0, 0]], [5, 5])) is None
    assert weighted_agreement([]) is None
    with pytest.raises(InputError, match="3 labels for 2 items"):
        weighted_agreement(by_classifier_mode([[3, 0], [0, 1]], [2, 5]))


def test_a_stratum_with_one_label_has_no_standard_error() -> None:
    found = weighted_agreement(by_classifier_mode([[1, 0], [1, 4]], [10, 20]))
    assert found
    assert found.agreement_se is None
    assert found.kappa_se is None


def test_the_prediction_powered_mean_needs_labels_and_a_judge_that_varies() -> None:
    assert prediction_powered_mean([], [], 3, 10) is None
    assert prediction_powered_mean([1, 0], [1, 1], 10, 10) is None


def test_plain_and_unused_predictions_are_the_ends_of_the_tuning() -> None:
    human, judge = [1, 0, 1, 1], [1, 0, 0, 1]
    plain = prediction_powered_mean(human, judge, 3, 10, tuning=1)
    labels_only = prediction_powered_mean(human, judge, 3, 10, tuning=0)
    assert plain
    assert labels_only
    assert plain.value == pytest.approx(0.3 + 0.75 - 0.5)
    assert labels_only.value == 0.75
