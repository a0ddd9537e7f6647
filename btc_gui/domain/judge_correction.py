"""What finished studies say of the accuracies in the tables: the share that is truly correct, for each pool.

A pool is the answers of one category and kind of probe. Only its correction is by design (statistics of the frame
that the study froze). PPV and NPV of a pool don't hold for one configuration with another accuracy, so a configuration
gets no corrected accuracy but a reach: how far its accuracy can be from what the judge says, if they did hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from btc_gui.domain.accuracy_table import AccuracyCell
from btc_gui.domain.agreement_report import AgreementReport, Statistic
from btc_gui.domain.estimate import CONFIDENCE, Interval, clip, combine
from btc_gui.domain.event import EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.judge_design import configuration_bound
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.proportions import normal_quantile
from btc_gui.domain.result_rows import ConfigurationGroup, ResultAnswer
from btc_gui.domain.studies.kind import Exclusion
from btc_gui.domain.study import StudyId
from btc_gui.domain.study_draw import page_name
from btc_gui.domain.study_report import StudyReport

NO_STUDY = "No study of the judge over these answers is finished."


@dataclass(frozen=True, slots=True)
class Correction:
    """What one study says of one pool.

    `corrected` is the accuracy in the frame once the judge's errors are taken out; `judge` the share of the frame that
    the judge accepts, None where the study's strata don't fix it. `ppv` and `npv` are None without one.
    """

    study: str
    study_id: StudyId
    frame: int
    labels: int
    corrected: Statistic
    agreement: Statistic | None
    judge: float | None
    ppv: Statistic | None
    npv: Statistic | None

    def reach(self, accepted: float | None) -> Interval | None:
        """Between what the accuracy of a configuration lies of whose answers the judge accepts this share.

        PPV and NPV are taken at their lower limits: eight labels without an error don't make a judge infallible.
        """
        ppv, npv = _least(self.ppv), _least(self.npv)
        if accepted is None or ppv is None or npv is None:
            return None
        bound = configuration_bound(ppv, npv, accepted)
        return clip((accepted - bound, accepted + bound), 0.0, 1.0)


def _least(statistic: Statistic | None) -> float | None:
    """The lower limit of its interval; the value itself where all of the stratum was labelled."""
    if statistic is None or statistic.value is None:
        return None
    return statistic.interval[0] if statistic.interval is not None else statistic.value


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections by category and kind of probe, and why a pool has none."""

    by_pool: Mapping[tuple[str, ProbeKind], Correction] = field(default_factory=dict)
    refused: Mapping[tuple[str, ProbeKind], str] = field(default_factory=dict)

    def find(self, category: str, kind: ProbeKind) -> Correction | None:
        """The correction of a pool."""
        return self.by_pool.get((category, kind))

    def reason(self, category: str, kind: ProbeKind) -> str:
        """Why a pool has no correction; empty where it has one."""
        return "" if (category, kind) in self.by_pool else self.refused.get((category, kind), NO_STUDY)


def corrections(reports: Iterable[StudyReport], judges: Mapping[str, int], categories: Iterable[str]) -> Corrections:
    """The corrections of unblinded studies of the judge; of several over one pool, that with the most labels.

    `judges` has how many verdicts of each judge count: a study of one judge says nothing of another's verdicts.
    """
    counting = sorted(name for name, count in judges.items() if count)
    found: dict[tuple[str, ProbeKind], Correction] = {}
    refused: dict[tuple[str, ProbeKind], str] = {}
    pools = {page_name(category, kind): (category, kind) for category in categories for kind in ProbeKind}
    for report in reports:
        if report.machine_role != "judge":
            continue
        if "by_page" not in report.study.manifest["frame"]:
            # Earlier manifests don't count their pools: which share of the frame a pool is, nobody knows.
            old = f"“{report.study.name}” was locked by an earlier version, which did not count the frame by pool."
            refused.update({pools[page]: old for page in {case.page for case in report.primary.cases} & pools.keys()})
            continue
        for page, agreement, frame in _pools_of(report):
            key = pools.get(page)
            if key is None:
                continue
            problem = _problem(report, counting)
            made = _correction(report, agreement, frame)
            if problem or isinstance(made, str):
                refused[key] = problem or f"“{report.study.name}”: {made}"
            elif key not in found or made.labels > found[key].labels:
                found[key] = made
    return Corrections(found, refused)


def _problem(report: StudyReport, counting: Sequence[str]) -> str:
    if len(counting) > 1:
        return f"Verdicts of several judges count ({', '.join(counting)}); “{report.study.name}” is about one of them."
    if counting and report.machine not in ("", counting[0]):
        return f"“{report.study.name}” is about {report.machine}, the verdicts that count are {counting[0]}'s."
    return ""


def _pools_of(report: StudyReport) -> list[tuple[str, AgreementReport, int]]:
    """Pages with the statistics and the size of their part of the frame."""
    if report.pools:
        return [(pool.name, pool.agreement, pool.frame) for pool in report.pools]
    pages = report.study.manifest["frame"]["by_page"]
    # Of a frame of one pool the whole report speaks.
    return [(page, report.primary.agreement, sum(sizes.values())) for page, sizes in pages.items()]


def _correction(report: StudyReport, agreement: AgreementReport, frame: int) -> Correction | str:
    accepted = agreement.matrix.classes[0]
    corrected = agreement.find("corrected_accuracy") or agreement.find(f"population_prevalence:{accepted}")
    if corrected is None or corrected.value is None:
        told = corrected or agreement.find("population_agreement")
        return told.reason if told is not None and told.reason else "its labels don't allow a correction."
    judge = agreement.find("judge_accuracy")
    ppv, npv = (agreement.find(name) for name in ("ppv", "npv"))
    return Correction(
        report.study.name,
        report.study.id,
        frame,
        agreement.matrix.total,
        corrected,
        agreement.find("population_agreement"),
        judge.value if judge else None,
        ppv,
        npv,
    )


@dataclass(frozen=True, slots=True)
class CorrectedPool:
    """The answers of one category and kind of probe over all configurations: as judged, and corrected.

    Answers about one event hang together: `raw_interval` takes events as clusters, None where they are all alike.
    """

    category: str
    kind: ProbeKind
    raw: AccuracyCell
    raw_interval: Interval | None
    events: int
    correction: Correction | None
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectedGap:
    """Direct less indirect accuracy over all configurations of a category, as judged and corrected.

    `raw_interval` treats events as clusters. `judge_interval` covers the error of the validation samples, `interval`
    that and the sampling of events. Undefined ones are None.
    """

    category: str
    raw: float | None
    raw_interval: Interval | None
    events: int
    corrected: float | None
    judge_interval: Interval | None
    interval: Interval | None
    reason: str


def corrected_pools(
    groups: Sequence[ConfigurationGroup], known: Corrections, sums_only: Collection[str] = ()
) -> list[CorrectedPool]:
    """Every pool that has an answer, by category, direct first.

    Categories of `sums_only` have open labels: an interval by events would tell about which event they are.
    """
    found = []
    for category in dict.fromkeys(group.head.category for group in groups):
        for kind in (ProbeKind.DIRECT, ProbeKind.INDIRECT):
            answers = _answers(groups, category, kind)
            if answers:
                reason = known.reason(category, kind)
                interval, events = clustered_share(answers)
                interval = None if category in sums_only else interval
                correction = known.find(category, kind)
                found.append(
                    CorrectedPool(category, kind, AccuracyCell.of(answers), interval, events, correction, reason)
                )
    return found


def corrected_gaps(
    groups: Sequence[ConfigurationGroup], known: Corrections, sums_only: Collection[str] = ()
) -> list[CorrectedGap]:
    """The gap of every category that has scored answers of both kinds; `sums_only` as for `corrected_pools`."""
    found = []
    for category in dict.fromkeys(group.head.category for group in groups):
        direct, indirect = (_answers(groups, category, kind) for kind in (ProbeKind.DIRECT, ProbeKind.INDIRECT))
        raw, interval, events = clustered_gap(direct, indirect)
        interval = None if category in sums_only else interval
        if raw is None:
            continue
        one, other = (known.find(category, kind) for kind in (ProbeKind.DIRECT, ProbeKind.INDIRECT))
        if one is None or other is None or one.corrected.value is None or other.corrected.value is None:
            kind = ProbeKind.DIRECT if one is None else ProbeKind.INDIRECT
            found.append(CorrectedGap(category, raw, interval, events, None, None, None, known.reason(category, kind)))
            continue
        gap = one.corrected.value - other.corrected.value
        judge = _gap_interval(one.corrected, other.corrected)
        whole = None
        if judge is not None and interval is not None:
            moved = (gap - (raw - interval[0]), gap + (interval[1] - raw))
            whole = clip(combine(gap, judge, moved), -1.0, 1.0)
        found.append(CorrectedGap(category, raw, interval, events, gap, judge, whole, ""))
    return found


def clustered_share(answers: Iterable[ResultAnswer]) -> tuple[Interval | None, int]:
    """The 95 % interval of the accuracy of pooled answers with events as clusters, and how many events there are.

    The standard error is the linearised one of a ratio (plug-in); None where no event differs from the whole.
    """
    sums: dict[EventId, list[int]] = {}
    for answer in answers:
        if answer.is_scored:
            each = sums.setdefault(answer.event, [0, 0])
            each[0] += answer.is_correct
            each[1] += 1
    right, total = (sum(each[place] for each in sums.values()) for place in (0, 1))
    squares = sum((each[0] * total - right * each[1]) ** 2 for each in sums.values())
    if not squares:
        return None, len(sums)
    half = normal_quantile(CONFIDENCE) * sqrt(squares) / total**2
    return clip((right / total - half, right / total + half), 0.0, 1.0), len(sums)


def clustered_gap(
    direct: Iterable[ResultAnswer], indirect: Iterable[ResultAnswer]
) -> tuple[float | None, Interval | None, int]:
    """Direct less indirect accuracy of pooled answers, its interval with events as clusters, and how many events.

    The standard error is the linearised one of two ratios that share clusters (plug-in); where every event has as
    many direct as indirect answers it is that of `event_bootstrap.cluster_gap`.
    """
    sums: dict[EventId, list[float]] = {}
    totals = [[0, 0], [0, 0]]
    for place, answers in enumerate((direct, indirect)):
        for answer in answers:
            if answer.is_scored:
                each = sums.setdefault(answer.event, [0.0, 0.0, 0.0, 0.0])
                each[2 * place] += answer.is_correct
                each[2 * place + 1] += 1
                totals[place][0] += answer.is_correct
                totals[place][1] += 1
    if not totals[0][1] or not totals[1][1]:
        return None, None, len(sums)
    shares = [right / n for right, n in totals]
    gap = shares[0] - shares[1]
    squares = sum(
        ((right - shares[0] * n) / totals[0][1] - (other - shares[1] * m) / totals[1][1]) ** 2
        for right, n, other, m in sums.values()
    )
    if not squares:
        return gap, None, len(sums)
    half = normal_quantile(CONFIDENCE) * sqrt(squares)
    return gap, (gap - half, gap + half), len(sums)


def _gap_interval(direct: Statistic, indirect: Statistic) -> Interval | None:
    """MOVER of the difference. Those of the two accuracies are sums of squares over strata, so these are added."""
    if direct.value is None or indirect.value is None or direct.interval is None or indirect.interval is None:
        return None
    gap = direct.value - indirect.value
    turned = (gap - (indirect.interval[1] - indirect.value), gap + (indirect.value - indirect.interval[0]))
    own = (gap - (direct.value - direct.interval[0]), gap + (direct.interval[1] - direct.value))
    return combine(gap, own, turned)


def _answers(groups: Iterable[ConfigurationGroup], category: str, kind: ProbeKind) -> list[ResultAnswer]:
    return [answer for group in groups if group.head.category == category for answer in group.of_kind(kind)]


@dataclass(frozen=True, slots=True)
class CorrectedMode:
    """One failure mode in the frame of a study of the classifier: the classifier's share, and the human's.

    Failures without a query have their mode by construction: they are in both shares, and in no sample. A frame that
    was labelled whole has no interval: nothing of it was left to chance.
    """

    study: str
    mode: FailureMode
    failures: int
    by_construction: int
    labels: int
    raw: float
    corrected: float | None
    interval: Interval | None
    reason: str


def corrected_modes(reports: Iterable[StudyReport]) -> list[CorrectedMode]:
    """What unblinded studies of the classifier say of the composition of failures, mode by mode."""
    found = []
    for report in reports:
        if report.machine_role != "classifier":
            continue
        certain = int(report.excluded.get(Exclusion.BY_CONSTRUCTION.value, 0))
        framed = sum(report.frame_labels.values())
        total = framed + certain
        agreement = report.primary.agreement
        for mode, name in zip(FailureMode, agreement.matrix.classes, strict=True):
            sure = certain if mode is FailureMode.NONE else 0
            human = agreement.find(f"population_prevalence:{name}")
            value = human.value if human is not None else None
            limits = human.interval if human is not None else None
            reason = "" if value is not None else _why(agreement)
            found.append(
                CorrectedMode(
                    report.study.name,
                    mode,
                    total,
                    certain,
                    agreement.matrix.total,
                    (report.frame_labels.get(name, 0) + sure) / total if total else 0.0,
                    None if value is None or not total else (value * framed + sure) / total,
                    None
                    if limits is None or not total or limits[0] == limits[1]
                    else ((limits[0] * framed + sure) / total, (limits[1] * framed + sure) / total),
                    reason,
                )
            )
    return found


def _why(agreement: AgreementReport) -> str:
    told = agreement.find("population_agreement")
    return told.reason if told is not None and told.reason else "its labels don't allow a correction."
