"""The whole pipeline as one job of the window: asked for, started, told of."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from btc_gui.jobs.run_evaluation import RunControl
from btc_gui.jobs.run_pipeline import PipelineOutcome, run_pipeline
from btc_gui.progress import Progress
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.job_runner import Job
from btc_gui.ui.pipeline_composing import opened_plan
from btc_gui.ui.widgets.pipeline_dialog import PipelineDialog

_TELL_SECONDS = 2.0


class PipelineJob(QObject):
    """Its progress, pause and cancel stand in the job bar. `went_on` comes now and then while it goes, and at its end.

    Cancelled, it finishes what is in flight; started again with the same choices, it goes on.
    """

    went_on = Signal()

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._page = context, page
        self._told_at = 0.0
        self._job: Job | None = None

    @property
    def is_going(self) -> bool:
        """Whether it drives runs of the project now."""
        return self._job is not None and not self._job.is_over

    def compose(self) -> None:
        """Ask what is to be done, with a forecast of every stage, and start it."""
        self._dialog = PipelineDialog(self._context, self._page)
        self._dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog.accepted.connect(self._start)
        self._dialog.open()

    def _start(self) -> None:
        draft = self._dialog.draft
        if draft is None:
            return
        database, control = self._context.database, RunControl()
        categories, author = self._context.categories, self._context.settings.reviewer

        def work(progress: Progress) -> PipelineOutcome:
            with opened_plan(database, draft, categories, author, progress) as plan:
                return run_pipeline(database, plan, progress, control)

        self._job = self._context.job_runner.start(
            f"Pipeline “{draft.sample}”",
            work,
            lane="pipeline",
            succeeded=self._ended,
            progressed=self._goes_on,
            control=control,
        )

    def _goes_on(self, _: object) -> None:
        if time.monotonic() - self._told_at > _TELL_SECONDS:
            self._told_at = time.monotonic()
            self.went_on.emit()

    def _ended(self, outcome: object) -> None:
        if isinstance(outcome, PipelineOutcome):
            stopped = f"The pipeline was stopped in: {outcome.stopped_in.text}." if outcome.stopped_in else ""
            last = f"{outcome.stages[-1].stage.text}: {outcome.stages[-1].text}." if outcome.stages else ""
            self._context.shell.say(" ".join(part for part in (stopped, outcome.reason, last) if part))
        self._context.changes.tell(Subject.ANSWERS, Subject.RUNS, Subject.VERDICTS, Subject.PROBES)
        self.went_on.emit()
