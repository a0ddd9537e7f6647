"""Accuracy by number of queries, against the golden case `queries_trend`."""

from __future__ import annotations

import pytest

from btc_gui.domain.query_table import query_rows
from btc_gui.domain.trajectory import Ending
from tests.result_builders import DIRECT, RIGHT, WRONG, make_answer, make_groups


def test_groups_overall_and_trend_are_the_golden_ones() -> None:
    answers, event = [], 0
    for queries, right, wrong in ((1, 30, 12), (2, 40, 22), (3, 25, 30), (4, 10, 31)):
        for label in [RIGHT] * right + [WRONG] * wrong:
            event += 1
            answers.append(make_answer(event, label, queries=queries))
    answers += [make_answer(900, None, ending=Ending.NO_ANSWER), make_answer(901, None), make_answer(902, kind=DIRECT)]
    (row,) = query_rows(make_groups(answers))
    assert [group.queries for group in row.groups] == [1, 2, 3, 4]
    assert [(group.accuracy.count, group.accuracy.n) for group in row.groups] == [
        (30, 42),
        (40, 62),
        (25, 55),
        (10, 41),
    ]
    assert row.groups[0].accuracy.interval == pytest.approx((0.5643279073, 0.8283297538), abs=1e-9)
    assert sum(group.share.value or 0 for group in row.groups) == pytest.approx(1)
    assert (row.overall.count, row.overall.n) == (105, 200)
    assert row.trend is not None
    assert row.trend.z == pytest.approx(-4.75320542883901, abs=1e-9)
    assert row.trend.p == pytest.approx(2.0021673092239013e-06, rel=1e-6)


def test_a_group_is_drawn_from_nine_probes_up_and_listed_before() -> None:
    answers = [make_answer(n, queries=0) for n in range(8)] + [make_answer(n, queries=7) for n in range(20, 29)]
    (row,) = query_rows(make_groups(answers))
    assert [(group.queries, group.is_drawn) for group in row.groups] == [(0, False), (7, True)]
    assert row.trend is None


def test_a_configuration_without_a_scored_answer_has_no_row() -> None:
    assert query_rows(make_groups([make_answer(1, None)])) == []


def test_answers_whose_queries_are_not_known_are_in_no_group() -> None:
    """They count in what all together have right."""
    answers = [make_answer(1, RIGHT, queries=None), make_answer(2, WRONG, queries=0), make_answer(3, RIGHT, queries=1)]
    (row,) = query_rows(make_groups(answers))
    assert [(group.queries, group.share.count, group.share.n) for group in row.groups] == [(0, 1, 3), (1, 1, 3)]
    assert (row.overall.count, row.overall.n) == (2, 3)
    assert query_rows(make_groups(answers[:1]))[0].groups == ()
