"""Opens projects for the window: each as a job, since bringing an older one up to date may take a while."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from btc_gui import paths
from btc_gui.progress import Progress
from btc_gui.store.database import Database

if TYPE_CHECKING:
    from btc_gui.domain.case_reference import CaseReference
    from btc_gui.ui.main_window import MainWindow

#: So long the window stays away at its start for a project, and for what its first page reads: whoever opens a project
#: sees that page at once, and not an empty window first.
_BEFORE_SHOWN_SECONDS = 0.25


class ProjectOpening(QObject):
    """The project that is open stays until the other one is."""

    def __init__(self, window: MainWindow, build_demo: Callable[[Path, Progress], object] | None) -> None:
        super().__init__(window)
        self._window, self._runner, self._build_demo = window, window.job_runner, build_demo
        self._case: CaseReference | None = None
        self._path: Path | None = None

    def open(self, path: Path, case: CaseReference | None = None) -> None:
        """Open a project; with a reference its case is shown first."""
        path = Path(path).resolve()
        self._case = case
        if self._is_open(path):
            self._window.shell.say(f"{path.name} is open already.")
            return
        self._start(f"Open {path.name}", partial(_open, path), path)

    def create(self, path: Path) -> None:
        """Make a new project and open it."""
        self._start(f"Make {path.name}", partial(_create, Path(path)))

    def open_demo(self) -> None:
        """Open the demo project, which is made first when it is not there yet."""
        if self._build_demo is None:
            self._window.shell.say("The demo is opened with “btc-gui open --demo”.")
            return
        path = paths.projects() / "demo.btc"
        if self._is_open(path.resolve()):
            self._window.shell.say("The demo is open already.")
            return
        title = "Open the demo" if path.exists() else "Build the demo project"
        self._start(title, partial(_build_and_open, path, self._build_demo))

    def _is_open(self, path: Path) -> bool:
        context = self._window.context
        return context is not None and context.database.path == path

    def _start(self, title: str, work: Callable[[Progress], object], path: Path | None = None) -> None:
        if any(job.title == title for job in self._runner.jobs()):
            self._window.shell.say(f"“{title}” is at work already. The project is shown as soon as it is done.")
            return
        self._path = path
        job = self._runner.start(title, work, lane="project", succeeded=self._opened, failed=self._failed)
        if not self._window.isVisible():
            with self._runner.unhurried(_BEFORE_SHOWN_SECONDS):
                self._runner.wait(job, _BEFORE_SHOWN_SECONDS)

    def _opened(self, database: object) -> None:
        assert isinstance(database, Database)
        case, self._case = self._case, None
        if not self._window.leave_project(partial(self._window.show_project, database, case=case)):
            database.close()

    def _failed(self, error: object) -> None:
        """Say why. A project that is gone leaves the recent ones: it would only be asked for in vain again."""
        gone, self._path = self._path, None
        if gone is not None and not gone.exists():
            self._window.forget_project(gone)
        self._window.show_error(error)


def _open(path: Path, progress: Progress) -> Database:
    return Database.open(path)


def _create(path: Path, progress: Progress) -> Database:
    return Database.create(path)


def _build_and_open(path: Path, build: Callable[[Path, Progress], object], progress: Progress) -> Database:
    if not path.exists():
        build(path, progress)
    return Database.open(path)
