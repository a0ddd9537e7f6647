"""An event: what changed about an entity, when, and how that is known."""

from __future__ import annotations

from typing import NewType

from btc_gui.domain.dates import EventDate
from btc_gui.domain.hashing import hash_of
from btc_gui.records import dataclass

EventId = NewType("EventId", int)


@dataclass(frozen=True, slots=True)
class EventFacts:
    """The facts of one event, as one revision holds them.

    `date` is when the fact changed; `ends` when the change itself ends (a museum that reopens), if it does.
    `position` and `started` belong to categories about an office. `aliases` are other names of the entity.
    """

    category: str
    entity: str
    date: EventDate
    qid: str = ""
    description: str = ""
    article: str = ""
    position: str = ""
    position_qid: str = ""
    started: EventDate | None = None
    ends: EventDate | None = None
    country: str = ""
    aliases: tuple[str, ...] = ()
    source: str = ""
    note: str = ""

    @property
    def facts_hash(self) -> str:
        """SHA-256 over what a probe depends on: not source and note. Approvals are bound to it."""
        return hash_of(
            {
                "category": self.category,
                "entity": self.entity,
                "date": self.date.iso,
                "qid": self.qid,
                "position": self.position,
                "position_qid": self.position_qid,
                "ends": self.ends.iso if self.ends else "",
            }
        )

    def identities(self) -> tuple[str, ...]:
        """The keys under which this event is known, strongest first: by QID, by article title, by name.

        Two rows about the same entity, position and date that share one of them are the same event.
        """
        position = (self.position_qid or self.position).casefold()
        tail = f"{position}|{self.date.iso}"
        named = (("qid", self.qid), ("article", self.article), ("name", self.entity))
        return tuple(f"{self.category}|{kind}:{value.casefold()}|{tail}" for kind, value in named if value)


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the project with its current facts."""

    id: EventId
    revision: int
    facts: EventFacts
    added_at: str
    probes: int = 0
    accepted: int = 0
    is_rejected: bool = False

    @property
    def title(self) -> str:
        """One line: who and when."""
        return f"{self.facts.entity}, {self.facts.date.text}"
