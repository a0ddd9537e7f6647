"""The matrix counts what it is given, in one orientation, and says what it left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.errors import InputError

MODES = ("reasoning", "explicit", "indirect", "none")


def test_rows_are_the_judge_and_columns_the_human() -> None:
    matrix = ConfusionMatrix.from_pairs([("no", "yes"), ("no", "yes"), ("yes", "yes")], ["yes", "no"])
    assert matrix.counts == ((1, 0), (2, 0))
    assert matrix.cell("no", "yes") == 2
    assert matrix.row_totals == (1, 2)
    assert matrix.column_totals == (3, 0)


def test_labels_are_compared_by_value() -> None:
    # "Aa" and "BB" have the same hash in some languages, and a tool took them for equal.
    matrix = ConfusionMatrix.from_pairs([("Aa", "BB"), ("BB", "BB")], ["Aa", "BB"])
    assert matrix.agreed == 1


@pytest.mark.parametrize("blank", [None, "", "  ", "\u200b", "\t\n"])
def test_blank_labels_on_both_sides_do_not_agree(blank: str | None) -> None:
    matrix = ConfusionMatrix.from_pairs([(blank, blank), ("yes", "yes")], ["yes", "no", ""])
    assert matrix.total == 1
    assert matrix.left_out == {"no judge and no human label": 1}


def test_each_pair_left_out_is_counted_under_its_reason() -> None:
    pairs = [("yes", None), (None, "yes"), ("yes", "unsure"), ("E", "yes"), ("E", "yes"), ("yes", "no")]
    matrix = ConfusionMatrix.from_pairs(pairs, ["yes", "no"], unsure=["unsure"])
    assert matrix.total == 1
    assert matrix.left_out == {
        "no human label": 1,
        "no judge label": 1,
        "unsure": 1,
        "judge label “E” is not a class": 2,
    }


@given(st.lists(st.tuples(*[st.sampled_from([*MODES, None, "", "unsure", "other"])] * 2)))
def test_every_pair_is_in_a_cell_or_left_out(pairs: list[tuple[str | None, str | None]]) -> None:
    matrix = ConfusionMatrix.from_pairs(pairs, MODES, unsure=["unsure"])
    assert matrix.total + matrix.left_out_total == len(pairs)
    assert matrix.agreed + matrix.disagreed == matrix.total


def test_classes_can_be_merged_without_moving_a_pair() -> None:
    counts = ((27, 0, 3, 0), (1, 27, 7, 0), (2, 6, 54, 3), (0, 1, 8, 26))
    matrix = ConfusionMatrix(MODES, counts, "classifier", "human", {"unsure": 2})
    merged = matrix.merged({"reasoning": ["reasoning"], "search": ["explicit", "indirect"], "none": ["none"]})
    assert merged.counts == ((27, 3, 0), (3, 94, 3), (0, 9, 26))
    assert merged.rows_name == "classifier"
    assert merged.left_out == {"unsure": 2}


@pytest.mark.parametrize("groups", [{"a": ["reasoning"]}, {"a": [*MODES, "none"]}, {"a": [*MODES, "x"]}])
def test_a_merge_must_use_every_class_once(groups: dict[str, list[str]]) -> None:
    matrix = ConfusionMatrix.from_pairs([], MODES)
    with pytest.raises(InputError, match="exactly one group"):
        matrix.merged(groups)


@pytest.mark.parametrize(
    ("classes", "counts"),
    [(("a", "a"), ((1, 0), (0, 1))), (("a", "b"), ((1, 0),)), (("a", "b"), ((1,), (0,))), (("a",), ((-1,),))],
)
def test_a_matrix_that_makes_no_sense_is_refused(classes: tuple[str, ...], counts: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(InputError):
        ConfusionMatrix(classes, counts)
