"""Events that name only an article get the id of its item."""

from __future__ import annotations

import pytest

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


def test_without_a_contact_nothing_is_asked(database: Database) -> None:
    """As everywhere."""
    add_event(database, article="Ada Example")
    with pytest.raises(SettingsError, match="contact"):
        find_ids(database, Settings(), Impatient(), author="mara")
