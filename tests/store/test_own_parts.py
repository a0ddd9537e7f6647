"""A researcher's own tables and views in a project: kept and named; whatever would run by itself is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas
import pytest
import sqlite_utils

from btc_gui.errors import ProjectError
from btc_gui.jobs.check_project import ERROR, check_project
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.migrations import STEPS, migrations
from btc_gui.store.project_file import APPLICATION_ID

#: Written by people by hand; none of it runs unless it is asked for by name.
PLAIN = (
    "CREATE TABLE my_notes (id INTEGER PRIMARY KEY, note TEXT NOT NULL DEFAULT 'none', -- a comment, CHECK (it)\n"
    " at TEXT UNIQUE COLLATE NOCASE) STRICT",
    'CREATE TABLE [my check] ("as" TEXT, \'say\' REAL, PRIMARY KEY ("as")) WITHOUT ROWID',
    "CREATE TABLE parts (note_id REFERENCES my_notes (id) ON DELETE CASCADE)",
    "CREATE TABLE mistaken (a REFERENCES my_view (id), b REFERENCES nowhere, c REFERENCES my_notes (note))",
    "INSERT INTO mistaken VALUES (1, 2, 3)",
    'CREATE UNIQUE INDEX "by note" ON my_notes (note COLLATE NOCASE DESC, "at")',
    "CREATE VIEW my_view AS SELECT * FROM event JOIN my_notes ON my_notes.id = event.id",
    "CREATE VIEW of_what_is_gone AS SELECT a FROM nowhere",
)
_ADDED = [
    ("index", "by note"),
    ("table", "mistaken"),
    ("table", "my check"),
    ("table", "my_notes"),
    ("table", "parts"),
    ("view", "my_view"),
    ("view", "of_what_is_gone"),
]
#: What would run when the file is checked or when we write, or takes a name of ours.
STRANGE = {
    "check": "CREATE TABLE own (a TEXT CHECK (length(zeroblob(900000000)) > 1))",
    "check after a comment": "CREATE TABLE own (a TEXT CHECK/* a */(length(zeroblob(900000000)) > 1))",
    "check of a column called view": "CREATE TABLE own (view CHECK (length(zeroblob(900000000)) > 1))",
    "computed column": "CREATE TABLE own (a TEXT, b AS (zeroblob(900000000)))",
    "reference": "CREATE TABLE own (a INTEGER REFERENCES event (id))",
    "reference in text marks": "CREATE TABLE own (a INTEGER REFERENCES 'event' (id))",
    "order that nobody knows": "CREATE TABLE own (a TEXT COLLATE mine)",
    "expression in an index": "CREATE TABLE own (a TEXT); CREATE INDEX mine ON own (length(zeroblob(900000000)))",
    "comparison in an index": "CREATE TABLE own (a TEXT); CREATE INDEX mine ON own (a LIKE 'b')",
    "part of an index": "CREATE TABLE own (a TEXT); CREATE INDEX mine ON own (a) WHERE a > 1",
    "index on our table": "CREATE INDEX mine ON event (category)",
    "trigger on an own table": "CREATE TABLE own (a); CREATE TRIGGER t INSERT ON own BEGIN DELETE FROM event; END",
    "trigger on our table": "CREATE TRIGGER t INSERT ON event BEGIN DELETE FROM event; END",
    "virtual table": "CREATE VIRTUAL TABLE own USING fts5(content)",
    "view in our table's place": "ALTER TABLE event RENAME TO kept; CREATE VIEW event AS SELECT * FROM kept",
    "view in the place of a function that we ask": "CREATE VIEW JSON_Each AS SELECT 1",
    "table in the place of a function that we ask": "CREATE TABLE pragma_foreign_key_check (a)",
    "table in our table's place": "ALTER TABLE event RENAME TO kept; CREATE TABLE Event (content TEXT)",
}


def _run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.create_collation("mine", lambda one, other: (one > other) - (one < other))
        connection.executescript(f"PRAGMA legacy_alter_table = ON; {'; '.join(statements)};")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("project") / "project.btc"
    Database.create(path).close()
    return path.read_bytes()


@pytest.fixture
def project(tmp_path: Path, empty: bytes) -> Path:
    path = tmp_path / "project.btc"
    path.write_bytes(empty)
    return path


def test_tables_of_pandas_and_sqlite_utils_stay_and_are_named(project: Path) -> None:
    """What the two write with their usual calls, indexes and all."""
    with closing(sqlite3.connect(project)) as connection:
        pandas.DataFrame({"model": ["A"], "mark": [2.5]}).to_sql("my marks", connection)
        pandas.DataFrame({"at": pandas.to_datetime(["2026-05-09"])}).to_sql("days", connection, index=False)
    with closing(sqlite_utils.Database(project)) as helper:
        helper.table("tags").insert_all([{"id": 1, "tag": "odd", "of": 7}], pk="id")
        helper.table("tags").create_index(["tag"], unique=True)
        helper.table("tagged").insert({"tag_id": 1}, foreign_keys=[("tag_id", "tags", "id")])
        helper.create_view("odd_ones", "select * from tags where tag = 'odd'")
    with Database.open(project) as database:
        assert database.added_parts() == [
            ("index", "idx_tags_tag"),
            ("index", "ix_my marks_index"),
            ("table", "days"),
            ("table", "my marks"),
            ("table", "tagged"),
            ("table", "tags"),
            ("view", "odd_ones"),
        ]
        findings = check_project(database, Progress())
        assert [each.severity for each in findings] == ["figure"]
        assert findings[0].text == (
            "Added by people, kept and not looked into: "
            "table “days”, table “my marks”, table “tagged”, table “tags”, view “odd_ones”."
        )
        with database.write() as connection:
            connection.execute("UPDATE project SET value = 'x' WHERE key = 'name'")
        copy = database.copy(project.with_name("copy.btc"))
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute('SELECT mark FROM "my marks"').fetchall() == [(2.5,)]


def test_parts_written_by_hand_stay(project: Path) -> None:
    _run(project, *PLAIN)
    with Database.open(project) as database:
        assert database.added_parts() == _ADDED
        assert not any(each.severity == ERROR for each in check_project(database, Progress()))


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE.keys())
def test_what_runs_by_itself_or_takes_our_names_is_refused(project: Path, strange: str) -> None:
    _run(project, strange)
    content = project.read_bytes()
    with pytest.raises(ProjectError, match="has parts that btc_gui did not make") as caught:
        Database.open(project)
    assert "plain tables, indexes on them and views may stay" in caught.value.remedy
    assert project.read_bytes() == content


def test_an_older_project_is_brought_up_to_date_with_them(tmp_path: Path) -> None:
    """Tables of ours are renamed on the way, which SQLite does only when it can read every view."""
    path = tmp_path / "old.btc"
    with closing(sqlite_utils.Database(path)) as old:
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrations().apply(old, stop_before="m010_logs_of_others")
        old.execute("PRAGMA user_version = 9")
    _run(path, *PLAIN, "INSERT INTO my_notes (note) VALUES ('mine')")
    with Database.open(path) as database:
        assert database.added_parts() == _ADDED
        assert database.read().execute("SELECT note FROM my_notes").fetchone()[0] == "mine"
        assert database.read().execute("PRAGMA user_version").fetchone()[0] == len(STEPS)
        assert database.integrity_problems() == []


def test_an_older_project_may_not_have_a_name_that_a_newer_one_needs(tmp_path: Path) -> None:
    """Said before anything is changed, with the remedy: the migration could only fail."""
    path = tmp_path / "old.btc"
    with closing(sqlite_utils.Database(path)) as old:
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrations().apply(old, stop_before="m010_logs_of_others")
        old.execute("PRAGMA user_version = 9")
    _run(path, "CREATE VIEW V_Cases AS SELECT 1")
    with pytest.raises(ProjectError, match="view “V_Cases”"):
        Database.open(path)
    assert list(tmp_path.iterdir()) == [path]
