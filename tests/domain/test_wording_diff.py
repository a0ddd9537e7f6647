"""Comparing two wordings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.wording_diff import Change, Piece, diff_answers, diff_words, folded


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


@given(st.text("ab .\n", max_size=80), st.text("ab .\n", max_size=80))
def test_answers_can_be_read_from_their_pieces(old: str, new: str) -> None:
    pieces = diff_answers(old, new)
    assert "".join(p.text for p in pieces if p.change is not Change.REMOVED) == new
    assert "".join(p.text for p in pieces if p.change is not Change.ADDED) == old


def test_a_word_or_two_between_changes_belong_to_the_change() -> None:
    pieces = diff_answers("Ask the painter David Hockney now.", "Ask a the sculptor Ada Example now.")
    assert [(p.change, p.text) for p in pieces] == [
        (Change.KEPT, "Ask"),
        (Change.REMOVED, " the painter David Hockney"),
        (Change.ADDED, " a the sculptor Ada Example"),
        (Change.KEPT, " now."),
    ]


def test_very_long_answers_are_compared_by_sentences() -> None:
    """Ten thousand words with one that differs: just that one is a change."""
    sentences = [f"Sentence {n} says that all is well. " for n in range(1_500)]
    other = [*sentences[:700], "Sentence 700 says that nothing is well. ", *sentences[701:]]
    changed = [p for p in diff_answers("".join(sentences), "".join(other)) if p.change is not Change.KEPT]
    assert [(p.change, p.text) for p in changed] == [(Change.REMOVED, "all"), (Change.ADDED, "nothing")]


def test_what_is_the_same_is_folded_but_for_what_is_around_changes() -> None:
    same = "x" * 500
    pieces = [Piece(Change.KEPT, same), Piece(Change.ADDED, "new"), Piece(Change.KEPT, same)]
    assert [(p.change, len(p.text)) for p in folded(pieces) if p.change is not Change.FOLDED] == [
        (Change.KEPT, 80),
        (Change.ADDED, 3),
        (Change.KEPT, 80),
    ]
    assert [p.text for p in folded(pieces) if p.change is Change.FOLDED] == ["⋯ 420 characters the same ⋯"] * 2
    short = [Piece(Change.KEPT, "short"), Piece(Change.ADDED, "new")]
    assert folded(short) == short
