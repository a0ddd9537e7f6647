"""Who drives a run now: one process, or one for each of its shards."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from btc_gui.domain.run import RunId
from btc_gui.domain.shard import Shard
from btc_gui.errors import ProjectError, RunError
from btc_gui.store.database import Database
from btc_gui.store.lease import from_now, is_held

#: Far more than any lease that is taken (seconds, renewed all the time).
_LONGEST = 300.0


class LeaseStore:
    """The leases of a project's runs. A lease ends by itself when it is not renewed: its process has died."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, run_id: RunId, owner: str, seconds: float, shard: Shard | None = None) -> None:
        """Drive this run (or this shard of it) from now on, for `seconds` unless renewed.

        A whole run excludes its shards, and shards exclude each other unless they are parts of the same cut.
        Raises `RunError` while somebody else drives it, `ProjectError` when there is no such run.
        """
        with self._database.write() as connection:
            row = connection.execute("SELECT * FROM run WHERE id = ?", (run_id,)).fetchone()
            if row is None:
                raise ProjectError(f"There is no run {run_id} in this project.")
            _refuse_while_driven(row["name"], row["lease_owner"], row["lease_until"], owner)
            for other in connection.execute("SELECT * FROM shard_lease WHERE run_id = ?", (run_id,)).fetchall():
                if _clash(shard, Shard.parse(other["shard"])):
                    name = f"{row['name']}, shard {other['shard']}"
                    _refuse_while_driven(name, other["owner"], other["until"], owner)
            if shard is None:
                connection.execute(
                    "UPDATE run SET lease_owner = ?, lease_until = ? WHERE id = ?", (owner, from_now(seconds), run_id)
                )
            else:
                connection.execute(
                    "INSERT INTO shard_lease (run_id, shard, owner, until) VALUES (?, ?, ?, ?) "
                    "ON CONFLICT (run_id, shard) DO UPDATE SET owner = excluded.owner, until = excluded.until",
                    (run_id, shard.text, owner, from_now(seconds)),
                )

    def is_driven(self, run_id: RunId) -> bool:
        """Whether somebody drives this run now."""
        row = self._database.read().execute("SELECT * FROM run WHERE id = ?", (run_id,)).fetchone()
        return row is not None and is_held(row["lease_owner"], row["lease_until"], "", _LONGEST)

    def renew(self, run_id: RunId, owner: str, seconds: float, shard: Shard | None = None) -> None:
        """Drive this run or shard for `seconds` more. Raises `RunError` when somebody else has taken it over."""
        with self._database.write(durable=False) as connection:
            cursor = _update(connection, run_id, owner, shard, owner, from_now(seconds))
            if cursor.rowcount == 0:
                raise RunError(
                    "Another window or terminal has taken over this run.",
                    "It goes on there; all answers received so far are stored.",
                )

    def release(self, run_id: RunId, owner: str, shard: Shard | None = None) -> None:
        """Stop driving this run or shard; nothing happens when somebody else drives it."""
        with self._database.write() as connection:
            _update(connection, run_id, owner, shard, "", "")


def _update(
    connection: sqlite3.Connection, run_id: RunId, owner: str, shard: Shard | None, new: str, until: str
) -> sqlite3.Cursor:
    if shard is None:
        return connection.execute(
            "UPDATE run SET lease_owner = ?, lease_until = ? WHERE id = ? AND lease_owner = ?",
            (new, until, run_id, owner),
        )
    return connection.execute(
        "UPDATE shard_lease SET owner = ?, until = ? WHERE run_id = ? AND shard = ? AND owner = ?",
        (new, until, run_id, shard.text, owner),
    )


def _clash(shard: Shard | None, other: Shard) -> bool:
    return shard is None or shard == other or shard.count != other.count


def _refuse_while_driven(name: str, driver: str, until: str, owner: str) -> None:
    if is_held(driver, until, owner, _LONGEST):
        left = datetime.fromisoformat(until) - datetime.now(UTC)
        raise RunError(
            f"The run “{name}” is already going in another window or terminal ({driver}).",
            f"Stop it there first; if that program is gone, try again in {left.total_seconds():.0f} seconds.",
        )
