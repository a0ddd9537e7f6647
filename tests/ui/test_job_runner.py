"""Jobs: results, errors, cancelling, lanes, progress, and a clean end in the middle of work."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QThread
from pytestqt.qtbot import QtBot

from btc_gui.errors import InputError
from btc_gui.progress import Progress, Report
from btc_gui.ui.job_runner import Job, JobRunner, JobState


class Listener(QObject):
    """Collects what the runner tells, and on which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.results: list[object] = []
        self.errors: list[object] = []
        self.reports: list[Report] = []
        self.ended: list[Job] = []
        self.threads: set[QThread] = set()

    def take(self, result: object) -> None:
        self.threads.add(QThread.currentThread())
        self.results.append(result)

    def take_error(self, error: object) -> None:
        self.threads.add(QThread.currentThread())
        self.errors.append(error)

    def take_report(self, report: Report) -> None:
        self.reports.append(report)

    def take_end(self, job: Job) -> None:
        self.ended.append(job)


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[JobRunner]:
    made = JobRunner()
    yield made
    made.shut_down()


@pytest.fixture
def listener() -> Listener:
    return Listener()


def _start(runner: JobRunner, listener: Listener, work: object, **more: object) -> Job:
    return runner.start("Work", work, succeeded=listener.take, failed=listener.take_error, **more)  # type: ignore[arg-type]


def test_a_thousand_jobs_all_tell_their_end_on_the_windows_thread(
    qtbot: QtBot, runner: JobRunner, listener: Listener
) -> None:
    def work(number: int, progress: Progress) -> int:
        if number % 2:
            raise InputError(f"odd {number}")
        return number

    for number in range(1000):
        _start(runner, listener, lambda progress, number=number: work(number, progress))
    qtbot.waitUntil(lambda: not runner.jobs())
    assert sorted(listener.results) == list(range(0, 1000, 2))  # type: ignore[type-var]
    assert len(listener.errors) == 500
    assert listener.threads == {listener.thread()}


def test_jobs_of_one_lane_wait_for_each_other_in_order(qtbot: QtBot, runner: JobRunner, listener: Listener) -> None:
    running: list[int] = []
    most: list[int] = []

    def work(number: int) -> int:
        running.append(number)
        # Time for another to come in between, if one could; what is asserted does not depend on it.
        time.sleep(0.01)
        most.append(len(running))
        running.remove(number)
        return number

    for number in range(10):
        _start(runner, listener, lambda progress, number=number: work(number), lane="load")
    qtbot.waitUntil(lambda: not runner.jobs())
    assert listener.results == list(range(10))
    assert max(most) == 1


def test_jobs_of_different_lanes_run_together(qtbot: QtBot, runner: JobRunner, listener: Listener) -> None:
    meet = threading.Barrier(2, timeout=60)
    for lane in ("load", "run"):
        _start(runner, listener, lambda progress: meet.wait(), lane=lane)
    qtbot.waitUntil(lambda: not runner.jobs())
    assert len(listener.results) == 2


def test_a_cancelled_job_tells_neither_result_nor_error(qtbot: QtBot, runner: JobRunner, listener: Listener) -> None:
    begun = threading.Event()

    def work(progress: Progress) -> None:
        begun.set()
        while True:
            progress.wait(0.01)

    job = _start(runner, listener, work)
    runner.ended.connect(listener.take_end)
    assert begun.wait(60)
    with qtbot.waitSignal(job.cancelled):
        job.cancel()
        assert job.state is JobState.CANCELLING
    assert listener.results == []
    assert listener.errors == []
    assert [each.state for each in listener.ended] == [JobState.CANCELLED]


def test_a_job_cancelled_while_it_waits_never_starts(qtbot: QtBot, runner: JobRunner, listener: Listener) -> None:
    go_on = threading.Event()
    started: list[str] = []
    _start(runner, listener, lambda progress: go_on.wait(60), lane="load")
    second = _start(runner, listener, lambda progress: started.append("second"), lane="load")
    third = _start(runner, listener, lambda progress: started.append("third"), lane="load")
    second.cancel()
    assert second.state is JobState.CANCELLED
    go_on.set()
    qtbot.waitUntil(lambda: third.is_over)
    assert started == ["third"]


def test_progress_is_told_at_most_ten_times_a_second_and_the_last_word_always(
    qtbot: QtBot, runner: JobRunner, listener: Listener
) -> None:
    def work(progress: Progress) -> None:
        for number in range(5_001):
            progress.report(number, 5_000, f"row {number}")
            if number % 100 == 0:
                time.sleep(0.01)

    start = time.monotonic()
    job = _start(runner, listener, work, progressed=listener.take_report)
    qtbot.waitUntil(lambda: job.is_over)
    seconds = time.monotonic() - start
    # Qt's timers may come by a twentieth too early.
    assert 1 <= len(listener.reports) <= seconds / 0.095 + 2
    assert listener.reports[-1] == Report(5_000, 5_000, "row 5000")


def test_a_job_can_be_held_and_let_go(qtbot: QtBot, runner: JobRunner, listener: Listener) -> None:
    class Control:
        def __init__(self) -> None:
            self.log: list[str] = []

        def pause(self) -> None:
            self.log.append("pause")

        def resume(self) -> None:
            self.log.append("resume")

    control, go_on = Control(), threading.Event()
    job = _start(runner, listener, lambda progress: go_on.wait(60), control=control)
    job.set_paused(True)
    job.set_paused(True)
    job.set_paused(False)
    go_on.set()
    qtbot.waitUntil(lambda: job.is_over)
    job.set_paused(True)
    assert control.log == ["pause", "resume"]


def test_shutting_down_in_the_middle_of_work_stops_and_joins_everything(qtbot: QtBot, listener: Listener) -> None:
    runner = JobRunner()
    alive = threading.Semaphore(0)

    def work(progress: Progress) -> None:
        alive.release()
        while True:
            progress.wait(0.01)
            progress.report(1, 2)

    for _ in range(20):
        _start(runner, listener, work, progressed=listener.take_report)
    for _ in range(8):
        assert alive.acquire(timeout=60)
    runner.ended.connect(listener.take_end)
    runner.shut_down()
    runner.shut_down()
    # Nothing works any more, so whatever is still to be told is in the queue by now.
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("job")]
    before = len(listener.reports)
    QCoreApplication.processEvents()
    assert (listener.results, listener.errors, listener.ended) == ([], [], [])
    assert len(listener.reports) == before
    assert runner.jobs() == []


def test_the_end_of_a_job_does_not_reach_a_listener_that_is_gone(qtbot: QtBot, runner: JobRunner) -> None:
    listener, stays = Listener(), Listener()
    go_on = threading.Event()
    job = _start(runner, listener, lambda progress: go_on.wait(60), progressed=listener.take_report)
    job.succeeded.connect(stays.take)
    results = listener.results
    with qtbot.waitSignal(listener.destroyed):
        listener.deleteLater()
    go_on.set()
    # A slot of what is gone would fail the test: it is called, or not, before the one that stays.
    qtbot.waitUntil(lambda: job.is_over)
    assert (results, stays.results) == ([], [True])


def test_reads_for_what_is_shown_go_on_while_every_place_for_work_is_taken(
    qtbot: QtBot, runner: JobRunner, listener: Listener
) -> None:
    go = threading.Event()
    for _ in range(50):
        _start(runner, listener, lambda _: go.wait(60))
    _start(runner, listener, lambda _: "read", is_quiet=True)
    qtbot.waitUntil(lambda: listener.results == ["read"])
    go.set()
    qtbot.waitUntil(lambda: len(listener.results) == 51)
