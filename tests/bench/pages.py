"""How long each page takes to open on a project, and how late the window's frames are meanwhile.

    python -m tests.bench.synthetic /tmp/full.btc
    python -m tests.bench.pages /tmp/full.btc

Beside the times stand two floors of the same run: the same SQLite file's ids read bare, and the idle frames.
"""

from __future__ import annotations

import argparse
import os
import resource
import sqlite3
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pictures import settle
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme
from tests.bench.frames import Frames, wait

PAGES = ("events", "probes", "review", "runs", "cases", "validation", "results", "settings")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path)
    parser.add_argument("--rest", type=float, default=0.0, help="seconds without input after opening: pages are made")
    options = parser.parse_args()
    application()
    began = time.perf_counter()
    with sqlite3.connect(options.project) as bare:
        answers = len(bare.execute("SELECT id FROM answer WHERE is_final = 1").fetchall())
    bare.close()
    print(f"bare read of {answers:,} answer ids: {(time.perf_counter() - began) * 1000:.0f} ms")
    settings = Settings(recent=(str(options.project.resolve()),))
    window = MainWindow(settings, load_categories(paths.resources() / "categories"), Theme("light", 1.0))
    window.resize(1440, 900)
    window.show()
    wait(0.2)
    window.warm_up()
    settle(window.job_runner)
    frames = Frames(window)
    print(
        f"{'':<22} {'frames':>6} {'median':>8} {'p99':>8} {'worst':>8} {'work':>8} {'worst':>8}"
        "   (ms later; ms of processor)"
    )
    wait(3)
    print(frames.summary("idle, no project"))
    window.show_project(Database.open(options.project))
    if options.rest:
        frames.start()
        wait(options.rest)
        print(frames.summary("pages made ahead"))
    for name in (*PAGES, *PAGES):
        wait(0.3)
        frames.start()
        began = time.perf_counter()
        window.go(name)
        asked = time.perf_counter()
        settle(window.job_runner)
        settled = time.perf_counter()
        wait(0.3)
        print(
            f"{frames.summary(name)}   go {(asked - began) * 1000:6.0f} ms, settled {(settled - began) * 1000:6.0f} ms"
        )
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")
    window.close()


if __name__ == "__main__":
    main()
