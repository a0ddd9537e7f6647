"""How configurations search and what that goes with, and how they differ: by effort, harness and category."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.behaviour_table import BehaviourRow, CategoryContrast, ContrastRow
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.figures.behind import Names, groups_by_key, paired_ids, scored, share_point
from btc_gui.domain.figures.behind import by_category as rows_by_category
from btc_gui.domain.figures.figure import Panel, Point, PointFigure, PointRow, Scale, ids_of, label_of
from btc_gui.domain.figures.series import CHANGE, GAP_LESS_GAP, QUERIES, SHARE, mode_series
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup
from btc_gui.domain.results import Results
from btc_gui.domain.trajectory import AnswerId


def behaviour_figures(results: Results, names: Names) -> list[PointFigure]:
    """How much each configuration searches, and its accuracy when it does, by category."""
    groups = groups_by_key(results)
    panels = (
        Panel("No query", Scale.SHARE),
        Panel("Median queries", Scale.COUNT),
        Panel("Accuracy, ≥ 1 query", Scale.SHARE),
        Panel("Accuracy, ≥ 2 queries", Scale.SHARE),
    )
    return [
        PointFigure(
            f"behaviour_{category}",
            "behaviour",
            f"Search behaviour, {names.get(category, category)}",
            "Over scored indirect answers: the share without a query, the median number of queries, the accuracy of "
            "those with at least one and at least two, with Wilson's 95 % intervals. Answers whose queries are not "
            "known (a provider need not reveal those of its own search) are left out. n: scored indirect answers.",
            panels,
            tuple(_behaviour_row(row, groups[category, row.head.configuration_id]) for row in rows),
            "n",
        )
        for category, rows in rows_by_category(results.behaviour())
    ]


def _behaviour_row(row: BehaviourRow, group: ConfigurationGroup) -> PointRow:
    answers = scored(group.of_kind(ProbeKind.INDIRECT))
    known = [each for each in answers if each.queries is not None]
    found = (
        share_point(SHARE, row.no_query, [each for each in known if not each.queries]),
        None
        if row.median_queries is None
        else Point(QUERIES, row.median_queries, None, f"{len(known):,} answers", ids_of(known)),
        share_point(SHARE, row.after_one, [each for each in known if (each.queries or 0) >= 1]),
        share_point(SHARE, row.after_two, [each for each in known if (each.queries or 0) >= 2]),
    )
    model, label = label_of(row.head)
    return PointRow(model, label, row.head.title, tuple((p,) if p else () for p in found), f"{len(answers):,}")


def effort_figures(results: Results, names: Names) -> list[PointFigure]:
    """High less low effort: the change of accuracy, and of each failure mode's share of the probes."""
    return _contrasts(
        results, names, results.by_effort(), "effort_change", "High less low effort", "high less low effort"
    )


def harness_figures(results: Results, names: Names) -> list[PointFigure]:
    """Shared less native harness: the change of accuracy."""
    rows = results.by_harness()
    return _contrasts(
        results, names, rows, "harness_change", "Shared less native harness", "shared less native harness"
    )


def _contrasts(
    results: Results, names: Names, rows: Sequence[ContrastRow], kind: str, title: str, what: str
) -> list[PointFigure]:
    groups = groups_by_key(results)
    found: dict[str, list[ContrastRow]] = {}
    for row in rows:
        found.setdefault(row.first.category, []).append(row)
    figures = []
    for category, of_category in found.items():
        has_modes = any(row.modes is not None for row in of_category)
        panels = [Panel("Change of accuracy", Scale.POINTS, True)]
        words = (
            f"Indirect accuracy, {what}, over the events scored in both, with Newcombe's method 10 interval. n: those "
            "events."
        )
        if has_modes:
            panels.append(Panel("Change of each mode's share", Scale.POINTS, True))
            words += " Modes: their share of the scored probes, where all failures of both are classified."
        figures.append(
            PointFigure(
                f"{kind}_{category}",
                kind,
                f"{title}, {names.get(category, category)}",
                words,
                tuple(panels),
                tuple(
                    _contrast_row(
                        row,
                        paired_ids(
                            *(
                                groups[category, head.configuration_id].of_kind(ProbeKind.INDIRECT)
                                for head in (row.first, row.second)
                            )
                        ),
                        has_modes=has_modes,
                    )
                    for row in of_category
                ),
                "n",
            )
        )
    return figures


def _contrast_row(row: ContrastRow, answers: tuple[AnswerId, ...], *, has_modes: bool) -> PointRow:
    pairs = row.pairs
    counts = f"{pairs.n:,} events, {pairs.first_only:,} only then right, {pairs.second_only:,} only before"
    change: tuple[Point, ...] = ()
    if row.change is not None:
        change = (Point(CHANGE, row.change, row.interval, counts, answers),)
    modes: tuple[Point, ...] = ()
    if row.modes is not None:
        modes = tuple(Point(mode_series(mode), row.modes[mode], None, "", answers) for mode in FailureMode)
    model, label = label_of(row.second)
    # What both have in common: what they differ in is in the figure's title.
    same = [part for part in label.split(" · ") if part in label_of(row.first)[1].split(" · ")]
    label = " · ".join(same)
    points = (change, modes) if has_modes else (change,)
    return PointRow(model, label, f"{row.second.title} less {row.first.title}", points, f"{pairs.n:,}")


def category_figures(results: Results, names: Names) -> list[PointFigure]:
    """The gap in one category less that in another, of the same configuration."""
    groups = groups_by_key(results)
    found: dict[tuple[str, str], list[CategoryContrast]] = {}
    for row in results.by_category():
        found.setdefault((row.head.category, row.second), []).append(row)
    figures = []
    for (first, second), rows in found.items():
        one, other = names.get(first, first), names.get(second, second)
        lines = []
        for row in rows:
            answers: tuple[AnswerId, ...] = ()
            for category in (first, second):
                group = groups[category, row.head.configuration_id]
                answers += paired_ids(group.of_kind(ProbeKind.DIRECT), group.of_kind(ProbeKind.INDIRECT))
            counts = f"gaps {Scale.POINTS.text(row.gaps[0])} and {Scale.POINTS.text(row.gaps[1])}"
            model, label = label_of(row.head)
            point = Point(GAP_LESS_GAP, row.change, row.interval, counts, answers)
            lines.append(PointRow(model, label, row.head.title, ((point,),)))
        figures.append(
            PointFigure(
                f"category_gaps_{first}_{second}",
                "category_gaps",
                f"Gap of {one} less gap of {other}",
                "Gap: direct less indirect accuracy over the events scored in both. The interval adds the squared "
                "half-lengths of the two gaps' Newcombe intervals.",
                (Panel("Difference of the gaps", Scale.POINTS, True),),
                tuple(lines),
            )
        )
    return figures
