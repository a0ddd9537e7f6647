"""Work that asks services and is killed at random moments (see `tests/killing.py`).

Collecting, having probes written, judging.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import threading
import time
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from unittest.mock import patch

from btc_gui import paths
from btc_gui.domain.category import installed_categories, load_categories
from btc_gui.domain.trajectory import Usage
from btc_gui.jobs.collect_events import CollectionOutcome, collect_events, question_of
from btc_gui.jobs.generate_probes import generate_probes
from btc_gui.jobs.generation_plan import choose_events
from btc_gui.jobs.judge import judge
from btc_gui.progress import Progress
from btc_gui.remote.language_model import ModelReply, ModelRequest, Wait
from btc_gui.settings import Settings
from btc_gui.store.candidates import CandidateStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.own_categories import keep_categories
from btc_gui.store.verdicts import VerdictStore
from tests.builders import add_event, add_probe
from tests.fakes.gemini import written
from tests.fakes.patience import Impatient
from tests.fakes.service_faults import FaultyServer
from tests.fakes.wdqs import QueryWorld, wdqs
from tests.fakes.world import make_world
from tests.kill_scenes import PROJECT, count, errors_of, fresh
from tests.killing import Life, Moment, Tell, Told, own_folders
from tests.run_builders import add_answer, add_run, make_trajectory

# -- collecting -----------------------------------------------------------------------------------------------

_FIRST = date(2026, 2, 1)


class _Telling(Impatient):
    """Tells how much is done."""

    def __init__(self, tell: Tell) -> None:
        super().__init__()
        self._tell = tell

    def tell(self, done: int, total: int, text: str = "") -> None:
        if total:
            self._tell(done)


@dataclass
class Collecting:
    """Ends of terms are collected, day by day and then in batches; who is killed goes on with what is missing."""

    people: int = 40
    days: int = 20
    name: str = "collecting"
    _address: str = ""
    _right: list[str] = field(default_factory=list)
    _server: FaultyServer | None = None

    def __getstate__(self) -> dict[str, object]:
        """The service stays with the parent: it lives on when its client dies."""
        return {**self.__dict__, "_server": None}

    def prepare(self, folder: Path) -> None:
        """A service, an empty project, and what a collection in peace finds."""
        self._server = wdqs(QueryWorld(make_world(0, self.people, _FIRST, self.days).tables())).__enter__()
        self._address = f"{self._server.address}/sparql"
        Database.create(folder / "empty.btc").close()
        self.begin(folder)
        with Database.open(folder / PROJECT) as database:
            self._collect(database, Impatient())
            self._right = _events(database)
        assert len(self._right) == self.people

    def close(self) -> None:
        """Stop the service."""
        assert self._server is not None
        self._server.__exit__(None, None, None)

    def begin(self, folder: Path) -> None:
        """An empty project, and a service that was asked nothing."""
        assert self._server is not None
        fresh(folder, "empty.btc")
        self._server.forget()

    def work(self, folder: Path, tell: Tell) -> None:
        """Collect, telling how many answers are stored, and that it is done."""
        with Database.open(folder / PROJECT) as database:
            self._collect(database, _Telling(tell))
        tell("collected")

    def _collect(self, database: Database, progress: Progress) -> CollectionOutcome:
        category = load_categories(paths.resources() / "categories")["tenure"]
        settings = Settings(operator_contact="curator@example.org", services={"wdqs": self._address})
        question = question_of(category, _FIRST, _FIRST + timedelta(days=self.days - 1), settings)
        return collect_events(database, category, question, settings, progress, author="tests")

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """At any moment."""
        return whole.anywhere(hand)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """All events or none; going on asks for nothing that was told to be stored, and finds each event once."""
        assert self._server is not None
        found = []
        with Database.open(folder / PROJECT) as database:
            events = _events(database)
            if events not in ([], self._right) or ("collected" in heard and not events):
                found.append(f"{len(events)} of {len(self._right)} events, after {heard[-1:]}")
            asked = self._texts()
            self._server.forget()
            outcome = self._collect(database, Impatient())
            twice = len([text for text in self._texts() if text in asked])
            # The one that was under way, and the date of the data, which is asked for first.
            if twice > 2:
                found.append(f"{twice} questions were asked again")
            if _events(database) != self._right:
                found.append(f"{len(_events(database))} of {len(self._right)} events at last")
            if outcome.funnel.kept != len(self._right):
                found.append(f"the funnel has {outcome.funnel.kept} events")
            candidates = CandidateStore(database)
            nowhere = [each for each in EventStore(database).ids() if candidates.provenance(each) is None]
            found += [f"event {each} does not say where it comes from" for each in nowhere]
            return found + errors_of(database)

    def _texts(self) -> list[str]:
        assert self._server is not None
        return [asked.form.get("query", "") for asked in list(self._server.asked)]


def _events(database: Database) -> list[str]:
    facts = [each for _, each in EventStore(database).all_facts()]
    return sorted(f"{each.qid} {each.entity} {each.position} {each.date.iso}" for each in facts)


# -- judging --------------------------------------------------------------------------------------------------

_JUDGE = "judge-1"
_AT_ONCE = 4


class _PaidJudge:
    """A judge that takes a moment, notes in a file what it was paid for, and tells how many verdicts are saved."""

    name = _JUDGE

    def __init__(self, bills: Path, database: Database | None, tell: Tell) -> None:
        self._bills, self._database, self._tell = bills, database, tell
        self._lock = threading.Lock()

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        with self._lock:
            with self._bills.open("a", encoding="utf-8") as file:
                file.write(f"{request.subject}\n")
            if self._database is not None:
                self._tell(count(self._database, "verdict"))
        wait(0.01)
        text = json.dumps({"rationale": "It is named.", "names_entity": True, "label": "incorrect"})
        return ModelReply(text, Usage(input=100, output=10), 0.001, 0.01)


@dataclass
class Judging:
    """A judge is asked about many answers; who is killed has kept each verdict, and pays for few again."""

    answers: int = 160
    name: str = "judging"

    def prepare(self, folder: Path) -> None:
        """A project of answers that nobody has judged."""
        with Database.create(folder / "answered.btc") as database, database.write():
            event = add_event(database)
            probes = [add_probe(database, event, f"Whom to ask, {n}?", key=f"p{n}") for n in range(self.answers)]
            run = add_run(database, probes)
            for number in range(self.answers):
                add_answer(database, run, make_trajectory(f"Ask Ada Example, {number}."))

    def begin(self, folder: Path) -> None:
        """Nothing judged, nothing paid."""
        fresh(folder, "answered.btc")
        (folder / "bills.txt").write_text("")

    def work(self, folder: Path, tell: Tell) -> None:
        """Judge all, telling how many verdicts are saved."""
        with Database.open(folder / PROJECT) as database:
            self._judge(database, folder, tell, database)
        tell(self.answers)

    @staticmethod
    def _judge(database: Database, folder: Path, tell: Tell, watched: Database | None = None) -> None:
        model = _PaidJudge(folder / "bills.txt", watched, tell)
        categories = load_categories(paths.resources() / "categories")
        judge(database, model, categories, Progress(), at_once=_AT_ONCE)

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """At any moment."""
        return whole.anywhere(hand)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """What was told is there; what was paid for and isn't was under way; at last all have one verdict and call."""
        found = []
        with Database.open(folder / PROJECT) as database:
            kept, paid = count(database, "verdict"), len(_lines(folder / "bills.txt"))
            if kept < max(heard, default=0):
                found.append(f"{max(heard)} verdicts were told, {kept} are kept")
            if count(database, "model_call") != kept:
                found.append(f"{count(database, 'model_call')} calls for {kept} verdicts")
            if paid - kept > _AT_ONCE:
                found.append(f"{paid - kept} replies that were paid for are lost")
            self._judge(database, folder, lambda _: None)
            verdicts = VerdictStore(database).counting(VerdictStore(database).judgeable(None))
            counts = {each: count(database, each) for each in ("verdict", "model_call")}
            if len(verdicts) != self.answers or set(counts.values()) != {self.answers}:
                found.append(f"{len(verdicts)} answers have a verdict at last, of {counts}")
            again = len(_lines(folder / "bills.txt")) - self.answers
            if again > _AT_ONCE:
                found.append(f"{again} were paid for twice")
            return found + errors_of(database)


# -- having probes written --------------------------------------------------------------------------------------------

_OWN = "mastery"
_A_REPLY = 5


class _PaidWriter:
    """A writer that takes a moment, notes in a file what it was paid for, and tells how many probes are saved."""

    name = "writer-1"

    def __init__(self, bills: Path, database: Database, tell: Tell) -> None:
        self._bills, self._database, self._tell = bills, database, tell
        self._lock = threading.Lock()

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        with self._lock:
            with self._bills.open("a", encoding="utf-8") as file:
                file.write(f"{request.subject}\n")
            asked = len(self._bills.read_text(encoding="utf-8").splitlines())
            self._tell(count(self._database, "probe"))
        wait(0.02)
        text = json.dumps({"probes": written(_A_REPLY, _A_REPLY * asked)})
        return ModelReply(text, Usage(input=100, output=10), 0.001, 0.01)


@dataclass
class Generating:
    """Probes are written for events of somebody's own category, whose files the project keeps."""

    events: int = 40
    name: str = "generating"
    _files: str = ""

    def prepare(self, folder: Path) -> None:
        """The category in the person's folder, and a project of its events."""
        with patch.dict(os.environ, own_folders(folder)):
            shutil.copytree(paths.resources() / "categories" / "demise", paths.own_categories() / _OWN)
            with Database.create(folder / "events.btc") as database:
                for number in range(self.events):
                    add_event(database, entity=f"Ada {number}", qid=f"Q{number + 1}", category=_OWN)
                keep_categories(database)
                self._files = self._kept(database)
                # What the process that is killed has to keep first.
                with database.write() as connection:
                    connection.execute("DELETE FROM project WHERE key LIKE 'category%'")
        assert len(self._files) > 10_000

    @staticmethod
    def _kept(database: Database) -> str:
        """The category's files in the project, with their hash."""
        rows = database.read().execute("SELECT value FROM project WHERE key LIKE 'category%' ORDER BY key")
        return "".join(row[0] for row in rows)

    def begin(self, folder: Path) -> None:
        """Nothing written, nothing paid."""
        fresh(folder, "events.btc")
        (folder / "bills.txt").write_text("")

    def work(self, folder: Path, tell: Tell) -> None:
        """Have all written, telling how many probes are saved."""
        with Database.open(folder / PROJECT) as database:
            self._generate(database, folder, tell)
        tell(self.events * _A_REPLY)

    @staticmethod
    def _generate(database: Database, folder: Path, tell: Tell) -> None:
        model = _PaidWriter(folder / "bills.txt", database, tell)
        targets = choose_events(database, None).targets
        categories = installed_categories()
        generate_probes(
            database,
            model,
            categories,
            targets,
            Progress(),
            author="tests",
            at_once=_AT_ONCE,
            without_context=True,
        )

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """At any moment."""
        return whole.anywhere(hand)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """What was told is there, of each reply all or nothing; going on pays for what was under way, and no more."""
        found = []
        with patch.dict(os.environ, own_folders(folder)), Database.open(folder / PROJECT) as database:
            kept, paid = count(database, "probe"), len(_lines(folder / "bills.txt"))
            if kept < max(heard, default=0) or kept % _A_REPLY:
                found.append(f"{max(heard, default=0)} probes were told, {kept} are kept")
            if count(database, "generation") * _A_REPLY != kept:
                found.append(f"{count(database, 'generation')} replies for {kept} probes")
            if paid - kept // _A_REPLY > _AT_ONCE:
                found.append(f"{paid} replies were paid for, for {kept} probes")
            if (files := self._kept(database)) != self._files and (files or heard):
                found.append(f"{len(files)} of {len(self._files)} characters of the category are kept")
            self._generate(database, folder, lambda _: None)
            probes, again = count(database, "probe"), len(_lines(folder / "bills.txt")) - self.events
            if probes != self.events * _A_REPLY or again > _AT_ONCE:
                found.append(f"{probes} probes at last, {again} replies paid for twice")
            if self._kept(database) != self._files:
                found.append("the category is not kept at last")
            return found + errors_of(database)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


SCENES = (Collecting, Generating, Judging)
