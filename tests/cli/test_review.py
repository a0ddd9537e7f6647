"""The review without a window: assign, decide in bulk, agreement, undo and redo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from btc_gui.app import main
from btc_gui.domain.review import Action
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe


def run(*words: str) -> int:
    """Run `btc-gui` with these words and give its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def read(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    """What a command prints with `--json`."""
    capsys.readouterr()
    assert run(*words, "--json") == code
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Ten probes of one event."""
    path = tmp_path / "review.btc"
    with Database.create(path) as database:
        event = add_event(database)
        for number in range(10):
            add_probe(database, event, text=f"Who could do {number}?", key=f"p{number}")
    return path


def test_bulk_with_a_dry_run_undo_and_redo(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The dry run says the same numbers and leaves the project's bytes alone."""
    before = project.read_bytes()
    words = ("review", "bulk", "-p", str(project), "reject", "--reason", "unnatural", "--contains", "do 1")
    plan = read(capsys, *words, "--dry-run")
    assert (plan["chosen"], plan["would_change"], plan["before"]) == (1, 1, {"unreviewed": 1})
    assert project.read_bytes() == before
    changed = read(capsys, *words, "--reviewer", "ann")
    assert changed == {"changed": 1, "skipped": {}, "before": {"unreviewed": 1}, "with_lint_errors": 0}
    assert read(capsys, "review", "undo", "-p", str(project), "--reviewer", "ann")["probe"] == "p1"
    assert read(capsys, "review", "redo", "-p", str(project), "--reviewer", "ann")["redo"] == "reject"
    listed = read(capsys, "probes", "-p", str(project), "--queue", "rejected")
    assert [row["probe"] for row in listed["probes"]] == ["p1"]
    assert run("review", "redo", "-p", str(project), "--reviewer", "ann") == 2
    assert run("review", "bulk", "-p", str(project), "reject") == 2


def test_bulk_overrules_nothing_unless_the_queue_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rejected probes stay rejected; what is accepted against the linter is said."""
    words = ("review", "bulk", "-p", str(project))
    read(capsys, *words, "reject", "--reason", "unnatural", "--contains", "do 1")
    assert run(*words, "accept") == 0
    said = capsys.readouterr().err
    assert "9 of 9 probes change: 9 unreviewed" in said
    assert "9 of them have errors of the linter" in said
    listed = read(capsys, "probes", "-p", str(project), "--queue", "rejected")
    assert [row["probe"] for row in listed["probes"]] == ["p1"]
    assert run(*words, "accept") == 0
    assert "--queue names others" in capsys.readouterr().err
    assert read(capsys, *words, "accept", "--queue", "all", "--dry-run")["before"] == {"rejected": 1}


def test_assign_judge_and_agree(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("review", "assign", "-p", str(project), "--curator", "ann", "--curator", "bob", "--each", "6")
    plan = read(capsys, *words, "--overlap", "0.5", "--dry-run")
    assert (plan["probes"], plan["shared"], plan["dry_run"]) == (9, 3, True)
    assert read(capsys, "review", "assign", "-p", str(project))["assignments"] == []
    assert read(capsys, *words, "--overlap", "0.5", "--name", "first")["curators"] == {"ann": 6, "bob": 6}
    mine = {
        name: {row["probe"] for row in read(capsys, "probes", "-p", str(project), "--assigned-to", name)["probes"]}
        for name in ("ann", "bob")
    }
    shared = sorted(mine["ann"] & mine["bob"])
    assert len(shared) == 3
    with Database.open(project) as database:
        keys = {key: probe_id for key, (probe_id, _) in ProbeStore(database).keys().items()}
        for place, key in enumerate(shared):
            probe = ProbeStore(database).get(keys[key])
            reviews = ReviewStore(database)
            reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
            if place == 0:
                reviews.decide(probe.id, probe.revision_id, Action.REJECT, "bob", reasons=("unnatural",))
            elif place == 1:
                reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "bob")
    (pair,) = read(capsys, "review", "agreement", "-p", str(project))["pairs"]
    assert (pair["n"], pair["waiting"], pair["table"]) == (2, 1, [[1, 0, 1], [0, 0, 0], [0, 0, 0]])
    assert pair["disagreements"] == [
        {"probe": shared[0], "verdicts": {"ann": "accept", "bob": "reject"}, "resolved": False}
    ]
    disputed = read(capsys, "probes", "-p", str(project), "--queue", "disputed")["probes"]
    assert [row["probe"] for row in disputed] == [shared[0]]
    assert run("review", "agreement", "-p", str(project)) == 0
    assert "to be resolved" in capsys.readouterr().out
    assert run("review", "assign", "-p", str(project), "--withdraw", "first") == 0
    assert run("review", "assign", "-p", str(project), "--withdraw", "first") == 2
