"""One session of a run: its configurations side by side in one worker, each answer stored as it comes."""

from __future__ import annotations

import os
import platform
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.run import PlannedItem, Purpose, Run, RunItemId
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
    GivenUp,
    Retried,
    Started,
)
from btc_gui.evals.replay import SEARCHES_FILE
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.run_agents import RunAgents
from btc_gui.jobs.spending import Budget
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.leases import LeaseStore
from btc_gui.store.run_log import RunLogStore
from btc_gui.store.runs import RunStore

#: How long a run belongs to a process that says nothing more, and how often it says so.
_LEASE_SECONDS = 20.0
_RENEW_SECONDS = 5.0
_TICK_SECONDS = 0.2
#: Counts of calls made again are stored this often at most.
_COUNT_SECONDS = 1.0
#: How often the worker may fail in a row without one more answer.
_MAX_FAILURES = 3
#: How many answers of a filter are stored in one transaction at most, and how long one waits for others.
_BATCH = 50
_BATCH_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What one session of a run did: attempts stored, by their ending, and items still without an answer.

    `reason` says why it ended before its end, when it was not a person who stopped it.
    """

    stored: int
    by_ending: Mapping[Ending, int]
    left: int
    is_cancelled: bool = False
    reason: str = ""


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


class RunSession:
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
        logs: Path,
        shard: Shard | None = None,
        budget: Budget | None = None,
        *,
        keeps_logs: bool = False,
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
        self._log = RunLogStore(database)
        self._logs = logs
        # A filter has hundreds of thousands of samples, whose logs say nothing that their answers do not.
        self._keeps_logs = keeps_logs and run.purpose is not Purpose.FILTER
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
        self._arrived_at = 0.0
        self._configurations: dict[ConfigurationId, Configuration] = {}
        #: The configurations of the requests that are going, by the request's name.
        self._asked: dict[str, ConfigurationId] = {}
        self._given_up: dict[ConfigurationId, str] = {}
        self._own = Budget(run.recipe.max_cost)
        self._shared = budget or Budget()
        self._retries: Counter[tuple[ConfigurationId, str]] = Counter()
        self._counted_at = 0.0
        self._in_flight = 0
        self._text = ""

    def go(self) -> RunOutcome:
        """Drive the run until nothing is pending or somebody stops it."""
        self._leases.take(self._run.id, self._owner, _LEASE_SECONDS, self._shard)
        self._renewed_at = time.monotonic()
        try:
            self._look()
            self._refuse_over_limit()
            self._tell()
            if self._pending:
                self._note(f"started by {self._owner}: {len(self._pending):,} to answer")
                self._answer_pending()
        except RunError as error:
            self._note(error.message)
            raise
        finally:
            if self._worker is not None:
                self._worker.close()
            self._leases.release(self._run.id, self._owner, self._shard)
        if self._by_ending or self._is_to_end:
            self._note(self._ending_words())
        return RunOutcome(
            stored=self._by_ending.total(),
            by_ending=dict(self._by_ending),
            left=len(self._pending),
            is_cancelled=self._is_to_end and bool(self._pending),
            reason=self._limit_words if self._is_capped and self._pending else "",
        )

    def _refuse_over_limit(self) -> None:
        if self._pending and self._own.is_reached:
            raise RunError(
                self._own.words, "To go on raise the limit: “btc-gui evaluate --resume RUN --max-cost DOLLARS”."
            )

    @property
    def _is_capped(self) -> bool:
        return self._own.is_reached or self._shared.is_reached

    @property
    def _limit_words(self) -> str:
        return (self._own if self._own.is_reached else self._shared).words

    def _ending_words(self) -> str:
        counts = [f"{count:,} {ending.text}" for ending, count in sorted(self._by_ending.items())]
        how = "stopped" if self._is_to_end and self._pending else "ended"
        return ", ".join([f"{how} with {len(self._pending):,} left", *counts])

    def _note(self, text: str, configuration_id: ConfigurationId | None = None) -> None:
        self._log.add(self._run.id, text, configuration_id)

    def _look(self) -> None:
        """Read from the store what is planned and what is pending."""
        for each in self._runs.progress(self._run.id):
            self._configurations[each.configuration_id] = each.configuration
            self._titles[each.configuration_id] = each.configuration.title
            self._own.add(each.cost)
            self._planned[each.configuration_id] = each.planned
            self._done[each.configuration_id] = each.done
        pending = self._runs.pending(self._run.id)
        self._pending = {item.id: item for item in (self._shard.of(pending) if self._shard else pending)}

    # -- requests --------------------------------------------------------------------------------------------

    def _answer_pending(self) -> None:
        failures = 0
        while self._is_askable and not self._is_to_end:
            before = len(self._pending)
            over = self._one_round()
            if isinstance(over, Fatal):
                raise RunError(f"The evaluation can't go on: {over.reason}", "What was answered so far is stored.")
            failures = 0 if len(self._pending) < before else failures + 1
            if isinstance(over, Exited) and not self._is_to_end:
                self._note(f"the evaluation worker is gone (exit code {over.code})")
            if failures >= _MAX_FAILURES and not self._is_to_end:
                raise RunError(
                    f"The evaluation worker failed {failures} times without one more answer.",
                    f"What was answered so far is stored. The worker's log is {self._worker_folder / 'worker.log'}.",
                )
        if self._given_up and not self._is_to_end:
            words = "; ".join(f"{self._titles[each]}: {reason}" for each, reason in self._given_up.items())
            raise RunError(f"Not everything could be asked: {words}", "All other answers are stored.")

    @property
    def _is_askable(self) -> bool:
        return any(item.configuration_id not in self._given_up for item in self._pending.values())

    def _one_round(self) -> Done | Fatal | Exited:
        """Ask for the first pending items of every configuration; a new worker first recovers what an old one left."""
        if self._worker is None or not self._worker.is_alive:
            over = self._start()
            if not isinstance(over, Done) or not self._is_askable or self._is_to_end:
                return over
        assert self._worker is not None
        self._in_flight = 0
        self._text = "starting"
        self._tell()
        requests = self._requests()
        self._worker.run(*requests)
        over = self._until_over(self._worker)
        if isinstance(over, Done):
            for request in requests:
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
        """Delete logs whose answers are all rows now, unless they are to be kept."""
        if not self._keeps_logs:
            for log in logs:
                log.unlink(missing_ok=True)

    def _requests(self) -> list[EvaluationRequest]:
        """At most `MAX_SAMPLES` pending items of each configuration, whose services are not asked too much at once."""
        items: dict[ConfigurationId, list[PlannedItem]] = {}
        for item in self._pending.values():
            if item.configuration_id not in self._given_up:
                items.setdefault(item.configuration_id, []).append(item)
        requests = {
            configuration_id: self._agents.request(
                self._run,
                configuration_id,
                self._configurations[configuration_id],
                each[:MAX_SAMPLES],
                logs=str(self._logs),
                replay_folder=self._replay_folder,
                recording=str(self._logs / SEARCHES_FILE),
            )
            for configuration_id, each in items.items()
        }
        self._asked = {request.name: configuration_id for configuration_id, request in requests.items()}
        return list(requests.values())

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
                self._retried(event)
            elif isinstance(event, GivenUp):
                self._give_up(event)
            elif isinstance(event, Done | Fatal | Exited):
                self._store_arrived()
                self._store_retries()
                return event
            elif event is None:
                self._store_arrived()
            if time.monotonic() - self._counted_at > _COUNT_SECONDS:
                self._store_retries()

    def _retried(self, event: Retried) -> None:
        self._text = f"{event.model}: {event.reason}, next try in {event.wait:.0f} s"
        self._tell()
        configuration_id = self._asked.get(event.request)
        if configuration_id is not None:
            self._retries[configuration_id, event.reason] += 1

    def _store_retries(self) -> None:
        """Count the calls that were made again, and say so once for all that came together."""
        self._counted_at = time.monotonic()
        counts, self._retries = self._retries, Counter()
        if counts:
            self._log.count_retries(self._run.id, counts)
            for (configuration_id, reason), count in counts.items():
                times = "once" if count == 1 else f"{count:,} times"
                self._note(f"{reason}: asked again {times}", configuration_id)

    def _give_up(self, event: GivenUp) -> None:
        configuration_id = self._asked.get(event.request)
        if configuration_id is not None:
            self._given_up[configuration_id] = event.reason
            self._note(f"given up: {event.reason}", configuration_id)

    def _store(self, event: Finished) -> None:
        self._in_flight = max(0, self._in_flight - 1)
        item = self._pending.get(RunItemId(event.sample))
        if item is None:
            return
        trajectory = self._agents.with_cost(item.configuration_id, event.trajectory)
        if self._run.purpose is Purpose.FILTER:
            if not self._arrived:
                self._arrived_at = time.monotonic()
            self._arrived[item.id] = trajectory
            if len(self._arrived) >= _BATCH or time.monotonic() - self._arrived_at > _BATCH_SECONDS:
                self._store_arrived()
            return
        answer_id = self._answers.add(item.id, trajectory)
        if answer_id is not None:
            self._count(item, answer_id, trajectory)

    def _store_arrived(self) -> None:
        """Store the answers of a filter that have come, in one transaction: there are very many small ones."""
        arrived, self._arrived = self._arrived, {}
        if not arrived:
            return
        for item_id, answer_id in self._answers.add_texts(list(arrived.items())).items():
            self._count(self._pending[item_id], answer_id, arrived[item_id])

    def _count(self, item: PlannedItem, answer_id: AnswerId, trajectory: Trajectory) -> None:
        self._by_ending[trajectory.ending] += 1
        was_capped = self._is_capped
        self._own.add(trajectory.cost)
        self._shared.add(trajectory.cost)
        if self._is_capped and not was_capped:
            self._note(f"{self._limit_words} What is in flight is finished.")
        if trajectory.ending is not Ending.CANCELLED:
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
        return self._progress.is_cancelled or self._control.is_stopped or self._is_capped

    def _forward_control(self, worker: Worker) -> None:
        if self._is_to_end and not self._is_draining:
            self._is_draining = True
            if not self._is_capped:
                self._note("asked to stop: what is in flight is finished")
            if self._has_begun:
                worker.drain()
            else:
                # It is still loading the engine, and deaf meanwhile; nobody has been asked anything yet.
                worker.kill()
        if self._control.is_stopped and not self._is_stopping:
            self._is_stopping = True
            self._note("stopped at once")
            worker.stop()
        if self._control.is_paused != self._is_paused:
            self._is_paused = self._control.is_paused
            self._note("paused" if self._is_paused else "going on")
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
