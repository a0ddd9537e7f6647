"""The open project: one connection a thread, the write transaction, migrating, closing.

Opening changes nothing. The first write switches to WAL, the last close goes back to one plain file.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from btc_gui import __version__
from btc_gui.domain.dates import now_utc
from btc_gui.errors import ProjectError
from btc_gui.store.connections import Connections
from btc_gui.store.migrations import STEPS, migrations
from btc_gui.store.open_files import identity, identity_and_size, in_use, let_go, use
from btc_gui.store.outside_file import distrust, refuse_strange_company
from btc_gui.store.project_file import (
    APPLICATION_ID,
    absolute,
    copy_to,
    in_words,
    lacks_wal,
    lost_log_error,
    moved_error,
    no_project,
    plain_errors,
    refuse_what_is_no_project,
    refuse_what_is_read_only,
)
from btc_gui.store.project_schema import added_parts, refuse_strange_schema

#: How many migrations this version knows; stored as the file's `user_version`.
SCHEMA_VERSION = len(STEPS)
#: How long a thread waits for another program that writes; and one that paints a window, which stands still meanwhile.
_BUSY_MILLISECONDS, _BRIEFLY_MILLISECONDS = 5_000, 1_000


_ORPHANS = "SELECT * FROM pragma_foreign_key_check(?)"
#: How often a thread that wants to write looks whether it can.
_LOOK_SECONDS = 0.002
#: So often a window writes before the log is brought into the file: a decision is eight pages of it, and SQLite itself
#: would do it at each thousand.
_WRITES_IN_LOG = 200
#: Earlier, when it has more bytes than this: bulk actions are large. It is cut to this when it begins anew.
_LARGE_LOG = 32 * 1024 * 1024
#: How often, and after what pause, it is tried to have all of the log in the file.
_TRIES, _PAUSE_SECONDS = 20, 0.05


class Database:
    """An open project. Give it to any thread: each one gets a connection of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        #: Whether a copy made by hand lacked its write-ahead log when it was opened: what was saved last is missing.
        self.lacks_last_changes = False
        self._identity = identity(path)
        use(self._identity)
        self._connections = Connections()
        #: Of each thread: whether it waits briefly, and how durable its connection's writes are.
        self._mine = threading.local()
        self._is_wal = False
        self._log_path = path.with_name(f"{path.name}-wal")
        #: The write-ahead log that the connections write to.
        self._log: tuple[int, int] | None = None
        #: How often a thread that waits briefly has written since the log was brought into the file.
        self._log_writes = 0
        #: Bytes of the log when it was looked at last, and beyond how many it is brought into the file.
        self._log_size, self._log_limit = 0, _LARGE_LOG
        self._renewing = threading.Lock()

    # -- opening ---------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, name: str = "") -> Database:
        """Make a new project at `path` and open it. Raises `ProjectError` when something is there already."""
        path = absolute(path)
        with plain_errors(path):
            if path.exists():
                raise ProjectError(f"{path} exists already.", "Choose another name, or open it.")
            path.parent.mkdir(parents=True, exist_ok=True)
            # Whole or not at all: beside its place first, in a place of this process's own.
            partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
            try:
                with closing(sqlite3.connect(partial, isolation_level=None)) as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    _migrate(connection)
                    connection.executemany(
                        "INSERT INTO project (key, value) VALUES (?, ?)",
                        [("name", name or path.stem), ("created_at", now_utc()), ("created_with", __version__)],
                    )
                    connection.execute("COMMIT")
                os.replace(partial, path)
            finally:
                partial.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Database:
        """Open a project, migrating an older one after making a copy.

        Raises `ProjectError` for what is not a project, a newer version, a damaged, locked or read-only file.
        """
        path = absolute(path)
        with plain_errors(path), in_use(path):
            refuse_strange_company(path, ProjectError)
            refuse_what_is_no_project(path)
            refuse_what_is_read_only(path)
            has_no_log = lacks_wal(path)
            connection = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, isolation_level=None)
            try:
                connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
                distrust(connection)
                if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                    raise no_project(path)
                # Version and schema of one moment: another window may be bringing the project up to date.
                connection.execute("BEGIN")
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                if version > SCHEMA_VERSION:
                    raise ProjectError(
                        f"{path.name} was made by a newer version of btc_gui (schema {version}, "
                        f"this one knows {SCHEMA_VERSION}).",
                        "Nothing was changed. Install the newer version to open it.",
                    )
                refuse_strange_schema(connection, path, version)
                connection.execute("COMMIT")
                if version < SCHEMA_VERSION:
                    _bring_up_to_date(path, connection)
            finally:
                connection.close()
            database = cls(path)
        database.lacks_last_changes = has_no_log
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
        connection = self._connections.mine()
        if connection is None:
            if self._connections.is_closed:
                raise self._closed_error()
            with plain_errors(self.path):
                self._refuse_if_moved()
                # Used by this thread only; the flag lets `close` end the connections of threads that are gone.
                connection = sqlite3.connect(
                    f"{self.path.as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
                )
                connection.row_factory = sqlite3.Row
                distrust(connection)
                connection.execute(f"PRAGMA busy_timeout = {self._patience}")
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute(f"PRAGMA journal_size_limit = {_LARGE_LOG}")
                self._mine.synchronous = ""
                if self._waits_briefly:
                    connection.execute("PRAGMA wal_autocheckpoint = 0")
            if not self._connections.keep(connection):
                raise self._closed_error()
        return connection

    def _closed_error(self) -> ProjectError:
        return ProjectError(f"{self.path.name} is closed.", "Open it again.")

    def wait_briefly(self) -> None:
        """Let this thread wait only a moment for another program that writes, since a window stands still meanwhile.

        Then it gets the same `ProjectError` as others do after five seconds. Bringing the log into the file, which one
        in a hundred writes would have to do, is done beside it.
        """
        self._mine.briefly = True
        self.read().execute(f"PRAGMA busy_timeout = {self._patience}")
        self.read().execute("PRAGMA wal_autocheckpoint = 0")

    @property
    def _waits_briefly(self) -> bool:
        return getattr(self._mine, "briefly", False)

    @property
    def _patience(self) -> int:
        return _BRIEFLY_MILLISECONDS if self._waits_briefly else _BUSY_MILLISECONDS

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction, begun IMMEDIATE: all of it or nothing. Within another one it joins that.

        `durable=False` (bulk loads) lets the last moments be lost with the power, never the file's integrity.
        Raises `ProjectError` when the file is locked, full, read-only, or no longer at its place.
        """
        connection = self.read()
        if connection.in_transaction:
            yield connection
            return
        with plain_errors(self.path):
            connection = self._begun("FULL" if durable else "NORMAL")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise
            if self._has_lost_log():
                self._connect_anew()
                raise lost_log_error(self.path)
            if self._waits_briefly:
                self._count_write()

    def _begun(self, synchronous: str) -> sqlite3.Connection:
        """This thread's connection within a transaction, whose log is at its place."""
        self._refuse_if_moved()
        connection = self.read()
        self._use_wal(connection)
        if self._mine.synchronous != synchronous:
            connection.execute(f"PRAGMA synchronous = {synchronous}")
            self._mine.synchronous = synchronous
        self._begin(connection)
        if not self._has_lost_log():
            return connection
        connection.execute("ROLLBACK")
        self._connect_anew()
        return self._begun(synchronous)

    def _count_write(self) -> None:
        """Have the log brought into the file now and then, which waits for the disk more than once."""
        self._log_writes += 1
        size = self._log_size
        if size <= _LARGE_LOG:
            self._log_limit = _LARGE_LOG
        if self._log_writes >= _WRITES_IN_LOG or size > self._log_limit:
            self._log_writes = 0
            # Where somebody reads, it may go on growing: then it is tried again only when it has grown as much.
            self._log_limit = size + _LARGE_LOG
            threading.Thread(target=self._empty_log, name="log", daemon=True).start()

    def _empty_log(self) -> None:
        # What can't be done now is done later: by the next one, or when the project is closed.
        with suppress(sqlite3.Error, ProjectError):
            for _ in range(_TRIES):
                _, pages, done = self.read().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                if done >= pages:
                    break
                # Somebody wrote meanwhile, or reads: the log begins anew only once all of it is in the file.
                time.sleep(_PAUSE_SECONDS)
        self._connections.let_go()

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Begin to write as soon as nobody else does.

        SQLite itself looks only ten times a second after the first third of one: among the many short transactions of
        a bulk load it would not find a gap for long.
        """
        deadline = time.monotonic() + self._patience / 1000
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                time.sleep(_LOOK_SECONDS)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {self._patience}")

    def _refuse_if_moved(self) -> None:
        """Raise `ProjectError` when another file, or none, is where the project was opened.

        SQLite would go on writing to a file that nobody finds again, or to the log of one file beside another.
        """
        if identity(self.path) != self._identity:
            raise moved_error(self.path)

    def _has_lost_log(self) -> bool:
        """Whether the log that is written to is no longer at its place: nobody would find what it gets.

        So it is when something in this process (a library, say) opened and closed the file, which takes its POSIX
        locks away: another process that closes the project then takes itself for the last one, and removes the log.
        """
        # Its size is had from the same look, for whoever writes next.
        found, self._log_size = identity_and_size(self._log_path)
        self._log = self._log or found
        return found is None or found != self._log

    def _connect_anew(self) -> None:
        """Close the connections of all threads: the next ones have the present log, and locks again."""
        with self._renewing:
            if self._has_lost_log():
                old, self._connections = self._connections, Connections()
                self._is_wal, self._log = False, None
                old.close()

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        # SQLite does not wait its busy timeout for this one statement when another process writes: wait here.
        deadline = time.monotonic() + self._patience / 1000
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
        """A number that changes when another process (or thread) has written to the file. Raises `ProjectError`."""
        with plain_errors(self.path):
            if self._log is not None and self._has_lost_log():
                self._connect_anew()
            return int(self.read().execute("PRAGMA data_version").fetchone()[0])

    def state_of_data(self) -> tuple[int, int]:
        """What is another after every write to the file, by this thread too. Each thread has a count of its own.

        Raises `ProjectError` when the file can't be read.
        """
        with plain_errors(self.path):
            return self.version_of_data(), self.read().total_changes

    # -- the file --------------------------------------------------------------------------------------------

    def copy(self, target: Path) -> Path:
        """Write a complete copy (SQLite's backup API), also while others write. Never overwrites.

        Raises `ProjectError` when `target` exists, has no room or can't be written.
        """
        # A file that was moved away can be reached by those only that were opened before.
        opened = self._connections.first() if identity(self.path) != self._identity else None
        return copy_to(opened or self.read(), target)

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
            orphans = [row for table in self._our_tables() for row in self.read().execute(_ORPHANS, (table,))]
        return [f"orphaned row {row[1]} in {row[0]} (no {row[2]})" for row in orphans]

    def _our_tables(self) -> list[str]:
        """All tables but those that people have added: what refers to what in theirs is their own business."""
        added = {name for _, name in self.added_parts()}
        rows = self.read().execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return [row[0] for row in rows if row[0] not in added]

    def added_parts(self) -> list[tuple[str, str]]:
        """Type and name of the tables, indexes and views that people have added to the file; we leave them alone."""
        return [(kind, name) for kind, name, _, _ in added_parts(self.read())]

    def close(self) -> None:
        """Close all connections; the last one of all processes leaves one plain file. Safe to call twice.

        Reads that other threads are in the middle of are interrupted, transactions waited for (two seconds at most).
        """
        if not self._connections.close():
            return
        try:
            if identity(self.path) == self._identity:
                self._make_one_file()
        finally:
            let_go(self._identity)

    def _make_one_file(self) -> None:
        # Fails harmlessly while another process has the project open: the last one does it.
        with suppress(sqlite3.Error):
            last = sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0.2)
            with closing(last):
                # Another process may have switched to a log, and have closed before this one, which only read. Asked
                # of SQLite: who opens and closes the file besides takes away the locks that this process has on it.
                if last.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
                    last.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    last.execute("PRAGMA journal_mode = DELETE")

    def __enter__(self) -> Database:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close. An error that SQLite met in a SELECT (a damaged page, a table gone) leaves as a `ProjectError`."""
        self.close()
        if error is not None and (known := in_words(self.path, error)) is not error:
            raise known from error


def _roll_back(connection: sqlite3.Connection) -> None:
    # SQLite itself has rolled back already after some errors (disk full, for one).
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _bring_up_to_date(path: Path, connection: sqlite3.Connection) -> None:
    """Copy an older project and migrate it: all steps or, when the process dies, none of them."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another window may have done it while this one waited for the file.
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version < SCHEMA_VERSION:
            from btc_gui.store.own_parts import views_set_aside

            _copy_before_migrating(path, version)
            views = [name for kind, name, _, _ in added_parts(connection, version) if kind == "view"]
            with views_set_aside(connection, views):
                _migrate(connection)
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _copy_before_migrating(path: Path, version: int) -> None:
    target = path.with_name(f"{path.stem}.before-schema-{SCHEMA_VERSION}{path.suffix}")
    if target.exists():
        target = path.with_name(f"{path.stem}.from-schema-{version}-{now_utc()[:19].replace(':', '')}{path.suffix}")
    # By a connection of its own: SQLite copies nothing by one that is writing.
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
        copy_to(reader, target, spare=path.stat().st_size)


def _migrate(connection: sqlite3.Connection) -> None:
    # sqlite-utils pulls in pandas: only those who create or migrate a project pay for it.
    from sqlite_utils import Database as SqliteUtilsDatabase

    migrations().apply(SqliteUtilsDatabase(connection, execute_plugins=False))
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
