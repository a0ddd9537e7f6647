"""Tables of results as files: what they say, the same bytes, and a script that finds the same figures."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.configuration import ConfigurationId, Effort
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.model_tables import ModelFacts
from btc_gui.domain.result_blinding import NOTHING_OPEN, Blinding
from btc_gui.domain.results import Results, results_of
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.exports.results import MANIFEST, SCRIPT, write_results
from tests.result_builders import WRONG, make_answer, make_head, make_pairs

LOW = replace(make_head().configuration, model="Model_A & co | x")
CONFIGURATIONS = {ConfigurationId(1): LOW, ConfigurationId(2): replace(LOW, effort=Effort.HIGH)}


@pytest.fixture
def results() -> Results:
    return _results(NOTHING_OPEN)


def _results(blinding: Blinding) -> Results:
    answers = make_pairs(59, 6, 16, 80) + make_pairs(5, 3, 3, 1, configuration=2)
    answers += make_pairs(1, 1, 7, 12, category="tenure") + make_pairs(3, 0, 0, 2, category="tenure", configuration=2)
    answers += [make_answer(500, None), make_answer(501, None, ending=Ending.NO_ANSWER, is_judged=False)]
    answers += [make_answer(1, WRONG, run=9), make_answer(502, WRONG, mode=FailureMode.NONE, queries=3)]
    for number, answer in enumerate(answers, 1):
        answer.id = type(answer.id)(number)
    return results_of(answers, CONFIGURATIONS, blinding)


def _write(results: Results, folder: Path) -> list[Path]:
    record = ResultsRecord(results, (), ModelFacts(), (), (), frozenset(), "Illustrative")
    return write_results(record, folder)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_same_results_are_the_same_bytes_and_the_manifest_has_their_hashes(
    results: Results, tmp_path: Path
) -> None:
    first, second = (_write(results, tmp_path / name) for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    manifest = json.loads((tmp_path / "a" / MANIFEST).read_text(encoding="utf-8"))
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in first if path.name != MANIFEST}
    assert manifest["files"] == hashes
    assert manifest["repetitions"].startswith("1 further answers")


def test_the_accuracy_table_has_the_published_interval(results: Results, tmp_path: Path) -> None:
    _write(results, tmp_path)
    row = _rows(tmp_path / "accuracy.csv")[0]
    assert (row["configuration"], row["pairs"], row["note"]) == (
        "Model_A & co | x · low · shared",
        "161",
        "Illustrative",
    )
    assert (row["paired_drop"], row["paired_low"], row["paired_high"]) == ("-0.062112", "-0.118621", "-0.004625")
    assert (row["indirect_no_answer"], row["indirect_unscored"]) == ("1", "1")
    listed = json.loads((tmp_path / "accuracy.json").read_text(encoding="utf-8"))["rows"]
    assert listed[0]["paired_low"] == -0.118621


def test_a_script_with_nothing_but_python_finds_the_same_figures(results: Results, tmp_path: Path) -> None:
    _write(results, tmp_path)
    command = [sys.executable, str(tmp_path / SCRIPT), str(tmp_path / "answers.csv")]
    done = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    found = done.stdout.decode().splitlines()
    rows = _rows(tmp_path / "accuracy.csv")
    assert len(found) == 2 * len(rows)
    for row in rows:
        begin = f"{row['category']} | {row['configuration']}"
        for kind in ("direct", "indirect"):
            figures = [row[f"{kind}_{name}"] for name in ("correct", "scored", "accuracy", "wilson_low", "wilson_high")]
            drop = f"drop {row['paired_drop']} over {row['pairs']} events" if kind == "direct" else ""
            assert "{} | {} | {}/{} = {} [{}, {}] | {}".format(begin, kind, *figures, drop) in found
    # Short enough to be read, with two lines that tell how it is used.
    lines = (tmp_path / SCRIPT).read_text(encoding="utf-8").splitlines()
    assert len(lines[lines.index("from pathlib import Path") + 2 :]) <= 12


def test_outside_words_are_text_in_latex_and_markdown(results: Results, tmp_path: Path) -> None:
    _write(results, tmp_path)
    latex = (tmp_path / "accuracy.tex").read_text(encoding="utf-8")
    assert r"Model\_A \& co | x $\cdot$ low $\cdot$ shared & " in latex
    categories = {row.head.category for row in results.accuracy}
    assert latex.count(r"\\") == len(results.accuracy) + len(categories) + 1
    assert all(rf"\textit{{{name.capitalize()}}}" in latex for name in categories)
    assert all(f"\\{rule}rule" in latex for rule in ("top", "mid", "bottom"))
    markdown = (tmp_path / "accuracy.md").read_text(encoding="utf-8")
    assert r"Model\_A \& co \| x · low · shared" in markdown
    assert markdown.rstrip().endswith("Illustrative")


def test_single_answers_beside_a_closed_key_are_not_exported(tmp_path: Path) -> None:
    """The configuration and category of an open answer are left out whole; without any other, the file is."""
    one = frozenset({AnswerId(1)})
    names = {path.name for path in _write(_results(Blinding(one)), tmp_path)}
    assert {"answers.csv", SCRIPT} <= names
    whole, told = _results(NOTHING_OPEN), _rows(tmp_path / "answers.csv")
    assert len(told) == sum(len(group.answers) for group in whole.groups[1:])
    assert {(row["category"], row["effort"]) for row in told} == {
        ("demise", "high"),
        ("tenure", "low"),
        ("tenure", "high"),
    }
    manifest = json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8"))
    assert manifest["left_out"].startswith("answers.csv: 325 of 401 answers are left out")
    assert manifest["withheld"].startswith(
        "1 of 4 rows have answers in a study that isn't unblinded: they are withheld"
    )
    everything = frozenset(AnswerId(number) for number in range(1, 1000))
    names = {path.name for path in _write(_results(Blinding(everything)), tmp_path / "all")}
    assert "answers.csv" not in names
    assert SCRIPT not in names


def test_pages_for_reading_name_the_columns_that_they_have(results: Results, tmp_path: Path) -> None:
    """What a figure is stands under the head that a reader sees, and not under the name that it has in the CSV."""
    _write(results, tmp_path)
    for name in ("accuracy.tex", "accuracy.md", "failure_modes.tex", "behaviour.md"):
        page = (tmp_path / name).read_text(encoding="utf-8").replace("\\_", "_")
        assert "p_adjusted" not in page
        assert "paired_drop" not in page
        assert "_share" not in page
    page = (tmp_path / "accuracy.tex").read_text(encoding="utf-8")
    assert "``Direct, correct'', ``Indirect, correct'': Over the scored answers, with Wilson's" in page


def test_every_table_with_a_row_is_there(results: Results, tmp_path: Path) -> None:
    names = {path.stem for path in _write(results, tmp_path) if path.suffix == ".csv"}
    assert names == {
        *("accuracy", "failure_modes", "queries", "behaviour", "effort_change", "category_gaps", "gaps"),
        *("repetitions", "models", "cutoffs", "efforts", "answers", "corrected_accuracy", "corrected_gaps"),
    }
