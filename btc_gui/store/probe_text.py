"""Finding probes by words: the wordings as a search compares them, in trigrams, one row a wording.

Case, accents and differences in white space don't matter. What is found is what contains the words as they stand;
the index names candidates by their trigrams, and the folded texts decide.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from btc_gui.domain.folding import search_key

_GRAM = 3
_BATCH = 2_000


def search_text(text: str, requester: str, situation: str, consequence: str) -> str:
    """A wording as a search compares it. Its four parts stand apart: words don't match across them."""
    parts = (search_key(part) for part in (text, requester, situation, consequence))
    return "\n".join(part for part in parts if part).encode("utf-8", "replace").decode("utf-8")


def index(connection: sqlite3.Connection, wordings: Iterable[tuple[int, str, str, str, str]]) -> None:
    """Make wordings findable, within the caller's transaction: revision id, text, requester, situation, consequence."""
    connection.executemany(
        "INSERT INTO probe_text (rowid, text) VALUES (?, ?)", ((row[0], search_text(*row[1:])) for row in wordings)
    )


def index_all(connection: sqlite3.Connection) -> None:
    """Make all wordings findable that are not yet, within the caller's transaction."""
    rows = connection.execute(
        "SELECT id, text, requester, situation, consequence FROM probe_revision "
        "WHERE id NOT IN (SELECT rowid FROM probe_text) ORDER BY id"
    )
    while batch := rows.fetchmany(_BATCH):
        index(connection, [tuple(row) for row in batch])


def revisions_containing(words: str) -> tuple[str, list[object]]:
    """A condition on `probe.revision_id` for the wordings that contain `words`, with its values.

    One or two characters are too few for the index: then all texts are looked through.
    """
    key = search_key(words).encode("utf-8", "replace").decode("utf-8")
    grams = dict.fromkeys(key[i : i + _GRAM] for i in range(len(key) - _GRAM + 1))
    quoted = ['"' + gram.replace('"', '""') + '"' for gram in grams if "\0" not in gram]
    matching = "probe_text MATCH ? AND " if quoted else ""
    values: list[object] = [" AND ".join(quoted)] if quoted else []
    condition = f"probe.revision_id IN (SELECT rowid FROM probe_text WHERE {matching}instr(text, ?) > 0)"
    return condition, [*values, key]
