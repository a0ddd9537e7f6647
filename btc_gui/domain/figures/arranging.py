"""Which rows of a figure are shown, in which order, and how their names stand under headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from btc_gui.domain.figures.figure import BarFigure, Figure, PointFigure


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a name and the number of its row, or a heading above rows (-1)."""

    name: str
    row: int = -1

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading."""
        return self.row < 0


def lines_of(names: Sequence[tuple[str, str]], *, always_headed: bool = False) -> tuple[Line, ...]:
    """Rows named by group and label as lines: each group a heading, where that saves words.

    Rows of which every one would have a heading of its own have both names in one line, unless `always_headed`.
    """
    runs = [(group, list(rows)) for group, rows in groupby(enumerate(names), key=lambda entry: entry[1][0])]
    if len(runs) == len(names) and not always_headed:
        return tuple(Line(joined(*name), place) for place, name in enumerate(names))
    found: list[Line] = []
    for group, rows in runs:
        found.append(Line(group))
        found += [Line(label, place) for place, (_, label) in rows]
    return tuple(found)


def joined(group: str, label: str) -> str:
    """Both names in one line."""
    return f"{group} · {label}" if label else group


def names_of(figure: PointFigure | BarFigure) -> list[tuple[str, str]]:
    """Group and label of each row."""
    rows = figure.rows if isinstance(figure, PointFigure) else figure.bars
    return [(row.group, row.label) for row in rows]


def with_words(figure: Figure, words: str) -> Figure:
    """Only the rows (or panels) in whose names all the words occur."""
    wanted = words.casefold().split()

    def fits(*names: str) -> bool:
        name = " ".join(names).casefold()
        return all(word in name for word in wanted)

    if isinstance(figure, PointFigure):
        rows = tuple(row for row in figure.rows if fits(row.group, row.label, row.title))
        return replace(figure, rows=rows)
    if isinstance(figure, BarFigure):
        return replace(figure, bars=tuple(bar for bar in figure.bars if fits(bar.group, bar.label, bar.title)))
    return replace(figure, panels=tuple(panel for panel in figure.panels if fits(panel.title)))


def by_value(figure: Figure) -> Figure:
    """The greatest value first: of the last point of a row, of a bar's total; rows without a point come last."""
    if isinstance(figure, PointFigure):
        rows = sorted(figure.rows, key=lambda row: (row.order is None, -(row.order or 0.0)))
        return replace(figure, rows=tuple(rows))
    if isinstance(figure, BarFigure):
        return replace(figure, bars=tuple(sorted(figure.bars, key=lambda bar: -bar.total)))
    return figure
