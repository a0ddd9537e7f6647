"""Figures of accuracy: direct beside indirect, models on the probes of all, repetitions, gaps over configurations."""

from __future__ import annotations

from btc_gui.domain.accuracy_table import AccuracyRow
from btc_gui.domain.common_probes import CommonProbes
from btc_gui.domain.figures.behind import Names, by_category, cell_point, groups_by_key, paired_ids, without_score
from btc_gui.domain.figures.figure import Panel, Point, PointFigure, PointRow, Scale, label_of
from btc_gui.domain.figures.series import (
    ALL_PROBES,
    COMMON,
    DIRECT,
    DROP,
    EXTREME,
    INDIRECT,
    MEAN,
    MEDIAN,
    QUARTILE,
)
from btc_gui.domain.gap_table import GapSummary
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup
from btc_gui.domain.results import Results


def accuracy_figures(results: Results, names: Names) -> list[PointFigure]:
    """Direct and indirect accuracy of each configuration and their drop, by category."""
    groups = groups_by_key(results)
    figures = []
    for category, rows in by_category(results.accuracy):
        figures.append(
            PointFigure(
                f"accuracy_{category}",
                "accuracy",
                f"Direct and indirect accuracy, {names.get(category, category)}",
                "Accuracy over scored answers with Wilson's 95 % interval. Drop: direct less indirect over the events "
                "scored in both, with Newcombe's method 10 interval. n: scored direct and indirect answers; in "
                "brackets those without a score (no answer, refused, failed, unscored or not judged).",
                (Panel("Accuracy", Scale.SHARE), Panel("Drop", Scale.POINTS, has_zero=True)),
                tuple(_accuracy_row(row, groups[row.category, row.configuration_id]) for row in rows),
                "n",
            )
        )
    return figures


def _accuracy_row(row: AccuracyRow, group: ConfigurationGroup) -> PointRow:
    direct, indirect = group.of_kind(ProbeKind.DIRECT), group.of_kind(ProbeKind.INDIRECT)
    accuracy = [
        cell_point(series, cell, answers)
        for series, cell, answers in ((DIRECT, row.direct, direct), (INDIRECT, row.indirect, indirect))
    ]
    drop: tuple[Point, ...] = ()
    if row.paired_drop is not None:
        pairs = row.pairs
        counts = (
            f"{pairs.n:,} events scored in both: {pairs.both:,} both right, {pairs.first_only:,} only direct, "
            f"{pairs.second_only:,} only indirect, {pairs.neither:,} neither"
        )
        drop = (Point(DROP, row.paired_drop, row.paired_interval, counts, paired_ids(direct, indirect)),)
    without = sum(without_score(cell) for cell in (row.direct, row.indirect))
    beside = f"{row.direct.scored:,} · {row.indirect.scored:,}" + (f" ({without:,})" if without else "")
    group_name, label = label_of(row.head)
    return PointRow(group_name, label, row.title, (tuple(p for p in accuracy if p), drop), beside)


def common_figures(results: Results, names: Names) -> list[PointFigure]:
    """Several models on the probes that all of them retained, beside their accuracy on all of their own."""
    return [_common_figure(found, results, names) for found in results.common()]


def _common_figure(found: CommonProbes, results: Results, names: Names) -> PointFigure:
    groups = groups_by_key(results)
    kept = frozenset(found.probes)
    rows = []
    for row in found.rows:
        answers = groups[row.head.category, row.head.configuration_id].of_kind(ProbeKind.INDIRECT)
        inside = [answer for answer in answers if answer.probe in kept]
        points = (cell_point(ALL_PROBES, row.all_probes, answers), cell_point(COMMON, row.common, inside))
        model, label = label_of(row.head)
        beside = f"{row.all_probes.scored:,} · {row.common.scored:,}"
        rows.append(PointRow(model, label, row.head.title, (tuple(p for p in points if p),), beside))
    return PointFigure(
        f"common_probes_{found.category}",
        "common_probes",
        f"Models on the same probes, {names.get(found.category, found.category)}",
        f"Indirect accuracy in the shared harness on the {len(found.probes):,} probes that all models were asked, and "
        "on all probes of each, with Wilson's 95 % intervals. n: scored answers, all and common probes.",
        (Panel("Indirect accuracy", Scale.SHARE),),
        tuple(rows),
        "n",
    )


def repeat_figures(results: Results, names: Names) -> list[PointFigure]:
    """How often the same configuration got the same label again, by category."""
    figures = []
    for category, rows in by_category(results.repeats):
        lines = []
        for row in rows:
            model, label = label_of(row.head)
            series = DIRECT if row.kind is ProbeKind.DIRECT else INDIRECT
            counts = f"{row.same:,} of {row.probes:,} probes"
            point = Point(series, row.same / row.probes, row.interval, counts)
            title = f"{row.head.title}, {row.kind}"
            lines.append(PointRow(model, f"{label} · {row.kind}", title, ((point,),), f"{row.probes:,}"))
        figures.append(
            PointFigure(
                f"repetitions_{category}",
                "repetitions",
                f"Same label each time, {names.get(category, category)}",
                "Probes with two scored answers or more of one configuration: the share that got the same label each "
                "time, with Wilson's 95 % interval. n: such probes.",
                (Panel("Same label", Scale.SHARE),),
                tuple(lines),
                "n",
            )
        )
    return figures


def gap_figures(results: Results, names: Names) -> list[PointFigure]:
    """The gap over all configurations of a category, harness and effort: its middle, spread and interval."""
    rows = results.gaps()
    if not rows:
        return []
    words = (
        "Gap: direct less indirect accuracy of each configuration over its events scored in both. Median and mean "
        "with percentile intervals over resamples of the events; configurations are fixed, not a sample: quartiles, "
        "least and greatest describe them. n: configurations and events."
    )
    lines = tuple(_gap_row(row, names) for row in rows)
    return [
        PointFigure("gaps", "gaps", "Gap over configurations", words, (Panel("Gap", Scale.POINTS, True),), lines, "n")
    ]


def _gap_row(row: GapSummary, names: Names) -> PointRow:
    numbers = row.numbers
    counts = f"{row.configurations:,} configurations, {row.events:,} events"
    points = [Point(EXTREME, numbers.least, None, counts), Point(EXTREME, numbers.greatest, None, counts)]
    points += [Point(QUARTILE, numbers.lower, None, counts), Point(QUARTILE, numbers.upper, None, counts)]
    points += [Point(MEAN, row.mean, row.mean_interval, counts)]
    points += [Point(MEDIAN, numbers.median, row.median_interval, counts)]
    effort = "all efforts" if row.effort == "all" else row.effort
    label = f"{row.harness} · {effort}"
    name = names.get(row.category, row.category)
    group = f"{name[:1].upper()}{name[1:]}"
    return PointRow(group, label, f"{group}, {label}", (tuple(points),), f"{row.configurations:,} · {row.events:,}")
