"""The harness of the suite: no display, no network, no home folder, and nothing odd goes unnoticed."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = os.environ.get("BTC_TEST_PLATFORM", "offscreen")
os.environ["PYTHONUTF8"] = "1"

from hypothesis import settings as hypothesis_settings

from btc_gui.store.database import Database

# The same examples each time, and no deadline: a busy machine is no fault.
hypothesis_settings.register_profile("shared", deadline=None, max_examples=60, derandomize=True)
hypothesis_settings.load_profile("shared")


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, state and Inspect's own files go to the test's folder, never to the developer's home."""
    home = tmp_path / "home"
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.setenv("HOME", str(home))
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name.endswith("_BASE_URL"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the suite may reach further than this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family != socket.AF_UNIX and host not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A new, empty project."""
    with Database.create(tmp_path / "project.btc", "Test project") as opened:
        yield opened


@pytest.fixture
def shared_data() -> Path:
    """Real files beside the checkout; tests that use them are skipped where they are absent."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    return folder
