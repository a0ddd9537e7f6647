"""How many labels a study needs. Plan with an *assumed* number of errors, never the live one: that would unblind."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log

from btc_gui.domain.agreement import Table, kappa_ase
from btc_gui.domain.estimate import CONFIDENCE
from btc_gui.domain.proportions import clopper_pearson, normal_quantile, wilson_of_share
from btc_gui.errors import InputError


def n_without_error(rate: float, confidence: float = CONFIDENCE, *, two_sided: bool = True) -> int:
    """How many labels without any error exclude an error rate of `rate`."""
    _check_share(rate)
    tail = (1 - confidence) / 2 if two_sided else 1 - confidence
    return ceil(log(tail) / log(1 - rate))


def n_for_lower_limit(target: float, errors: int, confidence: float = CONFIDENCE) -> int:
    """The smallest n whose two-sided Clopper–Pearson lower limit reaches `target` with that many errors."""
    _check_share(target)

    def reached(n: int) -> bool:
        interval = clopper_pearson(max(0, n - errors), n, confidence)
        return interval is not None and interval[0] >= target

    return _smallest(reached)


def n_for_half_width(share: float, half_width: float, confidence: float = CONFIDENCE) -> int:
    """The smallest n whose Wilson interval at that share is at most ±`half_width` (share·n need not be whole)."""
    _check_share(half_width)

    def reached(n: int) -> bool:
        low, high = wilson_of_share(share, n, confidence)
        return (high - low) / 2 <= half_width

    return _smallest(reached)


def n_for_kappa_half_width(shape: Table, half_width: float, confidence: float = CONFIDENCE) -> int | None:
    """How many labels give kappa ± `half_width` (Wald) if the table keeps this shape.

    For planning only: near kappa 1 it is optimistic. None when kappa's error is undefined or 0 for the shape.
    """
    _check_share(half_width)
    error = kappa_ase(shape)
    if not error:
        return None
    n = sum(map(sum, shape))
    return ceil(error**2 * n * (normal_quantile(confidence) / half_width) ** 2)


def _smallest(reached: Callable[[int], bool]) -> int:
    """The smallest n ≥ 1 for a condition that stays true once it is: double, then halve."""
    high = 1
    while not reached(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle
    return high


def _check_share(value: float) -> None:
    if not 0 < value < 1:
        raise InputError("A rate, target or half-width must lie between 0 and 1.")
