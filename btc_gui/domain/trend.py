"""Accuracy over ordered bins (the number of queries): descriptive, since the model chose the bin after the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

from btc_gui.domain.estimate import CONFIDENCE, Interval
from btc_gui.domain.proportions import wilson


@dataclass(frozen=True, slots=True)
class Trend:
    """The Cochran–Armitage test. `z_permutation` is the version with N − 1."""

    z: float
    p: float
    z_permutation: float


def bin_intervals(
    correct: Sequence[int], incorrect: Sequence[int], confidence: float = CONFIDENCE
) -> list[Interval | None]:
    """The Wilson interval of the accuracy in each bin; None for an empty one."""
    return [wilson(right, right + wrong, confidence) for right, wrong in zip(correct, incorrect, strict=True)]


def cochran_armitage(correct: Sequence[int], incorrect: Sequence[int], scores: Sequence[float]) -> Trend | None:
    """Does the accuracy rise or fall with the score of the bin? None when all answers are alike or in one bin."""
    sizes = [right + wrong for right, wrong in zip(correct, incorrect, strict=True)]
    n, right = sum(sizes), sum(correct)
    if not n or right in (0, n):
        return None
    mean = sum(size * score for size, score in zip(sizes, scores, strict=True)) / n
    spread = sum(size * (score - mean) ** 2 for size, score in zip(sizes, scores, strict=True))
    if not spread:
        return None
    share = right / n
    covariance = sum(hits * (score - mean) for hits, score in zip(correct, scores, strict=True))
    z = covariance / sqrt(share * (1 - share) * spread)
    return Trend(z, erfc(abs(z) / sqrt(2)), z * sqrt((n - 1) / n))
