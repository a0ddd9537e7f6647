"""Matrices and statistics as LaTeX tables (booktabs), to be set with `\\input`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from btc_gui.domain.agreement_report import Statistic
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.number_words import decimal, span
from btc_gui.domain.outside_text import printable
from btc_gui.exports.files import write_whole

_SPECIAL = {
    ord("\\"): r"\textbackslash{}",
    ord("{"): r"\{",
    ord("}"): r"\}",
    ord("~"): r"\textasciitilde{}",
    ord("^"): r"\textasciicircum{}",
    ord("π"): r"$\pi$",
    ord("₁"): r"$_1$",
    ord("−"): "$-$",
    ord("×"): r"$\times$",
    ord("–"): "--",
    ord("“"): "``",
    ord("”"): "''",
    ord("\u00a0"): "~",
    **{ord(sign): f"\\{sign}" for sign in "&%$#_"},
}


#: What begins a table that is made as narrow as the text, where it is wider; it ends with another brace.
SCALED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"

#: A reason is a sentence: it breaks within the width of estimate and interval.
_REASON = r"p{0.34\linewidth}@{}"


def tex(text: str) -> str:
    """Outside text as text: nothing in it is a command, a comment, a new row or the option of a command before it."""
    words = " ".join(printable(text).split())
    # Behind the end of a row, `[1cm]` would be its height and `*` would forbid a break.
    return ("{}" if words.startswith(("[", "*")) else "") + words.translate(_SPECIAL)


def write_matrix_latex(matrix: ConfusionMatrix, path: Path, title: str, note: str = "") -> Path:
    """The matrix as a table: counts with shares of the row, rows machine, columns human, totals at the ends.

    Needs the packages booktabs and graphicx: what is wider than the text is scaled. `note` is a last line.
    """
    size = len(matrix.classes)
    lines = [
        r"% Needs \usepackage{booktabs} and \usepackage{graphicx}.",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{tex(title)}. Rows: {tex(matrix.rows_name)}; columns: {tex(matrix.columns_name)}. "
        r"In parentheses: share of the row in per cent.}",
        SCALED,
        rf"\begin{{tabular}}{{l{'r' * size}r}}",
        r"\toprule",
        " & ".join([tex(matrix.rows_name.capitalize()), *map(tex, matrix.classes), "Total"]) + r" \\",
        r"\midrule",
    ]
    for name, row in zip(matrix.classes, matrix.counts, strict=True):
        total = sum(row)
        cells = [f"{count} ({decimal(count / total * 100, 1)})" if total else f"{count} (--)" for count in row]
        lines.append(" & ".join([tex(name), *cells, str(total)]) + r" \\")
    totals = [str(count) for count in (*matrix.column_totals, matrix.total)]
    lines += [r"\midrule", " & ".join(["Total", *totals]) + r" \\", r"\bottomrule", r"\end{tabular}}"]
    left_out = [f"{count} {tex(reason)}" for reason, count in sorted(matrix.left_out.items())]
    foot = ([f"Left out: {', '.join(left_out)}."] if left_out else []) + ([tex(note)] if note else [])
    lines += [rf"\par\smallskip\footnotesize {line}" for line in foot]
    return write_whole(path, ("\n".join([*lines, r"\end{table}"]) + "\n").encode())


def write_statistics_latex(statistics: Sequence[Statistic], path: Path, title: str, note: str = "") -> Path:
    """Statistics as a table: name and scope, count, estimate, interval. Undefined ones say why."""
    lines = [
        r"% Needs \usepackage{booktabs}.",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{tex(title)}. Intervals: 95\,\%.}}",
        r"\small",
        r"\begin{tabular}{@{}p{0.47\linewidth}rrl@{}}",
        r"\toprule",
        r"Statistic & Count & Estimate & Interval \\",
        r"\midrule",
    ]
    for each in statistics:
        name = rf"\raggedright {tex(f'{each.name}, {each.scope}' if each.scope else each.name)}"
        count = f"{each.count[0]}/{each.count[1]}" if each.count else ""
        if each.value is None:
            lines.append(rf"{name} & {count} & \multicolumn{{2}}{{{_REASON}}}{{{tex(each.reason)}}} \\")
            continue
        limits = span(each.interval) if each.interval else each.reason
        lines.append(rf"{name} & {count} & {tex(decimal(each.value))} & {tex(limits)} \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    if note:
        lines.append(rf"\par\smallskip\footnotesize {tex(note)}")
    return write_whole(path, ("\n".join([*lines, r"\end{table}"]) + "\n").encode())
