"""Builders of rows for tests: sensible values, any of which can be overridden."""

from __future__ import annotations

from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.probe import Probe, ProbeKind, ProbeText
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import NewProbe, ProbeStore


def make_facts(
    entity: str = "Ada Example", category: str = "demise", date: str = "2026-05-09", **more: object
) -> EventFacts:
    """Facts of an event; for a tenure a position is filled in."""
    if category == "tenure":
        more.setdefault("position", "Mayor of Exampleton")
    return EventFacts(category=category, entity=entity, date=parse_event_date(date), **more)  # type: ignore[arg-type]


def add_event(database: Database, **overrides: object) -> EventId:
    """Add an event to the project."""
    return EventStore(database).add(make_facts(**overrides), author="tests")  # type: ignore[arg-type]


def add_probe(
    database: Database,
    event_id: EventId,
    text: str = "Which speakers would suit our panel in autumn?",
    kind: ProbeKind = ProbeKind.INDIRECT,
    key: str = "",
) -> Probe:
    """Add a probe to an event."""
    store = ProbeStore(database)
    ordinal = store.next_ordinal(event_id, kind)
    facts = EventStore(database).get(event_id).facts
    new = NewProbe(
        key=key or f"e{event_id}-{kind}-{ordinal}",
        event_id=event_id,
        kind=kind,
        ordinal=ordinal,
        content=ProbeText(text),
        facts_hash=facts.facts_hash,
        origin="loaded",
        author="tests",
    )
    return store.get(store.add(new))
