"""The same events twice: exact tests against a library, intervals against published values and exact coverage."""

from __future__ import annotations

from itertools import product
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from btc_gui.domain.paired import (
    PairedCounts,
    benjamini_hochberg,
    bonett_price_interval,
    cochran_q,
    common_events,
    holm,
    mcnemar_chi_square,
    mcnemar_exact,
    mcnemar_mid_p,
    newcombe_interval,
    tango_interval,
    wald_interval,
)

#: One process loads the libraries that they ask.
pytestmark = pytest.mark.xdist_group("oracles")

COUNTS = st.builds(PairedCounts, *[st.integers(0, 80)] * 4).filter(lambda counts: counts.n > 0)
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(COUNTS)
def test_mcnemar_is_that_of_statsmodels(counts: PairedCounts) -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    table = [[counts.both, counts.first_only], [counts.second_only, counts.neither]]
    assert mcnemar_exact(counts) == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9)
    assume(counts.first_only + counts.second_only > 0)
    found = mcnemar_chi_square(counts)
    assert found
    assert found.p == pytest.approx(mcnemar(table, exact=False, correction=False).pvalue, rel=1e-9)


@given(COUNTS)
def test_mid_p_is_never_above_the_exact_p_and_takes_half_of_each_tail(counts: PairedCounts) -> None:
    mid, n, least = (
        mcnemar_mid_p(counts),
        counts.first_only + counts.second_only,
        min(counts.first_only, counts.second_only),
    )
    assert 0 < mid <= mcnemar_exact(counts) <= 1
    chances = [comb(n, k) / 2**n for k in range(n + 1)]
    if n and counts.first_only != counts.second_only:
        assert mid == pytest.approx(2 * (sum(chances[:least]) + chances[least] / 2), rel=1e-9)


def test_mid_p_of_five_against_five_is_not_too_small() -> None:
    assert mcnemar_mid_p(PairedCounts(0, 5, 5, 0)) == pytest.approx(0.877, abs=5e-4)


def test_without_a_discordant_event_the_test_says_one_and_the_chi_square_nothing() -> None:
    counts = PairedCounts(10, 0, 0, 5)
    assert mcnemar_mid_p(counts) == mcnemar_exact(counts) == 1
    assert mcnemar_chi_square(counts) is None


@given(COUNTS)
def test_every_interval_of_the_difference_holds_it_and_has_a_width(counts: PairedCounts) -> None:
    gap = counts.difference
    assert gap is not None
    for method in (newcombe_interval, bonett_price_interval, tango_interval):
        interval = method(counts)
        assert interval
        slack = 0.6 if method is bonett_price_interval else 1e-9  # Shrunk towards 0, it can miss an extreme estimate.
        assert -1 - 1e-9 <= interval[0] <= gap + slack
        assert gap - slack <= interval[1] <= 1 + 1e-9
        assert interval[1] - interval[0] > 1e-3


@given(COUNTS)
def test_swapping_the_probes_mirrors_the_intervals(counts: PairedCounts) -> None:
    mirrored = PairedCounts(counts.both, counts.second_only, counts.first_only, counts.neither)
    for method in (newcombe_interval, bonett_price_interval, tango_interval, wald_interval):
        ours, theirs = method(counts), method(mirrored)
        assert ours
        assert theirs
        assert ours == pytest.approx((-theirs[1], -theirs[0]), abs=1e-9)


def test_without_events_there_is_no_interval() -> None:
    empty = PairedCounts(0, 0, 0, 0)
    assert empty.difference is None
    assert all(
        method(empty) is None for method in (newcombe_interval, bonett_price_interval, tango_interval, wald_interval)
    )


def test_newcombe_gives_the_published_interval() -> None:
    assert newcombe_interval(PairedCounts(59, 6, 16, 80)) == pytest.approx((-0.1186, -0.0046), abs=5e-5)


def test_newcombe_holds_its_level_where_wald_does_not() -> None:
    n, rates = 30, (0.88, 0.04, 0.03, 0.05)
    covered = {newcombe_interval: 0.0, wald_interval: 0.0}
    for a, b, c in product(range(n + 1), range(12), range(12)):
        d = n - a - b - c
        if d < 0:
            continue
        chance = float(
            factorial(n)
            // (factorial(a) * factorial(b) * factorial(c) * factorial(d))
            * rates[0] ** a
            * rates[1] ** b
            * rates[2] ** c
            * rates[3] ** d
        )
        if chance > 1e-7:
            for method in covered:
                interval = method(PairedCounts(a, b, c, d))
                assert interval
                covered[method] += chance * (interval[0] <= rates[1] - rates[2] <= interval[1])
    assert covered[newcombe_interval] >= 0.95 > covered[wald_interval]


@given(st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=2, max_size=30))
def test_cochrans_q_is_that_of_statsmodels(outcomes: list[list[int]]) -> None:
    from statsmodels.stats.contingency_tables import cochrans_q

    found = cochran_q(outcomes)
    if found is None:
        assert all(len(set(row)) == 1 for row in outcomes)
    else:
        expected = cochrans_q(np.array(outcomes))
        assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)


@given(P_VALUES)
def test_benjamini_hochberg_is_that_of_scipy(values: list[float]) -> None:
    from scipy.stats import false_discovery_control

    assert benjamini_hochberg(values) == pytest.approx(false_discovery_control(values).tolist())


@given(P_VALUES, st.floats(0.001, 0.5))
def test_holm_rejects_what_stepping_down_rejects(values: list[float], level: float) -> None:
    rejected: set[int] = set()
    for place, index in enumerate(sorted(range(len(values)), key=lambda index: values[index])):
        if values[index] * (len(values) - place) > level:
            break
        rejected.add(index)
    assert {index for index, value in enumerate(holm(values)) if value <= level} == rejected


def test_common_events_are_listed_and_losses_counted() -> None:
    found = common_events({"m1": ["e2", "e1", "e3"], "m2": ["e3", "e2"]})
    assert found.common == ("e2", "e3")
    assert found.lost == {"m1": 1, "m2": 0}
    assert common_events({}).common == ()
