"""Snippets: the line of a case that a search found, with its words marked."""

from __future__ import annotations

import pytest

from btc_gui.domain.search_snippet import CaseText, SnippetSearch
from btc_gui.domain.search_terms import parse

_TEXTS = [
    CaseText("answer", "Ask Viktor Orbán\nor his office."),
    CaseText("query", "who is in office in Orbanville", 2),
    CaseText("result", "x " * 40_000 + "北京市长 retired on 9 May. " + "y " * 500, 2),
]


@pytest.mark.parametrize(
    ("search", "field", "step", "marked"),
    [
        ("orban", "answer", None, ["Orbán"]),
        ("query:orban*", "query", 2, ["Orban"]),
        ("office orban", "answer", None, ["Orbán", "office"]),
        ('"orban or"', "answer", None, ["Orbán or"]),
        ("retired -orban", "result", 2, ["retired"]),
        ("市长", "result", 2, ["市长"]),
        ("may NEAR 9", "result", 2, ["9", "May"]),
    ],
)
def test_words_are_marked_as_they_stand(search: str, field: str, step: int | None, marked: list[str]) -> None:
    """The first text with one of the words, on one line, wherever in a long text it is."""
    found = SnippetSearch(parse(search)).find(_TEXTS)
    assert found is not None
    assert (found.field, found.step) == (field, step)
    assert [found.text[slice(*mark)] for mark in found.marks] == marked
    assert "\n" not in found.text
    assert len(found.text) <= 200


def test_letters_that_are_written_plainly_at_another_length_are_marked_as_they_stand() -> None:
    """`Æ` and `ß` are two plain letters each, a ligature too; what stands behind them keeps its place."""
    text = CaseText("answer", "北京 Ærös große ﬁnance 市长 Ærös")
    found = SnippetSearch(parse("aeros OR finance OR 市长")).find([text])
    assert found is not None
    assert [found.text[slice(*mark)] for mark in found.marks] == ["Ærös", "ﬁnance", "市长", "Ærös"]


def test_no_place_for_what_must_not_occur() -> None:
    """A search of nothing but “not” has no place to show; nor has a name."""
    assert SnippetSearch(parse("-zebra")).find(_TEXTS) is None
    assert SnippetSearch(parse("entity:orban")).find(_TEXTS) is None
    cut = SnippetSearch(parse("retired")).find(_TEXTS)
    assert cut is not None
    assert cut.text.startswith("… x ")
    assert cut.text.endswith(" …")


def test_a_word_is_found_whole_wherever_it_stands_in_a_long_text() -> None:
    """Texts are looked at in pieces: the end of a word that another piece begins with is no word."""
    for place in range(785, 810):
        inside = CaseText("result", "ü" * place + "dronal " + "y " * 900)
        assert SnippetSearch(parse("dronal")).find([inside]) is None
        for word in ("dronal", "drönal"):
            found = SnippetSearch(parse("dronal")).find([CaseText("result", "ü" * place + f" {word} " + "y " * 900)])
            assert found is not None
            assert [found.text[slice(*mark)] for mark in found.marks] == [word]


@pytest.mark.parametrize("mark", ["\u0301", "\U00011046", "\U0001e8d0", "\u200b"])
def test_marks_of_any_plane_are_no_part_of_a_word(mark: str) -> None:
    """Accents of any script, also of those beyond the first 65,536 characters, and marks that are not seen."""
    text = CaseText("result", f"before dro{mark}nal after, and dronals")
    found = SnippetSearch(parse("dronal")).find([text])
    assert found is not None
    assert [found.text[slice(*place)] for place in found.marks] == [f"dro{mark}nal"]


def test_the_first_whole_word_of_a_plain_text_is_found() -> None:
    """Parts of longer words come before it, and the second word of a phrase elsewhere."""
    text = CaseText("result", "Dronals of nal; a drona, undronal. Here: DRONAL Nal.")
    found = SnippetSearch(parse('"dronal nal"')).find([text])
    assert found is not None
    assert [found.text[slice(*place)] for place in found.marks] == ["DRONAL Nal"]
