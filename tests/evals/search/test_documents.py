"""A folder of documents: what is read of each kind of file, and when its index is made anew."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from btc_gui.domain.trajectory import SearchResult
from btc_gui.errors import InputError
from btc_gui.evals.search.documents import IndexReport, index_documents
from btc_gui.progress import Cancelled, Progress
from btc_gui.store.local_documents import DocumentIndex


def _write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def _search(folder: Path, query: str, wanted: int = 10) -> tuple[SearchResult, ...]:
    with DocumentIndex(index_documents(folder).path) as index:
        return index.search(query, wanted)


def _only(folder: Path, query: str) -> SearchResult:
    found = _search(folder, query)
    assert len(found) == 1
    return found[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "documents"


# -- what is read --------------------------------------------------------------------------------------------


def test_a_text_file_has_its_name_and_the_date_in_it(folder: Path) -> None:
    _write(folder, "news/2026-05-09 Obituary.txt", "\ufeffAda Example died on Friday.\n\nShe was 81.")
    assert _only(folder, "Ada") == SearchResult(
        "2026-05-09 Obituary",
        "local:///news/2026-05-09%20Obituary.txt",
        "2026-05-09",
        ("Ada Example died on Friday.\n\nShe was 81.",),
    )


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("20260509-note.txt", "2026-05-09"),
        ("note_2026_05.txt", "2026-05"),
        ("report 2026.txt", ""),
        ("room 2026-13-01.txt", ""),
        ("2026-02-30.txt", ""),
        ("id-1202605091.txt", ""),
    ],
)
def test_a_date_in_a_name_is_a_day_or_a_month_of_the_calendar(folder: Path, name: str, published: str) -> None:
    _write(folder, name, "words")
    assert _only(folder, "words").published == published


def test_markdown_says_in_its_header_what_it_is(folder: Path) -> None:
    header = "---\ntitle: 'The new mayor'\ndate: 2026-05-09T10:00:00Z\nurl: https://example.org/m\ntags:\n  - a\n---\n"
    _write(folder, "2020-01-01.md", header + "# A heading\n\nBen Sample took office.")
    found = _only(folder, "Ben office")
    assert (found.title, found.url, found.published) == ("The new mayor", "https://example.org/m", "2026-05-09")
    assert found.excerpts == ("# A heading\n\nBen Sample took office.",)


def test_markdown_without_a_header_has_its_first_heading(folder: Path) -> None:
    _write(folder, "plain.md", "Some words.\n\n# The *first* heading #\n\nMore. --- Not a header.\n")
    assert _only(folder, "words").title == "The *first* heading"


PAGE = """<!DOCTYPE html><html><head><meta charset="iso-8859-1"><title> Ada
Example </title><link rel="canonical" href="https://example.org/ada">
<meta property="article:published_time" content="2026-05-09T22:00:00+02:00"><style>p {{ color: red }}</style></head>
<body><nav>Home About</nav><script>var hidden = 1;</script>
<h1>Ada Example</h1><p>She <b>died</b>&nbsp;on
Friday &amp; was 81.</p><ul><li>caf\xe9</li><li>second</li></ul>{more}</body></html>"""


def test_a_page_is_its_text_without_scripts_and_menus(folder: Path) -> None:
    _write(folder, "page.html", PAGE.format(more="").encode("latin-1"))
    assert _only(folder, "died") == SearchResult(
        "Ada Example",
        "https://example.org/ada",
        "2026-05-09",
        ("Ada Example\n\nShe died on Friday & was 81.\n\ncafé\n\nsecond",),
    )
    assert _search(folder, "hidden color menu") == ()


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ('<meta name="date" content="2026/05/09">', "2026-05-09"),
        ('<meta name="DC.date.issued" content="2026-05">', "2026-05"),
        ('<meta itemprop="datePublished" content="20260509">', "2026-05-09"),
        ('<script type="application/ld+json">{"datePublished": "2026-05-09T01:00:00Z"}</script>', "2026-05-09"),
        ('<script type="application/ld+json">{"@graph": [1, {"datePublished": "2026-05-09"}]}</script>', "2026-05-09"),
        ('<script type="application/ld+json">{broken</script>', ""),
        ('<time pubdate datetime="2026-05-09">Friday</time>', "2026-05-09"),
        ('<time datetime="2026-05-09">the event</time>', ""),
        ('<meta name="date" content="yesterday">', ""),
        ('<meta name="date">', ""),
    ],
)
def test_where_pages_say_when_they_were_published(folder: Path, head: str, published: str) -> None:
    _write(folder, "page.htm", f"<html><head>{head}</head><body><p>words</body>")
    assert _only(folder, "words").published == published


def test_odd_pages_are_read_too(folder: Path) -> None:
    _write(folder, "deep.html", "<div>" * 3_000 + "deeply" + "</div>" * 3_000)
    _write(folder, "xhtml.html", '<?xml version="1.0" encoding="utf-8"?><html><body>strictly</body></html>')
    _write(folder, "torn.html", "<p>torn<a href='")
    _write(folder, "name.html", "https://example.org/only-an-address.html")
    assert index_documents(folder).documents == 4
    assert [_only(folder, word).title for word in ("deeply", "strictly", "torn")] == ["deep", "xhtml", "torn"]


def test_each_line_of_jsonl_is_a_document(folder: Path) -> None:
    rows: list[object] = [
        {"title": "One", "url": "https://example.org/1", "published": "2026-05", "text": "alpha\u2028beta"},
        {"text": "gamma", "published": None},
        {"title": 3, "text": "delta", "published": "soon"},
        {"title": "no text"},
        ["a list"],
        {"text": "  "},
        {"text": "half \udce9 \0 epsilon"},
    ]
    lines = [json.dumps(row, ensure_ascii=number > 0) for number, row in enumerate(rows)]
    content = "\ufeff" + "\r\n".join([*lines, "{torn", ""])
    _write(folder, "all.jsonl", content.encode() + b'{"text": "\xff"}\n')
    report = index_documents(folder)
    assert [(each.file, each.reason) for each in report.refused][:3] == [
        ("all.jsonl, line 4", "it is not an object with a text"),
        ("all.jsonl, line 5", "it is not an object with a text"),
        ("all.jsonl, line 6", "it has no text"),
    ]
    assert [each.file for each in report.refused][3:] == ["all.jsonl, line 8", "all.jsonl, line 9"]
    assert (report.documents, report.refusals) == (4, 5)
    assert _only(folder, "alpha") == SearchResult("One", "https://example.org/1", "2026-05", ("alpha\u2028beta",))
    assert _only(folder, "gamma") == SearchResult("all.jsonl, line 2", "local:///all.jsonl#2", "", ("gamma",))
    assert _only(folder, "delta").published == ""
    assert _only(folder, "epsilon").excerpts == ("half ?  epsilon",)


def test_what_can_not_be_read_is_listed_and_the_rest_is_indexed(folder: Path) -> None:
    _write(folder, "good.txt", "words")
    _write(folder, "latin.txt", b"caf\xe9")
    _write(folder, "empty.md", "---\ntitle: x\n---\n")
    (folder / "nowhere.txt").symlink_to(folder / "gone")
    for passed_over in ("picture.png", ".hidden.txt", ".git/config.txt"):
        _write(folder, passed_over, "words")
    report = index_documents(folder)
    assert (report.files, report.documents) == (4, 1)
    assert {each.file: each.reason for each in report.refused} == {
        "latin.txt": "it is not UTF-8",
        "empty.md": "it has no text",
        "nowhere.txt": "No such file or directory",
    }
    assert index_documents(folder).refused == report.refused


# -- when it is made -----------------------------------------------------------------------------------------


def test_an_index_is_kept_until_a_file_changes(folder: Path) -> None:
    first = _write(folder, "one.txt", "alpha")
    made = index_documents(folder)
    assert (made.is_new, made.documents, made.passages) == (True, 1, 1)
    assert not index_documents(folder).is_new

    _write(folder, "two.txt", "beta")
    assert _is_new(folder, 2)
    first.write_text("gamma")
    os.utime(first, ns=(1, 1))
    assert _is_new(folder, 2)
    assert (_search(folder, "alpha"), len(_search(folder, "gamma"))) == ((), 1)
    (folder / "two.txt").unlink()
    assert _is_new(folder, 1)
    assert _search(folder, "beta") == ()


def _is_new(folder: Path, documents: int) -> bool:
    report = index_documents(folder)
    return report.is_new and report.documents == documents


def test_the_hash_is_of_the_contents_wherever_they_are(tmp_path: Path) -> None:
    reports: list[IndexReport] = []
    for number, content in enumerate(["words", "words", "other words"]):
        path = _write(tmp_path / str(number), "sub/one.txt", content)
        os.utime(path, ns=(number, number))
        reports.append(index_documents(tmp_path / str(number)))
    assert reports[0].digest == reports[1].digest != reports[2].digest
    assert len({each.path for each in reports}) == 3


def test_a_damaged_index_is_made_anew(folder: Path) -> None:
    _write(folder, "one.txt", "alpha")
    path = index_documents(folder).path
    for content in (b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5_000):
        path.write_bytes(content)
        assert index_documents(folder).is_new
        assert len(_search(folder, "alpha")) == 1


def test_a_cancelled_indexing_leaves_the_old_index(folder: Path) -> None:
    _write(folder, "one.txt", "alpha")
    path = index_documents(folder).path
    before = path.read_bytes()
    _write(folder, "two.txt", "beta")
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        index_documents(folder, progress)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_search_goes_on_while_the_index_is_made_anew(folder: Path) -> None:
    _write(folder, "one.txt", "alpha")
    with DocumentIndex(index_documents(folder).path) as index:
        _write(folder, "two.txt", "alpha")
        index_documents(folder)
        assert len(index.search("alpha", 10)) == 1
    assert len(_search(folder, "alpha")) == 2


@pytest.mark.parametrize("name", ["nowhere", "a file", "empty"])
def test_a_folder_without_documents_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a file").write_text("words")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="There is no"):
        index_documents(tmp_path / name)
