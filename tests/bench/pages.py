"""Each page on a project of full size: visits, filters, searches and orders, until all of it is painted.

    python -m tests.bench.synthetic /tmp/full.btc
    python -m tests.bench.pages /tmp/full.btc [--rounds 6] [--json FILE]

Whatever facets, search fields and sortable columns a page has are used, as a person would: an entry of a facet's menu,
words and Enter, a click on a head. Times are 95th percentiles, beside two floors of the same run: the bare SQLite read
of the ids behind the longest list, and the window's idle frames. The Cases page has a bench of its own.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.start import application
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.filter_bar import Facet, FilterText
from tests.bench.acting import Act, Acting, until_made
from tests.bench.measure import Measure, percentile, save, seconds_of, state_of_machine, table
from tests.bench.processes import resident

PAGES = ("events", "probes", "review", "runs", "validation", "settings")
WORDS = ("kalo", "dronal", "mitas")
_FLOOR = "bare SQLite: the ids of all probes"


class PageBench:
    """One window on one project; each page of it in turn."""

    def __init__(self, project: Path, rounds: int) -> None:
        self._rounds = rounds
        self._floor = 1000 * seconds_of(partial(_bare_ids, project))
        settings = Settings(reviewer="bench", recent=(str(project.resolve()),))
        self.window = MainWindow(settings, load_categories(paths.resources() / "categories"), Theme("light", 1.0))
        self.window.resize(1440, 900)
        self.window.show()
        self.window.warm_up()
        self._acting = Acting(self.window)
        self._acting.rest()
        self.window.show_project(Database.open(project))
        until_made(self.window)
        self._idle = self._acting.idle()[1]

    def measures(self) -> list[Measure]:
        """All pages."""
        found: list[Measure] = []
        acts: list[Act] = []
        for name in PAGES:
            first = self._acting.act(partial(self.window.go, name))
            visits = []
            for _ in range(self._rounds):
                self._acting.act(partial(self.window.go, "settings" if name != "settings" else "runs"))
                visits.append(self._acting.act(partial(self.window.go, name)))
            page = self.window.page(name)
            kinds = {"visit again": visits, "facet": self._facets(page), "search": self._searches(page)}
            kinds["sort"] = self._sorts(page)
            found.append(_late(f"{name.capitalize()}: first visit", [first], self._floor, None))
            for kind, of_kind in kinds.items():
                if of_kind:
                    found.append(_late(f"{name.capitalize()}: {kind}", of_kind, self._floor, 100))
                    acts += of_kind
        late = max(act.latest_frame for act in acts)
        work = max(act.longest_work for act in acts)
        found.append(
            Measure(
                "pages: latest frame of any act", late, "ms", self._idle, "latest idle frame", most_over=50, work=work
            )
        )
        found.append(Measure("pages: memory in the end", resident(os.getpid()), "MB", most=350))
        return found

    def _facets(self, page: QWidget) -> list[Act]:
        acts = []
        for facet in page.findChildren(Facet):
            choices = [action for action in facet.menu().actions() if action.isCheckable()]
            if facet.isVisible() and choices:
                acts.append(self._acting.act(choices[0].trigger))
                acts.append(self._acting.act(facet.menu().actions()[-1].trigger))
        return acts

    def _searches(self, page: QWidget) -> list[Act]:
        acts = []
        for field in page.findChildren(FilterText):
            if not field.isVisible():
                continue
            acts += [self._acting.act(partial(_search, field, words)) for words in (*WORDS, "")]
        return acts

    def _sorts(self, page: QWidget) -> list[Act]:
        acts = []
        for view in page.findChildren(TableView):
            head = view.horizontalHeader()
            if view.isVisible() and head.sectionsClickable():
                acts += [self._acting.act(partial(head.sectionClicked.emit, n)) for n in range(head.count())]
        return acts


def _search(field: FilterText, words: str) -> None:
    field.setText(words)
    QTest.keyClick(field, Qt.Key.Key_Return)


def _bare_ids(project: Path) -> None:
    with sqlite3.connect(project) as bare:
        bare.execute("SELECT id FROM probe ORDER BY event_id, kind, ordinal").fetchall()
    bare.close()


def _late(name: str, acts: list[Act], floor: float, most: float | None) -> Measure:
    value, work = (percentile(each, 0.95) for each in ([a.clock for a in acts], [a.work for a in acts]))
    return Measure(name, value, "ms", floor, _FLOOR, most=most, work=work)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    application()
    print(state_of_machine())
    bench = PageBench(options.project, options.rounds)
    measures = bench.measures()
    bench.window.close()
    print(table(measures))
    save(measures, options.json)


if __name__ == "__main__":
    main()
