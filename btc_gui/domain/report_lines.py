"""Matrices and statistics as lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.agreement_report import AgreementReport, Statistic
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.number_words import percent


def text_lines(report: AgreementReport) -> list[str]:
    """A report: matrix, statistics, notes."""
    lines = [*matrix_lines(report.matrix), "", *statistic_lines(report.statistics)]
    if report.events is not None:
        lines.append(f"Distinct events: {report.events}")
    return [*lines, "", *report.notes] if report.notes else lines


def matrix_lines(matrix: ConfusionMatrix) -> list[str]:
    """A matrix with the names of its axes: counts, then shares of the row, then what is left out."""
    width = max([len(name) for name in (*matrix.classes, f"{matrix.rows_name} ↓")] + [6])
    lines = [f"{matrix.rows_name} ↓".ljust(width) + f"  {matrix.columns_name} →"]
    lines.append(" " * width + "".join(name.rjust(max(len(name), 7) + 2) for name in matrix.classes))
    for name, row in zip(matrix.classes, matrix.counts, strict=True):
        cells = list(zip(matrix.classes, row, strict=True))
        lines.append(name.ljust(width) + "".join(f"{count:>{max(len(column), 7) + 2}}" for column, count in cells))
        if sum(row):
            shares = (percent(count / sum(row)).rjust(max(len(column), 7) + 2) for column, count in cells)
            lines.append(" " * width + "".join(shares))
    return lines + [f"left out: {count} ({reason})" for reason, count in matrix.left_out.items()]


def statistic_lines(statistics: Sequence[Statistic]) -> list[str]:
    """Statistics, a line each, with the reason where there is no interval."""
    width = max((len(_label(statistic)) for statistic in statistics), default=0)
    lines = []
    for statistic in statistics:
        aside = statistic.reason if statistic.value is not None else ""
        line = f"{_label(statistic):<{width}}  {statistic.text}"
        lines.append(f"{line}  ({aside})" if aside else line)
    return lines


def _label(statistic: Statistic) -> str:
    return f"{statistic.name}, {statistic.scope}" if statistic.scope else statistic.name
