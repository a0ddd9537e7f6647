"""A table of results: cells for files, columns for a window, and the answers behind each cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from btc_gui.domain.number_words import decimal, p_value, percent, signed, span
from btc_gui.domain.result_rows import ResultAnswer

Cell = str | int | float | None
#: Of a row: the answers behind a figure, by the name that a `ShownColumn` has for them.
CasesOf = Callable[[str], Sequence[ResultAnswer]]

#: What stands where there is no figure.
NO_FIGURE = "–"


class Form(StrEnum):
    """How a cell is written."""

    TEXT = "text"
    COUNT = "count"
    #: A median of counts: a whole number or one and a half.
    MEDIAN = "median"
    #: From 0 to 1, written as per cent.
    SHARE = "share"
    #: A difference of shares, written as percentage points with its sign.
    POINTS = "points"
    #: From the share in the column itself to that in `high`.
    RANGE = "range"
    P = "p"
    NUMBER = "number"


class Tells(StrEnum):
    """What the answers behind a figure tell of the labels of those in it."""

    NOTHING = ""
    #: They all have the same one.
    LABEL = "label"
    #: Those about one event have the same one, or different ones: who knows one of them knows the others.
    COMPARISON = "comparison"


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column of the window, made of columns of the table.

    `name` is the column that is shown and sorted by; `low` and `high` are those of its interval, `count` and `of` those
    of k and n. `cases` names the answers behind its cells ("" without any), `tells` what opening them tells of what the
    judge said. `words` say what the figure is. A `width` of 0 takes what is left.
    """

    title: str
    name: str
    form: Form = Form.TEXT
    width: int = 96
    low: str = ""
    high: str = ""
    count: str = ""
    of: str = ""
    cases: str = ""
    tells: Tells = Tells.NOTHING
    words: str = ""

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers."""
        return self.form is not Form.TEXT


@dataclass(frozen=True, slots=True)
class ResultTable:
    """One table: file name without ending, title, what its figures are, header and rows.

    Shares are numbers from 0 to 1; None is what does not exist or is undefined. `printed` names the columns that a
    page of paper has room for; empty means all. `shown` are the columns of the window (empty: those that are printed),
    `cases` the answers behind each row's figures (empty: none).
    """

    name: str
    title: str
    words: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    printed: tuple[str, ...] = ()
    shown: tuple[ShownColumn, ...] = ()
    cases: tuple[CasesOf, ...] = ()

    def place(self, name: str) -> int:
        """Where a column stands. Raises ValueError for a name that the table does not have."""
        return self.header.index(name)

    def cell(self, row: int, name: str) -> Cell:
        """One cell."""
        return self.rows[row][self.place(name)]

    @property
    def window_columns(self) -> tuple[ShownColumn, ...]:
        """The columns of the window."""
        return self.shown or tuple(self._plain(name) for name in self.printed or self.header)

    @property
    def named_columns(self) -> tuple[str, ...]:
        """The columns of the files that `words` name, in its order; names of one word can't be told from words."""
        named = re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", self.words)
        return tuple(name for name in dict.fromkeys(named) if name in self.header)

    @property
    def printed_words(self) -> str:
        """What the figures are, for a page that has the columns of the window: `words`, or by column where these name
        columns that only the files have."""
        if not self.named_columns:
            return self.words
        titles: dict[str, list[str]] = {}
        for column in self.window_columns:
            titles.setdefault(column.words, []).append(f"“{column.title}”")
        return " ".join(f"{', '.join(named)}: {words}" for words, named in titles.items() if words)

    def answers(self, row: int, column: ShownColumn) -> Sequence[ResultAnswer]:
        """The answers behind a cell; none where it has no answers, or no figure."""
        if not column.cases or not self.cases or self.cell(row, column.name) is None:
            return ()
        return self.cases[row](column.cases)

    def _plain(self, name: str) -> ShownColumn:
        place = self.place(name)
        kinds = {type(row[place]) for row in self.rows} - {type(None)}
        form = Form.TEXT if not kinds or str in kinds else Form.NUMBER if float in kinds else Form.COUNT
        title = name.replace("_", " ")
        width = 84 if form is not Form.TEXT else 200
        return ShownColumn(title[:1].upper() + title[1:], name, form, width)


def cell_text(table: ResultTable, row: int, column: ShownColumn) -> str:
    """A cell as the window shows it: `62.5 % [31, 86] of 8`; a dash where there is no figure."""
    value = table.cell(row, column.name)
    if value is None or value == "":
        return NO_FIGURE
    if isinstance(value, str) or column.form is Form.TEXT:
        return str(value)
    if column.form is Form.RANGE:
        return _range(table, row, column)
    text = _FORMS[column.form](float(value))
    low, high = (table.cell(row, name) if name else None for name in (column.low, column.high))
    if isinstance(low, int | float) and isinstance(high, int | float):
        text += f" [{_end(column.form, low)}, {_end(column.form, high)}]"
    total = table.cell(row, column.of) if column.of else None
    return text if total is None else f"{text} of {total:,}"


def cell_words(table: ResultTable, row: int, column: ShownColumn) -> str:
    """What a hover says of a cell: counts, value, interval, and what it is."""
    value = table.cell(row, column.name)
    if isinstance(value, str) or column.form is Form.TEXT:
        return "" if value is None else str(value)
    parts = [_figure(table, row, column)]
    if column.words:
        parts.append(column.words)
    if value is not None and table.cases and column.cases:
        parts.append("Enter or a double click opens the cases.")
    return "\n".join(parts)


def _figure(table: ResultTable, row: int, column: ShownColumn) -> str:
    value = table.cell(row, column.name)
    if not isinstance(value, int | float):
        return f"{column.title}: none"
    if column.form is Form.RANGE:
        return f"{column.title}: {_range(table, row, column)}"
    text = f"{column.title}: {_FORMS[column.form](float(value))}"
    count, total = (table.cell(row, name) if name else None for name in (column.count, column.of))
    if count is not None and total is not None:
        text += f", {count:,} of {total:,}"
    low, high = (table.cell(row, name) if name else None for name in (column.low, column.high))
    if isinstance(low, int | float) and isinstance(high, int | float):
        one, other = (_FORMS[column.form](float(end)) for end in (low, high))
        text += f", between {one} and {other}"
    return text


def _range(table: ResultTable, row: int, column: ShownColumn) -> str:
    low, high = (table.cell(row, name) for name in (column.name, column.high))
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return NO_FIGURE
    return f"{span((low * 100, high * 100), 1)} %"


def _number(value: float) -> str:
    return decimal(value, 0 if value == round(value) and abs(value) >= 2 else 3)


_FORMS: dict[Form, Callable[[float], str]] = {
    Form.COUNT: lambda value: decimal(value, 0),
    Form.MEDIAN: lambda value: decimal(value, 0 if value == round(value) else 1),
    Form.SHARE: percent,
    Form.RANGE: percent,
    Form.POINTS: lambda value: signed(value * 100),
    Form.P: p_value,
    Form.NUMBER: _number,
}


def _end(form: Form, value: float) -> str:
    """A limit of an interval, in whole per cent or points."""
    return decimal(value * 100, 0) if form in (Form.SHARE, Form.POINTS) else _FORMS[form](value)
