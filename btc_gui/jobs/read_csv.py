"""CSV as it is found: quoted line breaks, other separators, records that never close."""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Iterator

from btc_gui.domain.table_row import BadRow, Row
from btc_gui.errors import InputError
from btc_gui.jobs.read_text import MAX_ROW, Line, readable, unusable

#: A record with line breaks may go over this many lines; one that goes on was never closed.
_MAX_LINES = 300
_SEPARATORS = (",", ";", "\t")


class _Records:
    """Takes records off the lines. A record that can't be one gives back all its lines but the first."""

    def __init__(self, lines: Iterator[Line], separator: str, longest: int) -> None:
        self._lines = lines
        self._longest = longest
        self._again: deque[Line] = deque()
        self._separator = separator

    def next_line(self) -> Line | None:
        """The next physical line, or None at the end."""
        return self._again.popleft() if self._again else next(self._lines, None)

    def give_back(self, lines: list[Line]) -> None:
        """Read these lines again, next."""
        self._again.extendleft(reversed(lines))

    def cells(self, first: Line) -> tuple[list[str], list[Line], str]:
        """The cells of the record that starts at `first`, its further lines, and what is wrong with it."""
        if first.problem:
            return [], [], first.problem
        if '"' not in first.text:
            return first.text.rstrip("\r\n").split(self._separator), [], ""
        more: list[Line] = []
        texts, length = [first.text], len(first.text)
        while True:
            try:
                return next(csv.reader(texts, delimiter=self._separator, strict=True)), more, ""
            except csv.Error as error:
                if "unexpected end of data" not in str(error):
                    return [], more, f"the quotes are wrong: {error}"
            line = self.next_line() if len(more) < _MAX_LINES and length < self._longest else None
            if line is None:
                return [], more, "a quote is opened and never closed"
            more.append(line)
            if line.problem:
                return [], more, "a quote is opened and never closed"
            texts.append(line.text)
            length += len(line.text)


def _separator_of(header: str) -> str:
    outside = "".join(header.split('"')[0::2])
    return max(_SEPARATORS, key=outside.count)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Column names as they are told apart: a second “name” is “name (2)”, one without a name “column 3”."""
    taken: set[str] = set()
    seen: Counter[str] = Counter()
    result: list[str] = []
    for number, raw in enumerate(names, start=1):
        name = raw.strip() or f"column {number}"
        seen[name] += 1
        candidate = name if seen[name] == 1 else f"{name} ({seen[name]})"
        while candidate in taken:
            seen[name] += 1
            candidate = f"{name} ({seen[name]})"
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)


def read_csv(
    lines: Iterator[Line], file_name: str, longest: int = MAX_ROW
) -> tuple[tuple[str, ...], Iterator[Row | BadRow]]:
    """The columns of a CSV file and its rows, of `longest` characters at most.

    Raises `InputError` when it has no usable header.
    """
    # The csv module's own limit is smaller than ours and belongs to the whole process: only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), longest))
    header = next((line for line in lines if line.text.strip()), None)
    if header is None:
        raise InputError(f"{file_name} holds nothing but blank lines.", "Choose a file that holds rows.")
    separator = _separator_of(header.text)
    # Excel's own hint, which other programs take for a row.
    if len(header.text.strip()) == 5 and header.text.lower().startswith("sep="):
        separator = header.text[4]
        header = next(lines, header)
    records = _Records(lines, separator, longest)
    names, _, problem = records.cells(header)
    if problem:
        raise InputError(f"{file_name}: the header in line {header.number} can't be read: {problem}.", "Correct it.")
    columns = _distinct(names)
    return columns, _rows(records, columns)


def _rows(records: _Records, columns: tuple[str, ...]) -> Iterator[Row | BadRow]:
    while (first := records.next_line()) is not None:
        if not first.text.strip() and not first.problem:
            continue
        cells, more, problem = records.cells(first)
        if not problem:
            if not any(cell.strip() for cell in cells):
                continue
            while len(cells) > len(columns) and not cells[-1].strip():
                cells.pop()
            if len(cells) != len(columns):
                fields = "1 field" if len(cells) == 1 else f"{len(cells)} fields"
                problem = f"the row has {fields} where the header names {len(columns)}"
        if problem:
            # The lines after a broken one may well be good.
            records.give_back(more)
            yield BadRow(first.number, problem, readable(first.text.rstrip("\r\n")))
            continue
        values = {column: text for column, cell in zip(columns, cells, strict=True) if (text := cell.strip())}
        problem = unusable(values)
        yield BadRow(first.number, problem, readable(first.text)) if problem else Row(first.number, values)
