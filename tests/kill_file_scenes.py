"""Work on files that is killed at random moments (see `tests/killing.py`): figures, and Inspect's logs."""

from __future__ import annotations

import random
import shutil
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from btc_gui.domain.configuration import ConfigurationId, Effort
from btc_gui.domain.figures.catalogue import figures_of
from btc_gui.domain.figures.figure import Figure
from btc_gui.domain.results import results_of
from btc_gui.domain.run import RunId
from btc_gui.exports.figures import write_figures
from btc_gui.jobs.export_log import export_log
from btc_gui.jobs.load_logs import LogOutcome, load_logs
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.kill_scenes import PROJECT, anywhere, errors_of, fresh
from tests.killing import Moment, Tell, Told
from tests.result_builders import make_head, make_pairs, make_record
from tests.run_builders import add_answer, add_run, make_configuration, make_trajectory

# -- figures --------------------------------------------------------------------------------------------------


@dataclass
class Drawing:
    """Figures are written over older ones: each file is the old one, the new one, or absent."""

    name: str = "drawing"

    def prepare(self, folder: Path) -> None:
        """The figures as they should be."""
        write_figures(_figures(), folder / "right")

    def begin(self, folder: Path) -> None:
        """Every second file is an old one."""
        shutil.rmtree(folder / "out", ignore_errors=True)
        (folder / "out").mkdir()
        for number, path in enumerate(sorted((folder / "right").iterdir())):
            if number % 2:
                (folder / "out" / path.name).write_text("old")

    def work(self, folder: Path, tell: Tell) -> None:
        """Draw all."""
        write_figures(_figures(), folder / "out")
        tell("figures")

    def moment(self, hand: random.Random, whole: float) -> Moment:
        """At any moment."""
        return anywhere(hand, whole)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """Whole files; drawn again, all are right and nothing is left behind."""
        right = {path.name: path.read_bytes() for path in (folder / "right").iterdir()}
        there = _whole_files(folder / "out")
        found = [f"{name} is half written" for name, data in there.items() if data not in (right.get(name), b"old")]
        if heard and there != right:
            found.append("not all is right that was told")
        write_figures(_figures(), folder / "out")
        if {path.name: path.read_bytes() for path in (folder / "out").iterdir()} != right:
            found.append(f"drawn again there is {sorted(path.name for path in (folder / 'out').iterdir())}")
        return found


def _whole_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def _figures() -> list[Figure]:
    low, high = (make_head(effort=each).configuration for each in (Effort.LOW, Effort.HIGH))
    known = {ConfigurationId(1): low, ConfigurationId(2): high}
    answers = make_pairs(6, 4, 1, 1) + make_pairs(5, 2, 1, 0, configuration=2)
    return figures_of(make_record(results_of(answers, known)), {"demise": "demises"}, ("accuracy", "queries"))


# -- logs that are written ------------------------------------------------------------------------------------


@dataclass
class WritingLogs:
    """A run of two configurations is written as logs by the engine in its own process: each is whole or absent."""

    probes: int = 60
    name: str = "writing logs"
    _run: int = 0

    def prepare(self, folder: Path) -> None:
        """A project with a run that is done."""
        self._run = add_answered_run(folder / PROJECT, self.probes, "p")

    def begin(self, folder: Path) -> None:
        """No log."""
        shutil.rmtree(folder / "out", ignore_errors=True)
        (folder / "out").mkdir()

    def work(self, folder: Path, tell: Tell) -> None:
        """Write both."""
        self._write(folder)
        tell("logs")

    def _write(self, folder: Path) -> None:
        with Database.open(folder / PROJECT) as database:
            export_log(database, RunId(self._run), folder / "out" / "run.eval", Progress())

    def moment(self, hand: random.Random, whole: float) -> Moment:
        """Mostly when the engine has started."""
        return Moment(0, whole * (0.6 + 0.4 * hand.random() if hand.random() < 0.7 else hand.random()))

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """Logs that are there have all samples; written again, both are there and nothing else."""
        there = sorted(_whole_files(folder / "out"))
        found = [text for name in there for text in _log_problems(folder / "out" / name, self.probes)]
        if heard and len(there) != 2:
            found.append(f"told, and there is {there}")
        for name in there:
            (folder / "out" / name).unlink()
        self._write(folder)
        left = sorted(path.name for path in (folder / "out").iterdir())
        if len(left) != 2:
            found.append(f"written again there is {left}")
        return found + [text for name in left for text in _log_problems(folder / "out" / name, self.probes)]


def _log_problems(path: Path, samples: int) -> list[str]:
    # Slow to load, and of no use to what is killed.
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        return [f"{path.name} can't be read: {error}"]
    written = {each.uuid for each in log.samples or []}
    if log.status != "success" or len(written) != samples:
        return [f"{path.name} is {log.status} with {len(written)} of {samples} samples"]
    return []


def add_answered_run(project: Path, probes: int, key: str) -> int:
    """Make a project, of which a run of two configurations is answered. Gives the run's id."""
    with Database.create(project) as database, database.write():
        event = add_event(database)
        asked = [add_probe(database, event, f"Whom to ask, {key} {n}?", key=f"{key}{n}") for n in range(probes)]
        run = add_run(database, asked, [make_configuration(effort=each) for each in (Effort.LOW, Effort.HIGH)])
        for number in range(2 * probes):
            add_answer(database, run, make_trajectory(f"Ask Ada Example, {key} {number}."))
        return int(run)


# -- logs that are loaded -------------------------------------------------------------------------------------


@dataclass
class LoadingLogs:
    """Two logs of ours and two of others are loaded; who is killed loads again. Each answer is there once."""

    probes: int = 40
    name: str = "loading logs"
    _right: dict[str, str] = field(default_factory=dict)

    def prepare(self, folder: Path) -> None:
        """Logs of a run over probes that the project has, and of one over others."""
        for key in ("p", "q"):
            source = folder / f"source-{key}.btc"
            run = add_answered_run(source, self.probes, key)
            with Database.open(source) as database:
                export_log(database, RunId(run), folder / "logs" / f"{key}.eval", Progress())
                self._right |= _answers(database)
        with Database.create(folder / "probes.btc") as database, database.write():
            event = add_event(database)
            for number in range(self.probes):
                add_probe(database, event, f"Whom to ask, p {number}?", key=f"p{number}")

    def begin(self, folder: Path) -> None:
        """A project of probes that nobody has asked."""
        fresh(folder, "probes.btc")

    def work(self, folder: Path, tell: Tell) -> None:
        """Load all, telling how many of each log are in."""
        with Database.open(folder / PROJECT) as database:
            self._load(database, folder, tell)

    @staticmethod
    def _load(database: Database, folder: Path, tell: Tell) -> list[LogOutcome]:
        def told(outcome: LogOutcome) -> None:
            tell(outcome.report.new)

        return load_logs(database, [folder / "logs"], Progress(), author="tests", on_outcome=told)

    def moment(self, hand: random.Random, whole: float) -> Moment:
        """Mostly when the engine has started."""
        return Moment(0, whole * (0.5 + 0.5 * hand.random() if hand.random() < 0.8 else hand.random()))

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """What was told is there as it was written; loaded again, every answer is there once."""
        found = []
        with Database.open(folder / PROJECT) as database:
            before = _answers(database)
            if len(before) < sum(heard):
                found.append(f"{sum(heard)} answers were told, {len(before)} are kept")
            if not before.items() <= self._right.items():
                found.append("an answer is another than was written")
            reports = [outcome.report for outcome in self._load(database, folder, lambda _: None)]
            totals = Counter[str]()
            for each in reports:
                totals.update({"new": each.new, "known": each.known, "rejected": len(each.rejected)})
            if totals["known"] != len(before) or totals["rejected"]:
                found.append(f"{len(before)} answers were there, and loading again said {dict(totals)}")
            (rows,) = database.read().execute("SELECT count(*) FROM answer").fetchone()
            if _answers(database) != self._right or rows != len(self._right):
                found.append(f"{rows} answers at last instead of {len(self._right)}")
            (own,) = database.read().execute("SELECT count(*) FROM run_item WHERE probe_id IS NOT NULL").fetchone()
            if own != 2 * self.probes:
                found.append(f"{own} answers are of the project's probes")
            return found + errors_of(database)


def _answers(database: Database) -> dict[str, str]:
    store = AnswerStore(database)
    found = [store.trajectory(each) for each in store.ids()]
    return {each.uuid: each.answer for each in found}


SCENES = (Drawing, WritingLogs, LoadingLogs)
