"""Events and their revisions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import Event, EventFacts, EventId
from btc_gui.domain.folding import search_key
from btc_gui.errors import ProjectError
from btc_gui.records import dataclass
from btc_gui.store.database import Database
from btc_gui.store.facts_json import facts_from_json, facts_to_json
from btc_gui.store.kept import Kept
from btc_gui.store.lint_check import relint
from btc_gui.store.query import CHUNK, LOADED, Where, containing, order_by, placeholders

_COLUMNS = {
    "entity": "event.entity COLLATE NOCASE",
    "category": "event.category",
    "date": "event.date",
    "position": "json_extract(event_revision.facts, '$.position') COLLATE NOCASE",
    "added": "event.added_at",
    "probes": "(SELECT count(*) FROM probe WHERE probe.event_id = event.id)",
}


_REJECTED = "EXISTS (SELECT 1 FROM event_rejection WHERE event_id = event.id AND withdrawn_at IS NULL)"

_ARTICLE = "SELECT 1 FROM event_article WHERE event_id = event.id AND about = 'entity'"
_ARTICLES = {
    "missing": f"NOT EXISTS ({_ARTICLE} AND problem = '')",
    "leaking": f"EXISTS ({_ARTICLE} AND leaks <> '[]')",
}
# What entities are called, as a search compares it.
_NAMES: Kept[list[tuple[int, str]]] = Kept(
    "SELECT (SELECT count(*) FROM event), (SELECT max(id) FROM event), (SELECT max(id) FROM event_revision)"
)


def events_named(database: Database, words: str) -> str:
    """The ids of the events whose entity is named so, as a JSON array for `json_each`."""
    key = search_key(words)

    def read() -> list[tuple[int, str]]:
        rows = database.read().execute("SELECT id, entity FROM event")
        return [(row[0], search_key(row[1])) for row in rows]

    return json.dumps([number for number, name in _NAMES.get(database, read) if key in name])


@dataclass(frozen=True, slots=True)
class EventQuery:
    """Which events, in which order. `order` is one of entity, category, date, position, added, probes.

    `rejected` says whether those that a person rejected are wanted alone, left out, or (None) among the others.
    `articles`: only those whose entity's article is `missing` (never asked for, or not to be had) or `leaking` (it
    tells of the change); either will do where both are named.
    """

    categories: tuple[str, ...] = ()
    contains: str = ""
    without_probes: bool = False
    with_probes: bool = False
    rejected: bool | None = None
    articles: tuple[str, ...] = ()
    order: str = "date"
    descending: bool = False


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """An event as it will be stored. `listed` is what lists filter by: category, entity, date."""

    listed: tuple[str, str, str]
    facts: str
    facts_hash: str
    identities: tuple[str, ...]


def prepare_event(facts: EventFacts) -> PreparedEvent:
    """Make an event ready to be stored."""
    listed = (facts.category, facts.entity, facts.date.iso)
    return PreparedEvent(listed, facts_to_json(facts), facts.facts_hash, facts.identities())


class EventStore:
    """The events of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def ids(self, query: EventQuery = EventQuery()) -> list[EventId]:
        """The ids of the events of `query`, in its order."""
        where = Where()
        where.add(LOADED.format(table="event"))
        where.add_in("event.category", query.categories)
        if query.contains:
            pattern = containing(query.contains)
            where.add(
                "(event.id IN (SELECT value FROM json_each(?)) OR event_revision.facts LIKE ? ESCAPE '\\')",
                events_named(self._database, query.contains),
                pattern,
            )
        if query.without_probes:
            where.add("NOT EXISTS (SELECT 1 FROM probe WHERE probe.event_id = event.id)")
        if query.with_probes:
            where.add("EXISTS (SELECT 1 FROM probe WHERE probe.event_id = event.id)")
        if query.rejected is not None:
            where.add(_REJECTED if query.rejected else f"NOT {_REJECTED}")
        if query.articles:
            where.add("(" + " OR ".join(_ARTICLES[each] for each in query.articles) + ")")
        needs_facts = query.contains or query.order == "position"
        join = "JOIN event_revision ON event_revision.id = event.revision_id" if needs_facts else ""
        order = order_by(_COLUMNS, query.order, query.descending, "event.id")
        rows = self._database.read().execute(f"SELECT event.id FROM event {join} {where.sql} {order}", where.values)
        return [EventId(row[0]) for row in rows]

    def fetch(self, ids: Sequence[EventId]) -> dict[EventId, Event]:
        """The events of `ids`, by id (unknown ids left out)."""
        found: dict[EventId, Event] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"""
                SELECT event.id, event_revision.number, event_revision.facts, event.added_at, {_REJECTED} AS rejected,
                       ifnull(counted.probes, 0) AS probes, ifnull(counted.accepted, 0) AS accepted
                FROM event JOIN event_revision ON event_revision.id = event.revision_id
                LEFT JOIN (
                    SELECT event_id, count(*) AS probes, sum(status = 'accepted') AS accepted FROM probe
                    WHERE event_id IN ({placeholders(part)}) AND {LOADED.format(table="probe")} GROUP BY event_id
                ) AS counted ON counted.event_id = event.id
                WHERE event.id IN ({placeholders(part)})
                """,
                (*part, *part),
            )
            for row in rows:
                event_id = EventId(row["id"])
                found[event_id] = Event(
                    id=event_id,
                    revision=row["number"],
                    facts=facts_from_json(row["facts"]),
                    added_at=row["added_at"],
                    probes=row["probes"],
                    accepted=row["accepted"],
                    is_rejected=bool(row["rejected"]),
                )
        return found

    def get(self, event_id: EventId) -> Event:
        """One event. Raises `ProjectError` when there is none of that id."""
        event = self.fetch([event_id]).get(event_id)
        if event is None:
            raise ProjectError(f"There is no event {event_id} in this project.")
        return event

    def count_by_category(self) -> dict[str, int]:
        """How many events each category has."""
        rows = self._database.read().execute(
            f"SELECT category, count(*) AS n FROM event WHERE {LOADED.format(table='event')} GROUP BY category"
        )
        return {row["category"]: row["n"] for row in rows}

    def find(self, reference: str) -> list[EventId]:
        """The events with this QID, article title or name (case ignored), for probes that name one."""
        wanted = reference.casefold()
        rows = self._database.read().execute(
            "SELECT DISTINCT event_id FROM event_identity JOIN event ON event.id = event_id "
            "WHERE substr(identity, instr(identity, ':') + 1, length(?) + 1) = ? || '|' "
            f"AND {LOADED.format(table='event')}",
            (wanted, wanted),
        )
        return [EventId(row["event_id"]) for row in rows]

    def identities(self) -> dict[str, EventId]:
        """All keys under which events are known (complete loads only)."""
        rows = self._database.read().execute(
            "SELECT identity, event_id FROM event_identity JOIN event ON event.id = event_id "
            f"WHERE {LOADED.format(table='event')}"
        )
        return {row["identity"]: EventId(row["event_id"]) for row in rows}

    def all_facts(self) -> list[tuple[EventId, EventFacts]]:
        """The current facts of every event, for those who must recognise events among many."""
        rows = self._database.read().execute(
            "SELECT event.id, event_revision.facts FROM event "
            "JOIN event_revision ON event_revision.id = event.revision_id "
            f"WHERE {LOADED.format(table='event')} ORDER BY event.id"
        )
        return [(EventId(row["id"]), facts_from_json(row["facts"])) for row in rows]

    def first_facts(self, event_id: EventId) -> EventFacts:
        """The facts that an event was added with. Raises `ProjectError` when there is no such event."""
        row = (
            self._database.read()
            .execute("SELECT facts FROM event_revision WHERE event_id = ? ORDER BY number LIMIT 1", (event_id,))
            .fetchone()
        )
        if row is None:
            raise ProjectError(f"There is no event {event_id} in this project.")
        return facts_from_json(row["facts"])

    def state(self) -> tuple[int, int, int]:
        """Three numbers that change with every event that is added or corrected, and when a load begins or ends."""
        row = self._database.read().execute(
            "SELECT (SELECT ifnull(max(id), 0) FROM event), (SELECT ifnull(max(id), 0) FROM event_revision), "
            "(SELECT count(*) FROM load WHERE completed_at IS NULL)"
        )
        events, revisions, unfinished = row.fetchone()
        return int(events), int(revisions), int(unfinished)

    # -- writing ---------------------------------------------------------------------------------------------

    def add(self, facts: EventFacts, author: str, load_id: int | None = None) -> EventId:
        """Add one event. For many, `add_many` in short transactions is the way."""
        with self._database.write() as connection:
            return self.add_many(connection, [facts], author, load_id)[0]

    def add_many(
        self, connection: sqlite3.Connection, batch: Sequence[EventFacts], author: str, load_id: int | None
    ) -> list[EventId]:
        """Add events within the caller's write transaction; gives their ids in order."""
        return self.add_prepared(connection, [prepare_event(facts) for facts in batch], author, load_id)

    def add_prepared(
        self, connection: sqlite3.Connection, batch: Sequence[PreparedEvent], author: str, load_id: int | None
    ) -> list[EventId]:
        """The same for events that were made ready before the file is held."""
        at = now_utc()
        first = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM event").fetchone()[0]
        first_revision = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM event_revision").fetchone()[0]
        numbered = list(enumerate(batch))
        connection.executemany(
            "INSERT INTO event (id, load_id, revision_id, category, entity, date, added_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(first + i, load_id, first_revision + i, *event.listed, at) for i, event in numbered],
        )
        connection.executemany(
            "INSERT INTO event_revision (id, event_id, number, facts, facts_hash, author, at) "
            "VALUES (?, ?, 1, ?, ?, ?, ?)",
            [(first_revision + i, first + i, event.facts, event.facts_hash, author, at) for i, event in numbered],
        )
        connection.executemany(
            "INSERT OR IGNORE INTO event_identity (identity, event_id) VALUES (?, ?)",
            [(identity, first + i) for i, event in numbered for identity in event.identities],
        )
        return [EventId(first + i) for i, _ in numbered]

    def revise(self, event_id: EventId, facts: EventFacts, author: str) -> None:
        """Correct an event: a new revision. Approvals of its probes go stale when what they depend on moved."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO event_revision (event_id, number, facts, facts_hash, author, at) "
                "SELECT ?, max(number) + 1, ?, ?, ?, ? FROM event_revision WHERE event_id = ?",
                (event_id, facts_to_json(facts), facts.facts_hash, author, now_utc(), event_id),
            )
            connection.execute(
                "UPDATE event SET revision_id = ?, category = ?, entity = ?, date = ? WHERE id = ?",
                (cursor.lastrowid, facts.category, facts.entity, facts.date.iso, event_id),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO event_identity (identity, event_id) VALUES (?, ?)",
                [(identity, event_id) for identity in facts.identities()],
            )
            probes = connection.execute("SELECT id FROM probe WHERE event_id = ?", (event_id,))
            relint(connection, [row[0] for row in probes])
