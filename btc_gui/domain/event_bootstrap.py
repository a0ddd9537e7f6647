"""Gaps averaged over configurations: events are the independent units, so they are what is resampled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb, sqrt
from typing import TYPE_CHECKING

from btc_gui.domain.estimate import CONFIDENCE, Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ENUMERATED = 50_000
_BLOCK = 2_000_000


class Summary(StrEnum):
    """What is made of the configurations' mean differences."""

    MEAN = "mean"
    MEDIAN = "median"


@dataclass(frozen=True, slots=True)
class ClusterGap:
    """The mean difference over events and configurations, and its standard errors.

    `se` treats events as clusters (plug-in, equal to the event bootstrap's), `se_corrected` uses E − 1 and is None for
    one event; `se_naive` ignores that configurations share events and is there to compare.
    """

    mean: float
    se: float
    se_corrected: float | None
    se_naive: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Mean, standard error and percentile interval over resamples of events, jointly for all configurations.

    `exact`: all resamples were enumerated. `interval` is None, with the reason, when all resamples are the same.
    """

    estimate: float
    mean: float
    se: float
    interval: Interval | None
    exact: bool
    reason: str = ""


def cluster_gap(differences: Sequence[Sequence[float]]) -> ClusterGap | None:
    """The gap over events (rows) × configurations (columns, none missing); None without events."""
    if not differences:
        return None
    events, configurations = len(differences), len(differences[0])
    means = [sum(row) / configurations for row in differences]
    mean = sum(means) / events
    squares = sum((value - mean) ** 2 for value in means)
    cells = sum((value - mean) ** 2 for row in differences for value in row)
    count = events * configurations
    return ClusterGap(
        mean,
        sqrt(squares) / events,
        sqrt(squares / (events - 1) / events) if events > 1 else None,
        sqrt(cells) / count,
    )


def bootstrap_gap(
    differences: Sequence[Sequence[float]],
    summary: Summary = Summary.MEAN,
    *,
    resamples: int = 10_000,
    seed: int = 1,
    confidence: float = CONFIDENCE,
) -> Bootstrap | None:
    """Resample events (rows), the same for all configurations (columns), and summarise; None without events.

    Up to six events are enumerated completely. Quantiles are the inverse of the distribution function, so limits are
    values that occur. A Monte-Carlo standard error is good to about 3·SE/√(2·resamples).
    """
    import numpy as np

    if not differences:
        return None
    rows = np.asarray(differences, dtype=float)
    events = len(rows)
    exact = events**events <= _ENUMERATED
    blocks = [_all_resamples(events)] if exact else resample_counts(events, resamples, seed)
    values = np.concatenate([_summarised(counts @ rows / events, summary) for counts in blocks])
    estimate = float(_summarised(rows.mean(axis=0)[None, :], summary)[0])
    interval, reason = percentiles(values, confidence)
    return Bootstrap(estimate, float(values.mean()), float(values.std()), interval, exact, reason)


def bootstrap_agreement(
    by_event: Sequence[tuple[int, int]], *, resamples: int = 2_000, seed: int = 1, confidence: float = CONFIDENCE
) -> Bootstrap | None:
    """Resample events, each with (agreed, labels), and take the share agreed: items of one event are not independent.

    None without labels. No interval when so few events hold a disagreement that a limit would be exactly 1.
    """
    import numpy as np

    total = sum(labels for _, labels in by_event)
    if not total:
        return None
    agreed, labels = np.asarray(by_event, dtype=float).T
    blocks = resample_counts(len(by_event), resamples, seed)
    values = np.concatenate([counts @ agreed / (counts @ labels) for counts in blocks])
    imperfect = sum(hits < size for hits, size in by_event)
    interval, reason = percentiles(values, confidence)
    if chance_without_disagreement(len(by_event), imperfect) >= (1 - confidence) / 2:
        interval, reason = None, "with so few disagreements the upper limit of a bootstrap would be exactly 1"
    return Bootstrap(
        sum(hits for hits, _ in by_event) / total, float(values.mean()), float(values.std()), interval, False, reason
    )


def chance_without_disagreement(n: int, disagreements: int) -> float:
    """How probable it is that a resample of `n` items holds none of the `disagreements`: (1 − d/n)^n.

    With few disagreements this is large (0.37 for one), and a percentile limit is then an artefact: with 2.5 % or
    more the upper limit of a 95 % interval is exactly 1.
    """
    return (1 - disagreements / n) ** n


@dataclass(frozen=True, slots=True)
class MedianRanks:
    """Ranks (from 1) of the order statistics that bound the median, and their coverage.

    The ranks are None when no pair reaches the level; `coverage` is then that of the extremes.
    """

    lower: int | None
    upper: int | None
    coverage: float


def median_ranks(n: int, confidence: float = CONFIDENCE) -> MedianRanks | None:
    """The narrowest symmetric pair of order statistics with the coverage; None when n = 0.

    Descriptive only over configurations: they are fixed, not a sample of anything.
    """
    if n == 0:
        return None
    tail = 0
    best = MedianRanks(None, None, 1 - 2 / 2**n)
    for rank in range(1, n // 2 + 1):
        tail += comb(n, rank - 1)
        coverage = 1 - 2 * tail / 2**n
        if coverage < confidence:
            break
        best = MedianRanks(rank, n + 1 - rank, coverage)
    return best


@dataclass(frozen=True, slots=True)
class FiveNumbers:
    """Least, lower quartile, median, upper quartile, greatest: how to describe a fixed set of configurations."""

    least: float
    lower: float
    median: float
    upper: float
    greatest: float


def five_numbers(values: Sequence[float]) -> FiveNumbers | None:
    """The five numbers (quartiles interpolated linearly); None without values."""
    if not values:
        return None
    ordered = sorted(values)

    def at(share: float) -> float:
        place = share * (len(ordered) - 1)
        index = min(int(place), len(ordered) - 2) if len(ordered) > 1 else 0
        after = ordered[min(index + 1, len(ordered) - 1)]
        return ordered[index] + (place - index) * (after - ordered[index])

    return FiveNumbers(ordered[0], at(0.25), at(0.5), at(0.75), ordered[-1])


def _summarised(means: NDArray[np.float64], summary: Summary) -> NDArray[np.float64]:
    import numpy as np

    return np.asarray(means.mean(axis=1) if summary is Summary.MEAN else np.median(means, axis=1), dtype=float)


def _all_resamples(events: int) -> NDArray[np.float64]:
    """How often each event is in each of the events^events resamples."""
    import numpy as np

    chosen = np.indices((events,) * events).reshape(events, -1).T
    return np.asarray((chosen[:, :, None] == np.arange(events)).sum(axis=1), dtype=float)


def resample_counts(events: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """How often each event is in each of the resamples, in blocks that stay small."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    block = max(1, _BLOCK // events)
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        # Counting drawn places is ten times faster than multinomial draws.
        drawn = generator.integers(events, size=(size, events)) + np.arange(size)[:, None] * events
        yield np.bincount(drawn.ravel(), minlength=size * events).reshape(size, events).astype(float)


def percentiles(values: NDArray[np.float64], confidence: float) -> tuple[Interval | None, str]:
    """The percentile interval of resampled values, or the reason why it would have no width."""
    import numpy as np

    if np.ptp(values) < 1e-12:
        return None, "every resample is the same, so a bootstrap interval would have no width"
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf")
    return (float(low), float(high)), ""
