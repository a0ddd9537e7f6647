"""Work of the engine in its own process, whose app is killed (see `tests/killing.py`): running and filtering."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from btc_gui.domain.configuration import Effort
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.filter_probes import filter_probes
from btc_gui.jobs.run_evaluation import plan_run, run_evaluation
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.kill_scenes import PROJECT, count, errors_of
from tests.killing import Life, Moment, Tell, Told
from tests.recordings import behaviour, write_no_search, write_recordings
from tests.run_builders import make_recipe

# -- running --------------------------------------------------------------------------------------------------


@dataclass
class Running:
    """A run with the real engine in its own process; the app dies again and again, and goes on at last to the end."""

    probes: int = 240
    name: str = "running"
    is_measured: bool = False
    _run: int = 0
    _answers: dict[int, str] = field(default_factory=dict)
    _engines: list[int] = field(default_factory=list)

    def prepare(self, folder: Path) -> None:
        """Recordings, and a run planned over as many probes."""
        behaviours = [behaviour(f"p{number}", [["speakers autumn"]] * 2) for number in range(self.probes)]
        write_recordings(folder / "replay", behaviours)
        with Database.create(folder / PROJECT) as database:
            event = add_event(database)
            probes = [add_probe(database, event, f"Whom to ask, {n}?", key=f"p{n}") for n in range(self.probes)]
            self._run = plan_run(
                database,
                "Autumn",
                [shared_configuration("Larkspur-2", Effort.LOW)],
                [(probe.id, probe.revision_id) for probe in probes],
                1,
                "tests",
                make_recipe(at_once=4, latency=0.1),
            )

    def begin(self, folder: Path) -> None:
        """Go on where the last life was killed, once its engine has ended; a person waits twenty seconds for that."""
        _wait_for_engines(self._engines)
        with closing(sqlite3.connect(folder / PROJECT, isolation_level=None)) as project:
            project.execute("UPDATE run SET lease_until = ''")

    def work(self, folder: Path, tell: Tell) -> None:
        """Go on with the run, telling each answer that is stored."""
        with Database.open(folder / PROJECT) as database:
            answers = AnswerStore(database)

            def stored(answer_id: AnswerId) -> None:
                row = answers.get(answer_id)
                tell((int(answer_id), f"{row.probe_key}: {row.answer}"))

            def start(logs: Path) -> Worker:
                worker = Worker(logs)
                tell(worker.pid)
                return worker

            run = RunId(self._run)
            run_evaluation(database, run, folder / "replay", Progress(), on_answer=stored, start_worker=start)

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """Mostly between answers, sometimes while the engine is starting or what a dead one left is taken up."""
        if hand.random() < 0.2:
            return Moment(hand.randint(0, 1), hand.random() * 4)
        return Moment(hand.randint(2, 8), hand.random() * 0.4)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """Each answer that was told is there as it was; no probe has two, and at the end all have one."""
        found = []
        self._engines = [each for each in heard if isinstance(each, int)]
        self._answers.update(each for each in heard if not isinstance(each, int))
        with Database.open(folder / PROJECT) as database:
            store = AnswerStore(database)
            rows = {int(row.id): f"{row.probe_key}: {row.answer}" for row in store.fetch(store.ids()).values()}
            found += [
                f"answer {number} is lost or another"
                for number, text in self._answers.items()
                if rows.get(number) != text
            ]
            (attempts, items) = (
                database.read().execute("SELECT count(*), count(DISTINCT run_item_id) FROM answer").fetchone()
            )
            if attempts != items:
                found.append(f"{attempts} answers to {items} probes")
            self._answers = rows
            return found + errors_of(database)

    def left(self, folder: Path) -> int:
        """How many probes have no answer."""
        with Database.open(folder / PROJECT) as database:
            return RunStore(database).count_pending(RunId(self._run))


def _wait_for_engines(engines: Iterable[int]) -> None:
    """Wait until these processes have ended, whose parent is dead."""
    while any(_is_running(each) for each in engines):
        time.sleep(0.1)


def _is_running(process: int) -> bool:
    """Whether a process is at work; one that has ended and that nobody has asked for is not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# -- filtering --------------------------------------------------------------------------------------------------------


@dataclass
class Filtering:
    """Probes are asked without search, three times each, by the real engine; the app dies again and again."""

    probes: int = 120
    name: str = "filtering"
    is_measured: bool = False
    _engines: list[int] = field(default_factory=list)
    _told: int = 0

    def prepare(self, folder: Path) -> None:
        """Recordings and accepted probes."""
        answers = {f"p{number}": [f"Ask Ada {number}{each}." for each in "abc"] for number in range(self.probes)}
        write_no_search(write_recordings(folder / "replay", []), answers)
        with Database.create(folder / PROJECT) as database, database.write():
            event = add_event(database)
            for number in range(self.probes):
                add_probe(database, event, f"Whom to ask, {number}?", key=f"p{number}")

    def begin(self, folder: Path) -> None:
        """Go on where the last life was killed, once its engine has ended; a person waits twenty seconds for that."""
        _wait_for_engines(self._engines)
        with closing(sqlite3.connect(folder / PROJECT, isolation_level=None)) as project:
            project.execute("UPDATE run SET lease_until = ''")

    def work(self, folder: Path, tell: Tell) -> None:
        """Filter what has no answer yet, telling the engine and how many answers are stored."""

        def start(logs: Path) -> Worker:
            worker = Worker(logs)
            tell(("engine", worker.pid))
            return worker

        with Database.open(folder / PROJECT) as database:
            probes = ProbeStore(database)
            items = [(each.id, each.revision_id) for each in probes.fetch(probes.ids()).values()]
            model = EvaluatedModel("Larkspur-2", SCRIPTED, "Larkspur-2")
            progress = Progress(lambda report: tell(("stored", report.done)))
            recipe = make_recipe(at_once=4, latency=0.05)
            filter_probes(
                database,
                [model],
                items,
                folder / "replay",
                progress,
                author="tests",
                recipe=recipe,
                start_worker=start,
            )

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """Mostly between answers, sometimes while it is planned or the engine is starting."""
        if hand.random() < 0.3:
            return Moment(0, hand.random() * 4)
        return Moment(hand.randint(2, 6), hand.random() * 0.4)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """One plan; each answer is there once, as it was recorded; at the end all are."""
        found = []
        self._engines = [number for what, number in heard if what == "engine"]
        self._told = max([self._told, *(number for what, number in heard if what == "stored")])
        with Database.open(folder / PROJECT) as database:
            runs, items = count(database, "run"), count(database, "run_item")
            if (runs, items) not in ((0, 0), (1, self.probes * 3)):
                found.append(f"{runs} runs of {items} answers are planned")
            sql = "SELECT count(*), count(DISTINCT run_item_id) FROM answer"
            answers, answered = database.read().execute(sql).fetchone()
            if answers != answered or answers < self._told:
                found.append(f"{self._told} answers were told, there are {answers} to {answered} questions")
            store = AnswerStore(database)
            texts = [(row.probe_key, row.repetition, row.answer) for row in store.fetch(store.ids()).values()]
            right = {(f"p{n}", at, f"Ask Ada {n}{c}.") for n in range(self.probes) for at, c in enumerate("abc", 1)}
            if not right.issuperset(texts) or (heard[-1:] == [("stored", self.probes * 3)] and len(texts) < len(right)):
                found.append(f"{len(set(texts) - right)} answers are others, {len(right) - len(texts)} are missing")
            return found + errors_of(database)


SCENES = (Running, Filtering)
