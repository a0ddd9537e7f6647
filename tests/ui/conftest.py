"""The window under test: a theme, a project with probes, and the main window on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QMenu, QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.probe import ProbeKind
from btc_gui.progress import Progress
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.ui import latest_job
from btc_gui.ui.context import Context
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.theme import Theme
from tests.builders import add_event, add_probe

#: Nothing is waited for less long than this: how fast the machine is decides nothing.
PATIENCE_MILLISECONDS = 180_000


class PatientBot(QtBot):
    """Waits for what must come until it comes; pytest-qt's own five seconds are too short on a busy machine.

    Widgets are held until they are closed. pytest-qt knows them weakly: one that the test has let go of is painted once
    more behind it, and Python's collector may take parts of it away while Qt paints them.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        super().__init__(request)
        self._held: list[QWidget] = []

    def addWidget(self, widget: QWidget, *, before_close_func: Callable[[QWidget], None] | None = None) -> None:
        """Let a widget be deleted after the test; a main window is closed first, while its jobs' runner is there."""
        self._held.append(widget)
        if isinstance(widget, MainWindow) and before_close_func is None:
            super().addWidget(widget, before_close_func=lambda _: close(widget, self))
            return
        super().addWidget(widget, before_close_func=before_close_func)

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = 0) -> None:
        """Wait until something holds."""
        super().waitUntil(callback, timeout=max(timeout, PATIENCE_MILLISECONDS))

    def waitSignal(
        self,
        signal: object,
        *,
        timeout: int = 0,
        raising: bool | None = None,
        check_params_cb: Callable[..., bool] | None = None,
    ) -> SignalBlocker:
        """Wait until a signal comes."""
        # Who does not want an error says for how long a signal must not come.
        patience = timeout if raising is False else max(timeout, PATIENCE_MILLISECONDS)
        return super().waitSignal(signal, timeout=patience, raising=raising, check_params_cb=check_params_cb)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's robot, which waits longer."""
    return PatientBot(request)


@pytest.fixture(scope="session")
def _one_theme(qapp: QApplication) -> Theme:
    return Theme("light")


@pytest.fixture
def theme(qapp: QApplication, _one_theme: Theme) -> Iterator[Theme]:
    """The light theme, as it was before the test."""
    if qapp.styleSheet() != _one_theme._stylesheet():
        # A test has made a theme of its own.
        _one_theme._apply()
    yield _one_theme
    _one_theme.choose("light", 1.0)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What pages read is waited for, however busy the machine: tests look at what is shown in the end."""
    monkeypatch.setattr(latest_job, "PATIENCE_SECONDS", 30.0)


@pytest.fixture(autouse=True)
def _nothing_left(qapp: QApplication) -> Iterator[None]:
    """No key that is held, no window and no copied text of one test is there in the next."""
    shared = [each for each in qapp.topLevelWidgets() if each.isVisible()]
    yield
    for left in qapp.topLevelWidgets():
        if left not in shared:
            # Hidden and not closed: nothing may ask whether to keep what a test typed.
            left.hide()
    if qapp.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        # Qt remembers the modifiers of the last key that was pressed, also where they were let go since.
        QTest.keyClick(QWidget(), Qt.Key.Key_F35)
    qapp.clipboard().clear()


@pytest.fixture
def no_strays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails the test when a widget flashed up as a window of its own, since it was shown before it had a parent."""
    found: list[str] = []
    show, set_visible = QWidget.show, QWidget.setVisible

    def look_at(widget: QWidget) -> None:
        kinds = QMainWindow | QDialog | QMenu
        if widget.isVisible() and widget.windowType() == Qt.WindowType.Window and not isinstance(widget, kinds):
            found.append(f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}")

    def watched_show(widget: QWidget) -> None:
        show(widget)
        look_at(widget)

    def watched_set_visible(widget: QWidget, visible: bool) -> None:
        set_visible(widget, visible)
        look_at(widget)

    # Not a filter of all events of the application: that took a sixth of each test's time.
    monkeypatch.setattr(QWidget, "show", watched_show)
    monkeypatch.setattr(QWidget, "setVisible", watched_set_visible)
    yield
    assert found == []


@pytest.fixture(scope="session")
def _categories() -> Mapping[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def filled(database: Database) -> Database:
    """A project with two events: Ada (three indirect probes, one direct) and Bo (one)."""
    ada = add_event(database, entity="Ada Lovely", qid="Q1", source="https://example.org/ada")
    bo = add_event(database, entity="Bo Brown", category="tenure", date="2026-03")
    for number in range(1, 4):
        add_probe(database, ada, text=f"Who could speak at evening {number}?")
    add_probe(database, ada, text="Is Ada Lovely still alive?", kind=ProbeKind.DIRECT)
    add_probe(database, bo, text="Which mayors should we invite?")
    return database


def _build_small_demo(path: Path, progress: Progress) -> None:
    progress.report(0, 1, "building")
    Database.create(path, "A demo").close()


@pytest.fixture
def _new_window(qtbot: QtBot, theme: Theme, _categories: Mapping[str, Category]) -> Callable[[], MainWindow]:
    def make() -> MainWindow:
        # The theme that is there already: each other one styles every widget anew.
        made = MainWindow(Settings(reviewer="mara", theme="light"), _categories, theme, _build_small_demo)
        qtbot.addWidget(made)
        activate(made, qtbot)
        return made

    return make


@pytest.fixture
def bare_window(_new_window: Callable[[], MainWindow], no_strays: None) -> MainWindow:
    """The window without a project."""
    return _new_window()


@pytest.fixture
def first_page() -> str:
    """At which page the window opens: its own choice. Tests of another page say which, and none is made in vain."""
    return ""


@pytest.fixture
def window(_new_window: Callable[[], MainWindow], filled: Database, first_page: str, no_strays: None) -> MainWindow:
    """The window on the filled project."""
    made = _new_window()
    made.show_project(filled, first_page)
    return made


@pytest.fixture
def context(window: MainWindow) -> Context:
    """What the window's pages are given."""
    assert window.context is not None
    return window.context


def activate(window: QWidget, qtbot: QtBot) -> None:
    """Show a window as the active one: keys go to no other."""
    with qtbot.waitActive(window, timeout=PATIENCE_MILLISECONDS):
        window.show()
        window.activateWindow()


def close(window: MainWindow, qtbot: QtBot) -> None:
    """Close the window and wait until it is gone, and no job of a test that failed half-way uses the project."""
    for job in window.job_runner.jobs():
        job.cancel()
    qtbot.waitUntil(lambda: not window.job_runner.jobs())
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
