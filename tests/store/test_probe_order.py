"""The order of probes is kept while nothing moves it, and follows what does."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.probe import ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probe_places import all_places
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe


def _texts(store: ProbeStore, order: str, *, descending: bool = False) -> list[str]:
    ids = store.ids(ProbeQuery(order=order, descending=descending))
    found = store.fetch(ids)
    return [found[probe_id].text for probe_id in ids]


def test_the_order_by_words_follows_an_edit_and_its_undo(database: Database) -> None:
    event = add_event(database)
    store, reviews = ProbeStore(database), ReviewStore(database)
    first, _ = (add_probe(database, event, text) for text in ("b", "C"))
    assert _texts(store, "text") == ["b", "C"]
    assert _texts(store, "text", descending=True) == ["C", "b"]
    edit = reviews.decide(first.id, first.revision_id, Action.EDIT, "ann", edited=ProbeText("d"))
    assert _texts(store, "text") == ["C", "d"]
    reviews.undo(edit, "ann")
    assert _texts(store, "text") == ["b", "C"]


def test_orders_follow_corrected_events_decisions_and_new_probes(database: Database) -> None:
    store, events, reviews = ProbeStore(database), EventStore(database), ReviewStore(database)
    ada, bo = add_event(database, entity="Ada"), add_event(database, entity="Bo")
    add_probe(database, ada, "of Ada")
    of_bo = add_probe(database, bo, "of Bo")
    assert _texts(store, "entity") == ["of Ada", "of Bo"]
    events.revise(ada, replace(events.get(ada).facts, entity="Zoe"), "ann")
    assert _texts(store, "entity") == ["of Bo", "of Ada"]
    assert _texts(store, "status") == ["of Ada", "of Bo"]
    reviews.decide(of_bo.id, of_bo.revision_id, Action.ACCEPT, "ann")
    assert _texts(store, "status") == ["of Bo", "of Ada"]
    assert store.ids(ProbeQuery(statuses=(ReviewStatus.ACCEPTED,), order="entity")) == [of_bo.id]
    add_probe(database, bo, "of Bo, too")
    assert _texts(store, "entity") == ["of Bo", "of Bo, too", "of Ada"]


def test_places_follow_decisions_their_undo_and_corrected_facts(database: Database) -> None:
    events, reviews = EventStore(database), ReviewStore(database)
    event = add_event(database, entity="Ada")
    probe = add_probe(database, event, "of Ada")

    def told() -> tuple[ReviewStatus, bool, bool]:
        place = all_places(database)[probe.id]
        return place.status, place.is_flagged, place.is_stale

    assert told() == (ReviewStatus.UNREVIEWED, False, False)
    assert all_places(database) is all_places(database)
    accepted = reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    assert told() == (ReviewStatus.ACCEPTED, False, False)
    events.revise(event, replace(events.get(event).facts, entity="Zoe"), "ann")
    assert told() == (ReviewStatus.ACCEPTED, False, True)
    reviews.undo(accepted, "ann")
    reviews.decide(probe.id, probe.revision_id, Action.FLAG, "ann")
    assert told() == (ReviewStatus.UNREVIEWED, True, False)
    added = add_probe(database, event, "of Ada, too")
    assert list(all_places(database)) == [probe.id, added.id]
