"""What a generator is to be asked: which events need probes, and the complete request for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from btc_gui.domain.bracketed_dates import without_bracketed_dates
from btc_gui.domain.category import Category
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.generation import SET_SIZE, TEMPLATES, FailedGeneration
from btc_gui.domain.hashing import sha256
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind
from btc_gui.domain.prompt import Prompt
from btc_gui.domain.written_probes import Order, WrittenProbes, WrittenQuestion
from btc_gui.errors import BtcError, InputError
from btc_gui.jobs.ask_model import FailedItem
from btc_gui.remote.language_model import ModelRequest
from btc_gui.store.contexts import ContextStore
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.generations import GenerationStore, NewGeneration
from btc_gui.store.model_calls import StoredReply
from btc_gui.store.probes import ProbeStore
from btc_gui.store.prompts import PromptStore

#: The longest request that is sent, in tokens of four characters. A long article has 60,000.
LONGEST_REQUEST = 800_000
_CHUNK = 40
_NO_ARTICLE = "No article is given: go by the facts above and by what you know."


@dataclass(frozen=True, slots=True)
class Target:
    """One request to a generator: an event's set of probes, or one probe.

    `rewrites` says that the event's probes are to be written anew (a set without it is a first one); `note` is the
    curator's remark, `refusal` why an earlier reply could not be used.
    """

    event_id: EventId
    kind: ProbeKind = ProbeKind.INDIRECT
    probe_id: ProbeId | None = None
    rewrites: bool = False
    note: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which targets there are; `skipped` events have probes, `refused` ones had a reply that can't be used.

    `lack` says what is missing where there was nothing to choose from.
    """

    targets: tuple[Target, ...]
    skipped: int = 0
    refused: int = 0
    lack: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """A target with its complete request. `rewritten` are the probes that get a new wording."""

    target: Target
    new: NewGeneration
    order: Order
    request: ModelRequest
    rewritten: tuple[Probe, ...] = ()
    stored: StoredReply | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the requests, and the targets that no request is made for, with the reason."""

    askings: list[Asking]
    refused: list[FailedItem] = field(default_factory=list)


def choose_events(database: Database, event_ids: Sequence[EventId] | None, *, retry: bool = False) -> Choice:
    """The events (of these, or all) that have no indirect probe yet and were not rejected, in order of their date.

    Where the last reply could not be used, an event is left out unless `retry`; a call that brought no reply is
    simply made again.
    """
    store = EventStore(database)
    missing = set(store.ids(EventQuery(without_probes=True))) | _with_direct_ones_only(database)
    asked = store.ids() if event_ids is None else list(dict.fromkeys(event_ids))
    rejected = EventRejectionStore(database).fetch(asked)
    wanted = [each for each in asked if each in missing and each not in rejected]
    failed = {each.event_id: each for each in GenerationStore(database).failed(ProbeKind.INDIRECT) if each.has_reply}
    refused = [each for each in wanted if each in failed]
    targets = [
        Target(each, refusal=failed[each].problem if each in failed else "")
        for each in wanted
        if retry or each not in failed
    ]
    return Choice(tuple(targets), len(asked) - len(wanted), 0 if retry else len(refused))


def choose_again(database: Database, failures: Sequence[FailedGeneration]) -> Choice:
    """What failed, to be asked for again with the same notes; the model is told why its reply could not be used."""
    probes = ProbeStore(database)
    targets = [
        Target(
            each.event_id,
            each.kind,
            each.probe_id,
            rewrites=each.probe_id is None and _has_probes(probes, each.event_id, each.kind),
            note=each.note,
            refusal=each.problem if each.has_reply else "",
        )
        for each in failures
    ]
    return Choice(tuple(targets))


def rewrite_probe(database: Database, probe_id: ProbeId, note: str) -> Choice:
    """One probe, to be written anew with a note to the model."""
    probe = ProbeStore(database).get(probe_id)
    return Choice((Target(probe.event_id, probe.kind, probe_id, rewrites=True, note=note.strip()),))


def rewrite_event(event_id: EventId, note: str) -> Choice:
    """An event's first five indirect probes, to be written anew with a note to the model."""
    return Choice((Target(event_id, rewrites=True, note=note.strip()),))


def plan_requests(
    database: Database,
    model: str,
    categories: Mapping[str, Category],
    targets: Sequence[Target],
    author: str,
    *,
    limit: int | None = None,
    without_context: bool = False,
    longest: int = LONGEST_REQUEST,
) -> Iterator[Part]:
    """The requests, some at a time, so that never all articles are in memory; `limit` is how many at most."""
    planner = _Planner(database, model, categories, author, without_context=without_context, longest=longest)
    left = len(targets) if limit is None else limit
    for start in range(0, len(targets), _CHUNK):
        if left <= 0:
            return
        part = planner.part(targets[start : start + _CHUNK], left)
        left -= len(part.askings)
        yield part


class _Planner:
    def __init__(
        self,
        database: Database,
        model: str,
        categories: Mapping[str, Category],
        author: str,
        *,
        without_context: bool,
        longest: int,
    ) -> None:
        self._database, self._model, self._categories, self._author = database, model, categories, author
        self._without_context, self._longest = without_context, longest
        self._prompts: dict[tuple[str, ProbeKind], Prompt] = {}

    def part(self, targets: Sequence[Target], limit: int) -> Part:
        ids = [each.event_id for each in targets]
        events = EventStore(self._database).fetch(ids)
        contexts = ContextStore(self._database).fetch(ids)
        store = GenerationStore(self._database)
        attempts = {kind: store.attempts(ids, kind) for kind in {each.kind for each in targets}}
        found = Part([])
        for target in targets:
            if len(found.askings) >= limit:
                break
            event = events.get(target.event_id)
            if event is None:
                continue
            if event.is_rejected:
                found.refused.append(FailedItem(event.title, "The event was rejected."))
                continue
            number = attempts[target.kind].get((target.event_id, target.probe_id), 0) + 1
            try:
                asking = self._asking(target, event.facts, contexts.get(target.event_id, ""), number)
            except BtcError as reason:
                found.refused.append(FailedItem(event.title, str(reason)))
            else:
                found.askings.append(asking)
        return found

    def _asking(self, target: Target, facts: EventFacts, context: str, number: int) -> Asking:
        """The request of one target. Raises `BtcError` when it can't be made."""
        category = self._categories.get(facts.category)
        if category is None:
            raise InputError(f"There is no category “{facts.category}”.")
        prompt = self._prompt(category, target.kind)
        if not context and target.kind is ProbeKind.INDIRECT and not self._without_context:
            raise InputError("There is no article about it yet.", "Fetch the articles first, or go on without them.")
        standing = [each for each in ProbeStore(self._database).siblings(target.event_id) if each.kind is target.kind]
        rewritten = _rewritten(target, standing)
        is_single = target.probe_id is not None or target.kind is ProbeKind.DIRECT
        order = Order(
            facts,
            1 if is_single else SET_SIZE,
            () if target.kind is ProbeKind.DIRECT else tuple(each.text for each in standing),
            is_person=bool(category.rules.get("human")),
        )
        text = prompt.text_with()
        request = ModelRequest(
            role="generator",
            system=prompt.system,
            prompt=prompt.fill(**_values(category, order, context, _remarks(target))),
            schema=WrittenQuestion if target.kind is ProbeKind.DIRECT else WrittenProbes,
            subject=_subject(target, facts, rewritten, number),
            prompt_hash=sha256(text),
            prompt_text=text,
        )
        tokens = request.characters // 4
        if tokens > self._longest:
            raise InputError(
                f"The request is too long: about {tokens:,} tokens, and at most {self._longest:,} are sent.",
                "Nothing was cut out of it, and nobody was asked.",
            )
        new = NewGeneration(
            event_id=target.event_id,
            kind=target.kind,
            model=self._model,
            prompt_hash=request.prompt_hash,
            facts_hash=facts.facts_hash,
            author=self._author,
            probe_id=target.probe_id,
            context_hash=sha256(context) if context else "",
            note=target.note,
        )
        return Asking(target, new, order, request, rewritten)

    def _prompt(self, category: Category, kind: ProbeKind) -> Prompt:
        known = self._prompts.get((category.name, kind))
        if known is None:
            known = PromptStore(self._database).prompt(f"{category.name}/{TEMPLATES[kind]}")
            self._prompts[category.name, kind] = known
        return known


def _values(category: Category, order: Order, context: str, remarks: str) -> dict[str, str]:
    facts = order.facts
    return {
        "entity": facts.entity,
        "aliases": ", ".join(facts.aliases) or "none known",
        "description": without_bracketed_dates(facts.description) or "none",
        "position": facts.position or "none",
        "country": facts.country or "not known",
        "date": facts.date.text,
        "ends": facts.ends.text if facts.ends else "not known",
        "before": category.fact_before(facts),
        "after": category.fact_after(facts),
        "context": context or _NO_ARTICLE,
        "template": category.direct_question(facts),
        "count": str(order.count),
        "others": "\n".join(f"* {' '.join(text.split())}" for text in order.others) or "None.",
        "note": remarks,
    }


def _remarks(target: Target) -> str:
    told = [target.note] if target.note else []
    if target.refusal:
        told.append(f"An earlier reply could not be used. {target.refusal}")
    return "\n\n".join(told) or "None."


def _rewritten(target: Target, standing: Sequence[Probe]) -> tuple[Probe, ...]:
    """The probes that get a new wording. Raises `InputError` when the one that is meant is gone."""
    if target.probe_id is not None:
        found = tuple(each for each in standing if each.id == target.probe_id)
        if not found:
            raise InputError("The probe is not there any more.")
        return found
    return tuple(standing[:SET_SIZE]) if target.rewrites else ()


def _subject(target: Target, facts: EventFacts, rewritten: Sequence[Probe], number: int) -> str:
    """The name for recorded replies: `generate/demise/Ada Example/2026-05-09`; later tries are numbered."""
    verb = "generate" if target.kind is ProbeKind.INDIRECT else "pair"
    parts = [verb, facts.category, facts.entity, *([facts.position] if facts.position else []), facts.date.iso]
    parts += [f"probe {rewritten[0].ordinal}"] if target.probe_id is not None else []
    parts += [str(number)] if number > 1 else []
    return "/".join(parts)


def _has_probes(probes: ProbeStore, event_id: EventId, kind: ProbeKind) -> bool:
    return any(each.kind is kind for each in probes.siblings(event_id))


def _with_direct_ones_only(database: Database) -> set[EventId]:
    """The events whose only probes are direct ones: they need indirect ones all the same."""
    kinds: dict[EventId, set[ProbeKind]] = {}
    for event_id, kind in ProbeStore(database).last_ordinals():
        kinds.setdefault(event_id, set()).add(kind)
    return {event_id for event_id, found in kinds.items() if found == {ProbeKind.DIRECT}}
