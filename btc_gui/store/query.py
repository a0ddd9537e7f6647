"""Small parts of SQL that several subjects share: placeholders, LIKE patterns, checked ORDER BY."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
