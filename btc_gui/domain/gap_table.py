"""The gap between direct and indirect accuracy over many configurations: events are what is resampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from btc_gui.domain.configuration import Harness
from btc_gui.domain.estimate import CONFIDENCE, Interval
from btc_gui.domain.event_bootstrap import FiveNumbers, five_numbers, percentiles, resample_counts
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Resamples of a summary: limits of it are good to about a tenth of their distance.
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class GapSummary:
    """The gaps of all configurations of one category, harness and effort, each over its events scored in both.

    `mean` and the median in `numbers` have percentile intervals over resamples of `events`, the same for all
    configurations; None, with the reason, where all resamples are the same. Configurations are fixed, not a sample:
    the five numbers describe them.
    """

    category: str
    harness: str
    effort: str
    configurations: int
    events: int
    numbers: FiveNumbers
    median_interval: Interval | None
    mean: float
    mean_interval: Interval | None
    reason: str = ""


def gap_summaries(groups: Sequence[ConfigurationGroup]) -> list[GapSummary]:
    """Median and mean gap by category, harness and effort, and over all efforts of a harness ("all")."""
    cells: dict[tuple[str, str, str], list[dict[int, int]]] = {}
    for group in groups:
        direct, indirect = group.events(ProbeKind.DIRECT), group.events(ProbeKind.INDIRECT)
        gaps = {int(event): direct[event] - indirect[event] for event in direct.keys() & indirect.keys()}
        configuration = group.head.configuration
        if gaps and configuration.harness is not Harness.NONE:
            for effort in (str(configuration.effort), "all"):
                cells.setdefault((group.head.category, str(configuration.harness), effort), []).append(gaps)
    # Resamples are the same for as many events: efforts of a category, which mostly have the same ones, share them.
    drawn = lru_cache(maxsize=2)(lambda size: list(resample_counts(size, RESAMPLES, 1)))
    return [_summary(*key, columns, drawn) for key, columns in sorted(cells.items(), key=lambda cell: _order(cell[0]))]


def _summary(
    category: str,
    harness: str,
    effort: str,
    columns: Sequence[dict[int, int]],
    drawn: Callable[[int], Sequence[NDArray[np.float64]]],
) -> GapSummary:
    import numpy as np

    events = sorted(set().union(*columns))
    means = [sum(gaps.values()) / len(gaps) for gaps in columns]
    numbers = five_numbers(means)
    assert numbers is not None
    values = np.array([[gaps.get(event, 0) for gaps in columns] for event in events], dtype=float)
    present = np.array([[event in gaps for gaps in columns] for event in events], dtype=float)
    medians, averages = [], []
    for counts in drawn(len(events)):
        sizes = counts @ present
        if sizes.all():
            gaps = counts @ values / sizes
            medians.append(np.median(gaps, axis=1))
            averages.append(gaps.mean(axis=1))
            continue
        # A configuration none of whose events was drawn has no gap in that resample, and is left out of it.
        gaps = np.where(sizes > 0, counts @ values / np.maximum(sizes, 1), np.nan)
        gaps = gaps[~np.isnan(gaps).all(axis=1)]
        medians.append(np.nanmedian(gaps, axis=1))
        averages.append(np.nanmean(gaps, axis=1))
    median_interval, reason = percentiles(np.concatenate(medians), CONFIDENCE)
    mean_interval, _ = percentiles(np.concatenate(averages), CONFIDENCE)
    return GapSummary(
        category,
        harness,
        effort,
        len(columns),
        len(events),
        numbers,
        median_interval,
        sum(means) / len(means),
        mean_interval,
        reason,
    )


def _order(key: tuple[str, str, str]) -> tuple[str, str, int, str]:
    category, harness, effort = key
    return category, harness, {"low": 0, "high": 1, "all": 3}.get(effort, 2), effort
