"""Generated probes: what is asked for, where each came from, and those that failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId, ProbeKind, ProbeText
from btc_gui.domain.trajectory import Usage

GenerationId = NewType("GenerationId", int)

#: How many indirect probes an event gets.
SET_SIZE = 5
#: The name of a category's template, by the kind of probe that it asks for.
TEMPLATES = {ProbeKind.INDIRECT: "generate_indirect", ProbeKind.DIRECT: "generate_direct"}
#: What a template may ask for.
PLACES = frozenset(
    {"entity", "aliases", "description", "position", "country", "date", "ends", "before", "after", "template"}
    | {"context", "count", "others", "note"}
)
#: What a template can't do without: a reply would not be about the event, or a curator's note would be lost.
NEEDED_PLACES = {
    ProbeKind.INDIRECT: frozenset({"entity", "before", "after", "context", "count", "others", "note"}),
    ProbeKind.DIRECT: frozenset({"entity", "template", "note"}),
}


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A wording that can be kept, with the others whom the model thought of."""

    content: ProbeText
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a wording is from: the model, its prompt (a hash), what it cost, and the note that it was given.

    `cost` is in US dollars, None when not known; `seconds` is how long the reply took.
    """

    generation_id: GenerationId
    model: str
    prompt_hash: str
    context_hash: str
    note: str
    candidates: tuple[str, ...]
    usage: Usage
    cost: float | None
    seconds: float
    author: str
    at: str


@dataclass(frozen=True, slots=True)
class FailedGeneration:
    """What a generator was asked for and did not give. `probe_id` is the one probe that was meant, if one was.

    `has_reply` says that there is a reply which can't be used; `note` is what the curator had remarked. Of a
    `is_rewrite` there are probes: they may stay as they are.
    """

    id: GenerationId
    event_id: EventId
    entity: str
    kind: ProbeKind
    probe_id: ProbeId | None
    model: str
    note: str
    problem: str
    has_reply: bool
    at: str
    is_rewrite: bool = False

    @property
    def about(self) -> str:
        """What was asked for, in words."""
        return about_request(self.entity, self.event_id, self.kind, self.probe_id)


def about_request(entity: str, event_id: EventId, kind: ProbeKind, probe_id: ProbeId | None) -> str:
    """What a generator was asked for, in words: `Ada Example (event 3, five probes)`."""
    what = "direct probe" if kind is ProbeKind.DIRECT else "five probes" if probe_id is None else "probe"
    return f"{entity} (event {event_id}, {what})"
