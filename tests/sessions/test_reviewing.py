"""Going through a queue of probes: decisions, undo, progress, drafts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.probe import Probe, ProbeId, ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.errors import InputError, ProjectError
from btc_gui.sessions.review_queue import Queue, QueueKind
from btc_gui.sessions.reviewing import ReviewProgress, ReviewSession, seconds_per_decision
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe, make_facts


@pytest.fixture
def categories() -> Mapping[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def probes(database: Database) -> list[Probe]:
    """Three probes of one event and two of another."""
    first, second = add_event(database, entity="Ada One"), add_event(database, entity="Bo Two", date="2026-06-01")
    return [add_probe(database, e, text=f"Who of {n}?") for e, n in [(first, 1), (first, 2), (first, 3), (second, 4)]]


@pytest.fixture
def session(database: Database, categories: Mapping[str, Category], probes: list[Probe]) -> ReviewSession:
    made = ReviewSession(database, categories, "mara")
    made.start(Queue())
    return made


def _seen(session: ReviewSession) -> Probe:
    item = session.item()
    assert item is not None
    return item.probe


def _at(session: ReviewSession) -> ProbeId | None:
    return session.current


def test_decisions_go_through_the_queue_to_its_end(session: ReviewSession, probes: list[Probe]) -> None:
    seen = []
    for action in (Action.ACCEPT, Action.DEFER, Action.ACCEPT, Action.ACCEPT):
        probe = _seen(session)
        seen.append(probe.id)
        session.decide(probe, action)
    assert seen == [probe.id for probe in probes]
    assert _at(session) is None
    progress = session.progress()
    assert (progress.decided, progress.total, progress.deferred, progress.open) == (3, 4, 1, 0)


def test_a_decision_for_facts_that_nobody_saw_is_refused(database: Database, session: ReviewSession) -> None:
    """The event was corrected while its probe was on the screen: nothing is stored, and the new facts are shown."""
    seen = _seen(session)
    EventStore(database).revise(seen.event_id, make_facts(entity="Ada One", date="2026-05-10"), "bob")
    with pytest.raises(ProjectError, match="facts of its event"):
        session.decide(seen, Action.ACCEPT)
    assert ReviewStore(database).log(seen.id) == []
    session.decide(_seen(session), Action.ACCEPT)
    assert ProbeStore(database).get(seen.id).status is ReviewStatus.ACCEPTED


def test_the_item_says_what_changed_and_which_of_its_siblings_it_is(session: ReviewSession) -> None:
    item = session.item()
    assert item is not None
    assert item.before == "Ada One is alive."
    assert item.after == "Ada One died on 9 May 2026."
    assert item.place == "Probe 1 of this event’s 3"
    assert len(item.siblings) == 3


def test_an_untouched_queue_shows_its_first_item_and_a_small_one_ends_cleanly(
    database: Database, categories: Mapping[str, Category], probes: list[Probe]
) -> None:
    session = ReviewSession(database, categories, "mara")
    session.start(Queue(ids=(probes[2].id, probes[2].id, ProbeId(99))))
    assert _at(session) == probes[2].id
    assert session.progress().total == 1
    session.decide(_seen(session), Action.ACCEPT)
    assert _at(session) is None
    assert not session.is_empty


def test_undo_works_on_the_last_item_and_in_a_later_session(
    session: ReviewSession, database: Database, categories: Mapping[str, Category]
) -> None:
    while _at(session) is not None:
        session.decide(_seen(session), Action.ACCEPT)
    later = ReviewSession(database, categories, "mara")
    later.start(Queue())
    assert _at(later) is None
    undone = later.undo()
    assert undone is not None
    assert later.can_undo
    assert _at(later) == undone.probe_id
    assert _seen(later).status is ReviewStatus.UNREVIEWED
    for _ in range(3):
        assert later.undo() is not None
    assert later.undo() is None


def test_undo_takes_back_only_ones_own_decisions(
    session: ReviewSession, database: Database, categories: Mapping[str, Category]
) -> None:
    session.decide(_seen(session), Action.ACCEPT)
    assert not ReviewSession(database, categories, "jo").can_undo


def test_a_decision_belongs_to_the_probe_that_was_seen(session: ReviewSession, probes: list[Probe]) -> None:
    seen = _seen(session)
    session.step(1)
    session.decide(seen, Action.ACCEPT)
    assert _at(session) == probes[1].id
    item = session.item()
    assert item is not None
    assert [p.status for p in item.siblings] == [
        ReviewStatus.ACCEPTED,
        ReviewStatus.UNREVIEWED,
        ReviewStatus.UNREVIEWED,
    ]


def test_a_probe_edited_in_the_meantime_is_not_decided(session: ReviewSession, database: Database) -> None:
    seen = _seen(session)
    ReviewStore(database).decide(seen.id, seen.revision_id, Action.EDIT, "jo", edited=ProbeText("Who else?"))
    with pytest.raises(ProjectError, match="edited in the meantime"):
        session.decide(seen, Action.ACCEPT)
    assert _seen(session).status is ReviewStatus.UNREVIEWED
    assert _at(session) == seen.id


def test_an_edit_makes_a_revision_and_stays_until_it_is_accepted(session: ReviewSession) -> None:
    seen = _seen(session)
    session.keep_edit(seen, ProbeText("Half a thou"))
    session.decide(seen, Action.EDIT, edited=ProbeText("A whole thought?"))
    assert _at(session) == seen.id
    edited = _seen(session)
    assert (edited.text, edited.revision) == ("A whole thought?", 2)
    assert session.edit_draft(seen.id) is None
    session.decide(edited, Action.ACCEPT)
    assert _at(session) != seen.id


@pytest.mark.parametrize(
    ("action", "reasons", "note", "edited"),
    [
        (Action.REJECT, (), "", None),
        (Action.REJECT, ("other",), " ", None),
        (Action.REJECT, ("no such reason",), "", None),
        (Action.NOTE, (), "  ", None),
        (Action.EDIT, (), "", ProbeText("  ")),
        (Action.EDIT, (), "", None),
    ],
)
def test_incomplete_decisions_are_refused_and_change_nothing(
    session: ReviewSession, database: Database, action: Action, reasons: tuple[str, ...], note: str, edited: ProbeText
) -> None:
    seen = _seen(session)
    with pytest.raises(InputError):
        session.decide(seen, action, reasons=reasons, note=note, edited=edited)
    assert ReviewStore(database).log(seen.id) == []
    assert _at(session) == seen.id


def test_reasons_are_kept_in_their_own_order(session: ReviewSession) -> None:
    seen = _seen(session)
    decision = session.decide(seen, Action.REJECT, reasons=("unnatural", "names_entity"), note="twice")
    assert decision.reasons == ("names_entity", "unnatural")
    assert decision.note == "twice"


def test_a_session_begins_where_its_curator_was_typing(
    database: Database, categories: Mapping[str, Category], probes: list[Probe]
) -> None:
    for curator in ("mara", "x/mara"):
        before = ReviewSession(database, categories, curator)
        before.start(Queue(ids=tuple(probe.id for probe in probes)))
        before.show(probes[1 if curator == "mara" else 2].id)
        before.keep_edit(_seen(before), ProbeText("Half a thou"))
    later = ReviewSession(database, categories, "mara")
    later.start(Queue())
    assert _at(later) == probes[1].id
    later.start(Queue())
    assert _at(later) == probes[0].id


def test_drafts_survive_the_session(
    session: ReviewSession, database: Database, categories: Mapping[str, Category]
) -> None:
    seen = _seen(session)
    session.keep_edit(seen, ProbeText("Half a thou", requester="editor"))
    session.keep_note(seen.id, "check the")
    later = ReviewSession(database, categories, "mara")
    draft = later.edit_draft(seen.id)
    assert draft is not None
    assert draft.content == ProbeText("Half a thou", requester="editor")
    assert draft.revision_id == seen.revision_id
    assert later.note_draft(seen.id) == "check the"
    later.keep_edit(seen, seen.content)
    assert later.edit_draft(seen.id) is None


def test_a_draft_is_its_curators_alone(
    session: ReviewSession, database: Database, categories: Mapping[str, Category]
) -> None:
    """On a shared probe nobody finds what another is typing; a draft of an earlier version is found once."""
    seen = _seen(session)
    session.keep_edit(seen, ProbeText("Half a thou"))
    session.keep_note(seen.id, "check the")
    other = ReviewSession(database, categories, "bob")
    assert (other.edit_draft(seen.id), other.note_draft(seen.id)) == (None, "")
    other.keep_note(seen.id, "mine")
    other.forget_edit(seen.id)
    assert session.note_draft(seen.id) == "check the"
    assert session.edit_draft(seen.id) is not None
    DraftStore(database).keep(f"review-note/{_seen(session).id + 1}", "of old")
    assert session.note_draft(ProbeId(seen.id + 1)) == "of old"
    session.keep_note(ProbeId(seen.id + 1), "")
    assert session.note_draft(ProbeId(seen.id + 1)) == ""


def test_going_back_and_forth_passes_decided_probes_too(session: ReviewSession, probes: list[Probe]) -> None:
    session.decide(_seen(session), Action.ACCEPT)
    assert session.step(-1)
    assert _at(session) == probes[0].id
    assert not session.step(-1)
    for _ in range(3):
        assert session.step(1)
    assert not session.step(1)
    assert _at(session) == probes[3].id


def test_a_sibling_outside_the_queue_can_be_shown_and_left_again(
    database: Database, categories: Mapping[str, Category], probes: list[Probe]
) -> None:
    session = ReviewSession(database, categories, "mara")
    session.start(Queue(ids=(probes[1].id, probes[3].id)))
    session.show(probes[0].id)
    assert _seen(session).id == probes[0].id
    session.decide(_seen(session), Action.ACCEPT)
    assert _at(session) == probes[1].id


def test_queues_of_deferred_and_flagged_probes(session: ReviewSession, probes: list[Probe]) -> None:
    session.decide(_seen(session), Action.FLAG)
    session.decide(_seen(session), Action.DEFER)
    session.start(Queue(QueueKind.DEFERRED))
    assert _at(session) == probes[0].id
    session.start(Queue(QueueKind.FLAGGED))
    assert _at(session) == probes[0].id
    session.decide(_seen(session), Action.UNFLAG)
    session.start(Queue(QueueKind.FLAGGED))
    assert _at(session) is None
    assert session.is_empty
    assert session.has_probes


def test_new_probes_join_a_queue_that_is_open(session: ReviewSession, database: Database) -> None:
    while _at(session) is not None:
        session.decide(_seen(session), Action.ACCEPT)
    added = add_probe(database, add_event(database, entity="New Person"), text="And who now?")
    session.reload()
    assert _at(session) == added.id
    assert session.progress().total == 5


def test_an_empty_project_has_an_empty_queue(database: Database, categories: Mapping[str, Category]) -> None:
    session = ReviewSession(database, categories, "mara")
    session.start(Queue())
    assert session.is_empty
    assert not session.has_probes
    assert session.item() is None
    assert session.undo() is None


def test_an_event_of_a_removed_category_is_still_shown(database: Database) -> None:
    add_probe(database, add_event(database, entity="Ada One"))
    session = ReviewSession(database, {}, "mara")
    session.start(Queue())
    item = session.item()
    assert item is not None
    assert "Ada One" in item.after
    assert ProbeStore(database).ids() == [item.probe.id]


def test_the_pace_leaves_breaks_out() -> None:
    times = [f"2026-05-09T10:00:{second:02d}+00:00" for second in (0, 10, 20, 30)]
    assert seconds_per_decision(times) is None
    times += ["2026-05-09T11:00:00+00:00", "2026-05-09T11:00:10+00:00"]
    assert seconds_per_decision(times) == 10.0


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (ReviewProgress(34, 210, 12, 120, 1080.0), "34 of 210 decided · 12 deferred · 400 an hour · about 18 min left"),
        (ReviewProgress(0, 5, 0, 5, None), "0 of 5 decided"),
        (ReviewProgress(5, 5, 0, 0, 0.0), "5 of 5 decided"),
        (ReviewProgress(4, 5, 0, 1, 20.0), "4 of 5 decided · 180 an hour · less than a minute left"),
        (ReviewProgress(4, 2000, 0, 1000, 9000.0), "4 of 2,000 decided · 400 an hour · about 2.5 h left"),
    ],
)
def test_progress_in_words(progress: ReviewProgress, text: str) -> None:
    assert progress.text == text
