"""Confusion matrices as files: CSV with named axes, and pictures that have the same bytes each time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.number_words import percent
from btc_gui.domain.outside_text import on_one_line
from btc_gui.exports.drawing import COLOURS, SECONDARY, TEXT, font, ink_on, write_pictures
from btc_gui.exports.files import safe_name
from btc_gui.exports.tables import write_csv, write_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACCENT = (0x1F, 0x5F, 0xBF)

#: Shape and colour of the classes that have them everywhere in the app, by lower-case name.
MARKS = {
    "reasoning": ("◆", COLOURS["reasoning"]),
    "explicit": ("●", COLOURS["explicit"]),
    "indirect": ("▲", COLOURS["indirect"]),
    "none": ("■", COLOURS["none"]),
    "no/unrelated": ("■", COLOURS["none"]),
    "correct": ("✓", COLOURS["correct"]),
    "incorrect": ("✗", COLOURS["danger"]),
}


def matrix_path(folder: Path, name: str, suffix: str) -> Path:
    """`folder/matrix_NAME.SUFFIX`, the name made safe for every system."""
    return folder / f"matrix_{safe_name(name)}.{suffix}"


def write_matrix_csv(matrix: ConfusionMatrix, path: Path, note: str = "") -> Path:
    """One row for each class of the judge, one column for each of the human; below, one row for each reason left out.

    The first cell names the axes: `judge ↓ / human →`. `note` (such as "Illustrative data") is a last row.
    """
    rows: list[list[object]] = [[name, *row] for name, row in zip(matrix.classes, matrix.counts, strict=True)]
    rows += [[f"left out: {reason}", count] + [None] * (len(matrix.classes) - 1) for reason, count in _left_out(matrix)]
    if note:
        rows.append([f"note: {note}"] + [None] * len(matrix.classes))
    write_csv(path, [_corner(matrix), *matrix.classes], rows)
    return path


def write_matrix_json(matrix: ConfusionMatrix, path: Path, title: str, note: str = "") -> Path:
    """The matrix as JSON: names of the axes, classes, counts, shares of the rows, what is left out."""
    return write_json(path, {"title": title, "note": note, **matrix_json(matrix)})


def matrix_json(matrix: ConfusionMatrix) -> dict[str, object]:
    """A matrix as data. Shares of a row without labels are null."""
    return {
        "rows": matrix.rows_name,
        "columns": matrix.columns_name,
        "classes": list(matrix.classes),
        "counts": [list(row) for row in matrix.counts],
        "row_shares": [[count / sum(row) if sum(row) else None for count in row] for row in matrix.counts],
        "n": matrix.total,
        "left_out": dict(matrix.left_out),
    }


def write_matrix_svg(matrix: ConfusionMatrix, path: Path, title: str, note: str = "") -> Path:
    """The picture as SVG; see `write_matrix_picture`."""
    return write_matrix_picture(matrix, path, title, note, suffix="svg")


def write_matrix_picture(matrix: ConfusionMatrix, path: Path, title: str, note: str = "", *, suffix: str = "") -> Path:
    """Draw the matrix: the count large, its share of the row small and as the shade, the diagonal outlined.

    The kind of file is that of the path's suffix: svg, png or pdf. `note` is the footnote (such as "Illustrative
    data"). Raises InputError for another kind, or a place that can't be written.
    """
    kind = suffix or path.suffix.lstrip(".").lower()
    return write_matrix_pictures(matrix, {kind: path}, title, note)[0]


def write_matrix_pictures(matrix: ConfusionMatrix, paths: Mapping[str, Path], title: str, note: str = "") -> list[Path]:
    """The same picture in several kinds, drawn once; see `write_matrix_picture`."""
    # The picture is as wide as its title: one without end would be a picture without end.
    title = on_one_line(title)
    return write_pictures(lambda: _draw(matrix, title, note), paths, title)


def _draw(matrix: ConfusionMatrix, title: str, note: str) -> Figure:
    from matplotlib.figure import Figure

    size = len(matrix.classes)
    longest = max([len(name) for name in matrix.classes] + [len(_corner(matrix))])
    cell, label = max(1.05, 0.085 * max(map(len, matrix.classes), default=0) + 0.35), 0.09 * longest + 0.5
    foot = _footnotes(matrix, note)
    head, below = 1.0, 0.25 + 0.2 * len(foot)
    width, height = label + size * cell + 0.3, head + size * cell + below
    width = max(width, 0.095 * len(title) + 0.4, 0.068 * max(map(len, foot)) + 0.4)
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((label / width, below / height, size * cell / width, size * cell / height))
    _draw_cells(axes, matrix)
    _draw_names(axes, matrix)
    left = 0.2 / width
    bold = font(12, title, bold=True)
    figure.text(left, 1 - 0.2 / height, title, color=TEXT, ha="left", va="top", font=bold)
    for place, line in enumerate(foot):
        bottom = (below - 0.22 - 0.2 * place) / height
        figure.text(left, bottom, line, color=SECONDARY, ha="left", va="center", font=font(8, line))
    return figure


def _draw_cells(axes: Axes, matrix: ConfusionMatrix) -> None:
    from matplotlib.patches import Rectangle

    size = len(matrix.classes)
    axes.set_xlim(0, max(size, 1))
    axes.set_ylim(max(size, 1), 0)
    for i, row in enumerate(matrix.counts):
        for j, count in enumerate(row):
            share = count / sum(row) if sum(row) else None
            colour = _shade(share or 0.0)
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=colour, edgecolor="#E2E2DD", linewidth=0.8))
            ink = ink_on(colour)
            axes.text(j + 0.5, i + 0.45, f"{count:,}", ha="center", va="center", color=ink, font=font(16))
            small = "–" if share is None else percent(share)
            axes.text(j + 0.5, i + 0.76, small, ha="center", va="center", color=ink, font=font(8))
    for i in range(size):
        outline = Rectangle((i + 0.02, i + 0.02), 0.96, 0.96, fill=False, edgecolor=TEXT, linewidth=1.6)
        axes.add_patch(outline)


def _draw_names(axes: Axes, matrix: ConfusionMatrix) -> None:
    """The classes on both sides. Colour is on the mark only, beside the word: never colour alone."""
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    for place, name in enumerate(matrix.classes):
        symbol, colour = MARKS.get(name.casefold(), ("", TEXT))
        axes.text(place + 0.5, -0.12, name, ha="center", va="center", color=TEXT, font=font(9.5, name))
        axes.text(place + 0.5, -0.3, symbol, ha="center", va="center", color=colour, font=font(9.5))
        axes.text(-0.28, place + 0.5, name, ha="right", va="center", color=TEXT, font=font(9.5, name))
        axes.text(-0.15, place + 0.5, symbol, ha="center", va="center", color=colour, font=font(9.5))
    axes.text(-0.28, -0.12, _corner(matrix), ha="right", va="center", color=SECONDARY, font=font(8.5, _corner(matrix)))


def _footnotes(matrix: ConfusionMatrix, note: str) -> list[str]:
    lines = [f"n = {matrix.total:,}. Small figures: share of the row ({matrix.rows_name})."]
    if matrix.left_out_total:
        reasons = ", ".join(f"{count} {reason}" for reason, count in _left_out(matrix))
        lines.append(f"Left out {matrix.left_out_total}: {reasons}.")
    return [*lines, note] if note else lines


def _left_out(matrix: ConfusionMatrix) -> list[tuple[str, int]]:
    return sorted(matrix.left_out.items())


def _corner(matrix: ConfusionMatrix) -> str:
    return f"{matrix.rows_name} ↓ / {matrix.columns_name} →"


def _shade(share: float) -> str:
    """From white to the accent."""
    return "#" + "".join(f"{round(255 + (part - 255) * share):02X}" for part in ACCENT)
