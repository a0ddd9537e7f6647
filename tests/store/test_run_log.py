"""The log of a run: the latest lines, the counts of what was tried again, and the limit of what it may cost."""

from __future__ import annotations

from btc_gui.store.database import Database
from btc_gui.store.run_log import KEPT_LINES, RunLogStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.run_builders import add_run


def test_only_the_latest_lines_are_kept_for_each_run(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    run_id, other = add_run(database, [probe]), add_run(database, [probe])
    log = RunLogStore(database)
    log.add(other, "begun")
    for number in range(KEPT_LINES + 20):
        log.add(run_id, f"line {number}")
    lines = log.lines(run_id)
    assert [line.text for line in lines[:2]] == [f"line {KEPT_LINES + 19}", f"line {KEPT_LINES + 18}"]
    assert len(lines) == KEPT_LINES
    assert [line.text for line in log.lines(other)] == ["begun"]
    assert len(log.lines(run_id, 5)) == 5


def test_a_line_names_the_configuration_it_is_about(database: Database) -> None:
    run_id = add_run(database, [add_probe(database, add_event(database))])
    [progress] = RunStore(database).progress(run_id)
    log = RunLogStore(database)
    log.add(run_id, "given up", progress.configuration_id)
    [line] = log.lines(run_id)
    assert line.configuration == progress.configuration.title
    assert line.at.startswith("20")


def test_counts_of_calls_made_again_add_up_and_stand_in_the_progress(database: Database) -> None:
    run_id = add_run(database, [add_probe(database, add_event(database))])
    store, log = RunStore(database), RunLogStore(database)
    [before] = store.progress(run_id)
    assert before.retries == {}
    log.count_retries(run_id, {(before.configuration_id, "429"): 2, (before.configuration_id, "503"): 1})
    log.count_retries(run_id, {(before.configuration_id, "429"): 5})
    [after] = store.progress(run_id)
    assert after.retries == {"429": 7, "503": 1}


def test_the_limit_of_a_run_can_be_changed_and_taken_away(database: Database) -> None:
    run_id = add_run(database, [add_probe(database, add_event(database))], max_cost=2.0)
    store = RunStore(database)
    assert store.get(run_id).recipe.max_cost == 2.0
    store.set_max_cost(run_id, 12.5)
    assert store.get(run_id).recipe.max_cost == 12.5
    store.set_max_cost(run_id, None)
    assert store.get(run_id).recipe.max_cost is None
