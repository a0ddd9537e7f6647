"""The bar at the bottom: running jobs, how the last ones ended, short messages."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.progress import Report
from btc_gui.ui.announcing import announce
from btc_gui.ui.icons import icon
from btc_gui.ui.job_runner import Job, JobRunner, JobState
from btc_gui.ui.theme import INSIDE
from btc_gui.ui.widgets.buttons import icon_button, link_button
from btc_gui.ui.widgets.plain_text import LineLabel, label, one_line, set_role, tooltip
from btc_gui.ui.widgets.progress_bar import ProgressBar
from btc_gui.ui.wording import counted

_SAY_MILLISECONDS = 6_000
_ROWS = 4


def _is_running(row: _JobRow) -> bool:
    return not row.job.is_over


class _JobRow(QWidget):
    """One job: what it is, where it stands, a bar, pause where it can be held, cancel."""

    details_asked = Signal(object)
    dismissed = Signal(object)

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(INSIDE)
        self.title = label(one_line(job.title, 80), wraps=False)
        self.text = LineLabel("secondary")
        self.bar = ProgressBar(f"Progress of {job.title}")
        self.bar.setFixedWidth(160)
        self.pause = icon_button("player-pause", f"Pause {job.title}")
        self.pause.clicked.connect(self._pause)
        self.details = link_button("Details")
        self.details.clicked.connect(self._ask_details)
        self.details.hide()
        self.cancel = icon_button("x", f"Cancel {job.title}")
        self.cancel.clicked.connect(self._cancel)
        # Titles hold names from outside, and a tooltip guesses at markup.
        self.pause.setToolTip(tooltip(self.pause.accessibleName()))
        self.cancel.setToolTip(tooltip(self.cancel.accessibleName()))
        for widget, stretch in ((self.title, 0), (self.text, 1), (self.bar, 0), (self.pause, 0), (self.details, 0)):
            row.addWidget(widget, stretch)
        row.addWidget(self.cancel)
        self.pause.setVisible(job.control is not None)
        job.progressed.connect(self._show_report)
        job.state_changed.connect(self._show_state)
        self._show_state(job)

    def _show_report(self, report: Report) -> None:
        self.bar.setRange(0, min(report.total, 2**31 - 1))
        self.bar.setValue(min(report.done, report.total))
        counted = f"{report.done:,}/{report.total:,}" if report.total else ""
        text = " · ".join(part for part in (counted, one_line(report.text, 120)) if part)
        self.text.setText(text)
        self.text.setToolTip(tooltip(report.text))

    def _show_state(self, job: Job) -> None:
        words = {JobState.WAITING: "waits for the job before it", JobState.CANCELLING: "stopping…"}
        if job.state in words:
            self.text.setText(words[job.state])
        elif job.state is JobState.RUNNING and not job.report.total:
            self.bar.setRange(0, 0)
            self.text.setText("")
        if job.state is JobState.CANCELLING:
            self.cancel.setEnabled(False)
            self.pause.setEnabled(False)
        self.pause.setIcon(icon("player-play" if job.is_paused else "player-pause"))
        name = f"{'Resume' if job.is_paused else 'Pause'} {job.title}"
        self.pause.setToolTip(tooltip(name))
        self.pause.setAccessibleName(name)
        if job.is_paused:
            self.text.setText("paused")

    def show_failure(self) -> None:
        """Stay, with what went wrong, until dismissed."""
        self.bar.hide()
        self.pause.hide()
        set_role(self.title, "danger")
        self.title.setText(f"Failed: {one_line(self.job.title, 80)}")
        self.text.setText(one_line(str(self.job.error), 160))
        self.text.setToolTip(tooltip(str(self.job.error)))
        announce(self.title, f"{self.title.text()}. {self.text.text()}")
        self.details.show()
        self.cancel.setEnabled(True)
        self.cancel.setToolTip("Dismiss")
        self.cancel.setAccessibleName("Dismiss")

    def _pause(self) -> None:
        self.job.set_paused(not self.job.is_paused)

    def _cancel(self) -> None:
        if self.job.is_over:
            self.dismissed.emit(self)
        else:
            self.job.cancel()

    def _ask_details(self) -> None:
        self.details_asked.emit(self.job.error)


class JobBar(QFrame):
    """Shows the jobs of a runner. `details_asked` carries the error of a failed one."""

    details_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "jobbar")
        self._rows: dict[int, _JobRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 16, 4)
        column.setSpacing(2)
        self._column = QVBoxLayout()
        self._column.setSpacing(2)
        column.addLayout(self._column)
        line = QHBoxLayout()
        self.message = label("", wraps=False)
        self.message.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.more = label("", "small", wraps=False)
        self.place = label("", "small", wraps=False)
        line.addWidget(self.message, 1)
        line.addWidget(self.more)
        line.addWidget(self.place)
        column.addLayout(line)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_SAY_MILLISECONDS)
        self._quiet.timeout.connect(self.message.clear)

    def watch(self, runner: JobRunner) -> None:
        """Show the jobs of this runner."""
        runner.started.connect(self._add)
        runner.ended.connect(self._end)

    def say(self, text: str) -> None:
        """Show one short message for some seconds."""
        self.message.setText(one_line(text, 200))
        announce(self.message, self.message.text())
        self._quiet.start()

    def set_place(self, text: str) -> None:
        """Say on the right which project is open."""
        self.place.setText(text)

    def clear(self) -> None:
        """Forget all jobs: their runner is gone."""
        for row in list(self._rows.values()):
            self._remove(row)

    @property
    def shown_titles(self) -> list[str]:
        """The titles of the jobs shown (failed ones included)."""
        return [row.title.text() for row in self._rows.values()]

    def _add(self, job: Job) -> None:
        if job.is_quiet:
            return
        if self.window().isVisible():
            self._add_row(job)
        else:
            # The project that the window opens with is there before anybody could see a row, as a rule.
            QTimer.singleShot(0, self, partial(self._add_late, job))

    def _add_late(self, job: Job) -> None:
        if not job.is_over:
            self._add_row(job)

    def _end(self, job: Job) -> None:
        row = self._rows.get(job.number)
        if job.state is JobState.FAILED and not job.has_failure_view:
            (row or self._add_row(job)).show_failure()
            self._fit()
            return
        if row is not None:
            # What the page says of its own job is worth more.
            if job.state is not JobState.FAILED and not self._quiet.isActive():
                # Some give back what they have when they are stopped, and end as if all was done.
                self.say(f"{'Stopped' if job.task.progress.is_cancelled else 'Done'}: {job.title}")
            self._remove(row)

    def _add_row(self, job: Job) -> _JobRow:
        row = _JobRow(job)
        row.details_asked.connect(self.details_asked)
        row.dismissed.connect(self._remove)
        self._rows[job.number] = row
        self._column.addWidget(row)
        self._fit()
        return row

    def _remove(self, row: _JobRow) -> None:
        self._rows.pop(row.job.number, None)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._fit()

    def _fit(self) -> None:
        rows = sorted(self._rows.values(), key=_is_running)  # What failed must not hide behind what runs.
        for position, row in enumerate(rows):
            row.setVisible(position < _ROWS)
        hidden = len(rows) - _ROWS
        self.more.setText(f"and {counted(hidden, 'more job')}    " if hidden > 0 else "")
