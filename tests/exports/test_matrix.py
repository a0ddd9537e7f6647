"""A matrix in a file says which side is which, and a picture of it is the same each time."""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path

import pytest

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.errors import InputError
from btc_gui.exports.drawing import PICTURES
from btc_gui.exports.files import safe_name, write_whole
from btc_gui.exports.latex import write_matrix_latex
from btc_gui.exports.matrix import (
    matrix_path,
    write_matrix_csv,
    write_matrix_json,
    write_matrix_picture,
    write_matrix_svg,
)

MATRIX = ConfusionMatrix(("correct", "incorrect"), ((0, 7), (0, 3)), left_out={"unsure": 2, "no human label": 1})


def test_the_csv_names_its_axes_and_keeps_the_orientation(tmp_path: Path) -> None:
    path = write_matrix_csv(MATRIX, matrix_path(tmp_path, "judge", "csv"))
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    assert path.name == "matrix_judge.csv"
    assert rows == [
        ["judge ↓ / human →", "correct", "incorrect"],
        ["correct", "0", "7"],
        ["incorrect", "0", "3"],
        ["left out: no human label", "1", ""],
        ["left out: unsure", "2", ""],
    ]


def test_json_latex_and_picture_keep_the_orientation_too(tmp_path: Path) -> None:
    """S8: a judge that always says “correct” fills the first row, and no column, in each of them."""
    always = ConfusionMatrix(("correct", "incorrect"), ((11, 7), (0, 0)))
    found = json.loads(write_matrix_json(always, tmp_path / "a.json", "Judge").read_text(encoding="utf-8"))
    assert found["counts"] == [[11, 7], [0, 0]]
    assert (found["rows"], found["columns"]) == ("judge", "human")
    latex = write_matrix_latex(always, tmp_path / "a.tex", "Judge").read_text(encoding="utf-8")
    assert r"correct & 11 (61.1) & 7 (38.9) & 18 \\" in latex
    assert r"Total & 11 & 7 & 18 \\" in latex
    drawn = write_matrix_svg(always, tmp_path / "a.svg", "Judge").read_text(encoding="utf-8")
    places = {
        words: (float(x), float(y))
        for words, x, y in re.findall(r"<!-- (\d+) -->\s*<g [^>]*translate\(([\d.]+) ([\d.]+)\)", drawn)
    }
    (x_agreed, y_agreed), (x_other, y_other), (_, y_below) = places["11"], places["7"], places["0"]
    assert x_agreed < x_other
    assert y_agreed == y_other
    assert y_below > y_agreed


@pytest.mark.parametrize("suffix", PICTURES)
def test_a_picture_has_the_same_bytes_each_time(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    for path in (first, second):
        write_matrix_picture(MATRIX, path, "Judge", "Illustrative data")
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix])


def test_a_picture_of_another_matrix_differs(tmp_path: Path) -> None:
    turned = ConfusionMatrix(MATRIX.classes, ((0, 0), (7, 3)), left_out=MATRIX.left_out)
    one, other = tmp_path / "a.svg", tmp_path / "b.svg"
    write_matrix_svg(MATRIX, one, "Judge")
    write_matrix_svg(turned, other, "Judge")
    assert one.read_bytes() != other.read_bytes()


@pytest.mark.parametrize("title", ["costs $5 and $6", "<b>&amp;</b>", "日本", "", "x" * 300, "a\nb"])
def test_any_title_can_be_drawn(tmp_path: Path, title: str) -> None:
    write_matrix_svg(MATRIX, tmp_path / "a.svg", title, title)
    assert (tmp_path / "a.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    "matrix",
    [
        ConfusionMatrix((), ()),
        ConfusionMatrix(("a", "b"), ((0, 0), (0, 0))),
        ConfusionMatrix(("reasoning", "explicit", "a very long name of a class", "none"), ((10**9,) * 4,) * 4),
    ],
)
def test_empty_and_large_matrices_can_be_drawn(tmp_path: Path, matrix: ConfusionMatrix) -> None:
    write_matrix_svg(matrix, tmp_path / "a.svg", "Title")
    write_matrix_csv(matrix, tmp_path / "a.csv")


def test_another_kind_of_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be drawn as “gif”"):
        write_matrix_picture(MATRIX, tmp_path / "a.gif", "")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a:b?", "a_b"),
        ("../../etc/passwd", "etc_passwd"),
        ("  judge, indirect ", "judge,_indirect"),
        ("con", "_con"),
        ("NUL.txt", "_NUL.txt"),
        ("...", "export"),
        ("", "export"),
        ("Étude № 5", "Étude_№_5"),
        ("x" * 400, "x" * 160),
        # 160 bytes of characters of three and of two bytes, cut between characters.
        ("死" * 400, "死" * 53),
        ("aé" * 400, "aé" * 53 + "a"),
        ("invoice\u202egpj.exe", "invoice_gpj.exe"),
        ("a\u200bb\ud800\x9bc", "a_b_c"),
    ],
)
def test_names_are_made_safe_for_every_system(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.csv"
    write_whole(path, b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(path.parent) == ["a.csv"]


def test_a_place_that_can_not_be_written_is_refused_and_left_clean(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "taken", tmp_path / "file" / "a.csv"):
        with pytest.raises(InputError, match="can't be written"):
            write_whole(path, b"")
    assert sorted(os.listdir(tmp_path)) == ["file", "home", "taken"] or sorted(os.listdir(tmp_path)) == [
        "file",
        "taken",
    ]
