"""Work that is killed at random moments (see `tests/killing.py`): loading, reviewing, migrating."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from sqlite_utils import Database as SqliteUtilsDatabase

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.probe import ProbeId, ProbeText
from btc_gui.domain.review import Action
from btc_gui.jobs.check_project import ERROR, check_project
from btc_gui.jobs.load_events import load_events
from btc_gui.jobs.load_probes import load_probes
from btc_gui.progress import Progress
from btc_gui.sessions.review_queue import Queue, QueueKind
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store import loads
from btc_gui.store.database import SCHEMA_VERSION, Database
from btc_gui.store.events import EventStore
from btc_gui.store.migrations import migrations
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.project_file import APPLICATION_ID
from tests.builders import add_event, add_probe
from tests.killing import Life, Moment, Tell, Told, tell_of_files

PROJECT = "a.btc"


def fresh(folder: Path, original: str) -> None:
    """Put the prepared project in place of what a life has left."""
    for each in folder.glob("a.*"):
        each.unlink()
    for each in folder.glob(".a.*"):
        each.unlink()
    shutil.copy(folder / original, folder / PROJECT)


def errors_of(database: Database) -> list[str]:
    """What the check of a project calls an error."""
    return [f"check: {each.text}" for each in check_project(database, Progress()) if each.severity == ERROR]


def count(database: Database, table: str) -> int:
    """How many rows a table has."""
    return int(database.read().execute(f"SELECT count(*) FROM {table}").fetchone()[0])


# -- loading --------------------------------------------------------------------------------------------------


@dataclass
class Loading:
    """Events and probes are loaded; then both once more by somebody who saw no report. All of it is there, once."""

    events: int = 300
    probes: int = 600
    name: str = "loading"

    def prepare(self, folder: Path) -> None:
        """Two files and an empty project."""
        with (folder / "events.csv").open("w", encoding="utf-8") as file:
            file.write("category,entity,date,qid\n")
            for number in range(self.events):
                file.write(f"demise,Person {number},2026-05-{number % 28 + 1:02},Q{number + 100}\n")
        with (folder / "probes.jsonl").open("w", encoding="utf-8") as file:
            for number in range(self.probes):
                qid = f"Q{number % self.events + 100}"
                file.write(json.dumps({"qid": qid, "kind": "indirect", "text": f"Whom to invite, {number}?"}) + "\n")
        Database.create(folder / "empty.btc").close()
        # Who was killed is dead: the next one needn't wait to see.
        loads._DEAD_AFTER_SECONDS = 0.3

    def begin(self, folder: Path) -> None:
        """An empty project."""
        fresh(folder, "empty.btc")

    def work(self, folder: Path, tell: Tell) -> None:
        """Load one after the other, telling that it is done."""
        with Database.open(folder / PROJECT) as database:
            self._load(database, folder, tell)

    def _load(self, database: Database, folder: Path, tell: Tell) -> None:
        categories = load_categories(paths.resources() / "categories")
        load_events(database, folder / "events.csv", categories, Progress(), author="tests")
        tell("events")
        load_probes(database, folder / "probes.jsonl", Progress(), author="tests")
        tell("probes")

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """At any moment."""
        return whole.anywhere(hand)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """All of a file or nothing; and everything once after loading again."""
        found = []
        with Database.open(folder / PROJECT) as database:
            found += database.integrity_problems()
            for what, count, whole in self._counts(database):
                if count not in (0, whole) or (what in heard and count != whole):
                    found.append(f"{count} of {whole} {what} count, after {heard}")
            self._load(database, folder, lambda _: None)
            found += [
                f"{count} of {whole} {what} at last" for what, count, whole in self._counts(database) if count != whole
            ]
            for table, whole in (("event", self.events), ("probe", self.probes)):
                (count,) = database.read().execute(f"SELECT count(*) FROM {table}").fetchone()
                if count != whole:
                    found.append(f"{count} rows of {table} instead of {whole}")
            return found + errors_of(database)

    def _counts(self, database: Database) -> list[tuple[str, int, int]]:
        return [
            ("events", len(EventStore(database).ids()), self.events),
            ("probes", len(ProbeStore(database).ids(ProbeQuery())), self.probes),
        ]


# -- reviewing ------------------------------------------------------------------------------------------------


@dataclass
class Reviewing:
    """A curator decides, edits, notes and takes back, life after life on the same project."""

    probes: int = 40
    name: str = "reviewing"
    is_measured: bool = False
    _lives: int = 0
    _known: dict[int, list[str]] = field(default_factory=dict)
    _rows: int = 0

    def prepare(self, folder: Path) -> None:
        """A project with probes that nobody has decided on."""
        with Database.create(folder / PROJECT) as database:
            event = add_event(database)
            for number in range(self.probes):
                probe = add_probe(database, event, f"Whom to invite, number {number}?", key=f"p{number}")
                self._known[probe.id] = [probe.status, probe.text]

    def begin(self, folder: Path) -> None:
        """Another life, with other decisions."""
        self._lives += 1

    def work(self, folder: Path, tell: Tell) -> None:
        """Act, and tell how the probe stands and how many decisions there are. It ends when it is killed, or soon."""
        hand = random.Random(f"life {self._lives}")
        with Database.open(folder / PROJECT) as database:
            session = ReviewSession(database, {}, "ann")
            session.start(Queue(QueueKind.ALL))
            for number in range(60):
                probe_id = self._act(session, hand, number)
                if probe_id is None:
                    continue
                probe = ProbeStore(database).get(probe_id)
                (rows,) = database.read().execute("SELECT count(*) FROM decision").fetchone()
                tell((int(probe_id), probe.status, probe.text, rows, session.note_draft(probe_id)))

    def _act(self, session: ReviewSession, hand: random.Random, number: int) -> ProbeId | None:
        session.show(hand.choice(session.ids))
        item = session.item()
        assert item is not None
        seen = item.probe
        choice = hand.randrange(7)
        if choice == 0:
            session.decide(seen, Action.REJECT, reasons=["mentions_change"])
        elif choice == 1:
            session.decide(seen, Action.EDIT, edited=ProbeText(f"Whom to ask, {self._lives} {number}?"))
        elif choice == 2:
            session.keep_note(seen.id, f"half a note {self._lives} {number}")
        elif choice == 3:
            taken_back = session.undo()
            return None if taken_back is None else taken_back.probe_id
        else:
            session.decide(seen, (Action.ACCEPT, Action.DEFER, Action.FLAG)[choice - 4])
        return seen.id

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """After some decisions, somewhere in the next ones."""
        return Moment(hand.randint(0, 12), hand.random() * 0.15)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """Every decision that was told is there, at most one more is, and all probes stand as they were told."""
        found = []
        notes: dict[int, str] = {}
        told_rows = self._rows
        for probe_id, status, text, rows, note in heard:
            self._known[probe_id] = [status, text]
            notes[probe_id], told_rows = note, rows
        with Database.open(folder / PROJECT) as database:
            log = [row[0] for row in database.read().execute("SELECT probe_id FROM decision ORDER BY id")]
            surplus = log[told_rows:]
            if len(log) < told_rows or len(surplus) > 1:
                found.append(f"{told_rows} decisions were told, {len(log)} are kept")
            session = ReviewSession(database, {}, "ann")
            for probe in ProbeStore(database).fetch([ProbeId(each) for each in self._known]).values():
                if probe.id in surplus:
                    self._known[probe.id] = [probe.status, probe.text]
                elif [probe.status, probe.text] != self._known[probe.id]:
                    found.append(f"probe {probe.id} is {probe.status} “{probe.text}”, told {self._known[probe.id]}")
                elif probe.id in notes and not session.note_draft(probe.id).startswith(notes[probe.id][:11]):
                    found.append(f"probe {probe.id} lost “{notes[probe.id]}”")
            self._rows = len(log)
            return found + errors_of(database)


# -- migrating ------------------------------------------------------------------------------------------------


@dataclass
class Migrating:
    """An older project is opened: it is the old one or the new one, and every copy of it beside it is whole."""

    rows: int = 4_000
    name: str = "migrating"
    _right: dict[str, int] = field(default_factory=dict)

    def prepare(self, folder: Path) -> None:
        """A project as the tenth version of its schema had it, with a run of many items."""
        with closing(SqliteUtilsDatabase(folder / "old.btc")) as old:
            old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrations().apply(old, stop_before="m010_logs_of_others")
            with old.atomic():
                old.execute(
                    "INSERT INTO configuration (id, identity, model, harness, effort) "
                    "VALUES (1, 'x', 'M', 'none', 'high')"
                )
                old.execute(
                    "INSERT INTO run (id, name, purpose, recipe, created_by, created_at) "
                    "VALUES (1, 'R', 'import', ?, 'me', '2026-05-09T10:00:00.000+00:00')",
                    ('{"current_date": "2026-05-09", "provider": "scripted"}',),
                )
                old.conn.executemany(
                    "INSERT INTO run_item (run_id, configuration_id, sample) VALUES (1, 1, ?)",
                    [(f"s{number}",) for number in range(self.rows)],
                )
                old.conn.executemany(
                    "INSERT INTO body (sha256, characters, encoding, content) VALUES (?, 9, 'utf8', x'00')",
                    [(f"{number:064}",) for number in range(self.rows)],
                )
            # A person's own parts are set aside while ours change.
            old.execute("CREATE TABLE mine (n INTEGER)")
            old.execute(
                "CREATE VIEW my_items AS SELECT sample, length(sample) AS n FROM run_item JOIN run ON run.id = 1"
            )
            old.execute("PRAGMA user_version = 9")
        shutil.copy(folder / "old.btc", folder / PROJECT)
        Database.open(folder / PROJECT).close()
        self._right = _sizes(folder / PROJECT)

    def begin(self, folder: Path) -> None:
        """The old project, with no copy beside it."""
        fresh(folder, "old.btc")

    def work(self, folder: Path, tell: Tell) -> None:
        """Open it, telling of the copy and of each step that it begins."""
        tell_of_files(tell, folder)
        atomic = SqliteUtilsDatabase.atomic

        def telling(database: SqliteUtilsDatabase) -> AbstractContextManager[SqliteUtilsDatabase]:
            tell("step")
            return atomic(database)

        with patch.object(SqliteUtilsDatabase, "atomic", telling):
            Database.open(folder / PROJECT).close()
        tell("open")

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """Amid the steps, and every fifth time before the first."""
        return whole.anywhere(hand) if hand.random() < 0.2 else whole.amid(hand)

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """Old or new, never between; opening it again ends the migration, with all rows there once."""
        with closing(sqlite3.connect(folder / PROJECT)) as looked_at:
            (version,) = looked_at.execute("PRAGMA user_version").fetchone()
            (steps,) = looked_at.execute("SELECT count(*) FROM _sqlite_migrations").fetchone()
        found = []
        if (version, steps) not in ((9, 9), (SCHEMA_VERSION, SCHEMA_VERSION)) or ("open" in heard and version == 9):
            found.append(f"version {version} after {steps} steps, told {heard}")
        with Database.open(folder / PROJECT) as database:
            found += database.integrity_problems()
            (seen,) = database.read().execute("SELECT count(*) FROM my_items").fetchone()
            if seen != self.rows or sorted(database.added_parts()) != [("table", "mine"), ("view", "my_items")]:
                found.append(f"of a person's own there is {database.added_parts()}, with {seen} rows")
        if _sizes(folder / PROJECT) != self._right:
            found.append(f"other rows than a migration in peace leaves: {_sizes(folder / PROJECT)}")
        copies = [each for each in folder.glob("a.*.btc") if each.name != PROJECT]
        if not copies:
            found.append("no copy was made")
        for copy in copies:
            with closing(sqlite3.connect(copy)) as old:
                whole = old.execute("SELECT count(*) FROM run_item").fetchone()[0] == self.rows
                if not whole or old.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                    found.append(f"{copy.name} is not whole")
        return found


def _sizes(path: Path) -> dict[str, int]:
    """How many rows each table has."""
    with closing(sqlite3.connect(path)) as file:
        names = [row[0] for row in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: file.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


SCENES = (Loading, Reviewing, Migrating)
