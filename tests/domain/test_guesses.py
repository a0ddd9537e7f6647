"""Guesses: sentences that name the entity with words of the change."""

from __future__ import annotations

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.guesses import guess_passages
from btc_gui.domain.mentions import find_mentions, names_of
from tests.builders import make_facts

NAMES = names_of(make_facts(entity="Ada Example"))


def guessed(text: str, *words: str) -> list[str]:
    return [text[start:stop] for start, stop in guess_passages(text, find_mentions(text, NAMES), words)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Example died on Saturday. She was 90.", ["Ada Example died"]),
        ("The late Ada Example sang here.", []),
        ("An obituary of Ada Example.", ["obituary of Ada Example"]),
        ("Obituaries: Ada EXAMPLE.", ["Obituaries: Ada EXAMPLE"]),
        ("Somebody died. Ada Example sang.", []),
        ("He died, and nobody else is named.", []),
        ("Ada Example studied and undied.", []),
        ("Ada Example sang.\nShe dïed later.", []),
    ],
)
def test_what_is_a_guess(text: str, expected: list[str]) -> None:
    assert guessed(text, "died", "obituar*") == expected


def test_overlapping_guesses_are_one() -> None:
    text = "Ada Example died; an obituary of Example follows."
    assert guessed(text, "died", "obituar*") == ["Ada Example died; an obituary of Example"]


def test_without_words_or_mentions_there_is_none() -> None:
    assert guess_passages("Ada Example died.", [], ["died"]) == []
    assert guessed("Ada Example died.") == []


def test_every_category_has_words_of_its_change() -> None:
    for category in load_categories(paths.resources() / "categories").values():
        assert category.change_words
