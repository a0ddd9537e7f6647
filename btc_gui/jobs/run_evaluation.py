"""Run an evaluation: plan it, say what it will take, drive it in the worker, store every answer as it comes."""

from __future__ import annotations

import os
import platform
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.configuration import Configuration, ConfigurationId, Harness
from btc_gui.domain.forecast import Forecast, forecast_of
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import AT_ONCE, PlannedItem, Purpose, Run, RunId, RunItemId, RunRecipe
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.shard import Shard
from btc_gui.domain.trajectory import AnswerId, Ending, Trajectory
from btc_gui.errors import RunError
from btc_gui.evals.messages import (
    MAX_SAMPLES,
    Done,
    EvaluationRequest,
    Exited,
    Fatal,
    Finished,
    Retried,
    Started,
)
from btc_gui.evals.no_search import RecordedNoSearch
from btc_gui.evals.replay import SEARCHES_FILE, RecordedAgents
from btc_gui.evals.search.opening import check_search
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.run_agents import RunAgents, keep_prompts
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.leases import LeaseStore
from btc_gui.store.runs import RunStore

#: How long a run belongs to a process that says nothing more, and how often it says so.
_LEASE_SECONDS = 20.0
_RENEW_SECONDS = 5.0
_TICK_SECONDS = 0.2
#: How often the worker may fail in a row without one more answer.
_MAX_FAILURES = 3
#: How many answers of a filter are stored in one transaction at most.
_BATCH = 50


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What one session of a run did: attempts stored, by their ending, and items still without an answer."""

    stored: int
    by_ending: Mapping[Ending, int]
    left: int
    is_cancelled: bool = False


class RunControl:
    """How a person steers a run that is going. Safe from any thread."""

    def __init__(self) -> None:
        self._paused = threading.Event()
        self._stopped = threading.Event()

    def pause(self) -> None:
        """Start no new samples; those in flight go on."""
        self._paused.set()

    def resume(self) -> None:
        """Start new samples again."""
        self._paused.clear()

    def stop_now(self) -> None:
        """Cancel what is in flight; cancelling through `Progress` lets it finish instead."""
        self._stopped.set()

    @property
    def is_paused(self) -> bool:
        """Whether the run is to be paused."""
        return self._paused.is_set()

    @property
    def is_stopped(self) -> bool:
        """Whether the run is to be stopped at once."""
        return self._stopped.is_set()


def plan_run(
    database: Database,
    name: str,
    configurations: Sequence[Configuration],
    items: Sequence[tuple[ProbeId, RevisionId]],
    repetitions: int,
    created_by: str,
    recipe: RunRecipe | None = None,
) -> RunId:
    """Plan a run over `items` × `configurations` × `repetitions`; nothing is asked yet.

    Without a recipe: scripted agents, told today's date. Raises `RunError` when there is nothing to run.
    """
    return plan_each(database, name, [(each, items) for each in configurations], repetitions, created_by, recipe)


def plan_each(
    database: Database,
    name: str,
    plan: Sequence[tuple[Configuration, Sequence[tuple[ProbeId, RevisionId]]]],
    repetitions: int,
    created_by: str,
    recipe: RunRecipe | None = None,
) -> RunId:
    """Plan a run in which each configuration has items of its own (those of its model's sample); see `plan_run`."""
    if not plan:
        raise RunError("There is no configuration to run.", "Choose at least one model and effort.")
    if not any(items for _, items in plan):
        raise RunError("There is no probe to run.", "Accept some probes in the review first.")
    if repetitions < 1:
        raise RunError("Every probe is to be answered at least once.")
    recipe = recipe or RunRecipe(current_date=date.today().isoformat())
    keep_prompts(database, [configuration for configuration, _ in plan])
    name = name.strip() or f"Evaluation of {recipe.current_date}"
    return RunStore(database).create_each(name, recipe, plan, repetitions, created_by)


def forecast(
    database: Database,
    configurations: Sequence[Configuration],
    items: int,
    repetitions: int = 1,
    *,
    at_once: int = AT_ONCE,
) -> Forecast:
    """What a run over `items` probes will take: calls, tokens, time."""
    answers = [(configuration, items * repetitions) for configuration in configurations]
    return forecast_of(answers, RunStore(database).typical(), at_once)


def forecast_plan(
    database: Database,
    plan: Sequence[tuple[Configuration, Sequence[tuple[ProbeId, RevisionId]]]],
    repetitions: int = 1,
    *,
    at_once: int = AT_ONCE,
) -> Forecast:
    """What a run in which each configuration has items of its own will take."""
    answers = [(configuration, len(items) * repetitions) for configuration, items in plan]
    return forecast_of(answers, RunStore(database).typical(), at_once)


def forecast_left(database: Database, run_id: RunId) -> Forecast:
    """What the pending items of a run will take."""
    store = RunStore(database)
    answers = [(each.configuration, each.pending) for each in store.progress(run_id) if each.pending]
    return forecast_of(answers, store.typical(), store.get(run_id).recipe.at_once)


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
) -> RunOutcome:
    """Answer the pending items of a run (or of one shard of it), and only those; each answer is stored at once.

    Cancelling `progress` starts nothing new and stores what is still in flight; `control.stop_now` cancels
    that too (cancelled attempts are kept, their items stay pending). `on_answer` is called, from this thread,
    after each stored attempt. `replay_folder` holds the recordings of scripted agents and searches.

    Raises `RunError` when another process drives the run, the recordings can't be read, or the worker fails
    again and again; what was answered by then is stored.
    """
    run = RunStore(database).get(run_id)
    agents = RunAgents.of(database, run)
    if agents.is_any_scripted:
        _check_recordings(replay_folder)
    _check_searches(database, run, replay_folder, progress)
    drive = _Drive(
        database, run, agents, replay_folder, progress, control or RunControl(), on_answer, start_worker, shard
    )
    return drive.go()


def log_folder(database: Database, run: Run) -> Path:
    """Where the engine's logs of a run are: in the user's state folder, apart for each project file and run."""
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


class _Drive:
    """One session of a run, on one thread, which is also the only one that writes."""

    def __init__(
        self,
        database: Database,
        run: Run,
        agents: RunAgents,
        replay_folder: Path | None,
        progress: Progress,
        control: RunControl,
        on_answer: Callable[[AnswerId], None] | None,
        start_worker: Callable[[Path], Worker],
        shard: Shard | None = None,
    ) -> None:
        self._run = run
        self._agents = agents
        self._replay_folder = replay_folder
        self._progress = progress
        self._control = control
        self._on_answer = on_answer
        self._start_worker = start_worker
        self._shard = shard
        self._leases = LeaseStore(database)
        self._runs = RunStore(database)
        self._answers = AnswerStore(database)
        self._logs = log_folder(database, run)
        if shard is not None:
            # Another shard's log may be growing beside this one.
            self._logs /= shard.folder
        self._owner = f"{platform.node()}, process {os.getpid()}, {secrets.token_hex(3)}"
        self._renewed_at = 0.0
        self._worker: Worker | None = None
        self._is_paused = False
        self._has_begun = False
        self._is_draining = False
        self._is_stopping = False
        self._by_ending: Counter[Ending] = Counter()
        self._titles: dict[ConfigurationId, str] = {}
        self._planned: Counter[ConfigurationId] = Counter()
        self._done: Counter[ConfigurationId] = Counter()
        self._pending: dict[RunItemId, PlannedItem] = {}
        self._arrived: dict[RunItemId, Trajectory] = {}
        self._in_flight = 0
        self._text = ""

    def go(self) -> RunOutcome:
        """Drive the run until nothing is pending or somebody stops it."""
        self._leases.take(self._run.id, self._owner, _LEASE_SECONDS, self._shard)
        self._renewed_at = time.monotonic()
        try:
            self._look()
            self._tell()
            self._answer_pending()
        finally:
            if self._worker is not None:
                self._worker.close()
            self._leases.release(self._run.id, self._owner, self._shard)
        return RunOutcome(
            stored=self._by_ending.total(),
            by_ending=dict(self._by_ending),
            left=len(self._pending),
            is_cancelled=self._is_to_end and bool(self._pending),
        )

    def _look(self) -> None:
        """Read from the store what is planned and what is pending."""
        for each in self._runs.progress(self._run.id):
            self._titles[each.configuration_id] = each.configuration.title
            self._planned[each.configuration_id] = each.planned
            self._done[each.configuration_id] = each.done
        pending = self._runs.pending(self._run.id)
        self._pending = {item.id: item for item in (self._shard.of(pending) if self._shard else pending)}

    # -- requests --------------------------------------------------------------------------------------------

    def _answer_pending(self) -> None:
        failures = 0
        while self._pending and not self._is_to_end:
            before = len(self._pending)
            over = self._one_request()
            if isinstance(over, Fatal):
                raise RunError(f"The evaluation can't go on: {over.reason}", "What was answered so far is stored.")
            failures = 0 if len(self._pending) < before else failures + 1
            if failures >= _MAX_FAILURES and not self._is_to_end:
                raise RunError(
                    f"The evaluation worker failed {failures} times without one more answer.",
                    f"What was answered so far is stored. The worker's log is {self._worker_folder / 'worker.log'}.",
                )

    def _one_request(self) -> Done | Fatal | Exited:
        """Ask for the first pending items of one configuration; a new worker first recovers what an old one left."""
        if self._worker is None or not self._worker.is_alive:
            over = self._start()
            if not isinstance(over, Done) or not self._pending or self._is_to_end:
                return over
        assert self._worker is not None
        first = next(iter(self._pending.values()))
        batch = [item for item in self._pending.values() if item.configuration_id == first.configuration_id]
        self._in_flight = 0
        self._text = f"{self._titles[first.configuration_id]}: starting"
        self._tell()
        request = self._request(first.configuration_id, batch[:MAX_SAMPLES])
        self._worker.run(request)
        over = self._until_over(self._worker)
        if isinstance(over, Done):
            self._discard(self._logs.glob(f"*_{request.name}_*.eval"))
        return over

    @property
    def _worker_folder(self) -> Path:
        return paths.state() / "evaluation"

    def _start(self) -> Done | Fatal | Exited:
        if self._worker is not None:
            self._worker.close()
        self._text = "starting the evaluation worker"
        self._tell()
        self._worker = self._start_worker(self._worker_folder)
        self._is_paused = False
        self._has_begun = False
        # A whole run also finds what shards of it left.
        logs = sorted(self._logs.rglob("*.eval"))
        if not logs:
            return Done()
        self._text = "looking for answers that an earlier session left"
        self._tell()
        self._worker.recover(logs, self._answers.uuids(self._run.id))
        over = self._until_over(self._worker)
        if isinstance(over, Done):
            self._discard(logs)
        return over

    def _discard(self, logs: Iterable[Path]) -> None:
        """Delete the logs of a filter whose answers are all rows now: there would be hundreds of thousands."""
        if self._run.purpose is Purpose.FILTER:
            for log in logs:
                log.unlink(missing_ok=True)

    def _request(self, configuration_id: ConfigurationId, items: Sequence[PlannedItem]) -> EvaluationRequest:
        configuration = self._runs.configurations([configuration_id])[configuration_id]
        return self._agents.request(
            self._run,
            configuration_id,
            configuration,
            items,
            logs=str(self._logs),
            replay_folder=self._replay_folder,
            recording=str(self._logs / SEARCHES_FILE),
        )

    # -- events ----------------------------------------------------------------------------------------------

    def _until_over(self, worker: Worker) -> Done | Fatal | Exited:
        while True:
            self._renew_lease()
            self._forward_control(worker)
            event = worker.next_event(_TICK_SECONDS)
            if isinstance(event, Finished):
                self._store(event)
            elif isinstance(event, Started):
                self._has_begun = True
                self._in_flight += 1
            elif isinstance(event, Retried):
                self._text = f"{event.model}: {event.reason}, next try in {event.wait:.0f} s"
                self._tell()
            elif isinstance(event, Done | Fatal | Exited):
                self._store_arrived()
                return event
            elif event is None:
                self._store_arrived()

    def _store(self, event: Finished) -> None:
        self._in_flight = max(0, self._in_flight - 1)
        item = self._pending.get(RunItemId(event.sample))
        if item is None:
            return
        trajectory = self._agents.with_cost(item.configuration_id, event.trajectory)
        if self._run.purpose is Purpose.FILTER:
            self._arrived[item.id] = trajectory
            if len(self._arrived) >= _BATCH:
                self._store_arrived()
            return
        answer_id = self._answers.add(item.id, trajectory)
        if answer_id is not None:
            self._count(item, answer_id, trajectory.ending)

    def _store_arrived(self) -> None:
        """Store the answers of a filter that have come, in one transaction: there are very many small ones."""
        arrived, self._arrived = self._arrived, {}
        if not arrived:
            return
        for item_id, answer_id in self._answers.add_texts(list(arrived.items())).items():
            self._count(self._pending[item_id], answer_id, arrived[item_id].ending)

    def _count(self, item: PlannedItem, answer_id: AnswerId, ending: Ending) -> None:
        self._by_ending[ending] += 1
        if ending is not Ending.CANCELLED:
            del self._pending[item.id]
            self._done[item.configuration_id] += 1
        title = self._titles[item.configuration_id]
        self._text = f"{title}: {self._done[item.configuration_id]} of {self._planned[item.configuration_id]}"
        if self._is_to_end and self._in_flight:
            self._text = f"{title}: finishing {self._in_flight} in flight"
        self._tell()
        if self._on_answer is not None:
            self._on_answer(answer_id)

    def _tell(self) -> None:
        self._progress.tell(self._done.total(), self._planned.total(), self._text)

    # -- being steered ---------------------------------------------------------------------------------------

    @property
    def _is_to_end(self) -> bool:
        return self._progress.is_cancelled or self._control.is_stopped

    def _forward_control(self, worker: Worker) -> None:
        if self._is_to_end and not self._is_draining:
            self._is_draining = True
            if self._has_begun:
                worker.drain()
            else:
                # It is still loading the engine, and deaf meanwhile; nobody has been asked anything yet.
                worker.kill()
        if self._control.is_stopped and not self._is_stopping:
            self._is_stopping = True
            worker.stop()
        if self._control.is_paused != self._is_paused:
            self._is_paused = self._control.is_paused
            if self._is_paused:
                worker.pause()
                self._text = "paused"
            else:
                worker.resume()
                self._text = "going on"
            self._tell()

    def _renew_lease(self) -> None:
        if time.monotonic() - self._renewed_at > _RENEW_SECONDS:
            self._leases.renew(self._run.id, self._owner, _LEASE_SECONDS, self._shard)
            self._renewed_at = time.monotonic()
