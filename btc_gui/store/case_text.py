"""Finding answers by words in their text and queries: an index over the long texts, one row a distinct text.

The index is of trigrams (so that parts of words and scripts without spaces are found) and holds no texts: it
names candidates, and the stored texts decide.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from btc_gui.domain.folding import search_key
from btc_gui.store import bodies
from btc_gui.store.query import CHUNK, placeholders

_GRAM = 3


def index(connection: sqlite3.Connection, body_id: int | None, text: str) -> None:
    """Make a stored text findable (within the caller's transaction); a text that already is stays so."""
    if body_id is None:
        return
    if connection.execute("SELECT 1 FROM case_text WHERE rowid = ?", (body_id,)).fetchone() is None:
        key = search_key(text).encode("utf-8", "replace").decode("utf-8")
        connection.execute("INSERT INTO case_text (rowid, text) VALUES (?, ?)", (body_id, key))


def matching(connection: sqlite3.Connection, words: str) -> str:
    """The ids of the texts that contain `words`, as a JSON array for `json_each`.

    Case, accents and white space don't matter. One or two characters are too few for the index. Where they may be a
    word (such as 北京), all indexed texts are read; of a Latin letter or two nothing is found in the texts, only in
    names and wordings: nearly every text has them, and reading all of them takes too long.
    """
    key = search_key(words)
    if len(key) < _GRAM and key.isascii():
        return "[]"
    found = [body_id for body_id, text in _candidates(connection, key) if key in search_key(text)]
    return json.dumps(found)


def _candidates(connection: sqlite3.Connection, key: str) -> Iterable[tuple[int, str]]:
    if len(key) < _GRAM:
        rows = connection.execute("SELECT rowid FROM case_text")
    else:
        grams = dict.fromkeys(key[i : i + _GRAM] for i in range(len(key) - _GRAM + 1))
        quoted = (f'"{gram.replace(chr(34), chr(34) * 2)}"' for gram in grams if "\0" not in gram)
        rows = connection.execute("SELECT rowid FROM case_text WHERE case_text MATCH ?", (" AND ".join(quoted),))
    ids = [row[0] for row in rows]
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        marks = placeholders(part)
        for row in connection.execute(f"SELECT id, encoding, content FROM body WHERE id IN ({marks})", part):
            yield row[0], bodies.decode(row[1], row[2])
