"""How the worker is started: by the app's own executable, with keys by environment and nothing else changed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from btc_gui.errors import RunError
from btc_gui.evals import supervisor
from btc_gui.evals.messages import Exited, Queried
from btc_gui.evals.supervisor import Worker, worker_command, worker_environment


def test_keys_reach_the_worker_and_settings_of_the_engine_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("INSPECT_LOG_DIR", "/somewhere")
    monkeypatch.setenv("INSPECT_EVAL_MODEL", "openai/gpt")
    environment = worker_environment(tmp_path)
    assert environment["OPENAI_API_KEY"] == "secret"
    assert "INSPECT_LOG_DIR" not in environment
    assert "INSPECT_EVAL_MODEL" not in environment
    assert environment["XDG_DATA_HOME"] == str(tmp_path / "engine")
    assert environment["PYTHONUTF8"] == "1"
    assert "secret" not in " ".join(worker_command())


def test_a_frozen_build_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker_command() == [sys.executable, "-m", "btc_gui.evals.worker"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert worker_command() == [sys.executable, "worker"]


def test_a_worker_that_can_not_be_started_is_a_plain_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "worker_command", lambda: [str(tmp_path / "no-such-program")])
    with pytest.raises(RunError, match="can't be started"):
        Worker(tmp_path / "state")


def test_a_worker_that_dies_within_a_character_is_seen_to_be_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had sent before is heard; of the last line, two of the three bytes of 現 have come."""
    said = b'{"event":"queried","sample":7,"query":"\xe7\x8f\xbe"}\n{"event":"queried","sample":8,"query":"\xe7\x8f'
    program = f"import os; os.write(1, {said!r}); os._exit(3)"
    monkeypatch.setattr(supervisor, "worker_command", lambda: [sys.executable, "-c", program])
    with Worker(tmp_path / "state") as worker:
        assert worker.next_event(60) == Queried(7, "現")
        assert worker.next_event(60) == Exited(3)
