"""The accuracy table, the composition of failures and the retention of probes as CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from btc_gui.domain.accuracy_table import AccuracyCell, AccuracyRow, CompositionRow
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.retention import RetentionCount
from btc_gui.exports.tables import write_csv

_CELL = ("accuracy", "correct", "scored", "no_answer", "refused", "failed", "unscored", "unjudged", "lower", "upper")


def write_accuracy_table(rows: Iterable[AccuracyRow], path: Path, note: str = "") -> Path:
    """One row for each category and configuration: direct and indirect accuracy as shares, and their drop.

    Accuracy is over scored answers; what has no score stands in columns of its own. `lower` and `upper` are the
    accuracy if all that were not answered, refused or unscored were wrong, or right: failed and unjudged ones are
    no attempts yet. `note` (such as "Illustrative") goes into a last column of every row.
    """
    header = ["category", "model", "effort", "harness"]
    header += [f"{kind}_{name}" for kind in ("direct", "indirect") for name in _CELL]
    body: list[Sequence[object]] = [
        [
            row.category,
            row.model,
            row.effort,
            row.harness,
            *_cell(row.direct),
            *_cell(row.indirect),
            _share(row.drop),
        ]
        for row in rows
    ]
    return _write(path, [*header, "drop"], body, note)


def write_composition_table(rows: Iterable[CompositionRow], path: Path, note: str = "") -> Path:
    """One row for each category and configuration: its indirect failures by mode. `note` as in the accuracy table."""
    header = ["category", "model", "effort", "harness", "failures", *(mode.value for mode in FailureMode)]
    body: list[Sequence[object]] = [
        [
            row.category,
            row.model,
            row.effort,
            row.harness,
            row.total,
            *(row.modes[mode] for mode in FailureMode),
            row.unclassified,
        ]
        for row in rows
    ]
    return _write(path, [*header, "unclassified"], body, note)


def write_retention_table(rows: Iterable[RetentionCount], path: Path, note: str = "") -> Path:
    """One row for each category and model: events, generated, filtered and retained probes. `note` as above."""
    header = ["category", "model", "events", "generated", "filtered", "retained", "not_retained", "undecided"]
    body: list[Sequence[object]] = [[*(getattr(row, name) for name in header), row.retained_events] for row in rows]
    return _write(path, [*header, "retained_events"], body, note)


def _write(path: Path, header: Sequence[str], body: Sequence[Sequence[object]], note: str) -> Path:
    if note:
        header, body = [*header, "note"], [[*row, note] for row in body]
    write_csv(path, header, body, escape_formulas=True)
    return path


def _cell(cell: AccuracyCell) -> list[object]:
    lower, upper = cell.bounds or (None, None)
    return [
        _share(cell.accuracy),
        cell.correct,
        cell.scored,
        cell.no_answer,
        cell.refused,
        cell.failed,
        cell.unscored,
        cell.unjudged,
        _share(lower),
        _share(upper),
    ]


def _share(value: float | None) -> str | None:
    return None if value is None else f"{value:.4f}"
