"""Writing a probe by hand."""

from __future__ import annotations

from btc_gui.domain.event import EventId
from btc_gui.domain.folding import search_key
from btc_gui.domain.probe import ProbeId, ProbeKind, ProbeText
from btc_gui.domain.probe_rows import key_of
from btc_gui.errors import InputError
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import NewProbe, ProbeStore

#: The origin of a probe that a person wrote.
WRITTEN = "written"


def write_probe(
    database: Database, event_id: EventId, content: ProbeText, author: str, kind: ProbeKind = ProbeKind.INDIRECT
) -> ProbeId:
    """Add a probe to an event; it is reviewed as any other.

    Raises `InputError` without a text, or when the event has a probe that says the same, `ProjectError` when there
    is no such event.
    """
    content = ProbeText(
        content.text.strip(), content.requester.strip(), content.situation.strip(), content.consequence.strip()
    )
    if not content.text:
        raise InputError("A probe needs a text.")
    store = ProbeStore(database)
    with database.write():
        facts = EventStore(database).get(event_id).facts
        for other in store.siblings(event_id):
            if search_key(other.text) == search_key(content.text):
                raise InputError(f"The {other.kind} probe {other.ordinal} of this event says the same.")
        return store.add(
            NewProbe(
                key=store.free_key(key_of(facts, kind, content.text)),
                event_id=event_id,
                kind=kind,
                ordinal=store.next_ordinal(event_id, kind),
                content=content,
                facts_hash=facts.facts_hash,
                origin=WRITTEN,
                author=author,
            )
        )
