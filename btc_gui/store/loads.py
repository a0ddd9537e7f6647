"""Loads: which file was read when, what came of it, and how files with the same columns are read."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NewType

from btc_gui.domain.column_mapping import LoadSubject, columns_hash
from btc_gui.domain.dates import now_utc
from btc_gui.domain.load_report import LoadReport, Rejection
from btc_gui.errors import ProjectError
from btc_gui.progress import Progress
from btc_gui.store.database import Database

LoadId = NewType("LoadId", int)
#: The open transaction of a batch, for the stores' `add_many`.
Batch = sqlite3.Connection
#: A load without a sign of life for so long has died.
_DEAD_AFTER_SECONDS = 15.0
#: How long a batch waits for another program that holds the file.
_PATIENCE_SECONDS = 60.0
_DELETED_AT_ONCE = 200
#: Stands in `alive_at` while a load is being removed: it can no longer go on or be completed.
_GIVEN_UP = "-"


@dataclass(frozen=True, slots=True)
class Load:
    """One file that was read, with its counts."""

    id: LoadId
    subject: LoadSubject
    file: str
    sha256: str
    at: str
    read: int
    new: int
    known: int
    rejected: int


class LoadStore:
    """The loads of a project. Rows that carry a load's id count only once it is complete."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def loads(self) -> list[Load]:
        """The complete loads, the newest first."""
        rows = self._database.read().execute(
            "SELECT * FROM load WHERE completed_at IS NOT NULL AND subject IN ('events', 'probes', 'answers') "
            "ORDER BY id DESC"
        )
        return [
            Load(
                id=LoadId(row["id"]),
                subject=LoadSubject(row["subject"]),
                file=row["file"],
                sha256=row["sha256"],
                at=row["completed_at"],
                read=row["read"],
                new=row["new"],
                known=row["known"],
                rejected=row["rejected"],
            )
            for row in rows
        ]

    def file_with(self, subject: LoadSubject, sha256: str) -> str:
        """The name under which a file with this content was loaded last; empty when it never was."""
        row = (
            self._database.read()
            .execute(
                "SELECT file FROM load WHERE subject = ? AND sha256 = ? AND completed_at IS NOT NULL "
                "ORDER BY id DESC LIMIT 1",
                (subject, sha256),
            )
            .fetchone()
        )
        return "" if row is None else str(row["file"])

    def rejections(self, load_id: LoadId) -> list[Rejection]:
        """The rows of a load that were not taken, by line."""
        rows = self._database.read().execute(
            "SELECT line, reason, content FROM load_rejection WHERE load_id = ? ORDER BY line, rowid", (load_id,)
        )
        return [Rejection(row["line"], row["reason"], row["content"]) for row in rows]

    def remembered_mapping(self, subject: LoadSubject, columns: Iterable[str]) -> dict[str, str] | None:
        """How a file with these columns was read last time, or None."""
        row = (
            self._database.read()
            .execute(
                "SELECT mapping FROM column_mapping WHERE subject = ? AND columns_hash = ?",
                (subject, columns_hash(columns)),
            )
            .fetchone()
        )
        return None if row is None else dict(json.loads(row["mapping"]))

    # -- writing ---------------------------------------------------------------------------------------------

    def remember_mapping(self, subject: LoadSubject, columns: Iterable[str], mapping: Mapping[str, str]) -> None:
        """Read files with these columns in this way from now on."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO column_mapping (subject, columns_hash, mapping, at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (subject, columns_hash) DO UPDATE SET mapping = excluded.mapping, at = excluded.at",
                (subject, columns_hash(columns), json.dumps(dict(mapping), ensure_ascii=False), now_utc()),
            )

    def start(
        self, subject: LoadSubject, file: str, sha256: str, mapping: Mapping[str, str], progress: Progress
    ) -> LoadId:
        """Begin a load. Waits for one of the same subject in another window, so that neither repeats the other's rows.

        Raises `Cancelled`.
        """
        while True:
            with self._database.write() as connection:
                others = connection.execute(
                    "SELECT id, file, max(started_at, alive_at) AS alive FROM load "
                    "WHERE subject = ? AND completed_at IS NULL",
                    (subject,),
                ).fetchall()
                if not others:
                    now = now_utc()
                    cursor = connection.execute(
                        "INSERT INTO load (subject, file, sha256, mapping, started_at, alive_at) "
                        "VALUES (?, ?, ?, ?, ?, ?)",
                        (subject, file, sha256, json.dumps(dict(mapping), ensure_ascii=False), now, now),
                    )
                    assert cursor.lastrowid is not None
                    return LoadId(cursor.lastrowid)
            for row in others:
                if row["alive"] < _dead_before():
                    self.discard(LoadId(row["id"]))
                else:
                    progress.report(0, 0, f"Waiting for {row['file']}, which is being loaded elsewhere")
            progress.wait(0.1)

    def adding_events(self, connection: Batch) -> str:
        """The file of which a load is adding events, empty when there is none; within the caller's transaction.

        Its events don't count yet, so who adds others now can't tell whether they are the same. A load that has died
        is given up here: it can no longer be completed.
        """
        connection.execute(
            "UPDATE load SET alive_at = ? WHERE completed_at IS NULL AND max(started_at, alive_at) < ?",
            (_GIVEN_UP, _dead_before()),
        )
        row = connection.execute(
            "SELECT file FROM load WHERE completed_at IS NULL AND alive_at <> ? "
            "AND (subject = ? OR EXISTS (SELECT 1 FROM event WHERE load_id = load.id))",
            (_GIVEN_UP, LoadSubject.EVENTS),
        ).fetchone()
        return "" if row is None else str(row["file"])

    def refuse_while_adding_events(self, connection: Batch) -> None:
        """Raise `ProjectError` while a load adds events; within the caller's transaction."""
        if file := self.adding_events(connection):
            raise ProjectError(f"{file} is being loaded, and may hold this event.", "Add it when that is done.")

    @contextmanager
    def batch(self, load_id: LoadId) -> Iterator[Batch]:
        """A short transaction of a load; also its sign of life.

        Raises `ProjectError` when the load was cleared meanwhile: it had stood still for too long.
        """
        with self._patient_write() as connection:
            alive = connection.execute(
                "UPDATE load SET alive_at = ? WHERE id = ? AND alive_at <> ?", (now_utc(), load_id, _GIVEN_UP)
            )
            if not alive.rowcount:
                raise ProjectError(
                    "The load stood still for so long that another window cleared it.",
                    "Nothing of it counts. Load the file again.",
                )
            yield connection

    @contextmanager
    def _patient_write(self) -> Iterator[sqlite3.Connection]:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            begun = False
            try:
                with self._database.write(durable=False) as connection:
                    begun = True
                    yield connection
                return
            except ProjectError as error:
                cause = error.__cause__
                is_busy = isinstance(cause, sqlite3.OperationalError) and cause.sqlite_errorname == "SQLITE_BUSY"
                if begun or not is_busy or time.monotonic() > deadline:
                    raise

    def reject(self, connection: Batch, load_id: LoadId, rejections: Iterable[Rejection]) -> None:
        """Keep rejected rows, within the caller's batch."""
        connection.executemany(
            "INSERT INTO load_rejection (load_id, line, reason, content) VALUES (?, ?, ?, ?)",
            [(load_id, rejection.line, rejection.reason, rejection.content) for rejection in rejections],
        )

    def complete(self, load_id: LoadId, report: LoadReport) -> None:
        """Let the rows of a load count, from one moment to the next and for good."""
        with self._database.write() as connection:
            done = connection.execute(
                "UPDATE load SET completed_at = ?, read = ?, new = ?, known = ?, rejected = ? "
                "WHERE id = ? AND alive_at <> ?",
                (now_utc(), report.read, report.new, report.known, len(report.rejected), load_id, _GIVEN_UP),
            )
            if not done.rowcount:
                raise ProjectError("The load was cleared by another window.", "Load the file again.")

    def discard(self, load_id: LoadId) -> None:
        """Remove a load that is not complete, and its rows, in short steps. A complete one stays as it is."""
        with self._patient_write() as connection:
            given_up = connection.execute(
                "UPDATE load SET alive_at = ? WHERE id = ? AND completed_at IS NULL", (_GIVEN_UP, load_id)
            )
            if not given_up.rowcount:
                return
        self._forget_drafts(load_id)
        for table in ("probe", "event", "load_rejection"):
            removed = 1
            while removed:
                with self._patient_write() as connection:
                    removed = connection.execute(
                        f"DELETE FROM {table} WHERE rowid IN "
                        f"(SELECT rowid FROM {table} WHERE load_id = ? LIMIT {_DELETED_AT_ONCE})",
                        (load_id,),
                    ).rowcount
        with self._patient_write() as connection:
            connection.execute("DELETE FROM load WHERE id = ?", (load_id,))

    def _forget_drafts(self, load_id: LoadId) -> None:
        """Remove what was being typed about the probes of a load: their ids will be other probes'."""
        with self._patient_write() as connection:
            places = connection.execute("SELECT place FROM draft WHERE place LIKE 'review-%/%'").fetchall()
            for (place,) in places:
                connection.execute(
                    "DELETE FROM draft WHERE place = ? AND EXISTS (SELECT 1 FROM probe WHERE id = ? AND load_id = ?)",
                    (place, int(place.split("/")[1]), load_id),
                )


def _dead_before() -> str:
    limit = datetime.now(UTC) - timedelta(seconds=_DEAD_AFTER_SECONDS)
    return limit.isoformat(timespec="milliseconds")
