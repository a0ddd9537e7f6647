"""Processes that are killed at random moments of their work; `python -m tests.bench.kills` does it more often."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kill_asking_scenes import Collecting, Judging
from tests.kill_file_scenes import Exporting
from tests.kill_scenes import Loading, Migrating, Reviewing
from tests.killing import Scene, kill_again_and_again


@pytest.mark.parametrize(
    "scene",
    [
        Loading(events=40, probes=60),
        Reviewing(probes=12),
        Exporting(pictures=()),
        Migrating(rows=500),
        Collecting(people=12, days=6),
        Judging(answers=40),
    ],
    ids=lambda scene: str(scene.name),
)
def test_a_killed_process_loses_and_doubles_nothing(scene: Scene, tmp_path: Path) -> None:
    """Kill -9 in the middle: what was told to be saved is, files are whole or absent, and the check is clean."""
    found = kill_again_and_again(scene, tmp_path, 2, "suite")
    assert found.problems == []
    assert found.kills == 2
