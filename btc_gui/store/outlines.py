"""Reading trajectories of any size: what is shown at first at once, whole texts one by one, all of it in a stream."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence

from btc_gui.domain.outline import Outline, TextPart, TextPlace
from btc_gui.domain.trajectory import AnswerId
from btc_gui.store import bodies
from btc_gui.store.answers import trajectory_from_rows
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders

#: So many characters of one text are read at once, and of all texts of a trajectory together.
LONGEST_TEXT, BUDGET = 20_000, 4_000_000
#: So many outlines are kept: those side by side, and a few that were there before.
_KEPT = 6
#: Of texts no longer than this, reading all and cutting is faster than reading the beginning.
_WORTH_A_STREAM = 100_000
#: However many texts there are, so much of each is read.
_SHORTEST_CUT = 300
_DECODER = json.JSONDecoder()


class OutlineStore:
    """The trajectories of a project, as far as they are read at once: without the text that a query delivered, which
    its results tell."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # The last ones: what was recorded of an answer never changes, and lanes come and go beside one that stays.
        self._kept: dict[AnswerId, Outline] = {}

    def outline(self, answer_id: AnswerId) -> Outline:
        """An answer with the beginnings of its texts. Raises `ProjectError` when there is none of that id."""
        found = self._kept.pop(answer_id, None) or self._read(answer_id)
        self._kept[answer_id] = found
        for old in list(self._kept)[:-_KEPT]:
            self._kept.pop(old, None)
        return found

    def _read(self, answer_id: AnswerId) -> Outline:
        connection = self._database.read()
        cut_lengths: dict[int, int] = {}

        def read(ids: Sequence[int | None]) -> dict[int, str]:
            stored = _stored(connection, ids)
            most = _cut_for([size for size, *_ in stored.values()])
            texts: dict[int, str] = {}
            for body_id, (size, encoding, content) in stored.items():
                if content is None:
                    texts[body_id] = bodies.beginning(connection, body_id, most)
                else:
                    texts[body_id] = bodies.decode(encoding, content)[:most]
                if size > most:
                    cut_lengths[body_id] = size
            return texts

        trajectory, places = trajectory_from_rows(connection, answer_id, read, _first_excerpts, with_delivered=False)
        cut = {place: cut_lengths[body_id] for place, body_id in places if body_id in cut_lengths}
        return Outline(trajectory, cut)

    def whole(self, place: TextPlace) -> str:
        """A text whole; empty when it is not in the project (any more). Excerpts stand a line each."""
        connection = self._database.read()
        body_id = _body_of(connection, place)
        text = bodies.fetch(connection, [body_id]).get(body_id, "") if body_id is not None else ""
        return "\n".join(json.loads(text)) if place.part is TextPart.EXCERPTS and text else text

    def pieces(self, place: TextPlace, size: int = 100_000, overlap: int = 500) -> Iterator[str]:
        """A text of any length in pieces of about `size` characters, each with the end of the one before it.

        Memory stays that of a piece, and looking through one keeps other threads waiting for milliseconds only.
        Excerpts come as they are stored, with line ends and quotes escaped.
        """
        connection = self._database.read()
        body_id = _body_of(connection, place)
        end = ""
        for piece in bodies.stream(connection, body_id, size) if body_id is not None else ():
            yield end + piece
            end = piece[-overlap:]


def _body_of(connection: sqlite3.Connection, place: TextPlace) -> int | None:
    column, table = {
        TextPart.TEXT: ("body_id", "step"),
        TextPart.OUTPUT: ("output_id", "step"),
        TextPart.EXCERPTS: ("excerpts_id", "search_result"),
    }[place.part]
    row = connection.execute(f"SELECT {column} FROM {table} WHERE id = ?", (place.id,)).fetchone()
    return row[0] if row else None


def _stored(connection: sqlite3.Connection, ids: Sequence[int | None]) -> dict[int, tuple[int, str, bytes | None]]:
    """How many characters the texts have, how they are stored, and their contents, but those of very long ones."""
    wanted = sorted({i for i in ids if i is not None})
    found: dict[int, tuple[int, str, bytes | None]] = {}
    for start in range(0, len(wanted), CHUNK):
        part = wanted[start : start + CHUNK]
        rows = connection.execute(
            f"SELECT id, characters, encoding, CASE WHEN characters <= {_WORTH_A_STREAM} THEN content END FROM body "
            f"WHERE id IN ({placeholders(part)})",
            part,
        )
        found.update((body_id, (size, encoding, content)) for body_id, size, encoding, content in rows)
    return found


def _cut_for(sizes: Sequence[int]) -> int:
    """How much of each text may be read so that all together keep within the budget."""
    if sum(min(size, LONGEST_TEXT) for size in sizes) <= BUDGET:
        return LONGEST_TEXT
    left, most = BUDGET, _SHORTEST_CUT
    ordered = sorted(sizes)
    for number, size in enumerate(ordered):
        most = left // (len(ordered) - number)
        if size > most:
            break
        left -= size
    return min(max(most, _SHORTEST_CUT), LONGEST_TEXT)


def _first_excerpts(stored: str) -> tuple[str, ...]:
    """The excerpts of a result from their stored form (a JSON array of strings), perhaps only its beginning."""
    try:
        return tuple(_DECODER.raw_decode(stored)[0])
    except ValueError:
        pass
    # Cut in the middle of an escape, which has six characters at most.
    for lost in range(min(7, len(stored))):
        for end in ('"]', "]"):
            try:
                found = json.loads(stored[: len(stored) - lost].rstrip(", ") + end)
            except ValueError:
                continue
            if isinstance(found, list) and all(isinstance(each, str) for each in found):
                return tuple(found)
    return ()
