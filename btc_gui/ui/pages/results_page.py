"""Results: accuracy by configuration, why answers failed, how far the labels can be trusted. Every figure walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from btc_gui import paths
from btc_gui.domain.accuracy_table import AccuracyCell, AccuracyRow
from btc_gui.domain.case import UNCLASSIFIED, UNSCORED, CaseQuery
from btc_gui.domain.composition_table import CompositionRow
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationRow
from btc_gui.domain.results import Results, results_of
from btc_gui.domain.study import StudyId
from btc_gui.domain.study_report import StudyReport
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import BtcError
from btc_gui.exports.matrix import matrix_path, write_matrix_csv, write_matrix_svg
from btc_gui.exports.result_tables import write_accuracy_table, write_composition_table
from btc_gui.jobs.study_report import StudyReports
from btc_gui.progress import Progress
from btc_gui.store.judges import JudgeCounts, JudgeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.results import ResultStore
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.plots.composition_plot import CompositionPlot
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.frames import EmptyState, PageHeader, ReadingState, page_column, scrolling
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.report_view import ReportView
from btc_gui.ui.words import counted

#: Stands on every export of a project with made-up behaviour.
ILLUSTRATIVE: Final = "Illustrative data: invented behaviour, no real model."


@dataclass(frozen=True, slots=True)
class ResultsReading:
    """All that the page shows."""

    results: Results
    reports: tuple[StudyReport, ...]
    is_illustrative: bool
    judges: tuple[JudgeCounts, ...] = ()


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def _accuracy(cell: AccuracyCell) -> str:
    if cell.accuracy is None:
        return "–"
    limits = f" [{cell.interval[0] * 100:.0f}, {cell.interval[1] * 100:.0f}]" if cell.interval else ""
    return f"{_percent(cell.accuracy)}{limits} of {cell.scored:,}"


def _category(row: AccuracyRow) -> str:
    return row.category[:1].upper() + row.category[1:]


def _configuration(row: AccuracyRow) -> str:
    return row.title


def _direct(row: AccuracyRow) -> str:
    return _accuracy(row.direct)


def _indirect(row: AccuracyRow) -> str:
    return _accuracy(row.indirect)


def _drop(row: AccuracyRow) -> str:
    return "–" if row.drop is None else f"{row.drop * 100:.1f}"


def _no_answer(row: AccuracyRow) -> str:
    count = row.direct.unanswered + row.indirect.unanswered
    return f"{count:,}" if count else "–"


def _failed(row: AccuracyRow) -> str:
    count = row.direct.failed + row.indirect.failed
    return f"{count:,}" if count else "–"


def _unscored(row: AccuracyRow) -> str:
    count = row.direct.unscored + row.indirect.unscored
    return f"{count:,}" if count else "–"


COLUMNS: Final[tuple[Column[AccuracyRow], ...]] = (
    Column("Category", _category, 80),
    Column("Configuration", _configuration, 0),
    Column("Direct, correct", _direct, 160, is_number=True),
    Column("Indirect, correct", _indirect, 160, is_number=True),
    Column("Drop, points", _drop, 92, is_number=True),
    Column("No answer", _no_answer, 80, is_number=True),
    Column("Failed", _failed, 60, is_number=True),
    Column("Unscored", _unscored, 76, is_number=True),
)


class ResultsPage(Page):
    """The page of results."""

    name = "results"
    title = "Results"
    icon = "chart-bar"
    subjects = frozenset({Subject.ANSWERS, Subject.VERDICTS, Subject.STUDIES, Subject.RUNS})

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._listing = LatestJob(context.job_runner, "Count results", self._show_reading, self)
        self._reports = StudyReports(context.database)
        self._rows: tuple[AccuracyRow, ...] = ()
        self._reading: ResultsReading | None = None
        self._table: LazyTable[int, AccuracyRow] = LazyTable(COLUMNS, self._fetch, self)
        self._build()
        commands = context.commands
        commands.bind("results.export_table", self._export_tables, self)
        commands.bind("results.export_matrix", self._export_matrix, self)
        self._sync()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        commands = self._context.commands
        column = page_column(self)
        self._header = PageHeader("Results")
        self._header.add(CommandButton(commands.action("view.judges")))
        self._header.add(CommandButton(commands.action("results.export_table")))
        self._header.add(CommandButton(commands.action("results.export_matrix")))
        column.addWidget(self._header)
        self._stack = QStackedWidget()
        self._stack.addWidget(ReadingState())
        column.addWidget(self._stack, 1)
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._tabs.addTab(self._accuracy_tab(), "Accuracy")
        self._tabs.addTab(self._modes_tab(), "Failure modes")
        self._tabs.addTab(self._validation_tab(), "Validation")
        self._tabs.currentChanged.connect(self._sync)
        self._stack.addWidget(self._tabs)
        self._stack.addWidget(
            EmptyState(
                "chart-bar",
                "No results yet",
                "Once answers are judged, direct and indirect accuracy stand here side by side, by configuration.",
                commands.action("go.runs"),
            )
        )

    def _accuracy_tab(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        self._view: TableView[int] = TableView(self._table, self._context.theme, "accuracy")
        self._view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        # A cell, not a row, opens its cases.
        self._view.setSelectionBehavior(TableView.SelectionBehavior.SelectItems)
        self._view.setAccessibleDescription("Enter opens the cases behind the current cell")
        self._view.doubleClicked.connect(self._open_cell)
        self._view.opened.connect(self._open_current)
        column.addWidget(self._view, 1)
        self._accuracy_note = label("", "small")
        column.addWidget(self._accuracy_note)
        self._repeated = label("", "small")
        self._repeated.setVisible(False)
        column.addWidget(self._repeated)
        return page

    def _modes_tab(self) -> QWidget:
        body = QWidget()
        self._bars = QVBoxLayout(body)
        self._bars.setContentsMargins(2, 12, 8, 8)
        self._bars.setSpacing(8)
        self._no_modes = EmptyState(
            "tag", "No failures classified yet", "Judge the answers of a run, then classify its failures."
        )
        self._bars.addWidget(self._no_modes)
        self._bars.addStretch(1)
        self._plots: list[tuple[QWidget, CompositionPlot]] = []
        return scrolling(body, "Failure modes")

    def _validation_tab(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        row = QHBoxLayout()
        self._studies = QComboBox()
        self._studies.setAccessibleName("Study")
        self._studies.setMinimumWidth(240)
        self._studies.currentIndexChanged.connect(self._show_report)
        row.addWidget(self._studies)
        row.addStretch(1)
        self._study_row = QWidget()
        self._study_row.setLayout(row)
        row.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._study_row)
        self._report = ReportView(self._context)
        self._no_report = EmptyState(
            "certificate",
            "No study is unblinded yet",
            "Once people have labelled a sample blind, their labels stand against the judge's here.",
            self._context.commands.action("go.validation"),
        )
        column.addWidget(self._report, 1)
        column.addWidget(self._no_report, 1)
        return page

    # -- showing ---------------------------------------------------------------------------------------------

    def activate(self) -> None:
        """Count anew."""
        database = self._context.database

        def read(progress: Progress) -> ResultsReading:
            studies = StudyStore(database).all()
            reports = []
            for study in studies:
                if study.state.is_unblinded:
                    try:
                        reports.append(self._reports.report(study.id, progress))
                    except BtcError:
                        continue  # The Validation page says what is wrong with it.
            return ResultsReading(
                results_of(ResultStore(database).answers(), RunStore(database).configurations()),
                tuple(reports),
                ProjectStore(database).is_illustrative,
                tuple(JudgeStore(database).counts()),
            )

        self._listing.ask(read)

    def show_item(self, item: object) -> None:
        """Show a tab by its name, or the report of a study by its id."""
        names = {"accuracy": 0, "modes": 1, "validation": 2}
        if isinstance(item, str) and item in names:
            self._tabs.setCurrentIndex(names[item])
        elif isinstance(item, int):
            self._tabs.setCurrentIndex(2)
            place = self._studies.findData(int(StudyId(item)))
            if place >= 0:
                self._studies.setCurrentIndex(place)

    def take_focus(self) -> None:
        """The keys of the tab that is shown."""
        self._tabs.setFocus()

    def _fetch(self, ids: Sequence[int]) -> dict[int, AccuracyRow]:
        return {place: self._rows[place] for place in ids if place < len(self._rows)}

    def _show_reading(self, reading: object) -> None:
        if not isinstance(reading, ResultsReading) or reading == self._reading:
            return
        rows = reading.results.accuracy
        self._reading, self._rows = reading, rows
        self._table.show_ids(range(len(rows)))
        self._view.select_first()
        self._stack.setCurrentIndex(1 if rows else 2)
        self._header.set_counts(counted(len(rows), "row") if rows else "")
        self._accuracy_note.setText(_note(rows, reading.judges))
        self._repeated.setText(reading.results.repeats_note)
        self._repeated.setVisible(bool(reading.results.repeats_note))
        self._show_bars(reading.results.composition)
        self._show_studies(reading.reports)
        self._sync()

    def _show_bars(self, rows: Sequence[CompositionRow]) -> None:
        for holder, _ in self._plots:
            self._bars.removeWidget(holder)
            holder.hide()
            holder.deleteLater()
        self._plots = []
        categories = list(dict.fromkeys(row.category for row in rows if row.total))
        self._no_modes.setVisible(not categories)
        for place, category in enumerate(categories):
            holder = QWidget()
            inner = QVBoxLayout(holder)
            inner.setContentsMargins(0, 0, 0, 16)
            known = self._context.categories.get(category)
            words = known.plural if known else category
            inner.addWidget(label(f"{words[:1].upper()}{words[1:]}: why indirect answers failed", "heading"))
            plot = CompositionPlot(self._context.theme)
            plot.show_rows([row for row in rows if row.category == category])
            plot.piece_opened.connect(self._open_piece)
            inner.addWidget(plot)
            self._bars.insertWidget(place, holder)
            self._plots.append((holder, plot))

    def _show_studies(self, reports: Sequence[StudyReport]) -> None:
        chosen = self._studies.currentData()
        self._studies.blockSignals(True)
        self._studies.clear()
        for report in reports:
            self._studies.addItem(one_line(report.study.name, 60), int(report.study.id))
        place = self._studies.findData(chosen)
        self._studies.setCurrentIndex(max(place, 0) if reports else -1)
        self._studies.blockSignals(False)
        self._study_row.setVisible(len(reports) > 1)
        self._report.setVisible(bool(reports))
        self._no_report.setVisible(not reports)
        self._show_report()

    def _show_report(self) -> None:
        place = self._studies.currentIndex()
        if self._reading is not None and 0 <= place < len(self._reading.reports):
            self._report.show_report(self._reading.reports[place])

    def _sync(self) -> None:
        has_rows = bool(self._rows)
        has_matrix = self._report.matrix is not None
        actions = self._context.commands
        for name, is_possible, why in (
            ("results.export_table", has_rows, "There are no results yet."),
            ("results.export_matrix", has_matrix, "No study is unblinded yet."),
        ):
            action = actions.action(name)
            action.setEnabled(is_possible)
            text, key = action.text().rstrip("…"), actions.keys.key(name)
            action.setToolTip(f"{text} ({key})" if is_possible else why)

    # -- to the cases ----------------------------------------------------------------------------------------

    def _open_current(self) -> None:
        self._open_cell(self._view.currentIndex())

    def _open_cell(self, index: QModelIndex) -> None:
        row = self._table.record(index.row()) if index.isValid() else None
        if row is not None:
            self._context.shell.open("cases", query_of(row, index.column()))

    def _open_piece(self, row: CompositionRow, mode: FailureMode | None) -> None:
        query = replace(
            _of_configuration(row.head),
            kinds=(ProbeKind.INDIRECT.value,),
            labels=("incorrect",),
            modes=(mode.value,) if mode else (UNCLASSIFIED, UNSCORED),
        )
        self._context.shell.open("cases", query)

    # -- exports ---------------------------------------------------------------------------------------------

    def _ask_folder(self, title: str) -> Path | None:
        start = paths.exports()
        chosen = QFileDialog.getExistingDirectory(self, title, str(start if start.exists() else Path.home()))
        return Path(chosen) if chosen else None

    def _export_tables(self) -> None:
        folder = self._ask_folder("Folder for the tables")
        if folder is not None:
            self.export_tables(folder)

    def export_tables(self, folder: Path) -> None:
        """Write the accuracy table and the composition of failures into `folder` as CSV."""
        reading = self._reading
        if reading is None:
            return
        note = ILLUSTRATIVE if reading.is_illustrative else ""

        def write(progress: Progress) -> object:
            write_accuracy_table(reading.results.accuracy, folder / "accuracy.csv", note)
            write_composition_table(reading.results.composition, folder / "failure_modes.csv", note)
            return f"accuracy.csv and failure_modes.csv are in {folder}"

        self._context.job_runner.start("Export tables", write, succeeded=self._exported)

    def _export_matrix(self) -> None:
        folder = self._ask_folder("Folder for the matrix")
        if folder is not None:
            self.export_matrix(folder)

    def export_matrix(self, folder: Path) -> None:
        """Write the matrix that is shown into `folder` as CSV and SVG."""
        reading, report, matrix = self._reading, self._report.report, self._report.matrix
        if reading is None or report is None or matrix is None:
            return
        name = report.study.name
        note = ILLUSTRATIVE if reading.is_illustrative else ""

        def write(progress: Progress) -> object:
            csv_path, svg_path = matrix_path(folder, name, "csv"), matrix_path(folder, name, "svg")
            write_matrix_csv(matrix, csv_path, note)
            write_matrix_svg(matrix, svg_path, name, note)
            return f"{csv_path.name} and {svg_path.name} are in {folder}"

        self._context.job_runner.start("Export matrix", write, succeeded=self._exported)

    def _exported(self, words: object) -> None:
        self._context.shell.say(str(words))


def query_of(row: AccuracyRow, column: int) -> CaseQuery:
    """The cases behind a cell of the accuracy table: those that its figure counts."""
    query = _of_configuration(row.head)
    scored = ("correct", "incorrect")
    title = COLUMNS[column].title
    if title == "Direct, correct":
        return replace(query, kinds=(ProbeKind.DIRECT.value,), labels=scored)
    if title == "Indirect, correct":
        return replace(query, kinds=(ProbeKind.INDIRECT.value,), labels=scored)
    if title == "No answer":
        return replace(query, endings=(Ending.NO_ANSWER.value, Ending.REFUSED.value))
    if title == "Failed":
        return replace(query, endings=(Ending.FAILED.value,))
    return replace(query, labels=(UNSCORED,)) if title == "Unscored" else query


def _of_configuration(head: ConfigurationRow) -> CaseQuery:
    """The cases of one row: of exactly this configuration, with the facets that say so."""
    configuration = head.configuration
    return CaseQuery(
        categories=(head.category,),
        models=(configuration.model,),
        efforts=(configuration.effort,),
        harnesses=(configuration.harness,),
        configuration_id=head.configuration_id,
    )


def _note(rows: Sequence[AccuracyRow], judges: Sequence[JudgeCounts]) -> str:
    """What a reader of the table must know."""
    words = [
        "Accuracy is over scored answers, with Wilson's 95 % interval. Without a final answer, failed and unscored "
        "ones are counted beside it. The drop is direct less indirect.",
    ]
    unjudged = sum(row.direct.unjudged + row.indirect.unjudged for row in rows)
    if unjudged:
        words.append(f"{counted(unjudged, 'answer')} not judged yet.")
    counting = [each for each in judges if each.counting]
    if len(counting) == 1:
        words.append(f"Judged by {one_line(counting[0].judge, 60)}.")
    elif counting:
        who = ", ".join(f"{one_line(each.judge, 60)} ({each.counting:,})" for each in counting)
        words.append(f"Verdicts of several judges count, the newest on each answer: {who}.")
    words.append("Double-click a cell, or press Enter on it, to open its cases.")
    return " ".join(words)
