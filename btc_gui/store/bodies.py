"""Long texts, once each, found by their content; compressed where it pays."""

from __future__ import annotations

import codecs
import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NewType

from btc_gui.errors import ProjectError
from btc_gui.store.query import CHUNK, placeholders

BodyId = NewType("BodyId", int)
_WORTH_COMPRESSING = 256
#: No text is longer (bytes): a stored one that pretends to be would fill the memory.
LONGEST = 256_000_000


@dataclass(frozen=True, slots=True)
class PackedTexts:
    """Texts ready to be stored: the SHA-256 of each, and by it the encoding and the bytes of those that are new."""

    digests: dict[str, str]
    contents: dict[str, tuple[str, bytes]]


def pack(texts: Iterable[str], known: Callable[[Sequence[str]], Collection[str]] = lambda _: ()) -> PackedTexts:
    """Make texts ready for `put_packed`. `known` gives which digests need no contents, since their texts are stored.

    Raises `ProjectError` for a text that is too long to be kept.
    """
    raws = {text: _raw(text) for text in texts}
    if any(len(raw) > LONGEST for raw in raws.values()):
        raise ProjectError(f"A text is longer than {LONGEST / 1e6:.0f} MB.", "It is not kept: cut it where it is made.")
    digests = {text: hashlib.sha256(raw).hexdigest() for text, raw in raws.items()}
    stored = known(list(digests.values()))
    return PackedTexts(
        digests, {digest: _packed(raws[text]) for text, digest in digests.items() if digest not in stored}
    )


def put(connection: sqlite3.Connection, text: str) -> BodyId:
    """Store `text` (within the caller's transaction) and give its id; a known text is not stored again."""
    return put_all(connection, [text])[text]


def put_all(connection: sqlite3.Connection, texts: Iterable[str]) -> dict[str, BodyId]:
    """Store texts (within the caller's transaction) and give their ids; known ones are not stored again.

    Many at once take much less time than one by one.
    """
    return put_packed(connection, pack(texts, lambda digests: _ids_of(connection, digests)))


def put_packed(connection: sqlite3.Connection, packed: PackedTexts) -> dict[str, BodyId]:
    """Like `put_all`, of texts that were packed before the transaction: nobody waits for that."""
    known = _ids_of(connection, list(packed.digests.values()))
    missing = {digest: text for text, digest in packed.digests.items() if digest not in known}
    free = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM body").fetchone()[0]
    known.update((digest, BodyId(body_id)) for body_id, digest in enumerate(missing, free))
    connection.executemany(
        "INSERT INTO body (id, sha256, characters, encoding, content) VALUES (?, ?, ?, ?, ?)",
        (
            (known[digest], digest, len(text), *(packed.contents.get(digest) or _packed(_raw(text))))
            for digest, text in missing.items()
        ),
    )
    return {text: known[digest] for text, digest in packed.digests.items()}


def known_digests(connection: sqlite3.Connection, digests: Sequence[str]) -> Collection[str]:
    """Those of the digests whose texts are stored."""
    return _ids_of(connection, digests).keys()


def _ids_of(connection: sqlite3.Connection, digests: Sequence[str]) -> dict[str, BodyId]:
    found: dict[str, BodyId] = {}
    for start in range(0, len(digests), CHUNK):
        part = digests[start : start + CHUNK]
        rows = connection.execute(f"SELECT sha256, id FROM body WHERE sha256 IN ({placeholders(part)})", part)
        found.update((row[0], BodyId(row[1])) for row in rows)
    return found


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _packed(raw: bytes) -> tuple[str, bytes]:
    if len(raw) >= _WORTH_COMPRESSING:
        # The third level takes little more than half the time of the sixth, for three parts in a hundred more space.
        packed = zlib.compress(raw, 3)
        if len(packed) < len(raw) * 0.9:
            return "zlib", packed
    return "utf8", raw


def put_or_none(connection: sqlite3.Connection, text: str) -> BodyId | None:
    """Like `put`; an empty text is None."""
    return put(connection, text) if text else None


def storable(text: str) -> str:
    """A text for a TEXT column, where half a character (a lone surrogate) can't be: it is written as `\\udc..`.

    Bodies keep it as it is.
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def decode(encoding: str, content: bytes) -> str:
    """The text of a stored body. Raises `ProjectError` for one that is damaged."""
    try:
        raw = _unpacked(content) if encoding == "zlib" else content
        return raw.decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError) as error:
        raise _damaged() from error


def _unpacked(content: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(content, LONGEST)
    if not unpacker.eof:
        raise _damaged()
    return raw


def _damaged() -> ProjectError:
    return ProjectError(
        "A text of this project is damaged and can't be read.",
        "“btc-gui check” says how many are. Go back to a copy; the other texts can be read.",
    )


def fetch(connection: sqlite3.Connection, ids: Iterable[int | None]) -> dict[int, str]:
    """The texts of `ids` (None and unknown ones left out)."""
    return {body_id: decode(*stored) for body_id, stored in packed(connection, ids).items()}


def packed(connection: sqlite3.Connection, ids: Iterable[int | None]) -> dict[int, tuple[str, bytes]]:
    """The texts of `ids` as they are stored (see `decode`): for whoever may not need all of them."""
    wanted = sorted({i for i in ids if i is not None})
    found: dict[int, tuple[str, bytes]] = {}
    for start in range(0, len(wanted), CHUNK):
        part = wanted[start : start + CHUNK]
        rows = connection.execute(f"SELECT id, encoding, content FROM body WHERE id IN ({placeholders(part)})", part)
        found.update({row[0]: (row[1], row[2]) for row in rows})
    return found


def stream(connection: sqlite3.Connection, body_id: int, size: int) -> Iterator[str]:
    """A text in pieces of about `size` characters, without ever holding all of it; nothing for an unknown id."""
    row = connection.execute("SELECT encoding FROM body WHERE id = ?", (body_id,)).fetchone()
    if row is None:
        return
    unpacker = zlib.decompressobj() if row[0] == "zlib" else None
    decoder = codecs.getincrementaldecoder("utf-8")("surrogatepass")
    with connection.blobopen("body", "content", body_id, readonly=True) as blob:
        while packed := blob.read(max(size // 8, 4_096) if unpacker else size):
            while packed:
                try:
                    raw = unpacker.decompress(packed, size) if unpacker else packed
                    text = decoder.decode(raw)
                except (zlib.error, UnicodeDecodeError) as error:
                    raise _damaged() from error
                packed = unpacker.unconsumed_tail if unpacker else b""
                if text:
                    yield text


def beginning(connection: sqlite3.Connection, body_id: int, characters: int) -> str:
    """The first characters of a text; of a long one little more than that is read."""
    found = ""
    for piece in stream(connection, body_id, max(characters, 1)):
        found += piece
        if len(found) >= characters:
            break
    return found[:characters]


def of_digest(connection: sqlite3.Connection, digest: str) -> str:
    """The text with that SHA-256; empty when there is none."""
    row = connection.execute("SELECT encoding, content FROM body WHERE sha256 = ?", (digest,)).fetchone()
    return decode(row[0], row[1]) if row else ""
