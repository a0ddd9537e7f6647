"""Decisions from a file: the same log as from the keyboard, once each, with bad rows named."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.domain.load_report import NothingLoaded
from btc_gui.domain.probe import ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.errors import InputError
from btc_gui.jobs.load_decisions import load_decisions
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe, make_facts


def written(path: Path, *lines: str) -> Path:
    """A JSONL file of these lines."""
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_decisions_are_taken_in_order_and_once(database: Database, tmp_path: Path) -> None:
    """Flag, edit, accept: the probe ends accepted in its new wording; the file again changes nothing."""
    probe = add_probe(database, add_event(database), key="p1")
    path = written(
        tmp_path / "d.jsonl",
        '{"probe": "p1", "action": "flag"}',
        '{"probe": "p1", "action": "edit", "text": "Which hosts suit our gala?", "note": "clearer"}',
        '{"probe": "p1", "action": "accept"}',
    )
    report = load_decisions(database, path, "ann", Progress())
    assert (report.read, report.new, report.known, report.rejected) == (3, 3, 0, ())
    after = ProbeStore(database).get(probe.id)
    assert (after.text, after.status, after.is_flagged) == ("Which hosts suit our gala?", ReviewStatus.ACCEPTED, True)
    assert load_decisions(database, path, "ann", Progress()).known == 3
    assert len(ReviewStore(database).log(probe.id)) == 3
    last = ReviewStore(database).undo_step("ann")
    assert last is not None
    assert last.about.action == "accept"


def test_a_decision_that_holds_no_more_is_taken_again(database: Database, tmp_path: Path) -> None:
    """Overruled by somebody, made for another wording or for other facts: the file is no empty success."""
    event_id = add_event(database)
    probe, probes, reviews = add_probe(database, event_id, key="p1"), ProbeStore(database), ReviewStore(database)
    path = written(tmp_path / "d.jsonl", '{"probe": "p1", "action": "accept"}')

    def load() -> tuple[int, int]:
        report = load_decisions(database, path, "ann", Progress())
        return report.new, report.known

    assert [load(), load()] == [(1, 0), (0, 1)]
    reviews.decide(probe.id, probe.revision_id, Action.REJECT, "bob", reasons=("unnatural",))
    assert [load(), load()] == [(1, 0), (0, 1)]
    reviews.decide(probe.id, probe.revision_id, Action.EDIT, "bob", edited=ProbeText("Which hosts suit our gala?"))
    assert [load(), load()] == [(1, 0), (0, 1)]
    EventStore(database).revise(event_id, make_facts(date="2026-05-10"), "bob")
    assert [load(), load()] == [(1, 0), (0, 1)]
    after = probes.get(probe.id)
    assert (after.status, after.is_stale) == (ReviewStatus.ACCEPTED, False)


def test_a_file_that_changes_its_mind_is_known_as_a_whole(database: Database, tmp_path: Path) -> None:
    """A rejection that the same file replaces is not made anew, nor an acceptance of the wording before its edit."""
    add_probe(database, add_event(database), key="p1")
    path = written(
        tmp_path / "d.jsonl",
        '{"probe": "p1", "action": "reject", "reasons": ["unnatural"]}',
        '{"probe": "p1", "action": "accept"}',
        '{"probe": "p1", "action": "edit", "text": "Which hosts suit our gala?"}',
    )
    assert load_decisions(database, path, "ann", Progress()).new == 3
    assert load_decisions(database, path, "ann", Progress()).known == 3


def test_bad_rows_are_named_and_good_ones_taken(database: Database, tmp_path: Path) -> None:
    """Unknown probe, action and reason: each rejected by line with what is allowed."""
    probe = add_probe(database, add_event(database), key="p1")
    path = written(
        tmp_path / "d.jsonl",
        '{"probe": "nobody", "action": "accept"}',
        '{"probe": "p1", "action": "destroy"}',
        '{"probe": "p1", "action": "reject", "reasons": ["ugly"]}',
        "not json",
        '{"probe": "p1", "action": "reject", "reasons": ["unnatural", "other"], "note": "no"}',
    )
    report = load_decisions(database, path, "ann", Progress())
    assert [rejection.line for rejection in report.rejected] == [1, 2, 3, 4]
    assert "nobody" in report.rejected[0].reason
    assert "accept, reject" in report.rejected[1].reason
    assert "names_entity" in report.rejected[2].reason
    (decision,) = ReviewStore(database).log(probe.id)
    assert decision.reasons == ("unnatural", "other")


def test_a_file_is_held_to_the_rules_of_the_keyboard(database: Database, tmp_path: Path) -> None:
    """“Other” says nothing without a note, and a rejection without a reason nothing at all."""
    probe = add_probe(database, add_event(database), key="p1")
    path = written(
        tmp_path / "d.jsonl",
        '{"probe": "p1", "action": "reject", "reasons": ["unnatural", "other"], "note": " "}',
        '{"probe": "p1", "action": "reject"}',
        '{"probe": "p1", "action": "note"}',
        '{"probe": "p1", "action": "flag"}',
    )
    rejected = load_decisions(database, path, "ann", Progress()).rejected
    reasons = ["The reason “other” needs a note.", "A rejection needs a reason.", "The note is empty."]
    assert [each.reason[: len(reason)] for each, reason in zip(rejected, reasons, strict=True)] == reasons
    with pytest.raises(InputError, match="needs a note"):
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.REJECT, "ann", reasons=("other",))
    assert len(ReviewStore(database).log(probe.id)) == 1


def test_a_file_without_one_good_row_is_refused(database: Database, tmp_path: Path) -> None:
    """All bad is an error, not an empty success (X3)."""
    with pytest.raises(NothingLoaded):
        load_decisions(database, written(tmp_path / "d.jsonl", '{"probe": "x", "action": "accept"}'), "ann", Progress())
