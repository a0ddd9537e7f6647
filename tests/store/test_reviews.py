"""Decisions on probes: durable, bound to what was seen, undone by one more row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.probe import ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.errors import InputError, ProjectError
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe


def test_accept_is_there_after_a_restart(database: Database) -> None:
    """A decision survives closing, and so does its undo."""
    probe = add_probe(database, add_event(database))
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    database.close()
    with Database.open(database.path) as again:
        assert ProbeStore(again).get(probe.id).status is ReviewStatus.ACCEPTED
        reviews = ReviewStore(again)
        last = reviews.undo_step("ann")
        assert last is not None
        reviews.undo(last.about, "ann")
        assert ProbeStore(again).get(probe.id).status is ReviewStatus.UNREVIEWED
        assert [d.action for d in reviews.log(probe.id)] == [Action.ACCEPT, Action.UNDO]


def test_undo_goes_back_through_several_probes(database: Database) -> None:
    """Undo withdraws the reviewer's own decisions, newest first, each once; then there is nothing left."""
    event = add_event(database)
    probes = [add_probe(database, event, text=f"Request number {n}?") for n in range(3)]
    reviews = ReviewStore(database)
    for probe in probes:
        reviews.decide(probe.id, probe.revision_id, Action.REJECT, "ann", reasons=("unnatural",), note="why")
    reviews.decide(probes[0].id, probes[0].revision_id, Action.NOTE, "bob", note="mine")
    undone = []
    while (last := reviews.undo_step("ann")) is not None:
        reviews.undo(last.about, "ann")
        undone.append(last.about.probe_id)
    # Bob's note on the first probe is newer than Ann's decision there: it stands, and hers stays beneath it.
    assert undone == [probes[2].id, probes[1].id]


def test_edit_makes_a_new_revision(database: Database) -> None:
    """The old wording stays readable; the probe shows the new one and waits for review."""
    probe = add_probe(database, add_event(database))
    reviews, probes = ReviewStore(database), ProbeStore(database)
    reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    reviews.decide(
        probe.id, probe.revision_id, Action.EDIT, "ann", edited=ProbeText("Which poets could read?", "a host")
    )
    edited = probes.get(probe.id)
    assert (edited.text, edited.revision, edited.status) == ("Which poets could read?", 2, ReviewStatus.UNREVIEWED)
    assert [r.content.text for r in probes.revisions(probe.id)] == [probe.text, "Which poets could read?"]


def test_decision_on_an_outdated_wording_is_refused(database: Database) -> None:
    """Somebody edited it meanwhile: the decision was about another text (A16)."""
    probe = add_probe(database, add_event(database))
    reviews = ReviewStore(database)
    reviews.decide(probe.id, probe.revision_id, Action.EDIT, "bob", edited=ProbeText("Other words?"))
    with pytest.raises(ProjectError, match="edited in the meantime"):
        reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    assert ProbeStore(database).get(probe.id).status is ReviewStatus.UNREVIEWED


def test_corrected_facts_make_an_approval_stale(database: Database) -> None:
    """An approval was made for facts: when they move, the probe asks to be looked at again."""
    event = add_event(database)
    probe = add_probe(database, event)
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    events, probes = EventStore(database), ProbeStore(database)
    facts = events.get(event).facts
    events.revise(event, replace(facts, source="another source"), "ann")
    assert not probes.get(probe.id).is_stale
    events.revise(event, replace(facts, date=parse_event_date("2026-05-10")), "ann")
    assert probes.get(probe.id).is_stale
    assert probes.ids(ProbeQuery(only_stale=True)) == [probe.id]
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    assert not probes.get(probe.id).is_stale


def test_empty_edit_is_refused(database: Database) -> None:
    """A probe without a text is no probe; nothing is written."""
    probe = add_probe(database, add_event(database))
    with pytest.raises(InputError, match="needs a text"):
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.EDIT, "ann", edited=ProbeText("  "))
    assert ReviewStore(database).log(probe.id) == []


def test_queries_find_and_order_probes(database: Database) -> None:
    """Filters and order are the query's; text is found literally, wildcards included."""
    event = add_event(database)
    first = add_probe(database, event, text="Name 100% safe hosts?")
    second = add_probe(database, event, text="Name 1000 hosts?")
    probes = ProbeStore(database)
    assert probes.ids(ProbeQuery(contains="100%")) == [first.id]
    assert probes.ids(ProbeQuery(order="text", descending=True)) == [second.id, first.id]
    ReviewStore(database).decide(second.id, second.revision_id, Action.DEFER, "ann")
    assert probes.ids(ProbeQuery(statuses=(ReviewStatus.DEFERRED,))) == [second.id]
    assert probes.count_by_status() == {ReviewStatus.DEFERRED: 1, ReviewStatus.UNREVIEWED: 1}


def test_redo_brings_back_what_was_undone_also_after_a_restart(database: Database) -> None:
    """Undo, undo, redo, redo: both decisions stand again, and undo begins with the newest once more."""
    event = add_event(database)
    first, second = add_probe(database, event, text="One?"), add_probe(database, event, text="Two?")
    reviews = ReviewStore(database)
    reviews.decide(first.id, first.revision_id, Action.ACCEPT, "ann")
    reviews.decide(second.id, second.revision_id, Action.EDIT, "ann", edited=ProbeText("Two, better?"))
    for _ in range(2):
        step = reviews.undo_step("ann")
        assert step is not None
        reviews.undo(step.decision, "ann")
    assert reviews.undo_step("ann") is None
    database.close()
    with Database.open(database.path) as again:
        reviews, probes = ReviewStore(again), ProbeStore(again)
        for _ in range(2):
            step = reviews.redo_step("ann")
            assert step is not None
            reviews.redo(step.decision, "ann")
        assert reviews.redo_step("ann") is None
        assert probes.get(first.id).status is ReviewStatus.ACCEPTED
        assert probes.get(second.id).text == "Two, better?"
        newest = reviews.undo_step("ann")
        assert newest is not None
        assert newest.about.probe_id == second.id
        reviews.undo(newest.decision, "ann")
        assert probes.get(second.id).text == "Two?"


def test_a_new_decision_ends_what_could_be_redone(database: Database) -> None:
    """As in every editor; and nobody redoes over another's newer decision."""
    event = add_event(database)
    first, second = add_probe(database, event, text="One?"), add_probe(database, event, text="Two?")
    reviews = ReviewStore(database)
    reviews.undo(reviews.decide(first.id, first.revision_id, Action.ACCEPT, "ann"), "ann")
    step = reviews.redo_step("ann")
    assert step is not None
    reviews.decide(first.id, first.revision_id, Action.REJECT, "bob", reasons=("unnatural",))
    assert reviews.redo_step("ann") is None
    with pytest.raises(ProjectError, match="newer decision"):
        reviews.redo(step.decision, "ann")
    reviews.undo(reviews.decide(second.id, second.revision_id, Action.ACCEPT, "ann"), "ann")
    assert reviews.redo_step("ann") is not None
    reviews.decide(second.id, second.revision_id, Action.NOTE, "ann", note="hm")
    assert reviews.redo_step("ann") is None


def test_an_approval_names_text_and_facts(database: Database) -> None:
    """What was approved can be told from the log alone."""
    event = add_event(database)
    probe = add_probe(database, event)
    decision = ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    assert decision.text_hash == probe.content.text_hash
    assert decision.facts_hash == EventStore(database).get(event).facts.facts_hash


def test_a_decision_writes_no_more_pages_than_it_must(database: Database) -> None:
    """Its row, its places by undo, probe, wording and curator, the probe and its place by status: who decides waits."""
    event = add_event(database)
    first, probe = (add_probe(database, event, text=f"Request number {n}?") for n in range(2))
    reviews, log = ReviewStore(database), database.path.with_name(f"{database.path.name}-wal")
    reviews.decide(first.id, first.revision_id, Action.ACCEPT, "ann")
    before = log.stat().st_size
    reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    # https://sqlite.org/fileformat.html, 4.1: each page of 4,096 bytes has a header of 24 in the log.
    assert (log.stat().st_size - before) / (4_096 + 24) <= 7
