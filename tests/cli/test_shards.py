"""A run in shards, its logs loaded, and written again: all from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from btc_gui.cli import main
from btc_gui.domain.review import Action
from btc_gui.errors import BtcError
from btc_gui.store.database import Database
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_recordings


def _run(*words: object, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == code, (result.output, result.exception)
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def _refusal(*words: object) -> str:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert isinstance(result.exception, BtcError), result.output
    return str(result.exception)


@pytest.fixture
def replay(database: Database, tmp_path: Path) -> Path:
    """Recordings for three accepted probes of the project."""
    event = add_event(database)
    for key in ("p1", "p2", "p3"):
        probe = add_probe(database, event, key=key, text=f"Speakers for {key}?")
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    return write_recordings(tmp_path / "replay", [behaviour(key) for key in ("p1", "p2", "p3")])


@pytest.mark.usefixtures("lent_to_all")
def test_plan_run_a_shard_load_and_export(database: Database, replay: Path, tmp_path: Path) -> None:
    project = ("-p", database.path, "--json")
    planned = _run("evaluate", *project, "--replay", replay, "--name", "Autumn", "--plan-only")
    assert planned["left"] == 3
    assert RunStore(database).progress(RunStore(database).ids()[0])[0].attempts == 0

    logs = tmp_path / "logs"
    done = _run("evaluate", *project, "--replay", replay, "--run", "Autumn", "--shard", "1/1", "--logs", logs)
    assert done == {"shard": "1/1", "asked": 3, "finished": 3, "known": 0, "left": 0}
    (logs / "note.json").write_text("[]")
    loaded = _run("load", "logs", logs, *project, code=1)["files"]
    assert sorted((each["new"], each["attached"], bool(each["refused"])) for each in loaded) == [
        (0, 0, True),
        (3, 3, False),
    ]
    assert RunStore(database).pending(RunStore(database).ids()[0]) == []
    written = _run("export", "log", *project, "--run", "Autumn", "--out", tmp_path / "autumn.eval")
    assert written == {"files": [str(tmp_path / "autumn.eval")]}
    assert _run("load", "logs", logs / "note.json", *project, code=2)["files"][0]["refused"].startswith("it is JSON")


def test_wrong_shards_are_refused(database: Database, replay: Path, tmp_path: Path) -> None:
    project = ("-p", database.path)
    assert "a part of a run" in _refusal("evaluate", *project, "--shard", "1/2")
    assert "is no shard" in _refusal("evaluate", *project, "--run", "Autumn", "--shard", "3/2")
    _run("evaluate", *project, "--replay", replay, "--name", "Autumn", "--plan-only", "--max-cost", "5", "--json")
    logs = ("--logs", tmp_path, "--replay", replay)
    assert "spending cap" in _refusal("evaluate", *project, "--run", "Autumn", "--shard", "1/2", *logs)
    assert "There is no run" in _refusal("evaluate", *project, "--run", "Spring", "--shard", "1/2", *logs)


@pytest.mark.parametrize(
    "option", [("--dry-run",), ("--plan-only",), ("--retry-failed",), ("--max-cost", "1")], ids=lambda each: each[0]
)
def test_what_belongs_to_a_whole_run_is_not_silently_left_out(
    database: Database, tmp_path: Path, option: tuple[str, ...]
) -> None:
    arguments = ("-p", database.path, "--resume", "1", "--shard", "1/2", *option)
    assert f"{option[0]} can't be combined with --shard" in _refusal("evaluate", *arguments)
