"""Practice comes first, tells right from wrong, and ends with its mark; what it brought is kept apart."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import ItemId, PacketItem, PracticeItem
from btc_gui.errors import InputError, PacketError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.practising import PracticeSession
from btc_gui.store.packet_file import PacketFile
from tests.study_builders import item_id, make_manifest, practice_id, write_practice_packet

CORRECT, INCORRECT = ItemState("correct"), ItemState("incorrect")


@pytest.fixture
def packet(tmp_path: Path) -> Path:
    return write_practice_packet(tmp_path / "p.btcp")


def shown(practice: PracticeSession) -> ItemId | None:
    return practice.current.item if practice.current else None


def told(practice: PracticeSession) -> tuple[bool, str, str, str] | None:
    feedback = practice.feedback
    return (feedback.is_right, feedback.given.text, feedback.known.text, feedback.why) if feedback else None


def practice_of(session: LabellingSession) -> PracticeSession | None:
    return session.practice


def answer(practice: PracticeSession, state: ItemState) -> None:
    assert practice.current is not None
    assert practice.label_as(practice.current.item, state)
    practice.go_on()


def test_each_practice_label_is_told_right_or_wrong_and_why(packet: Path) -> None:
    with LabellingSession(packet) as session:
        practice = session.practice
        assert practice is not None
        assert (shown(practice), practice.page, practice.total, practice.needed) == (practice_id(1), "Criteria.", 3, 2)
        assert practice.label_as(practice_id(1), INCORRECT)
        assert told(practice) == (False, "Incorrect", "Correct", "Because of 1.")
        # A second press is for an item that is labelled.
        assert not practice.label_as(practice_id(1), CORRECT)
        practice.go_on()
        assert told(practice) is None
        assert practice.label_as(practice_id(2), CORRECT)
        assert told(practice) == (True, "Correct", "Correct", "Because of 2.")


def test_no_item_can_be_labelled_before_the_mark_is_reached(packet: Path) -> None:
    with LabellingSession(packet) as session:
        assert session.practice is not None
        with pytest.raises(InputError, match="Practice comes first"):
            session.label(item_id(1), "correct")
        for state in (CORRECT, INCORRECT, CORRECT):
            answer(session.practice, state)
        result = session.practice.result
        assert result is not None
        assert (result.right, result.items, result.is_passed) == (2, 3, True)
        session.practice.go_on()
        assert practice_of(session) is None
        assert session.label(item_id(1), "correct")
    with PacketFile.open(packet, to_label=False) as file:
        assert [(row.item, row.label) for row in file.labels()] == [(item_id(1), "correct")]
        assert [row.label for row in file.practice_labels()] == ["correct", "incorrect", "correct"]


def test_who_misses_the_mark_practises_again(packet: Path) -> None:
    with LabellingSession(packet) as session:
        practice = session.practice
        assert practice is not None
        for _ in range(3):
            answer(practice, INCORRECT)
        assert shown(practice) is None
        assert practice.result is not None
        assert not practice.result.is_passed
        practice.go_on()
        assert (shown(practice), practice.done) == (practice_id(1), 0)


def test_practice_goes_on_after_a_restart_and_is_not_asked_for_again(packet: Path) -> None:
    with LabellingSession(packet) as session:
        assert session.practice is not None
        answer(session.practice, CORRECT)
    with LabellingSession(packet) as session:
        assert session.practice is not None
        assert (shown(session.practice), session.practice.done) == (practice_id(2), 1)
        answer(session.practice, CORRECT)
        answer(session.practice, CORRECT)
    with LabellingSession(packet) as session:
        assert session.practice is None


def test_a_practice_label_needs_the_reason_that_its_label_needs(packet: Path) -> None:
    with LabellingSession(packet) as session:
        assert session.practice is not None
        with pytest.raises(InputError, match="needs a reason"):
            session.practice.label_as(practice_id(1), ItemState("unsure"))
        assert session.practice.done == 0
        assert session.practice.label_as(practice_id(1), ItemState("unsure", "It could be both."))


def test_practice_items_take_no_place_among_the_items(packet: Path) -> None:
    with LabellingSession(packet) as session:
        assert (session.total, session.done) == (2, 0)
        assert not session.show(practice_id(1))


def test_a_packet_without_practice_begins_with_its_first_item(tmp_path: Path) -> None:
    with LabellingSession(write_practice_packet(tmp_path / "none.btcp", practice=0)) as session:
        assert session.practice is None


def test_altered_practice_items_are_noticed(packet: Path) -> None:
    connection = sqlite3.connect(packet)
    connection.execute("UPDATE practice SET content = replace(content, '\"correct\"', '\"incorrect\"')")
    connection.commit()
    connection.close()
    with pytest.raises(PacketError, match="altered"):
        LabellingSession(packet)


@pytest.mark.parametrize(
    "wrong",
    [
        {"label": "perhaps"},
        {"page": "q"},
        {"values": {"answer": "only"}},
        {"item": item_id(1)},
    ],
)
def test_a_practice_item_must_fit_its_packet(tmp_path: Path, wrong: dict[str, object]) -> None:
    manifest = make_manifest(1)
    values = {field.name: "text" for field in manifest.fields}
    entry = replace(PracticeItem(practice_id(1), "p", values, "correct", ""), **wrong)  # type: ignore[arg-type]
    path = tmp_path / "wrong.btcp"
    with pytest.raises((PacketError, sqlite3.Error)):
        PacketFile.create(path, manifest, {"p": ""}, [PacketItem(item_id(1), 1, "p", values)], [entry])
    assert not path.exists()
