"""Collections of cases: named, described, in an order; what is taken out stays on record."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from btc_gui.domain.case_remarks import CaseCollection, CollectionId
from btc_gui.domain.dates import now_utc
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, ProjectError
from btc_gui.store.database import Database

_AT_ONCE = 500
# Counted in the index of what stands: a menu that names a dozen large collections opens at once.
_COLLECTIONS = """
    SELECT case_collection.id, wording.name, wording.description, case_collection.author, case_collection.at,
           (SELECT count(*) FROM case_collection_item AS item
            WHERE item.collection_id = case_collection.id AND item.withdrawn_at = '') AS cases
    FROM case_collection
    JOIN case_collection_text AS wording ON wording.id = (
        SELECT max(id) FROM case_collection_text WHERE collection_id = case_collection.id)
    WHERE case_collection.withdrawn_at = ''
"""


class CaseCollectionStore:
    """The collections of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def all(self) -> list[CaseCollection]:
        """The collections, by name."""
        rows = self._database.read().execute(f"{_COLLECTIONS} ORDER BY wording.name COLLATE NOCASE, wording.id")
        return [_collection(row) for row in rows]

    def holding(self, answer_id: AnswerId) -> list[CaseCollection]:
        """The collections that a case is in, by name."""
        rows = self._database.read().execute(
            f"{_COLLECTIONS} AND case_collection.id IN (SELECT collection_id FROM case_collection_item "
            "WHERE answer_id = ? AND withdrawn_at = '') ORDER BY wording.name COLLATE NOCASE, wording.id",
            (answer_id,),
        )
        return [_collection(row) for row in rows]

    def get(self, collection_id: CollectionId) -> CaseCollection:
        """One collection. Raises `ProjectError` when it is gone."""
        row = self._database.read().execute(f"{_COLLECTIONS} AND case_collection.id = ?", (collection_id,)).fetchone()
        if row is None:
            raise ProjectError("This collection was taken away meanwhile.")
        return _collection(row)

    def find(self, name: str) -> CaseCollection:
        """The collection of this name, whatever its capitals. Raises `InputError`, naming those there are."""
        collections = self.all()
        found = [each for each in collections if each.name.casefold() == name.strip().casefold()]
        if not found:
            known = ", ".join(f"“{each.name}”" for each in collections)
            raise InputError(
                f"There is no collection “{name}”.", f"There are: {known}." if known else "This project has none yet."
            )
        return found[0]

    def ids(self, collection_id: CollectionId) -> list[AnswerId]:
        """The cases of a collection, in its order (attempts that no longer count left out)."""
        rows = self._database.read().execute(
            "SELECT item.answer_id FROM case_collection_item AS item JOIN answer ON answer.id = item.answer_id "
            "WHERE item.collection_id = ? AND item.withdrawn_at = '' AND answer.is_final = 1 "
            "ORDER BY item.position, item.id",
            (collection_id,),
        )
        return [AnswerId(row["answer_id"]) for row in rows]

    # -- writing ---------------------------------------------------------------------------------------------

    def create(self, name: str, description: str, author: str) -> CollectionId:
        """Make an empty collection. Raises `InputError` for an empty name, or one that another collection has."""
        with self._database.write() as connection:
            cursor = connection.execute("INSERT INTO case_collection (author, at) VALUES (?, ?)", (author, now_utc()))
            assert cursor.lastrowid is not None
            collection_id = CollectionId(cursor.lastrowid)
            _word(connection, collection_id, name, description, author)
        return collection_id

    def describe(self, collection_id: CollectionId, name: str, description: str, author: str) -> None:
        """Give a collection another name or description; the old ones stay on record.

        Raises `InputError` as `create` does.
        """
        now = self.get(collection_id)
        if (now.name, now.description) == (name.strip(), description.strip()):
            return
        with self._database.write() as connection:
            _word(connection, collection_id, name, description, author)

    def add(self, collection_id: CollectionId, answer_ids: Sequence[AnswerId], author: str) -> int:
        """Put cases at the end; gives how many were not in it before. Raises `ProjectError` when it is gone."""
        self.get(collection_id)
        added = 0
        # In parts, so that nobody's decision waits for a long list.
        for start in range(0, len(answer_ids), _AT_ONCE):
            with self._database.write() as connection:
                added += _append(connection, collection_id, answer_ids[start : start + _AT_ONCE], author)
        return added

    def remove(self, collection_id: CollectionId, answer_ids: Sequence[AnswerId], author: str) -> None:
        """Take cases out of a collection. Twice is once."""
        with self._database.write() as connection:
            connection.executemany(
                "UPDATE case_collection_item SET withdrawn_at = ?, withdrawn_by = ? "
                "WHERE collection_id = ? AND answer_id = ? AND withdrawn_at = ''",
                [(now_utc(), author, collection_id, answer_id) for answer_id in answer_ids],
            )

    def arrange(self, collection_id: CollectionId, answer_ids: Sequence[AnswerId]) -> None:
        """Put the cases into this order. Those that are not named stay behind them, as they were."""
        place = {answer_id: number for number, answer_id in enumerate(answer_ids)}
        with self._database.write() as connection:
            rows = connection.execute(
                "SELECT id, answer_id FROM case_collection_item WHERE collection_id = ? AND withdrawn_at = '' "
                "ORDER BY position, id",
                (collection_id,),
            ).fetchall()
            rows.sort(key=lambda row: place.get(row["answer_id"], len(place)))
            connection.executemany(
                "UPDATE case_collection_item SET position = ? WHERE id = ?",
                [(number, row["id"]) for number, row in enumerate(rows, start=1)],
            )

    def withdraw(self, collection_id: CollectionId, author: str) -> None:
        """Take a collection away; its cases stay. Twice is once."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE case_collection SET withdrawn_at = ?, withdrawn_by = ? WHERE id = ? AND withdrawn_at = ''",
                (now_utc(), author, collection_id),
            )


def _append(
    connection: sqlite3.Connection, collection_id: CollectionId, answer_ids: Sequence[AnswerId], author: str
) -> int:
    last = connection.execute(
        "SELECT ifnull(max(position), 0) FROM case_collection_item WHERE collection_id = ?", (collection_id,)
    ).fetchone()[0]
    before = connection.total_changes
    connection.executemany(
        "INSERT INTO case_collection_item (collection_id, answer_id, position, author, at) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(collection_id, each, last + n, author, now_utc()) for n, each in enumerate(answer_ids, start=1)],
    )
    return connection.total_changes - before


def _word(
    connection: sqlite3.Connection, collection_id: CollectionId, name: str, description: str, author: str
) -> None:
    name = " ".join(name.split())
    if not name:
        raise InputError("A collection needs a name.")
    others = connection.execute(f"{_COLLECTIONS} AND case_collection.id <> ?", (collection_id,)).fetchall()
    if any(row["name"].casefold() == name.casefold() for row in others):
        raise InputError(f"There is a collection “{name}” already.", "Choose another name, or add to that one.")
    connection.execute(
        "INSERT INTO case_collection_text (collection_id, name, description, author, at) VALUES (?, ?, ?, ?, ?)",
        (collection_id, name, description.strip(), author, now_utc()),
    )


def _collection(row: sqlite3.Row) -> CaseCollection:
    return CaseCollection(
        CollectionId(row["id"]), row["name"], row["description"], row["author"], row["at"], row["cases"]
    )
