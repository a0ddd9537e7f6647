"""The window: the rail, the pages, the job bar, the menus. It places things; the work is done by others."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from btc_gui.domain.category import Category
from btc_gui.errors import BtcError
from btc_gui.progress import Progress
from btc_gui.settings import Settings, save_settings
from btc_gui.store.database import Database
from btc_gui.store.project_file import in_words, lacks_last_changes
from btc_gui.store.projects import ProjectStore
from btc_gui.ui.changes import IN_PROJECT, Changes, Subject
from btc_gui.ui.commands import Commands, KeyTable
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import confirm, open_once
from btc_gui.ui.garbage import GarbageTurns
from btc_gui.ui.job_runner import Job, JobRunner
from btc_gui.ui.page_list import PAGES, read_ahead, read_first, warm_up
from btc_gui.ui.pages_ahead import PagesAhead
from btc_gui.ui.project_opening import ProjectOpening
from btc_gui.ui.shell import Page, Shell
from btc_gui.ui.theme import Theme
from btc_gui.ui.unsaved import may_lose_typed
from btc_gui.ui.widgets.job_bar import JobBar
from btc_gui.ui.widgets.page_area import PageArea
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.rail import Rail
from btc_gui.ui.window_commands import WindowCommands
from btc_gui.ui.window_state import WindowState

if TYPE_CHECKING:
    from btc_gui.domain.case_reference import CaseReference
    from btc_gui.ui.pages.start_page import StartPage

_SMALLEST = (1024, 640)
_log = logging.getLogger(__name__)


class MainWindow(QMainWindow):
    """One window on one project, or on none. Pages are made on their first visit."""

    def __init__(
        self,
        settings: Settings,
        categories: Mapping[str, Category],
        theme: Theme,
        build_demo: Callable[[Path, Progress], object] | None = None,
    ) -> None:
        super().__init__()
        self._settings, self._categories, self._theme = settings, categories, theme
        self._state = WindowState()
        self._context: Context | None = None
        self._pages: dict[str, Page] = {}
        self._visited: set[str] = set()
        self._current = ""
        self._after_jobs: Callable[[], None] | None = None
        self._start_page: StartPage | None = None
        self._is_leaving = self._has_read_ahead = False
        self._reading_ahead: Job | None = None
        self.job_runner = JobRunner(self)
        self._pages_ahead = PagesAhead(self._make_next_page, self)
        self.changes = Changes(self)
        self.shell = Shell(self)
        self.commands = Commands(KeyTable(settings.keys), self)
        self._opening = ProjectOpening(self, build_demo)
        self._build()
        self._window_commands = WindowCommands(self)
        self._connect()
        self.setAcceptDrops(True)
        self.setMinimumSize(*_SMALLEST)
        self._state.restore_window(self)
        self._show_no_project()

    # -- building ---------------------------------------------------------------------------------------------

    def _build(self) -> None:
        # From the outside in: with a style sheet, all that a widget holds is styled anew when it gets another parent.
        central = QWidget()
        self.setCentralWidget(central)
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.banner = label("", "banner")
        self.banner.hide()
        self.rail = Rail(PAGES, central)
        self.page_area = PageArea(self._theme, central)
        self.stack = self.page_area.stack
        self.job_bar = JobBar(central)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.page_area, 1)
        column.addWidget(self.banner)
        column.addLayout(row, 1)
        column.addWidget(self.job_bar)

    def _connect(self) -> None:
        self.rail.chosen.connect(self.go)
        self.shell.page_asked.connect(self.go)
        self.shell.said.connect(self.job_bar.say)
        self.shell.failed.connect(self.show_error)
        self.shell.settings_asked.connect(self.take_settings)
        self.changes.changed.connect(self._pass_on_changes)
        self.job_bar.watch(self.job_runner)
        self.job_bar.details_asked.connect(self.show_error)
        self.job_runner.ended.connect(self._job_ended)

    # -- the project ------------------------------------------------------------------------------------------

    @property
    def context(self) -> Context | None:
        """What the pages are given; None while no project is open."""
        return self._context

    @property
    def settings(self) -> Settings:
        """The present settings."""
        return self._settings

    @property
    def theme(self) -> Theme:
        """The present theme."""
        return self._theme

    def open_project(self, path: Path, case: CaseReference | None = None) -> None:
        """Open a project (a migration may take a while) and show it; the one that is open stays until then.

        With a reference its case is shown first.
        """
        self._opening.open(path, case)

    def create_project(self, path: Path) -> None:
        """Make a new project and show it."""
        self._opening.create(path)

    def open_demo(self) -> None:
        """Show the demo project; a job makes it first when it is not there yet."""
        self._opening.open_demo()

    def forget_project(self, path: Path) -> None:
        """Take a project that is gone from the recent ones."""
        self.take_settings(self._settings.without_recent(path))
        if self._start_page is not None:
            self._start_page.show_recent(self._settings.recent)

    def show_project(self, database: Database, page: str = "", *, case: CaseReference | None = None) -> None:
        """Show an open project, at a case or a page; else at the review, or where the first events come from."""
        database.wait_briefly()
        page = page or ("review" if ProjectStore(database).has_probes else "events")
        if case is None and page == "review":
            self.job_runner.start("Read the first page", partial(read_first, database), is_quiet=True)
        self._context = Context(
            database=database,
            settings=self._settings,
            categories=self._categories,
            job_runner=self.job_runner,
            changes=self.changes,
            theme=self._theme,
            commands=self.commands,
            shell=self.shell,
            place=self.stack,
        )
        self.changes.watch(database)
        self.take_settings(self._settings.with_recent(database.path))
        self.rail.set_open(True)
        self._show_project_name()
        self._window_commands.set_open(True)
        if case is not None:
            self.go("cases", case)
        else:
            self.go(page)
        if database.lacks_last_changes:
            open_once(lacks_last_changes(database.path), self, "Something may be missing")

    def leave_project(self, then: Callable[[], None]) -> bool:
        """Close the project that is open, asking first when jobs are running, and then call `then`.

        False when the person would rather stay. `then` may be called later, when the last job has stopped.
        """
        if self._is_leaving:
            return False
        jobs = [job for job in self.job_runner.jobs() if not job.is_quiet]
        if jobs and not self._may_stop([job.title for job in jobs]):
            return False
        if self._context is not None and not may_lose_typed(self, self._context, self.current_page):
            if self.current_page is not None:
                # It has been left for the question, and is seen again.
                self.current_page.activate()
            return False
        for job in self.job_runner.jobs():
            job.cancel()
        self._is_leaving = True
        self._after_jobs = then
        self._finish_leaving()
        return True

    def _may_stop(self, titles: list[str]) -> bool:
        what = titles[0] if len(titles) == 1 else f"{len(titles)} jobs"
        return confirm(
            self,
            f"Stop {what}?" if len(titles) == 1 else f"Stop {what} that are running?",
            "What is done is kept. Runs and loads can be taken up again later.",
            "Stop and close",
            "Keep running",
        )

    def _job_ended(self, job: object) -> None:
        if isinstance(job, Job) and job.is_quiet:
            self.changes.reads_took(job.started_at, time.monotonic())
        if self._is_leaving:
            # Not within the runner's own signal: the last job must have told everybody first.
            QTimer.singleShot(0, self._finish_leaving)

    def _finish_leaving(self) -> None:
        if self._after_jobs is None or self.job_runner.jobs():
            return
        then, self._after_jobs, self._is_leaving = self._after_jobs, None, False
        self._close_project()
        then()

    def _close_project(self) -> None:
        if self._context is None:
            return
        self.changes.stop()
        for name, page in self._pages.items():
            if name not in self._visited:
                continue  # Made ahead and never shown: it holds nobody's work, and no sizes worth keeping.
            try:
                page.leave()
                self._state.save_parts(page, name)
            except Exception:
                # A fault of one page must not hold the others' work back, or keep the window open for ever.
                _log.exception("Leaving the page %s failed", name)
        self._show_no_project()
        for page in self._pages.values():
            self.stack.removeWidget(page)
            page.deleteLater()
        self._pages.clear()
        self._visited.clear()
        self._has_read_ahead = False
        self._context.database.close()
        self._context = None
        self.job_bar.clear()

    def _show_no_project(self) -> None:
        self._current = ""
        if self.isVisible():
            self._show_start_page()
        self.rail.show_page("")
        self.rail.set_open(False)
        self.banner.hide()
        self.job_bar.set_place("")
        self.setWindowTitle("BlindToChange workbench")
        self._window_commands.set_open(False)
        self._window_commands.show_page("")

    @property
    def start_page(self) -> StartPage:
        """What is shown while no project is open: made when that is so."""
        if self._start_page is None:
            from btc_gui.ui.pages.start_page import StartPage

            actions = [self.commands.action(name) for name in ("file.demo", "file.open", "file.new", "file.packet")]
            self._start_page = StartPage(actions, self.stack)
            self._start_page.open_asked.connect(self.open_project)
            self._start_page.show_recent(self._settings.recent)
            self.stack.addWidget(self._start_page)
        return self._start_page

    def _show_start_page(self) -> None:
        self.stack.setCurrentWidget(self.start_page)
        self.start_page.show_recent(self._settings.recent)

    def _show_project_name(self) -> None:
        assert self._context is not None
        project = ProjectStore(self._context.database)
        self.setWindowTitle(f"{one_line(project.name, 120)} – BlindToChange workbench")
        self.job_bar.set_place(f"{self._context.database.path.name}  ·  {self._settings.reviewer}")
        is_illustrative = project.is_illustrative
        self.banner.setText("Illustrative data: real events, made-up models, answers and search results.")
        self.banner.setVisible(is_illustrative)

    # -- pages ------------------------------------------------------------------------------------------------

    @property
    def current_page(self) -> Page | None:
        """The page that is shown, or None while no project is open."""
        return self._pages.get(self._current)

    def page(self, name: str) -> Page:
        """A page, made on its first visit."""
        assert self._context is not None
        if name not in self._pages:
            entry = next(entry for entry in PAGES if entry.name == name)
            made = entry.make(self._context)
            self._state.restore_parts(made, name)
            self._pages[name] = made
            self.stack.addWidget(made)
        return self._pages[name]

    def go(self, name: str, item: object = None) -> None:
        """Show a page, and on it one item."""
        if self._context is None:
            return
        self._put_off_reading()
        # Arrows go on through the rail; Space or Enter on the page that is shown goes into it.
        focused = QApplication.focusWidget()
        stays_in_rail = self._current != name and focused is not None and self.rail.isAncestorOf(focused)
        try:
            page = self._put_in_front(name)
        finally:
            # Also where that failed: the rail itself has marked where the person wanted to go.
            self.rail.show_page(self._current)
        self._window_commands.show_page(name)
        page.activate()
        if item is not None:
            page.show_item(item)
        if not stays_in_rail:
            page.take_focus()

    def _put_in_front(self, name: str) -> Page:
        page = self.page(name)
        self._visited.add(name)
        if self._current != name:
            if self.current_page is not None:
                self.current_page.leave()
            self._current = name
            self.stack.setCurrentWidget(page)
            # Else a picture of Qt's on the page has the window painted before them, and they paint all of it again.
            QCoreApplication.sendPostedEvents(None, int(QEvent.Type.UpdateLater))
        return page

    def _pass_on_changes(self, subjects: frozenset[Subject]) -> None:
        page = self.current_page
        if Subject.PROJECT in subjects and self._context is not None:
            self._show_project_name()
        if page is not None and (not page.subjects or page.subjects & subjects):
            # What others wrote is shown when it is read; what was done here is waited for, if that is quick.
            with self.job_runner.unasked() if subjects == IN_PROJECT else nullcontext():
                page.activate()

    def warm_up(self) -> None:
        """Load what the pages need before anybody goes there (once the window is painted)."""
        self.job_runner.start("Load pages", warm_up, is_quiet=True, succeeded=self._is_warm)

    def _is_warm(self, _: object) -> None:
        GarbageTurns(self)
        self._pages_ahead.start(self.windowHandle())

    def _make_next_page(self) -> None:
        """Make a page that was not visited yet, in the order of the rail; read ahead, once; then parts of pages."""
        if self._context is None or self._after_jobs is not None:
            return
        name = next((entry.name for entry in PAGES if entry.name not in self._pages), "")
        if name:
            self.page(name)
        elif not self._has_read_ahead:
            self._has_read_ahead = True
            work = partial(read_ahead, self._context.database, tuple(self._pages.values()))
            self._reading_ahead = self.job_runner.start("Read ahead", work, is_quiet=True)
        elif self._reading_ahead is None or self._reading_ahead.is_over:
            # They show what was read.
            next((page for page in self._pages.values() if page.prepare()), None)

    def _put_off_reading(self) -> None:
        """Whoever goes to a page does not wait for what is read ahead: that begins anew when all is quiet again."""
        self._pages_ahead.put_off()
        job = self._reading_ahead
        if job is not None and not job.is_over:
            job.cancel()
            self._has_read_ahead = False

    # -- settings and errors ----------------------------------------------------------------------------------

    def take_settings(self, settings: Settings) -> None:
        """Save other settings and let everything follow them."""
        if settings == self._settings:
            return
        try:
            save_settings(settings)
        except BtcError as error:
            self.show_error(error)
        self._settings = settings
        self._theme.choose(settings.theme, settings.text_scale)
        if dict(settings.keys) != self.commands.keys.changed():
            self.commands.keys = KeyTable(settings.keys)
            self.commands.apply_keys()
        if self._context is not None:
            self._context.settings = settings
            self._show_project_name()
        self.changes.tell(Subject.SETTINGS)

    def change_theme(self, theme: str) -> None:
        """Follow the system, or force light or dark."""
        self.take_settings(replace(self._settings, theme=theme))

    def show_error(self, error: object) -> None:
        """Show an error in the one error dialog."""
        if self._context is not None and isinstance(error, BaseException):
            # Met on this thread, in a read that no job was at.
            error = in_words(self._context.database.path, error)
        if isinstance(error, BaseException):
            open_once(error, self)

    # -- the window itself ------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.current_page is None:
            self._show_start_page()
        elif (wanted := self.focusWidget()) is not None and not wanted.isVisible():
            # Opened before anybody could see it, and its list is still to come: Qt would give the focus to the rail.
            wanted.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What should have the focus can have it now; it takes it if nobody went elsewhere meanwhile."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            focused = QApplication.focusWidget()
            if focused is None or self.rail.isAncestorOf(focused):
                watched.setFocus()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key that nobody took: say what it would do, where that can't be done now."""
        page = self.current_page
        words = self.commands.not_now(page.name if page is not None else "", QKeySequence(event.keyCombination()))
        if words:
            self.shell.say(f"Not now: {words}")
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self._window_commands.take_dropped(files)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._context is None and not self.job_runner.jobs():
            self._state.save_window(self)
            self._state.sync()
            self.job_runner.shut_down()
            event.accept()
            return
        event.ignore()
        self.leave_project(self._close_again)

    def _close_again(self) -> None:
        # Not from within closeEvent: Qt ignores a close inside a close, and the application would never end.
        QTimer.singleShot(0, self.close)
