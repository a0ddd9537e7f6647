"""Asking for less: as little as it takes, and not without end when the service is not well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.collecting import plan_of
from btc_gui.errors import ServiceError
from btc_gui.jobs.ask_wikidata import Asking
from btc_gui.jobs.collect_events import question_of
from btc_gui.remote.http import BACK_OFF, LONGEST_WAIT, WHOLE_SECONDS, WebClient
from btc_gui.remote.wikidata import Wikidata
from btc_gui.settings import Settings
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.store.lease import from_now
from tests.fakes.patience import Impatient
from tests.fakes.service_faults import FaultyServer
from tests.fakes.wdqs import QueryWorld, wdqs
from tests.fakes.world import make_world

DAY = date(2026, 2, 1)
CATEGORY = load_categories(paths.resources() / "categories")["demise"]
PLAN = plan_of(CATEGORY)


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with wdqs(QueryWorld(make_world(200, 0, DAY, 1).tables())) as made:
        yield made


@pytest.fixture
def progress() -> Impatient:
    return Impatient()


@pytest.fixture
def wikidata(server: FaultyServer, progress: Impatient) -> Iterator[Wikidata]:
    settings = Settings(services={"wdqs": f"{server.address}/sparql"})
    with WebClient("curator@example.org", progress) as client:
        yield Wikidata(client, settings)


@pytest.fixture
def asking(database: Database, wikidata: Wikidata, progress: Impatient) -> Asking:
    store = CollectionStore(database)
    collection_id = store.start(question_of(CATEGORY, DAY, DAY, Settings()), "mara")
    return Asking(store, store.get(collection_id), PLAN, wikidata, progress)


@pytest.mark.parametrize("fault", ["broken", "out-of-time", "gateway-out-of-time"])
def test_a_service_that_is_not_well_is_soon_left_alone(asking: Asking, server: FaultyServer, fault: str) -> None:
    """200 people at once, then fewer, then five alone: hundreds of requests more would get nothing either."""
    server.give_faults("ok", "ok", *[fault] * 500)
    with pytest.raises(ServiceError, match=r"on 5 parts of “all_deaths”: Q1000.*only what is missing"):
        asking.ask_all()
    assert len(server.asked) < 20


@pytest.mark.parametrize("fault", ["broken", "gateway-out-of-time"])
def test_a_failure_that_says_nothing_of_time_is_given_time(
    asking: Asking, server: FaultyServer, progress: Impatient, fault: str
) -> None:
    """Each one longer than the last, as for an overload; after an answer from the beginning."""
    server.give_faults("ok", "ok", fault, fault, "ok", fault)
    assert len(asking.ask_all()["all_deaths"]) == 200
    assert progress.waits == [*BACK_OFF[:2], BACK_OFF[0]]


class _Watching(Impatient):
    """Lets the collection's lease be nearly over when something is asked, and reads it when a wait begins."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self.held_until: list[str] = []

    def report(self, done: int, total: int, text: str = "") -> None:
        with self._database.write() as connection:
            connection.execute("UPDATE collection SET lease_until = ?", (from_now(1),))
        super().report(done, total, text)

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        self.held_until.append(self._database.read().execute("SELECT lease_until FROM collection").fetchone()[0])


def test_a_collection_is_held_through_its_waits(database: Database, server: FaultyServer) -> None:
    """The longest wait and the request after it: nobody else takes the collection meanwhile."""
    store, progress = CollectionStore(database), _Watching(database)
    collection_id = store.start(question_of(CATEGORY, DAY, DAY, Settings()), "mara")
    store.take(collection_id, "elsewhere:1")
    settings = Settings(services={"wdqs": f"{server.address}/sparql"})
    server.give_faults("ok", "limited", "overloaded", "ok", "broken")
    began = from_now(LONGEST_WAIT + WHOLE_SECONDS)
    with WebClient("curator@example.org", progress) as client:
        Asking(store, store.get(collection_id), PLAN, Wikidata(client, settings), progress).ask_all()
    assert len(progress.held_until) == 3
    assert all(until > began for until in progress.held_until)


def test_a_time_out_that_says_so_is_not_waited_for(asking: Asking, server: FaultyServer, progress: Impatient) -> None:
    """The service is well and asked for too much."""
    server.give_faults("ok", "ok", "out-of-time", "out-of-time")
    assert len(asking.ask_all()["all_deaths"]) == 200
    assert progress.waits == []
