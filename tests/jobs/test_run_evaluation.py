"""An evaluation, with the real engine in its process: every ending, stopping, going on, crashes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from btc_gui.domain.configuration import Configuration, Effort
from btc_gui.domain.probe import Probe
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import Ending, StepKind
from btc_gui.errors import ProjectError, RunError
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.messages import Event, Exited, Finished
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.run_evaluation import RunControl, RunOutcome, forecast, log_folder, plan_run, run_evaluation
from btc_gui.progress import Progress, Report
from btc_gui.settings import Settings, save_settings
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.leases import LeaseStore
from btc_gui.store.run_log import RunLogStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, result, write_recordings
from tests.run_builders import add_answer, hurry, make_recipe, make_trajectory
from tests.shared_worker import LentWorker

Start = Callable[[Path], Worker]


def _add_probes(database: Database, count: int) -> list[Probe]:
    event = add_event(database)
    return [
        add_probe(database, event, text=f"Which speakers for evening {number}?", key=f"p{number}")
        for number in range(1, count + 1)
    ]


def _plan(
    database: Database, probes: list[Probe], configurations: list[Configuration] | None = None, **recipe: object
) -> RunId:
    return plan_run(
        database,
        "Autumn",
        configurations or [shared_configuration("Larkspur-2", Effort.LOW)],
        [(probe.id, probe.revision_id) for probe in probes],
        1,
        "tests",
        make_recipe(**recipe),
    )


def _endings(database: Database, run_id: RunId) -> dict[str, Ending]:
    store = AnswerStore(database)
    return {row.probe_key: row.ending for row in store.fetch(store.ids(run_id)).values()}


# -- one whole run -------------------------------------------------------------------------------------------


def test_every_answer_is_stored_with_its_one_ending_and_all_that_led_to_it(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    folder = write_recordings(
        tmp_path / "replay",
        [
            behaviour("p1", [["who speaks", "Who  reads?"], ["who speaks"]], "Ask Ada. 現任 🕊️ \ud83d\x00"),
            behaviour("p2", ending="no_answer"),
            behaviour("p3", [], ending="refused", reason="I can't help with that."),
            behaviour("p4", ending="failed", reason="the provider's “503” it's said"),
            behaviour("p5", [['never "recorded" o\'clock']]),
            behaviour("p7", [["speakers autumn"]] * 30),
            behaviour("p8", []),
        ],
        {
            "WHO speaks": [result("A festival", "2026-03-01", "She spoke.", "ж" * 20_000), result("Ohne Datum", "")],
            "who reads?": [],
            "speakers autumn": [result()],
        },
    )
    run_id = _plan(database, _add_probes(database, 8), message_limit=40)
    told: list[Report] = []
    seen: list[int] = []

    outcome = run_evaluation(
        database, run_id, folder, Progress(told.append), on_answer=seen.append, start_worker=start_worker
    )

    answers = AnswerStore(database)
    rows = {row.probe_key: row for row in answers.fetch(answers.ids(run_id)).values()}
    assert {key: (row.ending, row.ending_reason) for key, row in rows.items()} == {
        "p1": (Ending.ANSWERED, ""),
        "p2": (Ending.NO_ANSWER, "the final answer is empty"),
        "p3": (Ending.REFUSED, "I can't help with that."),
        "p4": (Ending.FAILED, "the provider's “503” it's said"),
        "p5": (Ending.FAILED, 'no recorded search results for “never "recorded" o\'clock”'),
        "p6": (Ending.FAILED, "no recorded behaviour of Larkspur-2 at low effort for the probe “p6”"),
        "p7": (Ending.NO_ANSWER, "no final answer within the message limit of 40"),
        "p8": (Ending.ANSWERED, ""),
    }
    assert outcome == RunOutcome(
        8, {Ending.ANSWERED: 2, Ending.NO_ANSWER: 2, Ending.REFUSED: 1, Ending.FAILED: 3}, left=0
    )
    assert sorted(seen) == sorted(row.id for row in rows.values())
    assert told[-1] == Report(8, 8, "Larkspur-2 · low · shared: 8 of 8")

    whole = answers.trajectory(rows["p1"].id)
    assert whole.answer == "Ask Ada. 現任 🕊️ \ud83d\x00"
    assert [(step.kind, step.text) for step in whole.steps] == [
        (StepKind.REASONING, "Thought 1."),
        (StepKind.QUERY, "who speaks"),
        (StepKind.QUERY, "Who  reads?"),
        (StepKind.REASONING, "Thought 2."),
        (StepKind.QUERY, "who speaks"),
        (StepKind.REASONING, "That will do."),
        (StepKind.ANSWER, whole.answer),
    ]
    query = whole.steps[1]
    assert [(r.title, r.url, r.published, r.excerpts) for r in query.results] == [
        ("A festival", "https://example.org/a-festival", "2026-03-01", ("She spoke.", "ж" * 20_000)),
        ("Ohne Datum", "https://example.org/ohne-datum", "", ("She spoke in March.",)),
    ]
    assert query.output == (
        "[1] A festival\nURL: https://example.org/a-festival\nPublished: 2026-03-01\nShe spoke.\n" + "ж" * 20_000 + "\n"
        "\n[2] Ohne Datum\nURL: https://example.org/ohne-datum\nShe spoke in March."
    )
    assert (whole.steps[2].results, whole.steps[2].output) == ((), "No results.")
    assert whole.usage.input > 10_000
    assert whole.usage.output > whole.usage.reasoning > 0
    assert whole.seconds is not None
    assert whole.started_at < whole.finished_at
    assert (rows["p7"].queries, rows["p8"].queries) == (19, 0)
    # A long sample is not cut where the engine drops events from its memory.
    assert [step.kind for step in answers.trajectory(rows["p7"].id).steps].count(StepKind.REASONING) == 19


def test_configurations_take_their_turns_and_are_told_apart(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    folder = write_recordings(
        tmp_path / "replay",
        [
            behaviour("p1", answer="low answer"),
            behaviour("p1", answer="high answer", effort="high"),
            behaviour("p1", answer="another's answer", model="Juniper-Air"),
        ],
    )
    configurations = [
        shared_configuration("Larkspur-2", Effort.LOW),
        shared_configuration("Larkspur-2", Effort.HIGH),
        shared_configuration("Juniper-Air", Effort.LOW, cutoff="2025-08"),
    ]
    run_id = _plan(database, _add_probes(database, 1), configurations)
    run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    store = AnswerStore(database)
    rows = store.fetch(store.ids(run_id)).values()
    assert {(row.configuration.title, row.answer) for row in rows} == {
        ("Larkspur-2 · low · shared", "low answer"),
        ("Larkspur-2 · high · shared", "high answer"),
        ("Juniper-Air · low · shared", "another's answer"),
    }


# -- stopping and going on -----------------------------------------------------------------------------------


def test_cancelling_stores_what_is_in_flight_and_going_on_repeats_nothing(
    database: Database, tmp_path: Path, lent_worker: LentWorker, start_worker: Start
) -> None:
    # Two seconds an answer and two at a time: the last one starts a long while after the first has ended.
    folder = write_recordings(tmp_path / "replay", [behaviour(f"p{number}") for number in range(1, 25)])
    run_id = _plan(database, _add_probes(database, 24), at_once=2, latency=1.0)
    progress = Progress()
    save_settings(Settings(keeps_logs=True))

    first = run_evaluation(
        database, run_id, folder, progress, on_answer=lambda _: progress.cancel(), start_worker=start_worker
    )
    started = list(lent_worker.started)
    assert first.is_cancelled
    assert set(first.by_ending) == {Ending.ANSWERED}
    assert first.stored == len(started) < 24
    assert first.left == 24 - first.stored

    hurry(database)
    second = run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    assert (second.stored, second.left, second.is_cancelled) == (first.left, 0, False)
    assert len(lent_worker.started) == len(set(lent_worker.started)) == 24
    # Two calls to the model for each sample, as recorded: not one was made twice.
    assert _model_calls(log_folder(database, RunStore(database).get(run_id))) == 48

    third = run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    assert (third.stored, third.left) == (0, 0)
    assert len(_logs(database, run_id)) == 2


def _logs(database: Database, run_id: RunId) -> list[Path]:
    """The engine's logs of a run that are there now."""
    return sorted(log_folder(database, RunStore(database).get(run_id)).rglob("*.eval"))


def _model_calls(folder: Path) -> int:
    from inspect_ai.event import ModelEvent
    from inspect_ai.log import read_eval_log

    logs = [read_eval_log(str(path)) for path in sorted(folder.glob("*.eval"))]
    return sum(isinstance(event, ModelEvent) for log in logs for sample in log.samples or [] for event in sample.events)


def test_stopping_at_once_keeps_the_attempts_and_leaves_their_items_pending(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    folder = write_recordings(
        tmp_path / "replay",
        [behaviour("p1", []), *(behaviour(f"p{number}", [["speakers autumn"]] * 15) for number in range(2, 7))],
    )
    run_id = _plan(database, _add_probes(database, 6), at_once=3, latency=2.0)
    control = RunControl()
    outcome = run_evaluation(
        database,
        run_id,
        folder,
        Progress(),
        control=control,
        on_answer=lambda _: control.stop_now(),
        start_worker=start_worker,
    )
    assert outcome.by_ending[Ending.ANSWERED] == 1
    assert 1 <= outcome.by_ending[Ending.CANCELLED] <= 3
    assert (outcome.left, outcome.is_cancelled) == (5, True)
    [progress] = RunStore(database).progress(run_id)
    assert (progress.pending, progress.attempts) == (5, outcome.stored)
    assert progress.by_ending == {Ending.ANSWERED: 1}
    # All of it is stored: the engine's log is not needed any more.
    assert _logs(database, run_id) == []


def test_a_paused_run_starts_nothing_until_it_goes_on(
    database: Database, tmp_path: Path, lent_worker: LentWorker, start_worker: Start
) -> None:
    folder = write_recordings(tmp_path / "replay", [behaviour(f"p{number}") for number in range(1, 25)])
    run_id = _plan(database, _add_probes(database, 24), at_once=2, latency=0.5)
    control, paused_at = RunControl(), threading.Event()
    answers = AnswerStore(database)
    at_rest: list[int] = []

    def pause_once(_: int) -> None:
        if not paused_at.is_set():
            paused_at.set()
            control.pause()

    def go_on() -> None:
        paused_at.wait(60)
        # At rest: everything that was started is stored, and a second later nothing more was.
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            before = len(lent_worker.started)
            time.sleep(1.0)
            if before == len(lent_worker.started) == len(answers.ids(run_id)):
                at_rest.append(before)
                break
        control.resume()

    thread = threading.Thread(target=go_on)
    thread.start()
    outcome = run_evaluation(
        database, run_id, folder, Progress(), control=control, on_answer=pause_once, start_worker=start_worker
    )
    thread.join()
    # A run that goes on while it is paused comes to rest at its end only.
    [count] = at_rest
    assert count < 24
    assert outcome.by_ending == {Ending.ANSWERED: 24}


def test_failed_items_can_be_tried_again(
    database: Database, tmp_path: Path, lent_worker: LentWorker, start_worker: Start
) -> None:
    replay = tmp_path / "replay"
    write_recordings(replay, [behaviour("p1"), behaviour("p2", ending="failed", reason="503")])
    run_id = _plan(database, _add_probes(database, 2))
    run_evaluation(database, run_id, replay, Progress(), start_worker=start_worker)
    assert _endings(database, run_id) == {"p1": Ending.ANSWERED, "p2": Ending.FAILED}

    write_recordings(replay, [behaviour("p1"), behaviour("p2")])
    assert RunStore(database).retry_failed(run_id) == 1
    lent_worker.started.clear()
    run_evaluation(database, run_id, replay, Progress(), start_worker=start_worker)
    assert _endings(database, run_id) == {"p1": Ending.ANSWERED, "p2": Ending.ANSWERED}
    assert len(lent_worker.started) == 1


def test_cancelling_while_the_engine_is_still_loading_ends_soon(database: Database, tmp_path: Path) -> None:
    folder = write_recordings(tmp_path / "replay", [behaviour("p1")])
    run_id = _plan(database, _add_probes(database, 1))
    progress = Progress()
    heard: list[Event | None] = []

    class Loading(Worker):
        """Is waited for once before the run is cancelled."""

        def next_event(self, seconds: float) -> Event | None:
            """As a worker's, after nothing has come at first."""
            if not heard:
                progress.cancel()
                heard.append(None)
                return None
            heard.append(super().next_event(60))
            return heard[-1]

    outcome = run_evaluation(database, run_id, folder, progress, start_worker=Loading)
    # Nobody waits until it has loaded.
    assert heard[1:] == [Exited(-signal.SIGKILL)]
    assert outcome == RunOutcome(0, {}, left=1, is_cancelled=True)
    assert RunStore(database).get(run_id).lease_owner == ""


# -- crashes -------------------------------------------------------------------------------------------------


def test_answers_that_could_not_be_stored_are_recovered_by_the_next_session(
    database: Database, tmp_path: Path, lent_worker: LentWorker, start_worker: Start
) -> None:
    folder = write_recordings(tmp_path / "replay", [behaviour(f"p{number}") for number in range(1, 9)])
    run_id = _plan(database, _add_probes(database, 8), at_once=4)

    def die(_: int) -> None:
        # By now the worker has finished more than this process has stored.
        deadline = time.monotonic() + 60
        while sum(isinstance(event, Finished) for event in list(lent_worker._events.queue)) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        raise RuntimeError("the window is gone")

    with pytest.raises(RuntimeError, match="the window is gone"):
        run_evaluation(database, run_id, folder, Progress(), on_answer=die, start_worker=start_worker)
    assert len(_endings(database, run_id)) == 1
    assert len(_logs(database, run_id)) == 1
    lent_worker.started.clear()
    outcome = run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    assert (outcome.stored, outcome.left) == (7, 0)
    assert len(lent_worker.started) < 7
    assert _logs(database, run_id) == []


def test_a_full_disk_ends_in_a_sentence_and_nothing_is_lost_or_doubled(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    """No room for the next answers: the run stops and says so; with room again it goes on to one answer an item."""
    long = [
        behaviour(f"p{number}", answer=f"Ask number {number}. " + os.urandom(60_000).hex()) for number in range(1, 9)
    ]
    folder = write_recordings(tmp_path / "replay", long)
    run_id = _plan(database, _add_probes(database, 8), at_once=2)
    connection = database.read()
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 60}")
    with pytest.raises(ProjectError, match="no space left"):
        run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    assert len(_endings(database, run_id)) < 8
    assert database.integrity_problems() == []
    connection.execute("PRAGMA max_page_count = 1000000")
    outcome = run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    assert outcome.left == 0
    assert _endings(database, run_id) == {f"p{number}": Ending.ANSWERED for number in range(1, 9)}
    assert len(AnswerStore(database).ids(run_id, only_final=False)) == 8


class _LosingWorker(Worker):
    """A worker whose app hears of three samples, and which is killed when six have finished."""

    finished = 0

    def next_event(self, seconds: float) -> Event | None:
        """As a worker's, less what is lost."""
        event = super().next_event(seconds)
        if isinstance(event, Finished):
            self.finished += 1
            if self.finished == 6:
                self.kill()
            if self.finished > 3:
                return None
        return event


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_what_it_had_finished_is_not_asked_again(
    database: Database, tmp_path: Path, lent_worker: LentWorker
) -> None:
    folder = write_recordings(
        tmp_path / "replay",
        [behaviour(f"p{number}", model=model) for model in ("Larkspur-2", "Juniper-Air") for number in range(1, 7)],
    )
    configurations = [shared_configuration(model, Effort.LOW) for model in ("Larkspur-2", "Juniper-Air")]
    run_id = _plan(database, _add_probes(database, 6), configurations, at_once=2, latency=0.15)
    told: list[str] = []
    first: list[Worker] = []

    def start(_: Path) -> Worker:
        """First one that dies; then the session's, which looks for what that one had finished."""
        if first:
            return lent_worker
        first.append(_LosingWorker(lent_worker.folder))
        return first[0]

    outcome = run_evaluation(
        database, run_id, folder, Progress(lambda report: told.append(report.text)), start_worker=start
    )
    assert outcome.by_ending == {Ending.ANSWERED: 12}
    # Six had finished before the kill, three of them unheard of: at most six are left for the second worker.
    assert 0 < len(lent_worker.started) <= 6
    assert "looking for answers that an earlier session left" in told
    assert len(AnswerStore(database).ids(run_id, only_final=False)) == 12
    assert [each.done for each in RunStore(database).progress(run_id)] == [6, 6]
    log = [line.text for line in RunLogStore(database).lines(run_id)]
    assert "the evaluation worker is gone (exit code -9)" in log
    assert _logs(database, run_id) == []


def test_a_worker_that_dies_again_and_again_is_given_up(database: Database, tmp_path: Path) -> None:
    folder = write_recordings(tmp_path / "replay", [behaviour("p1")])
    run_id = _plan(database, _add_probes(database, 1))
    started: list[Worker] = []

    def start(state: Path) -> Worker:
        started.append(Worker(state))
        started[-1].kill()
        return started[-1]

    with pytest.raises(RunError, match="failed 3 times") as raised:
        run_evaluation(database, run_id, folder, Progress(), start_worker=start)
    assert "worker.log" in raised.value.remedy
    assert len(started) == 3
    assert RunStore(database).get(run_id).lease_owner == ""


# -- refusals ------------------------------------------------------------------------------------------------


def test_a_run_that_goes_on_elsewhere_is_left_alone(database: Database, tmp_path: Path, start_worker: Start) -> None:
    folder = write_recordings(tmp_path / "replay", [behaviour("p1")])
    run_id = _plan(database, _add_probes(database, 1))
    LeaseStore(database).take(run_id, "another window", 60)
    with pytest.raises(RunError, match="already going"):
        run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    assert len(RunStore(database).pending(run_id)) == 1
    assert RunStore(database).get(run_id).lease_owner == "another window"


def test_a_run_that_another_process_took_over_stops(
    database: Database, tmp_path: Path, start_worker: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("btc_gui.jobs.run_session._RENEW_SECONDS", 0.0)
    folder = write_recordings(tmp_path / "replay", [behaviour(f"p{number}") for number in range(1, 5)])
    run_id = _plan(database, _add_probes(database, 4), at_once=1, latency=0.2)

    def take_over(_: int) -> None:
        with database.write() as connection:
            connection.execute("UPDATE run SET lease_owner = 'another window'")

    with pytest.raises(RunError, match="taken over"):
        run_evaluation(database, run_id, folder, Progress(), on_answer=take_over, start_worker=start_worker)
    assert len(_endings(database, run_id)) == 1


def test_runs_that_nobody_named_have_names_of_their_own(database: Database) -> None:
    """A run is gone on with by its name, too."""
    probe = _add_probes(database, 1)[0]
    for _ in range(3):
        configurations = [shared_configuration("Larkspur-2", Effort.LOW)]
        plan_run(database, " ", configurations, [(probe.id, probe.revision_id)], 1, "tests", make_recipe())
    names = [run.name for run in RunStore(database).fetch(RunStore(database).ids()).values()]
    assert len(set(names)) == 3
    assert all(name.startswith("Evaluation of ") for name in names)


def test_wrong_recordings_are_refused_before_anything_starts(database: Database, tmp_path: Path) -> None:
    run_id = _plan(database, _add_probes(database, 1))

    def never(_: Path) -> Worker:
        raise AssertionError("no worker is wanted")

    with pytest.raises(RunError, match="replay folder"):
        run_evaluation(database, run_id, None, Progress(), start_worker=never)
    with pytest.raises(RunError, match=r"There is no agents\.jsonl in “.*nowhere”"):
        run_evaluation(database, run_id, tmp_path / "nowhere", Progress(), start_worker=never)
    folder = write_recordings(tmp_path / "replay", [behaviour("p1")])
    (folder / "agents.jsonl").write_text('{"model": "Larkspur-2"}\n')
    with pytest.raises(RunError, match=r"Line 1 of agents\.jsonl"):
        run_evaluation(database, run_id, folder, Progress(), start_worker=never)


def test_a_run_planned_under_another_system_prompt_is_refused(database: Database, tmp_path: Path) -> None:
    from dataclasses import replace

    configuration = replace(shared_configuration("Larkspur-2", Effort.LOW), prompt_hash="0" * 64)
    run_id = _plan(database, _add_probes(database, 1), [configuration])
    folder = write_recordings(tmp_path / "replay", [behaviour("p1")])
    with pytest.raises(RunError, match="system prompt has changed"):
        run_evaluation(database, run_id, folder, Progress())


def test_there_must_be_something_to_run(database: Database) -> None:
    configuration = shared_configuration("Larkspur-2", Effort.LOW)
    probe = _add_probes(database, 1)[0]
    items = [(probe.id, probe.revision_id)]
    with pytest.raises(RunError, match="no probe"):
        plan_run(database, "", [configuration], [], 1, "tests")
    with pytest.raises(RunError, match="no configuration"):
        plan_run(database, "", [], items, 1, "tests")
    with pytest.raises(RunError, match="at least once"):
        plan_run(database, "", [configuration], items, 0, "tests")
    assert RunStore(database).ids() == []
    run_id = plan_run(database, "  ", [configuration], items, 1, "tests")
    # By the day it was planned on, not by the one that agents are told.
    assert RunStore(database).get(run_id).name.endswith(str(date.today().year))


# -- forecasts -----------------------------------------------------------------------------------------------


def test_a_forecast_says_whether_it_is_measured_or_assumed(database: Database) -> None:
    low, high = shared_configuration("Larkspur-2", Effort.LOW), shared_configuration("Larkspur-2", Effort.HIGH)
    run_id = _plan(database, _add_probes(database, 3), [low])
    add_answer(database, run_id, make_trajectory(seconds=10.0))
    add_answer(database, run_id, make_trajectory(seconds=20.0))
    add_answer(database, run_id, make_trajectory(seconds=9_999.0, ending=Ending.FAILED))

    told = forecast(database, [low, high], items=100, repetitions=2, at_once=10)

    assert [(row.answers, row.basis) for row in told.rows] == [(200, "measured in this project"), (200, "assumed")]
    # One query and the answer: two calls each, 900 tokens in and 120 out, 15 seconds on average.
    assert (told.rows[0].calls, told.rows[0].seconds) == (400, 3_000)
    assert (told.rows[0].usage.input, told.rows[0].usage.output) == (180_000, 24_000)
    assert told.answers == 400
    assert told.calls == told.rows[0].calls + told.rows[1].calls
    assert told.seconds == (told.rows[0].seconds + told.rows[1].seconds) / 10
