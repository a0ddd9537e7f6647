"""A provider's own search as steps: the queries, pages and citations that it reveals; the rest is marked hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspect_ai.model import ContentText, ContentToolUse, ModelCall

from btc_gui.domain.trajectory import SearchResult, Step, StepKind

SEARCH = "web_search"


def native_steps(part: ContentToolUse) -> list[Step]:
    """A use of a provider's own tool: a search shows its queries, and its pages where they are revealed."""
    arguments = _loads(part.arguments)
    tool, error = part.name or part.tool_type, part.error or ""
    queries = _queries(arguments) if part.tool_type == "web_search" and isinstance(arguments, dict) else []
    if not queries:
        text = _page(arguments) or part.arguments
        return [Step(0, StepKind.TOOL, text, output=part.result, error=error, tool=tool, is_hidden=True)]
    pages = _pages(part.result)
    # Encrypted contents of pages say nothing to anybody else.
    output = "" if pages else part.result
    first = Step(0, StepKind.QUERY, queries[0], pages, output, error, tool, is_hidden=True)
    return [first, *(Step(0, StepKind.QUERY, each, tool=tool, is_hidden=True) for each in queries[1:])]


def citations_of(parts: Sequence[object]) -> tuple[SearchResult, ...]:
    """The pages that a message cites, each once, with the passages that it quotes."""
    found: dict[str, SearchResult] = {}
    for part in parts:
        for citation in (part.citations or []) if isinstance(part, ContentText) else []:
            url = getattr(citation, "url", None)
            if not url:
                continue
            page = found.setdefault(url, SearchResult(citation.title or url, url))
            quote = citation.cited_text
            # A pair of numbers points into the answer, not into the page.
            if isinstance(quote, str) and quote not in page.excerpts:
                found[url] = replace(page, excerpts=(*page.excerpts, quote))
    return tuple(found.values())


def with_revealed(steps: list[Step], call: ModelCall | None) -> list[Step]:
    """The steps of a turn with what only the provider's raw reply tells of its search.

    Where a search was switched on and the reply says nothing of it, one hidden step says so.
    """
    response = call.response if call is not None else None
    if call is None or not isinstance(response, dict) or any(step.kind is StepKind.QUERY for step in steps):
        return steps
    found = list(_revealed(response))
    if not found and response.get("object") == "chat.completion" and _is_switched_on(call.request):
        found = [Step(0, StepKind.TOOL, "", tool=SEARCH, is_hidden=True)]
    if not found:
        return steps
    place = next((n for n, step in enumerate(steps) if step.kind is not StepKind.REASONING), len(steps))
    cited = _annotated(response)
    if cited and steps and steps[-1].kind is StepKind.ANSWER and not steps[-1].results:
        steps = [*steps[:-1], replace(steps[-1], results=cited)]
    return [*steps[:place], *found, *steps[place:]]


def searched_tokens(call: ModelCall | None) -> int:
    """The tokens of results that Gemini's search gave the model: billed, but not in the engine's count."""
    response = _dict(call.response) if call is not None else {}
    found = _dict(response.get("usageMetadata")).get("toolUsePromptTokenCount")
    return found if isinstance(found, int) else 0


def _revealed(response: Mapping[str, Any]) -> Iterator[Step]:
    for candidate in _list(response.get("candidates")):
        grounding = _dict(_dict(candidate).get("groundingMetadata"))
        for query in _list(grounding.get("webSearchQueries")):
            yield Step(0, StepKind.QUERY, str(query), tool=SEARCH, is_hidden=True)
    pages = _results(_list(_dict(response.get("search_info")).get("search_results")))
    pages += _results(_list(response.get("web_search")))
    if pages or _annotated(response):
        # The pages are told, the queries are not: there was one at least.
        yield Step(0, StepKind.QUERY, "", pages, tool=SEARCH, is_hidden=True)


def _annotated(response: Mapping[str, Any]) -> tuple[SearchResult, ...]:
    """Citations as chat completions carry them: flat, or within `url_citation`."""
    rows = []
    for choice in _list(response.get("choices")):
        for each in _list(_dict(_dict(choice).get("message")).get("annotations")):
            row = _dict(each)
            rows.append(row.get("url_citation") or row)
    return _results(rows)


def _results(rows: Sequence[object]) -> tuple[SearchResult, ...]:
    found = []
    for each in rows:
        row = _dict(each)
        url = str(row.get("url") or row.get("link") or "")
        if url:
            passage = str(row.get("content") or row.get("summary") or "")
            published = str(row.get("publish_date") or row.get("publish_time") or "")
            found.append(SearchResult(str(row.get("title") or url), url, published, (passage,) if passage else ()))
    return tuple(found)


def _is_switched_on(request: Mapping[str, Any]) -> bool:
    body = {**request, **_dict(request.get("extra_body"))}
    tools = [_dict(tool).get("type") for tool in _list(body.get("tools"))]
    return bool(body.get("enable_search")) or SEARCH in tools


def _queries(arguments: Mapping[str, Any]) -> list[str]:
    several = [str(each) for each in _list(arguments.get("queries")) if each]
    one = arguments.get("query")
    return several or ([one] if isinstance(one, str) and one else [])


def _page(arguments: object) -> str:
    """The address of a page that was opened; a search within it is told as the engine has it."""
    row = _dict(arguments)
    return str(row["url"]) if set(row) <= {"type", "url"} and row.get("url") else ""


def _pages(text: str) -> tuple[SearchResult, ...]:
    return tuple(
        SearchResult(str(row.get("title") or row["url"]), str(row["url"]), str(row.get("page_age") or ""))
        for row in _list(_loads(text))
        if isinstance(row, dict) and row.get("url")
    )


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _loads(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
