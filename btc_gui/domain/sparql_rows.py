"""Results of the query service: the reply read whole or not at all, and its rows turned into items."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.collection_plan import Binding, CollectionPlan, QuerySpec
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.item_draft import Draft, StatementDraft
from btc_gui.domain.statements import UNKNOWN_DATE, DateState, Item, Rank, StatedDate, stated_date, statement_key

_QID = re.compile(r"^https?://www\.wikidata\.org/entity/(Q[1-9]\d*)$", re.IGNORECASE)
_RANKS = {rank.value: rank for rank in Rank}
_TIMEOUT = re.compile(r"TimeoutException|SPARQL-QUERY: queryStr=")

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


@dataclass(frozen=True, slots=True)
class SparqlResults:
    """The rows of a reply."""

    variables: tuple[str, ...]
    rows: tuple[Binding, ...]


class UnusableReply(ValueError):  # noqa: N818 (an outcome of a request)
    """A reply of which no row may be used. `timed_out` when the service gave up while it was writing."""

    def __init__(self, reason: str, *, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.timed_out = timed_out


def read_results(body: str, variables: Sequence[str] = ()) -> SparqlResults:
    """The rows of a reply. Raises `UnusableReply` for one that breaks off, is no result, or has other variables.

    A query that runs out of time is answered with status 200 and JSON that breaks off in the middle, followed by a
    Java stack trace. What stands before the break is never used.
    """
    try:
        reply: object = json.loads(body)
    except ValueError:
        if _TIMEOUT.search(body[-20_000:]):
            raise UnusableReply(
                f"the service ran out of time while it was writing (after {len(body):,} characters)",
                timed_out=True,
            ) from None
        kind = "is cut short" if body.lstrip()[:1] in ("{", "[") else "is no JSON"
        raise UnusableReply(f"the reply {kind}: “{' '.join(body.split())[:80]}”") from None
    head = reply.get("head") if isinstance(reply, dict) else None
    results = reply.get("results") if isinstance(reply, dict) else None
    rows = results.get("bindings") if isinstance(results, dict) else None
    names = head.get("vars") if isinstance(head, dict) else None
    if not isinstance(rows, list) or not isinstance(names, list):
        raise UnusableReply("the reply is JSON, but no result of a query")
    if variables and set(names) != set(variables):
        missing = ", ".join(sorted(set(variables) ^ set(names)))
        raise UnusableReply(f"the reply is to another query: its columns differ ({missing})")
    if not all(isinstance(row, dict) and all(isinstance(cell, dict) for cell in row.values()) for row in rows):
        raise UnusableReply("the reply has rows that are none")
    return SparqlResults(tuple(names), tuple(rows))


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
        for row in rows.get(spec.name, ()):
            seen = _take(draft, spec, row)
            if seen is not None and spec.is_slice:
                sightings.append(seen)
    items = draft.finish()
    now = {former: item.qid for item in items.values() for former in item.former}
    return Gathered(items, tuple(Sighting(key, now.get(item, item)) for key, item in sorted(sightings)))


def _take(draft: Draft, spec: QuerySpec, row: Binding) -> tuple[str, str] | None:
    """Add what a row tells. Gives the statement and item that it is about; a row about no item tells nothing."""
    columns = spec.columns
    qid = _id(row.get(columns["item"]))
    key = statement_key(_text(row.get(columns["statement"]))) if "statement" in columns else ""
    if spec.is_slice and not key:
        # A row may be useless, but it must not vanish.
        key = f"row {hash_of(row)[:16]}"
    if not qid:
        return (key, "") if spec.is_slice else None
    item = draft.items[qid]
    statement = draft.statement(key, qid) if key else None
    for meaning, column in columns.items():
        cell = row.get(column)
        if cell is None:
            continue
        if meaning in ITEM_TEXTS:
            item.texts[ITEM_TEXTS[meaning]].add(_id(cell) or _text(cell))
        elif meaning in ITEM_DATES:
            item.dates[meaning].add(_date(cell, row.get(columns.get(f"{meaning}_precision", ""))))
        elif meaning == "sitelinks":
            item.sitelinks = max(item.sitelinks, int(_text(cell)) if _text(cell).isdigit() else 0)
        elif meaning == "merged_into":
            draft.moved[qid] = _id(cell) or qid
        elif statement is not None:
            _take_statement(statement, meaning, cell, row, columns)
    if "value_parent" in columns and (value := _id(row.get(columns["value"]))):
        draft.items[value].texts["parents"].update(filter(None, [_id(row.get(columns["value_parent"]))]))
    return key, qid


def _take_statement(
    statement: StatementDraft, meaning: str, cell: Mapping[str, str], row: Binding, columns: Mapping[str, str]
) -> None:
    if meaning in STATEMENT_TEXTS:
        statement.texts[STATEMENT_TEXTS[meaning]].add(_id(cell) or _text(cell))
    elif meaning in STATEMENT_DATES:
        precision = row.get(columns.get(f"{meaning}_precision", ""))
        statement.dates[STATEMENT_DATES[meaning]].add(_date(cell, precision))
    elif meaning == "rank":
        name = _text(cell).rpartition("#")[2].removesuffix("Rank").casefold()
        if name in _RANKS:
            statement.add_rank(_RANKS[name])


def _text(cell: Mapping[str, str] | None) -> str:
    return cell.get("value", "") if cell is not None else ""


def _id(cell: Mapping[str, str] | None) -> str:
    match = _QID.match(_text(cell))
    return match.group(1).upper() if match else ""


def _is_unknown(cell: Mapping[str, str]) -> bool:
    """Unknown values come as a blank node, or as an address that the service makes up for one."""
    return cell.get("type") == "bnode" or "/.well-known/genid/" in cell.get("value", "")


def _date(cell: Mapping[str, str], precision: Mapping[str, str] | None) -> StatedDate:
    if _is_unknown(cell):
        return UNKNOWN_DATE
    if cell.get("type") == "uri":
        return StatedDate(DateState.UNREADABLE, None, _text(cell), f"no date: {_text(cell)[:60]}")
    digits = _text(precision)
    return stated_date(_text(cell), int(digits) if digits.isdigit() else None)
