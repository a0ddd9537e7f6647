"""How often the intervals hold the truth. A 95 % interval that does so in 86 % of all studies is a wrong interval.

Where the outcomes can be enumerated the coverage is exact; elsewhere it is simulated with fixed seeds, and the
bounds leave three standard errors of the simulation. The figures that are compared with two-sided bounds were
computed elsewhere by other means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from math import sqrt

import numpy as np
import pytest

from btc_gui.domain.agreement import agreement, kappa_estimate, kappa_mapped_interval, kappa_wald_interval
from btc_gui.domain.composition import goodman_intervals
from btc_gui.domain.estimate import Estimate, Interval
from btc_gui.domain.event_bootstrap import bootstrap_gap
from btc_gui.domain.judge_design import JudgeDesign, JudgeEstimates, JudgeStratum, corrected_gap, two_strata
from btc_gui.domain.paired import PairedCounts, newcombe_interval, wald_interval
from btc_gui.domain.proportions import clopper_pearson, jeffreys, wilson
from btc_gui.domain.weighted_agreement import by_classifier_mode, weighted_agreement

Limits = Callable[[int, int, float], Interval | None]

#: Of 100 accepted and 100 rejected answers: how many the judge accepts in the frame, and how often it is right.
ACCEPTED_SHARES = (0.05, 0.3, 0.6, 0.9)
JUDGES = ((0.995, 0.995), (0.98, 0.99), (0.99, 0.98), (0.95, 0.95))
N = 100


def holds(interval: Interval | None, truth: float) -> bool:
    """Whether an interval holds the truth; one that is not given makes no claim that could be wrong."""
    return interval is None or interval[0] - 1e-9 <= truth <= interval[1] + 1e-9


def outcomes(n: int, share: float) -> Iterator[tuple[int, float]]:
    """The numbers of successes that can be expected, with their probabilities."""
    from scipy import stats

    chances = stats.binom.pmf(np.arange(n + 1), n, share)
    return ((k, float(chance)) for k, chance in enumerate(chances) if chance > 1e-7)


# -- one proportion ------------------------------------------------------------------------------------------


def coverage(limits: Limits, n: int, share: float) -> float:
    return sum(chance for k, chance in outcomes(n, share) if holds(limits(k, n, 0.95), share))


@pytest.mark.parametrize("n", [15, 85, 200])
def test_clopper_pearson_never_holds_less_than_its_level(n: int) -> None:
    """A theorem; near 0 and 1, where a judge's errors are, too."""
    shares = [0.001, 0.01, 0.02, 0.05, *np.linspace(0.1, 0.9, 17), 0.95, 0.98, 0.99, 0.999]
    assert min(coverage(clopper_pearson, n, share) for share in shares) >= 0.95 - 1e-4


def test_wilson_holds_its_level_on_average() -> None:
    shares = np.linspace(0.01, 0.99, 99)
    assert np.mean([coverage(wilson, 200, share) for share in shares]) == pytest.approx(0.95, abs=0.005)


# -- the judge's design --------------------------------------------------------------------------------------


@cache
def judged(accepted: int, rejected: int, pi1: float, limits: Limits) -> JudgeEstimates:
    return two_strata((accepted, N - accepted), (N - rejected, rejected), pi1).estimates(limits=limits)


def judge_coverages(name: str, limits: Limits = clopper_pearson) -> list[float]:
    """The coverage of one of the estimates, for each judge and accepted share."""
    found = []
    for pi1, (ppv, npv) in product(ACCEPTED_SHARES, JUDGES):
        true = truth_of(name, pi1, ppv, npv)
        held = 0.0
        for (a, chance_a), (b, chance_b) in product(outcomes(N, ppv), outcomes(N, npv)):
            estimate: Estimate = getattr(judged(a, b, pi1, limits), name)
            held += chance_a * chance_b * holds(estimate.interval, true)
        found.append(held)
    return found


def truth_of(name: str, p: float, a: float, b: float) -> float:
    """Written down once more, from the specification."""
    theta = p * a + (1 - p) * (1 - b)
    agreed = p * a + (1 - p) * b
    chance = p * theta + (1 - p) * (1 - theta)
    return {
        "theta": theta,
        "agreement": agreed,
        "sensitivity": p * a / theta,
        "specificity": (1 - p) * b / (1 - theta),
        "kappa": (agreed - chance) / (1 - chance),
    }[name]


def test_the_judges_intervals_hold_what_they_promise() -> None:
    """Known: 0.969 to 1 for the corrected accuracy and the agreement."""
    found = [*judge_coverages("theta"), *judge_coverages("agreement")]
    assert min(found) == pytest.approx(0.969, abs=0.002)
    assert min(judge_coverages("sensitivity")) >= 0.95
    assert min(judge_coverages("specificity")) >= 0.95
    assert min(judge_coverages("kappa")) >= 0.95


def test_other_limits_in_the_strata_are_narrower_and_hold_less() -> None:
    """Known: Wilson 0.91 to 1, Jeffreys 0.93 to 0.99."""
    with_wilson = [*judge_coverages("theta", wilson), *judge_coverages("agreement", wilson)]
    with_jeffreys = [*judge_coverages("theta", jeffreys), *judge_coverages("agreement", jeffreys)]
    assert min(with_wilson) == pytest.approx(0.91, abs=0.01)
    assert min(with_jeffreys) == pytest.approx(0.93, abs=0.01)


def test_the_wald_interval_would_be_wrong() -> None:
    """Known: 0.39 to 0.93. It is why the app has another one."""
    found = []
    for pi1, (ppv, npv) in product(ACCEPTED_SHARES, JUDGES):
        held = 0.0
        for (a, chance_a), (b, chance_b) in product(outcomes(N, ppv), outcomes(N, npv)):
            estimates = judged(a, b, pi1, clopper_pearson)
            assert estimates.theta.value is not None
            half = 1.959964 * (estimates.theta_se or 0.0)
            interval = (estimates.theta.value - half, estimates.theta.value + half)
            held += chance_a * chance_b * holds(interval, truth_of("theta", pi1, ppv, npv))
        found.append(held)
    assert min(found) == pytest.approx(0.39, abs=0.01)
    assert max(found) == pytest.approx(0.93, abs=0.01)


def test_three_strata_hold_their_level_also_in_a_small_frame() -> None:
    """85 answers that name the person, 15 that do not, 100 rejected; drawn without replacement."""
    hand = np.random.default_rng(11)
    sizes, sample = (500, 120, 1_380), (85, 15, 100)
    for right in ((495, 116, 14), (485, 100, 40)):  # Truly correct ones in each stratum.
        shares = [size / sum(sizes) for size in sizes]
        theta = sum(right) / sum(sizes)
        agreed = (right[0] + right[1] + sizes[2] - right[2]) / sum(sizes)
        drawn = [hand.hypergeometric(c, s - c, n, size=600) for c, s, n in zip(right, sizes, sample, strict=True)]
        held = np.zeros(2)
        for each in zip(*drawn, strict=True):
            strata = [JudgeStratum(str(i), i < 2, shares[i], sample[i], int(count)) for i, count in enumerate(each)]
            found = JudgeDesign(strata).estimates()
            held += [holds(found.theta.interval, theta), holds(found.agreement.interval, agreed)]
        assert min(held / 600) >= 0.95 - 0.027


def test_the_corrected_gap_holds_its_level() -> None:
    hand = np.random.default_rng(12)
    direct, indirect = (0.83, 0.985, 0.99), (0.37, 0.98, 0.98)
    truth = truth_of("theta", *direct) - truth_of("theta", *indirect)
    held = 0
    for _ in range(800):
        designs = []
        for pi1, ppv, npv in (direct, indirect):
            a, b = int(hand.binomial(N, ppv)), int(hand.binomial(N, npv))
            designs.append(two_strata((a, N - a), (N - b, b), pi1))
        held += holds(corrected_gap(designs[0], designs[1]).interval, truth)
    assert held / 800 >= 0.95 - 0.023


# -- tables --------------------------------------------------------------------------------------------------

DEMISES = ((12, 0, 0, 0), (0, 19, 1, 0), (0, 1, 84, 0), (0, 0, 1, 42))
TENURES = ((27, 0, 3, 0), (1, 27, 7, 0), (2, 6, 54, 3), (0, 1, 8, 26))
DRAWS = 3_000


def tables_like(shape: Sequence[Sequence[int]], seed: int) -> Iterator[list[list[int]]]:
    hand = np.random.default_rng(seed)
    flat = np.array(shape).ravel()
    for counts in hand.multinomial(int(flat.sum()), flat / flat.sum(), size=DRAWS):
        yield counts.reshape(4, 4).tolist()


def share_of_tables(
    shape: Sequence[Sequence[int]], interval: Callable[[list[list[int]]], Interval | None], seed: int
) -> float:
    truth = agreement(shape).kappa
    assert truth is not None
    return sum(holds(interval(table), truth) for table in tables_like(shape, seed)) / DRAWS


def test_kappa_with_few_disagreements_needs_the_mapped_interval() -> None:
    """Known: Wald 0.862, Wilson mapped 0.965, Clopper–Pearson mapped 0.986."""
    error = 3 * sqrt(0.86 * 0.14 / DRAWS)
    # Without a disagreement the standard error is 0 and the interval a point, which misses.
    wald = share_of_tables(DEMISES, lambda table: kappa_wald_interval(table) or (1.0, 1.0), 1)
    assert wald == pytest.approx(0.862, abs=error)
    assert share_of_tables(DEMISES, kappa_mapped_interval, 1) == pytest.approx(0.965, abs=error)
    exact = share_of_tables(DEMISES, lambda table: kappa_mapped_interval(table, limits=clopper_pearson), 1)
    assert exact == pytest.approx(0.986, abs=error)
    assert share_of_tables(DEMISES, lambda table: kappa_estimate(table).interval, 1) >= 0.95 - 0.017


def test_kappa_with_many_disagreements_holds_its_level() -> None:
    """Known: 0.94 to 0.96, by the analytic standard error."""
    assert share_of_tables(TENURES, lambda table: kappa_estimate(table).interval, 2) == pytest.approx(0.95, abs=0.02)


def test_weighted_agreement_holds_its_level_when_small_modes_are_taken_whole() -> None:
    """Items drawn without replacement from a frame of known labels; the first mode is taken whole."""
    hand = np.random.default_rng(3)
    frame = np.array([[26, 0, 4, 0], [4, 250, 40, 0], [40, 90, 1_000, 70], [0, 10, 120, 350]])
    sizes = frame.sum(axis=1)
    sample = [30, 35, 65, 35]
    agreed = np.trace(frame) / frame.sum()
    columns = frame.sum(axis=0) / frame.sum()
    held = np.zeros(5)
    for _ in range(600):
        table = [hand.multivariate_hypergeometric(row, n).tolist() for row, n in zip(frame, sample, strict=True)]
        found = weighted_agreement(by_classifier_mode(table, sizes.tolist()))
        assert found is not None
        shares = zip(found.human_share_intervals, columns, strict=True)
        held += [holds(found.agreement_interval, agreed), *(holds(interval, share) for interval, share in shares)]
    assert min(held / 600) >= 0.95 - 0.027


def test_simultaneous_intervals_hold_all_at_once() -> None:
    hand = np.random.default_rng(4)
    shares = np.array([0.12, 0.28, 0.45, 0.15])
    held = 0
    for counts in hand.multinomial(260, shares, size=2_000):
        intervals = goodman_intervals(counts.tolist())
        assert intervals is not None
        held += all(holds(interval, share) for interval, share in zip(intervals, shares, strict=True))
    assert held / 2_000 >= 0.95 - 0.015


# -- pairs and events ----------------------------------------------------------------------------------------


def test_the_paired_difference_holds_its_level_where_wald_does_not() -> None:
    """Known for 200 events: Newcombe's method 10 0.950 to 0.996; Wald 0.859 when few pairs differ."""
    hand = np.random.default_rng(5)
    lowest = {"newcombe": 1.0, "wald": 1.0}
    for shares in ((0.90, 0.02, 0.0, 0.08), (0.55, 0.30, 0.05, 0.10), (0.40, 0.25, 0.25, 0.10)):
        truth = shares[1] - shares[2]
        held = {"newcombe": 0, "wald": 0}
        for counts in hand.multinomial(200, shares, size=2_000).tolist():
            pairs = PairedCounts(*counts)
            held["newcombe"] += holds(newcombe_interval(pairs), truth)
            held["wald"] += holds(wald_interval(pairs), truth)
        lowest = {name: min(lowest[name], count / 2_000) for name, count in held.items()}
    assert lowest["newcombe"] >= 0.95 - 0.015
    assert lowest["wald"] < 0.93


def test_the_event_bootstrap_holds_its_level_when_answers_about_an_event_hang_together() -> None:
    """Six configurations fail on the same events: resampling events holds, a Wald interval over all answers doesn't."""
    hand = np.random.default_rng(6)
    events, configurations, studies = 120, 6, 250
    held = naive = 0
    for _ in range(studies):
        hard = hand.beta(0.4, 0.6, size=(events, 1))
        gaps = (hand.random((events, configurations)) < hard).astype(float)
        found = bootstrap_gap(gaps.tolist(), resamples=600, seed=7)
        assert found is not None
        mean = gaps.mean()
        held += holds(found.interval, 0.4)
        half = 1.959964 * sqrt(mean * (1 - mean) / gaps.size)
        naive += holds((mean - half, mean + half), 0.4)
    assert held / studies >= 0.95 - 0.041
    assert naive / studies < 0.8
