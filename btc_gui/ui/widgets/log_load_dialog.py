"""Loading Inspect logs: which files or folders, how far it is, and what came of each file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.jobs.load_logs import LogOutcome, load_logs
from btc_gui.progress import Progress, Report
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import ask_folder, ask_open_many
from btc_gui.ui.job_runner import Job
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import PlainView, copy_to_clipboard, label, one_line
from btc_gui.ui.widgets.progress_bar import ProgressBar
from btc_gui.ui.words import counted

_LOGS = "Inspect logs (*.eval *.json);;All files (*)"
_ABOUT = (
    "Logs of Inspect AI, .eval or .json, of any task. Every sample becomes an answer with all of its steps, once. "
    "Logs of our own runs attach to their probes; those of others appear in Cases and are never judged or counted."
)


def _file(outcome: LogOutcome) -> str:
    return Path(outcome.report.file).name


def _task(outcome: LogOutcome) -> str:
    return outcome.task


def _model(outcome: LogOutcome) -> str:
    return outcome.model


def _read(outcome: LogOutcome) -> str:
    return f"{outcome.report.read:,}"


def _new(outcome: LogOutcome) -> str:
    return f"{outcome.report.new:,}"


def _known(outcome: LogOutcome) -> str:
    return f"{outcome.report.known:,}"


def _attached(outcome: LogOutcome) -> str:
    return f"{outcome.attached:,}"


def _rejected(outcome: LogOutcome) -> str:
    return f"{len(outcome.report.rejected):,}"


def _state(outcome: LogOutcome) -> str:
    if outcome.refused:
        return f"refused: {outcome.refused}"
    return f"{len(outcome.report.rejected):,} samples could not be read" if outcome.report.rejected else "loaded"


def _mark(outcome: LogOutcome) -> str:
    if outcome.refused:
        return "rejected"
    return "stale" if outcome.report.rejected else "accepted"


_COLUMNS: tuple[Column[LogOutcome], ...] = (
    Column("File", _file, 220),
    Column("Task", _task, 130),
    Column("Model", _model, 130),
    Column("Read", _read, 60, is_number=True),
    Column("New", _new, 60, is_number=True),
    Column("Known", _known, 66, is_number=True),
    Column("Attached", _attached, 76, is_number=True),
    Column("Outcome", _state, 0, mark=_mark),
)


class LogLoadDialog(QDialog):
    """Choose, load, read what came of it. Closing it while logs load leaves the job running."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self._places: list[Path] = []
        # Filled by the job as it goes: kept when it is stopped half-way.
        self._outcomes: list[LogOutcome] = []
        self._shown: tuple[LogOutcome, ...] = ()
        self._job: Job | None = None
        self.setWindowTitle("Load Inspect logs")
        size_window(self, 1000, 600)
        self._build()
        self._sync()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(AROUND, BETWEEN, AROUND, BETWEEN)
        column.setSpacing(12)
        column.addWidget(label("Load Inspect logs", "title"))
        column.addWidget(label(_ABOUT, "secondary"))
        row = QHBoxLayout()
        row.setSpacing(INSIDE)
        self._chosen = label("", "", wraps=True)
        self._files, self._folder = button("Files…", "file-plus"), button("Folder…", "folder-open")
        self._files.clicked.connect(self._choose_files)
        self._folder.clicked.connect(self._choose_folder)
        row.addWidget(self._chosen, 1)
        row.addWidget(self._files)
        row.addWidget(self._folder)
        column.addLayout(row)
        self.problem = label("", "danger", selectable=True)
        self.problem.hide()
        column.addWidget(self.problem)
        self.table: LazyTable[int, LogOutcome] = LazyTable(_COLUMNS, self._fetch, self)
        self.view: TableView[int] = TableView(self.table, self._context.theme, "What came of each log")
        self.view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self.view.current_changed.connect(self._show_details)
        column.addWidget(self.view, 2)
        self.details = PlainView("", "mono")
        self.details.setAccessibleName("What could not be read of the log, and why")
        column.addWidget(self.details, 1)
        self._fill = QWidget()
        column.addWidget(self._fill, 1)
        self.bar = ProgressBar("Progress of loading logs")
        column.addWidget(self.bar)
        column.addLayout(self._buttons())

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(INSIDE)
        self.status = label("", "secondary")
        row.addWidget(self.status, 1)
        self.copy_button = button("Copy the report", "copy")
        self.copy_button.clicked.connect(self._copy)
        self.cases_button = button("Show them in Cases", "layout-columns")
        self.cases_button.clicked.connect(self._show_cases)
        self.stop_button = button("Stop", "ban")
        self.stop_button.clicked.connect(self._stop)
        self.load_button = button("Load", role="primary")
        self.load_button.setDefault(True)
        self.load_button.clicked.connect(self.load)
        close = button("Close")
        close.clicked.connect(self.reject)
        for widget in (self.copy_button, self.cases_button, close, self.stop_button, self.load_button):
            row.addWidget(widget)
        return row

    def _sync(self) -> None:
        """Show what can be done now."""
        is_going = self._job is not None
        has_report = bool(self._shown)
        names = ", ".join(place.name for place in self._places)
        self._chosen.setText(one_line(names, 240) if self._places else "Nothing is chosen yet.")
        for widget in (self._files, self._folder):
            widget.setEnabled(not is_going)
        self.load_button.setEnabled(bool(self._places) and not is_going)
        self.stop_button.setVisible(is_going)
        self.bar.setVisible(is_going)
        self.copy_button.setVisible(has_report)
        self.cases_button.setVisible(any(each.report.new or each.report.known for each in self._shown))
        self.view.setVisible(has_report)
        self.details.setVisible(any(each.report.rejected or each.refused for each in self._shown))
        self._fill.setVisible(not has_report)

    # -- choosing --------------------------------------------------------------------------------------------

    def _choose_files(self) -> None:
        chosen = ask_open_many(self, "Inspect logs", _LOGS, self._start_folder())
        if chosen:
            self.choose(chosen)

    def _choose_folder(self) -> None:
        chosen = ask_folder(self, "Folder with Inspect logs", self._start_folder())
        if chosen is not None:
            self.choose([chosen])

    def _start_folder(self) -> Path | None:
        return self._places[0].parent if self._places else None

    def choose(self, places: Sequence[Path]) -> None:
        """Take these files and folders (those below them too)."""
        self._places = list(places)
        self.load_button.setFocus()
        self._sync()

    # -- loading ---------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Load what is chosen as a job."""
        database, author = self._context.database, self._context.settings.reviewer
        places = tuple(self._places)
        heard: list[LogOutcome] = []
        self._outcomes = heard

        def work(progress: Progress) -> list[LogOutcome]:
            return load_logs(database, places, progress, author=author, on_outcome=heard.append)

        self._say_problem("")
        self._shown = ()
        self.bar.setRange(0, 0)
        self.status.setText("Starting…")
        self._job = self._context.job_runner.start(
            "Load Inspect logs",
            work,
            lane="load",
            succeeded=self._loaded,
            failed=self._failed,
            progressed=self._progressed,
        )
        self._job.cancelled.connect(self._was_stopped)
        self._job.ended.connect(self._ended)
        self._sync()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self.status.setText("Stopping…")

    def _progressed(self, report: Report) -> None:
        self.bar.setRange(0, max(report.total, 1))
        self.bar.setValue(report.done)
        self.status.setText(f"{report.done:,} of {counted(report.total, 'log')} · {one_line(report.text, 80)}")
        self._show_outcomes()

    def _loaded(self, _: object) -> None:
        self.status.setText(self.words())

    def _failed(self, error: object) -> None:
        self._say_problem(str(error))
        self.status.setText("")

    def _was_stopped(self) -> None:
        self._say_problem("Loading was stopped. What had been read is kept: load again to go on.")
        self.status.setText(self.words())

    def _ended(self, _: object) -> None:
        self._job = None
        self._show_outcomes()
        wrong = next((n for n, each in enumerate(self._shown) if each.refused or each.report.rejected), None)
        if wrong is not None:
            self.view.select_id(wrong)
        self._context.changes.tell(Subject.RUNS, Subject.ANSWERS)

    def _show_outcomes(self) -> None:
        outcomes = tuple(self._outcomes)
        if outcomes != self._shown:
            self._shown = outcomes
            self.table.show_ids(range(len(outcomes)))
            self.view.select_first()
            current = self.view.current_id
            self._show_details(current if current is not None else 0)
        self._sync()

    def _fetch(self, ids: Sequence[int]) -> dict[int, LogOutcome]:
        return {i: self._shown[i] for i in ids}

    def _say_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _show_details(self, number: object) -> None:
        if not isinstance(number, int) or not 0 <= number < len(self._shown):
            return
        lines = _lines(self._shown[number])
        self.details.set_text("\n".join(lines))

    # -- the report ------------------------------------------------------------------------------------------

    def words(self) -> str:
        """All files together on one line."""
        reports = [each.report for each in self._outcomes]
        refused = sum(bool(each.refused) for each in self._outcomes)
        parts = [
            counted(len(reports), "log"),
            f"{sum(each.new for each in reports):,} new samples",
            f"{sum(each.known for each in reports):,} known already",
        ]
        unread = sum(len(each.rejected) for each in reports)
        parts += [f"{unread:,} not read"] if unread else []
        parts += [f"{refused:,} refused"] if refused else []
        return " · ".join(parts)

    def _copy(self) -> None:
        copy_to_clipboard("\n".join([self.words(), *(line for each in self._outcomes for line in _lines(each))]))
        self.status.setText("The report is on the clipboard.")

    def _show_cases(self) -> None:
        from btc_gui.domain.case import LOG, CaseQuery

        is_all_ours = all(each.attached or each.report.known for each in self._shown if not each.refused)
        self._context.shell.open("cases", CaseQuery() if is_all_ours else CaseQuery(sources=(LOG,)))
        self.accept()


def _lines(outcome: LogOutcome) -> list[str]:
    """What came of one log, as text: its counts or why it was refused, then every sample that was not read."""
    report = outcome.report
    if outcome.refused:
        return [f"{report.file}: refused: {outcome.refused}"]
    head = f"{report.text} ({outcome.attached:,} attached to probes)"
    return [head, *(f"    {each.content}: {each.reason}" for each in report.rejected)]
