"""Kappa and alpha of labels that come several to an item (queries, spans): items are what is resampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from btc_gui.domain.agreement import ONE_CLASS, Table, agreement
from btc_gui.domain.estimate import CONFIDENCE, Estimate
from btc_gui.domain.event_bootstrap import chance_without_disagreement, percentiles, resample_counts
from btc_gui.domain.raters import CountedUnit, krippendorff_alpha

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 2_000
NO_PAIRS = "no item has two labels to compare"


def kappa_by_item(tables: Sequence[Table], *, seed: int = 1, confidence: float = CONFIDENCE) -> Estimate:
    """Cohen's kappa over the sum of the items' tables, with a percentile interval over resampled items.

    A table holds the labels of one item. Resamples in which only one class was used have no kappa and are left out.
    No interval when so few items hold a disagreement that a limit would be exactly 1.
    """
    import numpy as np

    used = [table for table in tables if sum(map(sum, table))]
    if not used:
        return Estimate(None, reason=NO_PAIRS)
    counts = np.asarray(used, dtype=float)
    found = agreement([[int(value) for value in row] for row in counts.sum(axis=0)])
    if found.kappa is None:
        return Estimate(None, reason=ONE_CLASS)
    imperfect = sum(any(count and i != j for i, row in enumerate(t) for j, count in enumerate(row)) for t in used)
    flat = counts.reshape(len(used), -1)
    size = counts.shape[1]
    values = np.concatenate(
        [_kappas((drawn @ flat).reshape(-1, size, size)) for drawn in resample_counts(len(used), RESAMPLES, seed)]
    )
    return _estimate(found.kappa, values, len(used), imperfect, confidence)


def alpha_by_item(items: Sequence[Sequence[CountedUnit]], *, seed: int = 1, confidence: float = CONFIDENCE) -> Estimate:
    """Krippendorff's nominal alpha over the units of all items, with a percentile interval over resampled items."""
    import numpy as np

    used = [pairable for units in items if (pairable := [unit for unit in units if unit.labels >= 2])]
    if not used:
        return Estimate(None, reason=NO_PAIRS)
    value = krippendorff_alpha([unit for units in used for unit in units])
    if value is None:
        return Estimate(None, reason=ONE_CLASS)
    # Alpha is a function of sums over units, so a resample needs only the sums of each item.
    sums = np.asarray([_sums(units) for units in used], dtype=float)
    values = np.concatenate([_alphas(drawn @ sums) for drawn in resample_counts(len(used), RESAMPLES, seed)])
    imperfect = sum(any(max(unit.counts) < unit.labels for unit in units) for units in used)
    return _estimate(value, values, len(used), imperfect, confidence)


def _estimate(value: float, values: NDArray[np.float64], items: int, imperfect: int, confidence: float) -> Estimate:
    import numpy as np

    if chance_without_disagreement(items, imperfect) >= (1 - confidence) / 2:
        return Estimate(
            value, reason="no interval: with so few disagreements the upper limit of a bootstrap would be exactly 1"
        )
    kept = values[~np.isnan(values)]
    interval, reason = percentiles(kept, confidence)
    return Estimate(
        value, interval, f"percentile bootstrap over {items} items", f"no interval: {reason}" if reason else ""
    )


def _kappas(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    totals = tables.sum(axis=(1, 2))
    observed = np.trace(tables, axis1=1, axis2=2) / totals
    expected = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / totals**2
    return _corrected(observed, expected)


def _sums(units: Sequence[CountedUnit]) -> list[float]:
    """Of an item's units: the disagreement observed, then how often each class was used."""
    observed = sum(
        unit.times * (unit.labels**2 - sum(count * count for count in unit.counts)) / (unit.labels - 1)
        for unit in units
    )
    size = len(units[0].counts)
    return [observed, *(sum(unit.counts[k] * unit.times for unit in units) for k in range(size))]


def _alphas(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    observed, totals = sums[:, 0], sums[:, 1:]
    n = totals.sum(axis=1)
    expected = (n * n - (totals * totals).sum(axis=1)) / (n - 1)
    # As in kappa, (observed agreement less chance) / (1 less chance), written with disagreements.
    return _corrected(1 - observed / n, 1 - expected / n)


def _corrected(observed: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """(observed − expected) / (1 − expected); NaN where chance explains all."""
    import numpy as np

    room = 1 - expected
    return np.where(room > 1e-12, (observed - expected) / np.where(room > 1e-12, room, 1.0), np.nan)
