"""Looking into files that this process may have open by SQLite, without taking its locks away.

POSIX gives up all locks that a process has on a file as soon as the process closes any descriptor of it
(https://sqlite.org/howtocorrupt.html, 2.2). So what looks into an open file keeps its descriptor until SQLite is done.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_lock = threading.Lock()
_used: Counter[tuple[int, int]] = Counter()
#: The descriptors by which files were looked into while they were in use.
_kept: dict[tuple[int, int], int] = {}


def identity(path: Path) -> tuple[int, int] | None:
    """Which file is at `path` now; None when there is none, or its disk does not answer."""
    return identity_and_size(path)[0]


def identity_and_size(path: Path) -> tuple[tuple[int, int] | None, int]:
    """Which file is at `path` now, and its bytes; None and 0 when there is none, or its disk does not answer."""
    try:
        found = os.stat(path)
    except OSError:
        return None, 0
    return (found.st_dev, found.st_ino), found.st_size


def is_in_use(path: Path) -> bool:
    """Whether this process has the file open by SQLite."""
    return bool(_used[found]) if (found := identity(path)) else False


def use(file: tuple[int, int] | None) -> None:
    """From now on SQLite has the file open."""
    with _lock:
        if file is not None:
            _used[file] += 1


def let_go(file: tuple[int, int] | None) -> None:
    """One that had the file open has closed it."""
    with _lock:
        if file is None:
            return
        _used[file] -= 1
        if not _used[file]:
            del _used[file]
            if file in _kept:
                os.close(_kept.pop(file))


@contextmanager
def in_use(path: Path) -> Iterator[None]:
    """SQLite has the file open within the block."""
    file = identity(path)
    use(file)
    try:
        yield
    finally:
        let_go(file)


def beginning(path: Path, size: int) -> bytes:
    """The first bytes of a file. Raises `OSError`."""
    with _lock:
        file = identity(path)
        opened = _kept.get(file) if file is not None else None
        if opened is None:
            opened = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
            found = os.fstat(opened)
            file = found.st_dev, found.st_ino
        try:
            os.lseek(opened, 0, os.SEEK_SET)
            return os.read(opened, size)
        finally:
            if file is not None and _used[file]:
                _kept[file] = opened
            else:
                os.close(opened)
