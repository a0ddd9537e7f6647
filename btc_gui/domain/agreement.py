"""Agreement of two raters on one table of counts: observed, Cohen's kappa, Gwet's AC1 and their relatives.

Tables are square, over the *declared* classes: AC1 and Brennan–Prediger depend on how many there are, used or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from btc_gui.domain.estimate import CONFIDENCE, Estimate, Interval
from btc_gui.domain.proportions import Limits, clopper_pearson, normal_quantile, wilson
from btc_gui.domain.raters import CountedUnit, gwet_ac1, krippendorff_alpha

Table = Sequence[Sequence[int]]

ONE_CLASS = "undefined: only one class was used"
NO_LABELS = "no labels"
FEW_DISAGREEMENTS = 20
SKEWED = 0.8


@dataclass(frozen=True, slots=True)
class Agreement:
    """All statistics of one table. None = undefined: no labels, or (kappa, alpha, pi) only one class used."""

    n: int
    agreed: int
    observed: float | None
    expected: float | None
    kappa: float | None
    kappa_ase: float | None
    ac1: float | None
    ac1_se: float | None
    alpha: float | None
    brennan_prediger: float | None
    scott_pi: float | None


def agreement(table: Table) -> Agreement:
    """The statistics of a table of counts: rows one rater, columns the other.

    `kappa_ase` is the standard error of Fleiss, Cohen and Everitt (1969), `ac1_se` Gwet's with n − 1.
    """
    n = sum(map(sum, table))
    if n == 0:
        return Agreement(0, 0, *[None] * 9)
    size = len(table)
    agreed = sum(table[i][i] for i in range(size))
    observed = agreed / n
    rows, columns = _margins(table, n)
    expected = sum(r * c for r, c in zip(rows, columns, strict=True))
    units = _units(table)
    ac1 = gwet_ac1(units)
    pooled = [(r + c) / 2 for r, c in zip(rows, columns, strict=True)]
    return Agreement(
        n=n,
        agreed=agreed,
        observed=observed,
        expected=expected,
        kappa=_corrected(observed, expected, _only_one_class(table)),
        kappa_ase=kappa_ase(table),
        ac1=ac1.value,
        ac1_se=ac1.se,
        alpha=krippendorff_alpha(units),
        brennan_prediger=_corrected(observed, 1 / size, size == 1),
        scott_pi=_corrected(observed, sum(p * p for p in pooled), _only_one_class(table)),
    )


def kappa_ase(table: Table) -> float | None:
    """The asymptotic standard error of kappa (Fleiss, Cohen and Everitt 1969); None when kappa is undefined."""
    n = sum(map(sum, table))
    if n == 0 or _only_one_class(table):
        return None
    rows, columns = _margins(table, n)
    observed = sum(table[i][i] for i in range(len(table))) / n
    expected = sum(r * c for r, c in zip(rows, columns, strict=True))
    kappa = (observed - expected) / (1 - expected)
    diagonal = off = 0.0
    for i, counts in enumerate(table):
        for j, count in enumerate(counts):
            share = count / n
            if i == j:
                diagonal += share * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2
            else:
                off += share * (columns[i] + rows[j]) ** 2
    variance = diagonal + (1 - kappa) ** 2 * off - (kappa - expected * (1 - kappa)) ** 2
    # Rounding can leave a hair below zero where the exact variance is zero.
    return sqrt(max(0.0, variance) / n) / (1 - expected) if variance > 1e-15 else 0.0


def kappa_wald_interval(table: Table, confidence: float = CONFIDENCE) -> Interval | None:
    """kappa ± z·ASE, not cut at 1; None when kappa is undefined or its standard error 0 (it would have no width)."""
    statistics = agreement(table)
    if statistics.kappa is None or not statistics.kappa_ase:
        return None
    half = normal_quantile(confidence) * statistics.kappa_ase
    return statistics.kappa - half, statistics.kappa + half


def kappa_mapped_interval(table: Table, confidence: float = CONFIDENCE, limits: Limits = wilson) -> Interval | None:
    """The interval of the observed agreement, mapped through (po − pe)/(1 − pe); None when kappa is undefined."""
    statistics = agreement(table)
    interval = limits(statistics.agreed, statistics.n, confidence)
    if interval is None or statistics.kappa is None or statistics.expected is None:
        return None
    expected = statistics.expected
    return (interval[0] - expected) / (1 - expected), (interval[1] - expected) / (1 - expected)


def kappa_estimate(table: Table, confidence: float = CONFIDENCE) -> Estimate:
    """Kappa with the interval that holds its level for this table.

    From 20 disagreements on the analytic standard error; with fewer, where Wald and bootstrap collapse, the mapped
    Wilson interval. With very skewed margins (pe > 0.8) neither is sound: the interval of the agreement is to be shown.
    """
    statistics = agreement(table)
    if statistics.kappa is None or statistics.expected is None:
        return Estimate(None, reason=ONE_CLASS if statistics.n else NO_LABELS)
    if statistics.n == 1:
        return Estimate(None, reason="undefined: one label only")
    if statistics.expected > SKEWED:
        return Estimate(
            statistics.kappa,
            reason="no interval: the margins are too skewed (expected agreement above 0.8); see that of the agreement",
        )
    wald = kappa_wald_interval(table, confidence)
    if statistics.n - statistics.agreed >= FEW_DISAGREEMENTS and wald is not None:
        return Estimate(statistics.kappa, wald, "Fleiss–Cohen–Everitt standard error")
    return Estimate(
        statistics.kappa, kappa_mapped_interval(table, confidence), "Wilson interval of the agreement, mapped"
    )


@dataclass(frozen=True, slots=True)
class UnsureBounds:
    """Agreement with unsure answers left out, all taken as disagreement, all taken as agreement."""

    excluded: Estimate
    lower: float | None
    upper: float | None


def unsure_bounds(agree: int, disagree: int, unsure: int, confidence: float = CONFIDENCE) -> UnsureBounds:
    """What the unsure answers could change. All three are reported; which is primary is fixed before unblinding."""
    decided, total = agree + disagree, agree + disagree + unsure
    excluded = Estimate(
        agree / decided if decided else None,
        wilson(agree, decided, confidence),
        "Wilson",
        "" if decided else NO_LABELS,
    )
    if not total:
        return UnsureBounds(excluded, None, None)
    return UnsureBounds(excluded, agree / total, (agree + unsure) / total)


@dataclass(frozen=True, slots=True)
class ClassScore:
    """How one class fares. Precision is direct when the sample was drawn by the rows' class; recall and F1 are not."""

    precision: float | None
    precision_interval: Interval | None
    recall: float | None
    f1: float | None


def class_scores(table: Table, confidence: float = CONFIDENCE) -> list[ClassScore]:
    """Precision (with Clopper–Pearson), recall and F1 of the rows' labels against the columns', for each class.

    None where a class has no label on that side. Recall and F1 are of the sample, not of the frame.
    """
    scores = []
    for index, counts in enumerate(table):
        hits, said, meant = counts[index], sum(counts), sum(row[index] for row in table)
        scores.append(
            ClassScore(
                hits / said if said else None,
                clopper_pearson(hits, said, confidence),
                hits / meant if meant else None,
                2 * hits / (said + meant) if said + meant else None,
            )
        )
    return scores


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A chi-square test; `df` is its degrees of freedom."""

    statistic: float
    df: int
    p: float


def stuart_maxwell(table: Table) -> ChiSquare | None:
    """Do the two raters use the classes equally often? None when they never disagree.

    The covariance is the Laplacian of the graph of disagreements: classes without any, and groups of classes never
    confused with each other, make it singular. The generalised inverse and the rank as degrees of freedom are then
    what merging those classes gives.
    """
    import numpy as np

    counts = np.asarray(table, dtype=float)
    off = counts - np.diag(np.diag(counts))
    if not off.any():
        return None
    pairs = off + off.T
    covariance = np.diag(pairs.sum(axis=1)) - pairs
    gap = off.sum(axis=1) - off.sum(axis=0)
    df = int(np.linalg.matrix_rank(covariance))
    return _chi_square(float(gap @ np.linalg.pinv(covariance) @ gap), df)


def bowker(table: Table) -> ChiSquare | None:
    """Is the confusion symmetric? Only pairs of classes with a disagreement count; None when there is none."""
    size = len(table)
    pairs = [(table[i][j], table[j][i]) for i in range(size) for j in range(i)]
    used = [(a, b) for a, b in pairs if a + b]
    return _chi_square(sum((a - b) ** 2 / (a + b) for a, b in used), len(used)) if used else None


def _chi_square(statistic: float, df: int) -> ChiSquare:
    from scipy import special

    return ChiSquare(statistic, df, float(special.chdtrc(df, statistic)))


def _corrected(observed: float, expected: float, is_undefined: bool) -> float | None:
    return None if is_undefined else (observed - expected) / (1 - expected)


def _margins(table: Table, n: int) -> tuple[list[float], list[float]]:
    return [sum(row) / n for row in table], [sum(column) / n for column in zip(*table, strict=True)]


def _only_one_class(table: Table) -> bool:
    """Whether every label of both raters is the same class: then chance explains all and kappa is 0/0."""
    n = sum(map(sum, table))
    return any(table[i][i] == n for i in range(len(table)))


def _units(table: Table) -> list[CountedUnit]:
    """The table as units with two labels each."""
    units = []
    for i, counts in enumerate(table):
        for j, count in enumerate(counts):
            if count:
                labels = [0] * len(table)
                labels[i] += 1
                labels[j] += 1
                units.append(CountedUnit(tuple(labels), count))
    return units
