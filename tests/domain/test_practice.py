"""A round of practice is every item once; the mark ends it, and only a whole round can reach the mark."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from btc_gui.domain.packet import ItemId
from btc_gui.domain.practice import PracticeLabel, PracticeRound, open_items, practice_rounds

KNOWN = {ItemId(name): "correct" for name in ("a", "b", "c", "d", "e")}


def log(*given: tuple[str, str]) -> list[PracticeLabel]:
    return [PracticeLabel(number, ItemId(item), label) for number, (item, label) in enumerate(given, start=1)]


def whole(right: int) -> list[tuple[str, str]]:
    return [(item, "correct" if number < right else "incorrect") for number, item in enumerate(KNOWN)]


def test_nothing_was_practised_yet() -> None:
    assert practice_rounds(KNOWN, [], 0.8) == []
    assert open_items(KNOWN, [], 0.8) == ["a", "b", "c", "d", "e"]


def test_four_of_five_reach_a_mark_of_eighty_percent() -> None:
    labels = log(*whole(4))
    assert practice_rounds(KNOWN, labels, 0.8) == [PracticeRound(4, 5, 5, 4)]
    assert open_items(KNOWN, labels, 0.8) == []


def test_who_misses_the_mark_begins_another_round() -> None:
    labels = log(*whole(3))
    assert [each.is_passed for each in practice_rounds(KNOWN, labels, 0.8)] == [False]
    assert open_items(KNOWN, labels, 0.8) == list(KNOWN)
    again = log(*whole(3), ("c", "correct"), ("a", "correct"))
    assert open_items(KNOWN, again, 0.8) == ["b", "d", "e"]
    assert [each.is_over for each in practice_rounds(KNOWN, again, 0.8)] == [True, False]


def test_a_round_that_is_not_over_reaches_no_mark() -> None:
    labels = log(*whole(5)[:4])
    assert not practice_rounds(KNOWN, labels, 0.8)[-1].is_passed
    assert open_items(KNOWN, labels, 0.8) == ["e"]


@pytest.mark.parametrize(
    ("mark", "size", "needed"), [(0.8, 15, 12), (0.8, 10, 8), (0.7, 10, 7), (0.85, 10, 9), (0, 3, 0), (1, 3, 3)]
)
def test_the_mark_in_items_is_no_matter_of_floats(mark: float, size: int, needed: int) -> None:
    known = {ItemId(str(number)): "correct" for number in range(size)}
    (only,) = practice_rounds(known, log(("0", "incorrect")), mark)
    assert (only.needed, only.items) == (needed, size)


@pytest.mark.parametrize("labels", [log(("x", "correct")), []])
def test_without_items_there_is_nothing_to_practise(labels: Sequence[PracticeLabel]) -> None:
    assert practice_rounds({}, labels, 0.8) == []
    assert open_items({}, labels, 0.8) == []
    assert practice_rounds(KNOWN, labels, 0.8) == []
