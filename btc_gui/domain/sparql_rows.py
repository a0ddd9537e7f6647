"""Results of the query service: the reply read whole or not at all, and its rows turned into items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.collection_plan import (
    ITEM_DATES,
    ITEM_TEXTS,
    STATEMENT_DATES,
    STATEMENT_TEXTS,
    Binding,
    CollectionPlan,
    QuerySpec,
)
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.item_draft import Draft, StatementDraft
from btc_gui.domain.statements import UNKNOWN_DATE, DateState, Item, Rank, StatedDate, stated_date, statement_key
from btc_gui.outside_data import json_from

_RANKS = {rank.value: rank for rank in Rank}
_TIMEOUT = re.compile(r"TimeoutException|SPARQL-QUERY: queryStr=")


@dataclass(frozen=True, slots=True)
class SparqlResults:
    """The rows of a reply."""

    variables: tuple[str, ...]
    rows: tuple[Binding, ...]


class UnusableReply(ValueError):  # noqa: N818 (an outcome of a request)
    """A reply of which no row may be used. `timed_out` when the service gave up while it was writing.

    `is_cut` when it breaks off, for that or another reason.
    """

    def __init__(self, reason: str, *, timed_out: bool = False, is_cut: bool = False) -> None:
        super().__init__(reason)
        self.timed_out, self.is_cut = timed_out, is_cut or timed_out


def read_results(body: str, variables: Sequence[str] = ()) -> SparqlResults:
    """The rows of a reply. Raises `UnusableReply` for one that breaks off, is no result, or has other variables.

    A query that runs out of time is answered with status 200 and JSON that breaks off in the middle, followed by a
    Java stack trace. What stands before the break is never used.
    """
    try:
        reply: object = json_from(body, is_trusted=True)
    except ValueError:
        if _TIMEOUT.search(body[-20_000:]):
            raise UnusableReply(
                f"the service ran out of time while it was writing (after {len(body):,} characters)",
                timed_out=True,
            ) from None
        is_cut = body.lstrip()[:1] in ("{", "[")
        kind = "is cut short" if is_cut else "is no JSON"
        raise UnusableReply(f"the reply {kind}: “{' '.join(body.split())[:80]}”", is_cut=is_cut) from None
    head = reply.get("head") if isinstance(reply, dict) else None
    results = reply.get("results") if isinstance(reply, dict) else None
    rows = results.get("bindings") if isinstance(results, dict) else None
    names = head.get("vars") if isinstance(head, dict) else None
    if not isinstance(rows, list) or not isinstance(names, list):
        raise UnusableReply("the reply is JSON, but no result of a query")
    if not all(isinstance(name, str) for name in names):
        raise UnusableReply("the reply has columns without a name")
    if variables and set(names) != set(variables):
        missing = ", ".join(sorted(set(variables) ^ set(names)))
        raise UnusableReply(f"the reply is to another query: its columns differ ({missing})")
    if not all(isinstance(row, dict) and all(map(_is_cell, row.values())) for row in rows):
        raise UnusableReply("the reply has rows that are none")
    return SparqlResults(tuple(names), tuple(rows))


def _is_cell(cell: object) -> bool:
    return isinstance(cell, dict) and isinstance(cell.get("value", ""), str)


@dataclass(frozen=True, slots=True)
class Sighting:
    """One row of a slice query: the statement and the item that it is about (empty where it names none)."""

    key: str
    item: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """The items of all rows by id, and the rows that may be events."""

    items: Mapping[str, Item]
    sightings: tuple[Sighting, ...]


def gather(plan: CollectionPlan, rows: Mapping[str, Iterable[Binding]]) -> Gathered:
    """The items and statements of which rows (by query name) tell. Queries that the plan doesn't have are left out."""
    draft = Draft()
    sightings: list[tuple[str, str]] = []
    for spec in plan.all_queries:
        reader = _RowReader(spec, draft)
        for row in rows.get(spec.name, ()):
            seen = reader.take(row)
            if seen is not None:
                sightings.append(seen)
    items = draft.finish()
    now = {former: item.qid for item in items.values() for former in item.former}
    return Gathered(items, tuple(Sighting(key, now.get(item, item)) for key, item in sorted(sightings)))


class _RowReader:
    """Adds to a draft what the rows of one query tell."""

    def __init__(self, spec: QuerySpec, draft: Draft) -> None:
        columns = spec.columns
        self._draft = draft
        self._is_slice = spec.is_slice
        self._item = columns["item"]
        self._statement = columns.get("statement", "")
        self._rank = columns.get("rank", "")
        self._sitelinks = columns.get("sitelinks", "")
        self._merged_into = columns.get("merged_into", "")
        self._value = columns.get("value", "")
        self._value_parent = columns.get("value_parent", "")
        self._item_texts = _columns(columns, ITEM_TEXTS)
        self._statement_texts = _columns(columns, STATEMENT_TEXTS)
        self._item_dates = _columns(columns, ITEM_DATES)
        self._statement_dates = _columns(columns, STATEMENT_DATES)

    def take(self, row: Binding) -> tuple[str, str] | None:
        """Add what a row tells. Gives the statement and item of a row that may be an event."""
        qid = _id(row.get(self._item))
        key = statement_key(_text(row.get(self._statement)))
        if self._is_slice and not key:
            # A row may be useless, but it must not vanish.
            key = f"row {hash_of(row)[:16]}"
        if qid:
            self._take_item(row, qid)
            if key and self._statement:
                self._take_statement(row, self._draft.statement(key, qid))
        return (key, qid) if self._is_slice else None

    def _take_item(self, row: Binding, qid: str) -> None:
        item = self._draft.items[qid]
        for column, _, target in self._item_texts:
            if (cell := row.get(column)) is not None:
                item.texts[target].add(_id(cell) or _text(cell))
        for column, precision, target in self._item_dates:
            if (cell := row.get(column)) is not None:
                item.dates[target].add(_date(cell, row.get(precision)))
        links = _text(row.get(self._sitelinks))
        if (number := _number(links)) is not None:
            item.sitelinks = max(item.sitelinks, number)
        if moved := _id(row.get(self._merged_into)):
            self._draft.moved[qid] = moved

    def _take_statement(self, row: Binding, statement: StatementDraft) -> None:
        for column, _, target in self._statement_texts:
            if (cell := row.get(column)) is not None:
                statement.texts[target].add(_id(cell) or _text(cell))
        for column, precision, target in self._statement_dates:
            if (cell := row.get(column)) is not None:
                statement.dates[target].add(_date(cell, row.get(precision)))
        rank = _text(row.get(self._rank)).rpartition("#")[2].removesuffix("Rank").casefold()
        if rank in _RANKS:
            statement.add_rank(_RANKS[rank])
        if (parent := _id(row.get(self._value_parent))) and (value := _id(row.get(self._value))):
            self._draft.items[value].texts["parents"].add(parent)


def _columns(columns: Mapping[str, str], targets: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """The column of each meaning that a query has, the column of its precision (if any), and where it goes."""
    return [
        (columns[meaning], columns.get(f"{meaning}_precision", ""), target)
        for meaning, target in targets.items()
        if meaning in columns
    ]


def _text(cell: Mapping[str, str] | None) -> str:
    return cell.get("value", "") if cell is not None else ""


def _id(cell: Mapping[str, str] | None) -> str:
    head, mark, tail = _text(cell).partition("://www.wikidata.org/entity/")
    return tail if mark and head in ("http", "https") and tail[:1] == "Q" and tail[1:].isdigit() else ""


def _is_unknown(cell: Mapping[str, str]) -> bool:
    """Unknown values come as a blank node, or as an address that the service makes up for one."""
    return cell.get("type") == "bnode" or "/.well-known/genid/" in cell.get("value", "")


def _date(cell: Mapping[str, str], precision: Mapping[str, str] | None) -> StatedDate:
    if _is_unknown(cell):
        return UNKNOWN_DATE
    if cell.get("type") == "uri":
        return StatedDate(DateState.UNREADABLE, None, _text(cell), f"no date: {_text(cell)[:60]}")
    return stated_date(_text(cell), _number(_text(precision)))


def _number(text: str) -> int | None:
    """A small number as the service writes it; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
