"""How a file would be read: its columns, what they are taken for, and its first rows."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.table_row import TableFormat


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One of the first rows: its cells by column, the facts that would be read, or the reason why it is not taken."""

    line: int
    cells: dict[str, str]
    facts: dict[str, str]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """How a file would be read.

    `mapping` gives the column of each fact; `origin` says where it comes from (`guessed`, `remembered` or
    `given`); `problems` are what must be settled before the file can be loaded.
    """

    file: str
    format: TableFormat
    columns: tuple[str, ...]
    mapping: dict[str, str]
    origin: str
    sample: tuple[SampleRow, ...]
    problems: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The preview as commands print it."""
        return {
            "file": self.file,
            "format": str(self.format),
            "columns": list(self.columns),
            "mapping": self.mapping,
            "origin": self.origin,
            "problems": list(self.problems),
            "sample": [{"line": row.line, "facts": row.facts, "reason": row.reason} for row in self.sample],
        }
