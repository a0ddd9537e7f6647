"""Agreement of any number of raters, with missing labels: Krippendorff's alpha, Gwet's AC1, Fleiss' kappa."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from btc_gui.domain.confusion import is_missing
from btc_gui.errors import InputError


@dataclass(frozen=True, slots=True)
class CountedUnit:
    """How many raters gave each class to a unit; `times` such units exist."""

    counts: tuple[int, ...]
    times: int = 1

    @property
    def labels(self) -> int:
        """How many labels the unit has."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Ac1:
    """Gwet's AC1 and its standard error (over units, n − 1); None when undefined."""

    value: float | None
    se: float | None


def count_units(units: Iterable[Sequence[str | None]], classes: Sequence[str]) -> list[CountedUnit]:
    """Count the labels of each unit over the declared classes. None and blank labels are missing.

    Raises InputError for a label that is no class.
    """
    place = {name: index for index, name in enumerate(classes)}
    counted = []
    for labels in units:
        counts = [0] * len(classes)
        for label in labels:
            if label is None or is_missing(label):
                continue
            if label not in place:
                raise InputError(f"The label “{label}” is not a class.", f"Classes: {', '.join(classes)}.")
            counts[place[label]] += 1
        counted.append(CountedUnit(tuple(counts)))
    return counted


def krippendorff_alpha(units: Sequence[CountedUnit]) -> float | None:
    """Nominal alpha over units with two labels or more.

    None when there is none, or when all their labels are one class (0/0).
    """
    pairable = [unit for unit in units if unit.labels >= 2]
    n = sum(unit.labels * unit.times for unit in pairable)
    if n == 0:
        return None
    totals = [sum(unit.counts[k] * unit.times for unit in pairable) for k in range(len(pairable[0].counts))]
    expected = (n * n - sum(total * total for total in totals)) / (n * (n - 1))
    if expected == 0:
        return None
    observed = sum(
        unit.times * (unit.labels**2 - sum(count * count for count in unit.counts)) / (unit.labels - 1)
        for unit in pairable
    )
    return 1 - observed / n / expected


def gwet_ac1(units: Sequence[CountedUnit]) -> Ac1:
    """Gwet's AC1 with missing labels (Gwet 2014); units with one label count in the shares of the classes only.

    Undefined with one declared class, or when no unit has two labels; the error also with one unit.
    """
    used = [unit for unit in units if unit.labels]
    n = sum(unit.times for unit in used)
    paired = sum(unit.times for unit in used if unit.labels >= 2)
    if not paired or len(used[0].counts) < 2:
        return Ac1(None, None)
    size = len(used[0].counts)
    shares = [sum(unit.counts[k] / unit.labels * unit.times for unit in used) / n for k in range(size)]
    expected = sum(share * (1 - share) for share in shares) / (size - 1)
    observed = sum(_pair_agreement(unit) * unit.times for unit in used) / paired
    value = (observed - expected) / (1 - expected)
    if n == 1:
        return Ac1(value, None)
    squares = 0.0
    for unit in used:
        own = n / paired * (_pair_agreement(unit) - (expected if unit.labels >= 2 else 0)) / (1 - expected)
        chance = sum(c * (1 - s) for c, s in zip(unit.counts, shares, strict=True)) / unit.labels / (size - 1)
        squares += unit.times * (own - 2 * (1 - value) * (chance - expected) / (1 - expected) - value) ** 2
    return Ac1(value, sqrt(squares / (n * (n - 1))))


def fleiss_kappa(units: Sequence[CountedUnit]) -> float | None:
    """Fleiss' kappa. None without labels or when only one class was used.

    Raises InputError when units have different numbers of labels: use alpha then.
    """
    if not units or not units[0].labels:
        return None
    raters = units[0].labels
    if raters < 2 or any(unit.labels != raters for unit in units):
        raise InputError("Fleiss' kappa needs the same number of labels, two or more, for every unit.", "Use alpha.")
    n = sum(unit.times for unit in units)
    observed = sum(_pair_agreement(unit) * unit.times for unit in units) / n
    shares = [sum(unit.counts[k] * unit.times for unit in units) / (n * raters) for k in range(len(units[0].counts))]
    if 1.0 in shares:
        return None
    expected = sum(share * share for share in shares)
    return (observed - expected) / (1 - expected)


def _pair_agreement(unit: CountedUnit) -> float:
    """The share of the unit's pairs of labels that agree; 0 without a pair."""
    pairs = unit.labels * (unit.labels - 1)
    return sum(count * (count - 1) for count in unit.counts) / pairs if pairs else 0.0
