"""Rows as files hold them, before anybody knows what their columns mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

#: What a cell holds when the source says that there is a value and that nobody knows it (Wikidata's “unknown value”).
UNKNOWN_VALUE = "(unknown value)"
#: Joins the entries of a list in one cell.
LIST_MARK = " | "


class TableFormat(StrEnum):
    """The kinds of file that can be read, found out from their content."""

    CSV = "CSV"
    JSONL = "JSON lines"
    JSON_ARRAY = "JSON array"
    SPARQL = "SPARQL results"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line where it starts, and its cells by column (empty ones may be left out)."""

    line: int
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A stretch of a file that is no row: the line where it starts, why, and its beginning."""

    line: int
    reason: str
    content: str
