"""Words and passages of documents in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.document import PASSAGE, passages, searchable, terms


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Who is the Mayor?", ["who", "is", "the", "mayor"]),
        ("mayor MAYOR Mayor", ["mayor"]),
        ('"a" OR b* NEAR(c d, 2) -e ^f {g}: h', ["a", "or", "b", "near", "c", "d", "2", "e", "f", "g", "h"]),
        ("Łódź, Málaga, Ångström", ["łodz", "malaga", "angstrom"]),
        ("東京都知事", ["東 京", "京 都", "都 知", "知 事"]),
        ("市", ["市"]),
        ("東京 mayor", ["東 京", "mayor"]),
        ("ＡＢＣ１２", ["abc12"]),
        ("서울시장은", ["서 울", "울 시", "시 장", "장 은"]),
        ("مُحَمَّد", ["محمد"]),
        ("שָׁלוֹם", ["שלום"]),
        ("प्रधानमंत्री", ["प्रधानमंत्री"]),
        ("🎉🎉🚀 party", ["🎉", "🚀", "party"]),
        ("", []),
        ("?! … — “”", []),
        ("half \udce9 one", ["half", "one"]),
        ("a\0b", ["a", "b"]),
    ],
)
def test_terms_of_a_query(query: str, found: list[str]) -> None:
    assert terms(query) == found


@given(st.text())
def test_terms_hold_nothing_that_a_query_language_knows(query: str) -> None:
    for term in terms(query):
        assert not set(term) & set("\"'*^:(){}+-\0\n\t")
        assert term
        assert term == term.strip()


@given(st.text())
def test_what_is_indexed_holds_each_word_of_a_query_for_itself(text: str) -> None:
    words = searchable(text)
    assert all(term in words or " " in term for term in terms(text))


@given(st.text(alphabet="ab .\n。!", max_size=3_000))
def test_passages_hold_the_whole_text_in_order(text: str) -> None:
    found = list(passages(text))
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(0 < len(each) <= PASSAGE for each in found)


def test_passages_end_between_sentences() -> None:
    text = "A sentence of some length is here. " * 60
    assert all(each.endswith("here.") for each in passages(text))
    long = "字" * (2 * PASSAGE + 1)
    assert [len(each) for each in passages(long)] == [PASSAGE, PASSAGE, 1]
