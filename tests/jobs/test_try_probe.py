"""Trying one probe: only what is asked for now is asked, the answers are cases, and no result counts them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.case import CasePool
from btc_gui.domain.configuration import Effort
from btc_gui.domain.run import TRIALS_ORIGIN
from btc_gui.domain.study import FrameFilter
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import RunError
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.try_probe import Trial, try_probe
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.case_index import case_index
from btc_gui.store.database import Database
from btc_gui.store.leases import LeaseStore
from btc_gui.store.results import ResultStore
from btc_gui.store.runs import RunStore
from btc_gui.store.study_frame import StudyFrameStore
from btc_gui.store.trials import TrialStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, result, write_recordings
from tests.run_builders import add_answer, add_run, make_recipe, make_trajectory

LOW = shared_configuration("Larkspur-2", Effort.LOW)
Start = Callable[[Path], Worker]


def test_a_probe_is_tried(database: Database, tmp_path: Path, start_worker: Start) -> None:
    """An unreviewed probe gets an answer with its steps; tried again, it gets one more, and no other one does."""
    folder = write_recordings(
        tmp_path / "replay", [behaviour("p1", [["who speaks"]], "Ask Ada.")], {"who speaks": [result("A festival")]}
    )
    probe = add_probe(database, add_event(database), key="p1")

    def go() -> Trial:
        return try_probe(
            database, probe.id, [LOW], make_recipe(), folder, Progress(), author="tests", start_worker=start_worker
        )

    first, second = go(), go()
    assert first.run_id == second.run_id
    store = AnswerStore(database)
    rows = [store.get(number) for trial in (first, second) for number in trial.answers]
    assert [(row.ending, row.answer, row.queries, row.repetition) for row in rows] == [
        (Ending.ANSWERED, "Ask Ada.", 1, 1),
        (Ending.ANSWERED, "Ask Ada.", 1, 2),
    ]
    run = RunStore(database).get(first.run_id)
    assert (run.name, run.origin, run.is_trial) == ("Trials of 15 July 2026", TRIALS_ORIGIN + "2026-07-15", True)


def test_what_was_given_up_is_not_asked_again(database: Database) -> None:
    """A trial that nobody answered goes, a cancelled one counts as such: only the new one is pending."""
    probe = add_probe(database, add_event(database))
    place, store = (probe.id, probe.revision_id), TrialStore(database)
    run_id, (cancelled,) = store.plan(make_recipe(), [LOW], place, "tests")
    answer_id = AnswerStore(database).add(cancelled, make_trajectory(ending=Ending.CANCELLED, answer=""))
    _, (unanswered,) = store.plan(make_recipe(), [LOW], place, "tests")
    _, wanted = store.plan(make_recipe(), [LOW, replace(LOW, effort=Effort.HIGH)], place, "tests")
    assert [item.id for item in RunStore(database).pending(run_id)] == wanted
    assert store.answers([cancelled, unanswered, *wanted]) == [answer_id]
    LeaseStore(database).take(run_id, "another:1", 60)
    with pytest.raises(RunError, match="Another probe is being tried"):
        store.plan(make_recipe(), [LOW], place, "tests")


def test_an_answer_that_is_taken_after_all_is_seen_at_once(database: Database) -> None:
    """The next trial takes a cancelled answer: no row is added, and one item has the number of another that went."""
    probe = add_probe(database, add_event(database))
    store, results = TrialStore(database), ResultStore(database, with_trials=True)
    high = replace(LOW, effort=Effort.HIGH)
    _, items = store.plan(make_recipe(), [LOW, high], (probe.id, probe.revision_id), "tests")
    cancelled = AnswerStore(database).add(items[0], make_trajectory(ending=Ending.CANCELLED, answer=""))
    assert results.answers() == []
    assert case_index(database, CasePool.EVALUATION).ids.tolist() == []
    _, (item,) = store.plan(make_recipe(), [high], (probe.id, probe.revision_id), "tests")
    assert item == items[1]
    assert [answer.id for answer in results.answers()] == [cancelled]
    assert case_index(database, CasePool.EVALUATION).ids.tolist() == [cancelled]


def test_results_and_studies_leave_trials_out(database: Database) -> None:
    """Unless results are asked for with them."""
    probe = add_probe(database, add_event(database))
    counted = add_answer(database, add_run(database, [probe], [LOW]))
    _, (item,) = TrialStore(database).plan(make_recipe(), [LOW], (probe.id, probe.revision_id), "tests")
    tried = AnswerStore(database).add(item, make_trajectory())
    assert [answer.id for answer in ResultStore(database).answers()] == [counted]
    assert [answer.id for answer in ResultStore(database, with_trials=True).answers()] == [counted, tried]
    with database.write() as connection:
        connection.executemany(
            "INSERT INTO verdict (answer_id, judge, label, at) VALUES (?, 'judge', 'incorrect', '')",
            [(counted,), (tried,)],
        )
    assert [row.answer_id for row in StudyFrameStore(database).rows(FrameFilter(), "judge")] == [counted]
