"""Pairing: a direct probe for every event with a retained probe, from the category's template.

The template alone will do (`pair_probes`); as in the paper, a model may fill it (`choose_pairs`, `generate_probes`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from btc_gui.domain.category import Category
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.probe import Probe, ProbeKind, ProbeText, ReviewStatus
from btc_gui.domain.probe_rows import key_of
from btc_gui.domain.review import Action, standing
from btc_gui.jobs.generation_plan import Choice, Target
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventStore
from btc_gui.store.generations import FACTS_MOVED, PAIRED, PAIRING, GenerationStore
from btc_gui.store.probes import NewProbe, ProbeQuery, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore

_REJECTED = "The event was rejected."


class Lack(StrEnum):
    """What an event with a retained probe lacks: a direct probe, a new wording of it, or that a person looks."""

    NOTHING = "nothing"
    NEW = "new"
    ANEW = "anew"
    LOOK = "look"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class _Need:
    event_id: EventId
    facts: EventFacts
    lack: Lack
    probe: Probe | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What pairing did; every event with a retained probe is counted once.

    `renewed` had a paired probe for facts that have moved, and got a new wording of it. `stale` have a direct probe
    from elsewhere (or edited, reviewed) for other facts: a person has to look. `refused` names events without one,
    and why.
    """

    created: int
    renewed: int
    known: int
    stale: int
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether there was an event to pair."""
        return bool(self.usable or self.stale or self.refused)

    @property
    def usable(self) -> int:
        """How many events have a direct probe for their facts now."""
        return self.created + self.renewed + self.known


def usable_direct_probes(database: Database) -> dict[EventId, Probe]:
    """The direct probe of each event that an evaluation may use: the first one whose wording holds.

    One that was accepted for the event's facts, or written for them and not reviewed: it follows a template.
    """
    facts = {event_id: each.facts_hash for event_id, each in EventStore(database).all_facts()}
    found: dict[EventId, Probe] = {}
    for event_id, probes in _direct_probes(database).items():
        usable = next((probe for probe in probes if _is_usable(probe, facts.get(event_id, ""))), None)
        if usable is not None:
            found[event_id] = usable
    return found


def pair_probes(
    database: Database,
    categories: Mapping[str, Category],
    author: str,
    progress: Progress,
    *,
    of_accepted: bool = False,
) -> PairOutcome:
    """Give every event with a usable retained probe a direct probe from its category's template.

    With `of_accepted` also those with an accepted one, retained or not: what a release of it lacks. Nobody is asked. A
    second call changes nothing; each probe is bound to the facts that it was written for. Raises `Cancelled`; what was
    paired by then stays.
    """
    needs = _needs(database, categories, of_accepted=of_accepted)
    met = []
    for number, need in enumerate(needs, 1):
        met.append(_meet(database, need, categories, author) if need.lack in (Lack.NEW, Lack.ANEW) else need)
        progress.report(number, len(needs), need.facts.entity)
    return _outcome(met)


def look_at_pairs(database: Database, categories: Mapping[str, Category]) -> PairOutcome:
    """How it stands: `created` and `renewed` count the direct probes that are still to be written. Changes nothing."""
    return _outcome(_needs(database, categories))


def _meet(database: Database, planned: _Need, categories: Mapping[str, Category], author: str) -> _Need:
    """Write what an event lacks; gives what that is by now: a person may have been there since it was planned."""
    event_id = planned.event_id
    with database.write():
        event = EventStore(database).get(event_id)
        facts = event.facts
        if event.is_rejected:
            return _Need(event_id, facts, Lack.REFUSED, reason=_REJECTED)
        need = _need(database, event_id, facts, categories, _direct_probes(database, event_id).get(event_id, []))
        if need.lack is Lack.NEW:
            _create(database, event_id, facts, categories[facts.category], author)
        elif need.lack is Lack.ANEW and need.probe is not None:
            # Through the review's log, which is what settles the current wording of a probe.
            ReviewStore(database).decide(
                need.probe.id,
                need.probe.revision_id,
                Action.EDIT,
                PAIRING,
                note=FACTS_MOVED,
                edited=ProbeText(categories[facts.category].direct_question(facts)),
                origin=PAIRED,
            )
    return need


def why_no_pairs(database: Database) -> str:
    """Why no event can have a direct probe yet; empty where one can."""
    if events_with_retained(database):
        return ""
    nothing = "No probe is retained yet" if RetentionStore(database).models() else "No probe was filtered yet"
    return f"{nothing}, and direct probes are made for events with a retained one."


def choose_pairs(
    database: Database,
    categories: Mapping[str, Category],
    event_ids: Collection[EventId] | None = None,
    *,
    retry: bool = False,
) -> Choice:
    """The direct probes that a model is to write (of these events, or all).

    `skipped` events need none, or a person has to look. Where the last reply could not be used, an event is left out
    unless `retry`.
    """
    needs = [need for need in _needs(database, categories) if event_ids is None or need.event_id in event_ids]
    wanted = [need for need in needs if need.lack in (Lack.NEW, Lack.ANEW)]
    failed = {each.event_id: each for each in GenerationStore(database).failed(ProbeKind.DIRECT) if each.has_reply}
    targets = [
        Target(
            need.event_id,
            ProbeKind.DIRECT,
            need.probe.id if need.probe else None,
            rewrites=need.probe is not None,
            note=FACTS_MOVED if need.probe else "",
            refusal=failed[need.event_id].problem if need.event_id in failed else "",
        )
        for need in wanted
        if retry or need.event_id not in failed
    ]
    lack = "" if needs else why_no_pairs(database) or "None of these events has a retained probe."
    return Choice(tuple(targets), len(needs) - len(wanted), len(wanted) - len(targets), lack)


def _needs(database: Database, categories: Mapping[str, Category], *, of_accepted: bool = False) -> list[_Need]:
    """What every event with a usable retained (or accepted) probe lacks."""
    direct, events = _direct_probes(database), dict(EventStore(database).all_facts())
    wanted = events_with_retained(database)
    if of_accepted:
        wanted = sorted({*wanted, *_events_with_accepted(database)})
    rejected = EventRejectionStore(database).fetch(wanted)
    return [
        _Need(event_id, events[event_id], Lack.REFUSED, reason=_REJECTED)
        if event_id in rejected
        else _need(database, event_id, events[event_id], categories, direct.get(event_id, []))
        for event_id in wanted
    ]


def _need(
    database: Database,
    event_id: EventId,
    facts: EventFacts,
    categories: Mapping[str, Category],
    probes: Sequence[Probe],
) -> _Need:
    if facts.category not in categories:
        return _Need(event_id, facts, Lack.REFUSED, reason=f"There is no category “{facts.category}”.")
    if any(_is_usable(probe, facts.facts_hash) for probe in probes):
        return _Need(event_id, facts, Lack.NOTHING)
    if not probes:
        return _Need(event_id, facts, Lack.NEW)
    standing = [probe for probe in probes if probe.status is not ReviewStatus.REJECTED]
    if not standing:
        return _Need(event_id, facts, Lack.REFUSED, reason="Its direct probe was rejected in the review.")
    own = next((probe for probe in standing if _is_ours(database, probe)), None)
    return _Need(event_id, facts, Lack.ANEW if own else Lack.LOOK, own)


def _outcome(needs: Sequence[_Need]) -> PairOutcome:
    counts = Counter(need.lack for need in needs)
    return PairOutcome(
        created=counts[Lack.NEW],
        renewed=counts[Lack.ANEW],
        known=counts[Lack.NOTHING],
        stale=counts[Lack.LOOK],
        refused=tuple((need.facts.entity, need.reason) for need in needs if need.lack is Lack.REFUSED),
    )


def _create(database: Database, event_id: EventId, facts: EventFacts, category: Category, author: str) -> None:
    text = category.direct_question(facts)
    store = ProbeStore(database)
    store.add(
        NewProbe(
            key=key_of(facts, ProbeKind.DIRECT, text),
            event_id=event_id,
            kind=ProbeKind.DIRECT,
            ordinal=store.next_ordinal(event_id, ProbeKind.DIRECT),
            content=ProbeText(text),
            facts_hash=facts.facts_hash,
            origin=PAIRED,
            author=author,
        )
    )


def events_with_retained(database: Database) -> list[EventId]:
    """The events with a usable retained probe: those that pairing gives a direct probe."""
    store = RetentionStore(database)
    found = {each.event_id for model in store.models() for each in store.retained([model]) if each.is_usable}
    return sorted(found)


def _events_with_accepted(database: Database) -> set[EventId]:
    store = ProbeStore(database)
    ids = store.ids(ProbeQuery(kinds=(ProbeKind.INDIRECT,), statuses=(ReviewStatus.ACCEPTED,)))
    return {probe.event_id for probe in store.fetch(ids).values() if not probe.is_stale}


def _direct_probes(database: Database, *event_ids: EventId) -> dict[EventId, list[Probe]]:
    """The direct probes of these events, or of all."""
    store = ProbeStore(database)
    ids = store.ids(ProbeQuery(kinds=(ProbeKind.DIRECT,), event_ids=event_ids, order="event"))
    probes = store.fetch(ids)
    found: dict[EventId, list[Probe]] = defaultdict(list)
    for probe_id in ids:
        found[probes[probe_id].event_id].append(probes[probe_id])
    return dict(found)


def _is_usable(probe: Probe, facts_hash: str) -> bool:
    if probe.status is ReviewStatus.ACCEPTED:
        return not probe.is_stale
    return probe.status is ReviewStatus.UNREVIEWED and probe.facts_hash == facts_hash


def _is_ours(database: Database, probe: Probe) -> bool:
    """Whether a probe's wording is all by pairing: no person has judged it, or edited it (and let that stand)."""
    first = ProbeStore(database).revisions(probe.id)[0]
    log = standing(ReviewStore(database).log(probe.id))
    is_edited = any(each.action is Action.EDIT and each.note != FACTS_MOVED for each in log)
    return first.origin == PAIRED and probe.status is ReviewStatus.UNREVIEWED and not is_edited
