"""From the start of the process to a first page that can be used, and what the window needs in memory.

    python -m tests.bench.start_up PROJECT DEMO [--rounds 7] [--json FILE]

A bare PySide6 window (a main window with one label) is started and painted in turns with the app, each in a process of
its own, without a display; the clock runs from before the process is made until the page's list is there and painted.
The first start of each is not counted: after it, Python's compiled files are in the disk's cache, for both. Memory is
that of a window that has visited every page, on PROJECT and on DEMO.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measure import Measure, percentile, save, state_of_machine, table

_ROOT = Path(__file__).resolve().parents[2]
#: How long a page may take to come to rest: many times what it takes on a machine that does nothing else.
_PATIENCE_SECONDS = 300.0


def bare_window() -> None:
    """The least that a PySide6 program does: a window, painted."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(QLabel("Hello"))
    window.resize(1440, 900)
    window.show()

    def tell() -> None:
        app.processEvents()
        _tell()
        app.quit()

    QTimer.singleShot(0, tell)
    app.exec()


def app_window(project: Path, visits_all: bool) -> None:
    """The app, as `btc-gui open PROJECT` starts it."""
    from functools import partial

    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from btc_gui.app import main as btc_gui

    app = QApplication([])
    looking = QTimer(app)

    def look() -> None:
        from btc_gui.ui.main_window import MainWindow

        found = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
        if not found or found[0].current_page is None:
            return
        window = found[0]
        # Pages that nobody asked for yet are loaded meanwhile; what is waited for are the reads of this one.
        if any(job.title != "Load pages" for job in window.job_runner.jobs()):
            return
        handle = window.windowHandle()
        if handle is None or not handle.isExposed():
            # Not on the screen yet: nothing would be painted.
            return
        looking.stop()
        # Laid out and painted, as the bare window is.
        app.processEvents()
        _tell()
        if visits_all:
            QTimer.singleShot(6_000, partial(_visit, window))
        else:
            window.close()

    looking.timeout.connect(look)
    looking.start(1)
    btc_gui(["open", str(project)])


def _visit(window: object) -> None:
    from PySide6.QtCore import QTimer

    from btc_gui.ui.main_window import MainWindow
    from btc_gui.ui.page_list import PAGES
    from btc_gui.ui.pictures import settle
    from tests.bench.processes import resident

    assert isinstance(window, MainWindow)
    first = resident(os.getpid())
    try:
        for entry in (*PAGES, *PAGES):
            window.go(entry.name)
            settle(window.job_runner, _PATIENCE_SECONDS)
        print(first, resident(os.getpid()), flush=True)
    finally:
        # Also on a machine that is too busy for it: the bench would wait for ever.
        QTimer.singleShot(0, window.close)


def _tell() -> None:
    print(time.time(), flush=True)


def _start(folder: Path, *arguments: str) -> tuple[float, list[str]]:
    """Seconds from before the process until it told that it was painted, and the lines that it printed then."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    # As installed: where this is set, Python would compile the whole app at each start.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.time()
    command = [sys.executable, "-m", "tests.bench.start_up", *arguments]
    done = subprocess.run(
        command, cwd=_ROOT, env=env, check=True, capture_output=True, text=True, timeout=4 * _PATIENCE_SECONDS
    )
    lines = done.stdout.split("\n")
    return float(lines[0]) - began, lines[1:]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path, nargs="?")
    parser.add_argument("demo", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--app", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--visits-all", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.bare:
        bare_window()
    elif options.app:
        app_window(options.app, options.visits_all)
    else:
        print(state_of_machine())
        measures = measure(options.project, options.demo, options.rounds)
        print(table(measures))
        save(measures, options.json)


def measure(project: Path, demo: Path, rounds: int) -> list[Measure]:
    """Both windows in turns, then memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare, app = [], []
        for number in range(rounds + 1):
            seconds = _start(folder, "--bare")[0], _start(folder, "--app", str(project))[0]
            if number:
                bare.append(1000 * seconds[0])
                app.append(1000 * seconds[1])
        memory = [
            [float(each) for each in _start(folder, "--app", str(path), "--visits-all")[1][0].split()]
            for path in (demo, project)
        ]
    floor_is = "a bare PySide6 window, painted"
    return [
        Measure(
            "cold start to the first page",
            percentile(app, 0.5), "ms", percentile(bare, 0.5), floor_is, most_ratio=3.0,
        ),
        Measure("memory, first page", memory[1][0], "MB", memory[0][0], "with the demo project", most=350),
        Measure(
            "memory, every page visited", memory[1][1], "MB", memory[0][1], "with the demo project",
            most=350, most_ratio=1.2,
        ),
    ]  # fmt: skip


if __name__ == "__main__":
    main()
