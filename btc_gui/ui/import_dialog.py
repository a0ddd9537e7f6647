"""Importing a file: how it would be read, which column is what, and afterwards what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from btc_gui import paths
from btc_gui.domain.category import Category
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.load_preview import Preview
from btc_gui.domain.load_report import LoadReport, NothingLoaded
from btc_gui.errors import BtcError, InputError
from btc_gui.exports.tables import write_csv
from btc_gui.jobs.load_answers import load_answers, preview_answers
from btc_gui.jobs.load_events import load_events, preview_events
from btc_gui.jobs.load_probes import load_probes, preview_probes
from btc_gui.progress import Progress, Report
from btc_gui.sessions.loading import LoadSession
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.runs import RunStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import TABLES, ask_open, ask_save
from btc_gui.ui.job_runner import Job
from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.load_report_view import LoadReportView
from btc_gui.ui.widgets.mapping_form import MappingForm
from btc_gui.ui.widgets.plain_text import label, one_line, set_role, tooltip
from btc_gui.ui.widgets.progress_bar import ProgressBar


def _open(session: LoadSession, path: Path, progress: Progress) -> Preview:
    return session.open(path)


def _map(session: LoadSession, fact: str, column: str, progress: Progress) -> Preview:
    return session.set_mapping(fact, column)


def _default(session: LoadSession, value: str, progress: Progress) -> Preview:
    return session.set_default(value)


#: What has changed when a file of each subject was loaded.
_CHANGED: Final = {
    LoadSubject.EVENTS: (Subject.EVENTS,),
    LoadSubject.PROBES: (Subject.PROBES,),
    LoadSubject.ANSWERS: (Subject.RUNS, Subject.ANSWERS),
}


class ImportDialog(QDialog):
    """One file on its way into the project. Closing it while the file loads leaves the job running."""

    def __init__(self, subject: LoadSubject, path: Path, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context, self._subject = context, subject
        self._session = LoadSession(subject, self._look)
        self._path = path
        self._report: LoadReport | None = None
        self._looking: Job | None = None
        self.setWindowTitle(f"Import {subject}")
        size_window(self, 1000, 640)
        self._build()
        self._look_at(path)

    def _look(self, path: Path, changes: Mapping[str, str], default: str) -> Preview:
        database = self._context.database
        if self._subject is LoadSubject.EVENTS:
            return preview_events(path, database, self._context.categories, mapping=changes, default_category=default)
        if self._subject is LoadSubject.ANSWERS:
            return preview_answers(path, database, mapping=changes, default_model=default)
        return preview_probes(path, database, mapping=changes, default_kind=default)

    # -- building ---------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(AROUND, BETWEEN, AROUND, BETWEEN)
        column.setSpacing(12)
        self.file = label("", "title", wraps=False)
        self.about = label("", "secondary", wraps=False)
        top = QHBoxLayout()
        top.setSpacing(INSIDE)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.file)
        words.addWidget(self.about)
        self._other = button("Another file…", "folder-open")
        self._other.clicked.connect(self._choose_other)
        top.addLayout(words, 1)
        top.addWidget(self._other, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(top)
        self.problem = label("", "danger", selectable=True)
        self.problem.hide()
        column.addWidget(self.problem)
        self.form = MappingForm(self._session.facts, self._default())
        self.form.mapped.connect(self._set_mapping)
        self.form.default_chosen.connect(self._set_default)
        self.report_view = LoadReportView(self._context.theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.form)
        self._stack.addWidget(self.report_view)
        column.addWidget(self._stack, 1)
        self.bar = ProgressBar("Progress of the import")
        self.bar.hide()
        self.status = label("", "secondary", wraps=False)
        column.addWidget(self.bar)
        row = QHBoxLayout()
        row.setSpacing(INSIDE)
        row.addWidget(self.status, 1)
        self._copy, self._save = button("Copy", "copy"), button("Save rejected rows…", "download")
        self._copy.clicked.connect(self.report_view.copy)
        self._save.clicked.connect(self._save_rejected)
        self.load_button = button("Import", role="primary")
        self.load_button.setEnabled(False)
        self.load_button.clicked.connect(self.load)
        self.close_button = button("Cancel")
        self.close_button.clicked.connect(self.reject)
        for widget in (self._copy, self._save, self.close_button, self.load_button):
            row.addWidget(widget)
        self._copy.hide()
        self._save.hide()
        column.addLayout(row)

    def _default(self) -> tuple[str, str, list[tuple[str, str]]]:
        """The fact that can be said for all rows, in words, and what can be said."""
        if self._subject is LoadSubject.EVENTS:
            categories = [(c.name, c.title) for c in self._context.categories.values()]
            return "category", "Rows that name no category are", categories
        if self._subject is LoadSubject.ANSWERS:
            names = _models(self._context.database)
            return "model", "Rows that name no model are by", [(name, one_line(name, 60)) for name in names]
        return "kind", "Rows that name no kind are", [("indirect", "indirect"), ("direct", "direct")]

    # -- looking ----------------------------------------------------------------------------------------------

    def _choose_other(self) -> None:
        path = ask_open(self, f"Import {self._subject}", TABLES, self._path.parent)
        if path is not None:
            self._look_at(path)

    def _look_at(self, path: Path) -> None:
        self._path = path
        self.file.setText(one_line(path.name, 80))
        self.file.setToolTip(tooltip(str(path)))
        self.about.setText("Reading the beginning of the file…")
        self._start_looking(partial(_open, self._session, path))

    def _set_mapping(self, fact: str, column: str) -> None:
        self._start_looking(partial(_map, self._session, fact, column))

    def _set_default(self, value: str) -> None:
        self._start_looking(partial(_default, self._session, value))

    def _start_looking(self, work: partial[Preview]) -> None:
        self.load_button.setEnabled(False)
        # One lane: every step reads the session that the one before it left.
        self._looking = self._context.job_runner.start(
            "Look at the file",
            work,
            lane="import-look",
            succeeded=self._looked,
            failed=self._look_failed,
            is_quiet=True,
        )

    def _looked(self, preview: object) -> None:
        if not isinstance(preview, Preview):
            return
        origin = {"remembered": "columns as last time", "given": "columns as chosen"}.get(
            preview.origin, "columns guessed"
        )
        self.about.setText(f"{preview.format} · {len(preview.columns):,} columns · {origin}")
        self.form.show_preview(preview, self._session.default)
        self._say_problem(_problem_words(preview.problems))
        self.load_button.setEnabled(self._session.can_load)
        if self._session.can_load and (self._other.hasFocus() or self.focusWidget() is None):
            self.load_button.setFocus()
        self.status.setText(_taken_words(preview))

    def _look_failed(self, error: object) -> None:
        self._say_problem(str(error))
        self.about.setText("")
        self.load_button.setEnabled(self._session.preview is not None and self._session.can_load)

    def _say_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    # -- loading ----------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Load the file as a job."""
        if not self._session.can_load:
            return
        database, author = self._context.database, self._context.settings.reviewer
        path, changes, default = self._session.path, self._session.changes, self._session.default
        work: partial[LoadReport]
        if self._subject is LoadSubject.EVENTS:
            work = partial(_load_events, database, path, self._context.categories, changes, author, default)
        elif self._subject is LoadSubject.ANSWERS:
            work = partial(_load_answers, database, path, changes, author, default)
        else:
            work = partial(_load_probes, database, path, changes, author, default)
        for widget in (self.load_button, self._other, self.form):
            widget.setEnabled(False)
        self._say_problem("")
        self.bar.setRange(0, 0)
        self.bar.show()
        self.status.setText("Importing…")
        self.close_button.setText("Close")
        self._context.job_runner.start(
            f"Import {path.name}",
            work,
            lane="load",
            succeeded=self._loaded,
            failed=self._load_failed,
            progressed=self._progressed,
        ).cancelled.connect(self._load_cancelled)

    def _progressed(self, report: Report) -> None:
        self.bar.setRange(0, min(report.total, 2**31 - 1))
        self.bar.setValue(min(report.done, self.bar.maximum()))
        self.status.setText(one_line(report.text, 100))

    def _loaded(self, report: object) -> None:
        assert isinstance(report, LoadReport)
        self._context.shell.say(report.text)
        self._context.changes.tell(*_CHANGED[self._subject])
        self._show_report(report)

    def _load_failed(self, error: object) -> None:
        if isinstance(error, NothingLoaded):
            self._show_report(error.report)
            self._say_problem("Nothing was imported: not one row can be taken. The reasons are below.")
            return
        self._back_to_form()
        self._say_problem(str(error))
        if not isinstance(error, BtcError) and isinstance(error, BaseException):
            self._context.shell.show_error(error)

    def _load_cancelled(self) -> None:
        self._back_to_form()
        if self._subject is LoadSubject.ANSWERS:
            self._context.changes.tell(*_CHANGED[self._subject])
            self._say_problem("The import was stopped. What had been read is kept: import again to go on.")
            return
        self._say_problem("The import was stopped. Nothing of this file was kept.")

    def _back_to_form(self) -> None:
        self.bar.hide()
        self.status.setText("")
        for widget in (self.load_button, self._other, self.form):
            widget.setEnabled(True)

    def _show_report(self, report: LoadReport) -> None:
        self._report = report
        self.bar.hide()
        self.status.setText("")
        self.about.hide()
        self.report_view.show_report(report)
        self._stack.setCurrentWidget(self.report_view)
        self.load_button.hide()
        self._other.hide()
        self._copy.show()
        self._save.setVisible(bool(report.rejected))
        self.close_button.setText("Close")
        set_role(self.close_button, "primary")
        self.close_button.setFocus()

    def _save_rejected(self) -> None:
        if self._report is None:
            return
        proposed = paths.exports() / f"{Path(self._report.file).stem} rejected.csv"
        path = ask_save(self, "Save rejected rows", proposed, "CSV (*.csv)", ".csv")
        if path is None:
            return
        rows = [[each.line, each.reason, each.content] for each in self._report.rejected]
        try:
            write_csv(path, ["line", "reason", "content"], rows, bom=True)
        except InputError as error:
            self._context.shell.show_error(error)
            return
        self.status.setText(f"Saved to {path.name}.")


def _problem_words(problems: Sequence[str]) -> str:
    if not problems:
        return ""
    words = "Choose the column on the left; what is chosen below the columns holds for rows that name nothing."
    return f"Before it can be imported: {'; '.join(problems)}. {words}"


def _taken_words(preview: Preview) -> str:
    if not preview.sample:
        return "The file has names of columns, and no rows."
    if preview.problems:
        return "No row would be taken yet."
    taken = sum(1 for row in preview.sample if not row.reason)
    return f"{taken} of the first {len(preview.sample)} rows would be taken."


def _load_events(
    database: Database,
    path: Path,
    categories: Mapping[str, Category],
    changes: Mapping[str, str],
    author: str,
    default: str,
    progress: Progress,
) -> LoadReport:
    return load_events(database, path, categories, progress, mapping=changes, author=author, default_category=default)


def _load_probes(
    database: Database, path: Path, changes: Mapping[str, str], author: str, default: str, progress: Progress
) -> LoadReport:
    return load_probes(database, path, progress, mapping=changes, author=author, default_kind=default)


def _load_answers(
    database: Database, path: Path, changes: Mapping[str, str], author: str, default: str, progress: Progress
) -> LoadReport:
    return load_answers(database, path, progress, mapping=changes, author=author, default_model=default)


def _models(database: Database) -> list[str]:
    """The models that may have given answers: those of the project's configurations, then those that can be asked."""
    names = {configuration.model: None for configuration in RunStore(database).configurations().values()}
    # A faulty file of models is told where models are chosen to be asked.
    with suppress(BtcError):
        names.update((model.name, None) for model in available_models(database))
    return list(names)
