"""Agreement in the frame when strata were sampled at different rates (failure modes, small ones taken whole).

Point values are weighted by frame size / sample size; standard errors are linearised (Taylor), with the finite
population correction (1 − n/N)·n/(n − 1): a stratum taken whole has no sampling error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from btc_gui.domain.estimate import CONFIDENCE, Interval, clip
from btc_gui.domain.number_words import counted
from btc_gui.domain.proportions import clopper_pearson, mover
from btc_gui.errors import InputError

Table = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class TableStratum:
    """One stratum: how many items the frame has, and the table of those labelled (rows classifier, columns human)."""

    name: str
    frame_size: int
    counts: tuple[tuple[int, ...], ...]

    @property
    def n(self) -> int:
        """How many were labelled."""
        return sum(map(sum, self.counts))


@dataclass(frozen=True, slots=True)
class WeightedAgreement:
    """Statistics of the frame; `shares` is the table as shares of it.

    A standard error is None when a stratum with one label makes it unknown. `human_shares` is the composition by human
    label; its intervals (MOVER over the strata, Clopper–Pearson in each that was not taken whole) also bound modes
    that the human never used there, where the standard error is 0.
    """

    shares: tuple[tuple[float, ...], ...]
    agreement: float
    agreement_se: float | None
    agreement_interval: Interval
    kappa: float | None
    kappa_se: float | None
    human_shares: tuple[float, ...]
    human_share_ses: tuple[float | None, ...]
    human_share_intervals: tuple[Interval, ...]


def by_classifier_mode(table: Sequence[Sequence[int]], frame_counts: Sequence[int]) -> list[TableStratum]:
    """One stratum for each row of the table: the sample was drawn by the classifier's mode."""
    empty = tuple((0,) * len(table) for _ in table)
    return [
        TableStratum(str(index), frame_counts[index], (*empty[:index], tuple(row), *empty[index + 1 :]))
        for index, row in enumerate(table)
    ]


def weighted_agreement(strata: Sequence[TableStratum], confidence: float = CONFIDENCE) -> WeightedAgreement | None:
    """The statistics of the frame; None when a stratum with items has no label, or there are no items.

    Raises InputError when a stratum has more labels than items.
    """
    for stratum in strata:
        if stratum.n > stratum.frame_size:
            labels, items = counted(stratum.n, "label"), counted(stratum.frame_size, "item")
            raise InputError(f"The stratum {stratum.name} has {labels} for {items}.")
    used = [stratum for stratum in strata if stratum.frame_size]
    if not used or any(not stratum.n for stratum in used):
        return None
    size = len(used[0].counts)
    indices = range(size)
    total = sum(stratum.frame_size for stratum in used)
    weights = [stratum.frame_size / total for stratum in used]
    table = [
        [sum(w * s.counts[i][j] / s.n for w, s in zip(weights, used, strict=True)) for j in indices] for i in indices
    ]
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    observed = sum(table[i][i] for i in indices)
    expected = sum(rows[i] * columns[i] for i in indices)
    agrees = [[float(i == j) for j in indices] for i in indices]
    kappa = kappa_se = None
    if 1 - expected > 1e-12:
        kappa = (observed - expected) / (1 - expected)
        slope = (1 - observed) / (1 - expected) ** 2
        kappa_se = _error(
            used,
            weights,
            [[agrees[i][j] / (1 - expected) - slope * (rows[j] + columns[i]) for j in indices] for i in indices],
        )
    return WeightedAgreement(
        shares=tuple(map(tuple, table)),
        agreement=observed,
        agreement_se=_error(used, weights, agrees),
        agreement_interval=_mean_interval(used, [sum(s.counts[i][i] for i in indices) for s in used], confidence),
        kappa=kappa,
        kappa_se=kappa_se,
        human_shares=tuple(columns),
        human_share_ses=tuple(_error(used, weights, _is_column(j, size)) for j in indices),
        human_share_intervals=tuple(
            _mean_interval(used, [sum(row[j] for row in s.counts) for s in used], confidence) for j in indices
        ),
    )


def _mean_interval(strata: Sequence[TableStratum], hits: Sequence[int], confidence: float) -> Interval:
    """MOVER over the strata, exact in those taken whole."""
    total = sum(stratum.frame_size for stratum in strata)
    weights = [stratum.frame_size / total for stratum in strata]
    shares = [hit / stratum.n for hit, stratum in zip(hits, strata, strict=True)]
    limits = []
    for hit, stratum, share in zip(hits, strata, shares, strict=True):
        exact = (share, share) if stratum.n == stratum.frame_size else clopper_pearson(hit, stratum.n, confidence)
        limits.append(exact or (0.0, 1.0))
    interval = mover(lambda values: sum(w * v for w, v in zip(weights, values, strict=True)), shares, limits)
    return clip(interval or (0.0, 1.0), 0.0, 1.0)


def _is_column(column: int, size: int) -> Table:
    return [[float(j == column) for j in range(size)] for _ in range(size)]


def _error(strata: Sequence[TableStratum], weights: Sequence[float], scores: Table) -> float | None:
    """The standard error of the weighted mean of a score for each cell."""
    total = 0.0
    for stratum, weight in zip(strata, weights, strict=True):
        if stratum.n == stratum.frame_size:
            continue
        if stratum.n == 1:
            return None
        pairs = [
            (count, score)
            for counts, values in zip(stratum.counts, scores, strict=True)
            for count, score in zip(counts, values, strict=True)
            if count
        ]
        mean = sum(count * score for count, score in pairs) / stratum.n
        spread = sum(count * (score - mean) ** 2 for count, score in pairs) / (stratum.n - 1)
        total += weight**2 * (1 - stratum.n / stratum.frame_size) * spread / stratum.n
    return sqrt(total)
