"""The project file: opening it, one connection a thread, the write transaction, and what goes wrong with files.

Opening changes nothing. The first write switches to WAL, the last close goes back to one plain file.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from btc_gui import __version__
from btc_gui.domain.dates import now_utc
from btc_gui.errors import ProjectError
from btc_gui.store.migrations import STEPS, migrations

#: Marks a SQLite file as a project of this app ("BTCg").
APPLICATION_ID = 0x42544367
#: How many migrations this version knows; stored as the file's `user_version`.
SCHEMA_VERSION = len(STEPS)
_BUSY_MILLISECONDS = 5_000


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's and the file system's errors about `path` into a `ProjectError` with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise _plain(path, error) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise ProjectError(f"There is no space left for {path.name}.", "Free some space and try again.") from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ProjectError(
                f"{path} can't be written: its folder or file is read-only.", "Choose another place."
            ) from error
        raise ProjectError(f"{path} can't be used: {error.strerror or error}.") from error


def _plain(path: Path, error: sqlite3.Error) -> ProjectError:
    text = str(error).lower()
    if "locked" in text or "busy" in text:
        return ProjectError(
            f"{path.name} is locked by another program.",
            "Nothing was changed. Close the other program, or wait until it has finished, and try again.",
        )
    if "full" in text:
        return ProjectError(f"There is no space left for {path.name}.", "Free some space and try again.")
    if "readonly" in text or "read-only" in text:
        return ProjectError(f"{path} is read-only.", "Copy it to a folder where you can write, and open the copy.")
    if "not a database" in text:
        return ProjectError(f"{path.name} is not a btc_gui project.", "Choose a project file (.btc).")
    if "malformed" in text or "corrupt" in text:
        return ProjectError(
            f"{path.name} is damaged ({error}).",
            "Nothing was changed. Go back to a copy, or recover what can be read with “sqlite3 FILE .recover”.",
        )
    if "unable to open" in text:
        return ProjectError(f"{path} can't be opened.", "Check that the file and its folder exist and can be written.")
    return ProjectError(f"{path.name} can't be used: {error}.")


class Database:
    """An open project. Give it to any thread: each one gets a connection of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._is_wal = False
        self._is_closed = False

    # -- opening ---------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, name: str = "") -> Database:
        """Make a new project at `path` and open it. Raises `ProjectError` when something is there already."""
        path = _absolute(path)
        with plain_errors(path):
            if path.exists():
                raise ProjectError(f"{path} exists already.", "Choose another name, or open it.")
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                connection = sqlite3.connect(path, isolation_level=None)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                _migrate(connection)
                connection.executemany(
                    "INSERT INTO project (key, value) VALUES (?, ?)",
                    [("name", name or path.stem), ("created_at", now_utc()), ("created_with", __version__)],
                )
                connection.close()
            except BaseException:
                path.unlink(missing_ok=True)
                raise
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Database:
        """Open a project, migrating an older one after making a copy.

        Raises `ProjectError` for what is not a project, a newer version, a damaged, locked or read-only file.
        """
        path = _absolute(path)
        with plain_errors(path):
            _refuse_what_is_no_project(path)
            _refuse_what_is_read_only(path)
            connection = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, isolation_level=None)
            try:
                connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
                if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                    raise ProjectError(f"{path.name} is not a btc_gui project.", "Choose a project file (.btc).")
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                if version > SCHEMA_VERSION:
                    raise ProjectError(
                        f"{path.name} was made by a newer version of btc_gui (schema {version}, "
                        f"this one knows {SCHEMA_VERSION}).",
                        "Nothing was changed. Install the newer version to open it.",
                    )
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
                if version < SCHEMA_VERSION:
                    _copy_before_migrating(path, connection, version)
                    _migrate(connection)
            finally:
                connection.close()
        database = cls(path)
        try:
            database._clear_broken_loads()
        except BaseException:
            database.close()
            raise
        return database

    def _clear_broken_loads(self) -> None:
        """Remove the rows of loads that never finished: their process died half-way.

        A load going on in another window is told apart by its last sign of life.
        """
        stale = "completed_at IS NULL AND max(started_at, alive_at) < ?"
        limit = datetime.fromtimestamp(datetime.now(UTC).timestamp() - 600, UTC).isoformat(timespec="milliseconds")
        broken = self.read().execute(f"SELECT id FROM load WHERE {stale}", (limit,)).fetchall()
        for row in broken:
            with self.write() as connection:
                # Looked at again: the other window may have been slow, not dead, and have completed it since.
                connection.execute(f"DELETE FROM load WHERE id = ? AND {stale}", (row["id"], limit))

    # -- reading and writing ---------------------------------------------------------------------------------

    def read(self) -> sqlite3.Connection:
        """This thread's connection, for SELECTs. Rows can be read by column name."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            with self._lock:
                if self._is_closed:
                    raise ProjectError(f"{self.path.name} is closed.", "Open it again.")
            with plain_errors(self.path):
                # Used by this thread only; the flag lets `close` end the connections of threads that are gone.
                connection = sqlite3.connect(
                    f"{self.path.as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
                )
                connection.row_factory = sqlite3.Row
                connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA synchronous = FULL")
            with self._lock:
                self._connections.append(connection)
            self._local.connection = connection
        return connection

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction, begun IMMEDIATE: all of it or nothing. Within another one it joins that.

        `durable=False` (bulk loads) lets the last moments be lost with the power, never the file's integrity.
        Raises `ProjectError` when the file is locked, full, read-only or gone.
        """
        connection = self.read()
        if connection.in_transaction:
            yield connection
            return
        with plain_errors(self.path):
            self._use_wal(connection)
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        # SQLite does not wait its busy timeout for this one statement when another process writes: wait here.
        deadline = time.monotonic() + _BUSY_MILLISECONDS / 1000
        while not self._is_wal:
            try:
                self._is_wal = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal"
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
            if not self._is_wal:
                time.sleep(0.02)
                if time.monotonic() > deadline:
                    raise sqlite3.OperationalError("database is locked")

    def version_of_data(self) -> int:
        """A number that changes when another process (or thread) has written to the file."""
        return int(self.read().execute("PRAGMA data_version").fetchone()[0])

    # -- the file --------------------------------------------------------------------------------------------

    def copy(self, target: Path) -> Path:
        """Write a complete copy (SQLite's backup API), also while others write. Never overwrites.

        Raises `ProjectError` when `target` exists, has no room or can't be written.
        """
        return _copy(self.read(), self.path, target)

    def integrity_problems(self) -> list[str]:
        """What SQLite's own checks find: damaged pages and rows that point nowhere. Reads the whole file."""
        with plain_errors(self.path):
            try:
                pages = [row[0] for row in self.read().execute("PRAGMA integrity_check").fetchall()]
            except sqlite3.DatabaseError as error:
                pages = [str(error)]
            if pages != ["ok"]:
                # Rows of a damaged file can't be followed any further.
                return [f"integrity: {text}" for text in pages]
            orphans = self.read().execute("PRAGMA foreign_key_check").fetchall()
        return [f"orphaned row {row[1]} in {row[0]} (no {row[2]})" for row in orphans]

    def close(self) -> None:
        """Close all connections; the last one of all processes leaves one plain file. Safe to call twice."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            connections, self._connections = self._connections, []
        is_wal = self._is_wal
        for connection in connections:
            with suppress(sqlite3.Error):
                # Another process may have switched, and have closed before this one, which only read.
                is_wal = is_wal or connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
                connection.close()
        if not is_wal:
            return
        # Fails harmlessly while another process has the project open: the last one does it.
        with suppress(sqlite3.Error):
            last = sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0.2)
            try:
                last.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                last.execute("PRAGMA journal_mode = DELETE")
            finally:
                last.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close. An error that SQLite met in a SELECT (a damaged page, a table gone) leaves as a `ProjectError`."""
        self.close()
        # Exactly these two come from the file's state; their subclasses (a broken constraint, wrong use) are ours.
        if type(error) in (sqlite3.DatabaseError, sqlite3.OperationalError):
            assert isinstance(error, sqlite3.Error)
            raise _plain(self.path, error) from error


def _roll_back(connection: sqlite3.Connection) -> None:
    # SQLite itself has rolled back already after some errors (disk full, for one).
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _absolute(path: Path) -> Path:
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise ProjectError(f"The name {str(path)!a} is not UTF-8.", "Choose another name.") from error
    with plain_errors(path):
        try:
            return path.resolve()
        except RuntimeError as error:
            raise ProjectError(f"{path} is a link that leads back to itself.", "Choose a file.") from error


def _refuse_what_is_no_project(path: Path) -> None:
    if not path.exists():
        raise ProjectError(f"There is no file {path}.", "Check the name, or make a project with “btc-gui new”.")
    if path.is_dir():
        raise ProjectError(f"{path} is a folder, not a project file.", "Choose a project file (.btc).")
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\x00":
            raise ProjectError(f"{path.name} is not a btc_gui project.", "Choose a project file (.btc).")


def _refuse_what_is_read_only(path: Path) -> None:
    writable = os.access(path, os.W_OK) and path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    if not writable or not os.access(path.parent, os.W_OK):
        raise ProjectError(
            f"{path} is read-only.",
            "Copy it to a folder where you can write (btc-gui copy FILE TARGET), and open the copy.",
        )


def copy_project(path: Path, target: Path) -> Path:
    """Copy a project without opening it for writing: also one that is read-only, or of an older version.

    Never overwrites. Raises `ProjectError` as `Database.open` and `Database.copy` do.
    """
    path = _absolute(path)
    with plain_errors(path):
        _refuse_what_is_no_project(path)
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise ProjectError(f"{path.name} is not a btc_gui project.", "Choose a project file (.btc).")
            return _copy(connection, path, target)
        finally:
            connection.close()


def _copy(connection: sqlite3.Connection, path: Path, target: Path) -> Path:
    target = _absolute(target)
    with plain_errors(target):
        if target.exists():
            raise ProjectError(f"{target} exists already.", "Choose another name.")
        target.parent.mkdir(parents=True, exist_ok=True)
        _refuse_too_little_space(target.parent, path.stat().st_size)
        partial = target.with_name(f".{target.name}.partial")
        partial.unlink(missing_ok=True)
        try:
            with sqlite3.connect(partial) as copy:
                connection.backup(copy)
            copy.close()
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)
    return target


def _refuse_too_little_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + 10_000_000:
        raise ProjectError(
            f"There is not enough space in {folder}: {needed / 1e6:.0f} MB needed, {free / 1e6:.0f} MB free.",
            "Free some space or choose another place.",
        )


def _copy_before_migrating(path: Path, connection: sqlite3.Connection, version: int) -> None:
    _refuse_too_little_space(path.parent, 2 * path.stat().st_size)
    target = path.with_name(f"{path.stem}.before-schema-{SCHEMA_VERSION}{path.suffix}")
    if target.exists():
        target = path.with_name(f"{path.stem}.from-schema-{version}-{now_utc()[:19].replace(':', '')}{path.suffix}")
    with sqlite3.connect(target) as copy:
        connection.backup(copy)
    copy.close()


def _migrate(connection: sqlite3.Connection) -> None:
    # sqlite-utils pulls in pandas: only those who create or migrate a project pay for it.
    from sqlite_utils import Database as SqliteUtilsDatabase

    migrations().apply(SqliteUtilsDatabase(connection, execute_plugins=False))
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
