"""Figures of results as files for papers: SVG, PDF and PNG, captions to set them with, and a manifest of hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from btc_gui.domain.figures.figure import BarFigure, Figure, PointFigure, QueryFigure
from btc_gui.errors import InputError
from btc_gui.exports.draw_figure import draw_figure
from btc_gui.exports.drawing import PICTURES, write_pictures
from btc_gui.exports.figure_parts import COLUMN, PAGE
from btc_gui.exports.files import safe_name, write_whole
from btc_gui.exports.latex import tex
from btc_gui.exports.tables import write_json
from btc_gui.progress import Progress

MANIFEST = "figures_manifest.json"
#: All figures set in LaTeX, each with its caption.
CAPTIONS = "figures.tex"
#: The widths of a two-column paper by name.
WIDTHS = {"column": COLUMN, "page": PAGE}


def write_figures(
    figures: Sequence[Figure],
    folder: Path,
    note: str = "",
    *,
    kinds: Sequence[str] = PICTURES,
    width: str = "",
    with_titles: bool = True,
    progress: Progress | None = None,
) -> list[Path]:
    """Write each figure as pictures, the captions as LaTeX and a manifest with the hashes of all files.

    The same figures give the same bytes. `width` is column or page; empty means what each figure needs. `note` (such
    as "Illustrative") stands in every picture. Without `with_titles` only the caption says what a figure is. Raises
    `InputError` for another kind or width, or when the folder can't be written.
    """
    if width and width not in WIDTHS:
        raise InputError(f"“{width}” is no width of a figure.", f"Use one of {', '.join(WIDTHS)}.")
    files: list[Path] = []
    entries: list[dict[str, object]] = []
    for place, figure in enumerate(figures):
        if progress is not None:
            progress.report(place, len(figures), f"Drawing {figure.title}")
        chosen = width or natural_width(figure)
        paths = {kind: folder / f"{file_name(figure)}.{kind}" for kind in kinds}
        draw = partial(draw_figure, figure, WIDTHS[chosen], note, with_title=with_titles)
        files += write_pictures(draw, paths, figure.title)
        entries.append(
            {
                "name": file_name(figure),
                "title": figure.title,
                "caption": figure.words,
                "width": chosen,
                "files": [path.name for path in paths.values()],
            }
        )
    if "pdf" in kinds:
        files.append(write_whole(folder / CAPTIONS, _captions(entries, note).encode("utf-8", "backslashreplace")))
    manifest = {
        "figures": entries,
        "files": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
        "note": note,
    }
    return [*files, write_json(folder / MANIFEST, manifest)]


def file_name(figure: Figure) -> str:
    """The name of a figure's files without their ending; no table has one that begins alike.

    It has nothing that ends an argument or begins a command in LaTeX.
    """
    return safe_name("figure_" + "".join(sign for sign in figure.name if sign not in "{}%#~^\\$&"))


def natural_width(figure: Figure) -> str:
    """What width a figure needs: a column where it has one panel, else the page."""
    if isinstance(figure, BarFigure):
        return "column"
    if isinstance(figure, PointFigure | QueryFigure):
        return "column" if len(figure.panels) == 1 else "page"
    raise AssertionError(figure)


def _captions(entries: Iterable[dict[str, object]], note: str) -> str:
    """Each figure as LaTeX sets it: the PDF as wide as its column or the page, with title and words as its caption."""
    lines = [r"% Needs \usepackage{graphicx}. Take from here the figures that the paper shows."]
    for entry in entries:
        star, wide = ("*", r"\textwidth") if entry["width"] == "page" else ("", r"\columnwidth")
        words = f"{entry['title']}. {entry['caption']}" + (f" {note}" if note else "")
        lines += [
            "",
            rf"\begin{{figure{star}}}",
            r"\centering",
            rf"\includegraphics[width={wide}]{{{entry['name']}}}",
            rf"\caption{{{tex(words)}}}",
            rf"\label{{fig:{entry['name']}}}",
            rf"\end{{figure{star}}}",
        ]
    return "\n".join(lines) + "\n"
