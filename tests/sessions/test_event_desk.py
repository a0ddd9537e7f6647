"""Events by hand: added, corrected, rejected with their probes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event import EventId
from btc_gui.domain.event_addresses import article_address, source_address
from btc_gui.domain.load_report import LoadReport
from btc_gui.domain.probe import ProbeKind, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.domain.verification import Moved, Movement
from btc_gui.errors import InputError, ProjectError
from btc_gui.progress import Progress
from btc_gui.sessions.event_desk import EventDesk, texts_of
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventStore
from btc_gui.store.loads import LoadStore
from btc_gui.store.movements import MovementId, MovementStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe, make_facts


@pytest.fixture
def desk(database: Database) -> EventDesk:
    return EventDesk(database, load_categories(paths.resources() / "categories"), "mara")


FORM = {
    "category": "demise",
    "entity": "Ada Example",
    "date": "2026-05-09",
    "qid": "Q7",
    "aliases": "A. Example | Ada E.",
    "article": "Ada Example (engineer)",
    "note": "",
}


def test_an_event_added_by_hand_is_as_filled_in(desk: EventDesk, database: Database) -> None:
    """The form comes back as it was filled."""
    event = EventStore(database).get(desk.add(FORM))
    assert event.facts.aliases == ("A. Example", "Ada E.")
    assert {name: value for name, value in texts_of(event.facts).items() if value} == {
        k: v for k, v in FORM.items() if v
    }
    with pytest.raises(InputError, match="already"):
        desk.add(FORM)


def test_nothing_is_added_while_a_file_of_events_is_loaded(desk: EventDesk, database: Database) -> None:
    """The file may hold the same event; a load that has died holds nobody up."""
    loads = LoadStore(database)
    load = loads.start(LoadSubject.EVENTS, "own.csv", "hash", {}, Progress())
    with pytest.raises(ProjectError, match=r"own\.csv is being loaded"):
        desk.add(FORM)
    long_ago = (datetime.now(UTC) - timedelta(minutes=1)).isoformat(timespec="milliseconds")
    with database.write() as connection:
        connection.execute("UPDATE load SET started_at = ?, alive_at = ?", (long_ago, long_ago))
    desk.add(FORM)
    with pytest.raises(ProjectError, match="cleared"):
        loads.complete(load, LoadReport("own.csv", 0, 0, 0))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"date": "2026-02-31"}, "not a day"),
        ({"date": ""}, "date is missing"),
        ({"date": "2126-01-01"}, "still to come"),
        ({"entity": "", "article": ""}, "no name"),
        ({"category": "tenure"}, "Position is missing"),
        ({"qid": "seven"}, "not an id"),
        ({"category": "wedding"}, "Unknown category"),
    ],
)
def test_what_is_wrong_is_said(desk: EventDesk, change: dict[str, str], words: str) -> None:
    """The same checks as for files, as a sentence."""
    with pytest.raises(InputError, match=words) as refused:
        desk.add(FORM | change)
    assert not refused.value.message[0].islower()


def test_a_correction_is_a_revision_and_makes_approvals_stale(desk: EventDesk, database: Database) -> None:
    """What it will change is said before."""
    event_id = desk.add(FORM)
    probe = add_probe(database, event_id)
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "mara")
    assert desk.consequence(event_id).approvals == 1
    with pytest.raises(InputError, match="Nothing is different"):
        desk.correct(event_id, FORM)
    assert desk.correct(event_id, FORM | {"note": "Seen twice"}).revision == 2
    assert not ProbeStore(database).get(probe.id).is_stale
    assert desk.correct(event_id, FORM | {"date": "2026-05-10"}).revision == 3
    assert ProbeStore(database).get(probe.id).is_stale


def test_rejecting_an_event_rejects_its_five_probes(desk: EventDesk, database: Database) -> None:
    """One step with one reason; one undo takes the probes back; the event can be taken in again."""
    event_id = add_event(database)
    for number in range(5):
        add_probe(database, event_id, text=f"Who could speak at evening {number}?")
    add_probe(database, event_id, text="Is she alive?", kind=ProbeKind.DIRECT)
    with pytest.raises(InputError, match="note"):
        desk.reject(event_id, "  ")
    assert desk.reject(event_id, "A hoax") == 6
    statuses = {probe.status for probe in ProbeStore(database).siblings(event_id)}
    assert statuses == {ReviewStatus.REJECTED}
    rejection = EventRejectionStore(database).fetch([event_id])[event_id]
    assert (rejection.note, rejection.author) == ("A hoax", "mara")
    with pytest.raises(ProjectError, match="already"):
        desk.reject(event_id, "A hoax")
    step = ReviewStore(database).undo_step("mara")
    assert step is not None
    assert step.bulk_id is not None
    desk.restore(event_id)
    assert EventRejectionStore(database).fetch([event_id]) == {}
    with pytest.raises(ProjectError, match="not rejected"):
        desk.restore(event_id)


def test_addresses_lead_to_the_right_pages() -> None:
    """Spaces and letters beyond ASCII are written as browsers want them."""
    facts = make_facts(article="Anne Grøn (mayor)", qid="Q7", source="a letter")
    assert article_address(facts) == "https://en.wikipedia.org/wiki/Anne_Gr%C3%B8n_(mayor)"
    assert source_address(facts) == "https://www.wikidata.org/wiki/Q7"
    assert source_address(make_facts(source="https://example.org/x")) == "https://example.org/x"
    elsewhere = "https://de.wikipedia.org/wiki/Anne_Gr%C3%B8n"
    assert article_address(make_facts(article=elsewhere)) == elsewhere
    assert article_address(make_facts()) == source_address(make_facts()) == ""


def _found_later(database: Database, event_id: EventId, **changes: str) -> MovementId:
    """What asking again finds about an event: other dates."""
    store, facts = MovementStore(database), EventStore(database).get(event_id).facts
    now = replace(facts, **{name: parse_event_date(text) for name, text in changes.items()})  # type: ignore[arg-type]
    with database.write() as connection:
        store.add(connection, [(event_id, Moved(facts, Movement.DATE_CORRECTED, "Moved.", now))], "wdqs")
    return store.open_ids()[0]


def test_taking_leaves_the_beginning_that_a_curator_corrected(desk: EventDesk, database: Database) -> None:
    """What nobody touched follows the source, also twice; the corrected one stays whatever the source says."""
    store, since = EventStore(database), parse_event_date("2014-05-01")
    event_id = add_event(database, category="tenure", started=since)
    desk.take(_found_later(database, event_id, date="2026-05-08", started="2014-05-02"))
    assert store.get(event_id).facts.started == parse_event_date("2014-05-02")
    desk.take(_found_later(database, event_id, date="2026-05-07", started="2014-05-03"))
    assert store.get(event_id).facts.started == parse_event_date("2014-05-03")

    desk.correct(event_id, texts_of(store.get(event_id).facts) | {"started": "2013-01-01"})
    for day in ("2026-05-06", "2026-05-05"):
        desk.take(_found_later(database, event_id, date=day, started="2014-05-03"))
        facts = store.get(event_id).facts
        assert (facts.date.iso, facts.started) == (day, parse_event_date("2013-01-01"))
