"""Run a run in shards: into logs at a shared place, here or on a cluster. Loading those logs is the way back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from btc_gui.domain.configuration import Harness
from btc_gui.domain.run import Run, RunId
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.shard import Shard, shards
from btc_gui.errors import InputError, RunError
from btc_gui.evals.messages import EvaluationRequest
from btc_gui.evals.search.opening import check_search
from btc_gui.evals.shard_runner import ShardOutcome, run_requests
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.load_logs import LogOutcome, load_logs
from btc_gui.jobs.run_agents import RunAgents
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore


@dataclass(frozen=True, slots=True)
class ClusterOutcome:
    """What a cluster did: the shards by their text, and what came of loading their logs."""

    shards: dict[str, ShardOutcome]
    logs: tuple[LogOutcome, ...]
    left: int


def shard_requests(
    database: Database, run: Run, shard: Shard, replay_folder: Path | None, *, runs_here: bool
) -> list[EvaluationRequest]:
    """What a shard has to ask, one request a configuration. Only reads the project.

    Raises `InputError` for a run with a spending cap, `RunError` when a key is missing and it runs here, or a
    prompt's text is gone.
    """
    if run.recipe.max_cost is not None:
        raise InputError(
            f"The run “{run.name}” has a spending cap, which shards that only write logs can't keep to together.",
            "Run the shard into the project (without --logs), or plan a run without a cap.",
        )
    agents = RunAgents.of(database, run, runs_here=runs_here)
    if agents.is_any_scripted and replay_folder is None:
        raise RunError("Scripted agents need a replay folder.", "Name the folder that holds the recordings.")
    store = RunStore(database)
    pending = shard.of(store.pending(run.id))
    configurations = store.configurations()
    return [
        agents.request(
            run, configuration_id, configurations[configuration_id], list(items), logs="", replay_folder=replay_folder
        )
        for configuration_id, items in groupby(pending, key=lambda item: item.configuration_id)
    ]


def shard_place(place: str, run: Run, shard: Shard) -> str:
    """Where a shard's logs go below the shared place."""
    if "://" not in place:
        place = str(Path(place).resolve())
    return f"{place.rstrip('/')}/run-{run.id}/{shard.folder}"


def run_shard(
    database: Database,
    run_id: RunId,
    shard: Shard,
    place: str,
    replay_folder: Path | None,
    progress: Progress,
    *,
    start_worker: Callable[[Path], Worker] = Worker,
) -> ShardOutcome:
    """Answer the pending items of one shard into logs at `place`; the project is only read.

    Raises `RunError` as `shard_requests` and `run_requests` do.
    """
    run = RunStore(database).get(run_id)
    requests = shard_requests(database, run, shard, replay_folder, runs_here=True)
    for each in RunStore(database).progress(run_id):
        if each.pending and each.configuration.harness is Harness.SHARED:
            check_search(SearchSettings.from_configuration(each.configuration), replay_folder, progress)
    return run_requests(requests, shard_place(place, run, shard), progress, start_worker=start_worker)


def run_on_cluster(
    database: Database,
    run_id: RunId,
    scheduler: str,
    count: int,
    place: str,
    replay_folder: Path | None,
    progress: Progress,
    *,
    author: str,
    start_worker: Callable[[Path], Worker] = Worker,
) -> ClusterOutcome:
    """Have the pending items of a run answered by a Dask cluster in `count` shards, and load their logs.

    `place` must be the same place for all workers, and so must `replay_folder`; keys are the workers' own. A
    shard whose worker dies is given to another one, which goes on where the logs end. Raises `InputError` when
    the extra is not installed or `count` is no number of shards, `RunError` when the cluster can't be reached or
    a shard fails for good; then what was answered is loaded all the same.
    """
    from btc_gui.evals.cluster import run_shards

    if count < 1:
        raise InputError("A run is cut into at least one shard.")
    run = RunStore(database).get(run_id)
    work = {
        shard.text: (shard_place(place, run, shard), requests)
        for shard in shards(count)
        if (requests := shard_requests(database, run, shard, replay_folder, runs_here=False))
    }
    failure: RunError | None = None
    outcomes: dict[str, ShardOutcome] = {}
    try:
        outcomes = run_shards(scheduler, work, progress)
    except RunError as error:
        failure = error
    places = [each for each, _ in work.values() if "://" in each or Path(each).is_dir()]
    logs: list[LogOutcome] = []
    if places and not progress.is_cancelled:
        logs = load_logs(database, places, progress, author=author, start_worker=start_worker)
    if failure is not None:
        raise failure
    return ClusterOutcome(outcomes, tuple(logs), len(RunStore(database).pending(run_id)))
