"""Samples of retained probes: one for each event, by seeded SHA-256, the same order for every model.

Events are ranked by SHA-256(seed, 0x1F, event's identity), the probes of an event by SHA-256(seed:probe, 0x1F,
probe's key). The sequence is the best probe of each event in the events' order, then (where more than one for each
event is allowed) the second best, and so on; a sample is its beginning. So a larger sample contains the smaller
one, and models that retain the same probes get the same sample, which keeps the sets common to several models large.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NewType, TypeVar

from btc_gui.domain.event import EventId
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.sampling import hash_order
from btc_gui.errors import StudyError

SampleId = NewType("SampleId", int)
Thing = TypeVar("Thing")

ALGORITHM = "sha256-rank-one-per-event-1"
"""The name under which a sample records the rules of this module; a changed rule gets a new name."""
#: How many probes of each category the paper draws for each model.
SAMPLE_SIZE = 200


@dataclass(frozen=True, slots=True)
class Candidate:
    """A probe that may be drawn: its key, and the identity of its event (both the same in every project)."""

    probe: str
    event: str


@dataclass(frozen=True, slots=True)
class ProbeDraw:
    """What was drawn, in the order of the draw. `events` had a candidate; `shortfall` probes do not exist.

    `lost` are probes of the sample that was extended that are no candidates any more.
    """

    probes: tuple[str, ...]
    events: int
    shortfall: int
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SampleCell:
    """One model and category of a sample: how many were wanted, how many events had a candidate, how many drawn."""

    model: str
    category: str
    wanted: int
    events: int
    drawn: int
    lost: int = 0

    @property
    def shortfall(self) -> int:
        """How many of those wanted do not exist."""
        return self.wanted - self.drawn


@dataclass(frozen=True, slots=True)
class SampleItem:
    """One indirect probe of a sample, with the direct probe of its event, as they were worded when drawn.

    The direct probe is None where there was none that could be used.
    """

    model: str
    category: str
    place: int
    event_id: EventId
    probe_id: ProbeId
    revision_id: RevisionId
    text_hash: str
    facts_hash: str
    direct_id: ProbeId | None = None
    direct_revision_id: RevisionId | None = None
    direct_text_hash: str = ""


@dataclass(frozen=True, slots=True)
class SampleDesign:
    """How a sample is drawn: for each model and category `size` probes, at most `per_event` for one event.

    `is_common` says that only probes count which all models of the sample retain.
    """

    seed: str
    size: int = SAMPLE_SIZE
    per_event: int = 1
    is_common: bool = False


@dataclass(frozen=True, slots=True)
class ProbeSample:
    """A frozen sample. `extends` is the one that it contains; `sha256` is over all items."""

    id: SampleId
    name: str
    design: SampleDesign
    algorithm: str
    extends: SampleId | None
    cells: tuple[SampleCell, ...]
    sha256: str
    created_by: str
    created_at: str

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have a part of the sample."""
        return tuple(dict.fromkeys(cell.model for cell in self.cells))


def draw_probes(candidates: Iterable[Candidate], design: SampleDesign, kept: Sequence[str] = ()) -> ProbeDraw:
    """Draw from one model's candidates of one category.

    `kept` are the probes of a sample to be extended, which come first while they are candidates. Raises
    `StudyError` for a size or a number per event below one, and for a probe that comes twice.
    """
    if design.size < 1 or design.per_event < 1:
        raise StudyError("A sample needs at least one probe, and at least one for each event.")
    event_of: dict[str, str] = {}
    by_event: dict[str, list[str]] = defaultdict(list)
    for each in candidates:
        if each.probe in event_of:
            raise StudyError(f"The probe {each.probe} is among the candidates twice.", "Remove the duplicate.")
        event_of[each.probe] = each.event
        by_event[each.event].append(each.probe)
    first = [probe for probe in kept if probe in event_of]
    drawn = [*first, *_sequence(by_event, design, event_of, first)][: design.size]
    return ProbeDraw(
        probes=tuple(drawn),
        events=len(by_event),
        shortfall=design.size - len(drawn),
        lost=tuple(probe for probe in kept if probe not in event_of),
    )


def _sequence(
    by_event: Mapping[str, Sequence[str]], design: SampleDesign, event_of: Mapping[str, str], kept: Sequence[str]
) -> list[str]:
    """All that may be drawn beside `kept`, in order: the first probe of each event, then the second ones …"""
    given = Counter(event_of[probe] for probe in kept)
    is_kept = set(kept)
    left = {
        event: [probe for probe in hash_order(by_event[event], f"{design.seed}:probe") if probe not in is_kept]
        for event in hash_order(by_event, design.seed)
    }
    return [
        left[event][number - given[event]]
        for number in range(design.per_event)
        for event in left
        if 0 <= number - given[event] < len(left[event])
    ]


def ranked(candidates: Iterable[Candidate], seed: str) -> list[Candidate]:
    """Events by their rank, the probes of each by their own: of any of them, `in_turns` gives what would be drawn."""
    by_event: dict[str, list[str]] = defaultdict(list)
    for each in candidates:
        by_event[each.event].append(each.probe)
    return [
        Candidate(probe, event)
        for event in hash_order(by_event, seed)
        for probe in hash_order(by_event[event], f"{seed}:probe")
    ]


def in_turns(things: Iterable[tuple[Thing, str]]) -> list[Thing]:
    """Of things with their events, the first of each event, then the second ones …: the order of a draw."""
    turns: list[list[Thing]] = []
    taken: dict[str, int] = defaultdict(int)
    for thing, event in things:
        if taken[event] == len(turns):
            turns.append([])
        turns[taken[event]].append(thing)
        taken[event] += 1
    return [thing for turn in turns for thing in turn]


def digest_of(items: Iterable[SampleItem]) -> str:
    """SHA-256 over the items: models, places, texts and facts, without the ids that only this project knows."""
    rows = sorted(
        (item.model, item.category, item.place, item.text_hash, item.direct_text_hash, item.facts_hash)
        for item in items
    )
    return hash_of([list(row) for row in rows])
