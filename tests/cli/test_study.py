"""The commands about studies: the whole life of one, with honest exit codes and files that read back."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from btc_gui.store.study_frame import StudyFrameStore
from tests.cli.test_project import run
from tests.study_builders import add_judged, make_categories, make_design


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in ("design", "new", "packets", "reporting"):
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
    closed_by = capsys.readouterr().out.rpartition("SHA-256 of the log so far: ")[2].strip()
    assert run("study", "log", "1", *on) == 0
    assert output(capsys)["log"][-1]["hash"] == closed_by
    assert run("study", "unblind", "1", *on) == 0
    unblinded_by = output(capsys)["log_sha256"]
    assert run("study", "log", "1", "-p", str(project)) == 0
    assert "The chain holds." in capsys.readouterr().out

    assert run("study", "report", "1", "--out", str(tmp_path / "report"), *on) == 0
    found = output(capsys)
    assert found["annotators"][0]["agreement"]["matrix"]["counts"] == [[4, 0], [0, 4]]
    assert found["log_sha256"] == {"closed": closed_by, "unblinded": unblinded_by}
    page = (tmp_path / "report" / "report_a_b_study.html").read_text(encoding="utf-8")
    assert closed_by in page
    assert unblinded_by in page
    names = sorted(Path(file).name for file in found["files"])
    assert names == sorted(
        ["labels_a_b_study_PK.csv", "labels_a_b_study.jsonl"]
        + [f"matrix_a_b_study_PK.{kind}" for kind in ("csv", "json", "tex", "svg", "png", "pdf")]
        + [f"report_a_b_study.{kind}" for kind in ("html", "json")]
        + [f"statistics_a_b_study.{kind}" for kind in ("csv", "tex")]
        + ["manifest_a_b_study.json", "log_a_b_study.jsonl", "recompute.py"]
    )
    _check_files(tmp_path / "report", sha256)
    assert run("agreement", str(tmp_path / "report" / "labels_a_b_study_PK.csv"), "--json") == 0
    again = output(capsys)
    key = "population_agreement"
    assert again["statistics"][key]["value"] == found["annotators"][0]["agreement"]["statistics"][key]["value"]
    assert run("study", "list", *on) == 0
    assert output(capsys)[0]["state"] == "analysed"
    _check_the_end(project, tmp_path / "report", capsys)


def _check_the_end(project: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report's hash is in the log, once; a deviation stands in the next report; the terminal tells it all."""
    on = ("-p", str(project))
    sha256 = hashlib.sha256((folder / "report_a_b_study.json").read_bytes()).hexdigest()
    assert run("study", "report", "1", "--out", str(folder), *on) == 0
    assert run("study", "amend", "1", " ", *on) == 2
    assert run("study", "amend", "1", "Two items were labelled in a train.", *on) == 0
    capsys.readouterr()
    assert run("study", "log", "1", *on, "--json") == 0
    log = output(capsys)["log"]
    assert [entry["step"] for entry in log[-3:]] == ["unblind", "export the report", "note a deviation"]
    assert log[-2]["detail"]["report_sha256"] == sha256
    assert run("study", "report", "1", *on) == 0
    printed = capsys.readouterr().out
    for words in (
        "judge ↓    human →",
        "8/8 = 1.000 [0.676, 1.000]",
        "stratified sample, not population",
        "The labels are blind to the judge's label",
        "Two items were labelled in a train.",
    ):
        assert words in printed


def _check_files(folder: Path, sha256: str) -> None:
    """S8: axes are named and the orientation is rows judge; X14, X15: neutral file names, who, when and note a row."""
    assert hashlib.sha256((folder / "manifest_a_b_study.json").read_bytes()).hexdigest() == sha256
    with (folder / "matrix_a_b_study_PK.csv").open(newline="", encoding="utf-8") as file:
        matrix = list(csv.reader(file))
    assert matrix == [["judge ↓ / human →", "correct", "incorrect"], ["correct", "4", "0"], ["incorrect", "0", "4"]]
    with (folder / "labels_a_b_study_PK.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert {(row["annotator"], row["layer"], row["note"]) for row in rows} == {("PK", "blind", "'=1+1")}
    assert all(row["at"].endswith("+00:00") and row["judge"] == row["human"] for row in rows)


def test_a_draft_can_be_thrown_away_and_what_was_locked_can_not(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on = ("-p", str(project))
    assert run("study", "new", "x", "--size", "8", *on) == 0
    assert run("study", "discard", "x", *on) == 0
    assert "The draft “x” is gone." in capsys.readouterr().out
    # The name is free again.
    assert run("study", "new", "x", "--size", "8", *on) == 0
    assert run("study", "lock", "x", *on) == 0
    assert run("study", "discard", "x", *on) == 2
    assert "Only a draft can be thrown away." in capsys.readouterr().err
    with Database.open(project) as database:
        assert [study.name for study in StudyStore(database).all()] == ["x"]


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


def test_a_study_has_all_that_was_asked_for(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Annotators with an overlap, repeats, a cap, answers left out, errors assumed; then a larger sample of it."""
    on = ("-p", str(project), "--json")
    with Database.open(project) as database:
        keys = sorted(item.row.key for item in StudyFrameStore(database).frame(make_design()).items)
    out = tmp_path / "out.csv"
    out.write_text(f"key,reason\n{keys[0]},developed on it\nno-such,x\n", encoding="utf-8")
    asked = ("--size", "8", "--repeats", "2", "--annotator", "PK", "--annotator", "DG", "--overlap", "0.5")
    more = ("--leave-out", str(out), "--assume", "accepted=2", "--confidence", "--cap", "3", "--model", "Quagga-9")
    assert run("study", "new", "one", "--seed", "s", *asked, *more, "--model", "Zyxomodel-Prime", *on) == 0
    design = output(capsys)["design"]
    assert (design["repeats"], design["cap"], design["ask_confidence"], design["overlap"]) == (2, 3, True, 0.5)
    assert run("study", "preview", "one", *on) == 0
    preview = output(capsys)
    assert preview["excluded"] == {"left out: developed on it": 1}
    assert preview["left_out_unmatched"] == ["no-such"]
    assert [(s["labels"], s["errors"]) for s in preview["plan"]["strata"]] == [(4, 2), (4, 1)]
    assert run("study", "preview", "one", "-p", str(project)) == 0
    assert "Agreement, in the benchmark" in capsys.readouterr().out
    assert run("study", "lock", "one", *on) == 0
    locked = output(capsys)
    assert (locked["items"], locked["repeats"], locked["practice"], locked["shortfall"]) == (8, 2, 0, {})

    assert run("study", "extend", "one", "two", "--size", "accepted=3", *on) == 2
    assert "more items in some stratum" in capsys.readouterr().err
    assert run("study", "extend", "one", "two", "--size", "accepted=6", *on) == 0
    assert output(capsys)["design"]["extends"] == "one"
    assert run("study", "lock", "two", *on) == 0
    assert output(capsys)["items"] == 10
    with Database.open(project) as database:
        store = StudyStore(database)
        one, two = store.find("one"), store.find("two")
        first, second = ({item.key for item in store.items(study.id)} for study in (one, two))
        assert first < second
        assert two.manifest["extends"] == {"study": "one", "manifest_sha256": one.manifest_sha256, "items": 8}
    assert run("study", "new", "three", "--size", "4", "--leave-out-study", "one", *on) == 0
    assert len(output(capsys)["design"]["left_out"]) == 8


def test_a_preset_is_the_design_of_the_paper(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on = ("-p", str(project), "--json")
    assert run("study", "new", "one", "--preset", "indirect", *on) == 0
    design = output(capsys)["design"]
    assert [stratum["size"] for stratum in design["strata"]] == [85, 15, 100]
    assert design["frame"]["probe_kinds"] == ["indirect"]
    # 16 answers are drawn: a quarter of them again; the categories of this test have no practice items.
    assert (design["repeats"], design["practice"]) == (4, 0)


def test_the_draw_is_repeated_with_the_tools_of_the_manual(
    project: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The commands in docs/validating.md, run by a shell with coreutils' sha256sum and sort, give the drawn items."""
    assert run("study", "new", "x", "--size", "10", "--seed", "séed 7", "-p", str(project)) == 0
    assert run("study", "lock", "x", "-p", str(project)) == 0
    with Database.open(project) as database:
        manifest_sha256 = StudyStore(database).find("x").manifest_sha256
    capfdbinary.readouterr()
    assert run("study", "manifest", "x", "-p", str(project)) == 0
    raw = capfdbinary.readouterr().out
    (tmp_path / "manifest.json").write_bytes(raw)
    assert run("study", "frame", "x", "-p", str(project)) == 0
    (tmp_path / "frame.tsv").write_bytes(capfdbinary.readouterr().out)
    manifest = json.loads(raw)

    def shell(script: str, **variables: str) -> list[str]:
        done = subprocess.run(
            ["sh", "-c", script], cwd=tmp_path, env={**os.environ, **variables}, capture_output=True, check=True
        )
        return done.stdout.decode("utf-8").splitlines()

    sums = [line.split()[0] for line in shell("sha256sum manifest.json frame.tsv")]
    assert sums == [manifest_sha256, manifest["frame"]["listing_sha256"]]
    manual = (Path(__file__).parents[2] / "docs" / "validating.md").read_text(encoding="utf-8")
    (recipe,) = (block for block in re.findall(r"```sh\n(.*?)```", manual, re.S) if "head -n" in block)
    for cell in manifest["cells"]:
        stratum, configuration = cell["stratum"], cell["configuration"]
        drawn = shell(recipe, SEED="séed 7", STRATUM=stratum, CONFIGURATION=configuration, DRAWN=str(cell["drawn"]))
        name = f"{stratum} / {configuration}"
        assert sorted(drawn) == sorted(item["key"] for item in manifest["items"] if item["cell"] == name)
        assert len(drawn) == cell["drawn"]
    assert sum(cell["drawn"] for cell in manifest["cells"]) == 10


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
