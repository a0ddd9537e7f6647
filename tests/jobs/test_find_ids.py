"""Events that name only an article get the id of its item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from btc_gui.domain.event import EventFacts, EventId
from btc_gui.errors import SettingsError
from btc_gui.jobs.find_ids import find_ids
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from tests.builders import add_event
from tests.fakes.mediawiki import mediawiki
from tests.fakes.patience import Impatient
from tests.fakes.world import make_world

WORLD = make_world(60, 0)


def test_ids_are_found_fifty_a_call_and_what_is_missing_is_said(database: Database) -> None:
    """Titles count as they stand; events that have an id or no article are not asked about."""
    ids = [add_event(database, entity=each.name, article=each.name, date=each.end) for each in WORLD.dead]
    unknown = add_event(database, entity="Kale", article="Kale", date="2026-02-01")
    add_event(database, entity="No article", date="2026-02-02")
    add_event(database, entity="Has one", article="Has one", qid="Q5", date="2026-02-02")
    with mediawiki(WORLD.wiki()) as server:
        settings = Settings(operator_contact="a@example.org", services={"wikidata": f"{server.address}/w/api.php"})
        outcome = find_ids(database, settings, Impatient(), author="mara")
    assert (outcome.found, outcome.missing, outcome.requests) == (60, {unknown: "Kale"}, 2)
    events = EventStore(database)
    assert events.get(ids[7]).facts.qid == WORLD.dead[7].qid
    assert events.get(ids[7]).revision == 2


class _Curator(Impatient):
    """Corrects an event after the facts were read and before the answer is there."""

    def __init__(self, database: Database, event_id: EventId, change: Callable[[EventFacts], EventFacts]) -> None:
        super().__init__()
        self._events, self._event_id, self._change = EventStore(database), event_id, change
        self._has_changed = False

    def tell(self, done: int, total: int, text: str = "") -> None:
        if not self._has_changed:
            self._events.revise(self._event_id, self._change(self._events.get(self._event_id).facts), "ann")
            self._has_changed = True


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda facts: replace(facts, note="Seen"), 1),
        (lambda facts: replace(facts, qid="Q9"), 0),
        (lambda facts: replace(facts, article="Kale"), 0),
    ],
)
def test_what_a_curator_changes_meanwhile_stays(
    database: Database, change: Callable[[EventFacts], EventFacts], found: int
) -> None:
    """The id goes to the event as it is when the answer comes, or to none."""
    ada = WORLD.dead[0]
    event_id = add_event(database, entity=ada.name, article=ada.name, date=ada.end)
    with mediawiki(WORLD.wiki()) as server:
        settings = Settings(operator_contact="a@example.org", services={"wikidata": f"{server.address}/w/api.php"})
        outcome = find_ids(database, settings, _Curator(database, event_id, change), author="mara")
    facts = EventStore(database).get(event_id).facts
    assert outcome.found == found
    assert facts == change(replace(facts, qid=ada.qid if found else ""))


def test_without_a_contact_nothing_is_asked(database: Database) -> None:
    """As everywhere."""
    add_event(database, article="Ada Example")
    with pytest.raises(SettingsError, match="contact"):
        find_ids(database, Settings(), Impatient(), author="mara")
