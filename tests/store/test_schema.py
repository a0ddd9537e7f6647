"""The schema that readers see in db/schema.sql is the one the migrations make."""

from __future__ import annotations

import os
from pathlib import Path

from sqlite_utils import Database as SqliteUtilsDatabase

from btc_gui.store.database import SCHEMA_VERSION
from btc_gui.store.migrations import migrations

SCHEMA = Path(__file__).resolve().parents[2] / "db" / "schema.sql"


def _migrated() -> SqliteUtilsDatabase:
    database = SqliteUtilsDatabase(memory=True)
    migrations.apply(database)
    return database


def test_schema_file_is_true() -> None:
    """db/schema.sql says what the migrations make (BTC_WRITE_SCHEMA=1 writes it anew)."""
    database = _migrated()
    rows = database.query(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE '\\_sqlite\\_%' ESCAPE '\\' "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    )
    text = "-- Made by the migrations; a test keeps it true.\n\n" + "\n\n".join(f"{row['sql']};" for row in rows) + "\n"
    if os.environ.get("BTC_WRITE_SCHEMA"):
        SCHEMA.write_text(text, encoding="utf-8")
    assert SCHEMA.read_text(encoding="utf-8") == text
    database.close()


def test_version_counts_the_migrations() -> None:
    """A file's user_version tells an older app that it is too old: it must rise with every migration."""
    database = _migrated()
    assert len(migrations.applied(database)) == SCHEMA_VERSION
    database.close()


def test_every_table_is_strict() -> None:
    """SQLite would store a text in a number's column without it."""
    database = _migrated()
    rows = database.query("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    loose = [row["name"] for row in rows if not row["strict"] and not row["name"].startswith(("sqlite_", "_sqlite"))]
    assert loose == []
    database.close()
