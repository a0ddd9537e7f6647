"""What every statistic is given as: a value with an interval, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.number_words import estimated

Interval = tuple[float, float]

CONFIDENCE = 0.95
"""The confidence level of every interval unless another is asked for; two-sided."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic. `value` or `interval` is None when undefined; then `reason` says why.

    An undefined number is never shown as NaN, 0 or 1, and an interval without width is never shown at all.
    """

    value: float | None
    interval: Interval | None = None
    method: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """`0.990 [0.946, 1.000]`; the reason where there is no value, and beside it where there is no interval."""
        if self.value is None:
            return self.reason
        words = estimated(self.value, self.interval)
        return words if self.interval or not self.reason else f"{words} ({self.reason})"


def clip(interval: Interval, low: float, high: float) -> Interval:
    """The interval cut to the range that the quantity can have. For display only; sums use the uncut one."""
    return max(low, interval[0]), min(high, interval[1])


def combine(estimate: float, *intervals: Interval) -> Interval:
    """One interval for independent sources of error: squared half-lengths added on each side (MOVER).

    Used for the error of the judge together with the sampling of events.
    """
    below = sum((estimate - low) ** 2 for low, _ in intervals)
    above = sum((high - estimate) ** 2 for _, high in intervals)
    return float(estimate - below**0.5), float(estimate + above**0.5)
