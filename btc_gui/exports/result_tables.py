"""The tables of results as rows of cells, for every format: accuracy, failure modes, repetitions, retention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from btc_gui.domain.accuracy_table import AccuracyCell, AccuracyRow, RepeatRow
from btc_gui.domain.composition_table import MERGED, CompositionRow
from btc_gui.domain.estimate import Interval
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.judge_correction import Corrections
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_cases import INDIRECT_OR_NONE, LOST, ResultCases, failed_by, repeated
from btc_gui.domain.result_rows import ConfigurationRow, ResultAnswer
from btc_gui.domain.result_table import Cell, Form, ResultTable, ShownColumn, Tells
from btc_gui.domain.retention import RetentionCount
from btc_gui.exports.tables import write_csv

HEAD = ("category", "model", "effort", "harness", "configuration")
_CELL = ("accuracy", "correct", "scored", "no_answer", "refused", "failed", "unscored", "unjudged", "lower", "upper")
_INTERVAL = ("wilson_low", "wilson_high")
_NO_CASES, _NO_CORRECTIONS = ResultCases(()), Corrections()


def head_cells(head: ConfigurationRow) -> tuple[Cell, ...]:
    """The cells of `HEAD`."""
    configuration = head.configuration
    return head.category, configuration.model, str(configuration.effort), str(configuration.harness), head.title


def ends(interval: Interval | None) -> tuple[Cell, Cell]:
    """The two limits as cells."""
    return (None, None) if interval is None else interval


#: Why a figure of a part of a pool has no corrected one beside it.
UNCORRECTED = (
    "Not corrected for the judge's errors: a study says how often the judge errs over all answers of a category and "
    "kind of probe, and no part of them need be like the whole."
)


def apart(cell: AccuracyCell) -> tuple[int, int, int]:
    """The cells “scored”, “no_answer” (refusals included) and “unscored”."""
    return cell.scored, cell.unanswered, cell.unscored


#: The window's columns of the indirect answers that have no score.
APART = (
    ShownColumn(
        "No answer",
        "no_answer",
        Form.COUNT,
        80,
        cases="indirect, without an answer",
        words="Of the indirect ones, refusals included.",
    ),
    ShownColumn(
        "Unscored", "unscored", Form.COUNT, 76, cases="indirect, unscored", words="The judge's reply is no label."
    ),
)

#: The window's columns of what a row is.
SHOWN_HEAD = (
    ShownColumn("Category", "category", width=84),
    ShownColumn("Configuration", "configuration", width=0),
)


def accuracy_table(
    rows: Sequence[AccuracyRow], cases: ResultCases = _NO_CASES, corrections: Corrections = _NO_CORRECTIONS
) -> ResultTable:
    """Direct and indirect accuracy and their drop, for each configuration and category."""
    header = [*HEAD]
    for kind in ("direct", "indirect"):
        header += [f"{kind}_{name}" for name in (*_CELL, *_INTERVAL, "reach_low", "reach_high", "study")]
    header += ["drop", "pairs", "both", "direct_only", "indirect_only", "neither"]
    header += ["paired_drop", "paired_low", "paired_high", "p", "p_adjusted"]
    header += ["no_answer", "failed", "unscored", "unjudged"]
    body = []
    for row in rows:
        pairs = row.pairs
        counts = (pairs.n, pairs.both, pairs.first_only, pairs.second_only, pairs.neither)
        both = row.direct, row.indirect
        body.append(
            (
                *head_cells(row.head),
                *_cell(row.direct),
                *reach_cells(row.direct, row.category, ProbeKind.DIRECT, corrections),
                *_cell(row.indirect),
                *reach_cells(row.indirect, row.category, ProbeKind.INDIRECT, corrections),
                row.drop,
                *counts,
                row.paired_drop,
                *ends(row.paired_interval),
                row.p,
                row.adjusted,
                *(sum(getattr(each, name) for each in both) for name in ("unanswered", "failed", "unscored")),
                sum(each.unjudged for each in both),
            )
        )
    tests = sum(row.adjusted is not None for row in rows)
    return ResultTable(
        "accuracy",
        "Direct and indirect accuracy",
        "Accuracy is over scored answers, with Wilson's 95 % interval; what has no score stands in columns of its own. "
        "lower and upper: the accuracy if all that were not answered, refused or unscored were wrong, or right "
        "(failed and unjudged ones are no attempts yet). reach: how far the accuracy can be from what the judge says, "
        "if PPV and NPV of the study's pool held for this configuration, at their lower limits; a model, no interval. "
        "drop is direct less indirect; paired_drop the same over the events scored in both, with Newcombe's method 10 "
        f"interval and McNemar's mid-p; p_adjusted is after Holm over the family of all {tests} rows with such events. "
        "Of several probes of an event the first one is paired.",
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
        _accuracy_columns(
            corrections, has_unjudged=any(each.unjudged for row in rows for each in (row.direct, row.indirect))
        ),
        tuple(cases.of(row.head) for row in rows),
    )


def _accuracy_columns(corrections: Corrections, *, has_unjudged: bool) -> tuple[ShownColumn, ...]:
    columns = [*SHOWN_HEAD]
    for kind in ("direct", "indirect"):
        title = kind.capitalize()
        columns.append(
            ShownColumn(
                f"{title}, correct",
                f"{kind}_accuracy",
                Form.SHARE,
                176,
                f"{kind}_wilson_low",
                f"{kind}_wilson_high",
                f"{kind}_correct",
                f"{kind}_scored",
                kind,
                words="Over the scored answers, with Wilson's 95 % interval.",
            )
        )
        columns += reach_column(
            f"{title}, reach", f"{kind}_reach_low", f"{kind}_reach_high", ProbeKind(kind), corrections
        )
    columns += [
        ShownColumn(
            "Drop, points",
            "paired_drop",
            Form.POINTS,
            156,
            "paired_low",
            "paired_high",
            of="pairs",
            cases=LOST,
            tells=Tells.COMPARISON,
            words="Direct less indirect over the events scored in both, with Newcombe's 95 % interval.",
        ),
        ShownColumn(
            "p (Holm)",
            "p_adjusted",
            Form.P,
            72,
            words="McNemar's mid-p, direct against indirect, after Holm over all rows of the table.",
        ),
        ShownColumn("No answer", "no_answer", Form.COUNT, 84, cases="without an answer", words="Refusals included."),
        ShownColumn("Failed", "failed", Form.COUNT, 60, cases="failed", words="No attempt: never right or wrong."),
        ShownColumn("Unscored", "unscored", Form.COUNT, 80, cases="unscored", words="The judge's reply is no label."),
    ]
    if has_unjudged:
        columns.append(ShownColumn("Not judged", "unjudged", Form.COUNT, 84, cases="not judged"))
    return tuple(columns)


def reach_column(title: str, low: str, high: str, kind: ProbeKind, corrections: Corrections) -> tuple[ShownColumn, ...]:
    """The window's column of a reach; none without a finished study of this kind of probe."""
    studies = sorted({each.study for (_, known), each in corrections.by_pool.items() if known is kind})
    if not studies:
        return ()
    named = " and ".join(f"“{name}”" for name in studies)
    return (
        ShownColumn(
            title,
            low,
            Form.RANGE,
            120,
            high=high,
            words="How far the accuracy can be from what the judge says, if it errs here no more than the labels of "
            f"{named} allow. A model, no interval: only the accuracy of all configurations together is corrected.",
        ),
    )


def reach_cells(
    cell: AccuracyCell, category: str, kind: ProbeKind, corrections: Corrections
) -> tuple[Cell, Cell, Cell]:
    """The limits of a reach and the study that it rests on."""
    found = corrections.find(category, kind)
    reach = found.reach(cell.accuracy) if found is not None else None
    return (*ends(reach), found.study if found is not None and reach is not None else None)


def composition_table(rows: Sequence[CompositionRow], cases: ResultCases = _NO_CASES) -> ResultTable:
    """The indirect failures of each configuration by mode, with the shares and their simultaneous intervals."""
    modes = [mode.value for mode in FailureMode]
    header = [*HEAD, "scored", "no_answer", "unscored", "failures", *modes, "unclassified", MERGED]
    header += [f"{name}_{part}" for name in (*modes, MERGED) for part in ("share", "low", "high")]
    body = []
    for row in rows:
        plain, merged = row.intervals(), row.intervals(merged=True)
        counts = {**{mode.value: count for mode, count in row.modes.items()}, MERGED: row.merged[MERGED]}
        cells: list[Cell] = []
        for name, count in counts.items():
            share = count / row.classified if row.classified else None
            cells += [share, *ends((merged if name == MERGED else plain).get(name))]
        listed = (*apart(row.indirect), row.total, *row.modes.values(), row.unclassified, row.merged[MERGED])
        body.append((*head_cells(row.head), *listed, *cells))

    def share_column(title: str, name: str, what: str, width: int) -> ShownColumn:
        return ShownColumn(
            title,
            f"{name}_share",
            Form.SHARE,
            width,
            f"{name}_low",
            f"{name}_high",
            name,
            cases=what,
            tells=Tells.LABEL,
            words="Of the classified failures, with Goodman's simultaneous 95 % interval.",
        )

    return ResultTable(
        "failure_modes",
        "Failure modes",
        "Indirect answers judged incorrect in the shared harness, by mode. Shares are of the classified failures, with "
        f"Goodman's simultaneous 95 % intervals; {MERGED} takes indirect and no or unrelated search together, its "
        "interval is that of three classes. scored, no_answer (refusals included) and unscored are of all indirect "
        f"answers. {UNCORRECTED}",
        tuple(header),
        tuple(body),
        ("category", "configuration", "failures", *modes, "unclassified"),
        (
            *SHOWN_HEAD,
            ShownColumn(
                "Failures",
                "failures",
                Form.COUNT,
                96,
                of="scored",
                cases="indirect, incorrect",
                tells=Tells.LABEL,
                words="Of the scored indirect answers.",
            ),
            *(share_column(mode.text, mode.value, failed_by(mode), 128) for mode in FailureMode),
            share_column("Indirect or none", MERGED, INDIRECT_OR_NONE, 136),
            ShownColumn("Not classified", "unclassified", Form.COUNT, 104, cases=failed_by(None), tells=Tells.LABEL),
            *APART,
        ),
        tuple(cases.of(row.head) for row in rows),
    )


def repeat_table(rows: Sequence[RepeatRow], answers: Iterable[ResultAnswer] = ()) -> ResultTable:
    """Probes that were answered more than once by the same configuration; `answers` are counted and further ones."""
    known = list(answers) if rows else []
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
        (),
        (
            *SHOWN_HEAD,
            ShownColumn("Probe", "kind", width=72),
            ShownColumn("Probes", "probes", Form.COUNT, 72),
            ShownColumn("Answers", "answers", Form.COUNT, 72, cases="answers to the same probe"),
            ShownColumn(
                "Same label",
                "same_share",
                Form.SHARE,
                160,
                "wilson_low",
                "wilson_high",
                "same",
                "probes",
                "same",
                tells=Tells.COMPARISON,
                words="Probes whose answers all got the same label, with Wilson's 95 % interval.",
            ),
        ),
        tuple(repeated(known, row.head, row.kind) for row in rows),
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
        (),
        (
            ShownColumn("Category", "category", width=96),
            ShownColumn("Model", "model", width=0),
            ShownColumn("Events", "events", Form.COUNT, 80),
            ShownColumn("Generated", "generated", Form.COUNT, 88, words="Indirect probes in their current wording."),
            ShownColumn("Filtered", "filtered", Form.COUNT, 80, words="Put to the model without search."),
            ShownColumn("Retained", "retained", Form.COUNT, 80, words="Recommended in all no-search answers."),
            ShownColumn("Not retained", "not_retained", Form.COUNT, 96),
            ShownColumn("Undecided", "undecided", Form.COUNT, 84),
            ShownColumn("Events retained", "retained_events", Form.COUNT, 112, words="With a retained probe."),
        ),
    )


def write_accuracy_table(rows: Sequence[AccuracyRow], path: Path, note: str = "") -> Path:
    """Write the accuracy table as CSV. `note` (such as "Illustrative") goes into a last column of every row."""
    return write_table(accuracy_table(rows), path, note)


def write_composition_table(rows: Sequence[CompositionRow], path: Path, note: str = "") -> Path:
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
    write_csv(path, header, body)
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
