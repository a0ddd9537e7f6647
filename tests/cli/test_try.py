"""`btc-gui try`: one probe, answered now, with an honest exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.cli.test_project import run
from tests.recordings import behaviour, result, write_recordings


def test_try(tmp_path: Path, capsys: pytest.CaptureFixture[str], lent_to_all: None) -> None:
    """By key or number; a failed answer is one, with its reason; what there is not is refused."""
    project = tmp_path / "p.btc"
    with Database.create(project) as database:
        event = add_event(database)
        add_probe(database, event, key="p1")
        add_probe(database, event, "Who else?", key="p2")
    folder = write_recordings(tmp_path / "replay", [behaviour("p1", [["who"]], "Ask Ada.")], {"who": [result()]})
    with_agent = ("-p", str(project), "--model", "Larkspur-2", "--effort", "low", "--replay", str(folder))
    assert run("try", "p1", *with_agent, "--json") == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert (answer["case"], answer["answer"], answer["queries"]) == ("btc:1", "Ask Ada.", 1)
    assert run("try", "2", *with_agent) == 1
    assert "no recorded behaviour of Larkspur-2 at low effort for the probe “p2”" in capsys.readouterr().out
    assert run("try", "p3", *with_agent) == 2
    assert "There is no probe “p3”" in capsys.readouterr().err
    assert run("try", "p1", "-p", str(project)) == 2
    assert "No model is named" in capsys.readouterr().err
