"""The accuracy table counts what has no score beside it, and never as wrong; drops are of the same events."""

from __future__ import annotations

import pytest

from btc_gui.domain.accuracy_table import AccuracyCell, accuracy_rows, repeat_rows
from btc_gui.domain.configuration import Effort
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.result_rows import counted_answers
from btc_gui.domain.trajectory import Ending
from tests.result_builders import DIRECT, RIGHT, WRONG, make_answer, make_groups, make_head, make_pairs


def test_accuracy_is_over_scored_answers_only() -> None:
    answers = [make_answer(n) for n in range(6)]
    answers += [make_answer(n, WRONG) for n in range(10, 12)]
    answers += [make_answer(n, None) for n in range(20, 23)]
    answers += [make_answer(n, None, is_judged=False) for n in range(30, 34)]
    for first, count, ending in ((40, 5, Ending.NO_ANSWER), (50, 1, Ending.REFUSED), (60, 7, Ending.FAILED)):
        answers += [make_answer(first + n, None, ending=ending, is_judged=False) for n in range(count)]
    cell = accuracy_rows(make_groups(answers))[0].indirect
    assert cell == AccuracyCell(correct=6, incorrect=2, unscored=3, unjudged=4, no_answer=5, refused=1, failed=7)
    assert cell.accuracy == 0.75
    assert cell.unanswered == 6


def test_the_interval_is_wilsons() -> None:
    # 74 of 200: golden case accuracy_74_200.
    assert AccuracyCell(correct=74, incorrect=126).interval == pytest.approx((0.3061260841, 0.4387737008), abs=1e-9)
    assert AccuracyCell(no_answer=3).interval is None


def test_bounds_count_the_unanswered_and_unscored_as_all_wrong_and_all_right() -> None:
    cell = AccuracyCell(correct=6, incorrect=2, no_answer=1, unscored=1, failed=10)
    assert cell.bounds == pytest.approx((0.6, 0.8))
    assert AccuracyCell(failed=3).bounds is None


def test_the_drop_is_direct_less_indirect_and_may_be_negative() -> None:
    row = accuracy_rows(make_groups(make_pairs(7, 1, 2, 0)))[0]
    assert row.drop == pytest.approx(-0.1)
    assert row.paired_drop == pytest.approx(-0.1)


def test_without_direct_answers_there_is_no_drop_and_no_test() -> None:
    row = accuracy_rows(make_groups([make_answer(1)]))[0]
    assert (row.drop, row.paired_drop, row.paired_interval, row.p, row.adjusted) == (None,) * 5


def test_direct_and_indirect_are_compared_on_the_events_scored_in_both() -> None:
    # The table of Cavo (2012), with the published interval -0.1186 to -0.0046 and mid-p 0.0347.
    answers = make_pairs(59, 6, 16, 80)
    answers += [make_answer(1000, RIGHT, DIRECT), make_answer(1001, WRONG), make_answer(1001, None, DIRECT)]
    row = accuracy_rows(make_groups(answers))[0]
    assert row.pairs.n == 161
    assert row.paired_drop == pytest.approx(-10 / 161)
    assert row.paired_interval == pytest.approx((-0.1186212, -0.0046251), abs=1e-6)
    assert row.p == pytest.approx(145499 / 4194304)
    assert row.direct.scored == 162
    assert row.indirect.scored == 162


def test_of_several_probes_of_an_event_the_first_one_is_paired() -> None:
    answers = make_pairs(0, 1, 0, 0)
    answers.append(make_answer(1, RIGHT, probe="zz later probe"))
    row = accuracy_rows(make_groups(answers))[0]
    assert (row.pairs.n, row.pairs.first_only) == (1, 1)
    assert row.indirect.scored == 2


def test_the_tests_are_adjusted_over_all_rows() -> None:
    # mid-p of 5 to 0: 1/32, of 1 to 7: 5/128, of 1 to 0: 1/2. Holm: 3/32, 3/32 (2·5/128 is less), 1/2.
    answers = make_pairs(1, 5, 0, 0)
    answers += make_pairs(1, 1, 7, 12, category="tenure") + make_pairs(3, 1, 0, 0, category="museum")
    rows = {row.category: row for row in accuracy_rows(make_groups(answers))}
    assert [rows[name].p for name in ("demise", "tenure", "museum")] == pytest.approx([1 / 32, 5 / 128, 1 / 2])
    assert [rows[name].adjusted for name in ("demise", "tenure", "museum")] == pytest.approx([3 / 32, 3 / 32, 1 / 2])


def test_rows_stand_by_category_then_model_with_low_before_high() -> None:
    configurations = [
        make_head(model, effort).configuration
        for model, effort in (("Model A", Effort.HIGH), ("Model A", Effort.LOW), ("a", Effort.LOW), ("b", Effort.LOW))
    ]
    answers = [make_answer(1, configuration=number) for number in (1, 2, 4)]
    answers.append(make_answer(1, category="tenure", configuration=3))
    rows = accuracy_rows(make_groups(answers, *configurations))
    assert [(row.category, row.title) for row in rows] == [
        ("demise", "b · low · shared"),
        ("demise", "Model A · low · shared"),
        ("demise", "Model A · high · shared"),
        ("tenure", "a · low · shared"),
    ]


def test_one_answer_a_probe_counts_whatever_its_label() -> None:
    failed = make_answer(1, None, ending=Ending.FAILED, is_judged=False, run=1)
    first, second = make_answer(1, WRONG, run=2), make_answer(1, RIGHT, run=3)
    repeated = make_answer(1, RIGHT, run=2, repetition=2)
    other = make_answer(2, RIGHT, run=1, revision=4)
    reworded = make_answer(2, WRONG, run=2, revision=7)
    for answers in ([failed, first, second, repeated, other, reworded], [reworded, other, repeated, second, first]):
        counted = counted_answers(answers)
        assert {answer.id for answer in counted.answers} == {first.id, reworded.id}
        assert len(counted.repeats) == len(answers) - 2


def test_repetitions_are_counted_apart() -> None:
    answers = [make_answer(1, WRONG), make_answer(1, WRONG), make_answer(1, WRONG)]
    answers += [make_answer(2, RIGHT), make_answer(2, WRONG), make_answer(3, RIGHT), make_answer(3, None)]
    counted = counted_answers(answers)
    groups = make_groups(counted.answers)
    assert accuracy_rows(groups)[0].indirect.scored == 3
    (row,) = repeat_rows(groups, counted.repeats)
    assert (row.probes, row.answers, row.same) == (2, 5, 1)


def test_modes_make_no_difference_to_accuracy() -> None:
    row = accuracy_rows(make_groups([make_answer(1, WRONG, mode=FailureMode.NONE)]))[0]
    assert row.indirect.incorrect == 1
