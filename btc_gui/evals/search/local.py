"""Search in a folder of documents, without a network."""

from __future__ import annotations

import asyncio
from pathlib import Path

from btc_gui.domain.search_settings import SearchSettings
from btc_gui.evals.search.backend import Found
from btc_gui.store.local_documents import DocumentIndex

#: How many results are found when the settings have no limit.
_WITHOUT_LIMIT = 50
#: How many times more are looked at with an as-of, as many of the best may be from after it.
_DEPTH_FOR_AS_OF = 10


def wanted_of(settings: SearchSettings) -> int:
    """How many results to look up, so that enough are left after the as-of."""
    wanted = settings.results or _WITHOUT_LIMIT
    return wanted * _DEPTH_FOR_AS_OF if settings.as_of else wanted


class LocalBackend:
    """Searches the index of a folder. Raises `ProjectError` when it can't be read."""

    def __init__(self, settings: SearchSettings, index: Path) -> None:
        self._wanted = wanted_of(settings)
        self._index = DocumentIndex(index)

    async def search(self, query: str) -> Found:
        """The best documents, which cost nothing."""
        return Found(await asyncio.to_thread(self._index.search, query, self._wanted))
