"""What is known of an event's entity from before the change: its article, and that of its position."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.bracketed_dates import without_bracketed_dates
from btc_gui.domain.event import EventId
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders


class ContextStore:
    """The context that generators are given: texts only, dates in brackets taken out of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def fetch(self, event_ids: Sequence[EventId]) -> dict[EventId, str]:
        """The context of these events; those without an article of the entity are left out.

        Behind the entity's article stands what there is of the position: its description, and its own article.
        """
        read = self._database.read()
        found: dict[EventId, dict[str, str]] = {}
        for start in range(0, len(event_ids), CHUNK):
            part = event_ids[start : start + CHUNK]
            rows = read.execute(
                "SELECT event_id, about, title, description, body_id FROM event_article "
                f"WHERE event_id IN ({placeholders(part)})",
                part,
            ).fetchall()
            texts = bodies.fetch(read, [row["body_id"] for row in rows])
            for row in rows:
                text = _part(row["about"], row["title"], row["description"], texts.get(row["body_id"], ""))
                found.setdefault(EventId(row["event_id"]), {})[row["about"]] = text
        return {
            event_id: "\n\n".join(part for part in (parts["entity"], parts.get("position", "")) if part)
            for event_id, parts in found.items()
            if parts.get("entity")
        }


def _part(about: str, title: str, description: str, text: str) -> str:
    text, description = without_bracketed_dates(text), without_bracketed_dates(description)
    if about == "entity":
        return text
    if not text and not description:
        return ""
    return "\n\n".join(part for part in (f"The position: {title or description}", description, text) if part)
