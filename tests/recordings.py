"""Recordings for scripted agents, as a replay folder holds them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def behaviour(
    probe: str,
    queries: Sequence[Sequence[str]] = (("speakers autumn",),),
    answer: str = "Ask Ada Example.",
    *,
    ending: str = "",
    reason: str = "",
    model: str = "Larkspur-2",
    effort: str = "low",
) -> dict[str, Any]:
    """One agent's behaviour on one probe: a turn for each list of queries, then the answer or the ending."""
    return {
        "model": model,
        "effort": effort,
        "probe": probe,
        "turns": [{"reasoning": f"Thought {number}.", "queries": list(each)} for number, each in enumerate(queries, 1)],
        "final": {"ending": ending, "reason": reason} if ending else {"reasoning": "That will do.", "answer": answer},
        "truth": {"label": "incorrect", "mode": "none"},
    }


def result(title: str = "A festival", published: str = "2026-03-01", *excerpts: str) -> dict[str, Any]:
    """One recorded search result."""
    url = f"https://example.org/{title.casefold().replace(' ', '-')}"
    return {"title": title, "url": url, "published": published, "excerpts": list(excerpts) or ["She spoke in March."]}


def write_recordings(
    folder: Path,
    behaviours: Sequence[Mapping[str, Any]],
    searches: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> Path:
    """Write a replay folder; without `searches`, every query of the behaviours finds one result."""
    folder.mkdir(parents=True, exist_ok=True)
    if searches is None:
        asked = [query for each in behaviours for turn in each["turns"] for query in turn["queries"]]
        searches = {query: [result()] for query in asked}
    rows = [{"query": query, "results": list(results)} for query, results in searches.items()]
    for name, lines in (("agents.jsonl", behaviours), ("searches.jsonl", rows)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def write_no_search(
    folder: Path, answers: Mapping[str, Sequence[str | None]], models: Sequence[str] = ("Larkspur-2",)
) -> Path:
    """Add to a replay folder what these models answer to each probe without search."""
    rows = [{"model": model, "probe": key, "answers": list(each)} for model in models for key, each in answers.items()]
    (folder / "no_search.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder
