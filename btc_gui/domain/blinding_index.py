"""Bang's blinding index: could annotators guess what was hidden?"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from btc_gui.domain.estimate import CONFIDENCE, Interval
from btc_gui.domain.proportions import normal_quantile


@dataclass(frozen=True, slots=True)
class BangIndex:
    """0: as good as chance; 1: fully unblinded. `interval` is None when all guesses are alike (no width)."""

    value: float
    se: float
    interval: Interval | None


def bang_index(correct: int, wrong: int, dont_know: int, confidence: float = CONFIDENCE) -> BangIndex | None:
    """(Correct less wrong guesses) / all, with the multinomial standard error; None without guesses.

    For guesses of the configuration or the model family, one family against the rest. Never for guesses of the judge's
    label: whoever agrees with the judge guesses it from their own label.
    """
    n = correct + wrong + dont_know
    if n == 0:
        return None
    index = (correct - wrong) / n
    error = sqrt(max(0.0, (correct + wrong) / n - index**2) / n)
    half = normal_quantile(confidence) * error
    return BangIndex(index, error, (index - half, index + half) if error else None)
