"""Find the Wikidata ids of events that name only an article: fifty titles a call."""

from __future__ import annotations

from dataclasses import dataclass, replace

from btc_gui.domain.event import EventId
from btc_gui.progress import Progress
from btc_gui.remote.http import WebClient
from btc_gui.remote.wikidata import ITEMS_A_CALL, Wikidata
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore


@dataclass(frozen=True, slots=True)
class IdsOutcome:
    """How many ids were found, and which events (with their articles' titles) have no item."""

    found: int
    missing: dict[EventId, str]
    requests: int


def find_ids(database: Database, settings: Settings, progress: Progress, *, author: str) -> IdsOutcome:
    """Give events without an id that of their article's item, as a revision of their facts.

    Approvals of their probes go stale: an id is a fact that they were given without. Titles count as they stand;
    nothing is searched. Raises `SettingsError` without a contact, `ServiceError`, and `Cancelled`; what was found
    until then is kept.
    """
    events = EventStore(database)
    wanted = {event_id: facts for event_id, facts in events.all_facts() if facts.article and not facts.qid}
    ids = list(wanted)
    found, missing = 0, dict[EventId, str]()
    with WebClient(settings.operator_contact, progress) as client:
        wikidata = Wikidata(client, settings)
        for start in range(0, len(ids), ITEMS_A_CALL):
            part = ids[start : start + ITEMS_A_CALL]
            progress.report(start, len(ids), wanted[part[0]].article)
            items = wikidata.items_of_articles(wanted[event_id].article for event_id in part)
            for event_id in part:
                qid = items.get(wanted[event_id].article)
                if qid is None:
                    missing[event_id] = wanted[event_id].article
                else:
                    found += _give_id(database, event_id, wanted[event_id].article, qid, author)
        progress.report(len(ids), len(ids))
        return IdsOutcome(found, missing, client.sent)


def _give_id(database: Database, event_id: EventId, article: str, qid: str, author: str) -> bool:
    """Whether the event got the id: not one that a curator gave an id or another article meanwhile."""
    events = EventStore(database)
    # One event at a time: its probes are checked anew, and somebody else's decision must not wait for fifty.
    with database.write():
        facts = events.get(event_id).facts
        if facts.qid or facts.article != article:
            return False
        events.revise(event_id, replace(facts, qid=qid), author)
    return True
