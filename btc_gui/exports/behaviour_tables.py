"""Tables about searching, contrasts, gaps, common probes and models, as rows of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from btc_gui.domain.behaviour_table import BehaviourRow, CategoryContrast, ContrastRow
from btc_gui.domain.common_probes import CommonProbes
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.gap_table import GapSummary
from btc_gui.domain.judge_correction import Corrections
from btc_gui.domain.model_tables import CutoffRow, EffortRow, StageRow
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.query_table import SMALLEST_DRAWN, QueryRow, Share
from btc_gui.domain.result_cases import BETTER, LOST, SO_MANY_QUERIES, WORSE, ResultCases
from btc_gui.domain.result_table import CasesOf, Cell, Form, ResultTable, ShownColumn, Tells
from btc_gui.exports.result_tables import (
    APART,
    HEAD,
    SHOWN_HEAD,
    UNCORRECTED,
    apart,
    ends,
    head_cells,
    reach_cells,
    reach_column,
)

_NO_CASES, _NO_CORRECTIONS = ResultCases(()), Corrections()
_WILSON = "With Wilson's 95 % interval."


def query_table(rows: Iterable[QueryRow], cases: ResultCases = _NO_CASES) -> ResultTable:
    """Indirect accuracy by number of queries."""
    body = []
    behind: list[CasesOf] = []
    for row in rows:
        trend = (row.trend.z, row.trend.p, row.adjusted) if row.trend else (None, None, None)
        for group in row.groups:
            drawn = "yes" if group.is_drawn else "no"
            behind.append(cases.with_queries(row.head, group.queries))
            body.append(
                (
                    *head_cells(row.head),
                    group.queries,
                    *_share(group.accuracy),
                    group.share.value,
                    drawn,
                    row.overall.value,
                    *apart(row.indirect),
                    *trend,
                )
            )
    return ResultTable(
        "queries",
        "Indirect accuracy by number of queries",
        "Over scored indirect answers, with Wilson's 95 % interval; share is the group's part of them, overall the "
        "accuracy of all; those whose queries are not known are in no group. "
        f"A figure draws groups of {SMALLEST_DRAWN} probes or more. z and p: the Cochran–Armitage "
        "test for trend over all groups of the configuration, p_adjusted after Holm over all configurations. "
        "Descriptive: the model chose the number after seeing the question. scored, no_answer (refusals included) and "
        f"unscored are of all indirect answers of the configuration. {UNCORRECTED}",
        (
            *(*HEAD, "queries", *_share_header("accuracy"), "share", "drawn", "overall"),
            *("scored", "no_answer", "unscored", "z", "p", "p_adjusted"),
        ),
        tuple(body),
        ("category", "configuration", "queries", "correct", "n", "accuracy", "share"),
        (
            *SHOWN_HEAD,
            ShownColumn("Queries", "queries", Form.COUNT, 72),
            ShownColumn(
                "Correct",
                "accuracy",
                Form.SHARE,
                168,
                "wilson_low",
                "wilson_high",
                "correct",
                "n",
                SO_MANY_QUERIES,
                words=f"Of the scored indirect answers with so many queries. {_WILSON}",
            ),
            ShownColumn("Share of answers", "share", Form.SHARE, 120, words="Of all its scored indirect answers."),
            ShownColumn(
                "All together",
                "overall",
                Form.SHARE,
                128,
                of="scored",
                cases="indirect",
                words="Of all scored indirect answers, whatever the number.",
            ),
            ShownColumn("Trend, z", "z", Form.NUMBER, 76, words="Cochran–Armitage over all groups: descriptive."),
            ShownColumn(
                "p (Holm)",
                "p_adjusted",
                Form.P,
                72,
                words="Of the trend, after Holm over all configurations: descriptive, the model chose the number.",
            ),
            *APART,
        ),
        tuple(behind),
    )


def behaviour_table(rows: Sequence[BehaviourRow], cases: ResultCases = _NO_CASES) -> ResultTable:
    """How much each configuration searches, and its accuracy when it does."""
    names = ("no_query", "after_one", "after_two")
    header = [*HEAD, "scored", "no_answer", "unscored", "queries_not_known", "median_queries"]
    header += [f"{name}_{part}" for name in names for part in ("count", "n", "share", "low", "high")]
    return ResultTable(
        "behaviour",
        "Search behaviour",
        "Over scored indirect answers: the share without a query, the median number of queries, the accuracy of those "
        "with at least one and at least two, with Wilson's 95 % intervals. Answers whose queries are not known (a "
        "provider need not reveal those of its own search) are told apart and in none of these. scored, no_answer "
        "(refusals included) and unscored are of all indirect answers. "
        f"{UNCORRECTED}",
        tuple(header),
        tuple(
            (
                *head_cells(row.head),
                *apart(row.indirect),
                row.unknown,
                row.median_queries,
                *_share(row.no_query),
                *_share(row.after_one),
                *_share(row.after_two),
            )
            for row in rows
        ),
        ("category", "configuration", "queries_not_known", "median_queries", *(f"{name}_share" for name in names)),
        (
            *SHOWN_HEAD,
            ShownColumn("Median queries", "median_queries", Form.MEDIAN, 112, cases="indirect"),
            _share_column("Without a query", "no_query", "indirect, without a query"),
            _share_column("Correct after one or more", "after_one", "indirect, with a query or more", 184),
            _share_column("Correct after two or more", "after_two", "indirect, with two queries or more", 184),
            ShownColumn(
                "Not known",
                "queries_not_known",
                Form.COUNT,
                80,
                cases="indirect, queries not known",
                words="Scored indirect answers of which it is not known whether they searched. They are in none of the "
                "columns before.",
            ),
            *APART,
        ),
        tuple(cases.of(row.head) for row in rows),
    )


def contrast_table(name: str, title: str, rows: Sequence[ContrastRow], cases: ResultCases = _NO_CASES) -> ResultTable:
    """The change from one configuration to another: high less low effort, or shared less native."""
    modes = tuple(mode.value for mode in FailureMode)
    return ResultTable(
        name,
        title,
        "Indirect accuracy of the second configuration less that of the first, over the events scored in both "
        "(second_only: right in the second alone), with Newcombe's method 10 interval and McNemar's mid-p; p_adjusted "
        "is after Holm over this table. Modes: the change of each mode's share of the scored probes, where all "
        "failures of both are classified. scored, no_answer (refusals included) and unscored are of all indirect "
        f"answers of either. {UNCORRECTED}",
        (
            *("category", "model", "first", "second"),
            *(f"{side}_{part}" for side in ("first", "second") for part in ("scored", "no_answer", "unscored")),
            *("pairs", "second_only", "first_only"),
            *("change", "low", "high", "p", "p_adjusted", *modes),
        ),
        tuple(
            (
                row.first.category,
                row.first.configuration.model,
                row.first.title,
                row.second.title,
                *(number for cell in row.cells for number in apart(cell)),
                row.pairs.n,
                row.pairs.first_only,
                row.pairs.second_only,
                row.change,
                *ends(row.interval),
                row.p,
                row.adjusted,
                *(None if row.modes is None else row.modes[mode] for mode in FailureMode),
            )
            for row in rows
        ),
        ("category", "second", "pairs", "change", "low", "high", "p_adjusted"),
        (
            SHOWN_HEAD[0],
            ShownColumn("Configuration", "second", width=0, words=f"{title}: the first-named of the two."),
            ShownColumn(
                "Change, points",
                "change",
                Form.POINTS,
                156,
                "low",
                "high",
                of="pairs",
                words=f"{title}, over the events scored in both, with Newcombe's 95 % interval.",
            ),
            ShownColumn(
                "Better",
                "second_only",
                Form.COUNT,
                68,
                cases=BETTER,
                tells=Tells.COMPARISON,
                words=f"Events that only this one has right. {title}.",
            ),
            ShownColumn(
                "Worse",
                "first_only",
                Form.COUNT,
                68,
                cases=WORSE,
                tells=Tells.COMPARISON,
                words="Events that only the other one has right.",
            ),
            ShownColumn("p (Holm)", "p_adjusted", Form.P, 72, words="McNemar's mid-p, after Holm over this table."),
            *(
                ShownColumn(
                    mode.text,
                    mode.value,
                    Form.POINTS,
                    92,
                    words="Change of the mode's share of the scored probes, in points.",
                )
                for mode in FailureMode
            ),
        ),
        tuple(cases.between(row.first, row.second) for row in rows),
    )


def category_table(rows: Sequence[CategoryContrast], cases: ResultCases = _NO_CASES) -> ResultTable:
    """The gap in one category less that in another."""
    return ResultTable(
        "category_gaps",
        "Gap of one category less that of another",
        "Gap: direct less indirect accuracy over the events scored in both. The interval adds the squared half-lengths "
        f"of the two gaps' Newcombe intervals. {UNCORRECTED}",
        (*HEAD[1:], "first", "second", "first_gap", "second_gap", "difference", "low", "high"),
        tuple(
            (*head_cells(row.head)[1:], row.head.category, row.second, *row.gaps, row.change, *row.interval)
            for row in rows
        ),
        ("configuration", "first", "second", "first_gap", "second_gap", "difference", "low", "high"),
        (
            SHOWN_HEAD[1],
            ShownColumn("First", "first", width=84),
            ShownColumn("Second", "second", width=84),
            ShownColumn("Gap in the first", "first_gap", Form.POINTS, 112, cases="first", tells=Tells.COMPARISON),
            ShownColumn("Gap in the second", "second_gap", Form.POINTS, 120, cases="second", tells=Tells.COMPARISON),
            ShownColumn(
                "Difference, points",
                "difference",
                Form.POINTS,
                152,
                "low",
                "high",
                words="The gap in the first less that in the second; squared half-lengths of both intervals added.",
            ),
        ),
        tuple(_of_categories(cases, row) for row in rows),
    )


def _of_categories(cases: ResultCases, row: CategoryContrast) -> CasesOf:
    """The pairs that were lost in either category."""
    first, second = cases.of(row.head), cases.of(row.head, row.second)
    return lambda name: (first if name == "first" else second)(LOST)


def gap_table(rows: Sequence[GapSummary], cases: ResultCases = _NO_CASES) -> ResultTable:
    """The gap over all configurations of a category and harness."""
    return ResultTable(
        "gaps",
        "Gap over configurations",
        "Gap: direct less indirect accuracy of each configuration over its events scored in both. Intervals: "
        "percentiles of 2,000 resamples of the events, the same for all configurations, which are fixed and not a "
        "sample. As judged; the gap of all answers together is corrected in corrected_gaps.",
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
        (
            ShownColumn("Category", "category", width=0),
            ShownColumn("Harness", "harness", width=80),
            ShownColumn("Effort", "effort", width=64),
            ShownColumn("Configurations", "configurations", Form.COUNT, 108, words="Fixed, not a sample."),
            ShownColumn("Events", "events", Form.COUNT, 72),
            *(
                ShownColumn(
                    f"{name.capitalize()}, points",
                    name,
                    Form.POINTS,
                    156,
                    f"{name}_low",
                    f"{name}_high",
                    cases=LOST,
                    tells=Tells.COMPARISON,
                    words="Direct less indirect, over configurations; interval of 2,000 resamples of the events.",
                )
                for name in ("median", "mean")
            ),
            ShownColumn("Least", "least", Form.POINTS, 72),
            ShownColumn("Greatest", "greatest", Form.POINTS, 80),
        ),
        tuple(cases.where(row.category, row.harness, row.effort) for row in rows),
    )


def common_tables(
    found: Iterable[CommonProbes], cases: ResultCases = _NO_CASES, corrections: Corrections = _NO_CORRECTIONS
) -> tuple[ResultTable, ResultTable]:
    """Several models on the probes of all of them, and which probes these are."""
    body: list[tuple[Cell, ...]] = []
    behind: list[CasesOf] = []
    listed: list[tuple[Cell, ...]] = []
    for each in found:
        listed += [(each.category, probe) for probe in each.probes]
        kept = frozenset(each.probes)
        for row in each.rows:
            common, whole = row.common, row.all_probes
            behind.append(cases.among(row.head, kept))
            counts = (len(each.probes), each.lost[row.head.configuration.model])
            body.append(
                (
                    *head_cells(row.head),
                    *counts,
                    *(common.correct, common.scored, common.accuracy, *ends(common.interval)),
                    *(common.unanswered, common.unscored),
                    *reach_cells(common, each.category, ProbeKind.INDIRECT, corrections),
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
            "all of its probes. Intervals: Wilson, 95 %. reach: how far the common accuracy can be from what the judge "
            "says, if PPV and NPV of the study's pool held here, at their lower limits; a model, no interval.",
            (
                *(*HEAD, "common", "lost", *(f"common_{part}" for part in parts), "no_answer", "unscored"),
                *("reach_low", "reach_high", "study"),
                *(f"all_{part}" for part in parts),
            ),
            tuple(body),
            ("category", "configuration", "common", "lost", "common_accuracy", "all_accuracy"),
            (
                *SHOWN_HEAD,
                ShownColumn("Common probes", "common", Form.COUNT, 104, words="That all models were evaluated on."),
                ShownColumn("Lost", "lost", Form.COUNT, 56, words="Probes of the model that are not common."),
                _common_column("Correct, common", "common", "common"),
                *reach_column("Common, reach", "reach_low", "reach_high", ProbeKind.INDIRECT, corrections),
                _common_column("Correct, all its probes", "all", "all"),
                ShownColumn("No answer", "no_answer", Form.COUNT, 80, words="On the common probes."),
                ShownColumn("Unscored", "unscored", Form.COUNT, 76, words="On the common probes."),
            ),
            tuple(behind),
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


def _share_column(title: str, name: str, cases: str, width: int = 160) -> ShownColumn:
    low, high, count, total = (f"{name}_{part}" for part in ("low", "high", "count", "n"))
    words = f"Of the scored indirect answers whose queries are known. {_WILSON}"
    return ShownColumn(title, f"{name}_share", Form.SHARE, width, low, high, count, total, cases, words=words)


def _common_column(title: str, name: str, cases: str) -> ShownColumn:
    low, high, count, total = (f"{name}_{part}" for part in ("low", "high", "correct", "scored"))
    return ShownColumn(title, f"{name}_accuracy", Form.SHARE, 168, low, high, count, total, cases, words=_WILSON)


def _share(share: Share) -> tuple[Cell, ...]:
    return share.count, share.n, share.value, *ends(share.interval)


def _share_header(value: str) -> tuple[str, ...]:
    return "correct", "n", value, "wilson_low", "wilson_high"
