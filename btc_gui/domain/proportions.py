"""Intervals for one proportion, and MOVER for functions of several.

Wilson's interval needs no scipy, so that a window's first table waits for no import; the others need only
`scipy.special` (importing `scipy.stats` takes most of a second).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import NormalDist

from btc_gui.domain.estimate import CONFIDENCE, Interval

Limits = Callable[[int, int, float], Interval | None]
"""A method that gives an interval for successes, n, confidence."""


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """The two-sided normal quantile: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson_of_share(share: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval for an observed share of `n` > 0; share·n need not be whole (for planning)."""
    z = normal_quantile(confidence)
    centre = share + z * z / (2 * n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # The ends are exact where nothing, or everything, is a success: no rounding dust below 0 or above 1.
    return (0.0 if share == 0 else (centre - half) / scale), (1.0 if share == 1 else (centre + half) / scale)


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Wilson's score interval; None when n = 0. The default for one proportion."""
    _check(successes, n)
    return wilson_of_share(successes / n, n, confidence) if n else None


def clopper_pearson(successes: int, n: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The exact (Clopper–Pearson) interval; None when n = 0. Its coverage is never below the level."""
    _check(successes, n)
    if n == 0:
        return None
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else _beta_quantile(tail, successes, n - successes + 1)
    high = 1.0 if successes == n else _beta_quantile(1 - tail, successes + 1, n - successes)
    return low, high


def jeffreys(successes: int, n: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The Jeffreys interval; None when n = 0. Reaches 0 when nothing and 1 when everything is a success."""
    _check(successes, n)
    if n == 0:
        return None
    tail = (1 - confidence) / 2
    a, b = successes + 0.5, n - successes + 0.5
    low = 0.0 if successes == 0 else _beta_quantile(tail, a, b)
    high = 1.0 if successes == n else _beta_quantile(1 - tail, a, b)
    return low, high


def mover(
    function: Callable[[Sequence[float]], float | None], values: Sequence[float], limits: Sequence[Interval]
) -> Interval | None:
    """The method of variance estimates recovery, for a function monotone in each of independent proportions.

    Each argument is moved to its own limits, the others kept; the squared effects are added on each side. Not cut
    to the range of the function. None when the function is undefined at the estimate or at a limit.
    """
    estimate = function(values)
    if estimate is None:
        return None
    below = above = 0.0
    for index, pair in enumerate(limits):
        moved = [function([*values[:index], limit, *values[index + 1 :]]) for limit in pair]
        if moved[0] is None or moved[1] is None:
            return None
        # A limit on the near side of the estimate adds nothing (it can be there by rounding only).
        below += max(0.0, estimate - min(moved[0], moved[1])) ** 2
        above += max(0.0, max(moved[0], moved[1]) - estimate) ** 2
    return estimate - sqrt(below), estimate + sqrt(above)


def _beta_quantile(probability: float, a: float, b: float) -> float:
    from scipy import special

    return float(special.betaincinv(a, b, probability))


def _check(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is not a share")
