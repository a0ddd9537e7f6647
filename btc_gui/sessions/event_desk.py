"""A curator at the events: adding and correcting by hand, rejecting, and answering what asking again has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from btc_gui.domain.category import Category
from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.event import Event, EventFacts, EventId
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_rows import Cells, Rejected, read_event
from btc_gui.domain.probe import ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.domain.verification import Movement
from btc_gui.errors import InputError
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventStore
from btc_gui.store.loads import LoadStore
from btc_gui.store.movements import MovementId, MovementRow, MovementStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore

#: What can be filled in by hand, in the order of a form, with the words shown.
FIELDS: Mapping[str, str] = {
    "category": "Category",
    "entity": "Name",
    "date": "Date of the change",
    "position": "Position",
    "position_qid": "Wikidata id of the position",
    "started": "In office since",
    "ends": "Lasts until",
    "qid": "Wikidata id",
    "article": "English article",
    "description": "Description",
    "country": "Country",
    "aliases": "Also called (separated by |)",
    "source": "Source (an address)",
    "note": "Note",
}


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a step would change besides the event: probes with an approval that goes stale, probes to be rejected."""

    approvals: int
    probes: int


def texts_of(facts: EventFacts) -> dict[str, str]:
    """The facts as a form shows them."""
    texts = {name: getattr(facts, name) for name in FIELDS if name not in ("date", "started", "ends", "aliases")}
    for name in ("date", "started", "ends"):
        date = getattr(facts, name)
        texts[name] = date.iso if date else ""
    return texts | {"aliases": " | ".join(facts.aliases)}


def cannot_take(row: MovementRow, facts: EventFacts) -> str:
    """Why an entry's new facts can't be taken for an event that has `facts` now; empty where they can."""
    if row.now is None:
        return "The source has no facts to take."
    if row.movement not in (Movement.DATE_CORRECTED, Movement.MERGED):
        return f"There are no new facts to take ({row.movement})."
    if row.facts_hash != facts.facts_hash:
        return "The event was corrected here after this was found."
    return ""


class EventDesk:
    """Works on the events of a project under the name of `author`."""

    def __init__(self, database: Database, categories: Mapping[str, Category], author: str) -> None:
        self._database, self._categories, self._author = database, categories, author
        self._events, self._probes = EventStore(database), ProbeStore(database)
        self._rejections, self._movements = EventRejectionStore(database), MovementStore(database)

    # -- by hand ---------------------------------------------------------------------------------------------

    def read(self, values: Mapping[str, str]) -> EventFacts:
        """The facts of a filled form. Raises `InputError` with what is wrong: the same checks as for files."""
        filled = {name: value.strip() for name, value in values.items() if value.strip()}
        try:
            facts = read_event(Cells(filled, {name: name for name in filled}), self._categories, "")
        except Rejected as error:
            raise InputError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
        today = parse_event_date(datetime.now(UTC).date().isoformat())
        if (facts.date.year, facts.date.month, facts.date.day) > (today.year, today.month, today.day):
            raise InputError(f"{facts.date.text} is still to come: that is an announcement, not a change.")
        return facts

    def add(self, values: Mapping[str, str]) -> EventId:
        """Add an event by hand. Raises `InputError` when something is wrong or it is there already.

        `ProjectError` while a file of events is being loaded.
        """
        facts = self.read(values)
        with self._database.write() as connection:
            LoadStore(self._database).refuse_while_adding_events(connection)
            known = EventIndex(self._events.all_facts()).find(facts)
            if known is not None:
                raise InputError(f"{facts.entity} with this date is event {known} already.", "Correct that one.")
            return self._events.add(facts, self._author)

    def correct(self, event_id: EventId, values: Mapping[str, str]) -> Event:
        """Correct an event: a new revision. Raises `InputError` when something is wrong or nothing is different."""
        facts = self.read(values)
        with self._database.write():
            if facts == self._events.get(event_id).facts:
                raise InputError("Nothing is different.")
            self._events.revise(event_id, facts, self._author)
            return self._events.get(event_id)

    def consequence(self, event_id: EventId) -> Consequence:
        """What correcting (approvals) or rejecting (probes) this event would change."""
        probes = self._probes.siblings(event_id)
        return Consequence(
            approvals=sum(1 for probe in probes if probe.status is ReviewStatus.ACCEPTED and not probe.is_stale),
            probes=sum(1 for probe in probes if probe.status is not ReviewStatus.REJECTED),
        )

    # -- rejecting -------------------------------------------------------------------------------------------

    def reject(self, event_id: EventId, note: str) -> int:
        """Reject an event and those of its probes that are not rejected; gives how many these are.

        All of it or nothing. Undo on the Review page takes back the probes' rejections as one step. Raises
        `InputError` without a note.
        """
        if not note.strip():
            raise InputError("A note is needed: it says what is wrong with the event.")
        reviews = ReviewStore(self._database)
        with self._database.write():
            self._rejections.reject(event_id, note.strip(), self._author)
            probes = [p for p in self._probes.siblings(event_id) if p.status is not ReviewStatus.REJECTED]
            if probes:
                scope = f"event {event_id}: {self._events.get(event_id).title}"
                bulk = reviews.start_bulk(Action.REJECT, len(probes), scope, self._author)
                for probe in probes:
                    reviews.decide(
                        probe.id,
                        probe.revision_id,
                        Action.REJECT,
                        self._author,
                        reasons=("wrong_facts",),
                        note=note.strip(),
                        bulk_id=bulk,
                    )
        return len(probes)

    def restore(self, event_id: EventId) -> None:
        """Take a rejected event in again; its probes keep their rejections until somebody decides anew."""
        self._rejections.withdraw(event_id, self._author)

    # -- the queue of what moved -----------------------------------------------------------------------------

    def take(self, movement_id: MovementId, note: str = "") -> MovementRow:
        """Correct the event's dates and id to what the source says now; all else stays as a curator wrote it.

        Raises `InputError` where there is nothing to take (`cannot_take`): also when the event was corrected since.
        """
        with self._database.write():
            row = self._movement(movement_id)
            facts = self._events.get(row.event_id).facts
            if reason := cannot_take(row, facts):
                raise InputError(reason, "Reject the event, leave it as it is, or ask again about it.")
            assert row.now is not None
            started = self._started(row.event_id, facts, row.now)
            now = replace(facts, date=row.now.date, started=started, ends=row.now.ends, qid=row.now.qid)
            self._events.revise(row.event_id, now, self._author)
            return self._movements.answer(movement_id, "taken", note, self._author)

    def _started(self, event_id: EventId, facts: EventFacts, now: EventFacts) -> EventDate | None:
        """The source's beginning of a term, unless a curator corrected it here: no finding is about that one.

        The facts' hash, by which other corrections are known, leaves it out. What the event was added with, or took
        from the source since, is no curator's.
        """
        taken = [each.now for each in self._movements.of_event(event_id) if each.answer == "taken" and each.now]
        given = {each.started for each in (self._events.first_facts(event_id), *taken)}
        return now.started or facts.started if facts.started in given else facts.started

    def reject_moved(self, movement_id: MovementId, note: str = "") -> MovementRow:
        """Reject the event that moved, with its probes; the reason found stands in the note."""
        with self._database.write():
            row = self._movement(movement_id)
            self.reject(row.event_id, f"{row.reason} {note}".strip())
            return self._movements.answer(movement_id, "rejected", note, self._author)

    def leave(self, movement_id: MovementId, note: str) -> MovementRow:
        """Leave the event as it is: the same finding is not asked about again. Raises `InputError` without a note."""
        if not note.strip():
            raise InputError("A note is needed: it says why the event stays as it is.")
        return self._movements.answer(movement_id, "left", note.strip(), self._author)

    def _movement(self, movement_id: MovementId) -> MovementRow:
        row = self._movements.fetch([movement_id]).get(movement_id)
        if row is None:
            raise InputError("This has settled itself meanwhile.", "Look at the list again.")
        return row
