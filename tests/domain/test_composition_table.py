"""Failure modes are those of indirect failures in the shared harness, with simultaneous intervals."""

from __future__ import annotations

import pytest

from btc_gui.domain.accuracy_table import AccuracyCell
from btc_gui.domain.composition_table import MERGED, CompositionRow, composition_rows
from btc_gui.domain.configuration import Harness
from btc_gui.domain.failure_mode import FailureMode
from tests.result_builders import DIRECT, WRONG, make_answer, make_groups, make_head


def test_composition_counts_indirect_failures_of_the_shared_harness_by_mode() -> None:
    answers = [make_answer(n, WRONG, mode=FailureMode.REASONING) for n in range(3)]
    answers += [make_answer(n, WRONG) for n in (10, 11)] + [make_answer(20), make_answer(21, WRONG, DIRECT)]
    answers += [make_answer(n, WRONG, configuration=2) for n in range(6)]
    native = make_head(harness=Harness.NATIVE).configuration
    (row,) = composition_rows(make_groups(answers, make_head().configuration, native))
    assert row.modes[FailureMode.REASONING] == 3
    assert (row.unclassified, row.classified, row.total) == (2, 3, 5)


def test_intervals_are_goodmans_and_of_three_classes_once_merged() -> None:
    # golden case goodman_modes; the merged ones by statsmodels multinomial_proportions_confint([30, 35, 100]).
    row = CompositionRow(make_head(), AccuracyCell(), dict(zip(FailureMode, (30, 35, 65, 35), strict=True)), 4)
    assert row.intervals()["indirect"] == pytest.approx((0.3044595439, 0.4911472074), abs=1e-9)
    assert row.merged == {"reasoning": 30, "explicit": 35, MERGED: 100}
    statsmodels = pytest.importorskip("statsmodels.stats.proportion")
    expected = statsmodels.multinomial_proportions_confint([30, 35, 100], 0.05, "goodman")
    for found, wanted in zip(row.intervals(merged=True).values(), expected, strict=True):
        assert found == pytest.approx(tuple(wanted), abs=1e-9)


def test_without_a_classified_failure_there_are_no_intervals() -> None:
    assert CompositionRow(make_head(), AccuracyCell(), dict.fromkeys(FailureMode, 0), 3).intervals() == {}
