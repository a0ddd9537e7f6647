"""Mentions of an entity: found as people write them, at the right place of the text as it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.folding import fold_accents, fold_spaces, latin_key, plain_key, search_key
from btc_gui.domain.mentions import NameKind, find_mentions, names_of
from tests.builders import make_facts


def _found(text: str, entity: str, *aliases: str, is_person: bool = True) -> list[str]:
    names = names_of(make_facts(entity=entity, aliases=tuple(aliases)), is_person=is_person)
    return [text[mention.start : mention.stop] for mention in find_mentions(text, names)]


@pytest.mark.parametrize(
    ("text", "entity", "expected"),
    [
        ("Ask David Hockney, or Hockney's studio.", "David Hockney", ["David Hockney", "Hockney"]),
        ("DAVID HOCKNEY DIES AT 88", "David Hockney", ["DAVID HOCKNEY"]),
        ("david hockney ipad", "David Hockney", ["david hockney"]),
        ("David\n  Hockney", "David Hockney", ["David\n  Hockney"]),
        ("HOCKNEY at 88", "David Hockney", ["HOCKNEY"]),
        ("hockney prints", "David Hockney", []),
        ("The Hockneys of Bradford", "David Hockney", []),
        ("the Hockneys’ and Hockney’s", "David Hockney", ["Hockney"]),
        ("Viktor Orban resigned; Orba\u0301n left", "Viktor Orbán", ["Viktor Orban", "Orba\u0301n"]),
        ("the anti-Orbán camp and Orbán-led lists", "Viktor Orbán", ["Orbán", "Orbán"]),
        ("The price rose. Price agreed. PRICE RISE", "Leontyne Price", ["Price", "PRICE"]),
        ("Burne-Jones met Jones-Smith and Jones", "Indiana Jones", ["Jones"]),
        ("O’Brien and O'Brien", "Conan O'Brien", ["O’Brien", "O'Brien"]),
        ("Martin Luther King, Jr. and King", "Martin Luther King Jr.", ["King", "King"]),
        ("Strauss and Strauß", "Franz Josef Strauß", ["Strauss", "Strauß"]),
        ("Ada Example (politician) spoke", "Ada Example (politician)", ["Ada Example"]),
        ("", "Ada Example", []),
    ],
)
def test_names_as_people_write_them(text: str, entity: str, expected: list[str]) -> None:
    """Case, accents, quotes, possessives, double names and common words."""
    assert _found(text, entity) == expected


def test_aliases() -> None:
    """Other names count; one of a single word needs its capital."""
    text = "Pelé, born Edson Arantes do Nascimento; pele means skin."
    assert _found(text, "Pelé", "Edson Arantes do Nascimento") == ["Pelé", "Edson Arantes do Nascimento"]


def test_scripts_without_spaces() -> None:
    """In Chinese nothing separates a name from its sentence."""
    assert _found("前总理李强今日访问", "李强") == ["李强"]


def test_only_persons_have_surnames() -> None:
    """“Museum” does not stand for the Bayeux Tapestry Museum."""
    text = "The Bayeux Tapestry Museum is a Museum."
    assert _found(text, "Bayeux Tapestry Museum", is_person=False) == ["Bayeux Tapestry Museum"]


@pytest.mark.parametrize(
    "text",
    [
        "The House of Names reopened.",
        "They met in the Museum of Names, as always.",
        "A visit to the Musée des Noms.",
        "NAMES HALL CLOSES",
        "故宫博物院今日关闭",
    ],
)
def test_each_name_is_found_without_the_others(text: str) -> None:
    """Names of one entity that share words, and one in another script: each is looked for whatever the others are."""
    aliases = ("House of Names", "Musée des Noms", "Names Hall", "故宫博物院")
    assert len(_found(text, "Museum of Names", *aliases, is_person=False)) == 1
    assert _found("The house, the hall, the museum of it", "Museum of Names", *aliases, is_person=False) == []


def test_kinds() -> None:
    """A surname is told from the full name: alone it may be somebody else's."""
    names = names_of(make_facts(entity="David Hockney", aliases=("The Bradford Boy",)))
    kinds = [m.kind for m in find_mentions("Hockney, David Hockney, the Bradford boy", names)]
    assert kinds == [NameKind.SURNAME, NameKind.NAME, NameKind.ALIAS]


@given(st.text(max_size=30), st.text(max_size=30))
def test_offsets_are_those_of_the_original(before: str, after: str) -> None:
    """Whatever stands around it, what is marked is the name (accents may be written as marks of their own)."""
    name = "Jose\u0301 Nu\u0301n\u0303ez"
    text = f"{before} {name}, {after}"
    found = _found(text, "José Núñez")
    assert name in found


@given(st.text(max_size=60))
def test_folding_keeps_its_way_back(text: str) -> None:
    """Every folded character names the part of the original that it came from, in order."""
    for folded in (fold_accents(text), fold_spaces(text)):
        assert len(folded.text) == len(folded.starts) == len(folded.stops)
        assert list(folded.starts) == sorted(folded.starts)
        assert all(0 <= a < b <= len(text) for a, b in zip(folded.starts, folded.stops, strict=True))


@pytest.mark.parametrize(
    ("text", "folded", "starts"),
    [
        ("ＡＢ１", "AB1", [0, 1, 2]),
        ("漢字とカナ", "漢字とカナ", [0, 1, 2, 3, 4]),
        ("가나", "가나", [0, 0, 1, 1]),
        ("ﬁxe\u0301", "fixe", [0, 0, 1, 2]),
        ("ﬁé\u200bß", "fiess", [0, 0, 1, 3, 3]),
        ("か\u3099ﬀ", "かff", [0, 2, 2]),
    ],
)
def test_letters_that_become_several_and_marks_that_go(text: str, folded: str, starts: list[int]) -> None:
    """A ligature and a mark leave the length as it was: each letter still knows where it came from."""
    found = fold_accents(text)
    assert found.text == unicodedata.normalize("NFKD", folded)
    assert list(found.starts) == starts


@given(st.text(max_size=60))
def test_search_key_is_stable(text: str) -> None:
    """Folding what is folded changes nothing, or searches would miss what they have indexed."""
    assert search_key(search_key(text)) == search_key(text)


@pytest.mark.parametrize(
    ("text", "entity", "expected"),
    [
        ("Сегодня умер Виктор Орбан", "Виктор Орбан", ["Виктор Орбан"]),
        ("昨日、村上春樹は", "村上春樹", ["村上春樹"]),
        ("北京：Łukasz Ødegård и Łukasz", "Łukasz Ødegård", ["Łukasz Ødegård"]),
        ("про Lukasz Odegard тут", "Łukasz Ødegård", ["Lukasz Odegard"]),
        ("これは Ha\u00adrry Styles です", "Harry Styles", ["Ha\u00adrry Styles"]),
        ("Мнение ＡＤＡ Example", "Ada Example", ["ＡＤＡ Example"]),
        ("том Конан O’Brien и O`Brien", "Conan O'Brien", ["O’Brien", "O`Brien"]),
        ("e\u0301mile Zola, ÉMILE ZOLA, д", "Émile Zola", ["e\u0301mile Zola", "ÉMILE ZOLA"]),
    ],
)
def test_names_are_found_among_other_scripts(text: str, entity: str, expected: list[str]) -> None:
    assert _found(text, entity) == expected


@given(st.text(max_size=40))
def test_the_quick_look_never_misses_a_name(around: str) -> None:
    """Whatever stands around a name, its key is in the text's key."""
    for name in ("Łukasz", "Orbán", "Strauß", "Ødegård", "O’Brien"):
        text = f"{around} {name} {around}"
        assert latin_key(name) in latin_key(text)
        assert plain_key(name) in plain_key(text)
