"""Gaps over configurations, against enumeration and by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.configuration import Effort
from btc_gui.domain.gap_table import gap_summaries
from tests.result_builders import DIRECT, RIGHT, WRONG, make_answer, make_groups, make_head

#: Golden case `median_gap_bootstrap`: 4 events × 5 configurations.
DIFFERENCES = ((1, 0, 1, 0, 0), (0, 0, 1, 0, 1), (1, 1, 1, 0, 0), (0, 0, 1, -1, 1))


def test_median_and_interval_are_those_of_the_golden_case() -> None:
    answers = []
    for event, row in enumerate(DIFFERENCES, 1):
        for number, difference in enumerate(row, 1):
            answers.append(make_answer(event, RIGHT if difference >= 0 else WRONG, DIRECT, configuration=number))
            answers.append(make_answer(event, WRONG if difference > 0 else RIGHT, configuration=number))
    configurations = [make_head(f"Model {n}").configuration for n in range(5)]
    low, whole = gap_summaries(make_groups(answers, *configurations))
    assert (low.effort, whole.effort) == ("low", "all")
    assert (low.configurations, low.events) == (5, 4)
    assert low.numbers.median == 0.5
    assert low.median_interval == (0.0, 0.75)
    assert low.mean == pytest.approx(sum(map(sum, DIFFERENCES)) / 20)
    assert low.mean_interval is not None
    assert low.mean_interval[0] < low.mean < low.mean_interval[1]


def test_each_configuration_has_its_own_events() -> None:
    low = make_head().configuration
    answers = []
    for number, events in ((1, range(1, 5)), (2, range(3, 9))):
        for event in events:
            answers.append(make_answer(event, RIGHT, DIRECT, configuration=number))
            answers.append(make_answer(event, RIGHT if event % 2 else WRONG, configuration=number))
    found = gap_summaries(make_groups(answers, low, replace(low, effort=Effort.HIGH)))
    assert [(each.effort, each.configurations, each.events) for each in found] == [
        ("low", 1, 4),
        ("high", 1, 6),
        ("all", 2, 8),
    ]
    assert all(each.mean == 0.5 for each in found)


def test_where_every_resample_is_the_same_there_is_no_interval() -> None:
    answers = [make_answer(1, RIGHT, DIRECT), make_answer(1, WRONG)]
    summary = gap_summaries(make_groups(answers))[0]
    assert (summary.mean, summary.mean_interval, summary.median_interval) == (1, None, None)
    assert "no width" in summary.reason
