"""Small parts of SQL that several subjects share: placeholders, LIKE patterns, checked ORDER BY."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

#: SQLite's default limit of bound values is 32,766 since 3.32; stay well below.
CHUNK = 500


def placeholders(values: Sequence[object]) -> str:
    """`?, ?, ?` for an IN list."""
    return ", ".join("?" * len(values))


def containing(text: str) -> str:
    """A LIKE pattern (with ESCAPE '\\') that finds `text` anywhere."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def order_by(columns: Mapping[str, str], column: str, descending: bool, last: str) -> str:
    """An ORDER BY over a known column, with `last` (a unique column) settling ties.

    Raises KeyError for a column that is not among `columns`: names never come from outside.
    """
    direction = "DESC" if descending else "ASC"
    return f"ORDER BY {columns[column]} {direction}, {last} {direction}"


class Where:
    """Conditions joined by AND, with their values."""

    def __init__(self) -> None:
        self._conditions: list[str] = []
        self.values: list[object] = []

    def add(self, condition: str, *values: object) -> None:
        """Add one condition with the values of its placeholders."""
        self._conditions.append(condition)
        self.values.extend(values)

    def add_in(self, column: str, values: Sequence[object]) -> None:
        """Add `column IN (…)` unless `values` is empty."""
        if values:
            self.add(f"{column} IN ({placeholders(values)})", *values)

    @property
    def sql(self) -> str:
        """`WHERE …`, or nothing."""
        return f"WHERE {' AND '.join(self._conditions)}" if self._conditions else ""


#: Rows of a load that is not complete (or broke) do not count. Nearly always an empty set, so nearly free; said of ids,
#: which every index has, so that an index alone may answer.
LOADED = "{table}.id NOT IN (SELECT id FROM {table} WHERE load_id IN (SELECT id FROM load WHERE completed_at IS NULL))"


def columns(
    connection: sqlite3.Connection, sql: str, values: Sequence[object] | Mapping[str, object], *names: str
) -> list[list[Any]]:
    """The values of these columns of a query, each column in the order of its rows, handed over as one row.

    Python gives its lock away for each row: a thread that reads thousands of them while another one works waits for it
    thousands of times. SQLite keeps the order of an inner query for what an aggregate puts together.
    """
    read = connection.cursor()
    read.row_factory = None
    arrays = ", ".join(f"json_group_array({name})" for name in names)
    return [json.loads(column) for column in read.execute(f"SELECT {arrays} FROM ({sql})", values).fetchone()]
