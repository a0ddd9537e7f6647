"""Comparing two wordings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.wording_diff import Change, diff_words


def test_a_replaced_word_is_removed_and_added() -> None:
    pieces = diff_words("Who suits the autumn?", "Who suits the next autumn?")
    assert [(p.change, p.text) for p in pieces] == [
        (Change.KEPT, "Who suits the "),
        (Change.ADDED, "next "),
        (Change.KEPT, "autumn?"),
    ]


@given(st.text(max_size=60), st.text(max_size=60))
def test_both_texts_can_be_read_from_the_pieces(old: str, new: str) -> None:
    pieces = diff_words(old, new)
    assert "".join(p.text for p in pieces if p.change is not Change.REMOVED) == new
    assert "".join(p.text for p in pieces if p.change is not Change.ADDED) == old


def test_very_long_texts_are_compared_as_a_whole() -> None:
    old, new = "a b " * 5_000, "a c " * 5_000
    assert [p.change for p in diff_words(old, new)] == [Change.REMOVED, Change.ADDED]
