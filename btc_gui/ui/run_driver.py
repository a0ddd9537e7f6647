"""A run that is going in this window: its job, its control, and how fast it goes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.run import ConfigurationProgress, Run, RunId, RunLogLine
from btc_gui.domain.trajectory import Ending, Usage
from btc_gui.jobs.run_evaluation import RunControl, run_evaluation
from btc_gui.progress import Progress, Report
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.run_log import RunLogStore
from btc_gui.store.runs import RunStore
from btc_gui.ui.job_runner import Job, JobRunner, JobState

#: The rows behind the bars are read this often while a run is going.
_READ_MILLISECONDS = 500
_LOG_LINES = 100


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run as the page shows it. `unjudged` and `unclassified` count what the judge and classifier have left;
    `log` has its latest lines, the newest first."""

    run: Run
    configurations: tuple[ConfigurationProgress, ...]
    unjudged: int = 0
    unclassified: int = 0
    log: tuple[RunLogLine, ...] = ()

    @property
    def planned(self) -> int:
        """All items."""
        return sum(each.planned for each in self.configurations)

    @property
    def done(self) -> int:
        """Items with an answer, whatever its ending."""
        return sum(each.done for each in self.configurations)

    @property
    def pending(self) -> int:
        """Items without an answer."""
        return sum(each.pending for each in self.configurations)

    def ending(self, ending: Ending) -> int:
        """Answers with this ending."""
        return sum(each.by_ending.get(ending, 0) for each in self.configurations)

    @property
    def usage(self) -> Usage:
        """Tokens of all sessions, attempts that were retried included."""
        return sum((each.usage for each in self.configurations), Usage())

    @property
    def cost(self) -> float | None:
        """Money of all sessions; None when no price is known."""
        known = [each.cost for each in self.configurations if each.cost is not None]
        return sum(known) if known else None


def read_summary(database: Database, run_id: RunId, *, with_machines: bool = True) -> RunSummary:
    """Read a run with its progress; `with_machines` also counts what is left to judge and classify."""
    store = RunStore(database)
    facets = CaseStore(database).facets(CaseQuery(run_id=run_id)) if with_machines else {}
    return RunSummary(
        store.get(run_id),
        tuple(store.progress(run_id)),
        facets.get("labels", {}).get("unjudged", 0),
        facets.get("modes", {}).get("unclassified", 0),
        tuple(RunLogStore(database).lines(run_id, _LOG_LINES)),
    )


def ending_words(endings: Sequence[tuple[Ending, int]]) -> str:
    """`310 answered · 3 failed`; nothing for none."""
    return " · ".join(f"{count:,} {ending.text}" for ending, count in endings if count)


class RunDriver(QObject):
    """Drives one run as a job. `reported` comes with every report, `read` with fresh rows, `ended` at the end, and
    `steered` when it was paused, gone on with or told to stop, from wherever."""

    reported = Signal(object)
    steered = Signal()
    read = Signal(object)
    ended = Signal(object)

    def __init__(
        self, database: Database, runner: JobRunner, before: RunSummary, folder: Path | None, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._database, self._runner = database, runner
        self.run_id = before.run.id
        self.control = RunControl()
        self.report = Report(before.done, before.planned)
        self.outcome: object = None
        self._is_reading = False
        self._began = time.monotonic()
        self._done_before = {each.configuration_id: each.done for each in before.configurations}
        self._timer = QTimer(self)
        self._timer.setInterval(_READ_MILLISECONDS)
        self._timer.timeout.connect(self._read)
        control, run_id = self.control, self.run_id

        def work(progress: Progress) -> object:
            return run_evaluation(database, run_id, folder, progress, control=control)

        self.job: Job = runner.start(
            f"Run “{before.run.name}”",
            work,
            lane=f"run-{run_id}",
            succeeded=self._succeeded,
            progressed=self._reported,
            control=self.control,
        )
        self.job.state_changed.connect(self.steered)
        self.job.ended.connect(self._ended)
        self._timer.start()

    @property
    def is_paused(self) -> bool:
        """Whether the run is held."""
        return self.job.is_paused

    @property
    def is_stopping(self) -> bool:
        """Whether somebody asked it to end."""
        return self.job.state is JobState.CANCELLING

    def rate(self, configuration_id: ConfigurationId, done: int) -> float | None:
        """Answers a minute since this session began; None while none has come."""
        new = done - self._done_before.get(configuration_id, 0)
        minutes = (time.monotonic() - self._began) / 60
        return new / minutes if new > 0 and minutes > 0 else None

    def new_answers(self, done: int) -> int:
        """Answers since this session began, out of `done` in all."""
        return done - sum(self._done_before.values())

    def cancel(self) -> None:
        """Start nothing new, wait for what is in flight, then end."""
        self.job.cancel()

    def stop_now(self) -> None:
        """Cancel what is in flight too."""
        self.control.stop_now()
        self.job.cancel()

    def _succeeded(self, outcome: object) -> None:
        self.outcome = outcome

    def _reported(self, report: object) -> None:
        if isinstance(report, Report):
            self.report = report
            self.reported.emit(self)

    def _read(self) -> None:
        if self._is_reading:
            return
        self._is_reading = True
        database, run_id = self._database, self.run_id

        def read(progress: Progress) -> RunSummary:
            return read_summary(database, run_id, with_machines=False)

        self._runner.start("Read run", read, is_quiet=True, succeeded=self._was_read, failed=self._was_read)

    def _was_read(self, summary: object) -> None:
        self._is_reading = False
        if isinstance(summary, RunSummary):
            self.read.emit(summary)

    def _ended(self, job: object) -> None:
        self._timer.stop()
        self.ended.emit(self)
