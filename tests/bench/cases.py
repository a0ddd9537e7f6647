"""The Cases page at full size: first paint, facets, search, reading two trajectories and one of 100 MB, stepping.

    python -m tests.bench.synthetic /tmp/full.btc
    python -m tests.bench.cases /tmp/full.btc [--rounds 12] [--json FILE]

Each act is done on the real page (offscreen) and the clock stops when all of it is painted: list, facets with their
counts, the case that is shown beside them. Times are 95th percentiles over the rounds. In the same run stand the
floors: the bare SQLite query, bare text widgets with the same texts, and Inspect's `read_eval_log_sample` of the same
sample in a log.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QScrollArea, QWidget

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.trajectory import AnswerId, Trajectory
from btc_gui.evals.log_messages import LogToWrite, SampleToWrite
from btc_gui.settings import Settings
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.start import application
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.case_reader import CaseReader
from btc_gui.ui.widgets.filter_bar import Facet, FilterText
from tests.bench.acting import Act, Acting, until_made
from tests.bench.made_answers import FIRST_MEGABYTE, HUNDRED_MEGABYTES, MANY_STEPS, SECOND_MEGABYTE
from tests.bench.measure import Measure, percentile, save, seconds_of, state_of_machine, table
from tests.bench.processes import resident

#: What is put into the search field: a word that many texts have, rare ones, two, a name's beginning, Chinese.
WORDS = ("kalo", "quisandur", "mitas renvor", "dronal", "音乐会", "tenure")
_BARE_LIST = "bare SQLite: ids and first 200 rows"
_FACETS = ("models", "modes", "labels", "harnesses", "queries", "categories")


class Bench:
    """One window on one project, and what was measured in it."""

    def __init__(self, project: Path, rounds: int) -> None:
        self.project, self.rounds = project, rounds
        self.measures: list[Measure] = []
        self._database = Database.open(project)
        settings = Settings(reviewer="bench", recent=(str(project.resolve()),))
        self._window = MainWindow(settings, load_categories(paths.resources() / "categories"), Theme("light", 1.0))
        self._window.resize(1440, 900)
        self._window.show()
        self._window.warm_up()
        self._acting = Acting(self._window)
        self._acting.rest()
        self._window.show_project(self._database)
        self._acting.rest()

    # -- what is measured ------------------------------------------------------------------------------------

    def run(self) -> None:
        """Measure all of it."""
        # Somebody comes here some seconds after the project was opened.
        self._acting.idle()
        floor = 1000 * seconds_of(self._bare_list)
        first = self._acting.act(lambda: self._window.go("cases"))
        self._add("Cases: first visit", [first], floor, _BARE_LIST)
        # An idle window makes nothing ahead any more.
        until_made(self._window)
        idle_late, idle_latest = self._acting.idle()
        again = []
        for _ in range(self.rounds):
            self._acting.act(lambda: self._window.go("settings"))
            again.append(self._acting.act(lambda: self._window.go("cases")))
        self._add("Cases: visit again", again, floor, _BARE_LIST, most=100)
        again += self._visits_after_a_change()
        frames = [*again, *self._facets(), *self._searches(), *self._sorts()]
        self._two_megabytes()
        self._hundred_megabytes()
        frames += self._steps()
        frames_late = [each.latest_frame for each in frames]
        self._tell("Cases: latest frame of any act", max(frames_late), "ms", idle_latest, "latest idle frame", over=50)
        longest = max(each.longest_work for each in frames)
        self._tell("Cases: most work between two frames", longest, "ms")
        self._scroll(idle_late)
        self._tell("Cases: memory in the end", resident(os.getpid()), "MB", most=350)

    def _list(self, do: Callable[[], object]) -> Act:
        """An act on the list; the case that it opens is read from the project."""
        page = self._page()
        page.forget()
        return self._acting.act(do, lambda: page.is_listed)

    def _visits_after_a_change(self) -> list[Act]:
        """As if somebody had written meanwhile: the list, its counts and the case are read anew."""
        acts = []
        for _ in range(self.rounds):
            self._acting.act(lambda: self._window.go("settings"))
            acts.append(self._list(lambda: self._window.go("cases")))
        self._add_list("Cases: visit again, after others wrote", acts, 1000 * seconds_of(self._bare_list), _BARE_LIST)
        return acts

    def _facets(self) -> list[Act]:
        acts: list[Act] = []
        for number in range(self.rounds):
            facet = self._page().findChild(Facet, f"facet-{_FACETS[number % len(_FACETS)]}")
            assert facet is not None
            actions = [action for action in facet.menu().actions() if action.isCheckable()]
            if not actions:
                continue
            acts.append(self._list(actions[number % len(actions)].trigger))
            acts.append(self._list(facet.menu().actions()[-1].trigger))
        floor = 1000 * seconds_of(self._bare_facets)
        self._add_list("Cases: facet chosen", acts, floor, "bare SQLite: one count by model and label")
        return acts

    def _searches(self) -> list[Act]:
        field = self._page().findChild(FilterText)
        assert field is not None

        def search(words: str) -> None:
            field.setText(words)
            QTest.keyClick(field, Qt.Key.Key_Return)

        acts = [self._list(partial(search, WORDS[number % len(WORDS)])) for number in range(self.rounds)]
        floor = 1000 * max(seconds_of(partial(self._bare_match, words)) for words in WORDS)
        self._add_list("Cases: search", acts, floor, "bare SQLite: a MATCH of the index of words")
        self._acting.act(partial(search, ""))
        return acts

    def _sorts(self) -> list[Act]:
        view = self._page().findChild(TableView)
        assert view is not None
        acts = [
            self._list(partial(view.sort_asked.emit, order, is_down))
            for order in ("entity", "model", "queries", "date")
            for is_down in (True, False)
        ]
        self._add_list("Cases: sort", acts, 1000 * seconds_of(self._bare_list), _BARE_LIST)
        return acts

    def _two_megabytes(self) -> None:
        first, second = self._answer(FIRST_MEGABYTE.uuid), self._answer(SECOND_MEGABYTE.uuid)
        page = self._page()
        reader = page.findChild(CaseReader)
        assert reader is not None
        acts, alone = [], []
        for _ in range(self.rounds):
            self._acting.act(lambda: page.show_item(self._ordinary()))
            page.forget()
            alone.append(self._acting.act(lambda: page.show_item(first)))
            page.forget()
            acts.append(self._acting.act(lambda: reader.comparison_asked.emit((second,))))
        store = AnswerStore(self._database)
        texts = [_all_text(store.trajectory(each)) for each in (first, second)]
        size = sum(len(text) for text in texts) / 1e6
        floor = 1000 * seconds_of(lambda: _bare_texts(texts))
        self._add("two 1 MB trajectories side by side", acts, floor, f"two bare text widgets, {size:.1f} MB", most=100)
        self._add("one 1 MB trajectory", alone, 1000 * seconds_of(lambda: _bare_texts(texts[:1])), "a bare text widget")

    def _hundred_megabytes(self) -> None:
        page, large = self._page(), self._answer(HUNDRED_MEGABYTES.uuid)
        before = resident(os.getpid())
        act = self._acting.act(lambda: page.show_item(large))
        grown = resident(os.getpid()) - before
        floor = inspect_read(AnswerStore(self._database).trajectory(large))
        self._add("a 100 MB trajectory", [act], floor, "Inspect's read_eval_log_sample of the same sample")
        self._tell("  its frames", act.latest_frame, "ms", most=50)
        self._tell("  memory more while it is open", grown, "MB")
        self._acting.act(lambda: page.show_item(self._ordinary()))
        self._tell("  memory more once it is closed", resident(os.getpid()) - before, "MB")

    def _steps(self) -> list[Act]:
        page = self._page()
        self._acting.act(lambda: page.show_item(self._answer(MANY_STEPS.uuid)))
        commands = self._window.commands
        acts = [self._acting.act(commands.action("cases.next_query").trigger) for _ in range(4 * self.rounds)]
        text = QPlainTextEdit("some words\n" * 5_000)
        text.resize(1100, 800)
        text.show()
        floor = 1000 * seconds_of(lambda: _scroll_bare(text), 20)
        text.close()
        self._add(
            "stepping to the next query (2,000 steps)", acts, floor, "a bare text widget scrolled by a page", most=100
        )
        return acts

    def _scroll(self, idle_late: float) -> None:
        page = self._page()
        self._acting.act(lambda: page.show_item(self._answer(FIRST_MEGABYTE.uuid)))
        bars = [area.verticalScrollBar() for area in page.findChildren(QScrollArea) if area.isVisible()]
        bar = max(bars, key=lambda each: each.maximum())
        frames = self._acting.frames
        frames.start()
        for step in range(150):
            bar.setValue(int(bar.maximum() * step / 150))
            end = time.perf_counter() + 0.016
            while time.perf_counter() < end:
                QCoreApplication.processEvents()
        late, work = percentile(frames.delays, 0.99), percentile(frames.work, 0.99)
        self._tell(
            "scrolling a 1 MB trajectory: frame, p99", late, "ms", idle_late, "idle frame, p99", over=50, work=work
        )

    # -- the floors ------------------------------------------------------------------------------------------

    def _bare_list(self) -> None:
        with sqlite3.connect(self.project) as bare:
            bare.execute(
                "SELECT answer.id FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
                "JOIN run ON run.id = run_item.run_id AND run.purpose <> 'filter' WHERE answer.is_final = 1"
            ).fetchall()
            bare.execute(
                "SELECT * FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
                "WHERE answer.is_final = 1 LIMIT 200"
            ).fetchall()
        bare.close()

    def _bare_match(self, words: str) -> None:
        quoted = " ".join(f'"{word}"' for word in words.lower().split())
        with sqlite3.connect(self.project) as bare:
            bare.execute("SELECT rowid FROM case_words WHERE case_words MATCH ?", (quoted,)).fetchall()
        bare.close()

    def _bare_facets(self) -> None:
        with sqlite3.connect(self.project) as bare:
            bare.execute(
                "SELECT configuration.model, verdict.label, count(*) FROM answer "
                "JOIN run_item ON run_item.id = answer.run_item_id "
                "JOIN run ON run.id = run_item.run_id AND run.purpose <> 'filter' "
                "JOIN configuration ON configuration.id = run_item.configuration_id "
                "LEFT JOIN verdict ON verdict.answer_id = answer.id AND verdict.is_current = 1 "
                "WHERE answer.is_final = 1 GROUP BY 1, 2"
            ).fetchall()
        bare.close()

    # -- looking things up -----------------------------------------------------------------------------------

    def _page(self) -> CasesPage:
        page = self._window.page("cases")
        assert isinstance(page, CasesPage)
        return page

    def _answer(self, uuid: str) -> AnswerId:
        row = self._database.read().execute("SELECT id FROM answer WHERE uuid = ?", (uuid,)).fetchone()
        return AnswerId(row["id"])

    def _ordinary(self) -> AnswerId:
        row = self._database.read().execute("SELECT max(id) FROM answer WHERE uuid LIKE 'synthetic-%'").fetchone()
        return AnswerId(row[0])

    def _add(self, name: str, acts: Sequence[Act], floor: float, floor_is: str, *, most: float | None = None) -> None:
        if acts:
            value = percentile([each.clock for each in acts], 0.95)
            work = percentile([each.work for each in acts], 0.95)
            self._say(Measure(name, value, "ms", floor, floor_is, most=most, work=work))

    def _add_list(self, name: str, acts: Sequence[Act], floor: float, floor_is: str) -> None:
        """Two lines: till the list and the counts are painted, and till the case beside them is, too."""
        if acts:
            seen = percentile([each.seen for each in acts], 0.95)
            self._say(Measure(f"{name}: list and counts", seen, "ms", floor, floor_is, most=100))
        self._add(f"{name}: all, the case too", acts, floor, floor_is, most=100)

    def _tell(
        self,
        name: str,
        value: float,
        unit: str,
        floor: float | None = None,
        floor_is: str = "",
        *,
        most: float | None = None,
        over: float | None = None,
        work: float | None = None,
    ) -> None:
        self._say(Measure(name, value, unit, floor, floor_is, most=most, most_over=over, work=work))

    def _say(self, measure: Measure) -> None:
        self.measures.append(measure)
        print(f"  {measure.name}: {measure.value:,.1f} {measure.unit}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Close the window."""
        self._acting.rest()
        self._window.close()


def _all_text(trajectory: Trajectory) -> str:
    """What a reader may see of a trajectory."""
    parts = []
    for step in trajectory.steps:
        parts.append(step.text)
        for result in step.results:
            parts += [result.title, result.url, *result.excerpts]
    return "\n".join(parts)


def _bare_texts(texts: Sequence[str]) -> None:
    """The floor of showing texts: so many plain text widgets, painted."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    for text in texts:
        widget = QPlainTextEdit()
        widget.setPlainText(text)
        row.addWidget(widget)
    holder.resize(1100, 800)
    holder.show()
    QCoreApplication.processEvents()
    holder.grab()
    holder.close()


def _scroll_bare(text: QPlainTextEdit) -> None:
    bar = text.verticalScrollBar()
    bar.setValue((bar.value() + bar.pageStep()) % max(bar.maximum(), 1))
    QCoreApplication.processEvents()


def inspect_read(trajectory: Trajectory) -> float:
    """Milliseconds that Inspect takes to read one sample, in a process of its own, once it is warm."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.eval"
        source = Path(folder) / "trajectory.pickle"
        import pickle

        source.write_bytes(pickle.dumps(trajectory))
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.cases", "--inspect", str(path), str(source)],
            cwd=Path(__file__).resolve().parents[2], check=True, capture_output=True, text=True,
        )  # fmt: skip
    return float(done.stdout.split()[-1])


def _inspect(path: Path, source: Path) -> None:
    """Write a log with this trajectory, and tell how long reading its sample takes."""
    import pickle

    from inspect_ai.log import read_eval_log_sample

    from btc_gui.evals.log_writer import LogWriter

    writer = LogWriter(LogToWrite(str(path), "bench", "bench", "bench", "m", "low", "2026-05-01T10:00:00+00:00"))
    trajectory = pickle.loads(source.read_bytes())
    writer.add(SampleToWrite("0", 1, "Who?", "Today is a day.", {}, trajectory))
    writer.finish()
    print(1000 * seconds_of(lambda: read_eval_log_sample(str(path), "0", 1, resolve_attachments=True), 3))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--inspect", type=Path, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inspect:
        _inspect(*options.inspect)
        return
    application()
    bench = Bench(options.project, options.rounds)
    print(state_of_machine())
    bench.run()
    bench.close()
    print(table(bench.measures))
    save(bench.measures, options.json)


if __name__ == "__main__":
    main()
