"""Long texts in pieces: the beginning, and what is around each passage that matters."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.excerpting import AROUND, excerpted, long_text

PASSAGES = st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 60)).map(lambda p: (p[0], p[0] + p[1])), max_size=4)


def test_the_beginning_and_a_passage_far_behind() -> None:
    text = "".join(chr(ord("a") + n % 26) for n in range(10_000))
    first, second = excerpted(text, [(7_000, 7_010)], 100)
    assert (first.start, first.text) == (0, text[:100])
    assert (second.start, second.stop) == (7_000 - AROUND, 7_010 + AROUND)
    assert second.text == text[second.start : second.stop]


def test_places_count_in_the_whole_text() -> None:
    whole = "x" * 500 + "y" * 2_000
    (piece,) = excerpted(whole[500:], [(1_500, 1_520)], 0, start=500)
    assert piece.text == whole[piece.start : piece.stop]


@given(st.integers(0, 5_000), PASSAGES, st.integers(0, 400))
def test_every_passage_is_in_a_piece_and_pieces_are_in_order(
    length: int, passages: list[tuple[int, int]], first: int
) -> None:
    text = "".join(chr(0x4E00 + n % 500) for n in range(length))
    pieces = excerpted(text, passages, first)
    assert all(piece.text == text[piece.start : piece.stop] for piece in pieces)
    assert all(left.stop < right.start for left, right in pairwise(pieces))
    for start, stop in passages:
        if stop <= length:
            assert any(piece.start <= start and stop <= piece.stop for piece in pieces)


def test_a_text_that_is_at_hand_whole() -> None:
    whole = long_text("abc")
    assert (whole.beginning, whole.length, whole.place) == ("abc", 3, None)
