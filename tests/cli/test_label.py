"""`btc-gui label`: reading what is to be labelled, and labelling it, without a window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_project import run
from tests.study_builders import item_id, practice_id, write_practice_packet


def test_items_are_printed_and_labelled_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packet = str(write_practice_packet(tmp_path / "p.btcp", practice=1, items=2, mark=1.0))
    assert run("label", packet, "--items") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("practice") or line.get("item") for line in lines] == [
        None,
        practice_id(1),
        item_id(1),
        item_id(2),
    ]
    labels = tmp_path / "labels.jsonl"
    rows = [
        {"item": practice_id(1), "label": "correct"},
        {"item": item_id(1), "label": "incorrect", "confidence": 2},
        {"item": item_id(2), "label": "broken"},
    ]
    labels.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert run("label", packet, "--from", str(labels)) == 1
    told = capsys.readouterr().out
    assert "2 given, 0 known; labelled: 1 of 2" in told
    assert "practice, round 1: 1 of 1 right, 1 needed" in told
    assert "line 3: “Broken item” needs a reason." in told


@pytest.mark.parametrize("options", [[], ["--items", "--from", "labels.jsonl"]])
def test_reading_and_labelling_are_asked_for_one_at_a_time(tmp_path: Path, options: list[str]) -> None:
    packet = str(write_practice_packet(tmp_path / "p.btcp"))
    assert run("label", packet, *options) == 2
