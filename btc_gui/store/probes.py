"""Probes in numbered revisions."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventId
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ProbeRevision, ProbeText, ReviewStatus, RevisionId
from btc_gui.errors import ProjectError
from btc_gui.records import dataclass
from btc_gui.store import probe_text
from btc_gui.store.database import Database
from btc_gui.store.events import events_named
from btc_gui.store.kept import Kept
from btc_gui.store.lint import lint_condition
from btc_gui.store.lint_check import relint
from btc_gui.store.query import CHUNK, LOADED, Where, columns, order_by, placeholders
from btc_gui.store.retention import RetentionStore

_COLUMNS = {
    "entity": "event.entity COLLATE NOCASE",
    "category": "event.category",
    "date": "event.date",
    "kind": "probe.kind",
    "ordinal": "probe.ordinal",
    "text": "probe_revision.text COLLATE NOCASE",
    "status": "probe.status",
    "added": "probe.added_at",
    "event": "event.date, event.id, probe.kind DESC, probe.ordinal",
}
# What is ordered by the probe alone, without its event.
_OF_PROBE = ("kind", "ordinal", "text", "status", "added")
# All probes in each order, which takes longer than finding those of a query. Where they stand moves with each decision:
# that order is not kept; which wording of each is the current one may move with them, too.
_STATE = (
    "SELECT (SELECT count(*) FROM probe), (SELECT max(id) FROM probe), (SELECT max(id) FROM event_revision), "
    "(SELECT group_concat(id) FROM load WHERE completed_at IS NULL)"
)
_ORDERS: dict[str, Kept[array[int]]] = dict.fromkeys(set(_COLUMNS) - {"status", "text"}, Kept(_STATE))
_ORDERS["text"] = Kept(f"{_STATE}, (SELECT max(id) FROM decision), (SELECT sum(revision_id) FROM probe)")
_STALE = "(probe.status = 'accepted' AND probe.decided_facts_hash <> event_revision.facts_hash)"
_FROM = """
    FROM probe
    JOIN probe_revision ON probe_revision.id = probe.revision_id
    JOIN event ON event.id = probe.event_id
    JOIN event_revision ON event_revision.id = event.revision_id
"""


@dataclass(frozen=True, slots=True)
class ProbeQuery:
    """Which probes, in which order. `order` is one of the table's columns, or `event`: by event, then ordinal.

    `contains` is found in the wording, its requester, situation and consequence, and in the entity's name, whatever
    the case, accents and white space. `retained_by` names models that must all retain the probe; `assigned_to` a
    curator who is to review it.
    """

    categories: tuple[str, ...] = ()
    kinds: tuple[ProbeKind, ...] = ()
    statuses: tuple[ReviewStatus, ...] = ()
    event_ids: tuple[EventId, ...] = ()
    contains: str = ""
    only_flagged: bool = False
    only_stale: bool = False
    only_disputed: bool = False
    retained_by: tuple[str, ...] = ()
    lint: tuple[str, ...] = ()
    assigned_to: str = ""
    order: str = "event"
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where the review of one probe stands: what a queue needs to know of it."""

    status: ReviewStatus
    is_flagged: bool
    is_stale: bool
    is_disputed: bool


@dataclass(frozen=True, slots=True)
class NewProbe:
    """A probe to be added. `key` is unique in the project."""

    key: str
    event_id: EventId
    kind: ProbeKind
    ordinal: int
    content: ProbeText
    facts_hash: str
    origin: str
    author: str


_STATUSES = tuple(ReviewStatus)
_NUMBERS = " ".join(f"WHEN '{status}' THEN {8 * number}" for number, status in enumerate(_STATUSES))
# A place as one number: strings, and rows of five, take longer to hand over than to find.
_PLACE_CODE = f"CASE probe.status {_NUMBERS} END + probe.flagged + 2 * {_STALE} + 4 * probe.disputed"


def _place(code: int) -> Place:
    return Place(_STATUSES[code // 8], bool(code & 1), bool(code & 2), bool(code & 4))


class ProbeStore:
    """The probes of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def ids(self, query: ProbeQuery = ProbeQuery()) -> list[ProbeId]:
        """The ids of the probes of `query`, in its order."""
        if query.event_ids or query.order not in _ORDERS:
            return self._retained(self._read_ids(query), query)
        everything = ProbeQuery(order=query.order)
        kept = _ORDERS[query.order]
        known = kept.get(self._database, lambda: array("q", self._read_ids(everything)), query.order)
        found = cast(list[ProbeId], known.tolist())
        if replace(query, descending=False) != everything:
            matching = set(self._retained(self._read_ids(replace(query, order="")), query))
            found = [probe_id for probe_id in found if probe_id in matching]
        return found[::-1] if query.descending else found

    def _read_ids(self, query: ProbeQuery) -> list[ProbeId]:
        """The ids of a query, but for `retained_by`; in no order where it names none."""
        joins, where = self._conditions(query)
        order = order_by(_COLUMNS, query.order, query.descending, "probe.id") if query.order else ""
        sql = f"SELECT probe.id AS id FROM probe {joins} {where.sql} {order}"
        return columns(self._database.read(), sql, where.values, "id")[0]

    def _retained(self, ids: list[ProbeId], query: ProbeQuery) -> list[ProbeId]:
        """Those of these probes that the query's models retain."""
        if not query.retained_by:
            return ids
        retained = RetentionStore(self._database).retained_ids(query.retained_by)
        return [probe_id for probe_id in ids if probe_id in retained]

    def places(self) -> dict[ProbeId, Place]:
        """Where the review of each probe stands, in the order of events."""
        joins, where = self._conditions(ProbeQuery(order=""), needs_facts=True)
        sql = f"SELECT probe.id AS id, {_PLACE_CODE} AS code FROM probe {joins} {where.sql}"
        # Few combinations, many probes: each is told, and made, as one.
        codes = dict(zip(*columns(self._database.read(), sql, where.values, "id", "code"), strict=True))
        made = {code: _place(code) for code in set(codes.values())}
        return {probe_id: made[codes[probe_id]] for probe_id in self.ids() if probe_id in codes}

    def _conditions(self, query: ProbeQuery, *, needs_facts: bool = False) -> tuple[str, Where]:
        """The joins and conditions of a query, all but `retained_by`."""
        where = Where()
        where.add(LOADED.format(table="probe"))
        if query.categories:
            of_category = f"SELECT id FROM event WHERE category IN ({placeholders(query.categories)})"
            where.add(f"probe.event_id IN ({of_category})", *query.categories)
        where.add_in("probe.kind", query.kinds)
        where.add_in("probe.status", query.statuses)
        where.add_in("probe.event_id", query.event_ids)
        if query.contains:
            condition, values = probe_text.revisions_containing(query.contains)
            where.add(
                f"({condition} OR probe.event_id IN (SELECT value FROM json_each(?)))",
                *values,
                events_named(self._database, query.contains),
            )
        if query.only_flagged:
            where.add("probe.flagged = 1")
        if query.lint:
            condition, bound = lint_condition(query.lint)
            where.add(condition, *bound)
        if query.only_stale:
            where.add(_STALE)
        if query.only_disputed:
            where.add("probe.disputed = 1")
        if query.assigned_to:
            where.add("probe.id IN (SELECT probe_id FROM review_assignment WHERE reviewer = ?)", query.assigned_to)
        # Only the tables that are asked about: a list of all probes would read every wording otherwise.
        joins, needs_facts = "", needs_facts or query.only_stale
        if needs_facts or (query.order and query.order not in _OF_PROBE):
            joins = "JOIN event ON event.id = probe.event_id"
        if query.order == "text":
            joins += " JOIN probe_revision ON probe_revision.id = probe.revision_id"
        if needs_facts:
            joins += " JOIN event_revision ON event_revision.id = event.revision_id"
        return joins, where

    def statuses(self, query: ProbeQuery = ProbeQuery()) -> dict[ProbeId, ReviewStatus]:
        """Where every probe of some categories and kinds stands (the query's other conditions don't count)."""
        where = Where()
        where.add(LOADED.format(table="probe"))
        where.add_in("event.category", query.categories)
        where.add_in("probe.kind", query.kinds)
        join = "JOIN event ON event.id = probe.event_id" if query.categories else ""
        rows = self._database.read().execute(
            f"SELECT probe.id, probe.status FROM probe {join} {where.sql}", where.values
        )
        words = {status.value: status for status in ReviewStatus}
        return {ProbeId(row[0]): words[row[1]] for row in rows}

    def fetch(self, ids: Sequence[ProbeId]) -> dict[ProbeId, Probe]:
        """The probes of `ids` with their current wording, by id (unknown ids left out)."""
        found: dict[ProbeId, Probe] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"""
                SELECT probe.*, probe_revision.number, probe_revision.text, probe_revision.requester,
                       probe_revision.situation, probe_revision.consequence, probe_revision.origin,
                       probe_revision.facts_hash AS revision_facts_hash, {_STALE} AS stale,
                       event_revision.facts_hash AS event_facts_hash
                {_FROM} WHERE probe.id IN ({placeholders(part)})
                """,
                part,
            )
            for row in rows:
                probe_id = ProbeId(row["id"])
                found[probe_id] = Probe(
                    id=probe_id,
                    key=row["key"],
                    event_id=EventId(row["event_id"]),
                    kind=ProbeKind(row["kind"]),
                    ordinal=row["ordinal"],
                    revision_id=RevisionId(row["revision_id"]),
                    revision=row["number"],
                    content=ProbeText(row["text"], row["requester"], row["situation"], row["consequence"]),
                    facts_hash=row["revision_facts_hash"],
                    origin=row["origin"],
                    status=ReviewStatus(row["status"]),
                    is_flagged=bool(row["flagged"]),
                    is_stale=bool(row["stale"]),
                    is_disputed=bool(row["disputed"]),
                    added_at=row["added_at"],
                    event_facts_hash=row["event_facts_hash"],
                )
        return found

    def get(self, probe_id: ProbeId) -> Probe:
        """One probe. Raises `ProjectError` when there is none of that id."""
        probe = self.fetch([probe_id]).get(probe_id)
        if probe is None:
            raise ProjectError(f"There is no probe {probe_id} in this project.")
        return probe

    def siblings(self, event_id: EventId) -> list[Probe]:
        """All probes of an event, the indirect ones first, in their order."""
        ids = self.ids(ProbeQuery(event_ids=(event_id,), order="event"))
        found = self.fetch(ids)
        return [found[i] for i in ids]

    def revisions(self, probe_id: ProbeId) -> list[ProbeRevision]:
        """All wordings of a probe, the first one first."""
        rows = self._database.read().execute(
            "SELECT * FROM probe_revision WHERE probe_id = ? ORDER BY number", (probe_id,)
        )
        return [
            ProbeRevision(
                id=RevisionId(row["id"]),
                probe_id=probe_id,
                number=row["number"],
                content=ProbeText(row["text"], row["requester"], row["situation"], row["consequence"]),
                facts_hash=row["facts_hash"],
                origin=row["origin"],
                author=row["author"],
                at=row["at"],
            )
            for row in rows
        ]

    def names(self) -> dict[ProbeId, tuple[str, EventId]]:
        """The key and the event of every probe."""
        read = self._database.read().cursor()
        read.row_factory = None
        rows = read.execute("SELECT id, key, event_id FROM probe")
        return {probe_id: (key, event_id) for probe_id, key, event_id in rows}

    def current_revisions(self, ids: Sequence[ProbeId]) -> dict[ProbeId, RevisionId]:
        """The current wording of each of these probes, by id."""
        found: dict[ProbeId, RevisionId] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"SELECT id, revision_id FROM probe WHERE id IN ({placeholders(part)})", part
            )
            found.update((ProbeId(row[0]), RevisionId(row[1])) for row in rows)
        return found

    def keys(self) -> dict[str, tuple[ProbeId, str]]:
        """For every probe key of a complete load: its id and the text hash of its first wording."""
        rows = self._database.read().execute(
            "SELECT probe.key, probe.id, probe_revision.text_hash FROM probe "
            "JOIN probe_revision ON probe_revision.probe_id = probe.id AND probe_revision.number = 1 "
            f"WHERE {LOADED.format(table='probe')}"
        )
        return {row["key"]: (ProbeId(row["id"]), row["text_hash"]) for row in rows}

    def wordings(self) -> list[tuple[str, EventId, ProbeKind, str]]:
        """Every wording of every probe that counts: key, event, kind, text hash."""
        rows = self._database.read().execute(
            "SELECT probe.key, probe.event_id, probe.kind, probe_revision.text_hash FROM probe "
            "JOIN probe_revision ON probe_revision.probe_id = probe.id "
            f"WHERE {LOADED.format(table='probe')} ORDER BY probe.id, probe_revision.number"
        )
        return [(row["key"], EventId(row["event_id"]), ProbeKind(row["kind"]), row["text_hash"]) for row in rows]

    def last_ordinals(self) -> dict[tuple[EventId, ProbeKind], int]:
        """The highest ordinal of each event and kind."""
        rows = self._database.read().execute(
            "SELECT event_id, kind, max(ordinal) AS n FROM probe GROUP BY event_id, kind"
        )
        return {(EventId(row["event_id"]), ProbeKind(row["kind"])): row["n"] for row in rows}

    def count_by_status(self, kind: ProbeKind | None = None) -> dict[ReviewStatus, int]:
        """How many probes stand where in review."""
        where = Where()
        where.add(LOADED.format(table="probe"))
        if kind is not None:
            where.add("kind = ?", kind)
        rows = self._database.read().execute(
            f"SELECT status, count(*) AS n FROM probe {where.sql} GROUP BY status", where.values
        )
        return {ReviewStatus(row["status"]): row["n"] for row in rows}

    def count_by_event(self, ids: Sequence[ProbeId]) -> dict[str, dict[EventId, int]]:
        """How many of these probes each event has, by category."""
        found: dict[str, dict[EventId, int]] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT event.category, event.id, count(*) AS n FROM probe JOIN event ON event.id = probe.event_id "
                f"WHERE probe.id IN ({placeholders(part)}) GROUP BY event.id",
                part,
            )
            for row in rows:
                by_event = found.setdefault(row["category"], {})
                by_event[EventId(row["id"])] = by_event.get(EventId(row["id"]), 0) + row["n"]
        return found

    def next_ordinal(self, event_id: EventId, kind: ProbeKind) -> int:
        """The number that the next probe of this kind of the event gets."""
        row = self._database.read().execute(
            "SELECT ifnull(max(ordinal), 0) + 1 FROM probe WHERE event_id = ? AND kind = ?", (event_id, kind)
        )
        return int(row.fetchone()[0])

    def free_key(self, key: str) -> str:
        """The key, with a number behind it when another probe has it: two events may be alike in all that is said."""
        free, number = key, 1
        while self._database.read().execute("SELECT 1 FROM probe WHERE key = ?", (free,)).fetchone() is not None:
            number += 1
            free = f"{key}-{number}"
        return free

    # -- writing ---------------------------------------------------------------------------------------------

    def add(self, probe: NewProbe, load_id: int | None = None) -> ProbeId:
        """Add one probe."""
        with self._database.write() as connection:
            return self.add_many(connection, [probe], load_id)[0]

    def add_many(self, connection: sqlite3.Connection, batch: Sequence[NewProbe], load_id: int | None) -> list[ProbeId]:
        """Add probes within the caller's write transaction; gives their ids in order.

        They are checked by the linter there and then, but for those of a load: who loads checks them once it is done.
        """
        at = now_utc()
        first = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM probe").fetchone()[0]
        first_revision = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM probe_revision").fetchone()[0]
        numbered = list(enumerate(batch))
        connection.executemany(
            "INSERT INTO probe (id, load_id, key, event_id, kind, ordinal, revision_id, added_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(first + i, load_id, p.key, p.event_id, p.kind, p.ordinal, first_revision + i, at) for i, p in numbered],
        )
        connection.executemany(
            "INSERT INTO probe_revision (id, probe_id, number, text, text_hash, requester, situation, consequence, "
            "facts_hash, origin, author, at) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    first_revision + i,
                    first + i,
                    p.content.text,
                    p.content.text_hash,
                    p.content.requester,
                    p.content.situation,
                    p.content.consequence,
                    p.facts_hash,
                    p.origin,
                    p.author,
                    at,
                )
                for i, p in numbered
            ],
        )
        probe_text.index(
            connection,
            (
                (first_revision + i, p.content.text, p.content.requester, p.content.situation, p.content.consequence)
                for i, p in numbered
            ),
        )
        if load_id is None:
            relint(connection, [first + i for i, _ in numbered])
        return [ProbeId(first + i) for i, _ in numbered]
