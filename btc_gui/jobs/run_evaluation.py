"""Run an evaluation: drive all its configurations side by side in the worker, store every answer as it comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.configuration import Harness
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.run import Run, RunId
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.shard import Shard
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import RunError
from btc_gui.evals.no_search import RecordedNoSearch
from btc_gui.evals.replay import RecordedAgents
from btc_gui.evals.search.opening import check_search
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.plan_run import forecast, forecast_left, forecast_plan, plan_each, plan_run
from btc_gui.jobs.run_agents import RunAgents
from btc_gui.jobs.run_session import RunControl, RunOutcome, RunSession
from btc_gui.jobs.spending import Budget
from btc_gui.progress import Progress
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore

__all__ = [
    "RunControl",
    "RunOutcome",
    "forecast",
    "forecast_left",
    "forecast_plan",
    "log_folder",
    "plan_each",
    "plan_run",
    "run_evaluation",
]


def run_evaluation(
    database: Database,
    run_id: RunId,
    replay_folder: Path | None,
    progress: Progress,
    *,
    control: RunControl | None = None,
    on_answer: Callable[[AnswerId], None] | None = None,
    start_worker: Callable[[Path], Worker] = Worker,
    shard: Shard | None = None,
    budget: Budget | None = None,
) -> RunOutcome:
    """Answer the pending items of a run (or of one shard of it), and only those; each answer is stored at once.

    Cancelling `progress` starts nothing new and stores what is still in flight; `control.stop_now` cancels
    that too (cancelled attempts are kept, their items stay pending). `on_answer` is called, from this thread,
    after each stored attempt. `replay_folder` holds the recordings of scripted agents and searches.

    All configurations go side by side, each service with no more samples at a time than its limit and the run's.
    Once the known costs of the run reach the recipe's `max_cost`, or those of all that shares the `budget` its limit,
    nothing new is started; what is in flight is still paid for. A configuration that can't be asked is given up
    alone, after which the others go on.

    Raises `RunError` when another process drives the run, the cost limit is reached already, the recordings can't
    be read, a configuration was given up, or the worker fails again and again; what was answered is stored.
    """
    run = RunStore(database).get(run_id)
    agents = RunAgents.of(database, run)
    if agents.is_any_scripted:
        _check_recordings(replay_folder)
    _check_searches(database, run, replay_folder, progress)
    return RunSession(
        database,
        run,
        agents,
        replay_folder,
        progress,
        control or RunControl(),
        on_answer,
        start_worker,
        log_folder(database, run),
        shard,
        budget,
        keeps_logs=load_settings().keeps_logs,
    ).go()


def log_folder(database: Database, run: Run) -> Path:
    """Where the engine's logs of a run are: in the user's state folder, apart for each project file and run.

    They are there while samples go, and after a crash until the run is gone on with; else only if the settings say
    so (`keeps_logs`). What live searches found is recorded beside them, and stays.
    """
    identity = hash_of([str(database.path), run.id, run.created_at])
    return paths.state() / "evaluation" / "logs" / f"run-{run.id}-{identity[:12]}"


def _check_recordings(replay_folder: Path | None) -> None:
    """Say what is wrong with the recordings now rather than in every single sample."""
    if replay_folder is None:
        raise RunError("Scripted agents need a replay folder.", "Name the folder that holds the recordings.")
    RecordedAgents(replay_folder)
    RecordedNoSearch(replay_folder)


def _check_searches(database: Database, run: Run, replay_folder: Path | None, progress: Progress) -> None:
    """A search that can't work is refused before anybody is asked."""
    for each in RunStore(database).progress(run.id):
        if each.pending and each.configuration.harness is Harness.SHARED:
            check_search(SearchSettings.from_configuration(each.configuration), replay_folder, progress)
