"""Tables in files: CSV, JSON lines, a JSON array or SPARQL results, told apart by their content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TextIO

from btc_gui.domain.table_row import BadRow, Row, TableFormat
from btc_gui.errors import InputError
from btc_gui.jobs.read_csv import read_csv
from btc_gui.jobs.read_json import read_json_array, read_json_lines, read_sparql
from btc_gui.jobs.read_text import MAX_ROW, TextFile, look_through, read_lines
from btc_gui.outside_data import has_too_many_values
from btc_gui.progress import Progress

#: The columns of a JSON file are the keys of this many rows.
SAMPLE = 200
#: JSON that is one value must be held in memory whole; JSON lines and CSV may have any size.
_MAX_DOCUMENT = 128_000_000
_SPARQL_START = re.compile(r'\{\s*"(head|results)"\s*:\s*\{')


class Table:
    """A file of rows. `columns` are its names in order; `rows()` reads it anew each time, in bounded memory.

    A row has `longest` characters at most. Lists in JSON stay JSON in their cells if it `keeps_lists`.
    """

    def __init__(
        self, file: TextFile, table_format: TableFormat, *, longest: int = MAX_ROW, keeps_lists: bool = False
    ) -> None:
        self.file = file
        self.format = table_format
        self._longest = longest
        self._keeps_lists = keeps_lists
        self._handle: TextIO | None = None
        #: What holds for every row and must be known first (SPARQL results count only when they are whole).
        self.columns: tuple[str, ...] = self._find_columns()

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.path.name

    @property
    def done(self) -> int:
        """How many bytes of the file `rows()` has read so far."""
        if self._handle is None or self._handle.closed:
            return self.file.size
        # The text layer can't be asked while it is iterated; the buffer below it can.
        return min(self._handle.buffer.tell(), self.file.size)

    def rows(self) -> Iterator[Row | BadRow]:
        """Every row, and every stretch that is none. Raises `InputError` for SPARQL results that break off."""
        yield from self._read()[1]

    def sample(self, count: int = SAMPLE) -> list[Row | BadRow]:
        """The first rows."""
        try:
            return list(islice(self.rows(), count))
        finally:
            self.close()

    def _find_columns(self) -> tuple[str, ...]:
        try:
            columns, rows = self._read()
            if columns is not None:
                return columns
            return tuple({name: None for row in islice(rows, SAMPLE) if isinstance(row, Row) for name in row.values})
        finally:
            self.close()

    def _read(self) -> tuple[tuple[str, ...] | None, Iterator[Row | BadRow]]:
        if self.format in (TableFormat.JSON_ARRAY, TableFormat.SPARQL):
            if self.file.size > _MAX_DOCUMENT:
                raise InputError(
                    f"{self.name} is one JSON value of {self.file.size / 1e6:,.0f} MB: too large to be read whole.",
                    "Write it as JSON lines (one object a line), for example with: jq -c '.[]'.",
                )
            with self.file.open() as handle:
                text = handle.read()
            if has_too_many_values(text):
                raise InputError(
                    f"{self.name} is one JSON value that holds millions of others: too many to be read at once.",
                    "Write it as JSON lines (one object a line), for example with: jq -c '.[]'.",
                )
            if self.format is TableFormat.JSON_ARRAY:
                return None, read_json_array(text, longest=self._longest, keeps_lists=self._keeps_lists)
            columns, rows = read_sparql(text, self.name)
            return columns, iter(rows)
        if self._handle is not None:
            self._handle.close()
        self._handle = self.file.open()
        lines = read_lines(self._handle, self._longest)
        if self.format is TableFormat.JSONL:
            return None, read_json_lines(lines, keeps_lists=self._keeps_lists)
        return read_csv(lines, self.name, self._longest)

    def close(self) -> None:
        """Let go of the file."""
        if self._handle is not None:
            self._handle.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_table(
    path: Path, progress: Progress | None = None, *, longest: int = MAX_ROW, keeps_lists: bool = False
) -> Table:
    """Look through the file at `path` and find out what it is; for the rest see `Table`.

    Raises `InputError` for a file that can't be read, is empty, is no text, is in another encoding, or holds
    JSON that is no list of rows.
    """
    file = look_through(path, progress or Progress())
    return Table(file, _format_of(file), longest=longest, keeps_lists=keeps_lists)


def _format_of(file: TextFile) -> TableFormat:
    with file.open() as handle:
        start = handle.read(100_000)
    text = start.lstrip()
    if not text:
        raise InputError(f"{file.path.name} holds nothing but white space.", "Choose a file that holds rows.")
    if text.startswith("["):
        return TableFormat.JSON_ARRAY
    if text.startswith("{"):
        return _object_format(file, text)
    if text.startswith("<"):
        raise InputError(f"{file.path.name} is a web page or XML, not a table.", "Load a CSV, JSON or JSON lines file.")
    return TableFormat.CSV


def _object_format(file: TextFile, text: str) -> TableFormat:
    if _SPARQL_START.match(text) and '"vars"' in text[:50_000]:
        return TableFormat.SPARQL
    first, *others = [line.strip() for line in text.splitlines()[:50] if line.strip()]
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        # A first line that is broken, or longer than what was read; or the start of an object over many lines.
        goes_on = first.endswith(("{", "[", ",")) and not any(line.startswith("{") for line in others[:3])
        if goes_on and others:
            raise InputError(
                f"{file.path.name} is one JSON object over several lines, not a list of rows.",
                "Write the rows as [ {…}, {…} ], or one object a line.",
            ) from None
    return TableFormat.JSONL
