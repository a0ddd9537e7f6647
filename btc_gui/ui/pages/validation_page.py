"""Validation: studies from design to report. What the state of a study forbids can't be done, and says why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.study import StudyId, StudyState
from btc_gui.jobs.study_report import StudyReports
from btc_gui.progress import Progress
from btc_gui.sessions.validating import StudyLine, ValidatingSession
from btc_gui.store.studies import StudyStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.shell import Page
from btc_gui.ui.study_reading import StudyReading, read_study
from btc_gui.ui.study_steps import StudySteps
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.frames import EmptyState, PageHeader, ReadingState, page_column
from btc_gui.ui.widgets.list_and_detail import ListAndDetail
from btc_gui.ui.widgets.study_dialog import StudyDialog
from btc_gui.ui.widgets.study_view import StudyView
from btc_gui.ui.words import counted

_STATE_MARKS = {
    StudyState.DRAFT: "unreviewed",
    StudyState.LOCKED: "deferred",
    StudyState.PRACTICE: "explicit",
    StudyState.LABELLING: "explicit",
    StudyState.CLOSED: "deferred",
    StudyState.UNBLINDED: "accepted",
    StudyState.ANALYSED: "accepted",
    StudyState.AMENDED: "accepted",
}


def _name(line: StudyLine) -> str:
    return line.study.name


def _state(line: StudyLine) -> str:
    return line.study.state.value


def _state_mark(line: StudyLine) -> str:
    return _STATE_MARKS[line.study.state]


def _back(line: StudyLine) -> str:
    return f"{line.back:,}/{line.expected:,}" if line.items else "–"


COLUMNS: Final[tuple[Column[StudyLine], ...]] = (
    Column("Study", _name, 0, mark=_state_mark),
    Column("State", _state, 88),
    Column("Labels", _back, 76, is_number=True),
)

#: From this text size on the list tells names and marks only.
_LARGE = 1.4


class ValidationPage(Page):
    """The page of studies. `show_item` takes a study's id."""

    name = "validation"
    title = "Validation"
    icon = "certificate"
    subjects = frozenset({Subject.STUDIES, Subject.VERDICTS, Subject.ANSWERS})
    least_height = 520

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self._context = context
        self._listing = LatestJob(context.job_runner, "Read studies", self._show_studies, self)
        self._one = LatestJob(context.job_runner, "Read study", self._show_reading, self)
        self._session = ValidatingSession(context.database, context.categories)
        self._reports = StudyReports(context.database)
        self._lines: dict[StudyId, StudyLine] = {}
        self._wanted: StudyId | None = None
        self._table: LazyTable[StudyId, StudyLine] = LazyTable(COLUMNS, self._fetch, self)
        self.steps = StudySteps(context, self._session, self)
        self._build()
        context.commands.bind("validation.new", self._new, self)
        context.theme.changed.connect(self._take_theme)

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        commands = self._context.commands
        column = page_column(self)
        self._header = PageHeader("Validation")
        self._header.add(CommandButton(commands.action("validation.label")))
        self._header.add(CommandButton(commands.action("validation.new"), "primary"))
        column.addWidget(self._header)
        self._stack = QStackedWidget()
        column.addWidget(self._stack, 1)
        left = QWidget()
        inner = QVBoxLayout(left)
        inner.setContentsMargins(0, 0, 0, 0)
        self._view: TableView[StudyId] = TableView(self._table, self._context.theme, "studies")
        self._view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self._view.current_changed.connect(self._current_changed)
        inner.addWidget(self._view)
        left.setMinimumWidth(220)
        self.study = StudyView(self._context)
        split = ListAndDetail("studies", left, self.study, (330, 760), heights=(1, 3), is_main=True)
        split.setHandleWidth(16)
        split.turned.connect(self._take_theme)
        self._empty = EmptyState(
            "certificate",
            "No studies yet",
            "A study checks the judge or the classifier: people label a drawn sample blind, in packets that hold "
            "nothing else, and the labels are compared once they are back.",
            commands.action("validation.new"),
        )
        self._split = split
        for each in (ReadingState(), split, self._empty):
            self._stack.addWidget(each)

    def _take_theme(self) -> None:
        """With large text, names have the room of the other columns; the mark tells the state."""
        is_beside = self._split.orientation() is Qt.Orientation.Horizontal
        is_large = self._context.theme.text_scale > _LARGE
        self._view.hide_columns(set(range(1, len(COLUMNS))) if is_beside and is_large else set())

    # -- showing ---------------------------------------------------------------------------------------------

    def activate(self) -> None:
        """Show the present studies."""
        self._take_theme()  # The window may have given the columns back what they were.
        session = self._session

        def read(progress: Progress) -> list[StudyLine]:
            return session.studies()

        self._listing.ask(read)

    def show_item(self, item: object) -> None:
        """Show one study."""
        if isinstance(item, int):
            self._wanted = StudyId(item)
            if self._view.select_id(self._wanted):
                self._wanted = None

    def take_focus(self) -> None:
        """The list's keys."""
        self._view.setFocus()

    @property
    def current(self) -> StudyLine | None:
        """The study that is chosen in the list."""
        current = self._view.current_id
        return self._lines.get(current) if current is not None else None

    def _fetch(self, ids: Sequence[StudyId]) -> dict[StudyId, StudyLine]:
        return {study_id: self._lines[study_id] for study_id in ids if study_id in self._lines}

    def _show_studies(self, lines: list[StudyLine]) -> None:
        self._lines = {line.study.id: line for line in lines}
        before = self._view.current_id
        self._table.show_ids(list(self._lines))
        self._stack.setCurrentWidget(self._split if lines else self._empty)
        self._header.set_counts(counted(len(lines), "study", "studies") if lines else "")
        if self._wanted is not None and self._view.select_id(self._wanted):
            self._wanted = None
        self._view.select_first()
        if before is not None and before == self._view.current_id:
            self._read(before)
        if not lines:
            self.steps.show(None, None)

    def _current_changed(self, study_id: object) -> None:
        self.steps.show(self.current, None)
        if isinstance(study_id, int):
            self._read(StudyId(study_id))

    def _read(self, study_id: StudyId) -> None:
        database, session, reports = self._context.database, self._session, self._reports
        person = self._context.settings.reviewer

        def read(progress: Progress) -> StudyReading:
            reading = read_study(database, session, reports, study_id, progress)
            if reading.report is not None:
                # The report tells labels of answers that another study, still open, may have as well.
                StudyStore(database).expose_all(person, of=study_id)
            return reading

        self._one.ask(read)

    def _show_reading(self, reading: StudyReading) -> None:
        line = reading.line
        if line.study.id != self._view.current_id:
            return
        self._lines[line.study.id] = line
        self.steps.show(line, reading)
        self.study.show_study(reading)

    # -- designing -------------------------------------------------------------------------------------------

    def _new(self) -> None:
        dialog = StudyDialog(self._context, self._session, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._created)
        self._dialog = dialog
        dialog.open()

    def _created(self) -> None:
        self._wanted = self._dialog.study_id
        self._context.changes.tell(Subject.STUDIES)
