"""Leases: who holds something, until when, and whether that process is still there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from btc_gui.store.lease import from_now, is_gone, is_held, this_process


def test_a_lease_ends_by_itself() -> None:
    """Over when its time is; never against its owner; too long a one is of a clock that was set back."""
    assert is_held("them", from_now(60), "us", 300)
    assert not is_held("them", from_now(-1), "us", 300)
    assert not is_held("us", from_now(60), "us", 300)
    assert not is_held("", "", "us", 300)
    assert not is_held("them", from_now(3_600), "us", 300)


def _of(process: int) -> str:
    return f"{this_process().rpartition(':')[0]}:{process}"


def test_a_process_that_has_ended_is_gone() -> None:
    """On this machine; of others nothing is known."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert is_gone(_of(ended.pid))
    assert not is_gone(this_process())
    assert not is_gone(f"elsewhere:{ended.pid}")
    assert not is_gone("somebody")


def test_on_windows_no_signal_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signal 0 is Ctrl+C there: it would stop the other window's work."""
    sent: list[int] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", lambda process, _: sent.append(process))
    assert not is_gone(_of(1))
    assert sent == []
