"""How far machine labels can be trusted: what the finished studies measured, and what they make of the results."""

from __future__ import annotations

from collections.abc import Iterator

from btc_gui.domain.agreement_report import AgreementReport, Statistic
from btc_gui.domain.figures.behind import Names, cell_point, kind_answers
from btc_gui.domain.figures.figure import Panel, Point, PointFigure, PointRow, Scale, Series
from btc_gui.domain.figures.series import AS_JUDGED, CORRECTED, SHARE, mode_series
from btc_gui.domain.judge_correction import (
    CorrectedGap,
    CorrectedPool,
    corrected_gaps,
    corrected_modes,
    corrected_pools,
    corrections,
)
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.domain.study_report import StudyReport

#: What is drawn of a study, as a figure names it.
_SHARES = {
    "observed_agreement": "Agreement, sample",
    "population_agreement": "Agreement, benchmark",
    "ppv": "PPV",
    "npv": "NPV",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
}


def validation_figures(record: ResultsRecord, names: Names) -> list[PointFigure]:
    """Agreement, PPV, NPV, sensitivity and specificity of each finished study and its pools."""
    rows = [row for report in record.reports for name, found in _parts(report) for row in _share_rows(name, found)]
    if not rows:
        return []
    return [
        PointFigure(
            "validation",
            "validation",
            "What people's labels say of the machine's",
            "Figures of the finished studies with their 95 % intervals. Agreement in the sample describes what was "
            "drawn; in the benchmark it is weighted back to the frame, as are sensitivity and specificity. n: labels, "
            "where the figure is a count.",
            (Panel("Share", Scale.SHARE),),
            tuple(rows),
            "n",
        )
    ]


def corrected_figures(record: ResultsRecord, names: Names) -> list[PointFigure]:
    """Accuracy and gap of each category as judged and as corrected; only where a finished study allows it."""
    groups = record.results.pooled
    known = corrections(record.reports, record.facts.judges, {group.head.category for group in groups})
    closed = record.results.open_categories
    pools = corrected_pools(groups, known, closed)
    categories = [pool.category for pool in pools if pool.correction is not None]
    if not categories:
        return []
    gaps = {gap.category: gap for gap in corrected_gaps(groups, known, closed)}
    rows: list[PointRow] = []
    for category in dict.fromkeys(categories):
        name = names.get(category, category)
        name = f"{name[:1].upper()}{name[1:]}"
        rows += [_pool_row(pool, name, record) for pool in pools if pool.category == category]
        if category in gaps:
            rows.append(_gap_row(gaps[category], name))
    return [
        PointFigure(
            "corrected_accuracy",
            "corrected_accuracy",
            "Accuracy as judged and corrected",
            "All configurations together. Corrected: the share that is correct by people's labels of a sample, "
            "weighted back to the frame that the study froze, with its 95 % interval (MOVER of Clopper–Pearson "
            "limits); that of a gap covers the sampling of events too. For single configurations the correction would "
            "rest on a model. n: scored answers and labels.",
            (Panel("Accuracy", Scale.SHARE), Panel("Gap", Scale.POINTS, True)),
            tuple(rows),
            "n",
        )
    ]


def corrected_mode_figures(record: ResultsRecord, names: Names) -> list[PointFigure]:
    """Each failure mode's share of the failures as classified and as corrected."""
    rows = []
    for each in corrected_modes(record.reports):
        points = [Point(AS_JUDGED, each.raw, None, f"{each.failures:,} failures")]
        if each.corrected is not None:
            points.append(Point(CORRECTED, each.corrected, each.interval, f"{each.labels:,} labels"))
        label = mode_series(each.mode).text
        rows.append(PointRow(each.study, label, f"{each.study}: {label}", (tuple(points),), f"{each.labels:,}"))
    if not rows:
        return []
    return [
        PointFigure(
            "corrected_modes",
            "corrected_modes",
            "Failure modes as classified and corrected",
            "Each mode's share of the failures in the frame of the study, as the classifier has it and by people's "
            "labels weighted back, with 95 % intervals. Failures without a query have their mode by construction: they "
            "are in both shares and in no sample. n: labels.",
            (Panel("Share of the failures", Scale.SHARE),),
            tuple(rows),
            "n",
        )
    ]


def _parts(report: StudyReport) -> Iterator[tuple[str, AgreementReport]]:
    """The study as a whole, then its pools."""
    yield report.study.name, report.primary.agreement
    for pool in report.pools:
        yield f"{report.study.name} · {pool.name}", pool.agreement


def _share_rows(name: str, agreement: AgreementReport) -> Iterator[PointRow]:
    for key, label in _SHARES.items():
        statistic = agreement.find(key)
        if statistic is not None and statistic.value is not None:
            n = f"{statistic.count[1]:,}" if statistic.count else ""
            yield PointRow(name, label, f"{name}: {label}", ((_point(SHARE, statistic, statistic.value),),), n)


def _point(series: Series, statistic: Statistic, value: float) -> Point:
    counts = f"{statistic.count[0]:,} of {statistic.count[1]:,}" if statistic.count else statistic.scope
    return Point(series, value, statistic.interval, counts)


def _pool_row(pool: CorrectedPool, name: str, record: ResultsRecord) -> PointRow:
    answers = kind_answers(record.results, pool.category, pool.kind)
    points = [cell_point(AS_JUDGED, pool.raw, answers, with_interval=False)]
    labels = 0
    if pool.correction is not None and pool.correction.corrected.value is not None:
        labels = pool.correction.labels
        counts = f"{labels:,} labels of “{pool.correction.study}”, {pool.correction.frame:,} answers in its frame"
        corrected = pool.correction.corrected
        points.append(Point(CORRECTED, pool.correction.corrected.value, corrected.interval, counts))
    label = str(pool.kind).capitalize()
    beside = f"{pool.raw.scored:,} · {labels:,}" if labels else f"{pool.raw.scored:,}"
    return PointRow(name, label, f"{name}, {pool.kind}", (tuple(p for p in points if p), ()), beside)


def _gap_row(gap: CorrectedGap, name: str) -> PointRow:
    points = []
    counts = f"{gap.events:,} events"
    if gap.raw is not None:
        points.append(Point(AS_JUDGED, gap.raw, gap.raw_interval, counts))
    if gap.corrected is not None:
        points.append(Point(CORRECTED, gap.corrected, gap.interval, counts))
    return PointRow(name, "Direct less indirect", f"{name}, direct less indirect", ((), tuple(points)))
