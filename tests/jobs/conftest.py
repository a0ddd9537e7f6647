"""One evaluation worker for all tests of this folder: starting one costs seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from btc_gui.evals.messages import Done, Event, Started
from btc_gui.evals.supervisor import Worker


class LentWorker(Worker):
    """A real worker that goes back to the shelf instead of ending, and remembers which samples were started."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.started: list[int] = []
        self._open = 0
        self._is_disturbed = False

    def _send(self, command: dict[str, object]) -> None:
        """As a worker's, noting what has not ended yet, and what can't be told to have ended."""
        if command["command"] in ("run", "recover"):
            self._open += 1
        else:
            self._is_disturbed = True
        super()._send(command)

    def next_event(self, seconds: float) -> Event | None:
        """As a worker's, noting what starts and what ends."""
        event = super().next_event(seconds)
        if isinstance(event, Started):
            self.started.append(event.sample)
        elif isinstance(event, Done):
            self._open -= 1
        return event

    def close(self) -> None:
        """Cancel what is going on, as closing does, and forget what was said of it."""
        if not self._open and not self._is_disturbed:
            return
        self.stop()
        self.resume()
        # A recovery of nothing is over when everything before it is.
        self.recover([], [])
        deadline = time.monotonic() + 20
        while not self._is_quiet():
            assert time.monotonic() < deadline, "the worker does not stop"
        self._open, self._is_disturbed = 0, False

    def _is_quiet(self) -> bool:
        event = super().next_event(0.5)
        if event is None:
            return True
        return isinstance(event, Done) and super().next_event(0.5) is None

    def end(self) -> None:
        """End the process."""
        super().close()


@pytest.fixture(scope="session")
def _shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LentWorker]:
    worker = LentWorker(tmp_path_factory.mktemp("worker"))
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
