"""Two trajectories side by side as a file: a table as CSV, a page as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from btc_gui.domain.outside_text import printable
from btc_gui.domain.trajectory import Step
from btc_gui.exports.files import write_whole
from btc_gui.exports.tables import write_csv

#: One aligned row: the left step, the right step; None where a side has no such step.
Pair = tuple[Step | None, Step | None]

_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "&\\`*_[]<>|#!~"}


def write_comparison_csv(pairs: Sequence[Pair], left: str, right: str, path: Path, note: str = "") -> Path:
    """One row for each aligned pair of steps: kind, text, and for a query its results, on both sides."""
    header = ["row", *(f"{side} {what}" for side in (left, right) for what in ("step", "text", "results")), "note"]
    rows = [[number, *_cells(a), *_cells(b), note] for number, (a, b) in enumerate(pairs, start=1)]
    write_csv(path, header, rows)
    return path


def write_comparison_page(
    pairs: Sequence[Pair], left: str, right: str, path: Path, title: str, lines: Sequence[str], note: str = ""
) -> Path:
    """The same as Markdown with a table; `lines` (the change, the request) stand above it, `note` below."""
    body = [f"# {_plain(title)}", "", *(f"{_plain(line)}  " for line in lines), ""]
    body += [f"| | {_plain(left)} | {_plain(right)} |", "|---|---|---|"]
    body += [f"| {number} | {_shown(a)} | {_shown(b)} |" for number, (a, b) in enumerate(pairs, start=1)]
    if note:
        body += ["", f"*{note}*"]
    return write_whole(path, ("\n".join(body) + "\n").encode("utf-8", "backslashreplace"))


def _cells(step: Step | None) -> list[object]:
    return [None, None, None] if step is None else [str(step.kind), step.text, "\n".join(_results(step)) or None]


def _results(step: Step) -> list[str]:
    return [f"{result.published or 'no date'}: {result.title} ({result.url})" for result in step.results]


def _shown(step: Step | None) -> str:
    if step is None:
        return ""
    return "<br>".join([f"**{step.kind}** {_plain(step.text)}", *(_plain(line) for line in _results(step))])


def _plain(text: str) -> str:
    """Outside text as text: nothing in it can end a cell, become markup or load anything."""
    return "<br>".join(printable(text).translate(_SIGNS).splitlines())
