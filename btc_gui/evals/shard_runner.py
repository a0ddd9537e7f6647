"""Run a shard without a project: requests in, logs in a shared place out. What its logs hold is not asked again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from btc_gui.domain.trajectory import Ending
from btc_gui.errors import RunError
from btc_gui.evals.log_messages import LogOpened, LogsListed
from btc_gui.evals.messages import MAX_SAMPLES, Done, EvaluationRequest, Event, Exited, Fatal, Finished, Started
from btc_gui.evals.replay import SEARCHES_FILE
from btc_gui.evals.supervisor import Worker
from btc_gui.progress import Progress

_TICK_SECONDS = 0.2
#: How often the worker may fail in a row without one more answer.
_MAX_FAILURES = 3


@dataclass(frozen=True, slots=True)
class ShardOutcome:
    """What one run of a shard did: samples asked for, found in the logs already, and finished now."""

    asked: int
    known: int
    finished: int

    @property
    def left(self) -> int:
        """Samples without an answer: the run was stopped."""
        return self.asked - self.known - self.finished


def run_requests(
    requests: Sequence[EvaluationRequest],
    place: str,
    progress: Progress,
    *,
    start_worker: Callable[[Path], Worker] = Worker,
) -> ShardOutcome:
    """Answer the samples of `requests`; their logs go to `place` (a folder, or anything that fsspec knows).

    Samples that an earlier attempt left there are not asked again; those that a killed one had not yet written
    are. Cancelling lets what is in flight finish. Raises `RunError` when a request can't be carried out, or the
    worker fails again and again.
    """
    with tempfile.TemporaryDirectory(prefix="btc-gui-shard-") as folder:
        return _Shard(requests, place, progress, lambda: start_worker(Path(folder))).go()


class _Shard:
    def __init__(
        self,
        requests: Sequence[EvaluationRequest],
        place: str,
        progress: Progress,
        start_worker: Callable[[], Worker],
    ) -> None:
        # A line can't be appended to a file that is elsewhere: there, what searches found is in the logs only.
        recording = "" if "://" in place else str(Path(place) / SEARCHES_FILE)
        self._requests = [replace(each, log_folder=place, recording=recording) for each in requests]
        self._place = place
        self._progress = progress
        self._start_worker = start_worker
        self._worker: Worker | None = None
        self._asked = sum(len(each.samples) for each in requests)
        self._done: set[int] = set()
        self._finished = 0
        self._is_draining = False
        self._has_begun = False

    def go(self) -> ShardOutcome:
        """Ask until nothing is left or somebody stops it."""
        try:
            self._look()
            known = len(self._done)
            failures = 0
            while (request := self._next()) is not None and not self._progress.is_cancelled:
                before = len(self._done)
                over = self._carry_out(request)
                if isinstance(over, Fatal):
                    raise RunError(f"The shard can't go on: {over.reason}", "Its logs hold what was answered so far.")
                failures = 0 if len(self._done) > before else failures + 1
                if failures >= _MAX_FAILURES:
                    raise RunError(f"The evaluation worker failed {failures} times without one more answer.")
        finally:
            if self._worker is not None:
                self._worker.close()
        return ShardOutcome(self._asked, known, self._finished)

    def _next(self) -> EvaluationRequest | None:
        """What is still to be asked of the first configuration that has something."""
        for request in self._requests:
            left = [sample for sample in request.samples if sample.id not in self._done]
            if left:
                return replace(request, samples=tuple(left[:MAX_SAMPLES]))
        return None

    # -- what is there already -------------------------------------------------------------------------------

    def _look(self) -> None:
        runs = {each.about.get("run") for each in self._requests}
        wanted = {sample.id for each in self._requests for sample in each.samples}
        self._progress.tell(0, self._asked, "looking for what an earlier attempt left")
        for path in self._logs():
            for log in self._ask(partial(Worker.open_log, path=path)):
                if isinstance(log, LogOpened) and log.about.get("run") in runs:
                    held = {str(each.id) for each in log.samples if not each.is_cancelled}
                    self._done |= {number for number in wanted if str(number) in held}

    def _logs(self) -> list[str]:
        if "://" not in self._place and not Path(self._place).is_dir():
            return []
        listed = self._ask(lambda worker: worker.list_logs(self._place))
        return [path for event in listed if isinstance(event, LogsListed) for path in event.paths]

    def _ask(self, request: Callable[[Worker], None]) -> list[Event]:
        worker = self._living()
        request(worker)
        events: list[Event] = []
        while True:
            event = worker.next_event(_TICK_SECONDS)
            if isinstance(event, Done | Fatal | Exited):
                return events
            if event is not None:
                events.append(event)

    # -- asking ----------------------------------------------------------------------------------------------

    def _living(self) -> Worker:
        if self._worker is None or not self._worker.is_alive:
            if self._worker is not None:
                self._worker.close()
            self._worker = self._start_worker()
            self._has_begun = False
        return self._worker

    def _carry_out(self, request: EvaluationRequest) -> Event:
        worker = self._living()
        worker.run(request)
        while True:
            if self._progress.is_cancelled and not self._is_draining and self._has_begun:
                self._is_draining = True
                worker.drain()
            event = worker.next_event(_TICK_SECONDS)
            if isinstance(event, Started):
                self._has_begun = True
            elif isinstance(event, Finished) and event.trajectory.ending is not Ending.CANCELLED:
                self._done.add(event.sample)
                self._finished += 1
                self._progress.tell(len(self._done), self._asked, "")
            elif isinstance(event, Done | Fatal | Exited):
                return event
