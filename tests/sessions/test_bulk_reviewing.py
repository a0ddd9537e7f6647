"""One decision on many probes: exactly what was announced, and one undo for all of it."""

from __future__ import annotations

import pytest

from btc_gui.domain.probe import Probe, ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.domain.review_assignment import plan_assignment
from btc_gui.errors import InputError, ProjectError
from btc_gui.progress import Cancelled, Progress, Report
from btc_gui.sessions.bulk_reviewing import MOVED, SHARED, apply_bulk, bring_back, plan_bulk, take_back
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe, make_facts


@pytest.fixture
def probes(database: Database) -> list[Probe]:
    event = add_event(database, entity="Ada Example")
    return [add_probe(database, event, text=f"Who could do {i}?") for i in range(60)]


def _statuses(database: Database) -> dict[ReviewStatus, int]:
    return ProbeStore(database).count_by_status()


def test_the_preview_counts_exactly_and_changes_nothing(database: Database, probes: list[Probe]) -> None:
    reviews = ReviewStore(database)
    reviews.decide(probes[0].id, probes[0].revision_id, Action.ACCEPT, "ann")
    reviews.decide(probes[1].id, probes[1].revision_id, Action.DEFER, "ann")
    AssignmentStore(database).add("R", plan_assignment([probes[2].id], ["ann", "bob"], 1, 1.0), "ann")
    ids = [probe.id for probe in probes[:10]]
    plan = plan_bulk(database, [*ids, ids[0]], Action.ACCEPT)
    assert (plan.chosen, len(plan.changes), plan.already) == (10, 8, 1)
    assert plan.before == {ReviewStatus.UNREVIEWED: 7, ReviewStatus.DEFERRED: 1}
    assert plan.refused == {SHARED: 1}
    assert plan.examples[0].entity == "Ada Example"
    assert _statuses(database)[ReviewStatus.ACCEPTED] == 1


def test_one_undo_takes_all_back_and_one_redo_brings_it_again(database: Database, probes: list[Probe]) -> None:
    """Across sessions; what somebody decided since stays."""
    plan = plan_bulk(database, [probe.id for probe in probes], Action.REJECT, ["unnatural"], "in bulk")
    outcome = apply_bulk(database, plan, "ann", "all", Progress())
    assert (outcome.done, _statuses(database)) == (60, {ReviewStatus.REJECTED: 60})
    ReviewStore(database).decide(probes[5].id, probes[5].revision_id, Action.ACCEPT, "bob")
    session = ReviewSession(database, {}, "ann")
    step = session.next_undo()
    assert step is not None
    assert step.bulk_id == outcome.bulk_id
    undone = take_back(database, step, "ann", Progress())
    assert (undone.done, undone.skipped) == (59, {MOVED: 1})
    assert _statuses(database) == {ReviewStatus.UNREVIEWED: 59, ReviewStatus.ACCEPTED: 1}
    assert session.next_undo() is None
    redo = session.next_redo()
    assert redo is not None
    assert bring_back(database, redo, "ann", Progress()).done == 59
    assert _statuses(database) == {ReviewStatus.REJECTED: 59, ReviewStatus.ACCEPTED: 1}
    assert session.undo() is not None
    assert _statuses(database) == {ReviewStatus.UNREVIEWED: 59, ReviewStatus.ACCEPTED: 1}


def test_what_was_cut_short_can_be_taken_back(database: Database, probes: list[Probe]) -> None:
    """Cancelled (or killed) after the first decisions: they stand, and one undo withdraws them."""
    plan = plan_bulk(database, [probe.id for probe in probes], Action.DEFER)

    def cancel(report: Report) -> None:
        progress.cancel()

    progress = Progress(cancel)
    with pytest.raises(Cancelled):
        apply_bulk(database, plan, "ann", "all", progress)
    assert 0 < _statuses(database)[ReviewStatus.DEFERRED] < 60
    assert ReviewSession(database, {}, "ann").undo() is not None
    assert _statuses(database) == {ReviewStatus.UNREVIEWED: 60}


def test_a_probe_that_was_edited_after_the_preview_is_passed_over(database: Database, probes: list[Probe]) -> None:
    plan = plan_bulk(database, [probe.id for probe in probes[:3]], Action.ACCEPT)
    ReviewStore(database).decide(
        probes[1].id, probes[1].revision_id, Action.EDIT, "bob", edited=ProbeText("Who else could do it?")
    )
    outcome = apply_bulk(database, plan, "ann", "all", Progress())
    assert (outcome.done, outcome.skipped) == (2, {MOVED: 1})


def test_what_others_did_after_the_preview_stands(database: Database, probes: list[Probe]) -> None:
    """Bob's accept made, a probe shared, an event corrected after Ann's preview: her rejection passes over them."""
    reviews, other = ReviewStore(database), add_event(database, entity="Bert Example")
    moved = add_probe(database, other, text="Who could do that?")
    plan = plan_bulk(database, [*(p.id for p in probes[:3]), moved.id], Action.REJECT, ["unnatural"])
    flags = plan_bulk(database, [probes[0].id], Action.FLAG)
    reviews.decide(probes[0].id, probes[0].revision_id, Action.ACCEPT, "bob")
    AssignmentStore(database).add("R", plan_assignment([probes[1].id], ["ann", "bob"], 1, 1.0), "ann")
    EventStore(database).revise(other, make_facts(entity="Bert Example", date="2026-05-10"), "bob")
    outcome = apply_bulk(database, plan, "ann", "all", Progress())
    assert (outcome.done, outcome.skipped) == (1, {MOVED: 2, SHARED: 1})
    assert ProbeStore(database).get(probes[0].id).status is ReviewStatus.ACCEPTED
    # A flag is no judgement: that it was accepted since changes nothing.
    assert apply_bulk(database, flags, "ann", "one", Progress()).done == 1


def test_nothing_left_to_take_back_is_said(database: Database, probes: list[Probe]) -> None:
    """The step was looked up before somebody decided on all of it."""
    reviews = ReviewStore(database)
    apply_bulk(database, plan_bulk(database, [probes[0].id], Action.ACCEPT), "ann", "one", Progress())
    step = reviews.undo_step("ann")
    assert step is not None
    reviews.decide(probes[0].id, probes[0].revision_id, Action.DEFER, "bob")
    with pytest.raises(ProjectError, match="decided since"):
        take_back(database, step, "ann", Progress())
    assert reviews.undo_step("ann") is None


def test_a_rejection_in_bulk_needs_a_reason_like_any_other(database: Database, probes: list[Probe]) -> None:
    ids = [probe.id for probe in probes]
    for action, reasons in ((Action.REJECT, []), (Action.REJECT, ["other"]), (Action.REJECT, ["x"]), (Action.EDIT, [])):
        with pytest.raises(InputError):
            plan_bulk(database, ids, action, reasons)
