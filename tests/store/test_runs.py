"""Runs: what is planned, what is pending, how far they are, and who may drive them."""

from __future__ import annotations

import hashlib
import tracemalloc

import pytest

from btc_gui.domain.configuration import Effort
from btc_gui.domain.probe import Probe
from btc_gui.domain.review import Action
from btc_gui.domain.run import Purpose, RunId
from btc_gui.domain.shard import Shard
from btc_gui.domain.trajectory import Ending, Usage
from btc_gui.errors import ProjectError, RunError
from btc_gui.store import run_progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.imports import ImportStore
from btc_gui.store.leases import LeaseStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.run_builders import add_answer, add_run, make_configuration, make_recipe, make_trajectory


@pytest.fixture
def probes(database: Database) -> list[Probe]:
    event = add_event(database)
    return [add_probe(database, event, text=f"Which speakers for evening {number}?") for number in range(3)]


def test_a_configuration_is_the_same_one_until_anything_about_it_differs(database: Database) -> None:
    runs = RunStore(database)
    first = runs.add_configuration(make_configuration(settings={"cutoff": "2026-01-31", "b": "2"}))
    again = runs.add_configuration(make_configuration(settings={"b": "2", "cutoff": "2026-01-31"}))
    other = runs.add_configuration(make_configuration(settings={"cutoff": "2025-01-31", "b": "2"}))
    assert first == again
    assert other != first
    assert runs.configurations([first])[first] == make_configuration(settings={"b": "2", "cutoff": "2026-01-31"})


def test_a_run_plans_every_probe_with_every_configuration_and_repetition_once(
    database: Database, probes: list[Probe]
) -> None:
    low, high = make_configuration(), make_configuration(effort=Effort.HIGH)
    run_id = add_run(database, [*probes, probes[0]], [low, high, low], repetitions=2)
    pending = RunStore(database).pending(run_id)
    assert len(pending) == 3 * 2 * 2
    assert len({(item.configuration_id, item.revision_id, item.repetition) for item in pending}) == 12
    assert [each.planned for each in RunStore(database).progress(run_id)] == [6, 6]


def test_a_run_is_read_back_as_it_was_planned(database: Database, probes: list[Probe]) -> None:
    run_id = add_run(database, probes, purpose=Purpose.FILTER, at_once=3, message_limit=12)
    run = RunStore(database).get(run_id)
    assert (run.name, run.created_by, run.purpose) == ("Test run", "tests", Purpose.FILTER)
    assert (run.recipe.at_once, run.recipe.message_limit, run.recipe.current_date) == (3, 12, "2026-07-15")
    assert RunStore(database).ids() == [run_id]
    with pytest.raises(ProjectError, match="no run 99"):
        RunStore(database).get(RunId(99))


def test_a_pending_item_keeps_the_wording_it_was_planned_for(database: Database, probes: list[Probe]) -> None:
    run_id = add_run(database, probes[:1])
    edited = probes[0].content.__class__("Something else entirely?")
    ReviewStore(database).decide(probes[0].id, probes[0].revision_id, Action.EDIT, "me", edited=edited)
    assert ProbeStore(database).get(probes[0].id).text == "Something else entirely?"
    assert RunStore(database).pending(run_id)[0].text == "Which speakers for evening 0?"


def test_progress_counts_each_item_once_and_spend_every_time(database: Database, probes: list[Probe]) -> None:
    run_id = add_run(database, probes)
    add_answer(database, run_id, make_trajectory(ending=Ending.CANCELLED, cost=0.5))
    add_answer(database, run_id, make_trajectory(cost=0.25))
    add_answer(database, run_id, make_trajectory(ending=Ending.FAILED, ending_reason="timeout"))
    [progress] = RunStore(database).progress(run_id)
    assert progress.by_ending == {Ending.ANSWERED: 1, Ending.FAILED: 1}
    assert (progress.planned, progress.pending, progress.done, progress.attempts) == (3, 1, 2, 3)
    assert progress.usage == Usage(input=2700, output=360, reasoning=120)
    assert progress.cost == 0.75
    assert progress.seconds == 4.5


def test_trying_a_large_run_again_holds_none_of_its_answers_in_memory(database: Database) -> None:
    """R4: 4 MB of failed answers are open again, counted and planned within a fraction of that."""
    event, size = add_event(database), 80_000
    with database.write(durable=False):
        probes = [add_probe(database, event, text=f"Which speakers for evening {number}?") for number in range(50)]
        run_id = add_run(database, probes)
        for number in range(50):
            text = hashlib.shake_256(b"%d" % number).hexdigest(size // 2)
            add_answer(database, run_id, make_trajectory(text, ending=Ending.FAILED, ending_reason="503"))
    store = RunStore(database)
    tracemalloc.start()
    try:
        assert store.retry_failed(run_id) == 50
        [progress] = store.progress(run_id)
        pending = store.pending(run_id)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (progress.pending, progress.attempts, len(pending)) == (50, 50, 50)
    assert database.path.stat().st_size > 50 * size // 2
    assert peak < 200_000


def test_progress_of_a_large_run_is_kept_and_stays_the_present_one(
    database: Database, probes: list[Probe], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_progress, "_MANY", 1)
    run_id, other = add_run(database, probes), add_run(database, probes, [make_configuration(effort=Effort.HIGH)])
    store = RunStore(database)

    def seen() -> list[tuple[int, int, int, dict[Ending, int], float | None]]:
        told = [*store.progress(run_id), *store.progress(other)]
        return [(each.planned, each.pending, each.attempts, dict(each.by_ending), each.cost) for each in told]

    assert seen() == [(3, 3, 0, {}, None), (3, 3, 0, {}, None)]
    add_answer(database, run_id, make_trajectory(cost=0.25))
    assert seen()[0] == (3, 2, 1, {Ending.ANSWERED: 1}, 0.25)
    add_answer(database, run_id, make_trajectory(ending=Ending.FAILED, ending_reason="503", cost=0.5))
    add_answer(database, other, make_trajectory("", ending=Ending.NO_ANSWER))
    assert seen() == [
        (3, 1, 2, {Ending.ANSWERED: 1, Ending.FAILED: 1}, 0.75),
        (3, 2, 1, {Ending.NO_ANSWER: 1}, None),
    ]
    store.retry_failed(run_id)
    assert seen()[0] == (3, 2, 2, {Ending.ANSWERED: 1}, 0.75)
    assert seen()[1] == (3, 2, 1, {Ending.NO_ANSWER: 1}, None)
    add_answer(database, run_id, make_trajectory(ending=Ending.FAILED, ending_reason="503", cost=0.5))
    assert seen()[0] == (3, 1, 3, {Ending.ANSWERED: 1, Ending.FAILED: 1}, 1.25)
    # As many have failed as before, but not the same ones: nobody looked between the two.
    store.retry_failed(run_id)
    add_answer(database, run_id, make_trajectory(ending=Ending.FAILED, ending_reason="503", cost=0.5))
    assert seen()[0] == (3, 1, 4, {Ending.ANSWERED: 1, Ending.FAILED: 1}, 1.75)


def test_a_run_without_prices_has_no_cost_rather_than_none_spent(database: Database, probes: list[Probe]) -> None:
    run_id = add_run(database, probes)
    add_answer(database, run_id)
    assert RunStore(database).progress(run_id)[0].cost is None


def test_retrying_failed_items_leaves_the_attempts_and_everything_else(database: Database, probes: list[Probe]) -> None:
    run_id = add_run(database, probes)
    failed = add_answer(database, run_id, make_trajectory(ending=Ending.FAILED, ending_reason="503"))
    empty = add_answer(database, run_id, make_trajectory("", ending=Ending.NO_ANSWER))
    assert len(RunStore(database).pending(run_id)) == 1
    assert RunStore(database).retry_failed(run_id) == 1
    assert len(RunStore(database).pending(run_id)) == 2
    rows = AnswerStore(database).fetch([failed, empty])
    assert (rows[failed].is_final, rows[empty].is_final) == (False, True)
    assert RunStore(database).retry_failed(run_id) == 0


def test_samples_of_somebody_elses_log_are_never_tried_again(database: Database) -> None:
    """They are about no probe here: without their answer they would be pending forever."""
    imports = ImportStore(database)
    run_id = imports.run_of_log("log-1", "sums", make_recipe(purpose=Purpose.IMPORT), "tests")
    item = imports.item_of_sample(run_id, imports.configuration(make_configuration()), "7", 1, "2 + 2?")
    answer_id = AnswerStore(database).add(item, make_trajectory(ending=Ending.FAILED, ending_reason="503"))
    assert answer_id is not None
    with pytest.raises(RunError, match="somebody else's log"):
        RunStore(database).retry_failed(run_id)
    assert AnswerStore(database).fetch([answer_id])[answer_id].is_final
    assert RunStore(database).count_pending(run_id) == 0


def test_only_one_window_drives_a_run(database: Database, probes: list[Probe]) -> None:
    run_id = add_run(database, probes)
    leases = LeaseStore(database)
    leases.take(run_id, "window 1", 60)
    with pytest.raises(RunError, match=r"“Test run” is already going .*\(window 1\)") as refused:
        leases.take(run_id, "window 2", 60)
    assert "try again in" in refused.value.remedy
    leases.take(run_id, "window 1", 60)
    leases.release(run_id, "window 2")
    with pytest.raises(RunError):
        leases.take(run_id, "window 2", 60)
    leases.release(run_id, "window 1")
    leases.take(run_id, "window 2", 60)


def test_a_lease_that_nobody_renews_runs_out_and_its_owner_learns_of_it(
    database: Database, probes: list[Probe]
) -> None:
    run_id = add_run(database, probes)
    leases = LeaseStore(database)
    # A lease of less than nothing has run out already.
    leases.take(run_id, "window 1", -1)
    leases.renew(run_id, "window 1", -1)
    leases.take(run_id, "window 2", 60)
    with pytest.raises(RunError, match="taken over"):
        leases.renew(run_id, "window 1", 60)


def test_shards_of_one_cut_are_driven_side_by_side(database: Database, probes: list[Probe]) -> None:
    """A whole run, another cut and the same shard again are refused meanwhile."""
    run_id = add_run(database, probes)
    leases = LeaseStore(database)
    leases.take(run_id, "process 1", 60, Shard(1, 2))
    leases.take(run_id, "process 2", 60, Shard(2, 2))
    for shard in (None, Shard(1, 3), Shard(1, 2)):
        with pytest.raises(RunError, match="already going"):
            leases.take(run_id, "process 3", 60, shard)
    leases.renew(run_id, "process 1", 60, Shard(1, 2))
    leases.release(run_id, "process 1", Shard(1, 2))
    with pytest.raises(RunError, match="shard 2/2"):
        leases.take(run_id, "process 3", 60)
    leases.release(run_id, "process 2", Shard(2, 2))
    leases.take(run_id, "process 3", 60)
    with pytest.raises(RunError, match="already going"):
        leases.take(run_id, "process 1", 60, Shard(1, 2))


def test_a_clock_that_was_set_back_locks_nobody_out(database: Database, probes: list[Probe]) -> None:
    """A lease taken while the clock ran a day ahead, by a process that died, does not hold for a day."""
    run_id = add_run(database, probes)
    leases = LeaseStore(database)
    leases.take(run_id, "window 1", 24 * 3600)
    leases.take(run_id, "window 2", 60)
    with pytest.raises(RunError, match="taken over"):
        leases.renew(run_id, "window 1", 60)
