"""“export tables”: every table of a project, the same bytes each time, and no labels of a closed key."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from btc_gui.domain.study import StudyId
from btc_gui.domain.verdict import Label
from btc_gui.exports.results import MANIFEST
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_verdict
from tests.cli.test_project import run
from tests.study_builders import add_judged, make_categories, put_in_open_study, unblinded_study


def test_the_tables_of_a_project_are_the_same_bytes_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "p.btc"
    with Database.create(project) as database:
        probe = add_probe(database, add_event(database))
        for label in (Label.INCORRECT, Label.CORRECT):
            add_verdict(database, add_answer(database, probe), label)
    written = []
    for name in ("a", "b"):
        assert run("export", "tables", "-p", str(project), "--out", str(tmp_path / name), "--json") == 0
        told = capsys.readouterr()
        files = [Path(file) for file in json.loads(told.out)["files"]]
        written.append({file.name: file.read_bytes() for file in files})
        assert "1 further answers repeat a probe" in told.err
    assert written[0] == written[1]
    assert {"accuracy.csv", "accuracy.tex", "failure_modes.csv", "answers.csv", "models.md", MANIFEST} <= set(
        written[0]
    )
    with (tmp_path / "a" / "accuracy.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["indirect_correct"], row["indirect_scored"]) == ("0", "1")


def test_answers_wait_until_the_key_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("btc_gui.cli.study.design.categories", make_categories)
    monkeypatch.setattr("btc_gui.cli.study.new.categories", make_categories)
    project = tmp_path / "p.btc"
    with Database.create(project) as database:
        add_judged(database)
    on = ("-p", str(project))
    assert run("study", "new", "s", "--size", "8", "--seed", "1", "--annotator", "PK", *on) == 0
    assert run("study", "lock", "1", *on) == 0
    assert run("export", "tables", *on, "--out", str(tmp_path / "out")) == 0
    told = capsys.readouterr()
    assert "2 of 2 rows have answers in a study that isn't unblinded" in told.err
    assert "answers.csv: the file is left out" in told.err
    assert not (tmp_path / "out" / "answers.csv").exists()


def test_a_mistyped_side_puts_nobody_on_record_in_an_open_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "p.btc"
    with Database.create(project) as database:
        probe = add_probe(database, add_event(database))
        answers = [add_answer(database, probe) for _ in range(2)]
        for answer, label in zip(answers, (Label.INCORRECT, Label.CORRECT), strict=True):
            add_verdict(database, answer, label)
        put_in_open_study(database, answers)
    show = ("--show-open", "-p", str(project))
    assert run("export", "comparison", "run:1", "run:99", *show, "--out", str(tmp_path / "out")) == 2
    assert run("compare", "run:1", "run:2", "-p", str(project)) == 2
    assert "has seen" not in capsys.readouterr().err
    assert run("compare", "run:1", "run:2", *show) == 0
    assert "has seen 2 of their answers" in capsys.readouterr().err
    with Database.open(project) as database:
        assert {seen.answer_id for seen in StudyStore(database).exposures(StudyId(1))} == set(answers)


def test_two_runs_are_compared_and_the_events_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "p.btc"
    with Database.create(project) as database:
        probe = add_probe(database, add_event(database))
        for label in (Label.INCORRECT, Label.CORRECT):
            add_verdict(database, add_answer(database, probe), label)
    on = ("-p", str(project))
    assert run("compare", *on, "--json") == 0
    names = [side["name"] for side in json.loads(capsys.readouterr().out)["sides"]]
    assert names == ["run:1", "run:2"]
    assert run("compare", *names, *on) == 0
    told = capsys.readouterr().out
    assert told.startswith("Run ")
    files = []
    for name in ("a", "b"):
        assert run("export", "comparison", *names, *on, "--out", str(tmp_path / name), "--json") == 0
        written_now = json.loads(capsys.readouterr().out)["files"]
        files.append({Path(file).name: Path(file).read_bytes() for file in written_now})
    assert files[0] == files[1]
    (event,) = csv.DictReader(files[0]["comparison_events.csv"].decode().splitlines())
    assert (event["change"], event["kind"]) == ("better", "indirect")
    assert run("compare", "run:1", "run:99", *on) == 2
    assert "no “run:99”" in capsys.readouterr().err


def test_all_of_it_has_one_manifest_and_figures_can_be_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "p.btc"
    with Database.create(project) as database:
        add_verdict(database, add_answer(database, add_probe(database, add_event(database))), Label.INCORRECT)
    on = ("-p", str(project), "--out", str(tmp_path / "out"))
    assert run("export", "all", *on, "--format", "svg") == 0
    files = json.loads((tmp_path / "out" / MANIFEST).read_text(encoding="utf-8"))["files"]
    assert {"accuracy.csv", "figure_accuracy_demise.svg", "figures_manifest.json"} <= files.keys()
    assert {path.name for path in (tmp_path / "out").iterdir()} - {MANIFEST} == files.keys()
    capsys.readouterr()
    chosen = ("--only", "queries", "--format", "svg", "--width", "column", "--no-titles", "--json")
    assert run("export", "figures", "-p", str(project), "--out", str(tmp_path / "one"), *chosen) == 0
    written = [Path(file).name for file in json.loads(capsys.readouterr().out)["files"]]
    assert written == ["figure_queries_demise.svg", "figures_manifest.json"]
    assert run("export", "figures", "-p", str(project), "--out", str(tmp_path / "two"), "--model", "Nobody") == 2
    assert "There is no figure of “Nobody”" in capsys.readouterr().err


def test_the_matrices_of_unblinded_studies_are_in_the_same_manifest(tmp_path: Path) -> None:
    project, out = tmp_path / "p.btc", tmp_path / "out"
    with Database.create(project) as database:
        add_judged(database)
        unblinded_study(database, tmp_path)
    assert run("export", "tables", "-p", str(project), "--out", str(out)) == 0
    (matrix,) = out.glob("matrix_*.csv")
    assert matrix.read_text(encoding="utf-8").splitlines()[:3] == [
        "judge ↓ / human →,correct,incorrect",
        "correct,4,0",
        "incorrect,4,0",
    ]
    named = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["files"]
    assert set(named) | {MANIFEST} == {path.name for path in out.iterdir()}
    # The judge's errors are taken out: all eight labels say correct.
    (row,) = csv.DictReader((out / "corrected_accuracy.csv").read_text(encoding="utf-8").splitlines())
    assert (row["corrected"], row["labels"], row["study"]) == ("1.000000", "8", "Test study")
