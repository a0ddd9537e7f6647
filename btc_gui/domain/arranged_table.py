"""Which rows of a table of results are shown, in which order and under which headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from btc_gui.domain.natural_order import natural_key
from btc_gui.domain.result_table import Cell, ResultTable

#: The columns by which rows are chosen and grouped, where a table has them.
TRAITS = ("category", "model", "effort", "harness")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What somebody has chosen: values by trait (a trait without any shows all), headings, and the order.

    `order` is a column of the table; without one, rows stay as the table has them.
    """

    chosen: dict[str, frozenset[str]] = field(default_factory=dict)
    group_by: str = ""
    order: str = ""
    is_descending: bool = False

    def choosing(self, trait: str, values: frozenset[str]) -> Arrangement:
        """The same with other values of one trait."""
        return replace(self, chosen={**self.chosen, trait: values})

    def grouped(self, trait: str) -> Arrangement:
        """The same under other headings."""
        return replace(self, group_by=trait)

    def ordered(self, column: str, is_descending: bool) -> Arrangement:
        """The same in another order."""
        return replace(self, order=column, is_descending=is_descending)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the window: a row of the table, or a heading with how many rows it has (`row` is −1)."""

    row: int
    heading: str = ""
    count: int = 0


def values_of(tables: Sequence[ResultTable], trait: str) -> list[str]:
    """The values that a trait has in any of the tables, in their order."""
    found: dict[str, None] = {}
    for table in tables:
        if trait in table.header:
            # The few values of many rows are told apart before they are looked at.
            values = dict.fromkeys(map(itemgetter(table.place(trait)), table.rows))
            found.update(dict.fromkeys(str(value) for value in values if value))
    return list(found)


def groupings(table: ResultTable) -> list[str]:
    """The columns by which the rows of a table can be grouped: traits, and configurations that have several rows."""
    found = [
        trait
        for trait in TRAITS
        # The category is the heading at first, also where there is but one.
        if trait in table.header and (trait == "category" or len(values_of([table], trait)) > 1)
    ]
    if {"category", "configuration"} <= set(table.header):
        pair = itemgetter(table.place("category"), table.place("configuration"))
        if len(set(map(pair, table.rows))) < len(table.rows):
            found.append("configuration")
    return found


def arranged(table: ResultTable, arrangement: Arrangement) -> list[Line]:
    """The lines to show. A trait that the table does not have neither hides nor groups, nor do headings over one row
    each."""
    rows = _chosen_rows(table, arrangement)
    if arrangement.order in table.header:
        column = table.place(arrangement.order)
        known = [row for row in rows if table.rows[row][column] is not None]
        known.sort(key=lambda row: _order(table.rows[row][column]), reverse=arrangement.is_descending)
        # What is undefined stands last, whichever way the others go.
        rows = [*known, *(row for row in rows if table.rows[row][column] is None)]
    if arrangement.group_by not in table.header:
        return [Line(row) for row in rows]
    groups: dict[str, list[int]] = {value: [] for value in values_of([table], arrangement.group_by)}
    place = table.place(arrangement.group_by)
    for row in rows:
        groups.setdefault(str(table.rows[row][place] or "–"), []).append(row)
    if all(len(members) <= 1 for members in groups.values()) and len(rows) > 1:
        return [Line(row) for row in rows]
    lines = []
    for heading, members in groups.items():
        if members:
            lines.append(Line(-1, heading, len(members)))
            lines += [Line(row) for row in members]
    return lines


def _chosen_rows(table: ResultTable, arrangement: Arrangement) -> list[int]:
    """The rows that have one of the chosen values of each trait that the table has."""
    rows = list(range(len(table.rows)))
    for trait, values in arrangement.chosen.items():
        if values and trait in table.header:
            column = table.place(trait)
            rows = [row for row in rows if str(table.rows[row][column]) in values]
    return rows


def _order(cell: Cell) -> tuple[int, float, object]:
    if isinstance(cell, int | float):
        return 0, float(cell), ()
    return 1, 0.0, natural_key(str(cell))
