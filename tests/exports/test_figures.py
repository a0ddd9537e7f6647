"""Figures as files: the same bytes each time, nothing of a name acts in LaTeX, and every odd case can be drawn."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.configuration import ConfigurationId, Effort
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.figures.catalogue import figures_of
from btc_gui.domain.figures.figure import Figure
from btc_gui.domain.results import results_of
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import InputError
from btc_gui.exports.drawing import PICTURES, cut, font, ink_on, text_width, wrapped
from btc_gui.exports.figures import CAPTIONS, MANIFEST, natural_width, write_figures
from tests.result_builders import RIGHT, WRONG, make_answer, make_head, make_pairs, make_record

ODD = r"\input{x} $1 日本語 مرحبا " + "very-long-name-" * 8


def _figures(model: str = "Model A", *kinds: str) -> list[Figure]:
    low = replace(make_head().configuration, model=model)
    known = {ConfigurationId(1): low, ConfigurationId(2): replace(low, effort=Effort.HIGH)}
    answers = make_pairs(6, 4, 1, 1) + make_pairs(5, 2, 1, 0, configuration=2)
    answers += [make_answer(50 + n, WRONG, mode=mode, queries=1) for n, mode in enumerate([*FailureMode, None])]
    answers += [make_answer(70 + n, RIGHT, queries=3) for n in range(9)]
    return figures_of(make_record(results_of(answers, known)), {"demise": "demises"}, kinds)


def test_figures_have_the_same_bytes_each_time_and_the_manifest_has_their_hashes(tmp_path: Path) -> None:
    figures = _figures("Model A", "failure_modes")
    first, second = (write_figures(figures, tmp_path / name, "50 % & $") for name in ("a", "b"))
    assert r"50 \% \& \$" in (tmp_path / "a" / CAPTIONS).read_text(encoding="utf-8")
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]
    names = {file.name for file in first}
    assert {f"figure_failure_modes_demise.{suffix}" for suffix in PICTURES} | {CAPTIONS, MANIFEST} == names
    manifest = json.loads((tmp_path / "a" / MANIFEST).read_text(encoding="utf-8"))
    hashes = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in first if file.name != MANIFEST}
    assert manifest["files"] == hashes
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert all(file.read_bytes().startswith(starts[file.suffix[1:]]) for file in first[:3])


def test_a_picture_is_as_wide_as_a_column_or_page_of_a_paper(tmp_path: Path) -> None:
    (figure,) = _figures("Model A", "failure_modes")
    assert natural_width(figure) == "column"
    for width, points in (("column", 241.2), ("page", 504)):
        write_figures([figure], tmp_path / width, kinds=["svg"], width=width)
        picture = (tmp_path / width / "figure_failure_modes_demise.svg").read_text(encoding="utf-8")
        assert f'width="{points}pt"' in picture
        assert not (tmp_path / width / CAPTIONS).exists()  # They set the PDF.
    with pytest.raises(InputError, match="no width"):
        write_figures([figure], tmp_path, width="poster")


def test_names_of_models_can_be_long_in_any_script_and_are_text(tmp_path: Path) -> None:
    figures = _figures(ODD, "accuracy", "queries")
    for width in ("column", "page"):
        files = write_figures(figures, tmp_path / width, kinds=["svg"], width=width)
        assert len(files) == 3


def test_a_project_without_a_scored_answer_is_drawn_and_says_so(tmp_path: Path) -> None:
    answers = [make_answer(1, None, ending=Ending.NO_ANSWER, is_judged=False)]
    record = make_record(results_of(answers, {ConfigurationId(1): make_head().configuration}))
    figures = figures_of(record, {})
    assert [figure.name for figure in figures] == ["accuracy_demise"]
    write_figures(figures, tmp_path, kinds=["png"])
    assert (tmp_path / "figure_accuracy_demise.png").stat().st_size > 1000
    assert [file.name for file in write_figures([], tmp_path / "none")] == [CAPTIONS, MANIFEST]


def test_text_is_cut_and_wrapped_to_the_room_it_has() -> None:
    assert text_width("iiii", 7) < text_width("WWWW", 7)
    assert text_width("", 7) == 0
    short = cut("Model with a name of many words", 7, 0.8)
    assert "…" in short
    assert short.startswith("Mode")
    assert text_width(short, 7) <= 0.8
    lines = wrapped("Direct and indirect accuracy, demises", 8, 1.2)
    assert len(lines) > 1
    assert " ".join(lines) == "Direct and indirect accuracy, demises"
    assert all(text_width(line, 8) <= 1.2 for line in lines)
    # WCAG: white on the accent has 6.1 : 1, dark on the amber 5.1 : 1.
    assert (ink_on("#1F5FBF"), ink_on("#E0A030")) == ("#FFFFFF", "#000000")


def test_a_sign_that_no_font_has_takes_no_letters_with_it() -> None:
    """matplotlib brings a font of last resort with a box for everything; a name in it can't be read."""
    file = font(8, "نموذج \U0010fffd").get_file()
    assert "LastResort" not in str(file)
    from matplotlib.ft2font import FT2Font

    chosen = FT2Font(str(file))
    assert all(chosen.get_char_index(ord(sign)) for sign in "نموذج")
