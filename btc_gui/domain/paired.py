"""The same events answered twice or more: McNemar, Newcombe, Bonett–Price, Tango, Cochran's Q, multiplicity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, erfc, sqrt

from btc_gui.domain.agreement import ChiSquare
from btc_gui.domain.estimate import CONFIDENCE, Interval
from btc_gui.domain.proportions import normal_quantile, wilson_of_share


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """Events by the outcome of two probes (say direct and indirect): right in both, one only, neither."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def n(self) -> int:
        """How many events."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def difference(self) -> float | None:
        """Share right in the first less share right in the second; None without events."""
        return (self.first_only - self.second_only) / self.n if self.n else None


def mcnemar_exact(counts: PairedCounts) -> float:
    """The exact two-sided p-value; 1 when no event is discordant."""
    return float(_mcnemar(counts)[0])


def mcnemar_mid_p(counts: PairedCounts) -> float:
    """The mid-p value: the default test (Fagerland, Lydersen and Laake 2013). 1 when no event is discordant."""
    exact, point = _mcnemar(counts)
    if counts.first_only + counts.second_only == 0:
        return 1.0
    if counts.first_only == counts.second_only:
        return float(1 - point / 2)
    return float(exact - point)


def mcnemar_chi_square(counts: PairedCounts, *, corrected: bool = False) -> ChiSquare | None:
    """The asymptotic test, without or with continuity correction (|b − c| − 1)²; None when no event is discordant."""
    discordant = counts.first_only + counts.second_only
    if not discordant:
        return None
    gap = abs(counts.first_only - counts.second_only)
    statistic = (gap - 1 if corrected else gap) ** 2 / discordant
    return ChiSquare(statistic, 1, erfc(sqrt(statistic / 2)))


def wald_interval(counts: PairedCounts, confidence: float = CONFIDENCE) -> Interval | None:
    """The Wald interval of the difference: for comparison only (it collapses with few discordant events)."""
    if not counts.n:
        return None
    gap = (counts.first_only - counts.second_only) / counts.n
    spread = (counts.first_only + counts.second_only) / counts.n - gap**2
    half = normal_quantile(confidence) * sqrt(max(0.0, spread) / counts.n)
    return gap - half, gap + half


def newcombe_interval(counts: PairedCounts, confidence: float = CONFIDENCE) -> Interval | None:
    """Newcombe's method 10 for the difference (square-and-add of Wilson limits, continuity-corrected phi).

    The default interval; None without events.
    """
    n = counts.n
    if not n:
        return None
    a, b, c, d = counts.both, counts.first_only, counts.second_only, counts.neither
    first, second = (a + b) / n, (a + c) / n
    low_1, high_1 = wilson_of_share(first, n, confidence)
    low_2, high_2 = wilson_of_share(second, n, confidence)
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    cross = a * d - b * c
    phi = (max(0.0, cross - n / 2) if cross > 0 else cross) / sqrt(margins) if margins else 0.0
    below_1, above_1, below_2, above_2 = first - low_1, high_1 - first, second - low_2, high_2 - second
    below = below_1**2 - 2 * phi * below_1 * above_2 + above_2**2
    above = above_1**2 - 2 * phi * above_1 * below_2 + below_2**2
    gap = first - second
    return gap - sqrt(max(0.0, below)), gap + sqrt(max(0.0, above))


def bonett_price_interval(counts: PairedCounts, confidence: float = CONFIDENCE) -> Interval | None:
    """The Bonett–Price interval of the difference (adjusted Wald); None without events."""
    if not counts.n:
        return None
    first, second = (counts.first_only + 1) / (counts.n + 2), (counts.second_only + 1) / (counts.n + 2)
    gap = first - second
    half = normal_quantile(confidence) * sqrt((first + second - gap**2) / (counts.n + 2))
    return max(-1.0, gap - half), min(1.0, gap + half)


def tango_interval(counts: PairedCounts, confidence: float = CONFIDENCE) -> Interval | None:
    """Tango's score interval of the difference; None without events."""
    if not counts.n:
        return None
    z = normal_quantile(confidence)
    gap = (counts.first_only - counts.second_only) / counts.n
    return _tango_limit(counts, z, -1.0, gap), _tango_limit(counts, -z, gap, 1.0)


def _tango_limit(counts: PairedCounts, target: float, low: float, high: float) -> float:
    """Where the score, which falls with the difference, takes the value `target`: by halving."""
    for _ in range(200):
        middle = (low + high) / 2
        if _tango_score(counts, middle) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _tango_score(counts: PairedCounts, gap: float) -> float:
    n, b, c = counts.n, counts.first_only, counts.second_only
    linear = -b - c + (2 * n - b + c) * gap
    root = sqrt(max(0.0, linear**2 + 8 * n * c * gap * (1 - gap)))
    # Of the two forms of the root the one without cancellation.
    second = (root - linear) / (4 * n) if linear <= 0 else 2 * c * gap * (1 - gap) / (root + linear)
    variance = n * (2 * second + gap * (1 - gap))
    distance = b - c - n * gap
    if variance <= 0:
        return 0.0 if distance == 0 else float("inf") if distance > 0 else float("-inf")
    return distance / sqrt(variance)


def cochran_q(outcomes: Sequence[Sequence[int]]) -> ChiSquare | None:
    """Cochran's Q over events (rows) × configurations (columns) of 0 and 1.

    None when no event varies over the configurations: nothing can be compared.
    """
    from scipy import special

    if not outcomes or len(outcomes[0]) < 2:
        return None
    size = len(outcomes[0])
    columns = [sum(column) for column in zip(*outcomes, strict=True)]
    rows = [sum(row) for row in outcomes]
    total = sum(rows)
    spread = size * total - sum(row * row for row in rows)
    if not spread:
        return None
    statistic = (size - 1) * (size * sum(c * c for c in columns) - total**2) / spread
    return ChiSquare(statistic, size - 1, float(special.chdtrc(size - 1, statistic)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given: for a declared family of tests."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p-values (false discovery rate): for exploration only."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index], reverse=True)
    adjusted = [0.0] * len(p_values)
    smallest = 1.0
    for place, index in enumerate(order):
        smallest = min(smallest, len(p_values) / (len(p_values) - place) * p_values[index])
        adjusted[index] = smallest
    return adjusted


@dataclass(frozen=True, slots=True)
class CommonEvents:
    """Events valid for every model, sorted, and how many each model loses by keeping only these."""

    common: tuple[str, ...]
    lost: dict[str, int]


def common_events(valid: Mapping[str, Sequence[str]]) -> CommonEvents:
    """The intersection of the models' valid events. Results on all and on common events are both reported."""
    sets = {model: set(events) for model, events in valid.items()}
    common = set.intersection(*sets.values()) if sets else set()
    return CommonEvents(tuple(sorted(common)), {model: len(events - common) for model, events in sets.items()})


def _mcnemar(counts: PairedCounts) -> tuple[Fraction, Fraction]:
    """The exact two-sided p-value and the probability of exactly this split, as fractions."""
    n, least = counts.first_only + counts.second_only, min(counts.first_only, counts.second_only)
    tail = sum(comb(n, k) for k in range(least + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**n)), Fraction(comb(n, least), 2**n)
