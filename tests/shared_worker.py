"""One evaluation worker, and the services that it asks, for the whole session: starting one takes many seconds.

The fixtures of it are in `tests/conftest.py`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from btc_gui.evals.messages import Done, EvaluationRequest, Event, Fatal, Started
from btc_gui.evals.supervisor import Worker
from tests.fakes.exa import exa_reply
from tests.fakes.http_replies import HttpReplies
from tests.fakes.model_server import ModelServer, model_server

#: Commands that say how to go on. Every other one ends with one `Done` or `Fatal`.
_WITHOUT_END = ("pause", "resume", "drain", "stop", "shutdown")
_CLOSE_SECONDS = 60.0
_EXA_KEY = "key-of-exa-0123456789"


class LentWorker(Worker):
    """A real worker that goes back to the shelf instead of ending; it remembers requests and started samples."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        # A fixture of the session comes before those of a test, and so does this process's own environment.
        own = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_BASE_URL"))}
        with mock.patch.dict(os.environ, {**own, **environment}, clear=True):
            super().__init__(folder)
        self.folder = folder
        self.environment = environment
        self.started: list[int] = []
        self.requests: list[EvaluationRequest] = []
        self._open = 0

    def run(self, *requests: EvaluationRequest) -> None:
        """As a worker's, keeping what it is asked."""
        self.requests += requests
        super().run(*requests)

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
        LentWorker.__init__(self, self.folder, self.environment)
        self.started = started

    def end(self) -> None:
        """End the process."""
        super().close()


@dataclass
class SharedServices:
    """The worker, and the loopback servers that its environment sends it to."""

    worker: LentWorker
    models: ModelServer
    exa: HttpReplies

    @property
    def keys(self) -> dict[str, str]:
        """The keys and addresses that the worker was started with, for what asks from this process."""
        return {**self.models.environment(), "EXA_API_KEY": _EXA_KEY, "EXA_BASE_URL": self.exa.address}


@contextmanager
def shared_services(folder: Path) -> Iterator[SharedServices]:
    """All of it, until the end of the block. The worker's own files are below `folder`."""
    with model_server() as models, HttpReplies(exa_reply([])) as exa:
        state = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "STATE", "DATA", "CACHE")}
        exa_service = {"EXA_API_KEY": _EXA_KEY, "EXA_BASE_URL": exa.address}
        worker = LentWorker(folder / "worker", {"HOME": str(folder), **state, **models.environment(), **exa_service})
        yield SharedServices(worker, models, exa)
        worker.end()
