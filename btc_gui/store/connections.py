"""The connections of an open project: one a thread, each closed when its thread is not in the middle of a statement.

Python's sqlite3 lets one thread close a connection while another is within a statement of it, and the process dies of
that a moment later. So what another thread does is ended or waited for first.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

#: How long closing waits for other threads to leave their statements.
_PATIENCE_SECONDS = 2.0
_LOOK_SECONDS = 0.005
#: A thread that waits for work, as those of a pool do, has nothing on its stack but these.
_WAITING = {"threading", "concurrent.futures.thread"}


class Connections:
    """Keeps the connection of each thread until all are closed."""

    def __init__(self) -> None:
        self.is_closed = False
        self._local = threading.local()
        self._lock = threading.Lock()
        self._all: list[tuple[threading.Thread, sqlite3.Connection]] = []

    def mine(self) -> sqlite3.Connection | None:
        """This thread's connection, if it has one."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        return connection

    def first(self) -> sqlite3.Connection | None:
        """The oldest of all."""
        with self._lock:
            return self._all[0][1] if self._all else None

    def keep(self, connection: sqlite3.Connection) -> bool:
        """Keep it as this thread's; False, and it is closed, when all have been closed meanwhile."""
        with self._lock:
            if not self.is_closed:
                self._all.append((threading.current_thread(), connection))
                self._local.connection = connection
                return True
        connection.close()
        return False

    def let_go(self) -> None:
        """Close this thread's connection: it needs none any more."""
        with self._lock:
            if (mine := self.mine()) is not None:
                self._all = [each for each in self._all if each[1] is not mine]
                del self._local.connection
                mine.close()

    def close(self) -> bool:
        """Close all; False when that was done before.

        Reads of other threads are interrupted, transactions waited for. What is still at work after two seconds keeps
        its connection: nothing can take it away from there.
        """
        with self._lock:
            if self.is_closed:
                return False
            self.is_closed = True
            # From now on a thread finds none, and asks for a new one in vain.
            left, self._all, self._local = self._all, [], threading.local()
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            left = list(_close_idle(left))
            if not left or time.monotonic() > deadline:
                return True
            for _, connection in left:
                if not connection.in_transaction:
                    connection.interrupt()
            time.sleep(_LOOK_SECONDS)


def _close_idle(
    connections: list[tuple[threading.Thread, sqlite3.Connection]],
) -> Iterator[tuple[threading.Thread, sqlite3.Connection]]:
    """Close those that nobody can be using; gives the others."""
    for thread, connection in connections:
        if thread is threading.current_thread() or not _is_at_work(thread):
            with suppress(sqlite3.Error):
                connection.close()
        else:
            yield thread, connection


def _is_at_work(thread: threading.Thread) -> bool:
    # Documented in spite of its name, and the only way to see it.
    frames = sys._current_frames()  # noqa: SLF001
    frame = frames.get(thread.ident or 0) if thread.is_alive() else None
    while frame is not None:
        if frame.f_globals.get("__name__") not in _WAITING:
            return True
        frame = frame.f_back
    return False
