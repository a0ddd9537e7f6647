"""One thing measured, beside the least that it could take in the same run; and the table of them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measure:
    """A value with its floor, both in `unit`, and what it should be.

    `most` is a limit of the value, `most_ratio` of value ÷ floor, `least_ratio` the least that this may be (for rates);
    `most_over` is what the value may exceed its floor by. A measure without any of them is only told. `work` is the
    processor time behind the value, where it is a time: on a machine that others use too it tells more than the clock.
    """

    name: str
    value: float
    unit: str
    floor: float | None = None
    floor_is: str = ""
    most: float | None = None
    most_ratio: float | None = None
    least_ratio: float | None = None
    most_over: float | None = None
    work: float | None = None

    @property
    def ratio(self) -> float | None:
        """Value ÷ floor."""
        return self.value / self.floor if self.floor else None

    @property
    def goal(self) -> str:
        """What it should be, in words; empty when nothing is asked of it."""
        parts = []
        if self.most is not None:
            parts.append(f"≤ {amount(self.most)} {self.unit}")
        if self.most_ratio is not None:
            parts.append(f"≤ {self.most_ratio:g} × floor")
        if self.least_ratio is not None:
            parts.append(f"≥ {self.least_ratio:g} × floor")
        if self.most_over is not None:
            parts.append(f"≤ floor + {amount(self.most_over)} {self.unit}")
        return ", ".join(parts)

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; None without one, or when its floor is missing."""
        if not self.goal:
            return None
        is_met = self.most is None or self.value <= self.most
        if self.most_ratio is not None or self.least_ratio is not None or self.most_over is not None:
            if self.floor is None or self.ratio is None:
                return None
            is_met = is_met and (self.most_ratio is None or self.ratio <= self.most_ratio)
            is_met = is_met and (self.least_ratio is None or self.ratio >= self.least_ratio)
            is_met = is_met and (self.most_over is None or self.value <= self.floor + self.most_over)
        return is_met


def amount(value: float) -> str:
    """A number with the digits that are worth reading."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.1f}" if abs(value) >= 10 else f"{value:,.2f}"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def seconds_of(work: Callable[[], object], times: int = 5) -> float:
    """The least that some work takes of a few times, by the clock."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def state_of_machine() -> str:
    """How busy the machine is: times by the clock mean little on one that is."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def save(measures: Iterable[Measure], path: Path | None) -> None:
    """Write measures as JSON, for whoever puts several together."""
    if path is not None:
        path.write_text(json.dumps([asdict(each) for each in measures], indent=1, ensure_ascii=False), "utf-8")


def load(path: Path) -> list[Measure]:
    """Read them again."""
    return [Measure(**each) for each in json.loads(path.read_text("utf-8"))]


def table(measures: Sequence[Measure], smaller: Sequence[Measure] = ()) -> str:
    """All of them, a line each; with the same ones of a project of a tenth, where they were measured there."""
    before = {each.name: each.value for each in smaller}
    heads = ["measure", "value", *(("tenth", "growth") if smaller else ()), "work", "floor", "ratio", "goal", "met"]
    rows = [heads]
    for each in measures:
        known = before.get(each.name)
        growth = [_amount(known), f"{amount(each.value / known)} ×" if known else ""] if smaller else []
        rows.append(
            [
                *(each.name, f"{amount(each.value)} {each.unit}", *growth, _amount(each.work), _amount(each.floor)),
                "" if each.ratio is None else f"{amount(each.ratio)} ×",
                each.goal,
                {True: "yes", False: "NO", None: ""}[each.is_met],
            ]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = [
        "  ".join(cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(pairs))
        for pairs in (zip(row, widths, strict=True) for row in rows)
    ]
    measured: dict[str, list[str]] = {}
    for each in measures:
        if each.floor_is:
            measured.setdefault(each.floor_is, []).append(each.name.strip())
    floors = [f"  {floor_is}: {'; '.join(names)}" for floor_is, names in measured.items()]
    return "\n".join([*lines, "", "The floors are", *floors] if floors else lines)


def _amount(value: float | None) -> str:
    return "" if value is None else amount(value)
