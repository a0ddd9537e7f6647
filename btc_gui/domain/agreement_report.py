"""From a confusion matrix to named statistics: each with its interval, method and the words that say what it is of.

The window, the command line and the report of a study all show this, so that a number never appears without its scope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from btc_gui.domain.agreement import (
    FEW_DISAGREEMENTS,
    NO_LABELS,
    ONE_CLASS,
    Agreement,
    agreement,
    bowker,
    class_scores,
    kappa_estimate,
    stuart_maxwell,
    unsure_bounds,
)
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.estimate import CONFIDENCE, Estimate, Interval, clip
from btc_gui.domain.event_bootstrap import bootstrap_agreement
from btc_gui.domain.judge_design import JudgeDesign, JudgeStratum
from btc_gui.domain.number_words import counted, decimal, estimated
from btc_gui.domain.paired import PairedCounts, newcombe_interval
from btc_gui.domain.proportions import clopper_pearson, normal_quantile, wilson
from btc_gui.domain.weighted_agreement import TableStratum, WeightedAgreement, weighted_agreement
from btc_gui.errors import InputError

NOT_POPULATION = "stratified sample, not population"


class SampleKind(StrEnum):
    """How the labelled items were chosen, which decides what their table says."""

    UNKNOWN = "unknown"
    BY_ROW = "by_row"
    """Drawn by the label of the rows (judge or classifier): precision is direct, the rest needs the frame."""
    STRATIFIED = "stratified"
    """Drawn by finer or other strata: without the frame sizes only the sample itself is described."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """One number of a report. `scope` says of what it is; `count` is (successes, n) where there is one.

    `reason` says why there is no value or no interval.
    """

    key: str
    name: str
    scope: str
    value: float | None
    interval: Interval | None = None
    count: tuple[int, int] | None = None
    method: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """`199/200 = 0.995 [0.972, 0.999]`, or the reason where it is undefined."""
        count = f"{self.count[0]}/{self.count[1]}" if self.count else ""
        if self.value is None:
            return f"{count} {self.reason}".strip()
        words = estimated(self.value, self.interval)
        return f"{count} = {words}" if count else words


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The statistics of one matrix, and what a reader must know beside them."""

    matrix: ConfusionMatrix
    confidence: float
    sample: SampleKind
    events: int | None
    statistics: tuple[Statistic, ...]
    notes: tuple[str, ...]

    def find(self, key: str) -> Statistic | None:
        """The statistic of that key; None when the report has none."""
        return next((statistic for statistic in self.statistics if statistic.key == key), None)

    def as_json(self) -> dict[str, object]:
        """Plain values for a file; undefined numbers are null, with their reason."""
        return {
            "matrix": {
                "rows": self.matrix.rows_name,
                "columns": self.matrix.columns_name,
                "classes": list(self.matrix.classes),
                "counts": [list(row) for row in self.matrix.counts],
                "left_out": dict(self.matrix.left_out),
            },
            "n": self.matrix.total,
            "agreed": self.matrix.agreed,
            "left_out": self.matrix.left_out_total,
            "sample": str(self.sample),
            "confidence": self.confidence,
            "events": self.events,
            "statistics": {statistic.key: asdict(statistic) for statistic in self.statistics},
            "notes": list(self.notes),
        }


def agreement_report(
    matrix: ConfusionMatrix,
    *,
    strata: Sequence[TableStratum] = (),
    sample: SampleKind | None = None,
    events: Mapping[str, tuple[int, int]] | None = None,
    assisted: bool = False,
    rows_fixed: bool | None = None,
    confidence: float = CONFIDENCE,
) -> AgreementReport:
    """Every statistic that the matrix allows.

    `strata`: the parts of the frame, each with its size and the table of its labels; they give the statistics of the
    benchmark. `sample` is derived from them when left out. `events`: for each event (agreed, labels). `assisted`: the
    labels were made with the classifier's evidence on screen. `rows_fixed`: every stratum holds one label of the
    rows by design, so that their share of the frame is known; taken from the tables when left out, where a small
    stratum may have one label by chance. In a matrix of two classes the first one is "correct".
    Raises InputError when the strata's tables don't add up to the matrix.
    """
    _check_strata(matrix, strata)
    is_fixed = all(len(_rows_of(stratum)) <= 1 for stratum in strata) if rows_fixed is None else rows_fixed
    kind = sample or _kind_of(strata, is_fixed)
    found = agreement(matrix.counts)
    statistics = [
        *_agreement(matrix, found, kind, confidence),
        *_chance_corrected(matrix, found, kind, confidence),
        *_precisions(matrix, strata, kind, confidence),
        *_margins(matrix, found, kind, confidence, is_drawn=kind is SampleKind.BY_ROW or bool(strata and is_fixed)),
        *_population(matrix, strata, is_fixed, confidence),
    ]
    if events is not None:
        statistics += _by_event(events, kind, confidence)
    notes = tuple(_notes(matrix, found, kind, events, assisted))
    count = len(events) if events is not None else None
    return AgreementReport(matrix, confidence, kind, count, tuple(statistics), notes)


def _agreement(matrix: ConfusionMatrix, found: Agreement, kind: SampleKind, confidence: float) -> Iterator[Statistic]:
    count, scope = (found.agreed, found.n), _scope(kind)
    reason = "" if found.n else NO_LABELS
    exact = clopper_pearson(*count, confidence)
    # One label only: its exact interval is all that can be said.
    interval, method = (exact, "Clopper–Pearson") if found.n == 1 else (wilson(*count, confidence), "Wilson")
    yield Statistic("observed_agreement", "Agreement", scope, found.observed, interval, count, method, reason)
    yield Statistic(
        "observed_agreement_exact", "Agreement, exact", scope, found.observed, exact, count, "Clopper–Pearson", reason
    )
    unsure = matrix.left_out.get("unsure", 0)
    if unsure:
        bounds, total = unsure_bounds(found.agreed, found.n - found.agreed, unsure, confidence), found.n + unsure
        for key, words, value, agreed in (
            ("agreement_unsure_disagree", "disagreement", bounds.lower, found.agreed),
            ("agreement_unsure_agree", "agreement", bounds.upper, found.agreed + unsure),
        ):
            name, limits = f"Agreement, unsure as {words}", wilson(agreed, total, confidence)
            yield Statistic(key, name, scope, value, limits, (agreed, total), "Wilson")


def _chance_corrected(
    matrix: ConfusionMatrix, found: Agreement, kind: SampleKind, confidence: float
) -> Iterator[Statistic]:
    # Equal rows are hardly ever chance: they are taken for what a sample drawn by the judge's label looks like.
    is_drawn = kind is not SampleKind.UNKNOWN or _is_balanced(matrix)
    scope = NOT_POPULATION if is_drawn else _scope(kind)
    empty = "" if found.n else NO_LABELS
    yield Statistic("expected_agreement", "Agreement expected by chance", _scope(kind), found.expected, reason=empty)
    kappa = kappa_estimate(matrix.counts, confidence)
    yield _statistic("kappa", "Cohen's kappa", scope, kappa, (-1.0, 1.0))
    ac1 = Estimate(found.ac1, reason=empty or ("undefined: one declared class" if found.ac1 is None else ""))
    if found.ac1 is not None and found.ac1_se and found.n - found.agreed >= FEW_DISAGREEMENTS:
        half = normal_quantile(confidence) * found.ac1_se
        ac1 = Estimate(found.ac1, (found.ac1 - half, found.ac1 + half), "Gwet's standard error")
    elif found.ac1 is not None:
        ac1 = Estimate(found.ac1, reason=f"no interval: fewer than {FEW_DISAGREEMENTS} disagreements")
    yield _statistic("gwet_ac1", "Gwet's AC1", scope, ac1, (-1.0, 1.0))
    one = empty or ONE_CLASS
    for key, name, value, reason in (
        ("krippendorff_alpha", "Krippendorff's alpha", found.alpha, one),
        ("brennan_prediger", "Brennan–Prediger", found.brennan_prediger, empty or "undefined: one declared class"),
        ("scott_pi", "Scott's pi", found.scott_pi, one),
    ):
        yield Statistic(key, name, scope, value, reason=reason if value is None else "")


def _precisions(
    matrix: ConfusionMatrix, strata: Sequence[TableStratum], kind: SampleKind, confidence: float
) -> Iterator[Statistic]:
    """Precision of each class, which a sample drawn by the rows' label measures directly."""
    if kind is SampleKind.STRATIFIED and strata:
        return
    needs_frame = "needs the frame size of each stratum" if kind is SampleKind.STRATIFIED else ""
    for name, row, score in zip(matrix.classes, matrix.counts, class_scores(matrix.counts, confidence), strict=True):
        hits = row[matrix.classes.index(name)]
        scope = f"of what the {matrix.rows_name} calls {name}"
        if needs_frame:
            yield Statistic(f"precision:{name}", "Precision", scope, None, reason=f"undefined: {needs_frame}")
            continue
        yield Statistic(
            f"precision:{name}",
            "Precision",
            scope,
            score.precision,
            score.precision_interval,
            (hits, sum(row)),
            "Clopper–Pearson",
            "" if sum(row) else NO_LABELS,
        )
        if kind is SampleKind.UNKNOWN:
            reason = "" if score.recall is not None else NO_LABELS
            scope = f"of what the {matrix.columns_name} calls {name}"
            yield Statistic(f"recall:{name}", "Recall", scope, score.recall, reason=reason)
            reason = "" if score.f1 is not None else NO_LABELS
            yield Statistic(f"f1:{name}", "F1", f"of {name}, of these labels", score.f1, reason=reason)


def _margins(
    matrix: ConfusionMatrix, found: Agreement, kind: SampleKind, confidence: float, *, is_drawn: bool
) -> Iterator[Statistic]:
    """How often the human used each class (prevalence), and whether the two use the classes alike.

    `is_drawn`: the sample was drawn by the rows' label, whose shares then are the design's, not the machine's.
    """
    for name, count in zip(matrix.classes, matrix.column_totals, strict=True):
        yield Statistic(
            f"prevalence:{name}",
            f"{matrix.columns_name.capitalize()} says {name}",
            _scope(kind),
            count / found.n if found.n else None,
            count=(count, found.n),
            reason="" if found.n else NO_LABELS,
        )
    drawn = _not_of_a_sample(matrix, kind, is_drawn=is_drawn)
    for index, name in enumerate(_told_once(matrix.classes)):
        both, row, column = matrix.counts[index][index], matrix.row_totals[index], matrix.column_totals[index]
        gap = PairedCounts(both, row - both, column - both, found.n - row - column + both)
        title = _gap_title(matrix, name)
        if drawn:
            yield Statistic(f"margin_gap:{name}", title, _scope(kind), None, reason=drawn)
            continue
        yield Statistic(
            f"margin_gap:{name}",
            title,
            _scope(kind),
            gap.difference,
            newcombe_interval(gap, confidence),
            method="Newcombe's method 10",
            reason="" if found.n else NO_LABELS,
        )
    never = "undefined: no disagreement" if found.n else NO_LABELS
    for key, name, of in (
        ("stuart_maxwell_p", "Same margins (Stuart–Maxwell), p", stuart_maxwell),
        ("bowker_p", "Symmetric confusion (Bowker), p", bowker),
    ):
        test = None if drawn else of(matrix.counts)
        words = f"chi-square {decimal(test.statistic)}, {test.df} df" if test else ""
        reason = "" if test else drawn or never
        yield Statistic(key, name, _scope(kind), test.p if test else None, method=words, reason=reason)


def _not_of_a_sample(matrix: ConfusionMatrix, kind: SampleKind, *, is_drawn: bool) -> str:
    """Why the margins of a table say nothing of the frame; empty where they do.

    Tests of equal margins are about a simple random sample. In a stratified one the design decides the margins, so
    that a perfect machine could be called biased and a biased one fair.
    """
    if is_drawn:
        return f"undefined: the design fixed how many items the {matrix.rows_name} calls what"
    if kind is not SampleKind.UNKNOWN:
        return "undefined: the sample is stratified, its margins are the design's"
    if _is_balanced(matrix):
        return f"undefined: the {matrix.rows_name} used both classes equally often, as in a sample drawn by its label"
    return ""


def _gap_title(matrix: ConfusionMatrix, name: str) -> str:
    return f"Share called {name}, {matrix.rows_name} less {matrix.columns_name}"


def _told_once(classes: Sequence[str]) -> Sequence[str]:
    """The classes whose gaps are told: with two classes the second gap is the first one's opposite."""
    return classes if len(classes) > 2 else classes[:1]


def _population(
    matrix: ConfusionMatrix, strata: Sequence[TableStratum], is_fixed: bool, confidence: float
) -> Iterator[Statistic]:
    if not any(stratum.frame_size for stratum in strata):
        return
    if len(matrix.classes) == 2 and is_fixed:
        yield from _judge(matrix, strata, confidence)
    else:
        yield from _weighted(matrix, strata, is_fixed, confidence)


def _judge(matrix: ConfusionMatrix, strata: Sequence[TableStratum], confidence: float) -> Iterator[Statistic]:
    """A judge of two classes whose own label fixed the strata."""
    unknown = [stratum.name for stratum in strata if stratum.frame_size and not stratum.n]
    if unknown:
        reason = f"undefined: no labels in the stratum {', '.join(unknown)}"
        yield Statistic("population_agreement", "Agreement", "in the benchmark", None, reason=reason)
        return
    used = [stratum for stratum in strata if stratum.frame_size]
    size = sum(stratum.frame_size for stratum in used)
    found = JudgeDesign(
        [
            JudgeStratum(
                stratum.name,
                _rows_of(stratum) == [0],
                stratum.frame_size / size,
                stratum.n,
                sum(row[0] for row in stratum.counts),
                stratum.frame_size,
            )
            for stratum in used
        ]
    ).estimates(confidence)
    scope = f"in the benchmark (π₁ = {_share(found.pi1)})"
    good, bad = matrix.classes
    unit = (0.0, 1.0)
    judge = matrix.rows_name
    yield _statistic("population_agreement", "Agreement", scope, found.agreement, unit)
    yield _statistic("population_kappa", "Cohen's kappa", scope, found.kappa, (-1.0, 1.0))
    yield _statistic("ppv", f"PPV ({judge} says {good})", scope, found.ppv, unit)
    yield _statistic("npv", f"NPV ({judge} says {bad})", scope, found.npv, unit)
    yield _statistic("sensitivity", "Sensitivity", scope, found.sensitivity, unit)
    yield _statistic("specificity", "Specificity", scope, found.specificity, unit)
    yield Statistic("judge_accuracy", f"Share that the {judge} calls {good}", "in the benchmark, exact", found.pi1)
    yield _statistic("corrected_accuracy", f"Share {good}, corrected", scope, found.theta, unit)
    yield _gap(matrix, good, scope, found.pi1, found.theta, is_fixed=True)


def _gap(matrix: ConfusionMatrix, name: str, scope: str, row: float, column: Estimate, *, is_fixed: bool) -> Statistic:
    """How much more often the rows use a class than the columns, in the frame: the bias of the machine's margin.

    Where the strata fix the rows' share of the frame, only the columns' share is estimated.
    """
    key, title = f"population_margin_gap:{name}", _gap_title(matrix, name)
    if column.value is None:
        return Statistic(key, title, scope, None, reason=column.reason)
    if column.interval is None or not is_fixed:
        reason = column.reason if is_fixed else "no interval: both shares are estimated"
        return Statistic(key, title, scope, row - column.value, reason=reason)
    limits = clip((row - column.interval[1], row - column.interval[0]), -1.0, 1.0)
    method = f"the {matrix.rows_name}'s share is known, the {matrix.columns_name}'s as above"
    return Statistic(key, title, scope, row - column.value, limits, method=method)


def _weighted(
    matrix: ConfusionMatrix, strata: Sequence[TableStratum], is_fixed: bool, confidence: float
) -> Iterator[Statistic]:
    """Any other strata: everything weighted by frame size."""
    size = sum(stratum.frame_size for stratum in strata)
    scope = f"in the frame of {counted(size, 'item')}"
    found = weighted_agreement(strata, confidence)
    if found is None:
        unknown = ", ".join(stratum.name for stratum in strata if stratum.frame_size and not stratum.n)
        reason = f"undefined: no labels in the stratum {unknown}"
        yield Statistic("population_agreement", "Agreement", scope, None, reason=reason)
        return
    method = "MOVER, Clopper–Pearson in each stratum"
    yield Statistic(
        "population_agreement", "Agreement", scope, found.agreement, found.agreement_interval, method=method
    )
    yield _weighted_kappa(found, matrix.total - matrix.agreed, scope, confidence)
    for index, name in enumerate(matrix.classes):
        row, column = sum(found.shares[index]), found.human_shares[index]
        hit = found.shares[index][index]
        human = f"{matrix.columns_name.capitalize()} says {name}"
        limits = found.human_share_intervals[index]
        yield Statistic(f"population_prevalence:{name}", human, scope, column, limits, method=method)
        if name in _told_once(matrix.classes):
            yield _gap(matrix, name, scope, row, Estimate(column, limits), is_fixed=is_fixed)
        for key, title, top, bottom in (
            ("population_precision", "Precision", hit, row),
            ("population_recall", "Recall", hit, column),
            ("population_f1", "F1", 2 * hit, row + column),
        ):
            value = top / bottom if bottom > 0 else None
            reason = "undefined: never used" if value is None else "no interval: both parts of the ratio are estimated"
            yield Statistic(f"{key}:{name}", f"{title}, {name}", scope, value, reason=reason)


def _weighted_kappa(found: WeightedAgreement, disagreed: int, scope: str, confidence: float) -> Statistic:
    """The kappa of the frame; its linearised error is too small when there are few disagreements."""
    if found.kappa is None:
        return Statistic("population_kappa", "Cohen's kappa", scope, None, reason=ONE_CLASS)
    if not found.kappa_se or disagreed < FEW_DISAGREEMENTS:
        reason = f"no interval: fewer than {FEW_DISAGREEMENTS} disagreements or no sampling error"
        return Statistic("population_kappa", "Cohen's kappa", scope, found.kappa, reason=reason)
    half = normal_quantile(confidence) * found.kappa_se
    limits = clip((found.kappa - half, found.kappa + half), -1.0, 1.0)
    return Statistic("population_kappa", "Cohen's kappa", scope, found.kappa, limits, method="linearised, with fpc")


def _by_event(events: Mapping[str, tuple[int, int]], kind: SampleKind, confidence: float) -> Iterator[Statistic]:
    found = bootstrap_agreement([events[name] for name in sorted(events)], confidence=confidence)
    if found is None:
        return
    yield Statistic(
        "agreement_by_event",
        "Agreement, events resampled",
        _scope(kind),
        found.estimate,
        found.interval,
        method=f"percentile bootstrap over {len(events)} events",
        reason=f"no interval: {found.reason}" if found.reason else "",
    )


def _notes(
    matrix: ConfusionMatrix,
    found: Agreement,
    kind: SampleKind,
    events: Mapping[str, tuple[int, int]] | None,
    assisted: bool,
) -> Iterator[str]:
    judge = matrix.rows_name
    is_balanced = _is_balanced(matrix)
    if kind is SampleKind.BY_ROW:
        yield (
            f"The sample was drawn by the {judge}'s label: agreement and kappa are of the stratified sample, "
            "not of the population."
        )
        if is_balanced:
            yield "With equal strata kappa is 2 × agreement − 1: it says nothing more than the agreement."
    elif kind is SampleKind.STRATIFIED:
        yield "The sample is stratified: its agreement and kappa are of the stratified sample, not of the population."
    elif is_balanced:
        yield (
            f"The {judge} used both classes equally often. If the sample was drawn by the {judge}'s label, agreement "
            "and kappa are of the stratified sample, not of the population."
        )
    if found.n and found.kappa is not None and found.n == found.agreed:
        yield "There is no disagreement; a bootstrap interval would be [1, 1] and is not shown."
    if events is not None and len(events) < found.n:
        told = counted(len(events), "event")
        yield f"The {counted(found.n, 'item')} come from {told}; items of one event are not independent."
    if matrix.left_out_total:
        pairs = counted(matrix.left_out_total, "pair is", "pairs are")
        yield f"{pairs} left out of every statistic: see the reasons beside the matrix."
    if assisted:
        yield (
            "Assisted: the labels were made with the classifier's evidence on screen. This is verification, "
            "not independent classification."
        )


def _statistic(key: str, name: str, scope: str, estimate: Estimate, span: tuple[float, float]) -> Statistic:
    interval = clip(estimate.interval, *span) if estimate.interval else None
    return Statistic(
        key, name, scope, estimate.value, interval, None, estimate.method if interval else "", estimate.reason
    )


def _scope(kind: SampleKind) -> str:
    return "of these labels" if kind is SampleKind.UNKNOWN else "of the stratified sample"


def _is_balanced(matrix: ConfusionMatrix) -> bool:
    """Whether the rows' label used both of two classes equally often, more than once: as a sample drawn by it does."""
    return len(matrix.classes) == 2 and matrix.total > 2 and len(set(matrix.row_totals)) == 1


def _share(value: float) -> str:
    """A share as it stands in text: .31, .0042, 1."""
    return f"{value:.2g}".removeprefix("0") or "0"


def _rows_of(stratum: TableStratum) -> list[int]:
    """The rows that a stratum's labels are in."""
    return [index for index, row in enumerate(stratum.counts) if sum(row)]


def _kind_of(strata: Sequence[TableStratum], is_fixed: bool) -> SampleKind:
    if not strata:
        return SampleKind.UNKNOWN
    if not is_fixed:
        return SampleKind.STRATIFIED
    rows = [_rows_of(stratum) for stratum in strata if stratum.n]
    used = [row for group in rows for row in group]
    return SampleKind.BY_ROW if len(used) == len(rows) == len(set(used)) else SampleKind.STRATIFIED


def _check_strata(matrix: ConfusionMatrix, strata: Sequence[TableStratum]) -> None:
    if not strata:
        return
    size = range(len(matrix.classes))
    for i in size:
        for j in size:
            if sum(stratum.counts[i][j] for stratum in strata) != matrix.counts[i][j]:
                raise InputError("The tables of the strata don't add up to the matrix.")
