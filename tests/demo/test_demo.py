"""The demo does the whole job and leaves a project and files that say what they are."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from btc_gui.cli import main
from btc_gui.cli.demo import MARKER, build_demo
from btc_gui.cli.demo_project import build_demo_project
from btc_gui.domain.case import CaseQuery
from btc_gui.domain.study import StudyState
from btc_gui.errors import InputError, ProjectError
from btc_gui.jobs.check_project import check_project
from btc_gui.progress import Cancelled, Progress
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.studies import StudyStore


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_demo_does_the_whole_job(tmp_path: Path) -> None:
    out = tmp_path / "demo"

    result = CliRunner().invoke(main, ["demo", "--out", str(out), "--json"], catch_exceptions=False)

    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["reviewed"] == {"unreviewed": 6, "accepted": 56, "rejected": 7, "deferred": 3}
    assert report["answers"] == {"answered": 210, "no_answer": 3, "refused": 1, "failed": 2}
    assert [load["new"] for load in report["loads"]] == [12, 0, 72]
    assert len(report["loads"][1]["rejected"]) == 3
    assert report["judged"]["judged"] == 208
    assert report["judged"]["unscored"] == 2
    assert report["classified"]["failed"] == []
    verdicts, modes = (study["agreement"]["matrix"]["counts"] for study in report["studies"])
    assert verdicts == [[56, 2], [3, 57]]
    assert modes == [[7, 0, 0, 0], [0, 6, 0, 0], [0, 0, 7, 3], [0, 0, 3, 7]]
    with Database.open(Path(report["project"])) as database:
        assert ProjectStore(database).is_illustrative
        states = {study.name: study.state for study in StudyStore(database).all()}
        findings = check_project(database, Progress())
        counts = {(each.model, each.category): each for each in RetentionStore(database).counts()}
        failures = CaseStore(database).ids(CaseQuery(modes=("reasoning", "explicit", "indirect", "none")))
    assert states == {
        "Judge verdicts": StudyState.UNBLINDED,
        "Failure modes": StudyState.UNBLINDED,
        "Your turn": StudyState.LOCKED,
    }
    # Nothing is wrong with it, and no model gets a probe right without search that it retains.
    assert not [finding for finding in findings if finding.severity == "error"]
    assert [
        finding.text for finding in findings if finding.check == "filter" and "accuracy 0.0%" not in finding.text
    ] == []
    assert {key: (each.filtered, each.retained, each.undecided) for key, each in counts.items()} == {
        ("Larkspur-2", "demise"): (21, 21, 0),
        ("Larkspur-2", "tenure"): (23, 23, 0),
        ("Quill-Mini", "demise"): (21, 20, 0),
        ("Quill-Mini", "tenure"): (23, 20, 1),
    }
    assert len(failures) == report["classified"]["classified"] + report["classified"]["by_construction"]
    _check_files(out, [Path(file) for file in report["files"]])


def _check_files(out: Path, files: list[Path]) -> None:
    matrices_and_more = {".jsonl", ".html", ".tex", ".png", ".pdf", ".py"}
    assert {file.suffix for file in files} == {".csv", ".svg", ".md", ".json", *matrices_and_more}
    assert all(file.is_file() for file in files)
    for file in files:
        if file.suffix in (".csv", ".md", ".html"):
            assert "Illustrative" in file.read_text(encoding="utf-8"), file.name
    assert "Illustrative" in (out / "report.md").read_text(encoding="utf-8")
    with (out / "tables" / "accuracy.csv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 8
    for row in rows:
        assert float(row["drop"]) == pytest.approx(
            float(row["direct_accuracy"]) - float(row["indirect_accuracy"]), abs=1e-3
        )


def test_a_folder_with_other_files_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")

    with pytest.raises(InputError, match="did not make"):
        build_demo(tmp_path, Progress())

    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "mine"


def test_an_earlier_demo_is_replaced_and_a_cancelled_one_can_be_run_again(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    out.mkdir()
    (out / MARKER).write_text("", encoding="utf-8")
    (out / "old.csv").write_text("old", encoding="utf-8")
    progress = Progress()
    progress.cancel()

    with pytest.raises(Cancelled):
        build_demo(out, progress)

    assert not (out / "old.csv").exists()
    assert (out / MARKER).is_file()


def test_a_cancelled_demo_project_leaves_nothing_behind(tmp_path: Path) -> None:
    progress = Progress()
    progress.cancel()

    with pytest.raises(Cancelled):
        build_demo_project(tmp_path / "demo.btc", progress)

    assert list(tmp_path.iterdir()) in ([], [tmp_path / "home"])


def test_a_project_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "demo.btc"
    path.write_text("mine", encoding="utf-8")

    with pytest.raises(ProjectError, match="exists already"):
        build_demo_project(path, Progress())
