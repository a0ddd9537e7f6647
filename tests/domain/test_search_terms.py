"""The search language of cases: what is written, and what it means."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.folding import fold_accents
from btc_gui.domain.search_terms import Both, Either, Near, Term, Without, Words, parse, wanted_words
from btc_gui.domain.search_words import BREAK, asked, indexed, pattern, units
from btc_gui.errors import InputError

A, B, C = Words("a1"), Words("b1"), Words("c1")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a1", A),
        ("a1 b1", Both((A, B))),
        ("a1 AND b1", Both((A, B))),
        ("a1 OR b1", Either((A, B))),
        ("a1 b1 OR c1", Either((Both((A, B)), C))),
        ("a1 (b1 OR c1)", Both((A, Either((B, C))))),
        ("a1 -b1", Both((A, Without(B)))),
        ("a1 NOT b1", Both((A, Without(B)))),
        ("-a1", Without(A)),
        ("-(a1 b1)", Without(Both((A, B)))),
        ('"a1 b1"', Words("a1 b1")),
        ("“a1 b1” c1", Both((Words("a1 b1"), C))),
        ("«a1»", A),
        ("a1*", Words("a1", begins=True)),
        ("answer:a1", Words("a1", "answer")),
        ("Query: a1", Words("a1", "query")),
        ('-result:"a1 b1"', Without(Words("a1 b1", "result"))),
        ("reasoning:(a1 OR b1)", Either((Words("a1", "reasoning"), Words("b1", "reasoning")))),
        ("a1 NEAR b1", Near(A, B, 10)),
        ("a1 NEAR/3 b1 c1", Both((Near(A, B, 3), C))),
        ("query:(a1 NEAR/2 b1)", Near(Words("a1", "query"), Words("b1", "query"), 2)),
        ("near or not", Both((Words("near"), Words("or"), Words("not")))),
        ("a1 & b1", Both((A, B))),
        ("2026-05-09", Words("2026-05-09")),
        ("https://example.org/x", Words("https://example.org/x")),
        ("a-b", Words("a-b")),
        ("a1 - b1", Both((A, B))),
    ],
)
def test_what_is_meant(written: str, meant: Term) -> None:
    """Words are joined by and; brackets bind closest, then not, then and, then OR; small letters are only words."""
    assert parse(written) == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('"a1', "closing quote"),
        ("(a1", "not closed"),
        ("a1)", "closing bracket"),
        ("OR a1", "both sides"),
        ("a1 OR", "both sides"),
        ("a1 NEAR", "both sides"),
        ("NEAR b1", "both sides"),
        ("(a1 b1) NEAR c1", "both sides"),
        ("query:a1 NEAR answer:b1", "same field"),
        ("a1 NEAR/900 b1", "too far"),
        ("answer:", "after “answer:”"),
        ("a1 NOT", "after the “not”"),
        ("anser:a1", "no field “anser:”"),
        ("a*", "too many words"),
        ("%", "no letter or digit"),
        ("-", "no letter or digit"),
        ("()", "no letter or digit"),
        ("(" * 60 + "a" + ")" * 60, "too many brackets"),
    ],
)
def test_what_is_not_understood_is_said(written: str, said: str) -> None:
    """Each mistake has its sentence."""
    with pytest.raises(InputError, match=re.escape(said)):
        parse(written)


@given(st.text(alphabet=st.sampled_from('ab1 ()-:"*“”NEARO/京é\0\ud800'), max_size=30))
def test_any_text_is_a_search_or_refused(text: str) -> None:
    """Whatever is typed, there is a meaning or a sentence."""
    with suppress(InputError):
        assert all(words.units for words in wanted_words(parse(text)))


@given(st.text(alphabet=st.sampled_from("aZ9_-' \t\n\0éßİﬁ½×京ュ゙ไहि🎭\u0301\u00a0\u3000\u200b\ud800"), max_size=30))
def test_the_index_holds_the_words_that_are_asked_for(text: str) -> None:
    """Plain words beside others are indexed as what they are asked for by; the index splits at ASCII marks."""
    told = re.findall(r"[0-9A-Za-z\x80-\U0010ffff]+", indexed([text]).lower())
    runs = [
        [unit.text[i : i + 2] for i in range(len(unit.text))] if unit.is_run else [unit.text] for unit in units(text)
    ]
    assert told == [word.encode("utf-8", "replace").decode() for run in runs for word in run]


def test_words_of_all_scripts() -> None:
    """Accents and case are nothing; unspaced scripts come in pairs; vowel signs stay in their words."""
    assert [u.text for u in units("Orbán's O_K CO₂")] == ["orban", "s", "o", "k", "co2"]
    assert indexed(["Ünï 北京市长x"]) == "uni 北京 京市 市长 长 x"
    assert indexed(["one", "", "two"]) == f"one {BREAK} two"
    assert [u.text for u in units("हिन्दी में")] == [u.text for u in units("हिन्दी")] + [u.text for u in units("में")]
    assert asked(units("北京市")) == (["北京", "京市"], False)
    assert asked(units("北")) == (["北"], True)
    assert asked(units("北京 2026")) == (["北京", "京", "2026"], False)
    assert asked(units("iPad Art")) == (["ipad", "art"], False)


@pytest.mark.parametrize(
    ("words", "begins", "text", "marked"),
    [
        ("orban", False, "Viktor Orbán's", "Orbán"),
        ("orb", False, "Viktor Orbán's", None),
        ("orb", True, "Viktor Orbán's", "Orb"),
        ("prime minister", False, "a Prime\n Minister.", "Prime\n Minister"),
        ("京市", False, "北京市长", "京市"),
        ("北京 2026", False, "在北京2026年", "北京2026"),
    ],
)
def test_the_same_words_are_marked(words: str, begins: bool, text: str, marked: str | None) -> None:
    """What is found is what is marked, in the original's own letters."""
    folded = fold_accents(text)
    found = re.compile(pattern(units(words), begins=begins)).search(folded.text.lower())
    assert (found and text[slice(*folded.span(*found.span()))]) == marked
