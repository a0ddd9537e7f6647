"""Collecting: every answer is kept, nothing is decided on a part of them, and a stopped collection goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.collection import Question
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.dates import EventDate
from btc_gui.domain.load_report import LoadReport
from btc_gui.errors import InputError, ProjectError, ServiceError, SettingsError
from btc_gui.jobs.collect_events import CollectionOutcome, collect_events, foresee_collection, question_of
from btc_gui.progress import Cancelled, Progress
from btc_gui.remote.http import RefusedError, ServicePausedError
from btc_gui.settings import Settings
from btc_gui.store.candidates import CandidateQuery, CandidateStore
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.loads import LoadStore
from btc_gui.store.movements import MovementStore
from tests.builders import add_event, make_facts
from tests.fakes.patience import Impatient
from tests.fakes.service_faults import FaultyServer
from tests.fakes.wdqs import QueryWorld, wdqs
from tests.fakes.world import World, make_world

FIRST, LAST = date(2026, 2, 1), date(2026, 2, 10)


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def world() -> World:
    return make_world(20, 12, FIRST, 10)


@pytest.fixture
def queries(world: World) -> QueryWorld:
    return QueryWorld(world.tables())


@pytest.fixture
def server(queries: QueryWorld) -> Iterator[FaultyServer]:
    with wdqs(queries) as made:
        yield made


@pytest.fixture
def settings(server: FaultyServer) -> Settings:
    return Settings(operator_contact="curator@example.org", services={"wdqs": f"{server.address}/sparql"})


class Collecting:
    """Collects one category in one project."""

    def __init__(self, database: Database, category: Category, settings: Settings) -> None:
        self.database, self.category, self.settings = database, category, settings

    @property
    def question(self) -> Question:
        return question_of(self.category, FIRST, LAST, self.settings)

    def go(self, progress: Progress | None = None, again: bool = False) -> CollectionOutcome:
        return collect_events(
            self.database,
            self.category,
            self.question,
            self.settings,
            progress or Impatient(),
            author="mara",
            again=again,
        )


@pytest.fixture
def demises(database: Database, categories: dict[str, Category], settings: Settings) -> Collecting:
    return Collecting(database, categories["demise"], settings)


@pytest.fixture
def tenures(database: Database, categories: dict[str, Category], settings: Settings) -> Collecting:
    return Collecting(database, categories["tenure"], settings)


def test_a_collection_gives_events_with_provenance(demises: Collecting, database: Database) -> None:
    """One slice a day, batches after them, events with statement, rank and the service's own date."""
    outcome = demises.go()
    assert (outcome.funnel.read, outcome.funnel.kept, outcome.new) == (20, 20, 20)
    assert outcome.collection.data_date == "2026-11-30T01:00:00Z"
    assert outcome.collection.completed_at
    ids = EventStore(database).ids()
    facts = EventStore(database).get(ids[0]).facts
    assert (facts.entity, facts.qid, facts.date.iso) == ("Ada Ambrus", "Q1000", "2026-02-01")
    assert facts.article == "Ada Ambrus"
    provenance = CandidateStore(database).provenance(ids[0])
    assert provenance is not None
    assert provenance.statement == "Q1000$10000000-0000-4000-8000-000000001000"
    assert provenance.rank == "normal"
    assert provenance.collection.question.service == "wdqs"


def test_tenures_need_their_follow_ups(tenures: Collecting, world: World, database: Database) -> None:
    """Who holds the office again, or died in it, is dropped with a reason; every number adds up."""
    world.left[0].again = "2026-02-03"
    world.left[1].died = world.left[1].end
    tenures_world = QueryWorld(world.tables())
    with wdqs(tenures_world) as server:
        tenures.settings = Settings(operator_contact="a@example.org", services={"wdqs": f"{server.address}/sparql"})
        outcome = tenures.go()
    assert outcome.funnel.read == 12
    assert outcome.funnel.kept == 10
    assert outcome.funnel.dropped == 2
    assert sum(sum(counts.values()) for counts in outcome.reasons.values()) == 2
    store = CandidateStore(database)
    dropped = store.fetch(store.ids(CandidateQuery(outcome.collection.id, only_dropped=True)))
    assert {row.name for row in dropped.values()} == {world.left[0].name, world.left[1].name}
    assert all(row.reason for row in dropped.values())
    assert {row.position for row in dropped.values()} <= {"Mayor of Exampleton", "Minister of Bridges"}


@pytest.mark.parametrize("fault", ["forbidden", "prose"])
def test_a_refusal_of_the_first_request_ends_it(demises: Collecting, server: FaultyServer, fault: str) -> None:
    """It asks for the date of the data; nothing more is asked, and the same collection goes on later."""
    server.give_faults(fault)
    with pytest.raises(RefusedError, match=r"(?i)user-agent"):
        demises.go()
    assert len(server.asked) == 1
    assert demises.go().new == 20


def test_without_a_contact_nothing_is_asked_and_nothing_begun(demises: Collecting, server: FaultyServer) -> None:
    """The first thing that is looked at."""
    demises.settings = Settings(services=demises.settings.services)
    with pytest.raises(SettingsError, match="contact"):
        demises.go()
    assert server.asked == []
    assert CollectionStore(demises.database).all() == []


def test_the_same_again_asks_nothing(demises: Collecting, server: FaultyServer) -> None:
    """A complete collection gives what it came to; `again` asks anew and knows the events."""
    demises.go()
    asked = len(server.asked)
    stored = demises.go()
    assert stored.is_stored
    assert stored.funnel.kept == 20
    assert len(server.asked) == asked
    again = demises.go(again=True)
    assert (again.new, again.known) == (0, 20)
    assert len(server.asked) == 2 * asked
    assert len(EventStore(demises.database).ids()) == 20


def test_a_stopped_collection_asks_only_what_is_missing(demises: Collecting, server: FaultyServer) -> None:
    """A ban, three limits, a cancel: the answers so far stay, the same call goes on."""
    server.give_faults("ok", "ok", "ok", "limited", "limited", "limited")
    with pytest.raises(ServicePausedError):
        demises.go()
    assert EventStore(demises.database).ids() == []
    forecast = foresee_collection(demises.database, demises.category, demises.question)
    assert (forecast.stretches, forecast.answered, forecast.is_complete) == (10, 2, False)
    server.forget()
    outcome = demises.go()
    assert outcome.new == 20
    days = [form for asked in server.asked if "T00:00:00Z" in (form := asked.form["query"])]
    assert len(days) == 8
    assert len(CollectionStore(demises.database).all()) == 1


def test_a_cancelled_collection_leaves_no_half_written_events(demises: Collecting, server: FaultyServer) -> None:
    """Cancelling between two slices keeps the first one."""
    progress = Impatient()

    class Stopping(Impatient):
        def report(self, done: int, total: int, text: str = "") -> None:
            if done == 3:
                self.cancel()
            super().report(done, total, text)

    with pytest.raises(Cancelled):
        demises.go(Stopping())
    assert EventStore(demises.database).ids() == []
    server.forget()
    assert demises.go(progress).new == 20
    assert sum("T00:00:00Z" in asked.form["query"] for asked in server.asked) == 7


def test_a_day_that_times_out_is_asked_more_simply(demises: Collecting, queries: QueryWorld) -> None:
    """First in full, then without the optional parts; the names come with the follow-ups."""
    queries.slow_days = frozenset({"2026-02-03"})
    outcome = demises.go()
    assert outcome.funnel.kept == 20
    store = EventStore(demises.database)
    assert len({event.facts.entity for event in store.fetch(store.ids()).values()}) == 20
    assert all(event.facts.description for event in store.fetch(store.ids()).values())


def test_batches_that_time_out_are_halved(demises: Collecting, queries: QueryWorld) -> None:
    """As often as needed; nothing of the large ones is used."""
    queries.largest_batch = 6
    assert demises.go().funnel.kept == 20


@pytest.mark.parametrize("fault", ["cut", "out-of-time", "short"])
def test_a_cut_answer_is_never_used(demises: Collecting, server: FaultyServer, fault: str) -> None:
    """The day is asked again, and the result is that of whole answers."""
    server.give_faults("ok", fault)
    outcome = demises.go()
    assert outcome.funnel.read == 20
    parts = CollectionStore(demises.database).parts(outcome.collection.id)
    assert sum(outcome_ == "out_of_time" for outcome_ in parts.values()) == 1


def test_a_part_without_an_answer_ends_the_collection_undecided(demises: Collecting, server: FaultyServer) -> None:
    """Failed is not empty: the sentence names the day, and the next try asks for it alone."""
    server.give_faults("ok", "ok", "out-of-time", "out-of-time")
    with pytest.raises(ServiceError, match=r"ran out of time on 1 parts.*2 February 2026.*Nothing was decided"):
        demises.go()
    assert EventStore(demises.database).ids() == []
    server.forget()
    assert demises.go().new == 20
    assert sum("T00:00:00Z" in asked.form["query"] for asked in server.asked) == 1


def test_events_with_another_date_go_to_the_queue(demises: Collecting, database: Database) -> None:
    """A death that the project knows with another day is one death: nothing is added, somebody looks."""
    old = add_event(database, entity="Ada Ambrus", qid="Q1000", date="2026-02-02", note="Seen in print")
    outcome = demises.go()
    assert (outcome.new, outcome.moved) == (19, 1)
    store = MovementStore(database)
    found = store.fetch(store.open_ids())
    row = next(iter(found.values()))
    assert row.event_id == old
    assert row.now is not None
    assert (row.now.date.iso, row.now.note) == ("2026-02-01", "Seen in print")
    demises.go(again=True)
    assert len(store.open_ids()) == 1


class _Loading(Impatient):
    """Another window's load of one event, which is complete after a wait."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self.loads, self.said = LoadStore(database), list[str]()
        self.load = self.loads.start(LoadSubject.EVENTS, "own.csv", "hash", {}, self)
        with self.loads.batch(self.load) as connection:
            facts = make_facts("Ada Ambrus", date="2026-02-01", qid="Q1000")
            EventStore(database).add_many(connection, [facts], "ann", self.load)

    def tell(self, done: int, total: int, text: str = "") -> None:
        self.said.append(text)

    def wait(self, seconds: float) -> None:
        if self.said[-1:] == ["Waiting for own.csv, which is being loaded"]:
            self.loads.complete(self.load, LoadReport("own.csv", 1, 1, 0))
        super().wait(seconds)


def test_events_that_are_being_loaded_are_not_doubled(demises: Collecting, database: Database) -> None:
    """What a load brings can't be seen before it is complete: deciding waits for it."""
    loading = _Loading(database)
    outcome = demises.go(loading)
    assert (outcome.new, outcome.known, len(loading.waits)) == (19, 1, 1)
    assert len(EventStore(database).ids()) == 20


def test_a_load_that_ends_between_looking_and_writing_is_seen(database: Database) -> None:
    """The events' state moves when a load becomes complete, though no event is added then."""
    loading = _Loading(database)
    before = EventStore(database).state()
    loading.loads.complete(loading.load, LoadReport("own.csv", 1, 1, 0))
    assert EventStore(database).state() != before


def test_dropped_rows_can_be_put_back_with_a_note(demises: Collecting, world: World, database: Database) -> None:
    """Now and in later collections; without a note it is refused."""
    world.dead[4].precision = 10
    world.dead[5].rank = "Deprecated"
    with wdqs(QueryWorld(world.tables())) as server:
        demises.settings = Settings(operator_contact="a@example.org", services={"wdqs": f"{server.address}/sparql"})
        outcome = demises.go()
        store = CandidateStore(database)
        ids = store.ids(CandidateQuery(outcome.collection.id, only_dropped=True))
        assert len(ids) == 2
        row = next(row for row in store.fetch(ids).values() if row.name == world.dead[4].name)
        assert row.can_be_put_back
        with pytest.raises(InputError, match="note"):
            store.put_back(row.id, " ", "mara")
        with pytest.raises(InputError, match="only as February 2026, and an event needs its day"):
            store.put_back(row.id, "The newspaper has the day", "mara")
        with pytest.raises(InputError, match="3 March 2026 does not lie in February 2026"):
            store.put_back(row.id, "The newspaper has the day", "mara", EventDate(2026, 3, 3))
        event_id = store.put_back(row.id, "The newspaper has the day", "mara", EventDate(2026, 2, 3))
        facts = EventStore(database).get(event_id).facts
        assert (facts.entity, facts.date.iso) == (world.dead[4].name, "2026-02-03")
        with pytest.raises(InputError, match="already"):
            store.put_back(row.id, "Once more", "mara")
        funnel = store.funnel(outcome.collection.id)
        assert (funnel.kept, funnel.put_back, funnel.events) == (outcome.funnel.kept, 1, outcome.funnel.kept + 1)
        assert len(store.ids(CandidateQuery(outcome.collection.id, only_kept=True))) == funnel.events
        again = demises.go(again=True)
    funnel = store.funnel(again.collection.id)
    assert (funnel.put_back, funnel.put_back_before, funnel.events) == (0, 1, again.funnel.kept)
    assert again.funnel.kept == outcome.funnel.kept + 1
    assert again.new == 0
    provenance = store.provenance(event_id)
    assert provenance is not None
    assert (provenance.note, provenance.author) == ("The newspaper has the day", "mara")
    store.withdraw_put_back(row.id, "mara")
    assert store.put_back_notes("demise") == {}
    assert store.funnel(outcome.collection.id).told == outcome.funnel.steps
    with pytest.raises(ProjectError, match="not put back"):
        store.withdraw_put_back(row.id, "mara")


def _hinted(server: FaultyServer) -> bool:
    lines = [line for asked in server.asked for line in asked.form["query"].splitlines()]
    return any("hint:" in line for line in lines if not line.startswith("#"))


def test_qlever_is_asked_without_the_hint(demises: Collecting, server: FaultyServer) -> None:
    """The same queries, but for what only the query service understands; each service is a collection of its own."""
    address = f"{server.address}/sparql"
    demises.settings = Settings(operator_contact="a@example.org", services={"qlever": address, "wdqs": address})
    demises.go()
    assert _hinted(server)
    server.forget()
    demises.settings = replace(demises.settings, query_service="qlever")
    assert (demises.go().new, demises.go().known) == (0, 20)
    assert server.asked
    assert not _hinted(server)


def test_decisions_can_be_made_again_without_asking(
    demises: Collecting, server: FaultyServer, database: Database
) -> None:
    """From the answers that are kept, by the rules of today; nobody has to say whom to write to."""
    first = demises.go()
    asked = len(server.asked)
    demises.settings = replace(demises.settings, operator_contact="")
    again = collect_events(
        database,
        demises.category,
        demises.question,
        demises.settings,
        Impatient(),
        author="mara",
        decide_again=True,
        overrides={"has_article": False},
    )
    assert again.collection.id == first.collection.id
    assert (again.new, again.known) == (0, 20)
    assert [step.name for step in again.funnel.steps] != [step.name for step in first.funnel.steps]
    assert len(server.asked) == asked
    assert CandidateStore(database).provenance(EventStore(database).ids()[0]) is not None


def test_without_complete_answers_there_is_nothing_to_decide_on_again(
    demises: Collecting, server: FaultyServer, database: Database
) -> None:
    """No collection begins by it."""
    with pytest.raises(InputError, match="no complete answers"):
        collect_events(
            database,
            demises.category,
            demises.question,
            demises.settings,
            Impatient(),
            author="mara",
            decide_again=True,
        )
    assert server.asked == []
    assert CollectionStore(database).all() == []


def test_two_windows_do_not_collect_the_same_at_once(demises: Collecting) -> None:
    """The second is told who does; a process that is gone holds nothing."""
    store = CollectionStore(demises.database)
    collection_id = store.start(demises.question, "mara")
    store.take(collection_id, "elsewhere:1")
    with pytest.raises(ProjectError, match="another window or terminal"):
        demises.go()
    store.release(collection_id, "elsewhere:1")
    assert demises.go().new == 20


_KILLED = """
import os, signal, sys
from datetime import date
from pathlib import Path
from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.jobs.collect_events import collect_events, question_of
from btc_gui.progress import Progress, Report
from btc_gui.settings import Settings
from btc_gui.store.database import Database

def told(report: Report) -> None:
    if report.done == 4:
        os.kill(os.getpid(), signal.SIGKILL)

settings = Settings(operator_contact="curator@example.org", services={"wdqs": sys.argv[2]})
category = load_categories(paths.resources() / "categories")["demise"]
with Database.open(Path(sys.argv[1])) as database:
    question = question_of(category, date(2026, 2, 1), date(2026, 2, 10), settings)
    collect_events(database, category, question, settings, Progress(told), author="mara")
"""


def test_a_killed_collection_goes_on_where_it_stopped(
    demises: Collecting, server: FaultyServer, tmp_path: Path
) -> None:
    """SIGKILL in the middle: the answers so far are in the file, the lease of the dead process holds nobody up."""
    path = demises.database.path
    demises.database.close()
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED, str(path), f"{server.address}/sparql"], env=os.environ, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    server.forget()
    with Database.open(path) as database:
        demises.database = database
        assert EventStore(database).ids() == []
        assert foresee_collection(database, demises.category, demises.question).answered == 4
        assert demises.go().new == 20
        assert sum("T00:00:00Z" in asked.form["query"] for asked in server.asked) == 6
        assert database.integrity_problems() == []


def test_days_that_are_no_window_are_refused(demises: Collecting) -> None:
    """The last day before the first."""
    with pytest.raises(InputError, match="before the first"):
        question_of(demises.category, LAST, FIRST, demises.settings)
