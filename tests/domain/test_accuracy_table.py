"""The accuracy table counts what has no score beside it, and never as wrong."""

from __future__ import annotations

import pytest

from btc_gui.domain.accuracy_table import AccuracyCell, AnswerTally, accuracy_rows, composition_rows
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import Ending
from btc_gui.domain.verdict import Label


def tally(count: int, label: Label | None = None, **more: object) -> AnswerTally:
    values: dict[str, object] = {
        "category": "demise",
        "kind": ProbeKind.INDIRECT,
        "model": "Model A",
        "effort": "low",
        "harness": "shared",
        "ending": Ending.ANSWERED,
        "label": label,
        "is_judged": label is not None,
        "mode": None,
        "is_classified": False,
        "count": count,
    }
    return AnswerTally(**{**values, **more})  # type: ignore[arg-type]


def test_accuracy_is_over_scored_answers_only() -> None:
    rows = accuracy_rows(
        [
            tally(6, Label.CORRECT),
            tally(2, Label.INCORRECT),
            tally(3, is_judged=True),
            tally(4),
            tally(5, ending=Ending.NO_ANSWER),
            tally(1, ending=Ending.REFUSED),
            tally(7, ending=Ending.FAILED),
        ]
    )
    cell = rows[0].indirect
    assert cell == AccuracyCell(correct=6, incorrect=2, unscored=3, unjudged=4, no_answer=5, refused=1, failed=7)
    assert cell.accuracy == 0.75
    assert cell.unanswered == 6


def test_bounds_count_the_unanswered_and_unscored_as_all_wrong_and_all_right() -> None:
    cell = AccuracyCell(correct=6, incorrect=2, no_answer=1, unscored=1, failed=10)
    assert cell.bounds == pytest.approx((0.6, 0.8))
    assert AccuracyCell(failed=3).bounds is None


def test_the_drop_is_direct_less_indirect_and_may_be_negative() -> None:
    row = accuracy_rows(
        [
            tally(8, Label.CORRECT, kind=ProbeKind.DIRECT),
            tally(2, Label.INCORRECT, kind=ProbeKind.DIRECT),
            tally(9, Label.CORRECT),
            tally(1, Label.INCORRECT),
        ]
    )[0]
    assert row.drop == pytest.approx(-0.1)


def test_without_direct_answers_there_is_no_drop() -> None:
    assert accuracy_rows([tally(1, Label.CORRECT)])[0].drop is None


def test_rows_stand_by_category_then_model_with_low_before_high() -> None:
    rows = accuracy_rows(
        [
            tally(1, Label.CORRECT, effort="high"),
            tally(1, Label.CORRECT, effort="low"),
            tally(1, Label.CORRECT, category="tenure", model="a"),
            tally(1, Label.CORRECT, model="b model"),
        ]
    )
    assert [(row.category, row.model, row.effort) for row in rows] == [
        ("demise", "b model", "low"),
        ("demise", "Model A", "low"),
        ("demise", "Model A", "high"),
        ("tenure", "a", "low"),
    ]


def test_composition_counts_indirect_failures_of_the_shared_harness_by_mode() -> None:
    rows = composition_rows(
        [
            tally(3, Label.INCORRECT, mode=FailureMode.REASONING, is_classified=True),
            tally(2, Label.INCORRECT),
            tally(5, Label.CORRECT),
            tally(4, Label.INCORRECT, kind=ProbeKind.DIRECT),
            tally(6, Label.INCORRECT, harness="native"),
        ]
    )
    assert len(rows) == 1
    assert rows[0].modes[FailureMode.REASONING] == 3
    assert (rows[0].unclassified, rows[0].total) == (2, 5)
