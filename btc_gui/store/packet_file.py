"""A packet on disk: a small SQLite file of its own that opens without any project.

The immutable part is written once, in the order of presentation, and vacuumed, so that no page remembers
anything else. Labels are appended; every commit is on the disk before it is acknowledged. While a packet is
being labelled its file is locked for everybody else; the operating system releases the lock when the process
ends, however it ends.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from btc_gui.domain.dates import now_utc
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import (
    PACKET_VERSION,
    GivenLabel,
    ItemId,
    OutlineEntry,
    PacketItem,
    PacketManifest,
    PacketOutline,
    PracticeItem,
    clean,
)
from btc_gui.domain.practice import PracticeLabel
from btc_gui.errors import PacketError
from btc_gui.store.open_files import identity
from btc_gui.store.outside_file import distrust, is_plain_table, parts, refuse_strange_company, refuse_strange_parts
from btc_gui.store.packet_schema import SCHEMA, known_parts

#: Marks a SQLite file as a packet ("BTCp").
APPLICATION_ID = 0x42544370
SUFFIX = ".btcp"
#: A longer text is no text to label by; SQLite refuses to read it (bytes).
LONGEST_TEXT = 256_000_000

_LABEL_COLUMNS = (
    "sequence",
    "item",
    "label",
    "reason",
    "note",
    "undoes",
    "active_seconds",
    "at",
    "confidence",
    "answers",
)


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the file system into a `PacketError` with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise _plain(path, error) from error
    except UnicodeDecodeError as error:
        # SQLite names what is wrong in a damaged schema, and the name is damaged as well.
        raise _plain(path, sqlite3.DatabaseError("malformed")) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise PacketError(f"There is no space left for {path.name}.", "Free some space and try again.") from error
        raise PacketError(f"{path} can't be used: {error.strerror or error}.") from error


def _check_folder(folder: Path) -> None:
    """Make the folder of a new packet. Raises `PacketError` when nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise PacketError(
            f"Nothing can be written into {folder}: {error.strerror or error}.", "Choose another folder."
        ) from error


def _plain(path: Path, error: sqlite3.Error) -> PacketError:
    text = str(error).lower()
    if "locked" in text or "busy" in text:
        return PacketError(
            f"{path.name} is open in another window.", "Nothing was changed. Go on there, or close it first."
        )
    if "full" in text:
        return PacketError(f"There is no space left for {path.name}.", "Free some space and try again.")
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return PacketError(
            f"{path} or its folder is read-only.", "Copy the packet to a folder where you can write, and open the copy."
        )
    if "not a database" in text:
        return _no_packet(path)
    if "disk i/o" in text:
        return PacketError(
            f"The disk of {path.name} reports an error.", "Copy the packet to another disk and go on there."
        )
    return PacketError(f"{path.name} is damaged ({error}).", "Nothing was changed. Ask for a new packet.")


def _no_packet(path: Path) -> PacketError:
    return PacketError(f"{path.name} is not a btc_gui packet.", f"Choose a packet file ({SUFFIX}).")


class PacketFile:
    """An open packet. Safe to use from several threads, one call at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._identity = identity(path)
        self._lock = threading.Lock()

    # -- making and opening ----------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: Path,
        manifest: PacketManifest,
        pages: Mapping[str, str],
        items: Iterable[PacketItem],
        practice: Sequence[PracticeItem] = (),
    ) -> PacketOutline:
        """Write a new packet and give its outline. `items` come in the order of presentation, `practice` before them.

        Raises `PacketError` when `path` exists, can't be written, or when an item holds other fields than the
        manifest's allow-list.
        """
        path = path.resolve()
        if path.exists():
            raise PacketError(f"{path} exists already.", "Choose another name.")
        partial = path.with_name(f".{path.name}.partial")
        _check_folder(path.parent)
        with _plain_errors(path):
            partial.unlink(missing_ok=True)
            try:
                connection = sqlite3.connect(partial, isolation_level=None)
                try:
                    outline = _write(connection, manifest, pages, items, practice)
                finally:
                    connection.close()
                with partial.open("rb") as file:
                    os.fsync(file.fileno())
                os.replace(partial, path)
                _sync_folder(path.parent)
            finally:
                partial.unlink(missing_ok=True)
        return outline

    @classmethod
    def open(cls, path: Path, *, to_label: bool, to_audit: bool = False) -> Self:
        """Open a packet: to label (nobody else can open it meanwhile) or to read what came back.

        With `to_audit` further tables don't matter: they are what an audit looks for.

        Raises `PacketError` for what is no packet, one of a newer version, a damaged or read-only one, and one
        that is being labelled in another window.
        """
        path = path.resolve()
        if not path.is_file():
            raise PacketError(f"There is no packet {path}.", "Check the name.")
        refuse_strange_company(path, PacketError)
        with _plain_errors(path):
            # Read-write in both cases: a commit that a dying process left half-done is rolled back on opening.
            connection = sqlite3.connect(
                f"{path.as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute("PRAGMA busy_timeout = 300")
                distrust(connection)
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_TEXT)
                if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                    raise _no_packet(path)
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                if version > PACKET_VERSION:
                    raise PacketError(
                        f"{path.name} was made by a newer version of btc_gui.", "Install the newer version to open it."
                    )
                found = parts(connection)
                if to_audit:
                    found = frozenset(part for part in found if not is_plain_table(part))
                refuse_strange_parts(path, found, known_parts(version), PacketError)
                if to_label:
                    _take(connection)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection)

    def close(self) -> None:
        """Close the file and release its lock. Safe to call twice."""
        with self._lock, suppress(sqlite3.Error):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the immutable part ----------------------------------------------------------------------------------

    def outline(self) -> PacketOutline:
        """The immutable part without the items' texts. Raises `PacketError` when it is not as it was sealed."""
        with self._reading() as connection:
            manifests = connection.execute("SELECT content, digest FROM manifest").fetchall()
            pages = dict(connection.execute("SELECT name, content FROM page ORDER BY name").fetchall())
            rows = connection.execute("SELECT item, position, page, digest FROM item ORDER BY position").fetchall()
            practice = _practice(connection)
        if len(manifests) != 1:
            raise self._altered()
        text, digest = manifests[0]
        entries = tuple(OutlineEntry(ItemId(row[0]), row[1], row[2], row[3]) for row in rows)
        outline = PacketOutline(PacketManifest.from_json(text), pages, entries, practice)
        if outline.digest != digest:
            raise self._altered()
        outline.check()
        return outline

    def item(self, entry: OutlineEntry) -> PacketItem:
        """One item with its texts. Raises `PacketError` when they are not as they were sealed."""
        with self._reading() as connection:
            values = dict(
                connection.execute("SELECT field, content FROM shown WHERE position = ?", (entry.position,)).fetchall()
            )
        item = PacketItem(entry.item, entry.position, entry.page, values)
        if item.digest != entry.digest:
            raise self._altered()
        return item

    def _altered(self) -> PacketError:
        return PacketError(f"{self.path.name} was altered: it is not as it was made.", "Ask for a new packet.")

    # -- the labels ------------------------------------------------------------------------------------------

    def labels(self) -> list[GivenLabel]:
        """The whole log, oldest first."""
        with self._reading() as connection:
            columns = ", ".join(_label_columns(connection))
            rows = connection.execute(f"SELECT {columns} FROM label ORDER BY sequence").fetchall()
        return [GivenLabel(row[0], ItemId(row[1]), *row[2:]) for row in rows]

    def add_label(
        self,
        item: ItemId,
        label: str,
        *,
        reason: str = "",
        note: str = "",
        undoes: int | None = None,
        active_seconds: float = 0.0,
        confidence: int | None = None,
        answers: str = "",
        draft: str = "",
    ) -> GivenLabel:
        """Append one row, and leave `draft` as the item's unfinished note; on the disk when this returns."""
        at = now_utc()
        with self._writing() as connection:
            sequence = int(connection.execute("SELECT ifnull(max(sequence), 0) + 1 FROM label").fetchone()[0])
            values = (
                sequence,
                item,
                label,
                clean(reason),
                clean(note),
                undoes,
                active_seconds,
                at,
                confidence,
                answers,
            )
            columns = _label_columns(connection)
            connection.execute(
                f"INSERT INTO label ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})",
                values[: len(columns)],
            )
            _put_draft(connection, item, draft)
        return GivenLabel(sequence, item, label, reason, note, undoes, active_seconds, at, confidence, answers)

    # -- practice --------------------------------------------------------------------------------------------

    def practice_labels(self) -> list[PracticeLabel]:
        """What was answered in the practice, oldest first."""
        with self._reading() as connection:
            if not _has_practice(connection):
                return []
            rows = connection.execute(
                "SELECT sequence, item, label, answers, active_seconds, at FROM practice_label ORDER BY sequence"
            ).fetchall()
        return [PracticeLabel(row[0], ItemId(row[1]), *row[2:]) for row in rows]

    def add_practice_label(
        self, item: ItemId, label: str, *, answers: str = "", active_seconds: float = 0.0
    ) -> PracticeLabel:
        """Append one answer of the practice; on the disk when this returns."""
        at = now_utc()
        with self._writing() as connection:
            cursor = connection.execute(
                "INSERT INTO practice_label (item, label, answers, active_seconds, at) VALUES (?, ?, ?, ?, ?)",
                (item, label, answers, active_seconds, at),
            )
        assert cursor.lastrowid is not None
        return PracticeLabel(cursor.lastrowid, item, label, answers, active_seconds, at)

    # -- the state of the screen -----------------------------------------------------------------------------

    def skips(self) -> dict[ItemId, int]:
        """When (in what order) items were last skipped."""
        with self._reading() as connection:
            rows = connection.execute("SELECT item, max(sequence) FROM skip GROUP BY item").fetchall()
        return {ItemId(row[0]): row[1] for row in rows}

    def add_skip(self, item: ItemId) -> int:
        """Note that an item was put off; gives the number of the skip."""
        with self._writing() as connection:
            cursor = connection.execute("INSERT INTO skip (item, at) VALUES (?, ?)", (item, now_utc()))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def draft(self, item: ItemId) -> str:
        """The unfinished note of an item, or nothing."""
        with self._reading() as connection:
            row = connection.execute("SELECT content FROM draft WHERE item = ?", (item,)).fetchone()
        return str(row[0]) if row else ""

    def keep_draft(self, item: ItemId, text: str) -> None:
        """Keep an unfinished note; an empty one is removed."""
        with self._writing() as connection:
            _put_draft(connection, item, text)

    # -- inside ----------------------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _plain_errors(self.path):
            yield self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _plain_errors(self.path):
            if identity(self.path) != self._identity:
                # SQLite would go on, and nobody would find the label again.
                raise PacketError(
                    f"{self.path.name} is no longer at its place: it was moved, deleted or replaced while it was open.",
                    f"This was not saved. What was saved before is in the file: put it back as {self.path}.",
                )
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable, where the system can (Windows does it by itself)."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _take(connection: sqlite3.Connection) -> None:
    """Lock the file for this process until the connection closes, and make commits durable."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    # EXTRA also syncs the folder after the journal is gone: no acknowledged label returns to the past.
    connection.execute("PRAGMA synchronous = EXTRA")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.execute("BEGIN EXCLUSIVE")
    # Where nothing can be written SQLite locks nothing and says nothing. A write that is taken back finds it out now,
    # and not with somebody's first label.
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("ROLLBACK")


def _label_columns(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The columns of the log; packets of version 1 ask neither for confidence nor for the parts of a form."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    return _LABEL_COLUMNS[:8] if version == 1 else _LABEL_COLUMNS


def _has_practice(connection: sqlite3.Connection) -> bool:
    """Whether the packet is of a form that may hold practice items."""
    return bool(connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'practice_label'").fetchone())


def _practice(connection: sqlite3.Connection) -> tuple[PracticeItem, ...]:
    if not _has_practice(connection):
        return ()
    rows = connection.execute("SELECT item, page, content FROM practice ORDER BY position").fetchall()
    try:
        return tuple(PracticeItem(item=ItemId(row[0]), page=row[1], **json.loads(row[2])) for row in rows)
    except (TypeError, ValueError) as error:
        raise PacketError("The packet's practice items can't be read.", "Ask for a new packet.") from error


def _write_practice(connection: sqlite3.Connection, practice: Sequence[PracticeItem]) -> None:
    for position, item in enumerate(practice, start=1):
        content = {"values": dict(item.values), "label": item.label, "why": item.why, "answers": item.answers}
        connection.execute(
            "INSERT INTO practice (position, item, page, content) VALUES (?, ?, ?, ?)",
            (position, item.item, item.page, canonical_json(content)),
        )


def _put_draft(connection: sqlite3.Connection, item: ItemId, text: str) -> None:
    if text:
        connection.execute(
            "INSERT INTO draft (item, content) VALUES (?, ?) "
            "ON CONFLICT (item) DO UPDATE SET content = excluded.content",
            (item, clean(text)),
        )
    else:
        connection.execute("DELETE FROM draft WHERE item = ?", (item,))


def _write(
    connection: sqlite3.Connection,
    manifest: PacketManifest,
    pages: Mapping[str, str],
    items: Iterable[PacketItem],
    practice: Sequence[PracticeItem],
) -> PacketOutline:
    """Write the immutable part in the order of presentation, then vacuum: pages hold nothing else."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {PACKET_VERSION}")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.executescript(SCHEMA)
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany("INSERT INTO page (name, content) VALUES (?, ?)", sorted(pages.items()))
    _write_practice(connection, practice)
    entries: list[OutlineEntry] = []
    for item in items:
        item.check_fields(manifest)
        entry = OutlineEntry(item.item, item.position, item.page, item.digest)
        entries.append(entry)
        connection.execute(
            "INSERT INTO item (position, item, page, digest) VALUES (?, ?, ?, ?)",
            (entry.position, entry.item, entry.page, entry.digest),
        )
        connection.executemany(
            "INSERT INTO shown (position, field, content) VALUES (?, ?, ?)",
            [(item.position, name, text) for name, text in sorted(item.values.items())],
        )
    outline = PacketOutline(manifest, pages, tuple(entries), tuple(practice))
    outline.check()
    connection.execute(
        "INSERT INTO manifest (content, digest) VALUES (?, ?)", (canonical_json(manifest.as_json()), outline.digest)
    )
    connection.execute("COMMIT")
    connection.execute("VACUUM")
    return outline
