"""Collect a category's events from Wikidata: ask day by day, then in batches, decide, and add what is new.

Every answer is stored as it comes, so that a collection that stopped (cancelled, killed, banned) goes on by asking
only what is missing. Nothing is decided on a part of the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from types import MappingProxyType

from btc_gui.domain.category import Category
from btc_gui.domain.collecting import Window, decide, plan_of
from btc_gui.domain.collection import Collection, CollectionId, Question
from btc_gui.domain.collection_plan import Binding, CollectionPlan, slices
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.event_index import EventIndex, is_same_position
from btc_gui.domain.funnel import Collected, Decision, Funnel
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.statements import statement_key
from btc_gui.domain.verification import Moved, Movement
from btc_gui.errors import InputError
from btc_gui.jobs.ask_wikidata import Asking, part_of, stored_rows
from btc_gui.progress import Progress
from btc_gui.remote.http import WebClient
from btc_gui.remote.service_address import address_of
from btc_gui.remote.wikidata import Wikidata
from btc_gui.settings import Settings
from btc_gui.store.candidates import CandidateStore, prepare
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore, prepare_event
from btc_gui.store.lease import this_process
from btc_gui.store.loads import LoadStore
from btc_gui.store.movements import MovementStore
from btc_gui.store.own_categories import keep_categories

#: Two events of one entity (and position) this close are one, of which the date was corrected.
_SAME_EVENT_DAYS = 366


@dataclass(frozen=True, slots=True)
class CollectionOutcome:
    """What a collection came to.

    `new` events were added, `known` ones were there; `moved` ones are there with another date and wait in the queue.
    `is_stored` when it had been completed before and nothing was asked.
    """

    collection: Collection
    funnel: Funnel
    reasons: Mapping[str, Mapping[str, int]]
    new: int
    known: int
    moved: int
    is_stored: bool = False

    @property
    def text(self) -> str:
        """One line for a person."""
        return f"{self.collection.title}: {self.numbers}"

    @property
    def numbers(self) -> str:
        """How many rows came, and what became of them."""
        parts = [f"{self.funnel.read:,} rows", f"{self.funnel.kept:,} events ({self.new:,} new, {self.known:,} known)"]
        if self.moved:
            parts.append(f"{self.moved:,} with another date than here (see “Moved”)")
        return ", ".join(parts)

    def as_json(self) -> dict[str, object]:
        """The report as commands print it."""
        question = self.collection.question
        return {
            "collection": self.collection.id,
            "category": question.category,
            "from": question.first_day.isoformat(),
            "to": question.last_day.isoformat(),
            "service": question.service,
            "data_date": self.collection.data_date,
            "completed_at": self.collection.completed_at,
            "requests": self.collection.requests,
            "waited_seconds": round(self.collection.waited, 1),
            "read": self.funnel.read,
            "kept": self.funnel.kept,
            "new": self.new,
            "known": self.known,
            "moved": self.moved,
            "funnel": self.funnel.as_json(),
            "reasons": {step: dict(counts) for step, counts in self.reasons.items()},
        }


@dataclass(frozen=True, slots=True)
class CollectionForecast:
    """What collecting would ask: stretches (of `days_each` days), and how many of them were answered already.

    `follow_ups` are the queries that come after, in batches of ids that are not known before.
    """

    question: Question
    stretches: int
    days_each: int
    answered: int
    follow_ups: tuple[str, ...]
    is_complete: bool

    def as_json(self) -> dict[str, object]:
        """The forecast as commands print it."""
        return {
            "category": self.question.category,
            "from": self.question.first_day.isoformat(),
            "to": self.question.last_day.isoformat(),
            "service": self.question.service,
            "address": self.question.address,
            "stretches": self.stretches,
            "days_each": self.days_each,
            "answered": self.answered,
            "to_ask": self.stretches - self.answered,
            "follow_ups": list(self.follow_ups),
            "is_complete": self.is_complete,
        }


def question_of(category: Category, first_day: date, last_day: date, settings: Settings, service: str = "") -> Question:
    """What would be asked. Raises `InputError` for days that are no window."""
    if last_day < first_day:
        raise InputError(f"The last day ({last_day}) is before the first ({first_day}).")
    plan = plan_of(category)
    service = service or settings.query_service
    return Question(
        category=category.name,
        first_day=first_day,
        last_day=last_day,
        service=service,
        address=address_of(service, settings),
        plan_hash=hash_of([[spec.name, spec.text, spec.fallback] for spec in plan.queries]),
    )


def acting_offices(category: Category, choice: str) -> dict[str, object]:
    """The `overrides` with which acting offices are left in with a mark (`mark`) or left out (`drop`).

    Empty for a category that has no such rule, or for no choice.
    """
    rule = category.rules.get("acting")
    return {"acting": {**rule, "do": choice}} if choice and isinstance(rule, dict) else {}


def foresee_collection(database: Database, category: Category, question: Question) -> CollectionForecast:
    """What collecting would ask, without asking anything."""
    plan = plan_of(category)
    store = CollectionStore(database)
    stretches = slices(question.first_day, question.last_day, plan.slice_days)
    latest = store.latest(question)
    parts = store.parts(latest.id) if latest else {}
    first = next(spec for spec in plan.queries if spec.is_slice)
    return CollectionForecast(
        question=question,
        stretches=len(stretches),
        days_each=plan.slice_days,
        answered=sum(1 for start, end in stretches if (first.name, part_of(start, end)) in parts),
        follow_ups=tuple(spec.name for spec in plan.queries if not spec.is_slice),
        is_complete=latest is not None and latest.completed_at is not None,
    )


def collect_events(
    database: Database,
    category: Category,
    question: Question,
    settings: Settings,
    progress: Progress,
    *,
    author: str,
    again: bool = False,
    decide_again: bool = False,
    overrides: Mapping[str, object] = MappingProxyType({}),
) -> CollectionOutcome:
    """Collect the events of `question`, going on with what an earlier try has received.

    One that is complete gives its stored outcome, unless `again` (everything is asked anew) or `decide_again` (its
    answers are decided on anew, by the rules of today; nothing is asked). `overrides` change parameters of the
    category's rules. Raises `SettingsError` without a contact, `ServiceError` (its kinds say why) when the service
    gives no answer: what was received is kept; `InputError` when there is nothing to decide on again; `ProjectError`
    while somebody else collects the same; `Cancelled`.
    """
    store, plan = CollectionStore(database), plan_of(category)
    latest = store.latest(question)
    is_complete = latest is not None and latest.completed_at is not None
    if decide_again:
        if latest is None or not is_complete:
            raise InputError(
                "There are no complete answers to decide on again.",
                "Collect first. Answers to queries that have been changed since are not used.",
            )
        with _held(store, latest.id):
            rows = stored_rows(store, latest.id, plan)
            return _decide(database, category, latest, rows, overrides, progress, author)
    if latest is not None and is_complete:
        if not again:
            return stored_outcome(database, latest)
        latest = None
    with WebClient(settings.operator_contact, progress) as client:
        collection_id = latest.id if latest else store.start(question, author)
        with _held(store, collection_id):
            wikidata = Wikidata(client, settings, question.service)
            asking = Asking(store, store.get(collection_id), plan, wikidata, progress)
            rows = asking.ask_all()
            return _decide(database, category, asking.collection, rows, overrides, progress, author)


@contextmanager
def _held(store: CollectionStore, collection_id: CollectionId) -> Iterator[None]:
    owner = this_process()
    store.take(collection_id, owner)
    try:
        yield
    finally:
        store.release(collection_id, owner)


def stored_outcome(database: Database, collection: Collection) -> CollectionOutcome:
    """The outcome of a collection that is complete. Raises `InputError` for one that is not."""
    if collection.completed_at is None:
        raise InputError(f"“{collection.title}” is not complete.", "Collect it again: it goes on where it stopped.")
    candidates = CandidateStore(database)
    funnel = candidates.funnel(collection.id)
    return CollectionOutcome(
        collection=collection,
        funnel=funnel,
        reasons=candidates.reasons(collection.id),
        new=0,
        known=funnel.kept,
        moved=0,
        is_stored=True,
    )


def _decide(
    database: Database,
    category: Category,
    collection: Collection,
    rows: Mapping[str, Sequence[Binding]],
    overrides: Mapping[str, object],
    progress: Progress,
    author: str,
) -> CollectionOutcome:
    progress.report(0, 0, "Deciding")
    question = collection.question
    candidates, events = CandidateStore(database), EventStore(database)
    found = decide(
        category,
        rows,
        window=Window(question.first_day, question.last_day),
        run_date=date.fromisoformat(collection.started_at[:10]),
        put_back=candidates.put_back_notes(category.name),
        overrides=overrides,
    )
    ranks = _ranks(plan_of(category), rows)
    prepared = [prepare(decision, ranks.get(_statement(decision), "")) for decision in found.decisions]
    progress.check()
    written = None
    while written is None:
        _wait_for_loads(database, progress)
        # All that takes time is done before the file is held: a curator's own decision must not wait.
        state = events.state()
        put_back = {key: row.event_id for key, row in candidates.put_back_rows(category.name).items()}
        sorted_out = _Sorted(EventIndex(events.all_facts()), put_back)
        for decision in found.decisions:
            sorted_out.take(decision)
        new = [prepare_event(facts) for facts in sorted_out.new]
        with database.write() as connection:
            # Nothing was added, corrected or loaded meanwhile, nor is it now.
            if events.state() == state and not LoadStore(database).adding_events(connection):
                written = events.add_prepared(connection, new, author, None)
                MovementStore(database).add(connection, sorted_out.moved, question.service)
                event_of = partial(sorted_out.event_of, ids=written)
                candidates.complete(connection, collection.id, prepared, event_of, found.funnel)
    keep_categories(database)
    return CollectionOutcome(
        collection=CollectionStore(database).get(CollectionId(collection.id)),
        funnel=found.funnel,
        reasons=_reasons(found),
        new=len(sorted_out.new),
        known=len(sorted_out.known),
        moved=len(sorted_out.moved),
    )


def _wait_for_loads(database: Database, progress: Progress) -> None:
    # The events of a load can't be seen before it is complete. One that begins later changes the events' state.
    while True:
        with database.write() as connection:
            file = LoadStore(database).adding_events(connection)
        if not file:
            return
        progress.report(0, 0, f"Waiting for {file}, which is being loaded")
        progress.wait(0.1)


@dataclass
class _Sorted:
    """Kept candidates by what the project knows of them. `put_back` are the events of rows that were put back."""

    index: EventIndex
    put_back: Mapping[str, EventId | None]
    new: list[EventFacts] = field(default_factory=list)
    known: dict[str, EventId] = field(default_factory=dict)
    moved: list[tuple[EventId, Moved]] = field(default_factory=list)
    _new_keys: dict[str, int] = field(default_factory=dict)

    def take(self, decision: Decision) -> None:
        """Sort one decision in; dropped ones are passed over."""
        facts = decision.candidate.facts
        if not decision.kept or facts is None:
            return
        event_id = self.index.find(facts)
        if event_id is None and facts.date.as_day() is None:
            # Whoever put it back said the day, by which it is not found.
            event_id = self.put_back.get(decision.candidate.key)
        if event_id is not None:
            self.known[decision.candidate.key] = event_id
            return
        other = self._with_another_date(facts)
        if other is not None:
            event_id, old = other
            reason = f"Collected with {facts.date.text}; here it is {old.date.text}."
            now = replace(
                old,
                date=facts.date,
                started=facts.started or old.started,
                ends=facts.ends,
                qid=facts.qid or old.qid,
            )
            self.moved.append((event_id, Moved(old, Movement.DATE_CORRECTED, reason, now)))
            return
        if self.index.knows(facts):
            return
        self._new_keys[decision.candidate.key] = len(self.new)
        self.new.append(facts)
        self.index.add(facts)

    def event_of(self, key: str, ids: Sequence[EventId]) -> EventId | None:
        """The event that a candidate is, once the new ones have ids."""
        place = self._new_keys.get(key)
        return self.known.get(key) if place is None else ids[place]

    def _with_another_date(self, facts: EventFacts) -> tuple[EventId, EventFacts] | None:
        day = facts.date.as_day()
        for event_id, old in self.index.entries_about(facts):
            before = date(old.date.year, old.date.month or 1, old.date.day or 1)
            if (
                day is not None
                and old.category == facts.category
                and is_same_position(old, facts)
                and abs((day - before).days) < _SAME_EVENT_DAYS
            ):
                return event_id, old
        return None


def _statement(decision: Decision) -> str:
    return decision.candidate.key.partition("#")[0]


def _ranks(plan: CollectionPlan, rows: Mapping[str, Sequence[Binding]]) -> dict[str, str]:
    """The rank of each statement that may be an event: `preferred`, `normal`."""
    found: dict[str, str] = {}
    for spec in plan.queries:
        statement, rank = spec.columns.get("statement"), spec.columns.get("rank")
        if spec.is_slice and statement and rank:
            for row in rows[spec.name]:
                address = row.get(statement, {}).get("value", "")
                word = row.get(rank, {}).get("value", "").rpartition("#")[2].removesuffix("Rank").casefold()
                found[statement_key(address)] = word
    return found


def _reasons(found: Collected) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for decision in found.decisions:
        if not decision.kept:
            step = counts.setdefault(decision.step, {})
            step[decision.reason] = step.get(decision.reason, 0) + 1
    return {step: dict(sorted(each.items(), key=lambda pair: (-pair[1], pair[0]))) for step, each in counts.items()}
