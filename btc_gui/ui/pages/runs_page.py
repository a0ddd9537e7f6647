"""Runs: composing evaluations, watching them, and having their answers judged and classified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.configuration import Configuration
from btc_gui.domain.run import RunId
from btc_gui.jobs.run_evaluation import RunOutcome
from btc_gui.progress import Progress
from btc_gui.store.runs import RunStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.log_exporting import LogExport
from btc_gui.ui.machine_asking import MachineAsking
from btc_gui.ui.pipeline_job import PipelineJob
from btc_gui.ui.run_allowed import why_not
from btc_gui.ui.run_columns import COLUMNS, state_of
from btc_gui.ui.run_composing import plan_composition
from btc_gui.ui.run_driver import RunDriver, RunSummary, read_summary
from btc_gui.ui.run_recipes import RunRecipes
from btc_gui.ui.run_recordings import ask_recordings, needs_recordings
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card, EmptyState, PageHeader, ReadingState, page_column
from btc_gui.ui.widgets.menu_button import MenuButton
from btc_gui.ui.widgets.plain_text import LineLabel, label, one_line, tooltip
from btc_gui.ui.widgets.progress_bar import ProgressBar
from btc_gui.ui.widgets.run_dialog import RunDialog
from btc_gui.ui.widgets.run_log_view import RunLogView
from btc_gui.ui.widgets.run_rows import RunRows
from btc_gui.ui.words import counted, money

#: What can be done with a run, in the order of the buttons.
_ACTIONS = ("start", "pause", "cancel", "stop", "retry", "judge", "classify", "cases", "export", "recipe", "log")


class RunsPage(Page):
    """The page of runs. `show_item` takes a run's id."""

    name = "runs"
    title = "Runs"
    icon = "player-play"
    subjects = frozenset({Subject.RUNS, Subject.ANSWERS, Subject.VERDICTS})
    least_height = 580
    can_stand_beside = False

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self._context = context
        self._listing = LatestJob(context.job_runner, "Read runs", self._show_loaded, self)
        self._summaries: dict[RunId, RunSummary] = {}
        self._drivers: dict[RunId, RunDriver] = {}
        self._folders: dict[RunId, Path] = {}
        self._wanted: RunId | None = None
        self._pipeline = PipelineJob(context, self)
        self._pipeline.went_on.connect(self._load)
        self._machines = MachineAsking(context, self)
        self._machines.ended.connect(self._load)
        self._log_export = LogExport(context, self)
        self._recipes = RunRecipes(context, self)
        self._recipes.planned.connect(self._planned_again)
        self._table: LazyTable[RunId, RunSummary] = LazyTable(COLUMNS, self._fetch, self)
        self._build()
        self._bind()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        commands = self._context.commands
        column = page_column(self)
        self._header = PageHeader("Runs")
        load = MenuButton("Load", "Load answers made elsewhere, or the recipe of a run")
        for name in ("file.load_logs", "file.import_answers", "runs.from_recipe"):
            load.menu().addAction(commands.action(name))
        self._header.add(load)
        self._header.add(CommandButton(commands.action("view.judges")))
        self._header.add(CommandButton(commands.action("runs.pipeline")))
        self._header.add(CommandButton(commands.action("runs.new"), "primary"))
        column.addWidget(self._header)
        self._stack = QStackedWidget()
        self._stack.addWidget(ReadingState())
        column.addWidget(self._stack, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setObjectName("runs")
        split.setHandleWidth(12)
        split.setChildrenCollapsible(False)
        self._view: TableView[RunId] = TableView(self._table, self._context.theme, "runs")
        self._view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self._view.current_changed.connect(self._show_current)
        split.addWidget(self._view)
        split.addWidget(self._details())
        split.setSizes([130, 470])
        split.setStretchFactor(1, 1)
        self._stack.addWidget(split)
        self._stack.addWidget(
            EmptyState(
                "player-play",
                "No runs yet",
                "A run puts accepted probes to some models and keeps everything they do: queries, results, answers. "
                "What your own agent answered elsewhere can be imported.",
                commands.action("runs.new"),
                commands.action("file.import_answers"),
            )
        )

    def _details(self) -> QWidget:
        card = Card()
        head = QHBoxLayout()
        self._title = label("", "title")
        self._state_words = label("", "secondary", wraps=False)
        head.addWidget(self._title, 1)
        head.addWidget(self._state_words)
        card.body.addLayout(head)
        self._bar = ProgressBar("Progress of the run")
        card.body.addWidget(self._bar)
        self._now = LineLabel("secondary")
        card.body.addWidget(self._now)
        holder = QWidget()
        flow = FlowLayout(holder, 8)
        self._buttons = {name: CommandButton(self._context.commands.action(f"runs.{name}")) for name in _ACTIONS}
        for each in self._buttons.values():
            flow.addWidget(each)
        card.body.addWidget(holder)
        self._left = label("", "secondary")
        card.body.addWidget(self._left)
        self._rows = RunRows(self._context.theme)
        self._rows.opened_configuration.connect(self._show_answers_of)
        self._log_view = RunLogView()
        self._below = QStackedWidget()
        self._below.addWidget(self._rows)
        self._below.addWidget(self._log_view)
        card.body.addWidget(self._below, 1)
        return card

    def _bind(self) -> None:
        commands = self._context.commands
        for name, method in (
            ("runs.new", self._compose),
            ("runs.pipeline", self._pipeline.compose),
            ("runs.start", self._start),
            ("runs.pause", self._pause),
            ("runs.cancel", self._cancel),
            ("runs.stop", self._stop),
            ("runs.retry", self._retry),
            ("runs.judge", self._judge),
            ("runs.classify", self._classify),
            ("runs.cases", self._show_cases),
            ("runs.export", self._export),
            ("runs.recipe", self._save_recipe),
            ("runs.from_recipe", self._recipes.ask_to_plan),
            ("runs.log", self._show_log),
        ):
            commands.bind(name, method, self)
        self._sync()

    # -- showing ---------------------------------------------------------------------------------------------

    def activate(self) -> None:
        """Show the present runs."""
        self._load()

    def show_item(self, item: object) -> None:
        """Show one run."""
        if isinstance(item, int):
            self._wanted = RunId(item)
            if self._view.select_id(self._wanted):
                self._wanted = None

    def take_focus(self) -> None:
        """The table's keys."""
        self._view.setFocus()

    @property
    def _current(self) -> RunSummary | None:
        current = self._view.current_id
        return self._summaries.get(current) if current is not None else None

    @property
    def _driver(self) -> RunDriver | None:
        current = self._view.current_id
        return self._drivers.get(current) if current is not None else None

    def _fetch(self, ids: Sequence[RunId]) -> dict[RunId, RunSummary]:
        return {run_id: self._summaries[run_id] for run_id in ids if run_id in self._summaries}

    def _load(self) -> None:
        database = self._context.database

        def read(progress: Progress) -> list[RunSummary]:
            return [read_summary(database, run_id) for run_id in RunStore(database).ids()]

        self._listing.ask(read)

    def _show_loaded(self, summaries: object) -> None:
        if not isinstance(summaries, list):
            return
        self._summaries = {summary.run.id: summary for summary in summaries}
        self._table.show_ids(list(self._summaries))
        self._stack.setCurrentIndex(1 if summaries else 2)
        self._header.set_counts(counted(len(summaries), "run") if summaries else "")
        before = self._view.current_id
        if self._wanted is not None and self._view.select_id(self._wanted):
            self._wanted = None
        self._view.select_first()
        if self._view.current_id == before:
            # Another one was shown when it became the current one.
            self._show_current()

    def _show_current(self) -> None:
        summary, driver = self._current, self._driver
        if summary is not None:
            self._title.setText(one_line(summary.run.name, 100))
            self._rows.show_progress(summary.configurations, driver)
            self._log_view.show_lines(summary.log)
            self._show_now(summary, driver)
            self._state_words.setText(self._state_of(summary, driver))
            self._left.setText(_left_words(summary))
            self._left.setVisible(bool(self._left.text()))
        self._sync()

    def _show_now(self, summary: RunSummary, driver: RunDriver | None) -> None:
        """Show what changes with every answer; all else is read twice a second."""
        done = max(summary.done, driver.report.done) if driver is not None else summary.done
        self._bar.setRange(0, max(summary.planned, 1))
        self._bar.setValue(done)
        parts = [f"{done:,} of {counted(summary.planned, 'answer')}"]
        if driver is not None:
            parts += [f"{driver.new_answers(done):,} in this session", one_line(driver.report.text, 120)]
        self._now.setText(" · ".join(filter(None, parts)))
        self._now.setToolTip(tooltip(self._now.text()))

    def _state_of(self, summary: RunSummary, driver: RunDriver | None) -> str:
        if driver is None:
            where = "in the pipeline" if self._pipeline.is_going else "in another window or terminal"
            words = {"running": f"running {where}", "planned": "not started"}
            return words.get(state_of(summary), state_of(summary))
        if driver.is_stopping:
            return "stopping"
        return "paused" if driver.is_paused else "running"

    # -- what can be done ------------------------------------------------------------------------------------

    def _sync(self) -> None:
        """Enable what can be done with the run, and say why the rest can't."""
        summary, driver = self._current, self._driver
        going = driver is not None
        for name, reason in why_not(summary, driver).items():
            self._allow(f"runs.{name}", reason)
        commands = self._context.commands
        commands.action("runs.start").setText("Resume" if summary and summary.done else "Start")
        is_paused = driver is not None and driver.is_paused
        pause = commands.action("runs.pause")
        pause.setProperty("icon_name", "player-play" if is_paused else "player-pause")
        pause.setText("Go on" if is_paused else "Pause")
        # One place for what lets it go on and what holds it: two buttons that say nearly the same confuse.
        self._buttons["start"].setVisible(not going)
        self._buttons["pause"].setVisible(going)
        commands.action("runs.log").setText("Show configurations" if self._below.currentIndex() else "Show log")

    def _allow(self, name: str, reason: str) -> None:
        action, keys = self._context.commands.action(name), self._context.commands.keys
        action.setEnabled(not reason)
        key = keys.key(name)
        text = action.text().rstrip("…")
        action.setToolTip(reason or (f"{text} ({key})" if key else text))

    def _compose(self) -> None:
        dialog = RunDialog(self._context, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._plan)
        self._dialog = dialog
        dialog.open()

    def _plan(self) -> None:
        outlook = self._dialog.outlook
        if outlook is None:
            return
        composition = outlook.composition
        database, author = self._context.database, self._context.settings.reviewer

        def plan(progress: Progress) -> tuple[RunSummary, Path]:
            run_id = plan_composition(database, composition, author, progress)
            return read_summary(database, run_id), composition.folder

        self._context.job_runner.start("Plan run", plan, succeeded=self._planned)

    def _planned(self, planned: object) -> None:
        if not isinstance(planned, tuple):
            return
        summary, folder = planned
        self._folders[summary.run.id] = folder
        self._summaries = {summary.run.id: summary, **self._summaries}
        self._wanted = summary.run.id
        self.drive(summary, folder)
        self._context.changes.tell(Subject.RUNS)

    def _start(self) -> None:
        summary = self._current
        if summary is None:
            return
        if not needs_recordings(summary):
            self.drive(summary, None)
            return
        folder = self._folders.get(summary.run.id) or ask_recordings(summary, self)
        if folder is not None:
            self._folders[summary.run.id] = folder
            self.drive(summary, folder)

    def drive(self, summary: RunSummary, folder: Path | None) -> RunDriver:
        """Let a run go on. One that goes already is not started again: its driver is the one that can stop it."""
        known = self._drivers.get(summary.run.id)
        if known is not None:
            return known
        driver = RunDriver(self._context.database, self._context.job_runner, summary, folder, self)
        driver.reported.connect(self._reported)
        driver.steered.connect(self._show_current)
        driver.read.connect(self._take_summary)
        driver.ended.connect(self._run_ended)
        self._drivers[summary.run.id] = driver
        self._show_current()
        return driver

    def _reported(self, driver: RunDriver) -> None:
        summary = self._current
        if summary is not None and driver is self._driver:
            self._show_now(summary, driver)

    def _take_summary(self, summary: RunSummary) -> None:
        before = self._summaries.get(summary.run.id)
        if before is not None:
            summary = replace(summary, unjudged=before.unjudged, unclassified=before.unclassified)
        self._summaries[summary.run.id] = summary
        self._table.refresh(self._summaries)
        if summary.run.id == self._view.current_id:
            self._show_current()

    def _run_ended(self, driver: RunDriver) -> None:
        if self._drivers.get(driver.run_id) is driver:
            del self._drivers[driver.run_id]
        driver.deleteLater()
        outcome = driver.outcome
        if isinstance(outcome, RunOutcome) and outcome.reason:
            self._context.shell.say(outcome.reason)
        elif isinstance(outcome, RunOutcome) and outcome.is_cancelled:
            self._context.shell.say(f"Stopped: {counted(outcome.left, 'answer')} still to come.")
        self._context.changes.tell(Subject.ANSWERS, Subject.RUNS)
        self._load()

    def _pause(self) -> None:
        if self._driver is not None:
            self._driver.job.set_paused(not self._driver.is_paused)

    def _cancel(self) -> None:
        if self._driver is not None:
            self._driver.cancel()
            self._context.shell.say("What is in flight is finished first. “Stop now” does not wait.")

    def _stop(self) -> None:
        if self._driver is not None:
            self._driver.stop_now()

    def _retry(self) -> None:
        summary = self._current
        if summary is None:
            return
        database, run_id = self._context.database, summary.run.id

        def reopen(progress: Progress) -> RunSummary:
            RunStore(database).retry_failed(run_id)
            return read_summary(database, run_id)

        self._context.job_runner.start("Retry failed answers", reopen, is_quiet=True, succeeded=self._reopened)

    def _reopened(self, summary: object) -> None:
        if isinstance(summary, RunSummary):
            self._summaries[summary.run.id] = summary
            self._context.shell.say(f"{counted(summary.pending, 'answer')} to ask again; earlier attempts are kept.")
            self._table.refresh()
            if self._view.current_id == summary.run.id:
                self._start()

    def _show_answers_of(self, configuration: Configuration) -> None:
        run_id = self._view.current_id
        if run_id is not None:
            query = CaseQuery(
                run_id=run_id,
                models=(configuration.model,),
                efforts=(configuration.effort.value,),
                harnesses=(configuration.harness.value,),
            )
            self._context.shell.open("cases", query)

    def _show_log(self) -> None:
        """Show the log in the place of the configurations, or them again."""
        self._below.setCurrentIndex(1 - self._below.currentIndex())
        self._sync()

    def _show_cases(self) -> None:
        summary = self._current
        if summary is not None:
            self._context.shell.open("cases", CaseQuery(run_id=summary.run.id))

    # -- judge and classifier --------------------------------------------------------------------------------

    def _judge(self) -> None:
        summary = self._current
        if summary is not None:
            self._machines.ask_to_judge(summary, self._folders.get(summary.run.id))

    def _classify(self) -> None:
        summary = self._current
        if summary is not None:
            self._machines.ask_to_classify(summary, self._folders.get(summary.run.id))

    def _export(self) -> None:
        summary = self._current
        if summary is not None:
            self._log_export.ask(summary.run)

    def _save_recipe(self) -> None:
        summary = self._current
        if summary is not None:
            self._recipes.ask_to_save(summary.run)

    def _planned_again(self, run_id: int) -> None:
        self._wanted = RunId(run_id)
        self._context.changes.tell(Subject.RUNS)


def _left_words(summary: RunSummary) -> str:
    left = []
    limit = summary.run.recipe.max_cost
    if limit is not None:
        left.append(f"limit {money(limit)}" + (", reached" if (summary.cost or 0) >= limit else ""))
    if summary.unjudged:
        left.append(f"{counted(summary.unjudged, 'answer')} to judge")
    if summary.unclassified:
        left.append(f"{counted(summary.unclassified, 'failure')} to classify")
    return " · ".join(left)
