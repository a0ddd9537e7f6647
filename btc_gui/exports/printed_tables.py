"""Tables of results for reading: Markdown, and LaTeX for a paper. Cells are written as the window writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from btc_gui.domain.result_table import ResultTable, ShownColumn, cell_text
from btc_gui.exports.card_markdown import markdown_text
from btc_gui.exports.latex import SCALED, tex

#: The column whose values head groups of rows instead of standing in every row.
_GROUP = "category"

_MARKDOWN = {ord("\\"): "\\\\", ord("|"): "\\|", ord("<"): "&lt;", ord("&"): "&amp;"}


def markdown_page(table: ResultTable, note: str) -> str:
    """The table as a page of Markdown: what its figures are, the columns of the window, `note` below it."""

    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(cells)} |"

    columns = table.window_columns
    lines = [
        f"# {table.title}",
        "",
        markdown_text(table.printed_words),
        "",
        line(_figure(column.title) for column in columns),
    ]
    lines.append(f"|{'|'.join('---:' if column.is_number else '---' for column in columns)}|")
    for row in range(len(table.rows)):
        cells = [(column.is_number, cell_text(table, row, column)) for column in columns]
        lines.append(line(_figure(text) if is_number else markdown_text(text) for is_number, text in cells))
    return "\n".join([*lines, *(["", note] if note else [])]) + "\n"


def _figure(text: str) -> str:
    """Words of our own: what they say stays readable where nobody renders it."""
    return " ".join(text.split()).translate(_MARKDOWN)


def latex_page(table: ResultTable, note: str) -> str:
    """The table for `\\input`: the columns of the window, categories as headings; wider than the text, it is scaled."""
    columns = [column for column in table.window_columns if column.name != _GROUP]
    lines = [
        r"% Needs \usepackage{booktabs} and \usepackage{graphicx}.",
        r"\begin{table*}",
        r"\centering\footnotesize\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{tex(table.title)}. {tex(table.printed_words)}}}",
        SCALED,
        rf"\begin{{tabular}}{{@{{}}{''.join('r' if column.is_number else 'l' for column in columns)}@{{}}}}",
        r"\toprule",
        " & ".join(tex(column.title) for column in columns) + r" \\",
        r"\midrule",
        *_latex_rows(table, columns),
        r"\bottomrule",
        r"\end{tabular}}",
    ]
    if note:
        lines.append(rf"\par\smallskip\footnotesize {tex(note)}")
    return "\n".join([*lines, r"\end{table*}"]) + "\n"


def _latex_rows(table: ResultTable, columns: list[ShownColumn]) -> Iterator[str]:
    is_grouped = len(columns) < len(table.window_columns)
    group = ""
    for row in range(len(table.rows)):
        if is_grouped and (value := str(table.cell(row, _GROUP))) != group:
            if group:
                yield r"\addlinespace"
            group = value
            yield rf"\multicolumn{{{len(columns)}}}{{@{{}}l}}{{\textit{{{tex(group.capitalize())}}}}} \\"
        yield " & ".join(_latex_cell(cell_text(table, row, column)) for column in columns) + r" \\"


def _latex_cell(text: str) -> str:
    return tex(text).replace("<", "$<$").replace(">", "$>$").replace("·", r"$\cdot$")
