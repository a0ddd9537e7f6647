"""Everything in a packet's file, as SQLite reads it: what an audit searches."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from btc_gui.errors import PacketError
from btc_gui.store.packet_file import SCHEMA


@dataclass(frozen=True, slots=True)
class PacketContents:
    """Everything in a packet's file as SQLite reads it: tables with their columns, every cell as text, the schema."""

    columns: Mapping[str, frozenset[str]]
    cells: tuple[tuple[str, str, str], ...]
    schema: str
    free_pages: int


def packet_contents(path: Path) -> PacketContents:
    """All of a packet, also what no packet should have. Raises `PacketError` when it can't be read."""
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            return _contents(connection)
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise PacketError(f"{path.name} can't be read ({error}).", "Ask for a new packet.") from error


def _contents(connection: sqlite3.Connection) -> PacketContents:
    schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    columns: dict[str, frozenset[str]] = {}
    cells: list[tuple[str, str, str]] = []
    for kind, name, _, _ in schema:
        if kind != "table":
            continue
        quoted = '"' + name.replace('"', '""') + '"'
        rows = connection.execute(f"SELECT * FROM {quoted}")
        names = [column[0] for column in rows.description]
        columns[name] = frozenset(names)
        for row in rows:
            cells += [
                (name, column, value.decode("latin-1") if isinstance(value, bytes) else str(value))
                for column, value in zip(names, row, strict=True)
                if value is not None
            ]
    free = int(connection.execute("PRAGMA freelist_count").fetchone()[0])
    words = "\n".join(str(part) for row in schema for part in row if part)
    return PacketContents(columns, tuple(cells), words, free)


def _allowed_tables() -> dict[str, frozenset[str]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(SCHEMA)
        return dict(_contents(connection).columns)
    finally:
        connection.close()


#: The tables of a packet with their columns.
PACKET_TABLES: Mapping[str, frozenset[str]] = _allowed_tables()
