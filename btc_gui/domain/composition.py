"""Shares of several classes at once: Goodman's simultaneous intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from btc_gui.domain.estimate import CONFIDENCE, Interval
from btc_gui.domain.proportions import normal_quantile


def goodman_intervals(counts: Sequence[int], confidence: float = CONFIDENCE) -> list[Interval] | None:
    """Goodman's (1965) intervals, which hold together for all classes; None when nothing was counted."""
    n = sum(counts)
    if n == 0:
        return None
    # The square of a normal variate has one degree of freedom: no scipy is needed, which takes a while to import.
    chi_square = normal_quantile(1 - (1 - confidence) / len(counts)) ** 2
    intervals = []
    for count in counts:
        half = sqrt(chi_square * (chi_square + 4 * count * (n - count) / n))
        scale = 2 * (n + chi_square)
        low = 0.0 if count == 0 else (chi_square + 2 * count - half) / scale
        high = 1.0 if count == n else (chi_square + 2 * count + half) / scale
        intervals.append((low, high))
    return intervals
