"""Search behaviour, and contrasts of configurations on the same events, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.behaviour_table import behaviour_rows, category_contrasts, effort_contrasts, harness_contrasts
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.paired import PairedCounts, newcombe_interval
from tests.result_builders import RIGHT, WRONG, make_answer, make_groups, make_head, make_pairs

LOW = make_head().configuration
HIGH = replace(LOW, effort=Effort.HIGH)
NATIVE = replace(LOW, harness=Harness.NATIVE, search="its own")


def test_search_behaviour_is_over_scored_indirect_answers() -> None:
    queries = ((0, WRONG), (0, WRONG), (1, WRONG), (1, RIGHT), (2, RIGHT), (5, WRONG), (9, None))
    answers = [make_answer(n, label, queries=count) for n, (count, label) in enumerate(queries)]
    (row,) = behaviour_rows(make_groups(answers))
    assert (row.no_query.count, row.no_query.n) == (2, 6)
    assert row.median_queries == 1
    assert (row.after_one.count, row.after_one.n) == (2, 4)
    assert (row.after_two.count, row.after_two.n) == (1, 2)


def test_answers_whose_queries_are_not_known_are_no_answers_without_a_query() -> None:
    """They are told apart: neither the share without a query nor the median takes them for 0."""
    queries = ((None, RIGHT), (None, WRONG), (0, WRONG), (2, RIGHT), (4, RIGHT), (None, None))
    answers = [make_answer(n, label, queries=count) for n, (count, label) in enumerate(queries)]
    (row,) = behaviour_rows(make_groups(answers))
    assert row.unknown == 2
    assert (row.no_query.count, row.no_query.n, row.median_queries) == (1, 3, 2)
    assert (row.after_one.count, row.after_one.n, row.after_two.n) == (2, 2, 2)
    (row,) = behaviour_rows(make_groups(answers[:2]))
    assert (row.unknown, row.no_query.value, row.median_queries, row.after_one.value) == (2, None, None, None)


def test_high_less_low_is_paired_by_event_with_the_change_of_each_mode() -> None:
    none, reasoning = FailureMode.NONE, FailureMode.REASONING
    low = [make_answer(1, WRONG, mode=none), make_answer(2, WRONG, mode=none), make_answer(3), make_answer(4)]
    high = [make_answer(1), make_answer(2, WRONG, mode=reasoning), make_answer(3), make_answer(5)]
    for answer in high:
        answer.configuration = type(answer.configuration)(2)
    (row,) = effort_contrasts(make_groups([*low, *high], LOW, HIGH))
    assert (row.first.title, row.second.title) == (LOW.title, HIGH.title)
    assert row.pairs == PairedCounts(both=1, first_only=1, second_only=0, neither=1)
    assert row.change == pytest.approx(1 / 3)
    assert row.p == row.adjusted == 0.5
    assert row.modes == {
        FailureMode.REASONING: pytest.approx(0.25),
        FailureMode.EXPLICIT: 0,
        FailureMode.INDIRECT: 0,
        FailureMode.NONE: pytest.approx(-0.5),
    }


def test_an_unclassified_failure_leaves_the_modes_unsaid() -> None:
    answers = [make_answer(1, WRONG), make_answer(1, RIGHT, configuration=2)]
    assert effort_contrasts(make_groups(answers, LOW, HIGH))[0].modes is None


def test_efforts_are_contrasted_only_where_all_else_is_the_same() -> None:
    answers = [make_answer(1, WRONG), make_answer(1, RIGHT, configuration=2)]
    assert effort_contrasts(make_groups(answers, LOW, replace(HIGH, as_of="2026-05-08"))) == []
    told = [replace(each, settings={"effort": each.effort}) for each in (LOW, HIGH)]
    assert len(effort_contrasts(make_groups(answers, *told))) == 1


def test_shared_less_native_of_the_same_model_and_effort() -> None:
    answers = [make_answer(n, WRONG) for n in (1, 2)] + [make_answer(n, RIGHT, configuration=2) for n in (1, 2)]
    (row,) = harness_contrasts(make_groups(answers, LOW, NATIVE))
    assert row.first.configuration is NATIVE
    assert row.change == -1
    assert harness_contrasts(make_groups(answers, LOW, replace(NATIVE, effort=Effort.HIGH))) == []


def test_the_gap_of_one_category_less_that_of_another() -> None:
    answers = make_pairs(4, 5, 0, 1) + make_pairs(6, 2, 1, 1, category="tenure")
    (row,) = category_contrasts(make_groups(answers))
    assert row.gaps == pytest.approx((0.5, 0.1))
    assert row.change == pytest.approx(0.4)
    one, other = newcombe_interval(PairedCounts(4, 5, 0, 1)), newcombe_interval(PairedCounts(6, 2, 1, 1))
    assert one is not None
    assert other is not None
    below = ((0.5 - one[0]) ** 2 + (other[1] - 0.1) ** 2) ** 0.5
    above = ((one[1] - 0.5) ** 2 + (0.1 - other[0]) ** 2) ** 0.5
    assert row.interval == pytest.approx((0.4 - below, 0.4 + above))
