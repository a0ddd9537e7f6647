"""The prediction-powered mean (PPI++): human labels of a *simple random* sample, helped by the judge's on the rest.

Under a sample stratified on the judge's own label nothing is gained: use `JudgeDesign.theta`, which then is the same
number. Not for stratified samples without weights, where it is biased.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from btc_gui.domain.estimate import CONFIDENCE, Interval
from btc_gui.domain.proportions import normal_quantile


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """The estimate, its interval and the weight `tuning` given to the judge (1: plain PPI, 0: labels only)."""

    value: float
    interval: Interval
    tuning: float


def prediction_powered_mean(
    human: Sequence[int],
    judge: Sequence[int],
    unlabelled_ones: int,
    unlabelled: int,
    *,
    tuning: float | None = None,
    confidence: float = CONFIDENCE,
) -> PredictionPowered | None:
    """The power-tuned mean for a simple random labelled sample of 0 and 1 (Angelopoulos, Duchi and Zrnic 2023).

    A given `tuning` is used instead of the estimated one: 1 is plain prediction-powered inference.

    `human` and `judge` label the same items; of the `unlabelled` others the judge calls `unlabelled_ones` 1. None when
    there are no labels or no unlabelled items, or the judge says the same of all.
    """
    n, rest = len(human), unlabelled
    if not n or not rest:
        return None
    human_mean, judge_mean = sum(human) / n, sum(judge) / n
    rest_mean = unlabelled_ones / rest
    if tuning is None:
        pooled = (sum(judge) + unlabelled_ones) / (n + rest)
        spread = pooled * (1 - pooled) * (n + rest) / (n + rest - 1)
        if spread == 0:
            return None
        covariance = sum(h * j for h, j in zip(human, judge, strict=True)) / n - human_mean * judge_mean
        tuning = covariance / ((1 + n / rest) * spread)
    value = human_mean + tuning * (rest_mean - judge_mean)
    residuals = [h - tuning * j for h, j in zip(human, judge, strict=True)]
    mean = sum(residuals) / n
    variance = sum((r - mean) ** 2 for r in residuals) / n / n + tuning**2 * rest_mean * (1 - rest_mean) / rest
    half = normal_quantile(confidence) * sqrt(variance)
    return PredictionPowered(value, (value - half, value + half), tuning)
