"""Packets and projects from strangers: nothing in them runs, nothing beside them changes other files."""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from btc_gui.errors import BtcError, PacketError, ProjectError
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.project_file import copy_project
from tests.study_builders import write_packet

#: What a stranger may have put into a file; each runs or answers when the table “{table}” is read or written.
_PLANTED = {
    "trigger": "CREATE TRIGGER planted AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
    "view in a table's place": "ALTER TABLE {table} RENAME TO kept; CREATE VIEW {table} AS SELECT * FROM kept",
    "computed column": "ALTER TABLE {table} ADD COLUMN computed BLOB AS (zeroblob(900000000))",
    "index over an expression": "CREATE INDEX planted ON {table} (length(zeroblob(900000000)))",
    "other table": "CREATE TABLE planted (content TEXT CHECK (length(zeroblob(900000000)) > 1))",
    "virtual table": "CREATE VIRTUAL TABLE planted USING fts5(content)",
    "older table of the same name": "ALTER TABLE {table} RENAME TO kept; CREATE TABLE {table} (content TEXT)",
}


def _alter(path: Path, script: str) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA legacy_alter_table = ON; {script};")
    return path.read_bytes()


def _read_packet(path: Path) -> None:
    with PacketFile.open(path, to_label=False):
        pass


def _label_packet(path: Path) -> None:
    with PacketFile.open(path, to_label=True):
        pass


def _open_project(path: Path) -> None:
    Database.open(path).close()


@pytest.fixture(scope="module")
def project_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("project") / "project.btc"
    Database.create(path).close()
    return path.read_bytes()


@pytest.fixture
def project(tmp_path: Path, project_bytes: bytes) -> Path:
    path = tmp_path / "project.btc"
    path.write_bytes(project_bytes)
    return path


@pytest.mark.parametrize("planted", _PLANTED.values(), ids=_PLANTED.keys())
@pytest.mark.parametrize("opened", [_read_packet, _label_packet])
def test_a_packet_with_parts_of_somebody_else_is_refused(
    tmp_path: Path, planted: str, opened: Callable[[Path], None]
) -> None:
    packet = write_packet(tmp_path / "packet-1.btcp")
    content = _alter(packet, planted.format(table="label"))
    with pytest.raises(PacketError, match="has parts that btc_gui did not make: "):
        opened(packet)
    assert packet.read_bytes() == content
    assert list(tmp_path.iterdir()) == [packet]


@pytest.mark.parametrize("planted", _PLANTED.values(), ids=_PLANTED.keys())
def test_a_project_with_parts_of_somebody_else_is_refused(project: Path, planted: str) -> None:
    content = _alter(project, planted.format(table="event"))
    with pytest.raises(ProjectError, match="has parts that btc_gui did not make: "):
        _open_project(project)
    assert project.read_bytes() == content


def test_an_older_project_is_checked_before_it_is_migrated(project: Path) -> None:
    content = _alter(project, "CREATE TRIGGER planted AFTER UPDATE ON project BEGIN DELETE FROM event; END")
    _alter(project, "PRAGMA user_version = 27")
    content = project.read_bytes()
    with pytest.raises(ProjectError, match="trigger “planted”"):
        _open_project(project)
    assert project.read_bytes() == content
    assert list(project.parent.iterdir()) == [project]


def test_a_name_in_a_file_can_not_write_the_message(project: Path) -> None:
    _alter(project, 'CREATE TRIGGER "all is well\n\u202e' + "x" * 500 + '" INSERT ON project BEGIN SELECT 1; END')
    with pytest.raises(ProjectError) as caught:
        _open_project(project)
    assert "\n" not in str(caught.value)
    assert "\u202e" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_project_that_sqlite_has_counted_opens(project: Path) -> None:
    _alter(project, "INSERT INTO project (key, value) VALUES ('a', 'b'); ANALYZE")
    _open_project(project)


def _plant_journal(path: Path, victim: Path) -> None:
    """A journal left by a transaction over several files, as https://sqlite.org/fileformat.html describes it."""
    magic = bytes.fromhex("d9d505f920a163d7")
    header = magic + struct.pack(">5I", 0, 1, path.stat().st_size // 4096, 512, 4096)
    name = str(victim).encode()
    ending = struct.pack(">I", 2**30 // 4096 + 1) + name + struct.pack(">2I", len(name), sum(name)) + magic
    path.with_name(f"{path.name}-journal").write_bytes(header.ljust(512, b"\0") + ending)


def _copy_project(path: Path) -> None:
    copy_project(path, path.with_name("copy.btc"))


@pytest.mark.parametrize("opened", [_open_project, _copy_project, _read_packet])
def test_a_journal_beside_a_file_deletes_no_other_file(
    tmp_path: Path, project: Path, opened: Callable[[Path], None]
) -> None:
    """SQLite deletes the file that such a journal names. What is opened here never gets so far."""
    path = write_packet(tmp_path / "packet-1.btcp") if opened is _read_packet else project
    victim = tmp_path / "thesis.txt"
    victim.write_text("My thesis.")
    _plant_journal(path, victim)
    with pytest.raises(BtcError, match="names another file"):
        opened(path)
    assert victim.read_text() == "My thesis."
    # The danger is real: the same journal, opened by SQLite alone.
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    assert not victim.exists()


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
def test_a_link_beside_a_project_is_not_followed(project: Path, ending: str) -> None:
    victim = project.parent / "thesis.txt"
    victim.write_text("\0My thesis.")
    project.with_name(f"{project.name}{ending}").symlink_to(victim)
    with pytest.raises(ProjectError, match="names another file"):
        _open_project(project)
    assert victim.read_text() == "\0My thesis."


def test_a_file_can_not_bring_another_one_in(project: Path) -> None:
    with Database.open(project) as database, pytest.raises(sqlite3.OperationalError, match="attached"):
        database.read().execute("ATTACH DATABASE ':memory:' AS other")


def test_a_text_that_unpacks_to_gigabytes_is_damaged_and_never_unpacked(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousandth of the size is enough for a text of zeros."""
    monkeypatch.setattr(bodies, "LONGEST", 1_000_000)
    bomb = zlib.compress(b"0" * 1_000_001)
    with Database.open(project) as database:
        with database.write() as connection:
            whole = bodies.put(connection, "0" * 1_000_000)
            connection.execute("INSERT INTO body VALUES (99, 'x', 1000001, 'zlib', ?)", (bomb,))
        assert len(bodies.fetch(database.read(), [whole])[whole]) == 1_000_000
        with pytest.raises(ProjectError, match="damaged"):
            bodies.fetch(database.read(), [99])
        with pytest.raises(ProjectError, match="longer than"), database.write() as connection:
            bodies.put(connection, "0" * 1_000_001)


def test_a_packet_can_not_name_a_cache_of_its_own_size(tmp_path: Path) -> None:
    packet = write_packet(tmp_path / "packet-1.btcp")
    _alter(packet, "PRAGMA default_cache_size = 2000000")
    with PacketFile.open(packet, to_label=False) as file:
        assert file._connection.execute("PRAGMA cache_size").fetchone()[0] == -2000
