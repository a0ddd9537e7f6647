"""Reads for a page without holding the window: what is quick is shown at once, the rest when it comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from btc_gui.progress import Progress
from btc_gui.ui.job_runner import Job, JobRunner

#: A read that takes no longer than this is waited for: showing it at once is calmer than showing it a moment later.
PATIENCE_SECONDS = 0.012


class LatestJob(QObject):
    """Runs the reads of one thing one after the other, as quiet jobs.

    Asked while a read is running, it reads again afterwards, once, with what was asked last. Every result is shown,
    so that a thing that changes all the time is shown too; `show` (a bound method of the parent) drops those that
    answer another question than the present one. A failure is told once: pages that follow a run ask every second.
    `show_failure` (a bound method too) is given failures instead. With `drops_older`, a read that is still running
    when another is asked for is cancelled: for long reads of which only the last is of use.
    """

    def __init__(
        self,
        job_runner: JobRunner,
        title: str,
        show: Callable[[Any], object],
        parent: QObject,
        *,
        show_failure: Callable[[Any], object] | None = None,
        drops_older: bool = False,
    ) -> None:
        super().__init__(parent)
        self._show_failure, self._drops_older = show_failure, drops_older
        self._job: Job | None = None
        self._runner, self._title, self._show = job_runner, title, show
        self._next: Callable[[Progress], object] | None = None
        self._is_running = False
        self._last_error = ""

    @property
    def is_reading(self) -> bool:
        """Whether a result is still to come."""
        return self._is_running

    def ask(self, read: Callable[[Progress], object]) -> None:
        """Read on a worker thread and show the result."""
        self._next = read
        if not self._is_running:
            self._start()
        elif self._drops_older and self._job is not None:
            self._job.cancel()

    def _start(self) -> None:
        read, self._next = self._next, None
        assert read is not None
        self._is_running = True
        job = self._runner.start(
            self._title, read, is_quiet=True, succeeded=self._show_result, failed=self._show_failure
        )
        self._job = job
        job.failed.connect(self._failed)
        job.ended.connect(self._ended)
        self._runner.wait(job, PATIENCE_SECONDS)

    def _show_result(self, result: object) -> None:
        self._last_error = ""
        self._show(result)

    def _failed(self, error: object) -> None:
        sender = self.sender()
        if isinstance(sender, Job) and str(error) == self._last_error:
            # The window shows failures that nobody else does; this one is shown already.
            sender.has_failure_view = True
        self._last_error = str(error)

    def _ended(self, _: object) -> None:
        self._is_running, self._job = False, None
        if self._next is not None:
            self._start()
