"""Everything in a packet's file, as SQLite reads it: what an audit searches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from btc_gui.errors import PacketError
from btc_gui.store.outside_file import distrust
from btc_gui.store.packet_schema import SCHEMA


@dataclass(frozen=True, slots=True)
class PacketStructure:
    """What a packet's file is made of, as SQLite reads it: its tables with their columns, the schema, free pages."""

    columns: Mapping[str, frozenset[str]]
    schema: str
    free_pages: int


def packet_structure(path: Path) -> PacketStructure:
    """The tables of a packet, also those that no packet should have. Raises `PacketError` when it can't be read."""
    with _reading(path) as connection:
        return _structure(connection)


def packet_cells(path: Path) -> Iterator[tuple[str, str, str]]:
    """Every cell of every table as text: table, column, text. One row at a time is in memory.

    Raises `PacketError` when the file can't be read.
    """
    with _reading(path) as connection:
        for table in _structure(connection).columns:
            rows = connection.execute(f"SELECT * FROM {_quoted(table)}")
            names = [column[0] for column in rows.description]
            for row in rows:
                for column, value in zip(names, row, strict=True):
                    if value is not None:
                        yield table, column, value.decode("latin-1") if isinstance(value, bytes) else str(value)


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            distrust(connection)
            yield connection
    except sqlite3.Error as error:
        raise PacketError(f"{path.name} can't be read ({error}).", "Ask for a new packet.") from error


def _structure(connection: sqlite3.Connection) -> PacketStructure:
    schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    columns = {
        name: frozenset(row[1] for row in connection.execute(f"PRAGMA table_xinfo({_quoted(name)})"))
        for kind, name, _, _ in schema
        if kind == "table"
    }
    free = int(connection.execute("PRAGMA freelist_count").fetchone()[0])
    return PacketStructure(columns, "\n".join(str(part) for row in schema for part in row if part), free)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _allowed_tables() -> dict[str, frozenset[str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return dict(_structure(connection).columns)


#: The tables of a packet with their columns.
PACKET_TABLES: Mapping[str, frozenset[str]] = _allowed_tables()
