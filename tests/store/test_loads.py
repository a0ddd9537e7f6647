"""Loads: rows that count together, rejected rows that stay readable, mappings that are remembered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.load_report import LoadReport, Rejection
from btc_gui.domain.probe import ProbeKind, ProbeText
from btc_gui.errors import ProjectError
from btc_gui.progress import Cancelled, Progress, Report
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.events import EventStore
from btc_gui.store.loads import LoadId, LoadStore
from btc_gui.store.probes import NewProbe, ProbeStore
from tests.builders import add_event, add_probe, make_facts

EVENTS = LoadSubject.EVENTS


def start(store: LoadStore, subject: LoadSubject = EVENTS, progress: Progress | None = None) -> LoadId:
    """Begin a load."""
    return store.start(subject, "a.csv", "hash", {"entity": "name"}, progress or Progress())


def add(database: Database, load_id: LoadId, count: int = 3) -> None:
    """Write events of a load."""
    with LoadStore(database).batch(load_id) as connection:
        batch = [make_facts(f"Person {number}") for number in range(count)]
        EventStore(database).add_many(connection, batch, "tests", load_id)


def test_complete(database: Database) -> None:
    """Events count from the moment of completion; the load is listed with its counts and rejected rows."""
    store = LoadStore(database)
    load_id = start(store)
    add(database, load_id)
    rejection = Rejection(7, "why", "what")
    with store.batch(load_id) as connection:
        store.reject(connection, load_id, [rejection])
    assert (EventStore(database).ids(), store.loads()) == ([], [])
    store.complete(load_id, LoadReport("a.csv", 5, 3, 1, (rejection,)))
    (load,) = store.loads()
    assert (load.file, load.sha256, load.read, load.new, load.known, load.rejected) == ("a.csv", "hash", 5, 3, 1, 1)
    assert store.rejections(load.id) == [rejection]
    assert len(EventStore(database).ids()) == 3


def test_discard(database: Database) -> None:
    """A load that is given up goes with all its rows and can't be taken up again; a complete one stays."""
    store = LoadStore(database)
    done = start(store)
    add(database, done)
    store.complete(done, LoadReport("a.csv", 3, 3, 0))
    store.discard(done)
    assert len(EventStore(database).ids()) == 3
    broken = start(store)
    add(database, broken, 700)
    store.discard(broken)
    assert database.read().execute("SELECT count(*) FROM event").fetchone()[0] == 3
    with pytest.raises(ProjectError, match="cleared"):
        add(database, broken)
    with pytest.raises(ProjectError, match="cleared"):
        store.complete(broken, LoadReport("a.csv", 3, 3, 0))
    assert database.integrity_problems() == []


def test_what_was_typed_about_a_load_goes_with_it(database: Database) -> None:
    """The ids of its probes will be other probes': nobody's words may turn up there."""
    store, drafts = LoadStore(database), DraftStore(database)
    event_id = add_event(database)
    kept = add_probe(database, event_id)
    broken = start(store, LoadSubject.PROBES)
    facts_hash = EventStore(database).get(event_id).facts.facts_hash
    new = NewProbe("p", event_id, ProbeKind.INDIRECT, 2, ProbeText("Who?"), facts_hash, "loaded", "tests")
    lost = ProbeStore(database).add(new, broken)
    places = [f"review-note/{kept.id}/ann", f"review-note/{lost}/ann", f"review-edit/{lost}", f"case-note/{lost}"]
    for place in places:
        drafts.keep(place, "words")
    store.discard(broken)
    assert [drafts.get(place) for place in places] == ["words", "", "", "words"]


def test_events_of_a_load_that_is_not_complete_are_not_found(database: Database) -> None:
    store = LoadStore(database)
    load_id = start(store)
    with store.batch(load_id) as batch:
        EventStore(database).add_many(batch, [make_facts(entity="Cy Half")], "tests", load_id)
    assert EventStore(database).find("Cy Half") == []
    store.complete(load_id, LoadReport("a.csv", 1, 1, 0))
    assert len(EventStore(database).find("Cy Half")) == 1


def test_one_load_of_a_subject_at_a_time(database: Database) -> None:
    """A second load of events waits for the first, says so, and can be cancelled; one of probes does not wait."""
    store = LoadStore(database)
    first = start(store)
    assert start(store, LoadSubject.PROBES) > first
    told: list[str] = []

    def cancel(report: Report) -> None:
        told.append(report.text)
        progress.cancel()

    progress = Progress(cancel)
    with pytest.raises(Cancelled):
        start(store, progress=progress)
    assert told == ["Waiting for a.csv, which is being loaded elsewhere"]

    def complete(report: Report) -> None:
        told.append(report.text)
        store.complete(first, LoadReport("a.csv", 0, 0, 0))

    assert start(store, progress=Progress(complete)) > first
    # It had to wait until the first was complete, and not once more.
    assert told == ["Waiting for a.csv, which is being loaded elsewhere"] * 2


def test_dead_load_is_removed(database: Database) -> None:
    """A load without a sign of life does not hold up the next one."""
    store = LoadStore(database)
    dead = start(store)
    add(database, dead)
    long_ago = (datetime.now(UTC) - timedelta(seconds=20)).isoformat(timespec="milliseconds")
    with database.write() as connection:
        connection.execute("UPDATE load SET started_at = ?, alive_at = ?", (long_ago, long_ago))
    start(store)
    assert database.read().execute("SELECT count(*) FROM event").fetchone()[0] == 0
    assert database.read().execute("SELECT count(*) FROM load").fetchone()[0] == 1


def test_mappings(database: Database) -> None:
    """The newest mapping of a set of columns counts, by subject."""
    store = LoadStore(database)
    assert store.remembered_mapping(EVENTS, ["a", "b"]) is None
    store.remember_mapping(EVENTS, ["a", "b"], {"entity": "a"})
    store.remember_mapping(EVENTS, ["b", "a"], {"entity": "b"})
    assert store.remembered_mapping(EVENTS, ["a", "b"]) == {"entity": "b"}
    assert store.remembered_mapping(LoadSubject.PROBES, ["a", "b"]) is None


def test_removing_many_rows_takes_time_in_proportion(database: Database) -> None:
    """Four times as many rows take about four times the work, not sixteen: nothing is looked for in whole tables."""
    store = LoadStore(database)
    steps = []
    for count in (1000, 4000):
        load_id = start(store)
        add(database, load_id, count)
        # Counts what SQLite does, not how long it takes it.
        counted: list[int] = []
        database.read().set_progress_handler(lambda counted=counted: counted.append(1), 100)  # type: ignore[misc]
        store.discard(load_id)
        database.read().set_progress_handler(None, 0)
        steps.append(len(counted))
    assert 10 < steps[0] < steps[1] < 6 * steps[0]
