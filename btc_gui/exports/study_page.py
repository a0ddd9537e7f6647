"""A study's report as one page: HTML without scripts, without anything loaded, every outside text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from btc_gui.domain.agreement_report import Statistic
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.number_words import decimal, percent, span
from btc_gui.domain.outside_text import printable
from btc_gui.domain.report_sections import ReportSection, ReportTable, report_sections
from btc_gui.domain.study_report import StudyReport
from btc_gui.exports.files import write_whole

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --shade: 31 95 191;
  --paper: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e3; --soft: #9da7b1; --line: #3a4149; --shade: 92 150 235; --paper: #1b1e22; } }
body { margin: 2.5rem auto; max-width: 60rem; padding: 0 1.25rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
p, li { margin: .35rem 0; max-width: 46rem; }
.soft, small, caption { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .75rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: .35rem; font-size: .875rem; }
th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
.matrix td { text-align: center; min-width: 5.5rem; border: 1px solid var(--line); }
.matrix td b { display: block; font-size: 1.25rem; font-weight: 600; }
.matrix td.same { outline: 2px solid currentColor; outline-offset: -2px; }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 26rem; }
nav ul { columns: 2; padding-left: 1.1rem; font-size: .9rem; }
nav a { color: inherit; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; }
  nav { display: none; } }
""".strip()

# Nothing may be loaded or run, whatever a text contains.
_COUNT = re.compile(r"[−+]?\d[\d,.]*")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write_study_page(report: StudyReport, path: Path, note: str = "") -> Path:
    """Write the whole report as one HTML page. The same report gives the same bytes."""
    sections = report_sections(report)
    title = f"{report.study.name}: {report.kind}"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_text(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f'<h1 dir="auto">{_text(report.study.name)}</h1>',
        f'<p class="soft">{_text(_lead(report))}</p>',
        *([f"<p><strong>{_text(note)}</strong></p>"] if note else []),
        "<nav><ul>",
        *(f'<li><a href="#s{n}">{_text(section.title)}</a></li>' for n, section in enumerate(sections, 1)),
        "</ul></nav>",
        *(line for number, section in enumerate(sections, 1) for line in _section(number, section)),
        "</body>",
        "</html>",
    ]
    return write_whole(path, ("\n".join(parts) + "\n").encode("utf-8", "backslashreplace"))


def _lead(report: StudyReport) -> str:
    primary = report.primary
    return (
        f"{report.kind}; {report.mode.text}. {report.machine_role.capitalize()} {report.machine} against "
        f"{primary.annotator}: {primary.labelled:,} of {report.drawn:,} items labelled."
    )


def _section(number: int, section: ReportSection) -> Iterator[str]:
    yield f'<section id="s{number}">'
    yield f'<h2 dir="auto">{_text(section.title)}</h2>'
    for words in section.words:
        yield f'<p dir="auto">{_text(words)}</p>'
    if section.matrix is not None:
        yield from _matrix(section.matrix)
    if section.statistics:
        yield from _statistics(section.statistics)
    if section.table is not None:
        yield from _table(section.table)
    yield "</section>"


def _matrix(matrix: ConfusionMatrix) -> Iterator[str]:
    yield '<div class="scroll"><table class="matrix">'
    yield (
        f"<caption>n = {matrix.total:,}. Rows: {_text(matrix.rows_name)}; columns: {_text(matrix.columns_name)}. "
        "Counts, with the share of the row.</caption>"
    )
    names = "".join(f'<th scope="col">{_text(name)}</th>' for name in matrix.classes)
    yield f"<tr><th>{_text(matrix.rows_name)} ↓ / {_text(matrix.columns_name)} →</th>{names}<th>Total</th></tr>"
    for i, (name, row) in enumerate(zip(matrix.classes, matrix.counts, strict=True)):
        cells = "".join(_cell(count, sum(row), is_same=i == j) for j, count in enumerate(row))
        yield f'<tr><th scope="row">{_text(name)}</th>{cells}<td>{sum(row):,}</td></tr>'
    totals = "".join(f"<td>{count:,}</td>" for count in (*matrix.column_totals, matrix.total))
    yield f'<tr><th scope="row">Total</th>{totals}</tr>'
    yield "</table></div>"
    if matrix.left_out:
        listed = ", ".join(f"{count:,} {_text(reason)}" for reason, count in sorted(matrix.left_out.items()))
        yield f'<p class="soft">Left out: {listed}.</p>'


def _cell(count: int, total: int, *, is_same: bool) -> str:
    share = percent(count / total) if total else "–"
    # At most half shaded: the ink stays readable on it, light and dark.
    shade = f' style="background: rgb(var(--shade) / {count / total / 2:.3f})"' if total and count else ""
    same = ' class="same"' if is_same else ""
    return f"<td{same}{shade}><b>{count:,}</b><small>{share}</small></td>"


def _statistics(statistics: tuple[Statistic, ...]) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    yield (
        '<tr><th>Statistic</th><th class="number">Count</th><th class="number">Estimate</th>'
        '<th class="number">95 % interval</th><th>How</th></tr>'
    )
    for each in statistics:
        scope = f"<br><small>{_text(each.scope)}</small>" if each.scope else ""
        count = f"{each.count[0]:,}/{each.count[1]:,}" if each.count else ""
        value = decimal(each.value) if each.value is not None else "undefined"
        limits = span(each.interval) if each.interval else ""
        how = "; ".join(part for part in (each.method, each.reason) if part)
        yield (
            f'<tr><td>{_text(each.name)}{scope}</td><td class="number">{count}</td><td class="number">{value}</td>'
            f'<td class="number">{limits}</td><td><small>{_text(how)}</small></td></tr>'
        )
    yield "</table></div>"


def _table(table: ReportTable) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    kinds = [_kind(column) for column in zip(*table.rows, strict=True)]
    if any(table.header):
        heads = zip(table.header, kinds or ["text"] * len(table.header), strict=False)
        yield "<tr>" + "".join(f'<th class="{kind}">{_text(name)}</th>' for name, kind in heads) + "</tr>"
    for row in table.rows:
        cells = zip(row, kinds, strict=True)
        yield "<tr>" + "".join(f'<td class="{kind}" dir="auto">{_text(cell)}</td>' for cell, kind in cells) + "</tr>"
    yield "</table></div>"


def _kind(column: tuple[str, ...]) -> str:
    """How a column is set: counts stand at the right, so that they can be compared."""
    return "number" if any(column) and all(not cell or _COUNT.fullmatch(cell) for cell in column) else "text"


def _text(text: str) -> str:
    """Outside text as text."""
    return escape(printable(text))
