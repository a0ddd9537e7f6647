"""What got better and worse between two releases or dates, as tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from btc_gui.domain.change_table import ChangeRow, Side
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.domain.result_table import CasesOf, Cell, Form, ResultTable, ShownColumn, Tells
from btc_gui.domain.trajectory import AnswerId
from btc_gui.exports.result_tables import HEAD, SHOWN_HEAD, ends, head_cells
from btc_gui.exports.results import write_formats

_BETTER, _WORSE = "right only later", "right only before"


def change_table(rows: Sequence[ChangeRow], before: Side, after: Side) -> ResultTable:
    """The comparison, one row for each configuration, category and kind of probe."""
    body: list[tuple[Cell, ...]] = []
    for row in rows:
        pairs = row.pairs
        body.append(
            (
                *(*head_cells(row.head), str(row.kind)),
                *(row.before.correct, row.before.scored, row.before.accuracy, *ends(row.before.interval)),
                *(row.after.correct, row.after.scored, row.after.accuracy, *ends(row.after.interval)),
                *(pairs.n, pairs.both, pairs.first_only, pairs.second_only, pairs.neither),
                *(row.change, *ends(row.interval), row.p, row.adjusted),
            )
        )
    parts = ("correct", "scored", "accuracy", "low", "high")
    return ResultTable(
        "comparison",
        f"{after.words} against {before.words}",
        f"after: {after.words}; before: {before.words}. The same configurations, the as-of day aside. Accuracy is over "
        "the scored answers of each side, with Wilson's 95 % interval; the change is over the events scored on both, "
        "with Newcombe's method 10 interval and McNemar's mid-p. better: right only after; worse: right only before. "
        f"p_adjusted is after Holm over all {len(body)} rows.",
        (
            *(*HEAD, "kind", *(f"before_{part}" for part in parts), *(f"after_{part}" for part in parts)),
            *("pairs", "both", "better", "worse", "neither", "change", "change_low", "change_high", "p", "p_adjusted"),
        ),
        tuple(body),
        (
            *("category", "configuration", "kind", "before_accuracy", "after_accuracy", "pairs", "better", "worse"),
            *("change", "change_low", "change_high", "p_adjusted"),
        ),
        (
            *SHOWN_HEAD,
            ShownColumn("Probes", "kind", width=72),
            *(
                ShownColumn(
                    title,
                    f"{side}_accuracy",
                    Form.SHARE,
                    160,
                    f"{side}_low",
                    f"{side}_high",
                    f"{side}_correct",
                    f"{side}_scored",
                    words="Over the scored answers of this side, with Wilson's 95 % interval.",
                )
                for title, side in (("Before", "before"), ("After", "after"))
            ),
            ShownColumn(
                "Change, points",
                "change",
                Form.POINTS,
                156,
                "change_low",
                "change_high",
                of="pairs",
                words="Over the events scored on both sides, with Newcombe's 95 % interval.",
            ),
            ShownColumn(
                "Better", "better", Form.COUNT, 68, cases=_BETTER, tells=Tells.COMPARISON, words="Right only after."
            ),
            ShownColumn(
                "Worse", "worse", Form.COUNT, 68, cases=_WORSE, tells=Tells.COMPARISON, words="Right only before."
            ),
            ShownColumn("p (Holm)", "p_adjusted", Form.P, 72, words="McNemar's mid-p, after Holm over all rows."),
        ),
        tuple(_cases(row) for row in rows),
    )


def _cases(row: ChangeRow) -> CasesOf:
    """Both answers about the events that changed."""

    def cases(name: str) -> Sequence[ResultAnswer]:
        found = row.better if name == _BETTER else row.worse
        return [answer for change in found for answer in (change.before, change.after)]

    return cases


def changed_events_table(rows: Sequence[ChangeRow], blinded: Collection[AnswerId] = ()) -> ResultTable:
    """The events that only one side has right. Those with an answer of a study whose key is closed are left out."""
    hidden = frozenset(blinded)
    told = [
        (row, change)
        for row in rows
        for change in row.changes
        if change.before.id not in hidden and change.after.id not in hidden
    ]
    left_out = sum(len(row.changes) for row in rows) - len(told)
    words = "Events that only one side has right, with the probes and cases of both."
    if left_out:
        words += f" {left_out} are left out: they are in a study that isn't unblinded."
    return ResultTable(
        "comparison_events",
        "Events that changed",
        words,
        (*HEAD, "kind", "event", "change", "before_probe", "after_probe", "before", "after"),
        tuple(
            (
                *(*head_cells(row.head), str(row.kind), int(change.event)),
                *("better" if change.is_better else "worse", change.before.probe, change.after.probe),
                *(f"btc:{change.before.id}", f"btc:{change.after.id}"),
            )
            for row, change in told
        ),
        ("category", "configuration", "kind", "event", "change", "before", "after"),
    )


def write_comparison(
    rows: Sequence[ChangeRow],
    before: Side,
    after: Side,
    folder: Path,
    note: str = "",
    *,
    blinded: Collection[AnswerId] = (),
) -> list[Path]:
    """Write the comparison and its events as CSV, JSON, Markdown and LaTeX; gives the files.

    The same comparison gives the same bytes. Raises `InputError` when the folder can't be written.
    """
    tables = change_table(rows, before, after), changed_events_table(rows, blinded)
    return [path for table in tables for path in write_formats(table, folder, note)]
