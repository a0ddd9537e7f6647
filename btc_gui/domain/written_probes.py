"""The reply of a model that writes probes: what it is asked to return, and the rules by which it can be used at all.

The rules here are those of the pipeline that a set of probes can't do without. What else may be wrong with a wording
is for lint, and for the people who review it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from btc_gui.domain.event import EventFacts
from btc_gui.domain.folding import search_key
from btc_gui.domain.generation import GeneratedText
from btc_gui.domain.mentions import find_mentions, names_of
from btc_gui.domain.probe import ProbeText


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
