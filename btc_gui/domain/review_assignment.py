"""Sharing probes out among curators, some of them to several: so that their agreement can be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NewType

from btc_gui.domain.probe import ProbeId
from btc_gui.errors import InputError
from btc_gui.records import dataclass

RoundId = NewType("RoundId", int)


@dataclass(frozen=True, slots=True)
class Round:
    """One sharing out. `shared` probes went to every curator of it; `counts` says how many each one has in all."""

    id: RoundId
    name: str
    shared: int
    counts: Mapping[str, int]
    created_by: str
    created_at: str


@dataclass(frozen=True, slots=True)
class AssignmentPlan:
    """Who is to review what, each in the order of the probes that were shared out.

    `wanted` is how many each curator was to get; there may have been too few probes.
    """

    wanted: int
    shared: tuple[ProbeId, ...]
    by_reviewer: Mapping[str, tuple[ProbeId, ...]]

    @property
    def each(self) -> int:
        """How many the curator with the fewest gets."""
        return min(len(probes) for probes in self.by_reviewer.values())

    @property
    def probes(self) -> int:
        """How many different probes are shared out."""
        return len({probe for probes in self.by_reviewer.values() for probe in probes})


def plan_assignment(probes: Sequence[ProbeId], reviewers: Sequence[str], each: int, overlap: float) -> AssignmentPlan:
    """Share out the first of `probes`: `each` to every reviewer, a share `overlap` of them the same for all.

    Shared probes are spread evenly over the order, so that agreement is told for the whole of it; the others go round
    the reviewers in turn, so that nobody gets only the easy end. With too few probes every part shrinks alike. Raises
    `InputError` for less than one reviewer or probe, a name that comes twice, and a share outside 0 to 1.
    """
    names = [name.strip() for name in reviewers]
    if not names or not all(names):
        raise InputError("An assignment needs the names of its curators.")
    if len(set(names)) < len(names):
        raise InputError("A curator is named twice.", "Name each once.")
    if each < 1 or not 0 <= overlap <= 1:
        raise InputError("An assignment needs at least one probe for each, and an overlap from 0 to 1.")
    if not probes:
        raise InputError("There is no probe to assign.", "Choose another filter: probes are assigned once.")
    size = each
    while size > 1 and _needed(size, len(names), overlap) > len(probes):
        size -= 1
    shared_count = _shared(size, len(names), overlap)
    taken = list(dict.fromkeys(probes))[: _needed(size, len(names), overlap)]
    places = {int((i + 0.5) * len(taken) / shared_count) for i in range(shared_count)} if shared_count else set()
    shared = [probe for place, probe in enumerate(taken) if place in places]
    by_reviewer: dict[str, list[ProbeId]] = {name: [] for name in names}
    turn = 0
    for place, probe in enumerate(taken):
        if place in places:
            for own in by_reviewer.values():
                own.append(probe)
        else:
            by_reviewer[names[turn % len(names)]].append(probe)
            turn += 1
    return AssignmentPlan(each, tuple(shared), {name: tuple(own) for name, own in by_reviewer.items()})


def _shared(each: int, reviewers: int, overlap: float) -> int:
    return round(each * overlap) if reviewers > 1 else 0


def _needed(each: int, reviewers: int, overlap: float) -> int:
    shared = _shared(each, reviewers, overlap)
    return shared + reviewers * (each - shared)
