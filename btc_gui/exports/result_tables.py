"""The tables of results as rows of cells, for every format: accuracy, failure modes, repetitions, retention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from btc_gui.domain.accuracy_table import AccuracyCell, AccuracyRow, RepeatRow
from btc_gui.domain.composition_table import MERGED, CompositionRow
from btc_gui.domain.estimate import Interval
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.result_rows import ConfigurationRow
from btc_gui.domain.retention import RetentionCount
from btc_gui.exports.tables import write_csv

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class ResultTable:
    """One table: file name without ending, title, what its figures are, header and rows.

    Shares are numbers from 0 to 1; None is what does not exist or is undefined. `printed` names the columns that a
    page of paper has room for; empty means all.
    """

    name: str
    title: str
    words: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    printed: tuple[str, ...] = ()


HEAD = ("category", "model", "effort", "harness", "configuration")
_CELL = ("accuracy", "correct", "scored", "no_answer", "refused", "failed", "unscored", "unjudged", "lower", "upper")
_INTERVAL = ("wilson_low", "wilson_high")


def head_cells(head: ConfigurationRow) -> tuple[Cell, ...]:
    """The cells of `HEAD`."""
    configuration = head.configuration
    return head.category, configuration.model, str(configuration.effort), str(configuration.harness), head.title


def ends(interval: Interval | None) -> tuple[Cell, Cell]:
    """The two limits as cells."""
    return (None, None) if interval is None else interval


def accuracy_table(rows: Iterable[AccuracyRow]) -> ResultTable:
    """Direct and indirect accuracy and their drop, for each configuration and category."""
    header = [*HEAD]
    header += [f"{kind}_{name}" for kind in ("direct", "indirect") for name in (*_CELL, *_INTERVAL)]
    header += ["drop", "pairs", "both", "direct_only", "indirect_only", "neither"]
    header += ["paired_drop", "paired_low", "paired_high", "p", "p_adjusted"]
    body = []
    for row in rows:
        pairs = row.pairs
        counts = (pairs.n, pairs.both, pairs.first_only, pairs.second_only, pairs.neither)
        body.append(
            (
                *head_cells(row.head),
                *_cell(row.direct),
                *_cell(row.indirect),
                row.drop,
                *counts,
                row.paired_drop,
                *ends(row.paired_interval),
                row.p,
                row.adjusted,
            )
        )
    tests = sum(row[-1] is not None for row in body)
    return ResultTable(
        "accuracy",
        "Direct and indirect accuracy",
        "Accuracy is over scored answers, with Wilson's 95 % interval; what has no score stands in columns of its own. "
        "lower and upper: the accuracy if all that were not answered, refused or unscored were wrong, or right "
        "(failed and unjudged ones are no attempts yet). drop is direct less indirect; paired_drop the same over the "
        "events scored in both, with Newcombe's method 10 interval and McNemar's mid-p; p_adjusted is after Holm over "
        f"the family of all {tests} rows with such events. Of several probes of an event the first one is paired.",
        tuple(header),
        tuple(body),
        (
            "category",
            "configuration",
            "direct_accuracy",
            "direct_scored",
            "indirect_accuracy",
            "indirect_scored",
            "paired_drop",
            "paired_low",
            "paired_high",
            "p_adjusted",
        ),
    )


def composition_table(rows: Iterable[CompositionRow]) -> ResultTable:
    """The indirect failures of each configuration by mode, with the shares and their simultaneous intervals."""
    modes = [mode.value for mode in FailureMode]
    header = [*HEAD, "failures", *modes, "unclassified", MERGED]
    header += [f"{name}_{part}" for name in (*modes, MERGED) for part in ("share", "low", "high")]
    body = []
    for row in rows:
        plain, merged = row.intervals(), row.intervals(merged=True)
        counts = {**{mode.value: count for mode, count in row.modes.items()}, MERGED: row.merged[MERGED]}
        cells: list[Cell] = []
        for name, count in counts.items():
            share = count / row.classified if row.classified else None
            cells += [share, *ends((merged if name == MERGED else plain).get(name))]
        listed = (row.total, *row.modes.values(), row.unclassified, row.merged[MERGED])
        body.append((*head_cells(row.head), *listed, *cells))
    return ResultTable(
        "failure_modes",
        "Failure modes",
        "Indirect answers judged incorrect in the shared harness, by mode. Shares are of the classified failures, with "
        f"Goodman's simultaneous 95 % intervals; {MERGED} takes indirect and no or unrelated search together, its "
        "interval is that of three classes.",
        tuple(header),
        tuple(body),
        ("category", "configuration", "failures", *modes, "unclassified"),
    )


def repeat_table(rows: Iterable[RepeatRow]) -> ResultTable:
    """Probes that were answered more than once by the same configuration."""
    return ResultTable(
        "repetitions",
        "Repeated answers",
        "Probes with two scored answers or more of one configuration. The other tables count one answer of each. "
        "same: all of them got the same label, with Wilson's 95 % interval of its share.",
        (*HEAD, "kind", "probes", "answers", "same", "same_share", "wilson_low", "wilson_high"),
        tuple(
            (
                *head_cells(row.head),
                str(row.kind),
                row.probes,
                row.answers,
                row.same,
                row.same / row.probes,
                *ends(row.interval),
            )
            for row in rows
        ),
    )


def retention_table(rows: Iterable[RetentionCount]) -> ResultTable:
    """Events, generated, filtered and retained probes, for each category and model."""
    header = ("category", "model", "events", "generated", "filtered", "retained", "not_retained", "undecided")
    return ResultTable(
        "retention",
        "Retained probes",
        "Probes that a model recommends the entity for in all of its no-search answers. retained_events have at least "
        "one retained probe.",
        (*header, "retained_events"),
        tuple((*(getattr(row, name) for name in header), row.retained_events) for row in rows),
    )


def write_accuracy_table(rows: Iterable[AccuracyRow], path: Path, note: str = "") -> Path:
    """Write the accuracy table as CSV. `note` (such as "Illustrative") goes into a last column of every row."""
    return write_table(accuracy_table(rows), path, note)


def write_composition_table(rows: Iterable[CompositionRow], path: Path, note: str = "") -> Path:
    """Write the failure modes as CSV. `note` as in the accuracy table."""
    return write_table(composition_table(rows), path, note)


def write_retention_table(rows: Iterable[RetentionCount], path: Path, note: str = "") -> Path:
    """Write the retention of probes as CSV. `note` as above."""
    return write_table(retention_table(rows), path, note)


def write_table(table: ResultTable, path: Path, note: str = "") -> Path:
    """Write a table as CSV, with shares to six places. `note` goes into a last column of every row."""
    header: Sequence[str] = table.header
    body: list[Sequence[object]] = [[plain(value) for value in row] for row in table.rows]
    if note:
        header, body = [*header, "note"], [[*row, note] for row in body]
    write_csv(path, header, body, escape_formulas=True)
    return path


def plain(value: Cell) -> str | int | None:
    """A cell as text or count: fractions to six places, small p-values to six digits."""
    if not isinstance(value, float):
        return value
    return f"{value:.6f}" if value == 0 or abs(value) >= 1e-4 else f"{value:.6g}"


def _cell(cell: AccuracyCell) -> tuple[Cell, ...]:
    return (
        cell.accuracy,
        cell.correct,
        cell.scored,
        cell.no_answer,
        cell.refused,
        cell.failed,
        cell.unscored,
        cell.unjudged,
        *ends(cell.bounds),
        *ends(cell.interval),
    )
