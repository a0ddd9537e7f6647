"""`btc-gui study audit`: says what it searched, and finds what was planted."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.store.database import Database
from tests.cli.test_project import run
from tests.study_builders import JUDGE, add_judged, add_locked_study, issue


def test_an_audit_tells_channels_and_leaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "p.btc"
    with Database.create(project) as database:
        add_judged(database)
        packet = issue(database, add_locked_study(database), tmp_path / "out")
    os.utime(packet, (packet.stat().st_mtime + 3600,) * 2)
    command = ("study", "audit", "1", "-p", str(project), "--packet", str(packet), "--json")
    assert run(*command) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["leaks"] == []
    assert report["channels"]["packet pages"] == 1

    paths.state().mkdir(parents=True, exist_ok=True)
    (paths.state() / "btc_gui.log").write_text(f"asked {JUDGE}\n", encoding="utf-8")
    exports = tmp_path / "exports"
    exports.mkdir()
    (exports / "rejected.csv").touch()
    assert run(*command, "--also", str(exports)) == 1
    leaks = json.loads(capsys.readouterr().out)["leaks"]
    assert {(leak["channel"], leak["what"]) for leak in leaks} == {
        ("log files", "judge or classifier"),
        ("other places", "stratum"),
    }
    assert run(*command[:-1]) == 1
    assert f"judge or classifier: {JUDGE} (in btc_gui.log)" in capsys.readouterr().out
