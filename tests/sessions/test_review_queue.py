"""Which probes a curator goes through: by words, retention, sample order, assignment; what each may know."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ProbeText, ReviewStatus
from btc_gui.domain.probe_sample import SampleDesign
from btc_gui.domain.review import Action
from btc_gui.domain.review_assignment import plan_assignment
from btc_gui.domain.verdict import Label
from btc_gui.jobs.sample_probes import draw_sample
from btc_gui.sessions.review_queue import BY_ANY, BY_NONE, Queue, QueueKind, QueueOrder, QueueReader, queue_from_json
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.lint import LintStore
from btc_gui.store.lint_check import relint
from btc_gui.store.probes import ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe
from tests.review_builders import retain


@pytest.fixture(scope="module")
def categories() -> Mapping[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def probes(database: Database) -> list[Probe]:
    """Two probes of each of four events."""
    made = []
    for number in range(4):
        event = add_event(database, entity=f"Person {number}", qid=f"Q{number + 1}", date=f"2026-05-0{number + 1}")
        made += [add_probe(database, event, text=f"Who could do {number}.{i}?") for i in range(2)]
    return made


def _ids(database: Database, queue: Queue, reviewer: str = "ann") -> list[ProbeId]:
    return list(QueueReader(database).read(queue, reviewer).ids)


def _at(session: ReviewSession) -> ProbeId | None:
    return session.current


def test_the_order_of_the_sample_puts_what_is_drawn_first(database: Database, probes: list[Probe]) -> None:
    """A sample that is drawn after accepting along the queue is the queue's beginning, in its order."""
    for probe in probes[:6]:
        retain(database, probe.id)
    retain(database, probes[6].id, is_retained=False)
    queue = _ids(database, Queue(kind=QueueKind.ALL, order=QueueOrder.SAMPLE))
    assert set(queue[:6]) == {probe.id for probe in probes[:6]}
    assert len({ProbeStore(database).get(i).event_id for i in queue[:3]}) == 3
    for probe in probes:
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "ann")
    drawn = draw_sample(database, ["Larkspur-2"], SampleDesign("1", size=3))
    assert [item.probe_id for item in drawn.items] == queue[:3]


def test_queues_by_retention(database: Database, probes: list[Probe]) -> None:
    retain(database, probes[0].id, "Larkspur-2")
    retain(database, probes[0].id, "Quill-Mini")
    retain(database, probes[1].id, "Quill-Mini")
    assert _ids(database, Queue(retained=("Larkspur-2", "Quill-Mini"))) == [probes[0].id]
    assert _ids(database, Queue(retained=(BY_ANY,))) == [probes[0].id, probes[1].id]
    assert probes[0].id not in _ids(database, Queue(retained=(BY_NONE,)))
    assert len(_ids(database, Queue(retained=(BY_NONE,)))) == 6


def test_an_edited_probe_goes_back_into_the_queue_of_the_filter(
    database: Database, probes: list[Probe], categories: Mapping[str, Category]
) -> None:
    """Retention binds to the wording: the new one is retained by nobody, and says that it waits."""
    retain(database, probes[0].id)
    session = ReviewSession(database, categories, "ann")
    session.start(Queue())
    session.show(probes[0].id)
    item = session.item()
    assert item is not None
    assert item.retention == "Retained by Larkspur-2"
    session.decide(item.probe, Action.EDIT, edited=ProbeText("Who could do it in June?", "an editor"))
    edited = session.item()
    assert edited is not None
    assert (edited.retention, edited.was_filtered) == ("", True)
    assert edited.findings is not None
    assert edited.probe.content.requester == "an editor"
    assert _ids(database, Queue(retained=(BY_ANY,))) == []


def test_queues_by_words(database: Database, probes: list[Probe]) -> None:
    assert _ids(database, Queue(contains="DO 2.")) == [probes[4].id, probes[5].id]
    assert _ids(database, Queue(contains="person 3")) == [probes[6].id, probes[7].id]


def test_an_assigned_queue_is_in_its_order_and_only_ones_own(database: Database, probes: list[Probe]) -> None:
    order = [probe.id for probe in reversed(probes)]
    AssignmentStore(database).add("First", plan_assignment(order, ["ann", "bob"], 5, 0.4), "ann")
    ann, bob = (_ids(database, Queue(assigned_to=name), name) for name in ("ann", "bob"))
    assert (len(ann), len(bob), len(set(ann) & set(bob))) == (5, 5, 2)
    assert ann == sorted(ann, reverse=True)
    assert AssignmentStore(database).unassigned(order) == []


def test_the_second_curator_judges_blind_and_a_difference_goes_to_a_queue(
    database: Database, probes: list[Probe], categories: Mapping[str, Category]
) -> None:
    """Of the first one's verdict, note and flag nothing is shown until the second has judged."""
    AssignmentStore(database).add("All", plan_assignment([probes[0].id], ["ann", "bob"], 1, 1.0), "ann")
    ann, bob = (ReviewSession(database, categories, name) for name in ("ann", "bob"))
    for session, name in ((ann, "ann"), (bob, "bob")):
        session.start(Queue(assigned_to=name))
        assert _at(session) == probes[0].id
    item = ann.item()
    assert item is not None
    ann.decide(item.probe, Action.NOTE, note="good one")
    ann.decide(item.probe, Action.FLAG)
    ann.decide(item.probe, Action.ACCEPT)
    assert _at(ann) is None
    seen = bob.item()
    assert seen is not None
    assert seen.is_blind
    assert (seen.log, seen.probe.status, seen.probe.is_flagged) == ((), ReviewStatus.UNREVIEWED, False)
    assert seen.siblings[0].status is ReviewStatus.UNREVIEWED
    bob.start(Queue(assigned_to="bob"))
    assert _at(bob) == probes[0].id, "what another has accepted is still open for the second one"
    bob.decide(seen.probe, Action.REJECT, reasons=("unnatural",))
    assert _at(bob) is None
    probe = ProbeStore(database).get(probes[0].id)
    assert (probe.status, probe.is_disputed) == (ReviewStatus.DEFERRED, True)
    assert _ids(database, Queue(QueueKind.DISPUTED)) == [probe.id]
    bob.show(probe.id)
    known = bob.item()
    assert known is not None
    assert {decision.reviewer for decision in known.log} == {"ann", "bob"}
    assert [(each.reviewer, each.action, each.reasons) for each in known.differing] == [
        ("ann", Action.ACCEPT, ()),
        ("bob", Action.REJECT, ("unnatural",)),
    ]
    third = ReviewSession(database, categories, "carl")
    third.start(Queue(QueueKind.DISPUTED))
    third.decide(probe, Action.ACCEPT)
    assert _at(third) is None
    assert ProbeStore(database).get(probe.id).status is ReviewStatus.ACCEPTED


def test_an_assignment_that_is_taken_back_leaves_the_decisions(database: Database, probes: list[Probe]) -> None:
    """Without it the newest verdict counts again."""
    store = AssignmentStore(database)
    store.add("All", plan_assignment([probes[0].id], ["ann", "bob"], 1, 1.0), "ann")
    reviews = ReviewStore(database)
    reviews.decide(probes[0].id, probes[0].revision_id, Action.ACCEPT, "ann")
    reviews.decide(probes[0].id, probes[0].revision_id, Action.REJECT, "bob", reasons=("unnatural",))
    assert ProbeStore(database).get(probes[0].id).is_disputed
    store.withdraw(store.find("All").id)
    probe = ProbeStore(database).get(probes[0].id)
    assert (probe.status, probe.is_disputed) == (ReviewStatus.REJECTED, False)


def test_what_is_read_anew_only_when_something_changed(database: Database, probes: list[Probe]) -> None:
    """One's own decision is followed by exactly itself; anything more is another's."""
    reader, reviews, queue = QueueReader(database), ReviewStore(database), Queue()
    before = reader.fingerprint(queue)
    assert reader.fingerprint(queue) == before
    reviews.decide(probes[0].id, probes[0].revision_id, Action.ACCEPT, "ann")
    own = reader.fingerprint(queue)
    assert before.is_followed_by(own)
    reviews.decide(probes[1].id, probes[1].revision_id, Action.ACCEPT, "bob")
    assert not before.is_followed_by(reader.fingerprint(queue))
    add_probe(database, probes[0].event_id, text="New?")
    assert not own.is_followed_by(reader.fingerprint(queue))


def test_findings_that_are_replaced_and_waivers_that_are_withdrawn_are_news(
    database: Database, probes: list[Probe]
) -> None:
    """Neither need leave a row with a higher id behind."""
    reader, lint, queue = QueueReader(database), LintStore(database), Queue(lint=("too_short",))
    last = probes[-1].id
    lint.waive(last, "too_short", "on purpose", "ann")
    waived = reader.fingerprint(queue)
    assert last not in _ids(database, queue)
    lint.withdraw_waiver(last, "too_short", "ann")
    standing = reader.fingerprint(queue)
    assert standing != waived
    assert last in _ids(database, queue)
    with database.write() as connection:
        relint(connection, [last])
    assert reader.fingerprint(queue) != standing


def test_a_queue_that_was_saved_is_the_same_and_junk_is_the_usual_one() -> None:
    queue = Queue(
        QueueKind.DEFERRED, ("demise",), (ProbeKind.INDIRECT,), contains="x", lint=("error",), order=QueueOrder.SAMPLE
    )
    assert queue_from_json(queue.as_json()) == queue
    assert queue_from_json({"kind": "no such", "unknown": 1}) == Queue()


def test_what_decides_retention_is_news_where_no_row_is_added(database: Database, probes: list[Probe]) -> None:
    """Another judge or configuration counts, or failed answers are asked for again."""
    retain(database, probes[0].id)
    [answer, *_] = AnswerStore(database).ids()
    VerdictStore(database).add(NewVerdict(answer, "newer", None, Label.CORRECT, names_entity=False, rationale="So."))
    reader, queue = QueueReader(database), Queue(retained=(BY_ANY,))
    seen = [reader.fingerprint(queue)]
    assert _ids(database, queue) == []
    JudgeStore(database).set_primary("judge")
    seen.append(reader.fingerprint(queue))
    assert _ids(database, queue) == [probes[0].id]
    RetentionStore(database).prefer({"A": "another"})
    seen.append(reader.fingerprint(queue))
    with database.write() as connection:
        connection.execute("UPDATE answer SET is_final = 0")
    seen.append(reader.fingerprint(queue))
    assert len(set(seen)) == len(seen)
