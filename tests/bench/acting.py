"""Does what a person does in a window, and takes the time until all of it is painted."""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable
from dataclasses import dataclass

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from btc_gui.ui.display import check_qt
from btc_gui.ui.job_runner import Job
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES
from btc_gui.ui.pictures import settle
from tests.bench.frames import Frames
from tests.bench.measure import percentile

_CALM_SECONDS = 0.12
_PATIENCE_SECONDS = 300.0
_LONGEST_PAUSE_MILLISECONDS = 500
#: Timers of this name make what is out of sight, before anybody goes there: no act has to wait for that.
_AHEAD = "ahead"


def pause(milliseconds: int) -> None:
    """Let the window work for a while, and its jobs: waiting by `QTest.qWait` keeps Python from their threads."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until_made(window: MainWindow) -> None:
    """Wait until pages are made, and what takes long is read and shown on them, while nobody does anything yet."""
    while not window._has_read_ahead or window.job_runner.jobs():
        pause(200)
    # What they show of it, a page at each look.
    pause(len(PAGES) * 400)
    settle(window.job_runner)


@dataclass(frozen=True, slots=True)
class Act:
    """What one act took, in milliseconds: till what was looked for was painted, and till the window had come to rest;
    the processor time of the whole process and of the window's own thread meanwhile; the latest frame (beyond its
    16 ms), and the most work in one frame."""

    seen: float
    clock: float
    work: float
    own_work: float
    latest_frame: float
    longest_work: float


class Acting:
    """Acts in one window, one after the other."""

    def __init__(self, window: MainWindow) -> None:
        # The app has PySide read no module's source; a bench, which imports first, is rid of the lines that it kept.
        check_qt()
        linecache.clearcache()
        self.window = window
        self.frames = Frames(window, repaints=False)
        self._timers: list[QTimer] = []

    def act(self, do: Callable[[], object], is_seen: Callable[[], bool] | None = None) -> Act:
        """Do it, and wait until no job is running, no short pause is left and what came of it is painted.

        `is_seen` tells whether the first of it is there (such as a list, before what is open beside it).
        """
        self.rest()
        self.frames.start()
        began, work, own = time.perf_counter(), time.process_time(), time.thread_time()
        do()
        seen = None if is_seen is None else self._until_seen(is_seen)
        ended, work_ended, own_ended = self._until_calm(began)
        return Act(
            seen=((seen or ended) - began) * 1000,
            clock=(ended - began) * 1000,
            work=(work_ended - work) * 1000,
            own_work=(own_ended - own) * 1000,
            latest_frame=max(self.frames.delays, default=0.0),
            longest_work=max(self.frames.work, default=0.0),
        )

    def rest(self) -> None:
        """Let the window come to rest."""
        self._until_calm(time.perf_counter())

    def idle(self, seconds: float = 3.0) -> tuple[float, float]:
        """How late frames are while nothing is done: 99th percentile and latest, in milliseconds."""
        self.rest()
        self.frames.start()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
            time.sleep(0.001)
        return percentile(self.frames.delays, 0.99), max(self.frames.delays)

    def _until_seen(self, is_seen: Callable[[], bool]) -> float:
        """When it was there, and painted."""
        while True:
            is_there = is_seen()
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 100)
            if is_there:
                return time.perf_counter()
            time.sleep(0.0005)

    def _until_calm(self, began: float) -> tuple[float, float, float]:
        """When the window had last something to do: by the clock, and by both processor times."""
        last = (0.0, 0.0, 0.0)
        while True:
            # Until nothing is left that waits, painting among it.
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 100)
            QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))
            # Taken before anything is looked for: looking is not the window's work.
            now = (time.perf_counter(), time.process_time(), time.thread_time())
            if self._is_busy():
                last = (0.0, 0.0, 0.0)
            elif not last[0]:
                last = now
            elif now[0] - last[0] > _CALM_SECONDS:
                return last
            if now[0] - began > _PATIENCE_SECONDS:
                raise TimeoutError(f"The window has not come to rest: {[job.title for job in self._jobs()]}.")
            time.sleep(0.0005)

    def _jobs(self) -> list[Job]:
        return self.window.job_runner.jobs()

    def _is_busy(self) -> bool:
        if self._jobs() or any(self._is_short(timer) for timer in self._timers):
            return True
        # Looking for all timers of the window takes milliseconds: only when those that were known have come to rest.
        self._timers = [timer for top in QApplication.topLevelWidgets() for timer in top.findChildren(QTimer)]
        return any(self._is_short(timer) for timer in self._timers)

    def _is_short(self, timer: QTimer) -> bool:
        """Whether something that an act brought is about to come."""
        return (
            shiboken6.isValid(timer)
            and timer.isActive()
            and timer is not self.frames.timer
            and timer.objectName() != _AHEAD
            and (timer.interval() == 0 or (timer.isSingleShot() and timer.interval() <= _LONGEST_PAUSE_MILLISECONDS))
        )
