"""One evaluation worker for all tests of this folder: starting one costs seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from btc_gui.evals.messages import Done, Event, Fatal, Started
from btc_gui.evals.supervisor import Worker
from tests.conftest import service_settings

#: Commands that say how to go on. Every other one ends with one `Done` or `Fatal`.
_WITHOUT_END = ("pause", "resume", "drain", "stop", "shutdown")
_CLOSE_SECONDS = 60.0


class LentWorker(Worker):
    """A real worker that goes back to the shelf instead of ending, and remembers which samples were started."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.started: list[int] = []
        self._open = 0

    def _send(self, command: dict[str, object]) -> None:
        """As a worker's, counting what has not ended yet."""
        if command["command"] not in _WITHOUT_END:
            self._open += 1
        super()._send(command)

    def next_event(self, seconds: float) -> Event | None:
        """As a worker's, noting what starts and what ends."""
        event = super().next_event(seconds)
        if isinstance(event, Started):
            self.started.append(event.sample)
        elif isinstance(event, Done | Fatal):
            self._open -= 1
        return event

    def close(self) -> None:
        """Cancel what is going on, as closing does, and hear all that is still said of it."""
        if self._is_closing:
            return
        if self._open:
            self.stop()
        # A session that was told to pause leaves the gate shut.
        self.resume()
        deadline = time.monotonic() + _CLOSE_SECONDS
        while self._open and self.is_alive and time.monotonic() < deadline:
            self.next_event(0.2)
        if self._open or not self.is_alive:
            self.restart()

    def restart(self) -> None:
        """A new process in place of one that is gone, or of which nobody knows what it does."""
        self.kill()
        self.end()
        started = self.started
        LentWorker.__init__(self, self.folder)
        self.started = started

    def end(self) -> None:
        """End the process."""
        super().close()


@pytest.fixture(scope="session")
def _shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LentWorker]:
    # A fixture of the session comes before those of a test: without this the worker had the developer's home and keys.
    folder = tmp_path_factory.mktemp("worker")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        for name in ("CONFIG", "STATE", "DATA", "CACHE"):
            patch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
        for name in service_settings():
            patch.delenv(name)
        worker = LentWorker(folder)
    yield worker
    worker.end()


@pytest.fixture
def lent_worker(_shelf: LentWorker) -> LentWorker:
    """The shared worker, with nothing started yet."""
    _shelf.started.clear()
    return _shelf


@pytest.fixture
def start_worker(lent_worker: LentWorker) -> Callable[[Path], Worker]:
    """What a job calls to start a worker."""
    return lambda _: lent_worker
