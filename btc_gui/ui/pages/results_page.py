"""Results: every table and figure of the benchmark, raw and corrected; a figure opens its cases."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from btc_gui import paths
from btc_gui.domain.arranged_table import Arrangement
from btc_gui.domain.result_table import ResultTable, ShownColumn
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.exports.change_tables import write_comparison
from btc_gui.exports.result_tables import retention_table
from btc_gui.exports.results import MANIFEST, RESTING_ON_LABELS, left_out_words, result_tables
from btc_gui.jobs.read_results import ResultsReader
from btc_gui.progress import Progress
from btc_gui.store.results import ResultStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.file_dialogs import ask_folder
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.result_exporting import export_results
from btc_gui.ui.result_opening import told_cases
from btc_gui.ui.shell import Page
from btc_gui.ui.theme import BETWEEN
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.frames import EmptyState, PageHeader, ReadingState, page_column
from btc_gui.ui.widgets.list_and_detail import ListAndDetail
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.result_bar import ResultBar
from btc_gui.ui.widgets.result_comparison import Comparison, ResultComparison
from btc_gui.ui.widgets.result_contents import COMPARISON, FIGURES, RETENTION, VALIDATION, ResultContents
from btc_gui.ui.widgets.result_figures import ResultFigures
from btc_gui.ui.widgets.result_table_view import ResultTableView, row_title
from btc_gui.ui.widgets.result_validation import ResultValidation
from btc_gui.ui.words import counted

#: What pages and pictures call parts of this page.
_NAMES = {"modes": "failure_modes"}


@dataclass(frozen=True, slots=True)
class ResultsReading:
    """All that the page shows."""

    record: ResultsRecord
    tables: dict[str, ResultTable]
    #: How many answers of trials there are, whether they count or not.
    trials: int


class ResultsPage(Page):
    """The page of results."""

    name = "results"
    title = "Results"
    icon = "chart-bar"
    subjects = frozenset({Subject.ANSWERS, Subject.VERDICTS, Subject.STUDIES, Subject.RUNS})
    least_height = 560

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self._context = context
        self._listing = LatestJob(context.job_runner, "Count results", self._show_reading, self)
        # Retention rests on the answers of filters, which are many more: it is counted when it is asked for.
        self._retention = LatestJob(context.job_runner, "Count retained probes", self._show_retention, self)
        self._retained: ResultTable | None = None
        self._person = context.settings.reviewer
        self._reader = ResultsReader(context.database, person=self._person)
        # Jobs only, and one of them at a time: tables are made anew when something has changed.
        self._reads = threading.Lock()
        self._made: ResultsReading | None = None
        self._reading: ResultsReading | None = None
        self._wanted = "accuracy"
        self._views: dict[str, ResultTableView] = {}
        self._build()
        commands = context.commands
        commands.bind("results.show_withheld", self._show_withheld, self)
        commands.bind("results.export_all", self._export_all, self)
        commands.bind("results.export_comparison", self._export_comparison, self)
        self._sync()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        commands = self._context.commands
        column = page_column(self)
        self._header = PageHeader("Results")
        self._withheld = CommandButton(commands.action("results.show_withheld"))
        self._withheld.hide()
        self._header.add(self._withheld)
        self._with_trials = QCheckBox("Count trials")
        self._with_trials.setToolTip("Answers to probes that were only tried out are left out otherwise")
        self._with_trials.toggled.connect(self._count_trials)
        self._with_trials.hide()
        self._header.add(self._with_trials)
        for name in ("view.judges", "results.export_all"):
            self._header.add(CommandButton(commands.action(name)))
        column.addWidget(self._header)
        self._stack = QStackedWidget()
        self._stack.addWidget(ReadingState())
        column.addWidget(self._stack, 1)
        self.contents = ResultContents(self._context.theme)
        self.contents.chosen.connect(self._show_entry)
        self._parts = QStackedWidget()
        sizes, heights, width = (200, 800), (2, 5), self._width_of_contents
        self._splitter = ListAndDetail(
            "contents", self.contents, self._parts, sizes, heights=heights, is_main=True, width_of_list=width
        )
        self._splitter.setHandleWidth(BETWEEN)
        self._parts.addWidget(self._tables_part())
        self.figures = ResultFigures(self._context)
        self.figures.opened.connect(self._open_cases)
        self._parts.addWidget(self.figures)
        self._parts.addWidget(self._comparison_part())
        self.validation = ResultValidation(self._context)
        self._parts.addWidget(self.validation)
        self._counting = ReadingState()
        self._not_filtered = EmptyState(
            "filter",
            "No probe was filtered yet",
            "A filter puts each probe to a model without search; how many each model retains stands here then.",
        )
        self._parts.addWidget(self._counting)
        self._parts.addWidget(self._not_filtered)
        self._stack.addWidget(self._splitter)
        self._context.theme.changed.connect(self._splitter.share_width)
        self._stack.addWidget(
            EmptyState(
                "chart-bar",
                "No results yet",
                "Once answers are judged, direct and indirect accuracy stand here side by side, by configuration.",
                commands.action("go.runs"),
            )
        )

    def _tables_part(self) -> QWidget:
        self._tables_widget = QWidget()
        column = QVBoxLayout(self._tables_widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.bar = ResultBar()
        self.bar.arranged.connect(self._arrange)
        column.addWidget(self.bar)
        self._table_stack = QStackedWidget()
        column.addWidget(self._table_stack, 1)
        self.note = label("", "small")
        column.addWidget(self.note)
        return self._tables_widget

    def _comparison_part(self) -> QWidget:
        self._comparison_widget = QWidget()
        column = QVBoxLayout(self._comparison_widget)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(label("Two releases or dates of the same configurations", "heading"), 1)
        row.addWidget(CommandButton(self._context.commands.action("results.export_comparison")))
        column.addLayout(row)
        self.comparison = ResultComparison(self._context)
        self.comparison.cell_opened.connect(self._open_row)
        self.comparison.made.connect(self._sync)
        column.addWidget(self.comparison, 1)
        return self._comparison_widget

    # -- showing ---------------------------------------------------------------------------------------------

    def activate(self) -> None:
        """Count anew, for the eyes of whoever the settings name."""
        if self._context.settings.reviewer != self._person:
            self._renew_reader()
        self._listing.ask(self._read)
        if self.contents.current == RETENTION:
            self._ask_retention()

    def _renew_reader(self) -> None:
        self._person = self._context.settings.reviewer
        self._reader = ResultsReader(
            self._context.database, with_trials=self._with_trials.isChecked(), person=self._person
        )

    def _count_trials(self, counts: bool) -> None:
        self.figures.with_trials = counts
        self._renew_reader()
        self.activate()

    def _read(self, progress: Progress) -> ResultsReading:
        with self._reads:
            record = self._reader.read(progress)
            trials = ResultStore(self._context.database).trials()
            if self._made is None or self._made.record is not record:
                self._made = ResultsReading(record, {table.name: table for table in result_tables(record)}, trials)
            elif self._made.trials != trials:
                self._made = replace(self._made, trials=trials)
            return self._made

    def read_ahead(self, progress: Progress) -> None:
        self._read(progress)

    def _width_of_contents(self, whole: int) -> int:
        """So wide that the contents can be read whole."""
        return min(self.contents.sizeHint().width(), whole // 3)

    def show_item(self, item: object) -> None:
        """Show a table or view by its name, or the report of a study by its id."""
        if isinstance(item, str):
            self._wanted = _NAMES.get(item, item)
            self.contents.choose(self._wanted)
        elif isinstance(item, int):
            self._wanted = VALIDATION
            self.contents.choose(VALIDATION)
            self.validation.choose(item)

    def take_focus(self) -> None:
        """The keys of what is shown."""
        view = self.table_view
        if self._parts.currentWidget() is self.figures:
            self.figures.take_focus()
            return
        (self.contents if view is None else view.view).setFocus()

    @property
    def table_view(self) -> ResultTableView | None:
        """The table that is shown, if one is."""
        if self._parts.currentWidget() is not self._tables_widget:
            return None
        return self._views.get(self.contents.current)

    def _ask_retention(self) -> None:
        def count(progress: Progress) -> ResultTable:
            return retention_table(RetentionStore(self._context.database).counts())

        self._retention.ask(count)

    def _show_retention(self, table: object) -> None:
        if not isinstance(table, ResultTable):
            return
        self._retained = table
        if self.contents.current == RETENTION:
            self._show_retained()

    def _show_retained(self) -> None:
        """The table of retention, or that it is being counted, or that there is nothing to count."""
        table = self._retained
        if table is not None and table.rows:
            self._show_table(table)
        else:
            self._parts.setCurrentWidget(self._counting if table is None else self._not_filtered)

    def _show_reading(self, reading: object) -> None:
        if not isinstance(reading, ResultsReading) or reading is self._reading:
            return
        self._reading = reading
        record = reading.record
        has_rows = bool(record.results.whole)
        self._stack.setCurrentIndex(1 if has_rows else 2)
        words = [counted(len(record.results.configurations), "configuration")] if has_rows else []
        words += [counted(sum(len(group.answers) for group in record.results.whole), "answer")] if has_rows else []
        self._header.set_counts(" · ".join(words))
        self._with_trials.setVisible(bool(reading.trials))
        self.note.setText(_note(record, _trial_words(reading.trials, counts=self._with_trials.isChecked())))
        self.note.setVisible(bool(self.note.text()))
        withheld = record.results.withheld_words
        self._withheld.setVisible(bool(withheld))
        self.contents.show_filled(reading.tables, dict.fromkeys(RESTING_ON_LABELS, withheld) if withheld else {})
        self.bar.offer(list(reading.tables.values()))
        self.validation.show_reports(record.reports, record.problems)
        if self.contents.current == COMPARISON:
            self.comparison.show_record(record)
        if not self.contents.current and not self.contents.choose(self._wanted):
            self.contents.choose("accuracy")
        else:
            self._show_entry(self.contents.current)
        self._sync()

    def _show_entry(self, name: str) -> None:
        reading = self._reading
        if reading is None or not name:
            return
        self._wanted = name
        if name == FIGURES:
            self._parts.setCurrentWidget(self.figures)
            self.figures.show_record(reading.record)
        elif name == COMPARISON:
            self._parts.setCurrentWidget(self._comparison_widget)
            self.comparison.show_record(reading.record)
        elif name == VALIDATION:
            self._parts.setCurrentWidget(self.validation)
        elif name == RETENTION:
            self._show_retained()
            self._ask_retention()
        elif name in reading.tables:
            self._show_table(reading.tables[name])
        self._sync()

    def _show_table(self, table: ResultTable) -> None:
        view = self._views.get(table.name)
        if view is not None and view.columns != table.window_columns:
            # A study that was finished meanwhile brings columns of its own.
            self._table_stack.removeWidget(view)
            view.deleteLater()
            view = None
        if view is None:
            view = ResultTableView(table, self._context.theme, self._table_stack)
            view.cell_opened.connect(self._open_cell)
            view.sort_asked.connect(self.bar.sort)
            self._views[table.name] = view
            self._table_stack.addWidget(view)
        self._parts.setCurrentWidget(self._tables_widget)
        self._table_stack.setCurrentWidget(view)
        self.bar.show_table(table)
        view.show_table(table, self.bar.arrangement)

    def _arrange(self, arrangement: Arrangement) -> None:
        view = self.table_view
        if view is not None:
            view.show_table(view.table, arrangement)

    def _sync(self, *_: object) -> None:
        reading = self._reading
        actions = self._context.commands
        for name, is_possible, why in (
            (
                "results.show_withheld",
                reading is not None and bool(reading.record.results.withheld_words),
                "Nothing is kept back.",
            ),
            (
                "results.export_all",
                reading is not None and bool(reading.record.results.whole),
                "There are no results yet.",
            ),
            (
                "results.export_comparison",
                self.comparison.comparison is not None and self.contents.current == COMPARISON,
                "Compare two releases or dates first.",
            ),
        ):
            action = actions.action(name)
            action.setEnabled(is_possible)
            text, key = action.text().rstrip("…"), actions.keys.key(name)
            action.setToolTip((f"{text} ({key})" if key else text) if is_possible else why)

    def _show_withheld(self) -> None:
        """Show all figures to this person, and put that on record in the studies that are open."""
        database, person = self._context.database, self._context.settings.reviewer

        def expose(_: Progress) -> object:
            return StudyStore(database).expose_all(person)

        if confirm(
            self,
            "Show the results of studies that are still open?",
            "Some figures would tell what the judge or the classifier said of answers that people still label. The "
            f"log of each study will say that {person or 'somebody unnamed'} has seen them, and so will its report. "
            "Whoever labels them should not look.",
            "Show them, and record that",
        ):
            self._context.job_runner.start("Show what is kept back", expose, succeeded=self._exposed)

    def _exposed(self, _: object) -> None:
        self._context.changes.tell(Subject.STUDIES)

    # -- to the cases ----------------------------------------------------------------------------------------

    def _open_cell(self, row: int, column: object) -> None:
        view = self.table_view
        if view is not None:
            self._open_row(view.table, row, column)

    def _open_row(self, table: object, row: int, column: object) -> None:
        if not isinstance(table, ResultTable) or not isinstance(column, ShownColumn):
            return
        title = f"{row_title(table, row)}: {column.cases}"
        answers, reading = table.answers(row, column), self._reading
        hidden = reading.record.hidden(answers, column.tells) if reading is not None else frozenset()
        cases = told_cases(self._context.shell, title, [answer.id for answer in answers], hidden)
        if cases is not None:
            self._open_cases(cases)

    def _open_cases(self, cases: object) -> None:
        self._context.shell.open("cases", cases)

    # -- exports ---------------------------------------------------------------------------------------------

    def _export_all(self) -> None:
        folder = ask_folder(self, "Folder for tables, figures and matrices", paths.exports())
        if folder is not None:
            self.export_all(folder_of_its_own(folder, self._context.database.path.stem))

    def export_all(self, folder: Path) -> None:
        """Write every table, figure and matrix into `folder`: what “btc-gui export all” writes."""
        project, reading = self._context.database.path, self._reading
        words = left_out_words(reading.record.results) if reading is not None else ""
        left_out = f". In {words}" if words else ""
        with_trials = self._with_trials.isChecked()

        def write(progress: Progress) -> object:
            written = export_results("all", project, folder, progress, with_trials=with_trials)
            return f"{counted(len(written), 'file')} in {folder}{left_out}"

        self._context.job_runner.start("Export all results", write, succeeded=self._exported)

    def _export_comparison(self) -> None:
        folder = ask_folder(self, "Folder for the comparison", paths.exports())
        if folder is not None:
            self.export_comparison(folder)

    def export_comparison(self, folder: Path) -> None:
        """Write the comparison that is shown into `folder`."""
        shown: Comparison | None = self.comparison.comparison
        if shown is None:
            return

        def write(progress: Progress) -> object:
            record = shown.record
            files = write_comparison(shown.rows, shown.before, shown.after, folder, record.note, blinded=record.blinded)
            return f"{counted(len(files), 'file')} in {folder}"

        self._context.job_runner.start("Export the comparison", write, succeeded=self._exported)

    def _exported(self, words: object) -> None:
        self._context.shell.say(str(words))


def _trial_words(trials: int, *, counts: bool) -> str:
    if not trials:
        return ""
    return f"{counted(trials, 'answer')} of trials {'counted, too' if counts else 'left out'}."


def _note(record: ResultsRecord, of_trials: str) -> str:
    """What a reader of the tables must know."""
    words = [record.results.withheld_words] if record.results.withheld_words else []
    unjudged = sum(row.direct.unjudged + row.indirect.unjudged for row in record.results.accuracy)
    if unjudged:
        words.append(f"{counted(unjudged, 'answer')} not judged yet: see “Judge answers” on the Runs page.")
    counting = {judge: count for judge, count in record.facts.judges.items() if count}
    if len(counting) == 1:
        words.append(f"Judged by {one_line(next(iter(counting)), 60)}.")
    elif counting:
        who = ", ".join(f"{one_line(judge, 60)} ({count:,})" for judge, count in counting.items())
        words.append(f"Verdicts of several judges count, the newest on each answer: {who}.")
    if record.results.repeats_note:
        words.append(record.results.repeats_note)
    if of_trials:
        words.append(of_trials)
    words.append("Enter or a double click on a figure opens its cases.")
    return " ".join(words)


def folder_of_its_own(folder: Path, project: str) -> Path:
    """Where an export into `folder` goes: into a folder of its own, if there are files of something else already."""
    is_free = not folder.is_dir() or (folder / MANIFEST).exists() or not any(folder.iterdir())
    return folder if is_free else folder / f"{project}_results"
