"""Events that a person rejected. A rejection can be withdrawn; both stay in the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventId
from btc_gui.errors import ProjectError
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders


@dataclass(frozen=True, slots=True)
class EventRejection:
    """Who rejected an event, when and why."""

    event_id: EventId
    note: str
    author: str
    at: str


class EventRejectionStore:
    """The rejected events of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def fetch(self, event_ids: Sequence[EventId]) -> dict[EventId, EventRejection]:
        """The standing rejections of these events (those that are not rejected left out)."""
        found: dict[EventId, EventRejection] = {}
        for start in range(0, len(event_ids), CHUNK):
            part = event_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT event_id, note, author, at FROM event_rejection "
                f"WHERE withdrawn_at IS NULL AND event_id IN ({placeholders(part)}) ORDER BY id",
                part,
            )
            for row in rows:
                event_id = EventId(row["event_id"])
                found[event_id] = EventRejection(event_id, row["note"], row["author"], row["at"])
        return found

    def reject(self, event_id: EventId, note: str, author: str) -> None:
        """Reject an event. Raises `ProjectError` when it is rejected already."""
        with self._database.write() as connection:
            if self.fetch([event_id]):
                raise ProjectError("This event has been rejected already.")
            connection.execute(
                "INSERT INTO event_rejection (event_id, note, author, at) VALUES (?, ?, ?, ?)",
                (event_id, note, author, now_utc()),
            )

    def withdraw(self, event_id: EventId, author: str) -> None:
        """Take an event in again. Raises `ProjectError` when it is not rejected."""
        with self._database.write() as connection:
            changed = connection.execute(
                "UPDATE event_rejection SET withdrawn_at = ?, withdrawn_by = ? "
                "WHERE event_id = ? AND withdrawn_at IS NULL",
                (now_utc(), author, event_id),
            )
            if not changed.rowcount:
                raise ProjectError("This event is not rejected.")
