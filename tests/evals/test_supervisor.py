"""How the worker is started: by the app's own executable, with keys by environment and nothing else changed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from btc_gui.errors import RunError
from btc_gui.evals import supervisor
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
