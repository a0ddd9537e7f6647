"""Tables about searching, contrasts, gaps, common probes and models, as rows of cells."""

from __future__ import annotations

from collections.abc import Iterable

from btc_gui.domain.behaviour_table import BehaviourRow, CategoryContrast, ContrastRow
from btc_gui.domain.common_probes import CommonProbes
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.gap_table import GapSummary
from btc_gui.domain.model_tables import CutoffRow, EffortRow, StageRow
from btc_gui.domain.query_table import SMALLEST_DRAWN, QueryRow, Share
from btc_gui.exports.result_tables import HEAD, Cell, ResultTable, ends, head_cells


def query_table(rows: Iterable[QueryRow]) -> ResultTable:
    """Indirect accuracy by number of queries."""
    body = []
    for row in rows:
        trend = (row.trend.z, row.trend.p) if row.trend else (None, None)
        for group in row.groups:
            drawn = "yes" if group.is_drawn else "no"
            body.append(
                (
                    *head_cells(row.head),
                    group.queries,
                    *_share(group.accuracy),
                    group.share.value,
                    drawn,
                    row.overall.value,
                    *trend,
                )
            )
    return ResultTable(
        "queries",
        "Indirect accuracy by number of queries",
        "Over scored indirect answers, with Wilson's 95 % interval; share is the group's part of them, overall the "
        f"accuracy of all. A figure draws groups of {SMALLEST_DRAWN} probes or more. z and p: the Cochran–Armitage "
        "test for trend over all groups of the configuration. Descriptive: the model chose the number after seeing the "
        "question.",
        (*HEAD, "queries", *_share_header("accuracy"), "share", "drawn", "overall", "z", "p"),
        tuple(body),
        ("category", "configuration", "queries", "correct", "n", "accuracy", "share"),
    )


def behaviour_table(rows: Iterable[BehaviourRow]) -> ResultTable:
    """How much each configuration searches, and its accuracy when it does."""
    names = ("no_query", "after_one", "after_two")
    header = [*HEAD, "median_queries"]
    header += [f"{name}_{part}" for name in names for part in ("count", "n", "share", "low", "high")]
    return ResultTable(
        "behaviour",
        "Search behaviour",
        "Over scored indirect answers: the share without a query, the median number of queries, the accuracy of those "
        "with at least one and at least two, with Wilson's 95 % intervals. What a provider does not reveal of its own "
        "search is not counted.",
        tuple(header),
        tuple(
            (
                *head_cells(row.head),
                row.median_queries,
                *_share(row.no_query),
                *_share(row.after_one),
                *_share(row.after_two),
            )
            for row in rows
        ),
        ("category", "configuration", "median_queries", *(f"{name}_share" for name in names)),
    )


def contrast_table(name: str, title: str, rows: Iterable[ContrastRow]) -> ResultTable:
    """The change from one configuration to another: high less low effort, or shared less native."""
    modes = tuple(mode.value for mode in FailureMode)
    return ResultTable(
        name,
        title,
        "Indirect accuracy of the second configuration less that of the first, over the events scored in both, with "
        "Newcombe's method 10 interval and McNemar's mid-p; p_adjusted is after Holm over this table. Modes: the "
        "change of each mode's share of the scored probes, where all failures of both are classified.",
        ("category", "first", "second", "pairs", "change", "low", "high", "p", "p_adjusted", *modes),
        tuple(
            (
                row.first.category,
                row.first.title,
                row.second.title,
                row.pairs.n,
                row.change,
                *ends(row.interval),
                row.p,
                row.adjusted,
                *(None if row.modes is None else row.modes[mode] for mode in FailureMode),
            )
            for row in rows
        ),
        ("category", "second", "pairs", "change", "low", "high", "p_adjusted"),
    )


def category_table(rows: Iterable[CategoryContrast]) -> ResultTable:
    """The gap in one category less that in another."""
    return ResultTable(
        "category_gaps",
        "Gap of one category less that of another",
        "Gap: direct less indirect accuracy over the events scored in both. The interval adds the squared half-lengths "
        "of the two gaps' Newcombe intervals.",
        ("configuration", "first", "second", "first_gap", "second_gap", "difference", "low", "high"),
        tuple((row.head.title, row.head.category, row.second, *row.gaps, row.change, *row.interval) for row in rows),
    )


def gap_table(rows: Iterable[GapSummary]) -> ResultTable:
    """The gap over all configurations of a category and harness."""
    return ResultTable(
        "gaps",
        "Gap over configurations",
        "Gap: direct less indirect accuracy of each configuration over its events scored in both. Intervals: "
        "percentiles of 2,000 resamples of the events, the same for all configurations, which are fixed and not a "
        "sample.",
        (
            *("category", "harness", "effort", "configurations", "events"),
            *("least", "lower_quartile", "median", "median_low", "median_high", "upper_quartile", "greatest"),
            *("mean", "mean_low", "mean_high"),
        ),
        tuple(
            (
                *(row.category, row.harness, row.effort, row.configurations, row.events),
                *(row.numbers.least, row.numbers.lower, row.numbers.median, *ends(row.median_interval)),
                *(row.numbers.upper, row.numbers.greatest, row.mean, *ends(row.mean_interval)),
            )
            for row in rows
        ),
        ("category", "harness", "effort", "configurations", "events", "median", "median_low", "median_high", "mean"),
    )


def common_tables(found: Iterable[CommonProbes]) -> tuple[ResultTable, ResultTable]:
    """Several models on the probes of all of them, and which probes these are."""
    body: list[tuple[Cell, ...]] = []
    listed: list[tuple[Cell, ...]] = []
    for each in found:
        listed += [(each.category, probe) for probe in each.probes]
        for row in each.rows:
            common, whole = row.common, row.all_probes
            counts = (len(each.probes), each.lost[row.head.configuration.model])
            body.append(
                (
                    *head_cells(row.head),
                    *counts,
                    *(common.correct, common.scored, common.accuracy, *ends(common.interval)),
                    *(common.unanswered, common.unscored),
                    *(whole.correct, whole.scored, whole.accuracy, *ends(whole.interval)),
                )
            )
    parts = ("correct", "scored", "accuracy", "low", "high")
    return (
        ResultTable(
            "common_probes",
            "Indirect accuracy on common probes",
            "Shared harness: the probes that all models of the category were evaluated on, listed in "
            "common_probe_list. lost: how many probes the model loses by keeping only these. Beside it the accuracy on "
            "all of its probes. Intervals: Wilson, 95 %.",
            (
                *(*HEAD, "common", "lost", *(f"common_{part}" for part in parts), "no_answer", "unscored"),
                *(f"all_{part}" for part in parts),
            ),
            tuple(body),
            ("category", "configuration", "common", "lost", "common_accuracy", "all_accuracy"),
        ),
        ResultTable("common_probe_list", "Common probes", "By key.", ("category", "probe"), tuple(listed)),
    )


def stage_table(rows: Iterable[StageRow]) -> ResultTable:
    """Models and efforts for each stage."""
    return ResultTable(
        "models",
        "Models by stage",
        "configured: what models.toml names for the role; else what was recorded.",
        ("stage", "model", "efforts", "harnesses", "source"),
        tuple((row.stage, row.model, ", ".join(row.efforts), ", ".join(row.harnesses), row.source) for row in rows),
    )


def cutoff_table(rows: Iterable[CutoffRow]) -> ResultTable:
    """Knowledge cutoffs and where they are from."""
    return ResultTable(
        "cutoffs",
        "Knowledge cutoffs",
        "As reported (empty: not), with the source, and the day that agents of the shared harness were told.",
        ("model", "reported", "source", "told"),
        tuple((row.model, row.reported, row.source, ", ".join(row.told)) for row in rows),
    )


def effort_table(rows: Iterable[EffortRow]) -> ResultTable:
    """What an effort is for each provider."""
    return ResultTable(
        "efforts",
        "Effort values",
        "What the provider was told, as recorded with the configuration, else as models.toml has it.",
        ("model", "provider", "effort", "value"),
        tuple((row.model, row.provider, row.effort, row.value) for row in rows),
    )


def _share(share: Share) -> tuple[Cell, ...]:
    return share.count, share.n, share.value, *ends(share.interval)


def _share_header(value: str) -> tuple[str, ...]:
    return "correct", "n", value, "wilson_low", "wilson_high"
