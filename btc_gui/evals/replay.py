"""Recorded behaviour of agents and recorded search results, read from the files of a replay folder.

A miss is an explicit failure with its reason, never an empty result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from btc_gui.domain.trajectory import Ending, SearchResult
from btc_gui.errors import RunError
from btc_gui.evals.search.backend import SearchUnavailableError
from btc_gui.outside_data import json_from

AGENTS_FILE = "agents.jsonl"
SEARCHES_FILE = "searches.jsonl"


class ReplayError(Exception):
    """Ends a sample as failed; the text is the reason, for a person."""


class NotRecordedError(ReplayError):
    """What is asked for was not recorded."""


class RecordedError(ReplayError):
    """The recording itself says that this sample failed."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn of an agent: what it thought, and the queries that it issued at once."""

    reasoning: str
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordedBehaviour:
    """All turns of an agent on one probe, and how it ended: `answer` is empty unless it answered."""

    turns: tuple[RecordedTurn, ...]
    ending: Ending
    reasoning: str = ""
    answer: str = ""
    reason: str = ""


class RecordedAgents:
    """The behaviours of `agents.jsonl`, by model, effort and probe key."""

    def __init__(self, folder: Path) -> None:
        """Read the file. Raises `RunError` naming the line that can't be read."""
        self._behaviours: dict[tuple[str, str, str], RecordedBehaviour] = {}
        for place, row in _rows(folder / AGENTS_FILE):
            try:
                self._behaviours[row["model"], row["effort"], row["probe"]] = _behaviour(row)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise RunError(f"{place} is not a recorded behaviour ({error!r}).") from error

    def configurations(self) -> list[tuple[str, str]]:
        """The (model, effort) pairs that were recorded, in the order of the file."""
        return list(dict.fromkeys((model, effort) for model, effort, _ in self._behaviours))

    def probes(self) -> frozenset[str]:
        """The keys of the probes that anybody was recorded on."""
        return frozenset(probe for _, _, probe in self._behaviours)

    def behaviour(self, model: str, effort: str, probe: str) -> RecordedBehaviour:
        """What `model` did on `probe`. Raises `NotRecordedError`."""
        found = self._behaviours.get((model, effort, probe))
        if found is None:
            raise NotRecordedError(f"no recorded behaviour of {model} at {effort} effort for the probe “{probe}”")
        return found


class RecordedSearches:
    """The results of `searches.jsonl`, by query; upper and lower case and spaces make no difference.

    Of a query that was recorded more than once the first results count: whatever the order and number of the
    samples, and however often a run is resumed, the same query finds the same.
    """

    def __init__(self, folder: Path) -> None:
        """Read the file. Raises `RunError` naming the line that can't be read."""
        self._results: dict[str, tuple[SearchResult, ...]] = {}
        self._failures: dict[str, str] = {}
        for place, row in _rows(folder / SEARCHES_FILE):
            try:
                query = _normal(row["query"])
                if row.get("error"):
                    self._failures.setdefault(query, str(row["error"]))
                else:
                    self._results.setdefault(query, tuple(_result(each) for each in row["results"]))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise RunError(f"{place} is not a recorded search ({error!r}).") from error

    def results(self, query: str) -> tuple[SearchResult, ...]:
        """What was found for `query`, best first; may be empty when that was recorded.

        Raises `NotRecordedError`, and `SearchUnavailableError` when the query was recorded as failed only.
        """
        found = self._results.get(_normal(query))
        if found is not None:
            return found
        if _normal(query) in self._failures:
            raise SearchUnavailableError(self._failures[_normal(query)])
        raise NotRecordedError(f"no recorded search results for “{query}”")


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                place = f"Line {number} of {path.name}"
                try:
                    row = json_from(line, allows_halves=True)
                except ValueError as error:
                    raise RunError(f"{place} is not JSON ({error}).") from error
                if not isinstance(row, dict):
                    raise RunError(f"{place} is not a JSON object.")
                yield place, row
    except FileNotFoundError as error:
        raise RunError(
            f"There is no {path.name} in “{path.parent}”.",
            f"A folder of recordings holds {AGENTS_FILE} and {SEARCHES_FILE}: choose it, or answers and searches that "
            "are not recorded ones.",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(
            f"The recording {path} can't be read: {error}.",
            f"A replay folder holds {AGENTS_FILE} and {SEARCHES_FILE}.",
        ) from error


def _normal(query: str) -> str:
    return " ".join(query.split()).casefold()


def _behaviour(row: dict[str, Any]) -> RecordedBehaviour:
    final = row["final"]
    return RecordedBehaviour(
        turns=tuple(RecordedTurn(turn.get("reasoning", ""), tuple(turn.get("queries", ()))) for turn in row["turns"]),
        ending=Ending(final.get("ending", Ending.ANSWERED)),
        reasoning=final.get("reasoning", ""),
        answer=final.get("answer", ""),
        reason=final.get("reason", ""),
    )


def _result(row: dict[str, Any]) -> SearchResult:
    return SearchResult(
        title=row["title"],
        url=row["url"],
        published=row.get("published") or "",
        excerpts=tuple(row.get("excerpts", ())),
    )
