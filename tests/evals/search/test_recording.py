"""Live searches are kept in a file from which the run can be made again."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from btc_gui.domain.trajectory import SearchResult
from btc_gui.errors import RunError
from btc_gui.evals.replay import NotRecordedError
from btc_gui.evals.search.backend import Found, SearchRefusedError, SearchUnavailableError
from btc_gui.evals.search.recording import RecordingBackend
from btc_gui.evals.search.replay import ReplayBackend


class _Live:
    """A search that finds something else each time, and nothing for “down”."""

    def __init__(self) -> None:
        self.asked = 0

    async def search(self, query: str) -> Found:
        self.asked += 1
        if query == "down":
            raise SearchUnavailableError("The search failed: Exa is busy (429).")
        return Found(_found(self.asked), 0.005)


def _found(number: int) -> tuple[SearchResult, ...]:
    return (SearchResult(f"Result {number} – 東京 \udce9", "https://example.org", "2026-05", ("line 1\nline 2", "…")),)


def _record(path: Path, *queries: str) -> None:
    async def search() -> None:
        backend = RecordingBackend(_Live(), path)
        for query in queries:
            try:
                await backend.search(query)
            except SearchUnavailableError:
                assert query == "down"

    asyncio.run(search())


def _replay(folder: Path, query: str) -> Found:
    return asyncio.run(ReplayBackend(folder).search(query))


def test_what_was_recorded_is_replayed_without_a_cost(tmp_path: Path) -> None:
    path = tmp_path / "run" / "searches.jsonl"
    _record(path, "Who is  Mayor?", "and now")
    _record(path, "once more")
    assert _replay(path.parent, "who is mayor?") == Found(_found(1))
    assert _replay(path.parent, "and now") == Found(_found(2))
    assert _replay(path.parent, "once more") == Found(_found(1))
    with pytest.raises(NotRecordedError, match="no recorded search results for “who else”"):
        _replay(path.parent, "who else")


def test_the_same_query_again_is_kept_and_the_first_results_are_replayed(tmp_path: Path) -> None:
    path = tmp_path / "searches.jsonl"
    _record(path, "who", "who", "WHO")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["results"][0]["title"][:8] for row in rows] == ["Result 1", "Result 2", "Result 3"]
    assert [_replay(tmp_path, "who") for _ in range(2)] == [Found(_found(1))] * 2


def test_a_search_that_failed_fails_again_unless_it_also_succeeded(tmp_path: Path) -> None:
    path = tmp_path / "searches.jsonl"
    _record(path, "down")
    with pytest.raises(SearchUnavailableError, match=r"Exa is busy \(429\)"):
        _replay(tmp_path, "down")
    with path.open("a") as file:
        file.write('{"query": "down", "results": []}\n')
    assert _replay(tmp_path, "down") == Found(())


def test_a_torn_line_harms_no_other_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "searches.jsonl"
    path.write_text('{"query": "cut off by')
    _record(path, "who")
    with pytest.raises(RunError, match=r"Line 1 of searches\.jsonl is not JSON"):
        ReplayBackend(tmp_path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    assert _replay(tmp_path, "who") == Found(_found(1))


def test_many_writers_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "searches.jsonl"

    async def search() -> None:
        live = _Live()
        backends = [RecordingBackend(live, path) for _ in range(8)]
        await asyncio.gather(*(each.search(f"query {n}") for n in range(25) for each in backends))

    asyncio.run(search())
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(row["query"] for row in rows) == sorted(f"query {n}" for n in range(25) for _ in range(8))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    (tmp_path / "searches.jsonl").symlink_to("/dev/full")
    with pytest.raises(SearchRefusedError, match=r"the search results can't be recorded in .*: No space left"):
        _record(tmp_path / "searches.jsonl", "who")
