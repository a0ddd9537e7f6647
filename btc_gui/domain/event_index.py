"""Which events are one and the same, and which event a text means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

from btc_gui.domain.event import EventFacts, EventId

_KINDS = ("qid", "article", "entity")


class Named(Protocol):
    """Something known by an id of Wikidata, an article's title and a name, some of them empty."""

    @property
    def qid(self) -> str:
        """The id, `Q42`."""

    @property
    def article(self) -> str:
        """The title of the English article."""

    @property
    def entity(self) -> str:
        """The name."""


def is_same_entity(one: Named, other: Named) -> bool:
    """Whether two rows mean one entity: the strongest of QID, article and name that both have decides.

    Titles move from one person to another and names are shared, so a QID that differs outweighs both.
    """
    for kind in _KINDS:
        left, right = getattr(one, kind), getattr(other, kind)
        if left and right:
            return bool(left.casefold() == right.casefold())
    return False


def is_same_position(one: EventFacts, other: EventFacts) -> bool:
    """Whether two rows mean one position, by QID where both have one, else by its name."""
    if one.position_qid and other.position_qid:
        return one.position_qid == other.position_qid
    return one.position.casefold() == other.position.casefold()


class EventIndex:
    """The events that are known, found by entity."""

    def __init__(self, events: Iterable[tuple[EventId, EventFacts]] = ()) -> None:
        self._by_text: dict[str, dict[str, list[int]]] = {kind: defaultdict(list) for kind in _KINDS}
        self._by_alias: dict[str, list[int]] = defaultdict(list)
        self._events: list[tuple[EventId | None, EventFacts]] = []
        self._by_id: dict[EventId, int] = {}
        for event_id, facts in events:
            self.add(facts, event_id)

    def __len__(self) -> int:
        return len(self._events)

    def add(self, facts: EventFacts, event_id: EventId | None = None) -> None:
        """Make an event known; without an id it is only recognised."""
        place = len(self._events)
        self._events.append((event_id, facts))
        for kind in _KINDS:
            if value := getattr(facts, kind):
                self._by_text[kind][value.casefold()].append(place)
        for alias in facts.aliases:
            self._by_alias[alias.casefold()].append(place)
        if event_id is not None:
            self._by_id[event_id] = place

    def _places(self, facts: EventFacts) -> list[int]:
        found: dict[int, None] = {}
        for kind in _KINDS:
            if value := getattr(facts, kind):
                found.update(dict.fromkeys(self._by_text[kind].get(value.casefold(), ())))
        return list(found)

    def knows(self, facts: EventFacts) -> bool:
        """Whether this very event (entity, position, date) is known."""
        return self._place(facts) is not None

    def find(self, facts: EventFacts) -> EventId | None:
        """The id of this very event, or None when it is not known or has no id."""
        place = self._place(facts)
        return None if place is None else self._events[place][0]

    def _place(self, facts: EventFacts) -> int | None:
        for place in self._places(facts):
            other = self._events[place][1]
            if (
                other.category == facts.category
                and other.date == facts.date
                and is_same_entity(other, facts)
                and is_same_position(other, facts)
            ):
                return place
        return None

    def about(self, facts: EventFacts) -> list[EventFacts]:
        """All events of this entity."""
        others = (self._events[place][1] for place in self._places(facts))
        return [other for other in others if is_same_entity(other, facts)]

    def entries_about(self, facts: EventFacts) -> list[tuple[EventId, EventFacts]]:
        """All events of this entity that have an id, with it."""
        entries = (self._events[place] for place in self._places(facts))
        return [(each, other) for each, other in entries if each is not None and is_same_entity(other, facts)]

    def facts(self, event_id: EventId) -> EventFacts | None:
        """The facts of an event, or None when there is none of that id."""
        place = self._by_id.get(event_id)
        return None if place is None else self._events[place][1]

    def named(self, kind: str, text: str) -> list[tuple[EventId, EventFacts]]:
        """The events whose `qid`, `article`, `entity` or `alias` is `text`, case ignored."""
        places = self._by_alias if kind == "alias" else self._by_text[kind]
        found = (self._events[place] for place in places.get(text.casefold(), ()))
        return [(event_id, facts) for event_id, facts in found if event_id is not None]

    def names(self) -> list[str]:
        """All entities' names, for suggestions."""
        return list(dict.fromkeys(facts.entity for _, facts in self._events))
