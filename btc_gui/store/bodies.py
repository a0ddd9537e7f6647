"""Long texts, once each, found by their content; compressed where it pays."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable
from typing import NewType

from btc_gui.store.query import CHUNK, placeholders

BodyId = NewType("BodyId", int)
_WORTH_COMPRESSING = 256


def put(connection: sqlite3.Connection, text: str) -> BodyId:
    """Store `text` (within the caller's transaction) and give its id; a known text is not stored again."""
    raw = text.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(raw).hexdigest()
    known = connection.execute("SELECT id FROM body WHERE sha256 = ?", (digest,)).fetchone()
    if known is not None:
        return BodyId(known[0])
    encoding, content = "utf8", raw
    if len(raw) >= _WORTH_COMPRESSING:
        packed = zlib.compress(raw, 6)
        if len(packed) < len(raw) * 0.9:
            encoding, content = "zlib", packed
    cursor = connection.execute(
        "INSERT INTO body (sha256, characters, encoding, content) VALUES (?, ?, ?, ?)",
        (digest, len(text), encoding, content),
    )
    assert cursor.lastrowid is not None
    return BodyId(cursor.lastrowid)


def put_or_none(connection: sqlite3.Connection, text: str) -> BodyId | None:
    """Like `put`; an empty text is None."""
    return put(connection, text) if text else None


def storable(text: str) -> str:
    """A text for a TEXT column, where half a character (a lone surrogate) can't be: it is written as `\\udc..`.

    Bodies keep it as it is.
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def decode(encoding: str, content: bytes) -> str:
    """The text of a stored body."""
    raw = zlib.decompress(content) if encoding == "zlib" else content
    return raw.decode("utf-8", "surrogatepass")


def fetch(connection: sqlite3.Connection, ids: Iterable[int | None]) -> dict[int, str]:
    """The texts of `ids` (None and unknown ones left out)."""
    wanted = sorted({i for i in ids if i is not None})
    found: dict[int, str] = {}
    for start in range(0, len(wanted), CHUNK):
        part = wanted[start : start + CHUNK]
        rows = connection.execute(
            f"SELECT id, encoding, content FROM body WHERE id IN ({placeholders(part)})", part
        ).fetchall()
        found.update({row[0]: decode(row[1], row[2]) for row in rows})
    return found
