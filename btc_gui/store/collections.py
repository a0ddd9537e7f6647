"""Collections and every answer they got, as it came."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date

from btc_gui.domain.collection import Collection, CollectionId, Question, ReplyOutcome
from btc_gui.domain.dates import now_utc
from btc_gui.errors import ProjectError
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.lease import from_now, is_gone, is_held
from btc_gui.store.query import CHUNK

#: How long a collection is held without a sign of life: longer than the longest wait and the request after it.
_HELD_SECONDS = 900.0
_COLUMNS = "collection.*, (SELECT count(*) FROM candidate WHERE collection_id = collection.id AND event_id IS NOT NULL)"


class CollectionStore:
    """The collections of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def all(self) -> list[Collection]:
        """All collections, the newest first."""
        rows = self._database.read().execute(f"SELECT {_COLUMNS} AS new FROM collection ORDER BY id DESC")
        return [_collection(row) for row in rows]

    def get(self, collection_id: CollectionId) -> Collection:
        """One collection. Raises `ProjectError` when there is none of that id."""
        row = (
            self._database.read()
            .execute(f"SELECT {_COLUMNS} AS new FROM collection WHERE id = ?", (collection_id,))
            .fetchone()
        )
        if row is None:
            raise ProjectError(f"There is no collection {collection_id} in this project.")
        return _collection(row)

    def latest(self, question: Question) -> Collection | None:
        """The newest collection that asks exactly this, complete or not."""
        row = (
            self._database.read()
            .execute(
                f"SELECT {_COLUMNS} AS new FROM collection WHERE category = ? AND first_day = ? AND last_day = ? "
                "AND service = ? AND address = ? AND plan_hash = ? ORDER BY id DESC LIMIT 1",
                _question_values(question),
            )
            .fetchone()
        )
        return None if row is None else _collection(row)

    def parts(self, collection_id: CollectionId) -> dict[tuple[str, str], ReplyOutcome]:
        """What came of every part that was asked, by query and part."""
        rows = self._database.read().execute(
            "SELECT query, part, outcome FROM collection_reply WHERE collection_id = ?", (collection_id,)
        )
        return {(row["query"], row["part"]): ReplyOutcome(row["outcome"]) for row in rows}

    def answers(self, collection_id: CollectionId, query: str) -> Iterator[tuple[str, str]]:
        """Every answer to a query with its part, in the order in which they came."""
        connection = self._database.read()
        rows = connection.execute(
            "SELECT part, body_id FROM collection_reply WHERE collection_id = ? AND query = ? AND outcome = ? "
            "ORDER BY id",
            (collection_id, query, ReplyOutcome.ANSWERED),
        ).fetchall()
        for start in range(0, len(rows), CHUNK):
            chunk = rows[start : start + CHUNK]
            texts = bodies.fetch(connection, [row["body_id"] for row in chunk])
            for row in chunk:
                yield row["part"], texts[row["body_id"]]

    # -- writing ---------------------------------------------------------------------------------------------

    def start(self, question: Question, author: str) -> CollectionId:
        """Begin a collection."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO collection (category, first_day, last_day, service, address, plan_hash, started_at, "
                "started_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*_question_values(question), now_utc(), author),
            )
            assert cursor.lastrowid is not None
            return CollectionId(cursor.lastrowid)

    def add_reply(
        self,
        collection_id: CollectionId,
        query: str,
        part: str,
        outcome: ReplyOutcome,
        text: str,
        rows: int,
        seconds: float,
        requests: int = 1,
        waited: float = 0.0,
    ) -> None:
        """Keep what came of asking for a part; also the collection's sign of life."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO collection_reply (collection_id, query, part, outcome, rows, seconds, at, "
                "body_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    collection_id,
                    query,
                    part,
                    outcome,
                    rows,
                    seconds,
                    now_utc(),
                    bodies.put_or_none(connection, text),
                ),
            )
            connection.execute(
                "UPDATE collection SET requests = requests + ?, waited = waited + ?, lease_until = ? WHERE id = ?",
                (requests, waited, from_now(_HELD_SECONDS), collection_id),
            )

    def set_data_date(self, collection_id: CollectionId, data_date: str) -> None:
        """Keep what the service says of the date of its data."""
        with self._database.write() as connection:
            connection.execute("UPDATE collection SET data_date = ? WHERE id = ?", (data_date, collection_id))

    def take(self, collection_id: CollectionId, owner: str) -> None:
        """Go on with a collection. Raises `ProjectError` while another window or terminal does."""
        with self._database.write() as connection:
            row = connection.execute(
                "SELECT lease_owner, lease_until FROM collection WHERE id = ?", (collection_id,)
            ).fetchone()
            if row is None:
                raise ProjectError(f"There is no collection {collection_id} in this project.")
            other, until = row["lease_owner"], row["lease_until"]
            if is_held(other, until, owner, _HELD_SECONDS) and not is_gone(other):
                raise ProjectError(
                    f"This is being collected already in another window or terminal ({other}).",
                    "Wait for it, or stop it there first; what it received is kept.",
                )
            connection.execute(
                "UPDATE collection SET lease_owner = ?, lease_until = ? WHERE id = ?",
                (owner, from_now(_HELD_SECONDS), collection_id),
            )

    def renew(self, collection_id: CollectionId) -> None:
        """Show a sign of life: a wait begins in which nothing is received."""
        with self._database.write(durable=False) as connection:
            connection.execute(
                "UPDATE collection SET lease_until = ? WHERE id = ? AND lease_owner <> ''",
                (from_now(_HELD_SECONDS), collection_id),
            )

    def release(self, collection_id: CollectionId, owner: str) -> None:
        """Let others go on with it."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE collection SET lease_owner = '', lease_until = '' WHERE id = ? AND lease_owner = ?",
                (collection_id, owner),
            )


def _question_values(question: Question) -> tuple[str, ...]:
    return (
        question.category,
        question.first_day.isoformat(),
        question.last_day.isoformat(),
        question.service,
        question.address,
        question.plan_hash,
    )


def _collection(row: sqlite3.Row) -> Collection:
    return Collection(
        id=CollectionId(row["id"]),
        question=Question(
            category=row["category"],
            first_day=date.fromisoformat(row["first_day"]),
            last_day=date.fromisoformat(row["last_day"]),
            service=row["service"],
            address=row["address"],
            plan_hash=row["plan_hash"],
        ),
        started_at=row["started_at"],
        started_by=row["started_by"],
        data_date=row["data_date"],
        completed_at=row["completed_at"],
        requests=row["requests"],
        waited=row["waited"],
        new=row["new"],
    )
