"""How far machine labels can be trusted: what the finished studies measured, and accuracy corrected by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from btc_gui.domain.agreement_report import AgreementReport, Statistic
from btc_gui.domain.figures.figure import Panel, Point, PointFigure, PointRow, Scale, Series
from btc_gui.domain.figures.series import AS_JUDGED, CORRECTED, SHARE
from btc_gui.domain.study_report import StudyReport

_SHARES = (
    "observed_agreement",
    "population_agreement",
    "ppv",
    "npv",
    "sensitivity",
    "specificity",
)


def judge_figures(reports: Iterable[StudyReport]) -> list[PointFigure]:
    """Agreement of each finished study and pool with its intervals, and the corrected accuracy beside the raw one."""
    trust: list[PointRow] = []
    corrected: list[PointRow] = []
    for report in reports:
        for name, agreement in _parts(report):
            trust += _trust_rows(name, agreement)
            row = _corrected_row(report.study.name, name, agreement)
            if row is not None:
                corrected.append(row)
    figures = []
    if trust:
        figures.append(
            PointFigure(
                "validation",
                "validation",
                "What people's labels say of the machine's",
                "Each figure of the finished studies with its 95 % interval, over the sample or the benchmark as its "
                "name says. n: labels, where the figure is a count.",
                (Panel("Share", Scale.SHARE),),
                tuple(trust),
                "n",
            )
        )
    if corrected:
        figures.append(
            PointFigure(
                "corrected_accuracy",
                "corrected_accuracy",
                "Accuracy as judged and corrected",
                "The share of the frame that the judge accepts, and the share that is correct by people's labels of a "
                "sample, weighted back to the frame, with its 95 % interval. Of pools only: for single configurations "
                "the correction would rest on a model.",
                (Panel("Accuracy", Scale.SHARE),),
                tuple(corrected),
            )
        )
    return figures


def _parts(report: StudyReport) -> Iterator[tuple[str, AgreementReport]]:
    """The study as a whole, then its pools."""
    yield report.study.name, report.primary.agreement
    for pool in report.pools:
        yield f"{report.study.name}, {pool.name}", pool.agreement


def _trust_rows(name: str, agreement: AgreementReport) -> Iterator[PointRow]:
    for statistic in agreement.statistics:
        if statistic.key in _SHARES and statistic.value is not None:
            point = _point(SHARE, statistic)
            n = f"{statistic.count[1]:,}" if statistic.count else ""
            yield PointRow(name, statistic.name, f"{name}: {statistic.name}", ((point,),), n)


def _corrected_row(study: str, name: str, agreement: AgreementReport) -> PointRow | None:
    found = {statistic.key: statistic for statistic in agreement.statistics if statistic.value is not None}
    if "judge_accuracy" not in found or "corrected_accuracy" not in found:
        return None
    points = (_point(AS_JUDGED, found["judge_accuracy"]), _point(CORRECTED, found["corrected_accuracy"]))
    label = "All" if name == study else name.removeprefix(f"{study}, ")
    return PointRow(study, label, name, (points,))


def _point(series: Series, statistic: Statistic) -> Point:
    assert statistic.value is not None
    counts = f"{statistic.count[0]:,} of {statistic.count[1]:,}" if statistic.count else statistic.scope
    return Point(series, statistic.value, statistic.interval, counts)
