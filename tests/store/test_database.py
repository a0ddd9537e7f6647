"""The project file: what opening, writing, copying and closing promise, and what is refused with which words."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.run import RunId
from btc_gui.errors import InputError, ProjectError
from btc_gui.jobs.read_text import look_through
from btc_gui.progress import Progress
from btc_gui.store.database import SCHEMA_VERSION, Database
from btc_gui.store.events import EventStore
from btc_gui.store.project_file import APPLICATION_ID, copy_project
from btc_gui.store.projects import ProjectStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_new_project_has_its_name(tmp_path: Path) -> None:
    """A new project knows its name and is empty."""
    with Database.create(tmp_path / "a.btc", "Spring 2026") as database:
        store = ProjectStore(database)
        assert store.name == "Spring 2026"
        assert store.counts().events == 0


def test_create_never_overwrites(tmp_path: Path) -> None:
    """Nothing that exists is replaced."""
    path = tmp_path / "a.btc"
    path.write_text("precious")
    with pytest.raises(ProjectError, match="exists already"):
        Database.create(path)
    assert path.read_text() == "precious"


def test_opening_and_reading_changes_nothing(tmp_path: Path) -> None:
    """A project that was only looked at has the same bytes, and nothing lies beside it."""
    path = tmp_path / "a.btc"
    with Database.create(path) as database:
        add_event(database)
    before = digest(path)
    with Database.open(path) as database:
        EventStore(database).ids()
        ProjectStore(database).counts()
    assert digest(path) == before
    assert list(tmp_path.glob("a.btc*")) == [path]


def test_after_writing_one_plain_file_is_left(tmp_path: Path) -> None:
    """No -wal and -shm after the last close: the one file can be mailed."""
    path = tmp_path / "a.btc"
    with Database.create(path) as database:
        add_event(database)
        assert path.with_name("a.btc-wal").exists()
    assert list(tmp_path.glob("a.btc*")) == [path]


def test_a_reader_that_closes_last_leaves_one_plain_file_too(tmp_path: Path) -> None:
    path = tmp_path / "a.btc"
    Database.create(path).close()
    with Database.open(path) as reader:
        assert ProjectStore(reader).counts().events == 0
        with Database.open(path) as writer:
            add_event(writer)
        assert ProjectStore(reader).counts().events == 1
    assert list(tmp_path.glob("a.btc*")) == [path]
    # Bytes 18 and 19 of the header are 2 in WAL mode, 1 else (SQLite's file format, "The Database Header").
    assert path.read_bytes()[18:20] == b"\x01\x01"


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04" + b"x" * 100])
def test_not_a_project(tmp_path: Path, content: bytes) -> None:
    """Another file is refused and left alone."""
    path = tmp_path / "a.btc"
    path.write_bytes(content)
    with pytest.raises(ProjectError, match="is not a btc_gui project"):
        Database.open(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("name", "way"), [("a.csv", "import"), ("a.eval", "import"), ("a.btcp", "packet"), ("a.txt", "choose")]
)
def test_a_file_that_is_no_project_is_shown_the_way(tmp_path: Path, name: str, way: str) -> None:
    """Who opens a table or a packet as a project is told where it belongs."""
    (tmp_path / name).write_text("entity,date\n")
    with pytest.raises(ProjectError) as refused:
        Database.open(tmp_path / name)
    assert way in refused.value.remedy.casefold()


def test_another_sqlite_file_is_no_project(tmp_path: Path) -> None:
    """A SQLite file of another program is refused and left alone."""
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    before = digest(path)
    with pytest.raises(ProjectError, match="is not a btc_gui project"):
        Database.open(path)
    assert digest(path) == before


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A name that is not there, or is a folder, gets a plain sentence."""
    with pytest.raises(ProjectError, match="There is no file"):
        Database.open(tmp_path / "nothing.btc")
    with pytest.raises(ProjectError, match="is a folder"):
        Database.open(tmp_path)


def test_newer_version_is_refused_unchanged(tmp_path: Path) -> None:
    """A project of a newer app is not touched."""
    path = tmp_path / "a.btc"
    Database.create(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    newer.close()
    before = digest(path)
    with pytest.raises(ProjectError, match="newer version"):
        Database.open(path)
    assert digest(path) == before


def test_damaged_file_is_refused(tmp_path: Path) -> None:
    """A file whose first pages were overwritten is called damaged."""
    path = tmp_path / "a.btc"
    with Database.create(path) as database:
        add_event(database)
    raw = bytearray(path.read_bytes())
    raw[100:6000] = b"\x55" * 5900
    path.write_bytes(raw)
    with pytest.raises(ProjectError, match="damaged"):
        Database.open(path)


def test_damage_deeper_in_is_found_by_check(tmp_path: Path) -> None:
    """The integrity check reads every page."""
    path = tmp_path / "a.btc"
    with Database.create(path) as database:
        for number in range(300):
            add_event(database, entity=f"Person {number}", description="x" * 200)
    raw = bytearray(path.read_bytes())
    middle = len(raw) * 3 // 4 // 4096 * 4096
    raw[middle : middle + 4096] = b"\x55" * 4096
    path.write_bytes(raw)
    with Database.open(path) as database:
        assert any("integrity" in text for text in database.integrity_problems())


def test_read_only_file_is_refused(tmp_path: Path) -> None:
    """A read-only file can't hold decisions: said at once, not at the first decision."""
    path = tmp_path / "a.btc"
    Database.create(path).close()
    path.chmod(0o444)
    with pytest.raises(ProjectError, match="read-only"):
        Database.open(path)
    # The remedy works: a copy can be made, and opened.
    copy = copy_project(path, tmp_path / "copy.btc")
    copy.chmod(0o644)
    Database.open(copy).close()


def test_locked_file_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program that holds the file exclusively is named as the reason, and nothing is changed."""
    path = tmp_path / "a.btc"
    Database.create(path).close()
    monkeypatch.setattr("btc_gui.store.database._BUSY_MILLISECONDS", 50)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ProjectError, match="locked by another program"):
        Database.open(path)
    other.execute("ROLLBACK")
    other.close()


def test_busy_timeout_and_foreign_keys_are_set(database: Database) -> None:
    """Set by us on every connection, whatever the driver's defaults (D3)."""
    seen: list[tuple[int, int]] = []

    def look() -> None:
        connection = database.read()
        seen.append(
            (
                connection.execute("PRAGMA busy_timeout").fetchone()[0],
                connection.execute("PRAGMA foreign_keys").fetchone()[0],
            )
        )

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    look()
    assert seen == [(5000, 1), (5000, 1)]


def test_each_thread_has_its_own_connection(database: Database) -> None:
    """A Database can be handed to a job's thread (D4)."""
    mine = database.read()
    others: list[object] = []
    thread = threading.Thread(target=lambda: others.append(database.read()))
    thread.start()
    thread.join()
    assert others[0] is not mine


def test_closing_ends_what_other_threads_read(tmp_path: Path) -> None:
    """A read of many seconds holds nothing up, nothing crashes (Python's own `close` does), and the reader is told."""
    Database.create(tmp_path / "a.btc").close()
    long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e8) SELECT count(*) FROM n"
    said: list[str] = []

    def read(database: Database, inside: threading.Event) -> None:
        with database:
            connection = database.read()
            connection.create_function("inside", 0, inside.set)
            connection.execute("SELECT inside()").fetchone()
            connection.execute(long).fetchone()

    def read_and_tell(database: Database, inside: threading.Event) -> None:
        with pytest.raises(ProjectError) as refused:
            read(database, inside)
        said.append(refused.value.message)

    for _ in range(5):
        database, inside = Database.open(tmp_path / "a.btc"), threading.Event()
        thread = threading.Thread(target=read_and_tell, args=(database, inside))
        thread.start()
        assert inside.wait(60)
        database.close()
        thread.join()
    assert said == ["a.btc was closed meanwhile."] * 5


def test_closing_waits_for_the_end_of_another_threads_transaction(tmp_path: Path) -> None:
    """What another thread is about to save is saved; afterwards it finds the project closed."""
    database, began, go_on = Database.create(tmp_path / "a.btc"), threading.Event(), threading.Event()
    said: list[str] = []

    def save() -> None:
        with database.write() as connection:
            connection.execute("INSERT INTO project (key, value) VALUES ('a', 'b')")
            began.set()
            assert go_on.wait(60)
        with pytest.raises(ProjectError) as refused:
            ProjectStore(database).set_value("c", "d")
        said.append(refused.value.message)

    thread = threading.Thread(target=save)
    thread.start()
    assert began.wait(60)
    threading.Timer(0.05, go_on.set).start()
    database.close()
    thread.join()
    assert said == ["a.btc is closed."]
    with Database.open(tmp_path / "a.btc") as again:
        assert (ProjectStore(again).value("a"), ProjectStore(again).value("c")) == ("b", "")


def test_a_thread_that_waits_for_work_keeps_nothing_open(tmp_path: Path) -> None:
    """Threads of a pool, which have read once: one plain file is left."""
    path = tmp_path / "a.btc"
    database = Database.create(path)
    ProjectStore(database).set_value("a", "b")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(database.read).result()
        database.close()
        assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    """All of it or nothing."""

    def fail_half_way() -> None:
        with database.write() as connection:
            connection.execute("INSERT INTO project (key, value) VALUES ('a', 'b')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert ProjectStore(database).value("a") == ""


def test_two_threads_writing_at_once_lose_nothing(database: Database) -> None:
    """Read-then-write transactions of two writers wait for each other (D1)."""
    store = ProjectStore(database)
    store.set_value("count", "0")

    def add() -> None:
        for _ in range(50):
            with database.write(durable=False) as connection:
                count = int(connection.execute("SELECT value FROM project WHERE key = 'count'").fetchone()[0])
                connection.execute("UPDATE project SET value = ? WHERE key = 'count'", (str(count + 1),))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.value("count") == "200"


def test_copy_is_complete_while_open(database: Database, tmp_path: Path) -> None:
    """A copy holds what was committed, and never replaces a file."""
    event = add_event(database)
    add_probe(database, event)
    target = database.copy(tmp_path / "copy.btc")
    with Database.open(target) as copy:
        assert ProjectStore(copy).counts() == ProjectStore(database).counts()
    with pytest.raises(ProjectError, match="exists already"):
        database.copy(target)


def test_copy_without_room_is_refused(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too little space is said before anything is written."""
    add_event(database)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 0))
    with pytest.raises(ProjectError, match="not enough space"):
        database.copy(tmp_path / "copy.btc")
    assert not list(tmp_path.glob("*copy*"))


def test_full_disk_gets_a_sentence(database: Database) -> None:
    """A write that finds no room is rolled back and says so."""
    pages = database.read().execute("PRAGMA page_count").fetchone()[0]
    database.read().execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ProjectError, match="no space left"):
        ProjectStore(database).set_value("big", "x" * 1_000_000)
    assert ProjectStore(database).value("big") == ""


def test_older_project_is_copied_and_migrated(tmp_path: Path) -> None:
    """Before a migration a copy is made; afterwards the project is the newest version."""
    from sqlite_utils import Database as SqliteUtilsDatabase

    from btc_gui.store.migrations import migrations

    path = tmp_path / "old.btc"
    old = SqliteUtilsDatabase(path)
    old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrations().apply(old, stop_before="m003_probes")
    old.execute("PRAGMA user_version = 2")
    old.close()
    with Database.open(path) as database:
        assert ProjectStore(database).counts().probes == 0
        assert database.read().execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
    copies = list(tmp_path.glob("old.before-schema-*.btc"))
    assert len(copies) == 1
    with sqlite3.connect(copies[0]) as copy:
        assert copy.execute("PRAGMA user_version").fetchone()[0] == 2
    copy.close()


def test_killed_while_writing_keeps_what_was_committed(tmp_path: Path) -> None:
    """Kill -9 in the middle of writing: every committed row is there, and the project opens."""
    path = tmp_path / "a.btc"
    Database.create(path).close()
    script = f"""
import sys
from pathlib import Path
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
store = ProjectStore(Database.open(Path({str(path)!r})))
for number in range(100000):
    store.set_value(f"key{{number}}", "committed")
    print(number, flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    last = -1
    for line in child.stdout:
        last = int(line)
        if last >= 40:
            break
    os.kill(child.pid, signal.SIGKILL)
    last = max([last, *(int(line) for line in child.stdout if line.strip())])
    child.wait()
    child.stdout.close()
    with Database.open(path) as database:
        store = ProjectStore(database)
        assert all(store.value(f"key{number}") == "committed" for number in range(last + 1))
        assert database.integrity_problems() == []


def test_broken_load_is_cleared_on_open(tmp_path: Path) -> None:
    """Rows of a load whose process died do not count, and are gone after the next open."""
    path = tmp_path / "a.btc"
    with Database.create(path) as database:
        with database.write() as connection:
            connection.execute(
                "INSERT INTO load (id, subject, file, sha256, started_at) "
                "VALUES (1, 'events', 'f.csv', 'x', '2026-01-01T00:00:00.000+00:00')"
            )
        from tests.builders import make_facts

        EventStore(database).add(make_facts(), "tests", load_id=1)
        assert EventStore(database).ids() == []
    with Database.open(path) as database:
        assert database.read().execute("SELECT count(*) FROM event").fetchone()[0] == 0
        assert database.read().execute("SELECT count(*) FROM event_identity").fetchone()[0] == 0


def test_rows_of_an_older_project_survive_its_migrations(tmp_path: Path) -> None:
    """A table that is made anew keeps its rows, and what points to them."""
    from sqlite_utils import Database as SqliteUtilsDatabase

    from btc_gui.store.migrations import migrations

    path = tmp_path / "old.btc"
    old = SqliteUtilsDatabase(path)
    old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrations().apply(old, stop_before="m010_logs_of_others")
    at = "2026-05-09T10:00:00.000+00:00"
    with old.conn:
        old.execute(
            "INSERT INTO configuration (id, identity, model, harness, effort) VALUES (7, 'x', 'M', 'none', 'high')"
        )
        old.execute(
            "INSERT INTO run (id, name, purpose, recipe, created_by, created_at) VALUES (3, 'R', 'import', ?, 'me', ?)",
            ('{"current_date": "2026-05-09", "provider": "scripted"}', at),
        )
        old.execute("INSERT INTO run_item (run_id, configuration_id, sample) VALUES (3, 7, 's')")
    old.execute("PRAGMA user_version = 9")
    old.close()
    with Database.open(path) as database:
        assert database.integrity_problems() == []
        store = RunStore(database)
        assert store.configurations()[ConfigurationId(7)].title == "M · high · none"
        assert [each.configuration_id for each in store.progress(RunId(3))] == [7]
        run = store.get(RunId(3))
        assert (run.origin, run.recipe.current_date) == ("", "2026-05-09")


def test_the_first_write_waits_for_another_one(tmp_path: Path) -> None:
    """Two windows that begin to write at the same moment both succeed (the switch to WAL has no wait of its own)."""
    path = tmp_path / "a.btc"
    Database.create(path).close()
    for _ in range(15):
        opened = [Database.open(path) for _ in range(4)]
        threads = [
            threading.Thread(target=ProjectStore(each).set_value, args=(f"key{number}", "x"))
            for number, each in enumerate(opened)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for each in opened:
            each.close()
    with Database.open(path) as database:
        assert all(ProjectStore(database).value(f"key{number}") == "x" for number in range(4))


@pytest.mark.skipif(sys.platform == "win32", reason="locks are of the handle there")
def test_a_log_that_is_removed_while_the_project_is_open_takes_nothing_with_it(tmp_path: Path) -> None:
    """Something in this process reads the file by itself, which gives its POSIX locks away; another process then takes
    itself for the last one and removes the log. What is written afterwards is in the file all the same, what the other
    one wrote is seen, and the file is sound."""
    path = tmp_path / "one.btc"
    insert = "INSERT INTO project (key, value) VALUES (?, '1')"
    count = "SELECT count(*) FROM project WHERE key IN ('first', 'other', 'second', 'third')"
    with Database.create(path) as database:
        with database.write() as connection:
            connection.execute(insert, ("first",))
        path.read_bytes()
        elsewhere = f"import sqlite3; c = sqlite3.connect({str(path)!r}); c.execute({insert!r}, ('other',)); c.commit()"
        subprocess.run([sys.executable, "-c", f"{elsewhere}; c.close()"], check=True)
        assert not path.with_name("one.btc-wal").exists()
        with database.write() as connection:
            connection.execute(insert, ("second",))
        assert database.read().execute(count).fetchone()[0] == 3
        path.read_bytes()
        subprocess.run([sys.executable, "-c", f"{elsewhere.replace('other', 'third')}; c.close()"], check=True)
        database.version_of_data()
        assert database.read().execute(count).fetchone()[0] == 4
        assert database.integrity_problems() == []
    with sqlite3.connect(path) as bare:
        assert bare.execute(count).fetchone()[0] == 4
    bare.close()


def test_opening_the_open_project_once_more_takes_none_of_its_locks(tmp_path: Path) -> None:
    """Nor does choosing it as a table, or copying it. Who wants to know asks another process, as another window is."""
    path = tmp_path / "one.btc"
    ask = f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('PRAGMA journal_mode = DELETE')"
    with Database.create(path) as database:
        with database.write() as connection:
            connection.execute("INSERT INTO project (key, value) VALUES ('first', '1')")
        Database.open(path).close()
        copy_project(path, tmp_path / "copy.btc")
        with pytest.raises(InputError, match="a SQLite database"):
            look_through(path, Progress())
        other = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False)
        assert "database is locked" in other.stderr
    assert not list(tmp_path.glob("*-wal"))
    handles = Path("/proc/self/fd")
    if handles.exists():
        assert str(path) not in {os.readlink(each) for each in handles.iterdir() if each.is_symlink()}
