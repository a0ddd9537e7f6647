"""Starts the windows: the workbench on a project, the labelling window on a packet."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from btc_gui import __version__, paths
from btc_gui.domain.category import Category, installed_categories, load_categories
from btc_gui.errors import BtcError, SettingsError
from btc_gui.progress import Progress
from btc_gui.remote.service_keys import adopt_keyring
from btc_gui.settings import Settings, load_settings, save_settings
from btc_gui.ui.error_dialog import CrashNet, ErrorDialog
from btc_gui.ui.icons import icon
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.theme import LIGHT, Theme

if TYPE_CHECKING:
    from btc_gui.domain.case_reference import CaseReference

_log = logging.getLogger(__name__)
#: How often it is asked whether the first page is there.
_LOOK_MILLISECONDS = 150
#: For how long a job's thread may keep Python to itself while the window waits to paint, for which the window asks some
#: dozens of times. With Python's own 5 ms, storing an answer of 300 KB made a frame 50 ms late; with this, 5.
_TURN_SECONDS = 0.0005


def application() -> QApplication:
    """The one application object, named and with its icon."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("btc_gui")
    app.setApplicationDisplayName("BlindToChange workbench")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("btc_gui")
    app.setWindowIcon(icon("workbench", color=LIGHT.accent))
    sys.setswitchinterval(_TURN_SECONDS)
    return app


def run_window(
    project: Path | None = None,
    build_demo: Callable[[Path, Progress], object] | None = None,
    *,
    opens_demo: bool = False,
    case: CaseReference | None = None,
) -> int:
    """Open the workbench and stay until it is closed; gives the process's exit code.

    `build_demo` makes the demo project when somebody opens it for the first time; `opens_demo` does so at once;
    with a reference, its case of the project is shown. Settings that can't be read and a category that is wrong are
    reported in the window, which opens with the defaults.
    """
    app = application()
    settings, problem = _settings()
    theme = Theme(settings.theme, settings.text_scale)
    categories, unusable = _categories()
    window = MainWindow(settings, categories, theme, build_demo)
    net = CrashNet(window)
    net.caught.connect(window.show_error)
    net.install()
    _close_on_interrupt(app, window)
    if opens_demo:
        window.open_demo()
    elif project is not None:
        window.open_project(project, case)
    window.show()
    _warm_up_later(window)
    for each in (problem, unusable):
        if each is not None:
            window.show_error(each)
    if settings.use_keyring:
        window.job_runner.start("Look in the keyring", adopt_keyring, lane="keyring", is_quiet=True)
    code = app.exec()
    net.remove()
    return code


def _categories() -> tuple[dict[str, Category], SettingsError | None]:
    """All categories; those of the app alone, and why, when one of the person's own is wrong."""
    try:
        return installed_categories(), None
    except SettingsError as error:
        return load_categories(paths.resources() / "categories"), error


def _warm_up_later(window: MainWindow) -> None:
    """Load what is needed later once the first page is there: it would hold up just that page otherwise."""
    looking = QTimer(window)

    def look() -> None:
        if not window.isVisible():
            # Closed before: nothing more can be started.
            looking.stop()
        elif not window.job_runner.jobs():
            looking.stop()
            window.warm_up()

    looking.timeout.connect(look)
    looking.start(_LOOK_MILLISECONDS)


def run_packet(path: Path) -> int:
    """Open the labelling window on a packet and stay until it is closed. No project is opened in this process.

    Raises `PacketError` for a packet that can't be labelled now, such as one that is open in another window; whoever
    opened it by a double click sees that in a dialog first.
    """
    from btc_gui.sessions.labelling import LabellingSession
    from btc_gui.ui.labelling.mentions import mention_spans
    from btc_gui.ui.labelling.window import LabellingWindow

    app = application()
    settings, _ = _settings()
    theme = Theme(settings.theme, settings.text_scale)
    try:
        session = LabellingSession(path)
    except BtcError as error:
        if not _has_terminal():
            ErrorDialog(error).exec()
        raise
    window = LabellingWindow(session, theme, mention_spans, keep_text_scale)
    net = CrashNet(window)
    net.install()
    window.show()
    code = app.exec()
    net.remove()
    return code


def tell_pieces(path: Path) -> int:
    """Print what the labelling window of a packet says, for the leak audit. Raises `PacketError` for no packet."""
    from btc_gui.ui.labelling.pieces import print_pieces

    application()
    settings, _ = _settings()
    print_pieces(path, Theme(settings.theme, settings.text_scale))
    return 0


def _has_terminal() -> bool:
    """Whether words on the standard error are seen. Where nothing is drawn either, nobody could close a dialog."""
    is_drawn = QGuiApplication.platformName() not in ("offscreen", "minimal")
    return not is_drawn or (sys.stderr is not None and sys.stderr.isatty())


def keep_text_scale(text_scale: float) -> None:
    """Keep another text size for all windows. Settings that can't be read or written stay as they are."""
    try:
        save_settings(replace(load_settings(), text_scale=text_scale))
    except (BtcError, OSError) as error:
        # Bigger letters are shown all the same, and an annotator can do nothing about a settings file.
        _log.warning("The text size is not kept: %s", error)


def _settings() -> tuple[Settings, SettingsError | None]:
    try:
        return load_settings(), None
    except SettingsError as error:
        return Settings(), error


def _close_on_interrupt(app: QApplication, window: MainWindow) -> None:
    """Let Ctrl+C in the terminal close the window as its own button does."""

    def close(*_: object) -> None:
        QTimer.singleShot(0, window.close)

    signal.signal(signal.SIGINT, close)
    signal.signal(signal.SIGTERM, close)
    # Python handles signals only while it runs: wake it up now and then.
    ticking = QTimer(app)
    ticking.timeout.connect(window.isVisible)
    ticking.start(500)
