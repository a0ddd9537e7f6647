"""`btc-gui agreement`: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui.app import main

TABLE = "judge,human,stratum,frame_size,event\n" + "".join(
    f"{judge},{human},{stratum},{size},e{number}\n"
    for judge, human, stratum, size, count in (
        ("correct", "correct", "accepted", 310, 99),
        ("correct", "incorrect", "accepted", 310, 1),
        ("incorrect", "incorrect", "rejected", 690, 100),
    )
    for number in range(count)
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["agreement", *words])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_it_prints_the_matrix_and_every_statistic_with_its_scope(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(table)) == 0
    out = capsys.readouterr().out
    for words in (
        "199/200 = 0.995 [0.972, 0.999]",
        "stratified sample, not population",
        "in the benchmark (π₁ = .31)",
        "Distinct events",
    ):
        assert words in out


def test_json_is_alone_on_standard_output(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(table), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["matrix"] == {
        "rows": "judge",
        "columns": "human",
        "classes": ["correct", "incorrect"],
        "counts": [[99, 1], [0, 100]],
        "left_out": {},
    }
    assert (report["read"], report["n"], report["events"], report["rejected"]) == (200, 200, 100, [])
    assert report["statistics"]["corrected_accuracy"]["value"] == pytest.approx(0.3069)
    assert report["statistics"]["kappa"]["scope"] == "stratified sample, not population"


def test_undefined_is_null_with_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.csv"
    path.write_text("judge,human\n1,1\n1,1\n", encoding="utf-8")
    assert run(str(path), "--json") == 0
    kappa = json.loads(capsys.readouterr().out)["statistics"]["kappa"]
    assert kappa["value"] is None
    assert "only one class" in kappa["reason"]


def test_rejected_rows_are_listed_and_change_the_exit_code(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(TABLE + "correct\n", encoding="utf-8")
    assert run(str(table)) == 1
    assert "line 202: 1 cells instead of 5" in capsys.readouterr().out
    assert run(str(table), "--json") == 1
    assert json.loads(capsys.readouterr().out)["rejected"] == [{"line": 202, "reason": "1 cells instead of 5"}]


def test_declared_classes_are_used_also_when_no_label_is(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(table), "--json", "--classes", "correct,incorrect,other") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["matrix"]["counts"] == [[99, 1, 0], [0, 100, 0], [0, 0, 0]]
    assert report["classes_declared"]


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        (None, [], "can't be read"),
        (b"a,b\n1,2\n", [], "no column judge"),
        ("judge,human\né,a\n".encode("latin-1"), [], "not UTF-8 (line 2)"),
        (b"judge,human\na,a\n", ["--classes", "a"], "no list of classes"),
        (b"judge,human\na,a\n", ["--classes", "a,a"], "named twice"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, words: list[str], message: str
) -> None:
    path = tmp_path / "labels.csv"
    if content is not None:
        path.write_bytes(content)
    assert run(str(path), *words) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert not shown.out


def test_a_table_without_rows_has_no_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.csv"
    path.write_text("judge,human", encoding="utf-8")
    assert run(str(path)) == 0
    assert "0/0 no labels" in capsys.readouterr().out


def test_a_study_s_labels_of_a_classifier_are_read_as_they_were_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows are the classifier's; unsure, broken and missing labels are counted apart."""
    path = tmp_path / "labels.csv"
    labels = ["Reasoning,Reasoning", "Explicit,Reasoning", "Explicit,unsure", "Indirect,broken", "Indirect,"]
    path.write_text("\n".join(["classifier,human", *labels]), encoding="utf-8")
    assert run(str(path), "--json") == 0
    matrix = json.loads(capsys.readouterr().out)["matrix"]
    assert (matrix["rows"], matrix["classes"][0]) == ("classifier", "Reasoning")
    assert matrix["counts"][:2] == [[1, 0, 0, 0], [1, 0, 0, 0]]
    assert matrix["left_out"] == {"broken item": 1, "no human label": 1, "unsure": 1}
