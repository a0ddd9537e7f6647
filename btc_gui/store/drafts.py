"""What somebody is typing, kept up to the last second, so that a crash loses nothing."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from sqlite3 import Connection
from weakref import WeakKeyDictionary

from btc_gui.domain.dates import now_utc
from btc_gui.errors import ProjectError
from btc_gui.store.database import Database

#: What could not be written (the disk is full, say), by project: nobody loses it by going elsewhere in the window.
_WAITING: WeakKeyDictionary[Database, dict[str, str]] = WeakKeyDictionary()


class DraftStore:
    """Unfinished texts by place (such as `review-note/17/ann`).

    What can't be written is held in memory and read from there; whatever is kept next writes it, too.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting = _WAITING.setdefault(database, {})

    def get(self, place: str) -> str:
        """The unfinished text of a place, or nothing."""
        if (waiting := self._waiting.get(place)) is not None:
            return waiting
        row = self._database.read().execute("SELECT content FROM draft WHERE place = ?", (place,)).fetchone()
        return str(row["content"]) if row else ""

    def places(self, beginning: str) -> list[str]:
        """The places that begin so and hold an unfinished text, what was typed last first."""
        beyond = f"{beginning[:-1]}{chr(ord(beginning[-1]) + 1)}"
        rows = self._database.read().execute(
            "SELECT place FROM draft WHERE place >= ? AND place < ? ORDER BY at DESC", (beginning, beyond)
        )
        waiting = [place for place, text in reversed(self._waiting.items()) if text and place.startswith(beginning)]
        return [*waiting, *(place for row in rows if (place := str(row["place"])) not in self._waiting)]

    def keep(self, place: str, content: str) -> None:
        """Keep an unfinished text. An empty one is removed; where that can't be written, with what is kept next.

        Raises `ProjectError` when the text can only be held in memory.
        """
        self._waiting.pop(place, None)
        self._waiting[place] = content
        # What was typed was given: that it is no longer unfinished is nothing to be told of.
        with nullcontext() if content else suppress(ProjectError):
            self._write()

    def remember(self, place: str, choices: str) -> None:
        """Keep for the next time what was chosen, where that can be written; nobody has to be told that it can't."""
        with suppress(ProjectError), self._database.write() as connection:
            _put(connection, place, choices)

    def unwritten(self) -> int:
        """How many texts are only in memory, after one more try to write them."""
        if self._waiting:
            with suppress(ProjectError):
                self._write()
        return sum(bool(text) for text in self._waiting.values())

    def _write(self) -> None:
        waiting = dict(self._waiting)
        with self._database.write() as connection:
            for place, content in waiting.items():
                if content:
                    _put(connection, place, content)
                else:
                    connection.execute("DELETE FROM draft WHERE place = ?", (place,))
        for place, content in waiting.items():
            if self._waiting.get(place) == content:
                del self._waiting[place]


def _put(connection: Connection, place: str, content: str) -> None:
    connection.execute(
        "INSERT INTO draft (place, content, at) VALUES (?, ?, ?) "
        "ON CONFLICT (place) DO UPDATE SET content = excluded.content, at = excluded.at",
        (place, content, now_utc()),
    )
