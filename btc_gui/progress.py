"""How long work reports where it is and learns that it should stop."""

from __future__ import annotations

import threading
from collections.abc import Callable

from btc_gui.records import dataclass


class Cancelled(Exception):  # noqa: N818 (a request, not an error)
    """Raised inside a job when a person asked it to stop. Shown as nothing."""


@dataclass(frozen=True, slots=True)
class Report:
    """Where a job is: `done` of `total` (0 = unknown) and one line about now."""

    done: int
    total: int
    text: str = ""


class Progress:
    """Given to every job. Safe to use from several threads.

    `report` tells where the work is and raises `Cancelled` once `cancel` was called; a job that waits
    on something else registers `on_cancel` so that it hears of it at once.
    """

    def __init__(self, reported: Callable[[Report], None] | None = None) -> None:
        self._reported = reported
        self._cancelled = threading.Event()
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def report(self, done: int, total: int, text: str = "") -> None:
        """Tell where the work is. Raises `Cancelled` when it should stop."""
        self.check()
        self.tell(done, total, text)

    def tell(self, done: int, total: int, text: str = "") -> None:
        """Tell where the work is without stopping: for work that drains after a cancel."""
        if self._reported is not None:
            self._reported(Report(done, total, text))

    def check(self) -> None:
        """Raise `Cancelled` when the work should stop."""
        if self._cancelled.is_set():
            raise Cancelled

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody asked the work to stop."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask the work to stop. Safe from any thread, any number of times."""
        with self._lock:
            first = not self._cancelled.is_set()
            self._cancelled.set()
            listeners = list(self._listeners) if first else []
        for listener in listeners:
            listener()

    def on_cancel(self, listener: Callable[[], None]) -> None:
        """Call `listener` (from the cancelling thread) once the work should stop; at once if it already should."""
        with self._lock:
            late = self._cancelled.is_set()
            if not late:
                self._listeners.append(listener)
        if late:
            listener()

    def wait(self, seconds: float) -> None:
        """Sleep, but wake up and raise `Cancelled` when the work should stop."""
        if self._cancelled.wait(seconds):
            raise Cancelled
