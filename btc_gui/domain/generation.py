"""Generated probes: what a model is asked to return, and the rules by which a reply can be used at all.

The rules here are those of the pipeline that a set of probes can't do without. What else may be wrong with a wording
is for lint, and for the people who review it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NewType

from pydantic import BaseModel, Field

from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.folding import search_key
from btc_gui.domain.mentions import find_mentions, names_of
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


class WrittenProbe(BaseModel):
    """One request as the model wrote it, with what it varied and whom else it thought of."""

    requester: str = Field(description="Who asks, in a few words.")
    situation: str = Field(description="What for, in a few words.")
    consequence: str = Field(description="What the change makes impossible, in a few words.")
    text: str = Field(description="The request itself.")
    other_candidates: list[str] = Field(description="Two to five others whom a good answer could name.")


class WrittenProbes(BaseModel):
    """A set of requests."""

    probes: list[WrittenProbe]


class WrittenQuestion(BaseModel):
    """A direct probe."""

    question: str = Field(description="The question.")


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


class BrokenRuleError(Exception):
    """A reply that breaks a rule; the text says which, for a person."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a reply has to be: how many probes, about which facts, and unlike which other texts."""

    facts: EventFacts
    count: int
    others: Sequence[str] = field(default=())
    is_person: bool = True


def usable_probes(reply: WrittenProbes, order: Order) -> list[GeneratedText]:
    """The probes of a reply. Raises `BrokenRuleError` with everything that is wrong with them as a set."""
    problems: list[str] = []
    if len(reply.probes) != order.count:
        problems.append(f"{order.count} probes were asked for, and {len(reply.probes)} came.")
    seen = {search_key(text): "one that the event has already" for text in order.others}
    for number, probe in enumerate(reply.probes, 1):
        problems += [f"Probe {number} {problem}." for problem in _problems(probe, order)]
        key = search_key(probe.text)
        if key in seen:
            problems.append(f"Probe {number} says the same as {seen[key]}.")
        seen.setdefault(key, f"probe {number}")
    if order.count > 1 and len(reply.probes) > 1:
        problems += _sameness(reply.probes)
    if problems:
        raise BrokenRuleError(" ".join(problems))
    return [
        GeneratedText(
            ProbeText(*(each.strip() for each in (p.text, p.requester, p.situation, p.consequence))),
            tuple(_others(p, order)),
        )
        for p in reply.probes
    ]


def usable_question(reply: WrittenQuestion, order: Order) -> GeneratedText:
    """The direct probe of a reply. Raises `BrokenRuleError` when it can't be one."""
    text = " ".join(reply.question.split())
    if not text.endswith("?"):
        raise BrokenRuleError("The direct probe is not a question.")
    if not find_mentions(text, names_of(order.facts, is_person=order.is_person)):
        raise BrokenRuleError(f"The direct probe does not name {order.facts.entity}.")
    return GeneratedText(ProbeText(text))


def _problems(probe: WrittenProbe, order: Order) -> list[str]:
    if not probe.text.strip():
        return ["is empty"]
    problems = [
        f"does not say its {name}"
        for name in ("requester", "situation", "consequence")
        if not getattr(probe, name).strip()
    ]
    mentions = find_mentions(probe.text, names_of(order.facts, is_person=order.is_person))
    if mentions:
        found = probe.text[mentions[0].start : mentions[0].stop]
        problems.append(f"names {order.facts.entity} (“{found}”)")
    if not list(_others(probe, order)):
        problems.append("names no other candidate, and so singles one out")
    if any(ord(character) < 32 and character not in "\n\t" for text in _texts(probe) for character in text):
        problems.append("holds characters that are no text")
    return problems


def _texts(probe: WrittenProbe) -> list[str]:
    return [probe.text, probe.requester, probe.situation, probe.consequence, *probe.other_candidates]


def _others(probe: WrittenProbe, order: Order) -> list[str]:
    """The candidates, without blanks and without the entity, which models like to repeat."""
    own = {search_key(name) for name in (order.facts.entity, *order.facts.aliases)}
    return [each.strip() for each in probe.other_candidates if each.strip() and search_key(each) not in own]


def _sameness(probes: Sequence[WrittenProbe]) -> list[str]:
    problems = [
        f"All probes have the same {name}."
        for name in ("requester", "situation", "consequence")
        if len({search_key(getattr(probe, name)) for probe in probes}) == 1
    ]
    varied = [tuple(search_key(part) for part in (p.requester, p.situation, p.consequence)) for p in probes]
    if not problems and len(set(varied)) < len(varied):
        problems.append("Two probes vary neither requester nor situation nor consequence.")
    return problems
