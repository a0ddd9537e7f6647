"""Tables open unharmed in other programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from btc_gui.exports.tables import EXCEL_CELL, write_csv, write_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def read(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=40
)
@given(st.lists(st.lists(TEXT, min_size=2, max_size=2), max_size=5))
def test_every_text_comes_back_as_it_was_or_behind_an_apostrophe(tmp_path: Path, rows: list[list[str]]) -> None:
    write_csv(tmp_path / "a.csv", ["one", "two"], rows)
    found = read(tmp_path / "a.csv")
    assert found[0] == ["one", "two"]
    assert [[cell.removeprefix("'") for cell in row] for row in found[1:]] == [
        [text.removeprefix("'") for text in row] for row in rows
    ]


def test_lines_end_as_the_standard_says_and_missing_values_are_empty(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["a", "b"], [["x\ny", None], ['say "no"', 0.5]])
    assert (tmp_path / "a.csv").read_bytes() == b'a,b\r\n"x\ny",\r\n"say ""no""",0.5\r\n'


def test_the_mark_for_excel_is_there_only_when_asked_for(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["é"], [], bom=True)
    write_csv(tmp_path / "b.csv", ["é"], [])
    assert (tmp_path / "a.csv").read_bytes() == b"\xef\xbb\xbf" + (tmp_path / "b.csv").read_bytes()


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-x", "@SUM(A1)", "\t=1", "\n=1", " =1", "\u3000=1", "＝1", "\ufeff=1"]
)
def test_a_formula_never_runs(tmp_path: Path, text: str) -> None:
    write_csv(tmp_path / "a.csv", [text, "a"], [[text, "b"], ["c", text]])
    assert read(tmp_path / "a.csv") == [[f"'{text}", "a"], [f"'{text}", "b"], ["c", f"'{text}"]]


@pytest.mark.parametrize("value", [-5, -0.5, "-0.5", "+3", "1e-5"])
def test_negative_numbers_are_no_formulas(tmp_path: Path, value: object) -> None:
    write_csv(tmp_path / "a.csv", ["a"], [[value]])
    assert read(tmp_path / "a.csv")[1] == [str(value)]


def test_cells_too_long_for_excel_are_counted_and_kept(tmp_path: Path) -> None:
    assert write_csv(tmp_path / "a.csv", ["a"], [["x" * (EXCEL_CELL + 1)], ["x" * EXCEL_CELL]]) == 1
    assert len(read(tmp_path / "a.csv")[1][0]) == EXCEL_CELL + 1


def test_a_broken_outside_text_does_not_stop_an_export(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["a"], [["\ud800"]])
    write_json(tmp_path / "a.json", {"a": "\ud800"})
    assert read(tmp_path / "a.csv")[1] == ["\\ud800"]


def test_json_is_the_same_each_time_and_has_no_nan(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": 1, "a": "é"})
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert text == '{\n  "a": "é",\n  "b": 1\n}\n'
    assert json.loads(text) == {"b": 1, "a": "é"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "b.json", float("nan"))
    assert not (tmp_path / "b.json").exists()
