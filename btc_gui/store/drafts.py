"""What somebody is typing, kept up to the last second, so that a crash loses nothing."""

from __future__ import annotations

from btc_gui.domain.dates import now_utc
from btc_gui.store.database import Database


class DraftStore:
    """Unfinished texts by place (such as `review-note/17/ann`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, place: str) -> str:
        """The unfinished text of a place, or nothing."""
        row = self._database.read().execute("SELECT content FROM draft WHERE place = ?", (place,)).fetchone()
        return str(row["content"]) if row else ""

    def places(self, beginning: str) -> list[str]:
        """The places that begin so and hold an unfinished text, what was typed last first."""
        beyond = f"{beginning[:-1]}{chr(ord(beginning[-1]) + 1)}"
        rows = self._database.read().execute(
            "SELECT place FROM draft WHERE place >= ? AND place < ? ORDER BY at DESC", (beginning, beyond)
        )
        return [str(row["place"]) for row in rows]

    def keep(self, place: str, content: str) -> None:
        """Keep an unfinished text; an empty one is removed."""
        with self._database.write() as connection:
            if content:
                connection.execute(
                    "INSERT INTO draft (place, content, at) VALUES (?, ?, ?) "
                    "ON CONFLICT (place) DO UPDATE SET content = excluded.content, at = excluded.at",
                    (place, content, now_utc()),
                )
            else:
                connection.execute("DELETE FROM draft WHERE place = ?", (place,))
