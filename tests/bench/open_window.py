"""A window that is open on a project until its input ends: for measuring what it needs while others work.

    python -m tests.bench.open_window PROJECT [PAGE]

It draws without a display, and says `ready` once the page is painted.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme


def main() -> None:
    """Open, say so, and live until the input ends."""
    app = application()
    window = MainWindow(Settings(), load_categories(paths.resources() / "categories"), Theme("light", 1.0))
    window.resize(1440, 900)
    window.show()
    window.show_project(Database.open(Path(sys.argv[1])))
    window.go(sys.argv[2] if len(sys.argv) > 2 else "runs")
    over = threading.Event()

    def watch_input() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=watch_input, daemon=True).start()
    timer = QTimer()
    timer.timeout.connect(lambda: app.quit() if over.is_set() else None)
    timer.start(200)
    QTimer.singleShot(4_000, lambda: print("ready", flush=True))
    app.exec()
    window.close()


if __name__ == "__main__":
    main()
