"""The web_search tool of the shared harness: the model gets text, the transcript keeps the results as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from inspect_ai.log import transcript
from inspect_ai.tool import Tool, tool

from btc_gui.domain.trajectory import SearchResult
from btc_gui.evals.replay import RecordedSearches

SEARCH_TOOL = "web_search"
#: Marks the transcript's records that hold results as data.
RESULTS_SOURCE = "btc_gui.web_search"


class SearchBackend(Protocol):
    """What stands behind the tool."""

    async def search(self, query: str) -> tuple[SearchResult, ...]:
        """The results for `query`, best first. An exception ends the sample as failed."""
        ...


class ReplayBackend:
    """Recorded results. A query that was not recorded ends the sample, with that as the reason."""

    def __init__(self, folder: Path) -> None:
        self._recorded = RecordedSearches(folder)

    async def search(self, query: str) -> tuple[SearchResult, ...]:
        """The recorded results. Raises `NotRecordedError`."""
        return self._recorded.results(query)


@tool(name=SEARCH_TOOL, parallel=True)
def web_search(backend: SearchBackend) -> Tool:
    """The tool over one backend."""

    async def execute(query: str) -> str:
        """Search the web. Gives title, URL, publication date where known, and relevant excerpts of each result.

        Args:
            query: What to search for.
        """
        results = await backend.search(query)
        transcript().info(record_of(query, results), source=RESULTS_SOURCE)
        return text_of(results)

    return execute


def record_of(query: str, results: tuple[SearchResult, ...]) -> dict[str, Any]:
    """What the transcript keeps of one search."""
    rows = [
        {
            "title": result.title,
            "url": result.url,
            "published": result.published,
            "excerpts": list(result.excerpts),
        }
        for result in results
    ]
    return {"query": query, "results": rows}


def results_of(record: dict[str, Any]) -> tuple[SearchResult, ...]:
    """Read such a record."""
    return tuple(SearchResult(**{**row, "excerpts": tuple(row["excerpts"])}) for row in record["results"])


def text_of(results: tuple[SearchResult, ...]) -> str:
    """The results as the model reads them."""
    if not results:
        return "No results."
    return "\n\n".join(_paragraph(number, result) for number, result in enumerate(results, 1))


def _paragraph(number: int, result: SearchResult) -> str:
    lines = [f"[{number}] {result.title}", f"URL: {result.url}"]
    if result.published:
        lines.append(f"Published: {result.published}")
    lines += result.excerpts
    return "\n".join(lines)
