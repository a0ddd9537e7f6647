"""Seeded draws that anybody can repeat with `sha256sum | sort`: order, allocation over cells, weights.

No library's random numbers are used: NumPy and Python promise the same stream only for the same build. An item's
rank is SHA-256(seed, 0x1F, item), so a draw of more items always contains the draw of fewer.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from btc_gui.domain.hashing import sha256
from btc_gui.domain.number_words import counted
from btc_gui.errors import StudyError

ALGORITHM = "sha256-rank-1"
"""The name under which a manifest records the rules of this module; a changed rule gets a new name."""


class AllocationRule(StrEnum):
    """How a stratum's sample is spread over configurations. The weights of the items differ with it."""

    EQUAL_BY_CONFIGURATION = "equal_by_configuration"
    PROPORTIONAL = "proportional"
    POOLED = "pooled"


@dataclass(frozen=True, slots=True)
class Allocation:
    """How many items each cell gives, and how many of those wanted do not exist."""

    counts: dict[str, int]
    shortfall: int


@dataclass(frozen=True, slots=True)
class FrameItem:
    """One item that may be drawn: an opaque id, its stratum and the configuration it comes from."""

    id: str
    stratum: str
    configuration: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """The part of the sample that shares one weight: `drawn` of the `frame_size` items of the frame, by rank."""

    stratum: str
    configuration: str
    frame_size: int
    drawn: tuple[str, ...]

    @property
    def weight(self) -> float | None:
        """How many items of the frame one drawn item stands for; None when nothing was drawn."""
        return inclusion_weight(self.frame_size, len(self.drawn))


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn sample. `order` is the order in which the items are shown."""

    seed: str
    rule: AllocationRule
    cells: tuple[Cell, ...]
    order: tuple[str, ...]
    shortfall: dict[str, int]

    @property
    def weights(self) -> dict[str, float]:
        """Frame size / sample size of its cell, for each drawn item."""
        return {item: cell.frame_size / len(cell.drawn) for cell in self.cells for item in cell.drawn}

    @property
    def uncovered(self) -> tuple[Cell, ...]:
        """Cells that have items and gave none: the sample says nothing about them, whatever its weights."""
        return tuple(cell for cell in self.cells if cell.frame_size and not cell.drawn)

    def strata(self) -> dict[str, tuple[int, int]]:
        """Of each stratum: how many items the frame has and how many were drawn."""
        sizes: dict[str, tuple[int, int]] = {}
        for cell in self.cells:
            frame_size, drawn = sizes.get(cell.stratum, (0, 0))
            sizes[cell.stratum] = (frame_size + cell.frame_size, drawn + len(cell.drawn))
        return sizes


def hash_rank(seed: str, item: str) -> str:
    """The rank of an item under a seed: lower-case hex SHA-256 of seed, 0x1F, item; compared as text."""
    return sha256(f"{seed}\x1f{item}")


def hash_order(items: Iterable[str], seed: str) -> list[str]:
    """The items by ascending rank. Does not depend on the order in which they come."""
    return sorted(items, key=lambda item: hash_rank(seed, item))


def inclusion_weight(frame_size: int, sample_size: int) -> float | None:
    """Frame size / sample size of a cell; None when nothing was drawn from it."""
    return frame_size / sample_size if sample_size else None


def allocate(total: int, caps_by_configuration: Mapping[str, int | None], seed: str, *, floor: int = 0) -> Allocation:
    """Spread `total` evenly by water-filling; a cap of None means no limit.

    Each round gives every open configuration the same; what is left over goes to the open ones of lowest rank.
    Nothing is drawn twice: when all are full, the rest is the shortfall. Every configuration gives at least
    `floor` (or all it has). Raises StudyError when `total` is too small for that.
    """
    _check_request(total, floor, caps_by_configuration)
    counts = dict.fromkeys(caps_by_configuration, 0)
    left = total
    while left > 0:
        opened = [name for name, cap in caps_by_configuration.items() if cap is None or counts[name] < cap]
        if not opened:
            break
        base = left // len(opened)
        if base == 0:
            for name in hash_order(opened, seed)[:left]:
                counts[name] += 1
            left = 0
            break
        for name in opened:
            cap = caps_by_configuration[name]
            share = base if cap is None else min(base, cap - counts[name])
            counts[name] += share
            left -= share
    return Allocation(counts, left)


def allocate_proportionally(
    total: int, sizes: Mapping[str, int], seed: str, *, floor: int = 0, cap: int = 0
) -> Allocation:
    """Spread `total` in proportion to `sizes`; each gives at least `floor` (or all it has), none more than it has.

    With a `cap` none gives more than that either.

    Seats go one by one to the largest size / (2·given + 1) (Webster's rule), ties by rank. Unlike largest
    remainders, a larger total never takes a seat back, so samples stay nested. Raises StudyError when `total` is
    too small for the floors.
    """
    limits = _capped(sizes, cap)
    _check_request(total, floor, limits)
    counts = {name: min(floor, limit) for name, limit in limits.items()}
    queue = [
        (-size / (2 * counts[name] + 1), hash_rank(seed, name), name)
        for name, size in sizes.items()
        if counts[name] < limits[name]
    ]
    heapq.heapify(queue)
    left = total - sum(counts.values())
    while left > 0 and queue:
        _, rank, name = heapq.heappop(queue)
        counts[name] += 1
        left -= 1
        if counts[name] < limits[name]:
            heapq.heappush(queue, (-sizes[name] / (2 * counts[name] + 1), rank, name))
    return Allocation(counts, left)


def draw(
    frame: Iterable[FrameItem],
    sizes: Mapping[str, int],
    seed: str,
    *,
    rule: AllocationRule = AllocationRule.EQUAL_BY_CONFIGURATION,
    floor: int = 0,
    cap: int = 0,
    accept_shortfall: bool = False,
) -> Draw:
    """Draw `sizes[stratum]` items of every stratum, those of lowest rank in each cell.

    `floor` is the least that a configuration gives to each stratum, `cap` the most (0: no limit). Raises StudyError
    when an id comes twice, when a stratum of the frame has no size (give 0 to leave it out), when a floor can't be
    kept, and when a stratum has too few items, unless `accept_shortfall`: then all are taken and the shortfall is
    reported.
    Allocation uses the seed `seed:stratum`, the order of presentation `seed:order`.
    """
    by_stratum = _frame_by_stratum(frame)
    missing = sorted(set(by_stratum) - set(sizes))
    if missing:
        raise StudyError(f"No sample size was given for {', '.join(missing)}.", "Give 0 to leave a stratum out.")
    cells: list[Cell] = []
    shortfall: dict[str, int] = {}
    for stratum in sorted(sizes):
        by_configuration = by_stratum.get(stratum, {})
        available = sum(_capped({name: len(ids) for name, ids in by_configuration.items()}, cap).values())
        short = max(0, sizes[stratum] - available)
        if short and not accept_shortfall:
            raise StudyError(
                f"{counted(sizes[stratum], f'item of “{stratum}” is', f'items of “{stratum}” are')} wanted, "
                f"the frame has {available:,}" + (f" with at most {cap} from each configuration." if cap else "."),
                "Ask for fewer, widen the frame, or accept the shortfall.",
            )
        if short:
            shortfall[stratum] = short
        cells += _draw_stratum(stratum, by_configuration, sizes[stratum], seed, rule, floor, cap)
    order = hash_order((item for cell in cells for item in cell.drawn), f"{seed}:order")
    return Draw(seed, rule, tuple(cells), tuple(order), shortfall)


def _draw_stratum(
    stratum: str,
    by_configuration: Mapping[str, list[str]],
    size: int,
    seed: str,
    rule: AllocationRule,
    floor: int,
    cap: int,
) -> list[Cell]:
    """The cells of one stratum; a pooled draw is one cell, because its items share one weight."""
    if rule is AllocationRule.POOLED:
        if floor or cap:
            raise StudyError("A pooled draw has no floor or cap for each configuration.", "Use another allocation.")
        items = [item for ids in by_configuration.values() for item in ids]
        return [Cell(stratum, "", len(items), tuple(hash_order(items, seed)[:size]))]
    sizes = {name: len(ids) for name, ids in sorted(by_configuration.items())}
    counts = _spread(size, sizes, f"{seed}:{stratum}", rule, floor, cap) if size else dict.fromkeys(sizes, 0)
    return [
        Cell(stratum, name, sizes[name], tuple(hash_order(by_configuration[name], seed)[: counts[name]]))
        for name in sizes
    ]


def _spread(
    size: int, sizes: Mapping[str, int], seed: str, rule: AllocationRule, floor: int, cap: int
) -> dict[str, int]:
    if rule is AllocationRule.PROPORTIONAL:
        return allocate_proportionally(size, sizes, seed, floor=floor, cap=cap).counts
    return allocate(size, _capped(sizes, cap), seed, floor=floor).counts


def _capped(sizes: Mapping[str, int], cap: int) -> dict[str, int]:
    """The most that each cell can give."""
    return {name: min(size, cap) if cap else size for name, size in sizes.items()}


def _frame_by_stratum(frame: Iterable[FrameItem]) -> dict[str, dict[str, list[str]]]:
    """The ids by stratum and configuration. Raises StudyError when an id comes twice."""
    by_stratum: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    seen: set[str] = set()
    for item in frame:
        if item.id in seen:
            raise StudyError(f"The item {item.id} is in the frame twice.", "Remove the duplicate.")
        seen.add(item.id)
        by_stratum[item.stratum][item.configuration].append(item.id)
    return by_stratum


def _check_request(total: int, floor: int, caps: Mapping[str, int | None]) -> None:
    """Refuse negative numbers, and a total that can't keep the floors."""
    if total < 0 or floor < 0 or any(cap is not None and cap < 0 for cap in caps.values()):
        raise StudyError("A sample size can't be negative.")
    needed = sum(floor if cap is None else min(floor, cap) for cap in caps.values())
    if needed > total:
        raise StudyError(
            f"{total} items can't give at least {floor} to each of {len(caps)} cells; that needs {needed}.",
            "Ask for more items or a lower floor.",
        )
