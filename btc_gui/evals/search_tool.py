"""The web_search tool of the shared harness: the model gets text, the transcript keeps the results as data."""

from __future__ import annotations

from typing import Any

from inspect_ai.log import transcript
from inspect_ai.tool import Tool, ToolError, tool

from btc_gui.domain.received import write_results
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.trajectory import SearchResult
from btc_gui.evals.search.backend import SearchBackend, SearchUnavailableError
from btc_gui.evals.search.limits import shown

SEARCH_TOOL = "web_search"
#: Marks the transcript's records that hold results as data.
RESULTS_SOURCE = "btc_gui.web_search"


@tool(name=SEARCH_TOOL, parallel=True)
def web_search(backend: SearchBackend, settings: SearchSettings) -> Tool:
    """The tool over one backend. Its failures end the sample, except for those that the agent may get over."""

    async def execute(query: str) -> str:
        """Search the web. Gives title, URL, publication date where known, and relevant excerpts of each result.

        Args:
            query: What to search for.
        """
        try:
            found = await backend.search(query)
        except SearchUnavailableError as error:
            raise ToolError(str(error)) from error
        seen = shown(found, settings)
        transcript().info(record_of(query, seen.results, seen.dropped, found.cost), source=RESULTS_SOURCE)
        return write_results(seen.results, marks_undated=bool(settings.as_of))

    return execute


def record_of(
    query: str, results: tuple[SearchResult, ...], dropped: int = 0, cost: float | None = None
) -> dict[str, Any]:
    """What the transcript keeps of one search: what the agent got, how many results it did not, the cost in USD."""
    rows = [
        {
            "title": result.title,
            "url": result.url,
            "published": result.published,
            "excerpts": list(result.excerpts),
        }
        for result in results
    ]
    record: dict[str, Any] = {"query": query, "results": rows}
    if dropped:
        record["dropped"] = dropped
    if cost is not None:
        record["cost"] = cost
    return record


def results_of(record: dict[str, Any]) -> tuple[SearchResult, ...]:
    """Read such a record."""
    return tuple(SearchResult(**{**row, "excerpts": tuple(row["excerpts"])}) for row in record["results"])


def call_span(call_id: str) -> str:
    """The span under which a log that we write keeps what a call of the tool returned."""
    return f"{call_id}-span"
