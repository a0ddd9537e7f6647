"""Files as they really come: every good row is read, every bad one named by its line, and nothing hangs."""

from __future__ import annotations

import csv
import io
import json
import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from btc_gui.domain.table_row import UNKNOWN_VALUE, BadRow, Row, TableFormat
from btc_gui.errors import InputError
from btc_gui.jobs.read_table import open_table


def read(path: Path, content: bytes | str) -> tuple[TableFormat, list[Row], list[BadRow]]:
    """Write `content` to a file and read it: its format, good rows and bad rows."""
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    with open_table(path) as table:
        rows = list(table.rows())
    return table.format, [r for r in rows if isinstance(r, Row)], [r for r in rows if isinstance(r, BadRow)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file whose suffix says nothing."""
    return tmp_path / "rows.dat"


TWO = [{"name": "Ada", "date": "2026-05-09"}, {"name": "Bea", "date": "2026-05-10"}]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("name,date\nAda,2026-05-09\nBea,2026-05-10\n", TableFormat.CSV),
        ("name;date\nAda;2026-05-09\nBea;2026-05-10\n", TableFormat.CSV),
        ("sep=;\nname;date\nAda;2026-05-09\nBea;2026-05-10\n", TableFormat.CSV),
        ("name\tdate\nAda\t2026-05-09\nBea\t2026-05-10", TableFormat.CSV),
        ("\n".join(map(json.dumps, TWO)), TableFormat.JSONL),
        (json.dumps(TWO), TableFormat.JSON_ARRAY),
        (json.dumps(TWO, indent=2), TableFormat.JSON_ARRAY),
        (
            json.dumps(
                {
                    "head": {"vars": ["name", "date"]},
                    "results": {
                        "bindings": [{k: {"type": "literal", "value": v} for k, v in row.items()} for row in TWO]
                    },
                }
            ),
            TableFormat.SPARQL,
        ),
    ],
)
def test_format_is_told_by_content(file: Path, content: str, expected: TableFormat) -> None:
    """The suffix does not matter; with or without a mark and whatever the line ends, the same rows come out."""
    for start in ("", "\ufeff"):
        for end in ("\n", "\r\n", "\r"):
            found, rows, bad = read(file, start + content.replace("\n", end))
            assert (found, [row.values for row in rows], bad) == (expected, TWO, [])


def test_no_final_newline_and_blank_lines(file: Path) -> None:
    """The last row counts without a line end; blank lines are no rows, and lines are counted as an editor does."""
    _, rows, bad = read(file, "\nname,date\n\nAda,2026-05-09\n \n,\nBea,2026-05-10")
    assert ([(row.line, row.values["name"]) for row in rows], bad) == ([(4, "Ada"), (7, "Bea")], [])


def test_bad_line_in_the_middle_of_json_lines(file: Path) -> None:
    """Good rows around a bad line are read, and the bad one is named."""
    lines = ['{"name": "Ada"}', '{"name": "Be', "", "[1]", '{"name": "Cy", "name": "Di"}', '{"name": "Eve"}']
    _, rows, bad = read(file, "\n".join(lines))
    assert [(row.line, row.values) for row in rows] == [(1, {"name": "Ada"}), (6, {"name": "Eve"})]
    assert [row.line for row in bad] == [2, 4, 5]
    assert "not JSON" in bad[0].reason
    assert "“name” is there twice" in bad[2].reason


def test_first_line_of_json_lines_may_be_the_bad_one(file: Path) -> None:
    """The format is still told from the lines after it."""
    found, rows, bad = read(file, '{"name": "A\n{"name": "Bea"}\n{"name": "Cy"}\n')
    assert (found, len(rows), bad[0].line) == (TableFormat.JSONL, 2, 1)


def test_bad_line_in_the_middle_of_csv(file: Path) -> None:
    """Too many or too few fields, or wrong quotes, cost that line and no other."""
    text = 'name,date\nAda,2026-05-09\nBea\nCy,2026,05\nD"i,2026-05-10\n"E"ve,2026-05-11\nFay,2026-05-12,\n'
    _, rows, bad = read(file, text)
    assert [row.values["name"] for row in rows] == ["Ada", 'D"i', "Fay"]
    assert [(row.line, row.reason.partition(":")[0]) for row in bad] == [
        (3, "the row has 1 field where the header names 2"),
        (4, "the row has 3 fields where the header names 2"),
        (6, "the quotes are wrong"),
    ]


def test_quote_that_never_closes_costs_one_line(file: Path) -> None:
    """A lost quote must not swallow the rest of the file."""
    text = 'name,date\n"Ada,2026-05-09\nBea,2026-05-10\nCy,2026-05-11\n'
    _, rows, bad = read(file, text)
    assert [row.values["name"] for row in rows] == ["Bea", "Cy"]
    assert [(row.line, row.reason) for row in bad] == [(2, "a quote is opened and never closed")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_quoted_newlines(file: Path, end: str) -> None:
    """A record may go over several lines; it is named by the physical line where it starts."""
    text = f'name,note{end}Ada,"one{end}two, ""three"""{end}Bea,x{end}'
    _, rows, bad = read(file, text)
    assert [(row.line, row.values["name"]) for row in rows] == [(2, "Ada"), (4, "Bea")]
    assert rows[0].values["note"] == f'one{end}two, "three"'
    assert bad == []


def test_header_names_that_repeat(file: Path) -> None:
    """Columns of one name are told apart, and so are those without any."""
    file.write_text("name,name,,date\nAda,Bea,x,2026-05-09\n")
    assert open_table(file).columns == ("name", "name (2)", "column 3", "date")


def test_array_goes_on_after_a_broken_object(file: Path) -> None:
    """In an array with an object a line, and in one on a single line, only the broken object is lost."""
    _, rows, bad = read(file, '[\n  {"name": "Ada"},\n  {"name": "Be},\n  {"name": "Cy"}\n]\n')
    assert [row.values["name"] for row in rows] == ["Ada", "Cy"]
    assert [row.line for row in bad] == [3]
    _, rows, bad = read(file, '[{"name": "Ada"}, {"name": Bea}, {"name": "Cy"}]')
    assert ([row.values["name"] for row in rows], len(bad)) == (["Ada", "Cy"], 1)


def test_array_that_breaks_off(file: Path) -> None:
    """What came before the break is read; the break is named by its line."""
    _, rows, bad = read(file, '[\n{"name": "Ada"},\n{"name": "Be')
    assert ([row.values["name"] for row in rows], [row.line for row in bad]) == (["Ada"], [3])
    _, rows, bad = read(file, '[\n{"name": "Ada"},\n')
    assert (len(rows), [row.reason for row in bad]) == (1, ["the JSON breaks off here: the array is never closed"])


def test_numbers_and_odd_values_of_json(file: Path) -> None:
    """Numbers stay as written whatever their size, NaN and null are missing values, lists and objects are flattened."""
    huge = "9" * 5000
    _, rows, bad = read(
        file,
        f'{{"n": {huge}, "f": 1.50, "nan": NaN, "inf": -Infinity, "none": null, "yes": true, '
        '"list": ["a", "b", 3], "event": {"qid": "Q1", "deep": {"er": {"still": {"lost": 1}}}}}',
    )
    assert bad == []
    assert rows[0].values == {"n": huge, "f": "1.50", "yes": "true", "list": "a | b | 3", "event.qid": "Q1"}


def test_deep_json_is_a_bad_line(file: Path) -> None:
    """Nesting that would end the interpreter is refused with its line, in lines and in arrays."""
    deep = "[" * 200_000
    _, rows, bad = read(file, f'{{"name": "Ada"}}\n{{"name": {deep}\n{{"name": "Bea"}}\n')
    assert (len(rows), [(row.line, row.reason) for row in bad]) == (2, [(2, "the JSON is nested too deeply")])
    _, rows, bad = read(file, f'[\n{{"name": "Ada"}},\n{{"name": {deep}}},\n{{"name": "Bea"}}\n]')
    assert (len(rows), [row.line for row in bad]) == (2, [3])


def test_characters_that_cannot_be_stored(file: Path) -> None:
    """NUL and half surrogate pairs are no text: the row is refused, in each of the ways they come."""
    _, rows, bad = read(file, '{"name": "A\\u0000"}\n{"name": "\\ud800"}\n{"name": "😀"}\n{"name": "\\ud83d\\ude00"}\n')
    assert [row.values["name"] for row in rows] == ["😀", "😀"]
    assert [row.line for row in bad] == [1, 2]
    _, rows, bad = read(file, "name\nA\0da\nBea\n")
    assert ([row.values["name"] for row in rows], [row.line for row in bad]) == (["Bea"], [2])


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_line_of_ten_megabytes(file: Path, kind: str) -> None:
    """A line far too long is refused with its length and line; memory stays bounded and the next line is read."""
    long = "x" * 10_000_000
    if kind == "jsonl":
        text = f'{{"name": "Ada"}}\n{{"name": "{long}"}}\n{{"name": "Bea"}}\n'
    else:
        text = f'name\nAda\n"{long}"\nBea\n'
    file.write_text(text)
    del text
    tracemalloc.start()
    with open_table(file) as table:
        rows = list(table.rows())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [row.values["name"] for row in rows if isinstance(row, Row)] == ["Ada", "Bea"]
    (bad,) = [row for row in rows if isinstance(row, BadRow)]
    assert bad.line == (2 if kind == "jsonl" else 3)
    assert "10,000,0" in bad.reason
    assert "1,000,000" in bad.reason
    assert peak < 20_000_000


def test_one_damaged_line_of_a_utf8_file(file: Path) -> None:
    """A file that is UTF-8 elsewhere is not refused for one byte: the line is bad."""
    content = "name\nZoë\n".encode() + b"B\xe9a\n" + "Élodie\n".encode()
    _, rows, bad = read(file, content)
    assert [row.values["name"] for row in rows] == ["Zoë", "Élodie"]
    assert (bad[0].line, bad[0].reason) == (3, "the line holds the byte 0xE9, which is not UTF-8")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("name\nZoë\n".encode("utf-16"), "UTF-16"),
        ("name\nZoë\n".encode("utf-16-le"), "UTF-16LE"),
        ("name\nZoë\n".encode("utf-16-be"), "UTF-16BE"),
        ("name\nZoë\n".encode("utf-32"), "UTF-32"),
        ("name\nZoë\n".encode("latin-1"), "line 2 holds the byte 0xEB"),
        ("name\n“Zoë”\n".encode("windows-1252"), "iconv -f WINDOWS-1252"),
        (b"PK\x03\x04" + b"\0" * 50, "Excel"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe", "not a table of text"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n", "white space"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b'{\n  "name": "Ada"\n}\n', "one JSON object over several lines"),
    ],
)
def test_files_that_are_refused(file: Path, content: bytes, words: str) -> None:
    """Other encodings and other things are refused as a whole: what it looks like, and what to do."""
    file.write_bytes(content)
    with pytest.raises(InputError) as refused:
        open_table(file)
    assert words in str(refused.value)
    assert "rows.dat" in refused.value.message
    assert refused.value.remedy


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """Neither is a traceback."""
    with pytest.raises(InputError, match="There is no file"):
        open_table(tmp_path / "nothing.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="is a pipe"):
        open_table(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="is a folder"):
        open_table(tmp_path)


def test_sparql_terms(file: Path) -> None:
    """Entities become ids, unknown values (both forms) are marked, missing variables stay missing."""
    entity = "http://www.wikidata.org/entity/Q42"
    bindings = [
        {"person": {"type": "uri", "value": entity}, "date": {"type": "literal", "value": "+2012-02-31T00:00:00Z"}},
        {"date": {"type": "uri", "value": "http://www.wikidata.org/.well-known/genid/0123"}},
        {"date": {"type": "bnode", "value": "t1"}, "label": {"xml:lang": "en", "type": "literal", "value": "Ada"}},
        {"date": {"type": "literal"}},
    ]
    whole = {"head": {"vars": ["person", "label", "date"]}, "results": {"distinct": False, "bindings": bindings}}
    found, rows, bad = read(file, json.dumps(whole, indent=1))
    assert found is TableFormat.SPARQL
    assert [row.values for row in rows] == [
        {"person": "Q42", "date": "+2012-02-31T00:00:00Z"},
        {"date": UNKNOWN_VALUE},
        {"date": UNKNOWN_VALUE, "label": "Ada"},
    ]
    assert len(bad) == 1
    assert open_table(file).columns == ("person", "label", "date")


@pytest.mark.parametrize("cut", [120, 180, 1])
def test_sparql_that_breaks_off_is_refused_whole(file: Path, cut: int) -> None:
    """A query that ran out of time ends in the middle of a row with status 200: a part is never taken for all."""
    rows = [{"item": {"type": "uri", "value": f"http://www.wikidata.org/entity/Q{n}"}} for n in range(1, 9)]
    whole = json.dumps({"head": {"vars": ["item"]}, "results": {"bindings": rows}}, indent=1)
    file.write_text(whole[:-cut] + "SPARQL-QUERY: queryStr=…\njava.util.concurrent.TimeoutException\n")
    with pytest.raises(InputError, match="ran out of time"):
        open_table(file)
    file.write_text(whole[:-cut])
    with pytest.raises(InputError, match="no complete SPARQL results"):
        open_table(file)


def test_real_results(shared_data: Path) -> None:
    """Real replies of the query service, whole and cut, and what stands where results were expected."""
    folder = shared_data / "wikidata"
    with open_table(folder / "wdqs_samples" / "sparql_london_assembly_P39_2018.json") as table:
        assert (table.format, len(table.columns), len(list(table.rows()))) == (TableFormat.SPARQL, 24, 25)
    with pytest.raises(InputError, match="ran out of time"):
        open_table(folder / "synthetic" / "wdqs_200_truncated_timeout.json")
    with pytest.raises(InputError, match="web page"):
        open_table(folder / "synthetic" / "wdqs_429_body.html")


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.lists(st.fixed_dictionaries({"a": cells, "b": cells}), min_size=1, max_size=6),
    st.sampled_from(["csv", "l", "a"]),
)
def test_what_was_written_is_read(file: Path, rows: list[dict[str, str]], form: str) -> None:
    """Python's own writers are read back, cell for cell, but for the space around cells and rows that are blank."""
    if form == "csv":
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, ["a", "b"], lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
        text = buffer.getvalue()
    else:
        texts = [json.dumps(row, ensure_ascii=False) for row in rows]
        text = "\n".join(texts) if form == "l" else f"[{','.join(texts)}]"
    _, found, bad = read(file, text)
    expected = [{k: stripped for k, v in row.items() if (stripped := v.strip())} for row in rows]
    if form == "csv":
        expected = [row for row in expected if row]
    assert bad == []
    assert [row.values for row in found] == expected


fragments = st.sampled_from(
    [
        '"',
        ",",
        "\n",
        "\r",
        "{",
        "}",
        "[",
        "]",
        ":",
        "a",
        "\\",
        '{"a": "b"}',
        '{"head":{"vars":["a"]},',
        "\ufeff",
        "é",
        "0",
        "\0",
        ";",
    ]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.one_of(st.binary(max_size=60), st.lists(fragments, max_size=30).map(lambda parts: "".join(parts).encode())))
def test_any_bytes_are_rows_or_a_refusal(file: Path, content: bytes) -> None:
    """Whatever is in a file: rows with rising line numbers that can be stored, or a sentence. Nothing else."""
    try:
        _, rows, bad = read(file, content)
    except InputError:
        return
    lines = [row.line for row in rows]
    assert lines == sorted(lines)
    assert all(row.line >= 1 and row.reason for row in bad)
    for text in [value for row in rows for value in row.values.values()] + [row.content for row in bad]:
        text.encode("utf-8")
