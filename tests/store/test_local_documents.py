"""Searching an index of documents: ranking, scripts of the world, and queries that mean harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.document import Document
from btc_gui.errors import ProjectError
from btc_gui.store.local_documents import DocumentIndex, read_about, write_index

TEXTS = {
    "plain": "The mayor of Exampleton resigned on Monday.",
    "mayor": "A new mayor was sworn in.",
    "chinese": "王小明于二〇二六年五月就任市长。",
    "japanese": "東京都の新しい知事はサンプル・花子です。",
    "korean": "서울시장은 홍길동이다.",
    "thai": "ผู้ว่าราชการกรุงเทพมหานครคนใหม่",
    "arabic": "تُوُفِّيَ الرَّئِيسُ يوم الجمعة",
    "hebrew": "ראש העיר החדש נבחר",
    "hindi": "नए प्रधानमंत्री ने शपथ ली",
    "polish": "Nowy burmistrz Łodzi: Żaneta Przykład",
    "turkish": "İstanbul'un yeni belediye başkanı",
    "emoji": "She won 🎉🏳️‍🌈 at last",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocumentIndex]:
    path = tmp_path_factory.mktemp("index") / "index.sqlite"
    write_index(path, (Document(name, name, "", text) for name, text in TEXTS.items()), {"folder": "x"})
    assert read_about(path)["documents"] == str(len(TEXTS))
    with DocumentIndex(path) as opened:
        yield opened


def _found(index: DocumentIndex, query: str) -> list[str]:
    return [each.title for each in index.search(query, 10)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Who is mayor of Exampleton?", "plain"),
        ("新市长是谁", "chinese"),
        ("東京都知事", "japanese"),
        ("花子", "japanese"),
        ("서울 시장", "korean"),
        ("กรุงเทพ", "thai"),
        ("توفي الرئيس", "arabic"),
        ("رئيس", "arabic"),
        ("ראש העיר", "hebrew"),
        ("प्रधानमंत्री", "hindi"),
        ("zaneta przyklad", "polish"),
        ("ISTANBUL", "turkish"),
        ("🎉", "emoji"),
        ("🏳️‍🌈", "emoji"),
    ],
)
def test_every_script_is_found(index: DocumentIndex, query: str, first: str) -> None:
    if query == "رئيس":  # The article is written with the word: it is another word, as in every plain index.
        assert _found(index, query) == []
    else:
        assert _found(index, query)[:1] == [first]


def test_a_title_counts_more_than_a_text(index: DocumentIndex) -> None:
    assert _found(index, "mayor") == ["mayor", "plain"]


@pytest.mark.parametrize(
    "query",
    [
        '"', '""', "'", "'; DROP TABLE document; --", "mayor AND", "NEAR(mayor resigned, 2)", "mayor*", "^mayor",
        "title:mayor", "-mayor", "(mayor", "mayor)", "{mayor}", "mayor + new", "NOT mayor", "mayor\0x", "%_\\",
        "mayor;", "\ud800 mayor", "mayor " * 5_000, "?" * 100_000, "字" * 5_000,
    ],
)  # fmt: skip
def test_no_query_is_a_command(index: DocumentIndex, query: str) -> None:
    assert ("mayor" in _found(index, query)) is ("mayor" in query)


@pytest.mark.parametrize("query", ["", "   ", "…?!", "unheardof", "\u200b"])
def test_a_query_without_a_known_word_finds_nothing(index: DocumentIndex, query: str) -> None:
    assert _found(index, query) == []


@given(st.text(max_size=200))
def test_any_query_is_answered(index: DocumentIndex, query: str) -> None:
    index.search(query, 3)


def test_a_document_is_one_result_with_its_best_passages(tmp_path: Path) -> None:
    filler = "Nothing of interest is said here. " * 15
    text = "\n\n".join(
        [filler, "The mayor resigned. " + filler, filler, "The mayor said so.", "Mayor, mayor! " + filler]
    )
    path = tmp_path / "index.sqlite"
    write_index(path, [Document("a", "a", "2026-05", text), Document("b", "b", "", "mayor")], {})
    with DocumentIndex(path) as index:
        assert [each.title for each in index.search("mayor resigned", 5)] == ["a", "b"]
        found = index.search("mayor resigned", 1)
    assert [(each.title, each.published, len(each.excerpts)) for each in found] == [("a", "2026-05", 3)]
    assert found[0].excerpts[0].startswith("The mayor resigned.")


def test_words_that_are_everywhere_do_not_count_but_alone_they_do(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    documents = (
        Document(str(n), str(n), "", f"the thing {'is rare' if n == 1_234 else 'common'}") for n in range(1_500)
    )
    write_index(path, documents, {})
    with DocumentIndex(path) as index:
        assert _found(index, "the rare thing") == ["1234"]
        assert len(_found(index, "the thing unheardof")) == 10


def test_a_missing_index_is_said_so(tmp_path: Path) -> None:
    assert read_about(tmp_path / "gone.sqlite") == {}
    with pytest.raises(ProjectError):
        DocumentIndex(tmp_path / "gone.sqlite")
