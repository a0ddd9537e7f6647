"""Values that are kept: read once, anew after a change, and never from what was not committed."""

from __future__ import annotations

import pytest

from btc_gui.store.database import Database
from btc_gui.store.kept import Kept


def _add(database: Database, key: str) -> None:
    with database.write() as connection:
        connection.execute("INSERT INTO project (key, value) VALUES (?, '')", (key,))


def test_a_value_is_read_once_and_anew_after_a_change(database: Database) -> None:
    kept: Kept[list[str]] = Kept("SELECT count(*) FROM project")

    def read() -> list[str]:
        return [row[0] for row in database.read().execute("SELECT key FROM project ORDER BY key")]

    first = kept.get(database, read)
    assert kept.get(database, read) is first
    assert kept.get(database, read, key="another") is not first
    _add(database, "later")
    assert kept.get(database, read) == sorted([*first, "later"])


def test_what_is_undone_was_never_kept(database: Database) -> None:
    kept: Kept[int] = Kept("SELECT count(*) FROM project WHERE key IN ('one', 'two')")

    def count() -> int:
        found: int = database.read().execute("SELECT count(*) FROM project WHERE key = 'one'").fetchone()[0]
        return found

    def add_and_fail() -> None:
        with database.write() as connection:
            connection.execute("INSERT INTO project (key, value) VALUES ('one', '')")
            assert kept.get(database, count) == 1
            raise ZeroDivisionError

    assert kept.get(database, count) == 0
    with pytest.raises(ZeroDivisionError):
        add_and_fail()
    # The same number of rows as before it was undone, but another one.
    _add(database, "two")
    assert kept.get(database, count) == 0
