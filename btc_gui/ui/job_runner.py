"""Runs jobs on worker threads; progress, results and errors come back as signals on the window's thread."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from btc_gui.errors import BtcError
from btc_gui.progress import Cancelled, Progress, Report

_log = logging.getLogger(__name__)
#: Jobs that a person started, and short reads for what is shown, have threads of their own: pages go on reading
#: while as many jobs run as there may be.
_WORKERS, _READERS = 8, 8
_PROGRESS_MILLISECONDS = 100


class RunControlLike(Protocol):
    """What can hold a job without ending it."""

    def pause(self) -> None:
        """Stop starting new work."""

    def resume(self) -> None:
        """Go on."""


class JobState(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    CANCELLING = "cancelling"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class _Task:
    """What the worker thread sees of a job: nothing of Qt."""

    def __init__(self, work: Callable[[Progress], object]) -> None:
        self.work = work
        self.latest: Report | None = None
        self.progress = Progress(self._report)
        self.future: Future[object] | None = None

    def _report(self, report: Report) -> None:
        self.latest = report

    def run(self) -> object:
        self.progress.check()
        return self.work(self.progress)


class Job(QObject):
    """One piece of work. Its signals come on the window's thread, `progressed` at most ten times a second.

    `succeeded` carries the result, `failed` the exception. A cancelled job sends `cancelled` and nothing else;
    `ended` comes last in every case.
    """

    progressed = Signal(object)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal(object)
    state_changed = Signal(object)
    withdrawn = Signal(object)

    def __init__(self, number: int, title: str, lane: str, task: _Task, control: RunControlLike | None) -> None:
        super().__init__()
        self.number, self.title, self.lane, self.control = number, title, lane, control
        self.state = JobState.WAITING
        self.report = Report(0, 0)
        self.error: BaseException | None = None
        self.is_paused = False
        self.has_failure_view = False
        self.is_quiet = False
        self.started_at = time.monotonic()
        self.task = task

    @property
    def is_over(self) -> bool:
        """Whether the job has ended, in whatever way."""
        return self.state in (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)

    def cancel(self) -> None:
        """Ask the job to stop. It ends as soon as it looks up from its work."""
        if not self.is_over:
            if self.is_paused:
                self.set_paused(False)
            has_begun = self.state is not JobState.WAITING
            self.enter(JobState.CANCELLING)
            self.task.progress.cancel()
            if not has_begun:
                self.withdrawn.emit(self)

    def set_paused(self, paused: bool) -> None:
        """Hold the job or let it go on, where its kind of work can be held."""
        if self.control is not None and not self.is_over and paused != self.is_paused:
            self.is_paused = paused
            if paused:
                self.control.pause()
            else:
                self.control.resume()
            self.state_changed.emit(self)

    def enter(self, state: JobState) -> None:
        """Take a state (for the runner)."""
        self.state = state
        self.state_changed.emit(self)

    def pass_on_progress(self) -> None:
        """Tell the latest report, if it is a new one (for the runner)."""
        latest = self.task.latest
        if latest is not None and latest is not self.report:
            self.report = latest
            self.progressed.emit(latest)

    def settle(self) -> None:
        """Tell the result (for the runner): once, on the window's thread."""
        future = self.task.future
        error = Cancelled() if future is None or future.cancelled() else future.exception()
        if isinstance(error, Cancelled):
            self.enter(JobState.CANCELLED)
            self.cancelled.emit()
        elif error is not None:
            self.error = error
            self.enter(JobState.FAILED)
            self.failed.emit(error)
        else:
            assert future is not None
            self.pass_on_progress()
            self.enter(JobState.SUCCEEDED)
            self.succeeded.emit(future.result())
        self.ended.emit(self)


class JobRunner(QObject):
    """Starts jobs. Those with the same lane (they write the same thing) wait for each other; others run together."""

    started = Signal(object)
    ended = Signal(object)
    # From the worker thread to the window's; carries only the job's number, so that no Qt object crosses over.
    _settled = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work_pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="job")
        self._read_pool = ThreadPoolExecutor(_READERS, thread_name_prefix="read")
        self._jobs: dict[int, Job] = {}
        self._lanes: dict[str, deque[Job]] = {}
        self._next_number = 1
        self._is_shut_down = self._is_unasked = False
        self._least_wait = 0.0
        self._settled.connect(self._settle, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self)
        self._timer.setInterval(_PROGRESS_MILLISECONDS)
        self._timer.timeout.connect(self._pass_on_progress)

    def start(
        self,
        title: str,
        work: Callable[[Progress], object],
        *,
        lane: str = "",
        succeeded: Callable[[Any], object] | None = None,
        failed: Callable[[Any], object] | None = None,
        progressed: Callable[[Any], object] | None = None,
        control: RunControlLike | None = None,
        is_quiet: bool = False,
    ) -> Job:
        """Run `work(progress)` on a worker thread.

        The callbacks must be bound methods of QObjects: then they run on the window's thread, and never once
        their object is gone. Without `failed`, the window shows the error. `is_quiet` keeps a short read (a list
        that refreshes) out of the job bar.
        """
        task = _Task(work)
        job = Job(self._next_number, title, lane, task, control)
        self._next_number += 1
        self._jobs[job.number] = job
        job.withdrawn.connect(self._withdraw)
        if succeeded is not None:
            job.succeeded.connect(succeeded)
        if failed is not None:
            job.failed.connect(failed)
            job.has_failure_view = True
        if progressed is not None:
            job.progressed.connect(progressed)
        job.is_quiet = is_quiet
        self.started.emit(job)
        self._timer.start()
        if lane:
            line = self._lanes.setdefault(lane, deque())
            line.append(job)
            if len(line) > 1:
                return job
        self._submit(job, task)
        return job

    def jobs(self) -> list[Job]:
        """The jobs that have not ended, in the order they were started."""
        return list(self._jobs.values())

    @contextmanager
    def unasked(self) -> Iterator[None]:
        """What is read meanwhile nobody asked for: the window is not held for it, not even a moment."""
        self._is_unasked = True
        try:
            yield
        finally:
            self._is_unasked = False

    @contextmanager
    def unhurried(self, seconds: float) -> Iterator[None]:
        """What is asked for meanwhile is waited for so long at least: nobody sees the window stand still yet."""
        self._least_wait = seconds
        try:
            yield
        finally:
            self._least_wait = 0.0

    def wait(self, job: Job, seconds: float) -> bool:
        """Wait a moment for a job that a person asked for; whether it is over. Its signals have been sent by then."""
        future = job.task.future
        if future is not None and not job.is_over and not self._is_unasked:
            futures.wait([future], max(seconds, self._least_wait))
            if future.done():
                self._settle(job.number)
        return job.is_over

    def shut_down(self) -> None:
        """Cancel everything and wait until every worker has stopped. No signal is sent after this."""
        if self._is_shut_down:
            return
        self._is_shut_down = True
        self._timer.stop()
        self._settled.disconnect(self._settle)
        for job in self.jobs():
            job.cancel()
        for pool in (self._work_pool, self._read_pool):
            pool.shutdown(wait=True, cancel_futures=True)
        self._jobs.clear()
        self._lanes.clear()

    def _submit(self, job: Job, task: _Task) -> None:
        if self._is_shut_down:
            # A page's timer that rang once more after the window was closed: nobody is there any more to be told.
            self._jobs.pop(job.number, None)
            return
        job.enter(JobState.RUNNING)
        pool = self._read_pool if job.is_quiet else self._work_pool
        task.future = pool.submit(task.run)
        number, settled = job.number, self._settled

        def tell(_: Future[object]) -> None:
            # The object that carries the signal outlives the pool: shut_down joins before anything is deleted.
            settled.emit(number)

        task.future.add_done_callback(tell)

    def _pass_on_progress(self) -> None:
        for job in self.jobs():
            if job.state is JobState.WAITING:
                continue
            job.pass_on_progress()

    def _settle(self, number: int) -> None:
        job = self._jobs.pop(number, None)
        if job is None:
            return
        if not self._jobs:
            self._timer.stop()
        self._advance(job)
        job.settle()
        if job.state is JobState.FAILED:
            # A known failure is a sentence; the trace is for faults of the program.
            trace = None if isinstance(job.error, BtcError) else job.error
            _log.warning("%s failed: %s", job.title, job.error, exc_info=trace)
        self.ended.emit(job)

    def _withdraw(self, job: Job) -> None:
        """A job that waited in its lane gives up its place."""
        if not self._is_shut_down:
            self._settle(job.number)

    def _advance(self, job: Job) -> None:
        line = self._lanes.get(job.lane)
        if not line:
            return
        was_first = line[0] is job
        line.remove(job)
        if not line:
            del self._lanes[job.lane]
        elif was_first:
            self._submit(line[0], line[0].task)
