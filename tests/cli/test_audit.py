"""`btc-gui study audit`: says what it searched, and finds what was planted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from tests.cli.test_project import run
from tests.study_builders import JUDGE, MODELS, add_judged, add_locked_study, issue


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
    assert {"window titles", "window texts", "tool tips", "accessible names"} <= set(report["channels"])

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


def test_what_only_the_window_and_its_process_tell_is_caught(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note above every item, the folder that the process is given, and its environment."""
    project, given = tmp_path / "p.btc", tmp_path / "rejected"
    given.mkdir()
    with Database.create(project) as database:
        add_judged(database)
        issued = issue(database, add_locked_study(database), tmp_path / "out")
    packet = given / issued.name
    with PacketFile.open(issued, to_label=False) as file:
        outline = file.outline()
        items = [file.item(entry) for entry in outline.entries]
    PacketFile.create(packet, replace(outline.manifest, note=f"As {MODELS[1]} said"), outline.pages, items)
    os.utime(packet, (packet.stat().st_mtime + 3600,) * 2)
    before = packet.read_bytes()
    monkeypatch.setenv("BTC_LAST", MODELS[0])
    assert run("study", "audit", "1", "-p", str(project), "--packet", str(packet), "--json") == 1
    leaks = json.loads(capsys.readouterr().out)["leaks"]
    assert {(leak["channel"], leak["what"], leak["text"]) for leak in leaks} == {
        ("window texts", "model", MODELS[1]),
        ("process arguments", "stratum", "rejected"),
        ("environment", "model", MODELS[0]),
    }
    assert packet.read_bytes() == before


def test_a_window_that_does_not_open_is_told(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "btc_gui", "packet", "--pieces", str(tmp_path / "none.btcp")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "none.btcp" in ended.stderr
    assert "Traceback" not in ended.stderr
