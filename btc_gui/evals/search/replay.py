"""Recorded results as a backend."""

from __future__ import annotations

from pathlib import Path

from btc_gui.evals.replay import RecordedSearches
from btc_gui.evals.search.backend import Found


class ReplayBackend:
    """Recorded results. A query that was not recorded ends the sample, with that as the reason."""

    def __init__(self, folder: Path) -> None:
        self._recorded = RecordedSearches(folder)

    async def search(self, query: str) -> Found:
        """The recorded results. Raises `NotRecordedError`, and `SearchUnavailableError` where that was recorded."""
        return Found(self._recorded.results(query))
