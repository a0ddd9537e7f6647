"""All tables of results from the raw rows, and the Results page, at full size.

    python -m tests.bench.synthetic /tmp/full.btc
    python -m tests.bench.results /tmp/full.btc [--rounds 8] [--json FILE]

The floor of the tables is the bare SQLite query of what they are made from, in the same run: each answer with its
verdict and failure mode, fetched and thrown away.
"""

from __future__ import annotations

import argparse
import gc
import os
import sqlite3
import sys
import time
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.results import results_of
from btc_gui.exports.results import result_tables
from btc_gui.jobs.read_results import read_results
from btc_gui.progress import Progress
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.store.results import ResultStore
from btc_gui.store.runs import RunStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.result_contents import NAMES, ResultContents
from tests.bench.acting import Act, Acting, until_made
from tests.bench.measure import Measure, percentile, save, seconds_of, state_of_machine, table
from tests.bench.processes import resident

_ROWS = """
    SELECT answer.id, event.category, event.id, probe.key, probe.kind, run_item.configuration_id, answer.ending,
           verdict.label, classification.mode, answer.queries, run_item.revision_id, run_item.run_id
    FROM run
    JOIN run_item ON run_item.run_id = run.id
    JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1
    JOIN probe ON probe.id = run_item.probe_id
    JOIN event ON event.id = probe.event_id
    LEFT JOIN verdict ON verdict.answer_id = answer.id AND verdict.is_current = 1
    LEFT JOIN classification ON classification.answer_id = answer.id AND classification.is_current = 1
    WHERE run.purpose <> 'filter'
"""
_FLOOR = "bare SQLite: the same rows, fetched"


def bare_rows(project: Path) -> int:
    """Fetch the rows that all tables are made from."""
    with sqlite3.connect(project) as bare:
        found = len(bare.execute(_ROWS).fetchall())
    bare.close()
    return found


def measure_tables(project: Path, rounds: int) -> list[Measure]:
    """All tables, without a window."""
    floor, clocks, works, whole, whole_work = [], [], [], [], []
    with Database.open(project) as database:
        for _ in range(rounds):
            gc.collect()
            floor.append(1000 * seconds_of(lambda: bare_rows(project), 1))
            began, worked = time.perf_counter(), time.process_time()
            # A store of its own each time: nothing is known from before.
            results = results_of(ResultStore(database).answers(), RunStore(database).configurations())
            _ = (results.gaps(), results.common(), results.queries(), results.behaviour())
            _ = (results.by_effort(), results.by_harness(), results.by_category())
            clocks.append(1000 * (time.perf_counter() - began))
            works.append(1000 * (time.process_time() - worked))
            began, worked = time.perf_counter(), time.process_time()
            tables = result_tables(read_results(database, Progress()))
            whole.append(1000 * (time.perf_counter() - began))
            whole_work.append(1000 * (time.process_time() - worked))
    rows = sum(len(each.rows) for each in tables)
    print(f"{len(tables)} tables, {rows:,} rows", file=sys.stderr)
    least = min(floor)
    return [
        Measure("all result tables from raw rows", min(clocks), "ms", least, _FLOOR, most=1_000, work=min(works)),
        Measure(
            "  with retention, corrections and every cell's cases", min(whole), "ms", least, _FLOOR,
            work=min(whole_work),
        ),
    ]  # fmt: skip


def measure_page(project: Path, rounds: int) -> list[Measure]:
    """The page: its first visit, visits again, its tables and figures, its memory."""
    floor = 1000 * seconds_of(lambda: bare_rows(project), 3)
    settings = Settings(reviewer="bench", recent=(str(project.resolve()),))
    window = MainWindow(settings, load_categories(paths.resources() / "categories"), Theme("light", 1.0))
    window.resize(1440, 900)
    window.show()
    window.warm_up()
    acting = Acting(window)
    acting.rest()
    window.show_project(Database.open(project))
    until_made(acting.window)
    _, idle_latest = acting.idle()
    first = acting.act(lambda: window.go("results"))
    again: list[Act] = []
    for _ in range(rounds):
        acting.act(lambda: window.go("settings"))
        again.append(acting.act(lambda: window.go("results")))
    contents = window.page("results").findChild(ResultContents)
    assert contents is not None
    # Each entry of the page's contents twice: made, and shown again. Empty ones can't be chosen.
    entries: list[list[Act]] = [[], []]
    for acts in entries:
        for entry in NAMES:
            act = acting.act(partial(contents.choose, entry))
            if contents.current == entry:
                acts.append(act)
    every = [first, *again, *entries[0], *entries[1]]
    latest = max(act.latest_frame for act in every)
    found = [
        _late("Results: first visit", [first], floor, None),
        _late("Results: visit again", again, floor, 100),
        _late("Results: another table or figure, first time", entries[0], floor, None),
        _late("Results: another table or figure, again", entries[1], floor, 100),
        Measure(
            "Results: latest frame of any act", latest, "ms", idle_latest, "latest idle frame", most_over=50,
            work=max(act.longest_work for act in every),
        ),
        Measure("Results: memory in the end", resident(os.getpid()), "MB", most=350),
    ]  # fmt: skip
    window.close()
    return found


def _late(name: str, acts: list[Act], floor: float, most: float | None) -> Measure:
    value, work = (percentile(each, 0.95) for each in ([a.clock for a in acts], [a.work for a in acts]))
    return Measure(name, value, "ms", floor, _FLOOR, most=most, work=work)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    application()
    print(state_of_machine())
    # The page first: its memory is that of a window, not of what the tables were measured with.
    page = measure_page(options.project, options.rounds)
    measures = [*measure_tables(options.project, options.rounds), *page]
    print(table(measures))
    save(measures, options.json)


if __name__ == "__main__":
    main()
