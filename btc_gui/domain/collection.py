"""A collection: what was asked of which service about which days, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NewType

from btc_gui.domain.dates import day_words
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.funnel import IN_SPITE_OF

CollectionId = NewType("CollectionId", int)
CandidateId = NewType("CandidateId", int)


class ReplyOutcome(StrEnum):
    """What came of asking for one part: an answer (perhaps of no rows), or nothing within the time."""

    ANSWERED = "answered"
    OUT_OF_TIME = "out_of_time"


@dataclass(frozen=True, slots=True)
class Question:
    """What a collection asks: a category's queries (`plan_hash` is that of their texts) about days, at a service."""

    category: str
    first_day: date
    last_day: date
    service: str
    address: str
    plan_hash: str


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection as stored. Times are ISO-8601; `data_date` is the date of the service's data as it says itself.

    `completed_at` is None while parts are missing. `new` counts the events that came of it, put back ones included.
    """

    id: CollectionId
    question: Question
    started_at: str
    started_by: str
    data_date: str
    completed_at: str | None
    requests: int
    waited: float
    new: int = 0

    @property
    def title(self) -> str:
        """`demise, 1 February to 30 June 2026`."""
        return self.titled(self.question.category)

    def titled(self, category: str) -> str:
        """The title with the category in other words than its name: `Demises, 1 February to 30 June 2026`."""
        first, last = self.question.first_day, self.question.last_day
        if first == last:
            return f"{category}, {day_words(first)}"
        same_year = first.year == last.year
        beginning = day_words(first, year=not same_year)
        return f"{category}, {beginning} to {day_words(last)}"


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """What became of one row of a collection, as a list shows it.

    `note`, `author` and `at` tell who put it back; they are empty where nobody did.
    """

    id: CandidateId
    collection_id: CollectionId
    key: str
    qid: str
    name: str
    date: str
    position: str
    rank: str
    kept: bool
    step: str
    reason: str
    marks: tuple[str, ...]
    facts: EventFacts | None
    event_id: EventId | None
    note: str = ""
    author: str = ""
    at: str = ""

    @property
    def can_be_put_back(self) -> bool:
        """Whether a curator may take it in spite of the reason (anew, if that was withdrawn)."""
        return not self.kept and self.facts is not None and not self.is_put_back

    @property
    def is_put_back(self) -> bool:
        """Whether a curator took it in spite of the rules, and let that stand."""
        return bool(self.note)

    @property
    def needs_day(self) -> bool:
        """Whether its date is known to the month or year only: who puts it back has to say the day."""
        return self.facts is not None and self.facts.date.as_day() is None

    @property
    def to_look_at(self) -> tuple[str, ...]:
        """The marks that a curator should look at: all but that it was put back."""
        return tuple(mark for mark in self.marks if not mark.startswith(IN_SPITE_OF))

    @property
    def overruled(self) -> str:
        """The reason in spite of which it is an event; empty for an event by the rules."""
        if not self.kept:
            return self.reason
        return next((mark.removeprefix(IN_SPITE_OF) for mark in self.marks if mark.startswith(IN_SPITE_OF)), "")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an event's facts are from: the statement, its rank, and the collection that found it."""

    collection: Collection
    statement: str
    rank: str
    note: str = ""
    author: str = ""
