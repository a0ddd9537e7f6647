"""From the key to the next probe painted, with the decision durable, on a project of full size.

    python -m tests.bench.synthetic /tmp/full.btc
    python -m tests.bench.review /tmp/full.btc [--decisions 250] [--json FILE]

The project is copied first and thrown away. Each decision is a real key press on the real page (offscreen), as soon as
the page takes another one (`SETTLE_MILLISECONDS` after the last); the clock stops when the window has been painted with
the next probe on it. The window's own work is told apart: the decision, reading the next probe, showing it with its
layout, and painting. In the same run, one after the other with the decisions, stand bare durable commits: one row into
a table of a file beside it, in WAL mode with synchronous=FULL, which is what no decision can be faster than. In the
project itself they would be another program's, after each of which SQLite reads all pages of the next decision anew.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtTest import QTest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.store.lint import LintStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages import review_page
from btc_gui.ui.pages.review_page import ReviewPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme
from tests.bench.acting import pause, until_made
from tests.bench.measure import Measure, percentile, save, state_of_machine

_KEYS = (Qt.Key.Key_A, Qt.Key.Key_A, Qt.Key.Key_D, Qt.Key.Key_A, Qt.Key.Key_F)


class Parts:
    """Times parts of what follows a key: by the clock and by the thread's processor time, in seconds, call by call."""

    def __init__(self) -> None:
        self.clock: dict[str, list[float]] = {}
        self.work: dict[str, list[float]] = {}

    def time(self, name: str, owner: object, method: str) -> None:
        """Time a method of an object or a class from now on."""
        inner = getattr(owner, method)
        clock, work = self.clock.setdefault(name, []), self.work.setdefault(name, [])

        def timed(*arguments: object, **named: object) -> object:
            began, began_work = time.perf_counter(), time.thread_time()
            try:
                return inner(*arguments, **named)
            finally:
                clock.append(time.perf_counter() - began)
                work.append(time.thread_time() - began_work)

        setattr(owner, method, timed)


class Painted(QObject):
    """Notices when one of some widgets has been painted."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._watched: set[QObject] = set()

    def watch(self, widget: QObject) -> None:
        """Watch this one, too."""
        if widget not in self._watched:
            self._watched.add(widget)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.count += 1
        return False


def line(name: str, values: Sequence[float]) -> str:
    """Best (what it would take if the machine did nothing else), median, p99 and worst in milliseconds."""
    p50, p99 = percentile(values, 0.5) * 1000, percentile(values, 0.99) * 1000
    return f"{name:<34} {min(values) * 1000:>8.2f} {p50:>8.2f} {p99:>8.2f} {max(values) * 1000:>8.2f}"


def measure(project: Path, decisions: int) -> list[Measure]:
    """Review with the keyboard, print, and give the measures."""
    application()
    parts = Parts()
    parts.time("the decision, durable", ReviewStore, "decide")
    settings = Settings(reviewer="bench", recent=(str(project),))
    window = MainWindow(settings, load_categories(paths.resources() / "categories"), Theme("light", 1.0))
    window.resize(1440, 900)
    window.show()
    window.warm_up()
    window.show_project(Database.open(project))
    window.go("review")
    until_made(window)
    page = window.current_page
    assert isinstance(page, ReviewPage)
    parts.time("reading the next probe", page._session, "item")
    parts.time("showing it, laid out", page.reader, "show_item")
    painted = Painted()
    painted.watch(page.probe_card.text.viewport())
    bare = sqlite3.connect(project.with_suffix(".bare"), isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    # Bringing the log into the file is no part of it: the app does it beside the window.
    bare.execute("PRAGMA wal_autocheckpoint = 0")
    bare.execute("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, note TEXT)")
    waits, work, floor = list[float](), list[float](), list[float]()
    rest = parts.work.setdefault("painting, and what is left", [])
    moved = 0
    for number in range(decisions):
        began = time.perf_counter()
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO bare (note) VALUES (?)", ("x" * 200,))
        bare.execute("COMMIT")
        floor.append(time.perf_counter() - began)
        # The page lets no key of the next moment count: it was meant for the probe that has just left.
        pause(review_page.SETTLE_MILLISECONDS + 20)
        before, count = page.probe_card.text.toPlainText(), painted.count
        key = _KEYS[number % len(_KEYS)]
        began, began_work = time.perf_counter(), time.thread_time()
        QTest.keyClick(page, key)
        pressed = time.thread_time()
        # Of two cards, one has been laid out ahead.
        painted.watch(page.probe_card.text.viewport())
        # A flag leaves the text as it is: the chips around it are what is painted.
        while painted.count == count and key != Qt.Key.Key_F:
            QCoreApplication.processEvents()
        QCoreApplication.processEvents()
        if key != Qt.Key.Key_F:
            waits.append(time.perf_counter() - began)
            work.append(time.thread_time() - began_work)
            rest.append(time.thread_time() - pressed)
            moved += page.probe_card.text.toPlainText() != before
    bare.close()
    commits = parts.clock["the decision, durable"]
    print(f"{len(waits)} decisions, {moved} of them to a probe with another text; milliseconds; {state_of_machine()}")
    print(f"{'':<34} {'best':>8} {'p50':>8} {'p99':>8} {'worst':>8}")
    print(line("key to next probe painted", waits))
    print(line("  the decision, durable", commits))
    print(line("bare durable commit", floor))
    print(line("the window's own work", work))
    for name, values in parts.work.items():
        print(line(f"  {name}", values))
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        bare_commit = percentile(floor, share)
        print(
            f"{name}: whole {percentile(waits, share) / bare_commit:.1f} × bare, "
            f"decision {percentile(commits, share) / bare_commit:.2f} × bare"
        )
    window.close()
    settle(None)
    late, commit, least = percentile(waits, 0.99), percentile(commits, 0.5), percentile(floor, 0.5)
    floor_is = "a bare durable commit of one row in a file beside it"
    return [
        Measure(
            "key → durable → painted, p99", 1000 * late, "ms", 1000 * percentile(floor, 0.99), floor_is, most=33,
            work=1000 * percentile(work, 0.99),
        ),
        Measure(
            "  the same, p50", 1000 * percentile(waits, 0.5), "ms", 1000 * least, floor_is,
            work=1000 * percentile(work, 0.5),
        ),
        Measure("  the commit's own share, p50", 1000 * commit, "ms", 1000 * least, floor_is, most_ratio=2.0),
    ]  # fmt: skip


def main() -> None:
    """Copy the project and measure on the copy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path)
    parser.add_argument("--decisions", type=int, default=250)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.project.parent) as folder:
        copy = Path(folder) / "review.btc"
        shutil.copy2(options.project, copy)
        with Database.open(copy) as database:
            checked = LintStore(database).refresh()
            print(f"{checked:,} probes linted first")
        save(measure(copy, options.decisions), options.json)


if __name__ == "__main__":
    main()
