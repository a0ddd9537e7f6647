"""How a category is collected, as data: which queries in which order, and which columns mean what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

#: One row of SPARQL results as the service sends it: variable to {"type", "value", …}; unbound ones are missing.
Binding = Mapping[str, Mapping[str, str]]


class QueryKind(StrEnum):
    """How a query is asked: for stretches of time, or for batches of ids."""

    SLICE = "slice"
    BATCH = "batch"


@dataclass(frozen=True, slots=True)
class QuerySpec:
    """One query of a category.

    A `slice` is asked for each stretch of days; `fallback` is the name of the query to ask instead when a stretch
    of one day still takes too long. A `batch` is asked for `batch_size` ids at a time; `ids_from` says where they
    stand in what came before, as `query.column` (see `ids_for`). `text` has the shared prefixes already.
    """

    name: str
    file: str
    kind: QueryKind
    text: str
    variables: tuple[str, ...]
    batch_size: int = 0
    ids_from: tuple[str, ...] = ()
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """The queries of a category in the order in which they are asked.

    `queries` collect; `verify` are those of them (and others) that are asked again about events already in the
    project, with the entities' QIDs as ids. `slice_days` is the length of a stretch to begin with.
    """

    queries: tuple[QuerySpec, ...]
    verify: tuple[QuerySpec, ...] = ()
    slice_days: int = 1


def slices(start: date, end: date, days: int = 1) -> list[tuple[date, date]]:
    """The stretches [from, to) that cover `start` to `end`, both days included."""
    found, first = [], start
    after = end + timedelta(days=1)
    while first < after:
        last = min(first + timedelta(days=days), after)
        found.append((first, last))
        first = last
    return found


def halves(start: date, end: date) -> list[tuple[date, date]]:
    """A stretch [from, to) in two, or nothing when it is one day: then its `fallback` is asked."""
    days = (end - start).days
    if days < 2:
        return []
    middle = start + timedelta(days=days // 2)
    return [(start, middle), (middle, end)]


def ids_for(spec: QuerySpec, rows: Mapping[str, Sequence[Binding]]) -> list[str]:
    """The QIDs that a batch query is asked for, each once and in a fixed order, from the rows by query name."""
    found: set[str] = set()
    for place in spec.ids_from:
        query, _, column = place.partition(".")
        for row in rows.get(query, ()):
            text = row.get(column, {}).get("value", "")
            tail = text.rpartition("/")[2]
            if tail[:1] == "Q" and tail[1:].isdigit():
                found.add(tail)
    return sorted(found, key=lambda qid: int(qid[1:]))


def fill_query(
    spec: QuerySpec,
    *,
    start: date | None = None,
    end: date | None = None,
    ids: Sequence[str] = (),
    range_hint: str = "",
) -> str:
    """The text to send: {FROM} and {TO} the stretch [start, end), {VALUES} the ids, {RANGE_HINT} the service's hint.

    Raises ValueError where the query needs what was not given, and for an id that is no QID.
    """
    text = spec.text
    if spec.kind is QueryKind.SLICE:
        if start is None or end is None or start >= end:
            raise ValueError(f"the query {spec.name} needs a stretch of days")
        text = text.replace("{FROM}", start.isoformat()).replace("{TO}", end.isoformat())
    elif not ids:
        raise ValueError(f"the query {spec.name} needs ids")
    for qid in ids:
        if qid[:1] != "Q" or not qid[1:].isdigit():
            raise ValueError(f"“{qid[:40]}” is not an id of Wikidata")
    return text.replace("{VALUES}", " ".join(f"wd:{qid}" for qid in ids)).replace("{RANGE_HINT}", range_hint)
