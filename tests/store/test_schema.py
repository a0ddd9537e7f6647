"""The schema that readers see in db/schema.sql is the one the migrations make."""

from __future__ import annotations

import os
from pathlib import Path

from sqlite_utils import Database as SqliteUtilsDatabase

from btc_gui.store import migrations as history
from btc_gui.store.database import SCHEMA_VERSION
from btc_gui.store.migrations import migrations
from btc_gui.store.outside_file import fingerprint
from btc_gui.store.project_schema import FINGERPRINT, known_parts

SCHEMA = Path(__file__).resolve().parents[2] / "db" / "schema.sql"


def _migrated() -> SqliteUtilsDatabase:
    database = SqliteUtilsDatabase(memory=True)
    migrations().apply(database)
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


def test_fingerprint_is_true() -> None:
    """A project of the newest schema is known at a glance (BTC_WRITE_SCHEMA=1 writes it anew)."""
    found = fingerprint(known_parts(SCHEMA_VERSION))
    if os.environ.get("BTC_WRITE_SCHEMA"):
        FINGERPRINT.write_text(f"{found}\n", encoding="ascii")
    assert FINGERPRINT.read_text(encoding="ascii") == f"{found}\n"


def test_a_waiver_given_under_the_rule_s_old_word_holds() -> None:
    database = SqliteUtilsDatabase(memory=True)
    migrations().apply(database, stop_before="m024_one_word_for_a_rule")
    database.execute(
        "INSERT INTO lint_waiver (probe_id, revision_id, facts_hash, rule, reason, author, at) "
        "VALUES (1, 1, 'h', 'not_request', 'a wish is one', 'PK', '2026-11-30T00:00:00+00:00')"
    )
    database.execute("INSERT INTO saved_filter VALUES ('review', 'mine', '{\"lint\": [\"not_request\"]}', '2026')")
    migrations().apply(database)
    assert [row["rule"] for row in database.query("SELECT rule FROM lint_waiver")] == ["not_a_request"]
    assert [row["content"] for row in database.query("SELECT content FROM saved_filter")] == [
        '{"lint": ["not_a_request"]}'
    ]
    database.close()


def test_every_step_in_the_folder_is_applied_in_the_order_of_its_number() -> None:
    """A module that was forgotten in `STEPS`, or a number given twice, would leave projects behind."""
    modules = sorted(path.stem for path in Path(history.__file__).parent.glob("m*.py"))
    database = _migrated()
    assert [step.name for step in migrations().applied(database)] == modules
    assert [int(name[1:4]) for name in modules] == list(range(1, len(modules) + 1))
    assert len(modules) == SCHEMA_VERSION
    database.close()
