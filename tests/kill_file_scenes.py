"""Work on files that is killed at random moments (see `tests/killing.py`): exports, figures, Inspect's logs."""

from __future__ import annotations

import random
import shutil
import zipfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from btc_gui.domain.case_card import CardSheet
from btc_gui.domain.configuration import ConfigurationId, Effort
from btc_gui.domain.figures.catalogue import figures_of
from btc_gui.domain.figures.figure import Figure
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.results import results_of
from btc_gui.domain.review import Action
from btc_gui.domain.run import RunId
from btc_gui.domain.study import StudyId
from btc_gui.exports.case_card import write_cards
from btc_gui.exports.figures import write_figures
from btc_gui.exports.release import write_release
from btc_gui.exports.results import write_results
from btc_gui.exports.study import write_study
from btc_gui.jobs.export_log import export_log
from btc_gui.jobs.freeze_release import freeze_release
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.load_logs import LogOutcome, load_logs
from btc_gui.jobs.read_results import read_results
from btc_gui.jobs.study_report import study_report
from btc_gui.progress import Progress
from btc_gui.sessions.case_cards import case_cards
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe
from tests.kill_scenes import PROJECT, errors_of, fresh
from tests.killing import Life, Moment, Tell, Told, tell_of_files
from tests.result_builders import make_head, make_pairs, make_record
from tests.run_builders import add_answer, add_run, make_configuration, make_trajectory
from tests.study_builders import add_judged, add_locked_study, issue, make_categories, make_design, unblinded_study

RELEASE = "spring"

# -- exporting ------------------------------------------------------------------------------------------------


@dataclass
class Exporting:
    """Results, a study's report, cards and a release over older files, a packet, a copy.

    Each file is whole, the old one, or absent.
    """

    pictures: tuple[str, ...] = ("svg",)
    name: str = "exporting"
    _study: int = 0

    def prepare(self, folder: Path) -> None:
        """A project with judged answers, an unblinded study and a release; its files; another with a locked study."""
        with Database.create(folder / "judged.btc") as database:
            add_judged(database)
            database.copy(folder / "study.btc")
            self._study = unblinded_study(database, folder / "came back")
            release_one_pair(database)
            self._write(database, folder / "right")
        with Database.open(folder / "study.btc") as database:
            add_locked_study(database, make_design(2, 2))

    def _write(self, database: Database, folder: Path) -> None:
        study, categories = StudyId(self._study), make_categories()
        write_results(read_results(database, Progress()), folder)
        with patch("btc_gui.exports.study.PICTURES", self.pictures):
            write_study(study_report(database, study, Progress(), categories), folder)
        made = case_cards(database, categories, AnswerStore(database).ids(), Progress())
        write_cards(CardSheet(made.cards, "Cards"), folder, "cards")
        write_release(database, RELEASE, folder)

    def begin(self, folder: Path) -> None:
        """Old files, and a study whose packet nobody has."""
        fresh(folder, "study.btc")
        for name in ("out", "packets"):
            shutil.rmtree(folder / name, ignore_errors=True)
        for each in folder.glob("*copy.btc*"):
            each.unlink()
        (folder / "out").mkdir()
        for number, path in enumerate(sorted((folder / "right").iterdir())):
            if number % 2:
                (folder / "out" / path.name).write_text("old")

    def work(self, folder: Path, tell: Tell) -> None:
        """All files, a packet, a copy, telling of each that it is about to be there."""
        tell_of_files(tell, folder)
        with Database.open(folder / "judged.btc") as database:
            self._write(database, folder / "out")
        tell("files")
        with Database.open(folder / PROJECT) as database:
            issue(database, StudyId(self._study), folder / "packets")
            tell("packet")
            database.copy(folder / "copy.btc")
        tell("copy")

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """Amid the files, and every third time between the last of them, the packet and the copy."""
        moment = whole.amid(hand)
        return replace(moment, told=len(whole.heard) - hand.randint(0, 4)) if hand.random() < 0.3 else moment

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """Whole files or none; a packet that is there is known, one that is not can be written; then all is right."""
        found = [
            f"{path.name} is half written"
            for path in (folder / "out").iterdir()
            if not path.name.startswith(".") and path.read_bytes() not in (self._right(folder, path.name), b"old")
        ]
        # Of the files that came to their places, the last may not have got there.
        coming = [each[1] for each in heard if isinstance(each, tuple) and (folder / "right" / each[1]).exists()]
        told = [each.name for each in (folder / "right").iterdir()] if "files" in heard else coming[:-1]
        found += [f"{name} is missing" for name in told if not self._is_right(folder, name)]
        copy = folder / "copy.btc"
        if copy.exists() or "copy" in heard:
            with Database.open(copy) as database:
                found += errors_of(database)
        with Database.open(folder / PROJECT) as database:
            packets = sorted((folder / "packets").glob("*.btcp"))
            for path in packets:
                with PacketFile.open(path, to_label=False) as packet:
                    if len(packet.outline().entries) != 4:
                        found.append(f"{path.name} has not all items")
            known = PacketStore(database).of_study(StudyId(self._study))
            if ("packet" in heard and not known) or len(packets) < len(known):
                found.append(f"{len(known)} packets are known, {len(packets)} written, after {heard}")
            found += errors_of(database)
            again = issue_packet(
                database,
                StudyId(self._study),
                "PK",
                folder / "packets",
                make_categories(),
                "tests",
                Progress(),
                again=bool(known),
            )
            with PacketFile.open(again, to_label=False) as packet:
                packet.outline()
        with Database.open(folder / "judged.btc") as database:
            self._write(database, folder / "out")
        wrong = [each.name for each in (folder / "right").iterdir() if not self._is_right(folder, each.name)]
        left = [each.name for each in (folder / "out").iterdir() if each.name.startswith(".")]
        return found + [f"{name} is not right at last" for name in wrong] + [f"{name} was left behind" for name in left]

    def _is_right(self, folder: Path, name: str) -> bool:
        path = folder / "out" / name
        return path.exists() and path.read_bytes() == self._right(folder, name)

    @staticmethod
    def _right(folder: Path, name: str) -> bytes:
        path = folder / "right" / name
        return path.read_bytes() if path.exists() else b"there is no such file"


def release_one_pair(database: Database) -> None:
    """An event with an indirect probe and its pair, accepted and released."""
    event = add_event(database, entity="Ada Released")
    indirect = add_probe(database, event, "Whom to invite to the autumn lectures?", key="released")
    direct = add_probe(database, event, "Is Ada Released alive?", ProbeKind.DIRECT, key="released/direct")
    for probe in (indirect, direct):
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    freeze_release(database, make_categories(), RELEASE, "tests", Progress())


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
        """Draw all, telling of each file that it is about to be there."""
        tell_of_files(tell, folder)
        write_figures(_figures(), folder / "out")
        tell("figures")

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """Amid the files, and every fifth time before the first."""
        return whole.anywhere(hand) if hand.random() < 0.2 else whole.amid(hand)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """Whole files; drawn again, all are right and nothing is left behind."""
        right = {path.name: path.read_bytes() for path in (folder / "right").iterdir()}
        there = _whole_files(folder / "out")
        found = [f"{name} is half written" for name, data in there.items() if data not in (right.get(name), b"old")]
        # Of the files that came to their places, the last may not have got there.
        told = right.keys() if "figures" in heard else {name for _, name in heard[:-1]}
        found += [f"{name} was told, and is not there" for name in told if there.get(name) != right[name]]
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

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """Mostly when the engine has started."""
        return Moment(0, whole.seconds * (0.6 + 0.4 * hand.random() if hand.random() < 0.7 else hand.random()))

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

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """Mostly when the engine has started."""
        return Moment(0, whole.seconds * (0.5 + 0.5 * hand.random() if hand.random() < 0.8 else hand.random()))

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


SCENES = (Exporting, Drawing, WritingLogs, LoadingLogs)
