"""Asking again: what moved waits in a queue, and a person's answer makes approvals stale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.domain.verification import Movement
from btc_gui.errors import InputError, SettingsError
from btc_gui.jobs.collect_events import collect_events, question_of
from btc_gui.jobs.verify_events import VerifyOutcome, verify_events
from btc_gui.remote.http import ServicePausedError
from btc_gui.sessions.event_desk import EventDesk
from btc_gui.settings import Settings
from btc_gui.store.candidates import CandidateQuery, CandidateStore
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.movements import MovementRow, MovementStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe
from tests.fakes.patience import Impatient
from tests.fakes.wdqs import QueryWorld, wdqs
from tests.fakes.world import Person, make_world

FIRST, LAST = date(2026, 2, 1), date(2026, 2, 10)


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


class Later:
    """A collected project, and the world as it is later."""

    def __init__(self, database: Database, categories: dict[str, Category]) -> None:
        self.database, self.categories = database, categories
        self.world = make_world(5, 5, FIRST, 10)
        self.events = EventStore(database)
        self.movements = MovementStore(database)
        self.desk = EventDesk(database, categories, "mara")
        for category in ("demise", "tenure"):
            self._with_server(category, self._collect)

    def _collect(self, category: Category, settings: Settings, again: bool = False) -> None:
        question = question_of(category, FIRST, LAST, settings)
        collect_events(self.database, category, question, settings, Impatient(), author="mara", again=again)

    def collect_again(self, name: str) -> None:
        """Ask everything anew of the world as it is now."""
        self._with_server(name, partial(self._collect, again=True))

    def _with_server(self, name: str, work: Callable[[Category, Settings], object], *faults: str) -> object:
        with wdqs(QueryWorld(self.world.tables())) as server:
            server.give_faults(*faults)
            settings = Settings(operator_contact="a@example.org", services={"wdqs": f"{server.address}/sparql"})
            return work(self.categories[name], settings)

    def verify(self, name: str, *faults: str, again: bool = False) -> VerifyOutcome:
        def work(category: Category, settings: Settings) -> VerifyOutcome:
            return verify_events(self.database, category, settings, Impatient(), again=again)

        outcome = self._with_server(name, work, *faults)
        assert isinstance(outcome, VerifyOutcome)
        return outcome

    def queue(self) -> dict[str, MovementRow]:
        """The open entries by the event's name."""
        rows = self.movements.fetch(self.movements.open_ids()).values()
        return {self.events.get(row.event_id).facts.entity: row for row in rows}


@pytest.fixture
def later(database: Database, categories: dict[str, Category]) -> Later:
    return Later(database, categories)


def test_nothing_moved(later: Later) -> None:
    """All events are noted as checked; the queue stays empty; the same again passes them over."""
    outcome = later.verify("demise")
    assert (outcome.checked, outcome.movements[Movement.UNCHANGED], outcome.queued) == (5, 5, 0)
    assert later.queue() == {}
    assert (later.verify("demise").checked, later.verify("demise").fresh) == (0, 5)
    assert later.verify("demise", again=True).checked == 5


def test_what_moved_waits_in_the_queue(later: Later) -> None:
    """A corrected date, a statement gone, a merged item, somebody back in office."""
    dead = later.world.dead
    dead[0].end = "2026-02-02"
    gone, merged = dead.pop(1), dead[1]
    later.world.merged[merged.qid] = "Q4242"
    merged.qid = "Q4242"
    later.world.left[0].again = "2026-02-04"
    outcome = later.verify("demise")
    assert outcome.movements[Movement.DATE_CORRECTED] == 1
    assert outcome.movements[Movement.GONE] == 1
    assert outcome.movements[Movement.MERGED] == 1
    assert later.verify("tenure").movements[Movement.HELD_AGAIN] == 1
    queue = later.queue()
    assert queue[dead[0].name].movement is Movement.DATE_CORRECTED
    assert queue[gone.name].now is None
    assert queue[merged.name].movement is Movement.MERGED
    assert queue[later.world.left[0].name].movement is Movement.HELD_AGAIN
    # Asked once more, nothing stands there twice; back as it was, an entry settles itself.
    dead[0].end = "2026-02-01"
    later.verify("demise", again=True)
    assert set(later.queue()) == {gone.name, merged.name, later.world.left[0].name}


def _approved(later: Later, name: str) -> tuple[EventId, ProbeId]:
    event_id = later.events.ids(EventQuery(contains=name))[0]
    probe = add_probe(later.database, event_id, text="Who could open the fair?")
    ReviewStore(later.database).decide(probe.id, probe.revision_id, Action.ACCEPT, "mara")
    return event_id, probe.id


def test_taking_a_correction_makes_approvals_stale(later: Later) -> None:
    """They were given for other facts; finding something out changes nothing yet."""
    dead = later.world.dead[0]
    event_id, probe_id = _approved(later, dead.name)
    dead.end = "2026-02-02"
    later.verify("demise")
    probes = ProbeStore(later.database)
    assert not probes.get(probe_id).is_stale
    row = later.desk.take(later.queue()[dead.name].id)
    assert (row.answer, row.author) == ("taken", "mara")
    assert later.events.get(event_id).facts.date.iso == "2026-02-02"
    assert probes.get(probe_id).is_stale
    assert later.queue() == {}


def test_taking_keeps_what_a_curator_wrote(later: Later) -> None:
    """Notes made after the check stay; where facts were corrected since, nothing is taken."""
    dead, other = later.world.dead[:2]
    dead.end = other.end = "2026-02-09"
    later.verify("demise")
    queue = later.queue()
    event_id = queue[dead.name].event_id
    noted = replace(later.events.get(event_id).facts, note="Seen in print", aliases=("A. A.",))
    later.events.revise(event_id, noted, "mara")
    later.desk.take(queue[dead.name].id)
    facts = later.events.get(event_id).facts
    assert (facts.date.iso, facts.note, facts.aliases) == ("2026-02-09", "Seen in print", ("A. A.",))
    corrected = replace(later.events.get(queue[other.name].event_id).facts, date=parse_event_date("2026-02-08"))
    later.events.revise(queue[other.name].event_id, corrected, "mara")
    with pytest.raises(InputError, match="corrected here after"):
        later.desk.take(queue[other.name].id)
    assert later.events.get(queue[other.name].event_id).facts == corrected


def test_only_corrections_can_be_taken(later: Later) -> None:
    """Somebody back in office has no new facts: the entry stays open."""
    left = later.world.left[0]
    left.again = "2026-02-04"
    later.verify("tenure")
    row = later.queue()[left.name]
    with pytest.raises(InputError, match="no new facts"):
        later.desk.take(row.id)
    assert row.id in later.movements.open_ids()


def test_rejecting_what_is_gone_rejects_its_probes(later: Later) -> None:
    """One step; the note holds what was found; the event is asked about no more."""
    gone = later.world.dead.pop(0)
    event_id, probe_id = _approved(later, gone.name)
    later.verify("demise")
    row = later.queue()[gone.name]
    with pytest.raises(InputError, match="no facts to take"):
        later.desk.take(row.id)
    later.desk.reject_moved(row.id, "The family denied it")
    probes = ProbeStore(later.database)
    assert probes.get(probe_id).status is ReviewStatus.REJECTED
    assert later.verify("demise", again=True).checked == 4
    step = ReviewStore(later.database).undo_step("mara")
    assert step is not None
    assert step.bulk_id is not None
    assert event_id


def test_what_is_left_is_not_asked_about_again(later: Later) -> None:
    """Only with a note."""
    later.world.dead[0].end = "2026-02-02"
    later.verify("demise")
    row = next(iter(later.queue().values()))
    with pytest.raises(InputError, match="note"):
        later.desk.leave(row.id, "")
    later.desk.leave(row.id, "The family says the first")
    assert later.verify("demise", again=True).queued == 0
    assert later.queue() == {}


def test_events_without_an_id_are_counted(later: Later) -> None:
    """Nothing can be asked about them."""
    add_event(later.database, entity="Somebody", date="2026-02-02")
    outcome = later.verify("demise")
    assert (outcome.checked, outcome.without_id) == (5, 1)
    assert "1 without an id" in outcome.text


def test_checks_of_several_categories_are_told_as_one(later: Later) -> None:
    """What the window says when it has asked about all of them."""
    later.world.dead[0].end = "2026-02-02"
    later.world.left[1].again = later.world.left[1].end
    outcome = later.verify("demise") + later.verify("tenure")
    assert (outcome.checked, outcome.queued) == (10, 2)
    assert outcome.text == "10 events asked about, 8 unchanged, 1 date corrected, 1 held again"


@pytest.mark.parametrize(("name", "slow", "unanswered"), [("demise", "Q1001", 1), ("tenure", "Q900000", 2)])
def test_what_always_takes_too_long_holds_nobody_up(later: Later, name: str, slow: str, unanswered: int) -> None:
    """A person, or an office and so its two holders: the others are checked, and these by the next check."""
    with wdqs(QueryWorld(later.world.tables(), slow_ids=frozenset({slow}))) as server:
        settings = Settings(operator_contact="a@example.org", services={"wdqs": f"{server.address}/sparql"})
        outcome = verify_events(later.database, later.categories[name], settings, Impatient())
    assert (outcome.checked, outcome.unanswered, outcome.queued) == (5 - unanswered, unanswered, 0)
    assert f"{unanswered} without an answer" in outcome.text
    assert (later.verify(name).checked, later.queue()) == (unanswered, {})


def test_bad_days_change_nothing(later: Later) -> None:
    """Three limits in a row, no contact: a sentence, the queue and the checks as they were."""
    with pytest.raises(ServicePausedError):
        later.verify("demise", "limited", "limited", "limited")
    with pytest.raises(SettingsError):
        verify_events(later.database, later.categories["demise"], Settings(), Impatient())
    assert later.queue() == {}
    assert later.verify("demise").checked == 5


def _put_back(later: Later, category: str, day: EventDate | None = None) -> EventId:
    store = CandidateStore(later.database)
    collection = CollectionStore(later.database).all()[0]
    assert collection.question.category == category
    (row,) = store.fetch(store.ids(CandidateQuery(collection.id, only_dropped=True))).values()
    return store.put_back(row.id, "The obituary is clear", "mara", day)


def test_what_a_curator_overruled_is_answered(later: Later) -> None:
    """A row put back with its day is as it was, also when it is collected again; another day of the source is news."""
    dead = Person("Q7777", "Zoe Zander", "2026-02-01", precision=10)
    later.world.dead.append(dead)
    later.collect_again("demise")
    event_id = _put_back(later, "demise", EventDate(2026, 2, 3))
    assert later.verify("demise", again=True).movements[Movement.UNCHANGED] == 6
    later.collect_again("demise")
    assert later.events.ids(EventQuery(contains=dead.name)) == [event_id]
    assert later.verify("demise", again=True).movements[Movement.UNCHANGED] == 6
    dead.precision, dead.end = 11, "2026-02-03"
    assert later.verify("demise", again=True).movements[Movement.UNCHANGED] == 6
    dead.end = "2026-02-05"
    later.verify("demise", again=True)
    assert later.queue()[dead.name].movement is Movement.DATE_CORRECTED


def test_another_reason_than_the_overruled_one_is_told(later: Later) -> None:
    """Put back in spite of a later term: as it was. A term that begins on another day is another reason."""
    left = Person("Q8888", "Zoe Zander", "2026-02-03", office="Q900000", again="2026-02-04")
    later.world.left.append(left)
    later.collect_again("tenure")
    _put_back(later, "tenure")
    assert later.verify("tenure", again=True).movements[Movement.UNCHANGED] == 6
    left.again = "2026-02-06"
    later.verify("tenure", again=True)
    assert later.queue()[left.name].movement is Movement.HELD_AGAIN
    left.again, left.rank = "2026-02-04", "Deprecated"
    later.verify("tenure", again=True)
    assert later.queue()[left.name].movement is Movement.GONE
