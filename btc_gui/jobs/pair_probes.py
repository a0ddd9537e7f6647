"""Pairing: a direct probe for every event with a retained probe, from the category's template."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from btc_gui.domain.category import Category
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.probe import Probe, ProbeKind, ProbeText, ReviewStatus
from btc_gui.domain.probe_rows import key_of
from btc_gui.domain.review import Action
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import NewProbe, ProbeQuery, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore

#: The origin of a direct probe that was made here.
PAIRED = "paired"


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What pairing did; every event with a retained probe is counted once.

    `renewed` had a paired probe for facts that have moved, and got a new wording of it. `stale` have a direct probe
    from elsewhere (or reviewed) for other facts: a person has to look. `refused` names events without one, and why.
    """

    created: int
    renewed: int
    known: int
    stale: int
    refused: tuple[tuple[str, str], ...] = ()

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


def pair_probes(database: Database, categories: Mapping[str, Category], author: str, progress: Progress) -> PairOutcome:
    """Give every event with a usable retained probe a direct probe; a second call changes nothing.

    Each is bound to the facts that it was written for. Raises `Cancelled`; what was paired by then stays.
    """
    counts = dict.fromkeys(("created", "renewed", "known", "stale"), 0)
    refused: list[tuple[str, str]] = []
    direct = _direct_probes(database)
    events = dict(EventStore(database).all_facts())
    wanted = _events_with_retained(database)
    for number, event_id in enumerate(wanted, 1):
        facts = events[event_id]
        category = categories.get(facts.category)
        if category is None:
            refused.append((facts.entity, f"There is no category “{facts.category}”."))
        else:
            reason = _pair(database, event_id, facts, category, direct.get(event_id, []), author, counts)
            if reason:
                refused.append((facts.entity, reason))
        progress.report(number, len(wanted), facts.entity)
    return PairOutcome(**counts, refused=tuple(refused))


def _pair(
    database: Database,
    event_id: EventId,
    facts: EventFacts,
    category: Category,
    probes: list[Probe],
    author: str,
    counts: dict[str, int],
) -> str:
    """Pair one event; gives the reason why it stays without a direct probe, if it does."""
    if any(_is_usable(probe, facts.facts_hash) for probe in probes):
        counts["known"] += 1
        return ""
    if not probes:
        _create(database, event_id, facts, category, author)
        counts["created"] += 1
        return ""
    standing = [probe for probe in probes if probe.status is not ReviewStatus.REJECTED]
    if not standing:
        return "Its direct probe was rejected in the review."
    own = next((probe for probe in standing if _is_ours(database, probe)), None)
    if own is None:
        counts["stale"] += 1
        return ""
    # Through the review's log, which is what settles the current wording of a probe.
    ReviewStore(database).decide(
        own.id,
        own.revision_id,
        Action.EDIT,
        author,
        note="Written anew: the facts of the event have changed.",
        edited=ProbeText(category.direct_question(facts)),
    )
    counts["renewed"] += 1
    return ""


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


def _events_with_retained(database: Database) -> list[EventId]:
    store = RetentionStore(database)
    found = {each.event_id for model in store.models() for each in store.retained([model]) if each.is_usable}
    return sorted(found)


def _direct_probes(database: Database) -> dict[EventId, list[Probe]]:
    store = ProbeStore(database)
    ids = store.ids(ProbeQuery(kinds=(ProbeKind.DIRECT,), order="event"))
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
    """Whether a probe was made by pairing and no person has decided about it."""
    first = ProbeStore(database).revisions(probe.id)[0]
    return first.origin == PAIRED and probe.status is ReviewStatus.UNREVIEWED
