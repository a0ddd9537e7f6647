"""The commands about studies: the whole life of one, with honest exit codes and files that read back."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from tests.cli.test_project import run
from tests.study_builders import add_judged, make_categories


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in ("design", "packets"):
        monkeypatch.setattr(f"btc_gui.cli.study.{module}.categories", make_categories)
    path = tmp_path / "p.btc"
    with Database.create(path) as database:
        add_judged(database)
    return path


def output(capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401 (JSON)
    return json.loads(capsys.readouterr().out)


def test_a_study_from_design_to_matrix(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on = ("-p", str(project), "--json")
    assert run("study", "new", "a:b? study", "--size", "8", "--seed", "s1", "--annotator", "PK", *on) == 0
    assert output(capsys)["state"] == "draft"
    assert run("study", "preview", "1", *on) == 0
    preview = output(capsys)
    assert (preview["considered"], preview["problem"], preview["by_label"]) == (16, "", {"correct": 10, "incorrect": 6})
    assert run("study", "lock", "1", *on) == 0
    sha256 = output(capsys)["manifest_sha256"]
    assert run("study", "packet", "1", "--out", str(tmp_path / "out"), *on) == 0
    packet = output(capsys)["packet"]

    with Database.open(project) as database:
        items = StudyStore(database).items(StudyStore(database).find("1").id)
    rows = [{"item": item.item, "label": item.machine_label, "note": "=1+1"} for item in items]
    labels = tmp_path / "labels.jsonl"
    bad = [
        "no json",
        json.dumps({"item": "ffff", "label": "correct"}),
        json.dumps({"item": items[7].item, "label": "unsure"}),
    ]
    labels.write_text("\ufeff" + "\r\n".join([*map(json.dumps, rows[:7]), "", *bad]), encoding="utf-8")
    assert run("label", packet, "--from", str(labels), "--annotator", "DG") == 2
    assert run("label", packet, "--from", str(labels), "--annotator", "PK", "--json") == 1
    report = output(capsys)
    assert (report["given"], report["done"], report["total"]) == (7, 7, 8)
    assert [row["line"] for row in report["rejected"]] == [9, 10, 11]

    assert run("study", "return", packet, *on) == 1
    assert output(capsys)["packets"][0]["missing"] == 1
    assert run("study", "report", "1", *on) == 2
    assert run("study", "close", "1", "-p", str(project)) == 2
    assert "PK: 1" in capsys.readouterr().err
    labels.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run("label", packet, "--from", str(labels), "--json") == 0
    report = output(capsys)
    assert (report["given"], report["known"]) == (1, 7)
    assert run("study", "return", packet, "-p", str(project)) == 0
    assert run("study", "close", "1", "-p", str(project)) == 0
    assert run("study", "unblind", "1", "-p", str(project)) == 0
    assert run("study", "log", "1", "-p", str(project)) == 0
    assert "The chain holds." in capsys.readouterr().out

    assert run("study", "report", "1", "--out", str(tmp_path / "report"), *on) == 0
    found = output(capsys)
    assert found["annotators"][0]["agreement"]["matrix"]["counts"] == [[4, 0], [0, 4]]
    names = sorted(Path(file).name for file in found["files"])
    assert names == [
        "labels_a_b_study.csv",
        "manifest_a_b_study.json",
        "matrix_a_b_study_PK.csv",
        "matrix_a_b_study_PK.svg",
        "report_a_b_study.json",
    ]
    _check_files(tmp_path / "report", sha256)
    assert run("agreement", str(tmp_path / "report" / "labels_a_b_study.csv"), "--json") == 0
    again = output(capsys)
    key = "population_agreement"
    assert again["statistics"][key]["value"] == found["annotators"][0]["agreement"]["statistics"][key]["value"]
    assert run("study", "list", *on) == 0
    assert output(capsys)[0]["state"] == "unblinded"


def _check_files(folder: Path, sha256: str) -> None:
    """S8: axes are named and the orientation is rows judge; X14, X15: neutral file names, who, when and note a row."""
    assert hashlib.sha256((folder / "manifest_a_b_study.json").read_bytes()).hexdigest() == sha256
    with (folder / "matrix_a_b_study_PK.csv").open(newline="", encoding="utf-8") as file:
        matrix = list(csv.reader(file))
    assert matrix == [["judge ↓ / human →", "correct", "incorrect"], ["correct", "4", "0"], ["incorrect", "0", "4"]]
    with (folder / "labels_a_b_study.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert {(row["annotator"], row["layer"], row["note"]) for row in rows} == {("PK", "blind", "=1+1")}
    assert all(row["at"].endswith("+00:00") and row["judge"] == row["human"] for row in rows)


def test_a_design_that_can_not_be_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on = ("-p", str(project))
    assert run("study", "new", "x", "--stratum", "all=ten", *on) == 2
    assert "is no stratum" in capsys.readouterr().err
    assert run("study", "new", "x", "--stratum", "all=10:colour=red", *on) == 2
    assert "Strata can't be made of colour" in capsys.readouterr().err
    assert run("study", "new", "x", "--mode", "assisted", *on) == 2
    assert run("study", "new", "x", "--preset", "none such", *on) == 2
    assert run("study", "new", "quota", "--preset", "indirect", *on) == 0
    assert run("study", "new", "x", "--stratum", "a=1:label=correct", "--stratum", "b=1:probe=indirect", *on) == 0
    capsys.readouterr()
    assert run("study", "lock", "x", *on) == 2
    assert "overlap" in capsys.readouterr().err
    assert run("study", "lock", "nothing", *on) == 2


def test_several_packets_are_taken_one_by_one(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bad file among several: the others are taken, the bad one is named, exit code 1."""
    assert run("study", "new", "x", "--size", "4", "--annotator", "PK", "-p", str(project)) == 0
    assert run("study", "lock", "x", "-p", str(project)) == 0
    with Database.open(project) as database:
        study_id = StudyStore(database).find("x").id
        packet = issue_packet(database, study_id, "PK", tmp_path, make_categories(), "tests", Progress())
    capsys.readouterr()
    assert run("study", "return", str(packet), str(project), "-p", str(project), "--json") == 1
    one, two = output(capsys)["packets"]
    assert one["sent"] == 4
    assert "is not a btc_gui packet" in two["refused"]
