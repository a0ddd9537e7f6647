"""How late the window's frames are, idle and while an evaluation runs, in one run.

    python -m tests.bench.frames [--seconds 20] [--page runs] [--json FILE]

A timer of 16 ms repaints the window; a frame's delay is how much later than that it came. The idle part comes first
and is the floor. The run is the demo's recorded agents through the real engine in its child process, started on the
Runs page, which shows how far it is.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.configuration import EFFORTS
from btc_gui.domain.review import Action
from btc_gui.evals.harness import shared_configuration
from btc_gui.jobs.load_events import load_events
from btc_gui.jobs.load_probes import load_probes
from btc_gui.jobs.run_evaluation import plan_run
from btc_gui.progress import Progress
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.runs_page import RunsPage
from btc_gui.ui.run_driver import read_summary
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme
from tests.bench.measure import Measure, percentile, save

FRAME_MILLISECONDS = 16
DEMO = paths.resources() / "demo"


class Frames(QObject):
    """Repaints `widget` every frame and keeps how late each frame was, in milliseconds. With `repaints` off it only
    looks how late it could have been: repainting a whole window takes time that an act would be charged with.

    `work` is how much processor time the window's own thread took from frame to frame: how late a frame would be if
    the machine had nothing else to do. On a busy machine it tells more than the delays.
    """

    def __init__(self, widget: QWidget, *, repaints: bool = True) -> None:
        super().__init__()
        self._widget, self._repaints = widget, repaints
        self.delays: list[float] = []
        self.work: list[float] = []
        self._last, self._last_work = time.perf_counter(), time.thread_time()
        self.timer = QTimer(self)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self._frame)
        self.timer.start(FRAME_MILLISECONDS)

    def start(self) -> None:
        """Forget what was measured and begin anew."""
        self.delays, self.work = [], []
        self._last, self._last_work = time.perf_counter(), time.thread_time()

    def _frame(self) -> None:
        now, work = time.perf_counter(), time.thread_time()
        self.delays.append(max(0.0, (now - self._last) * 1000 - FRAME_MILLISECONDS))
        self.work.append((work - self._last_work) * 1000)
        self._last, self._last_work = now, work
        if self._repaints:
            self._widget.update()

    def summary(self, name: str) -> str:
        """Median, 99th percentile and worst delay; median and worst work."""
        delays = sorted(self.delays)
        middle, late = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
        work = sorted(self.work)
        return (
            f"{name:<22} {len(delays):>6} {middle:>8.1f} {late:>8.1f} {delays[-1]:>8.1f}"
            f" {work[len(work) // 2]:>8.1f} {work[-1]:>8.1f}"
        )


def prepared_project(folder: Path) -> Database:
    """The demo's events and probes, all accepted."""
    database = Database.create(folder / "frames.btc")
    load_events(
        database, DEMO / "events.csv", load_categories(paths.resources() / "categories"), Progress(), author="b"
    )
    load_probes(database, DEMO / "probes.jsonl", Progress(), author="b")
    probes, reviews = ProbeStore(database), ReviewStore(database)
    for probe_id, probe in probes.fetch(probes.ids()).items():
        reviews.decide(probe_id, probe.revision_id, Action.ACCEPT, "b")
    return database


def wait(seconds: float) -> None:
    """Let the window live for a while."""
    loop = QEventLoop()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()


class Ended(QObject):
    """Keeps how the job ended."""

    def __init__(self) -> None:
        super().__init__()
        self.outcome: object = None
        self.error: object = None

    def succeeded(self, outcome: object) -> None:
        """Keep the job's result."""
        self.outcome = outcome

    def failed(self, error: object) -> None:
        """Keep the job's error."""
        self.error = error


def _measures(idle: Sequence[float], frames: Frames) -> list[Measure]:
    late, floor = percentile(frames.delays, 0.99), percentile(idle, 0.99)
    work = percentile(frames.work, 0.99)
    return [
        Measure("frames during a run, p99", late, "ms", floor, "idle frames, p99", most_over=5, work=work),
        Measure(
            "  the latest of them", max(frames.delays), "ms", max(idle), "latest idle frame", most_over=50,
            work=max(frames.work),
        ),
    ]  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="length of the idle part")
    parser.add_argument("--page", default="runs")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    application()
    with tempfile.TemporaryDirectory() as folder:
        database = prepared_project(Path(folder))
        window = MainWindow(Settings(), load_categories(paths.resources() / "categories"), Theme("light", 1.0))
        window.resize(1440, 900)
        window.show()
        window.show_project(database)
        window.go(options.page)
        wait(2)
        frames = Frames(window)
        frames.start()
        wait(options.seconds)
        print(f"{'':<22} {'frames':>6} {'median':>8} {'p99':>8} {'worst':>8} {'work':>8} {'worst':>8}   (ms)")
        print(frames.summary("idle"))
        idle = list(frames.delays)
        found = ProbeStore(database)
        probes = found.fetch(found.ids()).values()
        configurations = [shared_configuration(m, e) for m in ("Larkspur-2", "Quill-Mini") for e in EFFORTS]
        items = [(probe.id, probe.revision_id) for probe in probes]
        run_id = plan_run(database, "frames", configurations, items, options.repetitions, "bench")
        ended = Ended()
        runs = window.page("runs")
        assert isinstance(runs, RunsPage)
        frames.start()
        began = time.perf_counter()
        # As “Start” does once it knows where the recordings are.
        driver = runs.drive(read_summary(database, run_id), DEMO)
        driver.job.succeeded.connect(ended.succeeded)
        driver.job.failed.connect(ended.failed)
        while ended.outcome is None and ended.error is None:
            wait(0.2)
        print(frames.summary("evaluation running"))
        save(_measures(idle, frames), options.json)
        if ended.error is not None:
            raise SystemExit(f"the run failed: {ended.error}")
        print(
            f"{len(items) * len(configurations) * options.repetitions} samples in {time.perf_counter() - began:.1f} s"
        )
        window.close()


if __name__ == "__main__":
    main()
