"""D6: lists, counts and tables of results read no long text, whatever they show of a row."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.run import RunId
from btc_gui.jobs.read_results import read_results
from btc_gui.progress import Progress
from btc_gui.sessions.review_queue import Queue
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.runs import RunStore
from tests.study_builders import add_judged

_COLUMN = ("body", "content")


def _texts_read(database: Database, work: Callable[[], object]) -> bool:
    """Whether some statement of `work` reads what texts are kept in; SQLite itself says so."""
    read: set[tuple[str | None, str | None]] = set()

    def authorize(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ:
            read.add((table, column))
        return sqlite3.SQLITE_OK

    connection = database.read()
    connection.set_authorizer(authorize)
    try:
        work()
    finally:
        connection.set_authorizer(None)
    assert read
    return _COLUMN in read


@pytest.fixture
def judged(database: Database) -> Database:
    add_judged(database)
    return database


def test_what_is_opened_reads_texts(judged: Database) -> None:
    """Else the other tests would show nothing."""
    store = AnswerStore(judged)
    assert _texts_read(judged, lambda: store.trajectory(store.ids()[0]))


@pytest.mark.parametrize(
    "work",
    [
        lambda it: EventStore(it).fetch(EventStore(it).ids()),
        lambda it: ProbeStore(it).fetch(ProbeStore(it).ids()),
        lambda it: CaseStore(it).ids(),
        lambda it: CaseStore(it).ids(CaseQuery(contains="voice")),
        lambda it: CaseStore(it).facets(CaseQuery()),
        lambda it: CaseStore(it).fetch(CaseStore(it).ids()),
        lambda it: RunStore(it).progress(RunId(1)),
        lambda it: ReviewSession(it, {}, "ann").start(Queue()),
        lambda it: read_results(it, Progress()),
    ],
    ids=["events", "probes", "cases", "search", "facets", "rows of cases", "runs", "review", "results"],
)
def test_a_list_reads_no_text(judged: Database, work: Callable[[Database], object]) -> None:
    assert not _texts_read(judged, lambda: work(judged))
