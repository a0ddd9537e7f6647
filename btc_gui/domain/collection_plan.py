"""How a category is collected, as data: which queries in which order, and which columns mean what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date, timedelta
from enum import StrEnum

from btc_gui.records import dataclass

#: One row of SPARQL results as the service sends it: variable to {"type", "value", …}; unbound ones are missing.
Binding = Mapping[str, Mapping[str, str]]

#: What a column may mean. The first are texts and ids of the item, the next of its statement.
ITEM_TEXTS = {
    "label_en": "label_en",
    "label_mul": "label_mul",
    "title": "title",
    "description": "description",
    "country": "country",
    "alias": "aliases",
    "class": "classes",
    "parent": "parents",
    "jurisdiction": "jurisdictions",
}
STATEMENT_TEXTS = {"value": "value", "term": "terms", "nature": "natures", "circumstance": "natures"}
ITEM_DATES = {"died": "died", "begins": "begins", "finishes": "finishes"}
STATEMENT_DATES = {"date": "dates", "start": "starts", "end": "ends"}
#: All meanings of columns; each date may have its precision in a column of its own.
MEANINGS = frozenset(
    [
        *("item", "statement", "rank", "sitelinks", "merged_into", "value_parent"),
        *ITEM_TEXTS,
        *STATEMENT_TEXTS,
        *(f"{name}{tail}" for name in (*ITEM_DATES, *STATEMENT_DATES) for tail in ("", "_precision")),
    ]
)


class QueryKind(StrEnum):
    """How a query is asked: for stretches of time, or for batches of ids."""

    SLICE = "slice"
    BATCH = "batch"


class DateOfChange(StrEnum):
    """Which date of a statement is the change."""

    VALUE = "value"
    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class QuerySpec:
    """One query of a category.

    A `slice` is asked for each stretch of days; `fallback` is the text to send instead when a stretch of one day
    still takes too long (the same variables, fewer of them bound). A `batch` is asked for `batch_size` ids at a
    time; `ids_from` says where they stand in what came before, as `query.column` (see `ids_for`). `text` has the
    shared prefixes already. `columns` names the column of each meaning (`MEANINGS`).
    """

    name: str
    file: str
    kind: QueryKind
    text: str
    variables: tuple[str, ...]
    batch_size: int = 0
    ids_from: tuple[str, ...] = ()
    fallback: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_slice(self) -> bool:
        """Whether it is asked for stretches of time; its rows are those that may be events."""
        return self.kind is QueryKind.SLICE


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """The queries of a category in the order in which they are asked, and what their statements mean.

    `queries` collect. `verify` are asked about events that are in the project already: with the entities' QIDs as
    ids where `ids_from` is empty, else with what came before. `slice_days` is the length of a stretch to begin with.

    An event is a statement of the property `prop` whose date of `change` lies in the window: its value, its start
    (P580) or its end (P582). With a start, the end is when the change is over; with an end, the start is when the
    term began.
    `names_position`: the statement's value is the position. `values` are the only values that count, if any.
    """

    prop: str
    change: DateOfChange
    queries: tuple[QuerySpec, ...]
    verify: tuple[QuerySpec, ...] = ()
    names_position: bool = False
    values: tuple[str, ...] = ()
    slice_days: int = 1

    @property
    def all_queries(self) -> tuple[QuerySpec, ...]:
        """The queries of collecting and verifying, each once."""
        named = {spec.name: spec for spec in (*self.verify, *self.queries)}
        return tuple(named.values())


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
    """A stretch [from, to) in two, or nothing when it is one day: then the query's `fallback` is asked."""
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
    fallback: bool = False,
) -> str:
    """The text to send: {FROM} and {TO} the stretch [start, end), {VALUES} the ids, {RANGE_HINT} the service's hint.

    `fallback` sends the query's simpler form. Raises ValueError where the query needs what was not given, and for an
    id that is no QID.
    """
    text = spec.fallback if fallback and spec.fallback else spec.text
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
