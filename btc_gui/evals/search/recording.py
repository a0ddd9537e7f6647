"""Keeping what a live search gave, in the format of a replay folder, so that the run can be made again offline."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from btc_gui.evals.search.backend import Found, SearchBackend, SearchRefusedError, SearchUnavailableError


class RecordingBackend:
    """Asks another backend and appends everything that it gives to a file: one line a search, whole.

    Lines are appended by one write each, so that several workers may share a file. The same query twice is two
    lines. A search that failed is a line with its `error`.
    """

    def __init__(self, backend: SearchBackend, path: Path) -> None:
        self._backend = backend
        self._path = path

    async def search(self, query: str) -> Found:
        """What the other backend gives. Raises `SearchRefusedError` when it can't be kept."""
        try:
            found = await self._backend.search(query)
        except SearchUnavailableError as error:
            self._append({"query": query, "results": [], "error": str(error)})
            raise
        rows = [
            {"title": each.title, "url": each.url, "published": each.published, "excerpts": list(each.excerpts)}
            for each in found.results
        ]
        self._append({"query": query, "results": rows})
        return found

    def _append(self, row: dict[str, Any]) -> None:
        # ASCII, so that half characters survive too.
        line = (json.dumps(row) + "\n").encode("ascii")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
            try:
                if _is_torn(file):
                    line = b"\n" + line
                if os.write(file, line) != len(line):
                    raise OSError("no space is left")
            finally:
                os.close(file)
        except OSError as error:
            raise SearchRefusedError(
                f"the search results can't be recorded in {self._path}: {error.strerror or error}"
            ) from error


def _is_torn(file: int) -> bool:
    """Whether the last line has no end: its process died, or the disk was full."""
    size = os.lseek(file, 0, os.SEEK_END)
    if size == 0:
        return False
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) != b"\n"
