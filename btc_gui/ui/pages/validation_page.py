"""Validation: studies from design to report. What the state of a study forbids is disabled, and says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.study import LogEntry, StudyId, StudyState, StudyStep
from btc_gui.domain.study_report import StudyReport
from btc_gui.errors import BtcError
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.validating import FramePreview, StudyLine, ValidatingSession
from btc_gui.store.packet_file import SUFFIX, PacketFile
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.processes import start_labelling
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.frames import EmptyState, PageHeader, page_column
from btc_gui.ui.widgets.plain_text import one_line
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
_PACKETS = f"Packets (*{SUFFIX})"


@dataclass(frozen=True, slots=True)
class StudyReading:
    """A study as the page shows it."""

    line: StudyLine
    log: tuple[LogEntry, ...]
    preview: FramePreview | None
    report: StudyReport | None
    problem: str = ""


def _name(line: StudyLine) -> str:
    return line.study.name


def _state(line: StudyLine) -> str:
    return line.study.state.value


def _state_mark(line: StudyLine) -> str:
    return _STATE_MARKS[line.study.state]


def _back(line: StudyLine) -> str:
    return f"{line.back:,}/{line.expected:,}" if line.items else "–"


COLUMNS: Final[tuple[Column[StudyLine], ...]] = (
    Column("Study", _name, 0),
    Column("State", _state, 108, mark=_state_mark),
    Column("Labels", _back, 76, is_number=True),
)


class ValidationPage(Page):
    """The page of studies. `show_item` takes a study's id."""

    name = "validation"
    title = "Validation"
    icon = "certificate"
    subjects = frozenset({Subject.STUDIES, Subject.VERDICTS, Subject.ANSWERS})

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._listing = LatestJob(context.job_runner, "Read studies", self._show_studies, self)
        self._session = ValidatingSession(context.database, context.categories)
        self._lines: dict[StudyId, StudyLine] = {}
        self._wanted: StudyId | None = None
        self._folder = Path.home()
        self._written: dict[StudyId, list[tuple[str, Path]]] = {}
        self._table: LazyTable[StudyId, StudyLine] = LazyTable(COLUMNS, self._fetch, self)
        self._build()
        self._bind()

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
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(16)
        split.setChildrenCollapsible(False)
        left = QWidget()
        inner = QVBoxLayout(left)
        inner.setContentsMargins(0, 0, 0, 0)
        self._view: TableView[StudyId] = TableView(self._table, self._context.theme, "studies")
        self._view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self._view.current_changed.connect(self._current_changed)
        inner.addWidget(self._view)
        left.setMinimumWidth(260)
        split.addWidget(left)
        self._study = StudyView(self._context)
        split.addWidget(self._study)
        split.setSizes([320, 760])
        split.setStretchFactor(1, 1)
        self._stack.addWidget(split)
        self._stack.addWidget(
            EmptyState(
                "certificate",
                "No studies yet",
                "A study checks the judge or the classifier: people label a drawn sample blind, in packets that hold "
                "nothing else, and the labels are compared once they are back.",
                commands.action("validation.new"),
            )
        )

    def _bind(self) -> None:
        for name, method in (
            ("new", self._new),
            ("lock", self._lock),
            ("packets", self._write_packets),
            ("label", self._label),
            ("return", self._return),
            ("close", self._close),
            ("unblind", self._unblind),
        ):
            self._context.commands.bind(f"validation.{name}", method, self)
        self._sync(None)

    # -- showing ---------------------------------------------------------------------------------------------

    def activate(self) -> None:
        """Show the present studies."""
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
    def _current(self) -> StudyLine | None:
        current = self._view.current_id
        return self._lines.get(current) if current is not None else None

    def _fetch(self, ids: Sequence[StudyId]) -> dict[StudyId, StudyLine]:
        return {study_id: self._lines[study_id] for study_id in ids if study_id in self._lines}

    def _show_studies(self, lines: object) -> None:
        if not isinstance(lines, list):
            return
        self._lines = {line.study.id: line for line in lines}
        before = self._view.current_id
        self._table.show_ids(list(self._lines))
        self._stack.setCurrentIndex(0 if lines else 1)
        self._header.set_counts(counted(len(lines), "study", "studies") if lines else "")
        if self._wanted is not None and self._view.select_id(self._wanted):
            self._wanted = None
        self._view.select_first()
        if before is not None and before == self._view.current_id:
            self._current_changed(before)
        self._sync(self._current)

    def _current_changed(self, study_id: object) -> None:
        self._sync(self._current)
        if not isinstance(study_id, int):
            return
        session, database, wanted = self._session, self._context.database, StudyId(study_id)

        def read(progress: Progress) -> StudyReading:
            line = session.study(wanted)
            preview, report, problem = None, None, ""
            try:
                if line.study.state is StudyState.DRAFT:
                    preview = session.preview(line.study.design)
                elif line.study.state.is_unblinded:
                    report = study_report(database, wanted, progress)
            except BtcError as error:
                problem = str(error)
            return StudyReading(line, tuple(session.log(wanted)), preview, report, problem)

        self._context.job_runner.start("Read study", read, is_quiet=True, succeeded=self._show_reading)

    def _show_reading(self, reading: object) -> None:
        if not isinstance(reading, StudyReading) or reading.line.study.id != self._view.current_id:
            return
        self._lines[reading.line.study.id] = reading.line
        self._study.show_study(
            reading.line,
            reading.log,
            reading.preview,
            reading.report,
            reading.problem,
            self._written.get(reading.line.study.id, []),
        )
        self._sync(reading.line)

    # -- what can be done ------------------------------------------------------------------------------------

    def _sync(self, line: StudyLine | None) -> None:
        """Enable what the state allows, and say of the rest why not."""
        state = line.study.state if line else None
        steps = line.steps if line else ()
        annotators = set(line.study.design.annotators) if line else set()
        issued = {packet.annotator for packet in line.packets} if line else set()
        reasons = {
            "lock": "" if StudyStep.LOCK in steps else f"The study is {state} already.",
            "packets": (
                f"A study that is {state} gives out no packets."
                if StudyStep.ISSUE not in steps
                else "Every annotator has a packet."
                if annotators <= issued
                else ""
            ),
            "return": "" if StudyStep.RETURN in steps else f"No packet of a study that is {state} can come back.",
            "close": "" if StudyStep.CLOSE in steps else f"A study that is {state} can't be closed.",
            "unblind": "" if StudyStep.UNBLIND in steps else f"Only a closed study is unblinded; this one is {state}.",
        }
        for name, reason in reasons.items():
            self._allow(f"validation.{name}", "Choose a study first." if line is None else reason)

    def _allow(self, name: str, reason: str) -> None:
        action, keys = self._context.commands.action(name), self._context.commands.keys
        action.setEnabled(not reason)
        key, text = keys.key(name), action.text().rstrip("…")
        action.setToolTip(reason or (f"{text} ({key})" if key else text))

    def _new(self) -> None:
        dialog = StudyDialog(self._context, self._session, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._created)
        self._dialog = dialog
        dialog.open()

    def _created(self) -> None:
        self._wanted = self._dialog.study_id
        self._context.changes.tell(Subject.STUDIES)

    def _start(self, title: str, work: Callable[[Progress], object], succeeded: Callable[[object], object]) -> None:
        self._context.job_runner.start(title, work, lane="studies", succeeded=succeeded, failed=self._failed)

    def _failed(self, error: object) -> None:
        if isinstance(error, BaseException):
            self._context.shell.show_error(error)
        self._context.changes.tell(Subject.STUDIES)

    def _done(self, result: object) -> None:
        self._context.changes.tell(Subject.STUDIES)

    def _lock(self) -> None:
        line = self._current
        if line is None or not confirm(
            self,
            f"Lock “{one_line(line.study.name, 80)}”?",
            "The sample is drawn and frozen with criteria and seeds. Nothing about it can be changed after that.",
            "Lock study",
        ):
            return
        database, categories = self._context.database, self._context.categories
        actor, study_id = self._context.settings.reviewer, line.study.id

        def work(progress: Progress) -> object:
            return lock_study(database, study_id, categories, actor, progress)

        self._start("Lock study", work, self._done)

    def _write_packets(self) -> None:
        line = self._current
        if line is None:
            return
        chosen = QFileDialog.getExistingDirectory(self, "Folder for the packets", str(self._folder))
        if not chosen:
            return
        self.write_packets(line, Path(chosen))

    def write_packets(self, line: StudyLine, folder: Path) -> None:
        """Write the packets of the annotators that have none into `folder`, under names that say nothing."""
        self._folder = folder
        database, categories = self._context.database, self._context.categories
        actor, study = self._context.settings.reviewer, line.study
        issued = {packet.annotator for packet in line.packets}
        waiting = [name for name in study.design.annotators if name not in issued]

        def work(progress: Progress) -> object:
            return study.id, [
                (name, issue_packet(database, study.id, name, folder, categories, actor, progress)) for name in waiting
            ]

        self._start("Write packets", work, self._packets_written)

    def _packets_written(self, result: object) -> None:
        if isinstance(result, tuple):
            study_id, written = result
            self._written.setdefault(study_id, []).extend(written)
            self._context.shell.say(f"{counted(len(written), 'packet')} written to {self._folder}")
        self._context.changes.tell(Subject.STUDIES)

    def _label(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Open a packet for labelling", str(self._folder), _PACKETS)
        if chosen:
            path = Path(chosen)
            self._folder = path.parent

            def look(progress: Progress) -> Path:
                # A foreign, altered or open one is refused here, where the reason can be shown.
                with PacketFile.open(path, to_label=False) as packet:
                    packet.outline()
                return path

            self._start("Open packet", look, self._open_packet)

    def _open_packet(self, path: object) -> None:
        if isinstance(path, Path):
            try:
                start_labelling(path)
            except BtcError as error:
                self._context.shell.show_error(error)

    def _return(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(self, "Packets that came back", str(self._folder), _PACKETS)
        if chosen:
            self.return_packets([Path(each) for each in chosen])

    def return_packets(self, packets: Sequence[Path]) -> None:
        """Take labelled packets back into their studies."""
        self._folder = packets[0].parent
        database, actor = self._context.database, self._context.settings.reviewer

        def work(progress: Progress) -> object:
            return [return_packet(database, path, actor, progress).text for path in packets]

        self._start("Take packets back", work, self._returned)

    def _returned(self, texts: object) -> None:
        if isinstance(texts, list):
            self._context.shell.say(" · ".join(texts))
        self._context.changes.tell(Subject.STUDIES)

    def _close(self) -> None:
        line = self._current
        if line is None:
            return
        missing = line.expected - line.back
        reason = ""
        if missing:
            reason, accepted = QInputDialog.getText(
                self,
                "Close labelling",
                f"{counted(missing, 'label')} did not come back. Why will they never be given?",
            )
            if not accepted or not reason.strip():
                return
        elif not confirm(
            self,
            f"Close the labelling of “{one_line(line.study.name, 80)}”?",
            "All labels are sealed by their hash; none can be changed after that.",
            "Close labelling",
        ):
            return
        database, actor, study_id = self._context.database, self._context.settings.reviewer, line.study.id

        def work(progress: Progress) -> object:
            return close_study(database, study_id, actor, abandon_reason=reason)

        self._start("Close labelling", work, self._done)

    def _unblind(self) -> None:
        line = self._current
        if line is None or not confirm(
            self,
            f"Unblind “{one_line(line.study.name, 80)}”?",
            "The labels are compared with the judge's or classifier's. This can't be taken back.",
            "Unblind",
        ):
            return
        database, actor, study_id = self._context.database, self._context.settings.reviewer, line.study.id

        def work(progress: Progress) -> object:
            unblind_study(database, study_id, actor)
            return study_id

        self._start("Unblind study", work, self._done)
