"""What asking again found to have moved, as a queue, and how people answered it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NewType

from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.verification import Moved, Movement
from btc_gui.errors import ProjectError
from btc_gui.store.database import Database
from btc_gui.store.facts_json import facts_from_json, facts_to_json
from btc_gui.store.query import CHUNK, placeholders

MovementId = NewType("MovementId", int)


@dataclass(frozen=True, slots=True)
class MovementRow:
    """One entry of the queue. `answer` is empty while it is open; `now` are the facts as the source has them."""

    id: MovementId
    event_id: EventId
    movement: Movement
    reason: str
    facts_hash: str
    now: EventFacts | None
    service: str
    found_at: str
    answer: str = ""
    note: str = ""
    author: str = ""
    answered_at: str = ""


class MovementStore:
    """The movements of a project's events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open_ids(self) -> list[MovementId]:
        """The entries that nobody has answered, the oldest first."""
        rows = self._database.read().execute("SELECT id FROM event_movement WHERE answer IS NULL ORDER BY id")
        return [MovementId(row[0]) for row in rows]

    def fetch(self, ids: Sequence[MovementId]) -> dict[MovementId, MovementRow]:
        """The entries of `ids`, by id (unknown ids left out)."""
        found: dict[MovementId, MovementRow] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"SELECT * FROM event_movement WHERE id IN ({placeholders(part)})", part
            )
            for row in rows:
                found[MovementId(row["id"])] = _movement(row)
        return found

    def of_event(self, event_id: EventId) -> list[MovementRow]:
        """All entries about an event, the newest first."""
        rows = self._database.read().execute(
            "SELECT * FROM event_movement WHERE event_id = ? ORDER BY id DESC", (event_id,)
        )
        return [_movement(row) for row in rows]

    def checked_at(self, event_ids: Sequence[EventId]) -> dict[EventId, str]:
        """When each event was last asked about again (those never asked about left out)."""
        found: dict[EventId, str] = {}
        for start in range(0, len(event_ids), CHUNK):
            part = event_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"SELECT event_id, checked_at FROM event_check WHERE event_id IN ({placeholders(part)})", part
            )
            found.update({EventId(row["event_id"]): row["checked_at"] for row in rows})
        return found

    def add(self, connection: sqlite3.Connection, moved: Iterable[tuple[EventId, Moved]], service: str) -> int:
        """Put what moved into the queue, within the caller's transaction; gives how many are new there.

        What stands there already, open or left alone by a person, is not put there again.
        """
        new = 0
        for event_id, each in moved:
            now = facts_to_json(each.now) if each.now else None
            known = connection.execute(
                "SELECT 1 FROM event_movement WHERE event_id = ? AND movement = ? AND facts_hash = ? AND now IS ? "
                "AND (answer IS NULL OR answer = 'left')",
                (event_id, each.movement, each.facts.facts_hash, now),
            ).fetchone()
            if known is None:
                new += 1
                # A newer finding about the same facts replaces an open one.
                connection.execute("DELETE FROM event_movement WHERE event_id = ? AND answer IS NULL", (event_id,))
                connection.execute(
                    "INSERT INTO event_movement (event_id, movement, reason, facts_hash, now, service, found_at) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (event_id, each.movement, each.reason, each.facts.facts_hash, now, service, now_utc()),
                )
        return new

    def note_checks(self, connection: sqlite3.Connection, checked: Iterable[tuple[EventId, Movement]]) -> None:
        """Note that these events were asked about again, within the caller's transaction.

        An open entry about an event that is unchanged now has settled itself, and goes.
        """
        at = now_utc()
        for event_id, movement in checked:
            connection.execute(
                "INSERT OR REPLACE INTO event_check (event_id, checked_at, movement) VALUES (?, ?, ?)",
                (event_id, at, movement),
            )
            if movement is Movement.UNCHANGED:
                connection.execute("DELETE FROM event_movement WHERE event_id = ? AND answer IS NULL", (event_id,))

    def answer(self, movement_id: MovementId, answer: str, note: str, author: str) -> MovementRow:
        """Answer an entry: `taken` (the facts were corrected), `rejected` (the event was) or `left` (as it is).

        Only notes it: correcting or rejecting the event is done in the same transaction by who answers. Raises
        `ProjectError` when somebody has answered it already.
        """
        with self._database.write() as connection:
            changed = connection.execute(
                "UPDATE event_movement SET answer = ?, note = ?, author = ?, answered_at = ? "
                "WHERE id = ? AND answer IS NULL",
                (answer, note, author, now_utc(), movement_id),
            )
            if not changed.rowcount:
                raise ProjectError("This has been answered already.", "Look at the list again.")
        return self.fetch([movement_id])[movement_id]


def _movement(row: sqlite3.Row) -> MovementRow:
    return MovementRow(
        id=MovementId(row["id"]),
        event_id=EventId(row["event_id"]),
        movement=Movement(row["movement"]),
        reason=row["reason"],
        facts_hash=row["facts_hash"],
        now=facts_from_json(row["now"]) if row["now"] else None,
        service=row["service"],
        found_at=row["found_at"],
        answer=row["answer"] or "",
        note=row["note"],
        author=row["author"],
        answered_at=row["answered_at"] or "",
    )
