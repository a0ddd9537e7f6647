"""A loopback Exa: what its /search says, in its own form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.fakes.http_replies import Prepared


def exa_result(title: str | None = "A festival", published: str | None = "2026-03-01T09:30:00.000Z") -> dict[str, Any]:
    """One result as Exa sends it; fields that Exa leaves out are left out."""
    slug = (title or "untitled").casefold().replace(" ", "-")
    row: dict[str, Any] = {
        "id": f"https://example.org/{slug}",
        "url": f"https://example.org/{slug}",
        "title": title,
        "highlights": ["She spoke in March.", "A second passage."],
    }
    if published is not None:
        row["publishedDate"] = published
    return row


def exa_reply(results: Sequence[dict[str, Any]], cost: float | None = 0.007) -> Prepared:
    """A reply with results."""
    body: dict[str, Any] = {"requestId": "r1", "resolvedSearchType": "neural", "results": list(results)}
    if cost is not None:
        body["costDollars"] = {"total": cost, "search": {"neural": cost}}
    return Prepared(body)


def exa_error(status: int, error: str = "", **headers: str) -> Prepared:
    """A refusal."""
    body = {"requestId": "r1", "error": error, "tag": "TEST"}
    return Prepared(body, status, {name.replace("_", "-"): value for name, value in headers.items()})
