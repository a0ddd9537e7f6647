"""What an annotator may rely on: nothing is lost, nothing is doubled, everything can be taken back."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import summarise
from btc_gui.errors import InputError, PacketError
from btc_gui.sessions.active_time import IDLE_AFTER
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from tests.study_builders import item_id, write_packet


@pytest.fixture
def packet(tmp_path: Path) -> Path:
    return write_packet(tmp_path / "packet-1.btcp")


def test_an_unlabelled_packet_starts_at_its_first_item_with_an_empty_form(packet: Path) -> None:
    """A4, B4: the first item is shown, and nothing is filled in."""
    with LabellingSession(packet) as session:
        assert session.current is not None
        assert (session.current.item, session.done, session.total) == (item_id(1), 0, 3)
        assert session.given is None
        assert session.draft == ItemState()
        assert session.current.text("probe") == "Request of item 1"
        assert session.page == "Criteria."


def test_labels_are_given_one_after_the_other_until_all_is_done(packet: Path) -> None:
    """A3: after the last item comes the finished state, and the totals agree."""
    with LabellingSession(packet) as session:
        for number in (1, 2, 3):
            assert session.label(item_id(number), "correct")
        assert session.is_finished
        assert session.current is None
        assert (session.done, session.total) == (3, 3)
        assert not session.label(item_id(3), "incorrect")


def test_moving_on_without_a_label_leaves_the_item_open(packet: Path) -> None:
    """A2: next, back and skip are no labels."""
    with LabellingSession(packet) as session:
        assert session.forward()
        assert session.back()
        assert session.skip(item_id(1))
        assert session.done == 0
        assert session.skipped == 1


def test_skipped_items_come_last_and_in_the_order_of_skipping(packet: Path) -> None:
    with LabellingSession(packet) as session:
        session.skip(item_id(1))
        session.skip(item_id(2))
    with LabellingSession(packet) as session:
        assert session.current is not None
        assert session.current.item == item_id(3)
        session.label(item_id(3), "correct")
        assert session.current.item == item_id(1)
        session.label(item_id(1), "correct")
        assert session.current.item == item_id(2)
        assert session.skipped == 1


def test_a_label_is_for_the_item_that_was_on_screen(packet: Path) -> None:
    """A10, A11: a second key press for the same item writes nothing, onto no item."""
    with LabellingSession(packet) as session:
        assert session.label(item_id(1), "correct")
        assert not session.label(item_id(1), "incorrect")
        assert not session.label(item_id(3), "incorrect")
        assert not session.skip(item_id(1))
        assert session.done == 1
    with PacketFile.open(packet, to_label=False) as file:
        assert [(row.item, row.label) for row in file.labels()] == [(item_id(1), "correct")]


def test_two_submits_at_once_make_one_label(tmp_path: Path) -> None:
    """A11: also when they come from two threads in the same moment."""
    packet = write_packet(tmp_path / "packet-2.btcp", 20)
    with LabellingSession(packet) as session:
        for number in range(1, 21):
            barrier = threading.Barrier(2)

            def submit(value: str, number: int = number, barrier: threading.Barrier = barrier) -> None:
                barrier.wait()
                session.label(item_id(number), value)

            threads = [threading.Thread(target=submit, args=(value,)) for value in ("correct", "incorrect")]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert session.done == 20
    with PacketFile.open(packet, to_label=False) as file:
        assert [row.item for row in file.labels()] == [item_id(number) for number in range(1, 21)]


def test_unsure_needs_a_reason_and_labels_must_exist(packet: Path) -> None:
    """A11: validation is not bypassed by trying twice."""
    with LabellingSession(packet) as session:
        for _ in range(2):
            with pytest.raises(InputError, match="needs a reason"):
                session.label(item_id(1), "unsure", reason="  ")
        with pytest.raises(InputError, match="not a label"):
            session.label(item_id(1), "Correct")
        assert session.done == 0
        assert session.label(item_id(1), "unsure", reason="It names a namesake.")


def test_parts_of_a_form_are_refused_where_only_a_label_is_asked_for(packet: Path) -> None:
    with LabellingSession(packet) as session:
        with pytest.raises(InputError, match="labels only"):
            session.label(item_id(1), "correct", answers='{"queries":[]}')
        assert session.done == 0


def test_undo_works_on_the_finished_screen(packet: Path) -> None:
    """A6: the last label of the packet can be taken back."""
    with LabellingSession(packet) as session:
        for number in (1, 2, 3):
            session.label(item_id(number), "correct", note=f"note {number}")
        assert session.can_undo
        assert session.undo() == item_id(3)
        assert session.current is not None
        assert session.current.item == item_id(3)
        assert session.given is None
        assert session.draft.note == "note 3"
        assert session.done == 2
        assert session.label(item_id(3), "incorrect")
        assert session.is_finished


def test_undo_works_across_restarts_and_is_itself_kept(packet: Path) -> None:
    """A7: undo is one more row; the withdrawn label is still on record and is not analysed."""
    with LabellingSession(packet) as session:
        session.label(item_id(1), "correct")
        session.label(item_id(2), "correct")
    with LabellingSession(packet) as session:
        assert session.undo() == item_id(2)
        assert session.undo() == item_id(1)
        assert session.undo() is None
        assert not session.can_undo
    with LabellingSession(packet) as session:
        assert session.done == 0
        session.label(item_id(1), "incorrect")
    with PacketFile.open(packet, to_label=False) as file:
        rows = file.labels()
    assert [(row.label, row.undoes) for row in rows] == [
        ("correct", None),
        ("correct", None),
        ("", 2),
        ("", 1),
        ("incorrect", None),
    ]
    assert {item: row.label for item, row in summarise(rows).analysed.items()} == {item_id(1): "incorrect"}


def test_a_changed_label_is_a_new_row_and_the_first_one_is_analysed(packet: Path) -> None:
    with LabellingSession(packet) as session:
        session.label(item_id(1), "correct")
        assert session.back()
        assert session.given is not None
        assert session.given.label == "correct"
        assert session.label(item_id(1), "incorrect")
        assert session.current is not None
        assert session.current.item == item_id(2)
        assert session.done == 1
    with PacketFile.open(packet, to_label=False) as file:
        summary = summarise(file.labels())
    assert summary.analysed[item_id(1)].label == "correct"
    assert summary.latest[item_id(1)].label == "incorrect"
    assert summary.changed == 1


def test_from_the_finished_screen_one_can_go_back(packet: Path) -> None:
    with LabellingSession(packet) as session:
        for number in (1, 2, 3):
            session.label(item_id(number), "correct")
        assert session.back()
        assert session.current is not None
        assert session.current.item == item_id(3)
        session.to_next_open()
        assert session.current is None


def test_a_note_is_kept_while_it_is_typed(packet: Path) -> None:
    """A12: what was typed until the last pause is there after a crash, beside its own item."""
    session = LabellingSession(packet)
    session.keep_draft(ItemState(note="half a sent"))
    session.keep_draft(ItemState(note="for the second"), item_id(2))
    session.close()
    with LabellingSession(packet) as again:
        assert again.draft.note == "half a sent"
        again.label(item_id(1), "correct", note="half a sentence")
        assert again.draft.note == "for the second"
        again.back()
        assert again.draft.note == "half a sentence"


def test_a_second_window_is_refused(packet: Path) -> None:
    """Two processes on one packet: the second one hears why, and nothing changes."""
    with LabellingSession(packet) as session:
        session.label(item_id(1), "correct")
        code = "import sys, pathlib, btc_gui.sessions.labelling as l\nl.LabellingSession(pathlib.Path(sys.argv[1]))"
        second = subprocess.run([sys.executable, "-c", code, packet], capture_output=True, text=True, check=False)
        assert "is open in another window" in second.stderr
        with pytest.raises(PacketError, match="open in another window"):
            PacketFile.open(packet, to_label=False)
        assert session.label(item_id(2), "correct")


def test_no_acknowledged_label_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    """A12: a child prints each label after it was acknowledged and dies by SIGKILL in the middle of the next ones."""
    packet = write_packet(tmp_path / "packet-3.btcp", 200)
    code = f"""
from pathlib import Path
from btc_gui.domain.item_state import ItemState
from btc_gui.sessions.labelling import LabellingSession
session = LabellingSession(Path({str(packet)!r}))
while session.current:
    item = session.current.item
    session.keep_draft(ItemState(note="note of " + item))
    session.label(item, "correct", note="note of " + item)
    print(item, flush=True)
"""
    acknowledged: list[str] = []
    for wanted in (1, 7, 12, 25):
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        acknowledged += [child.stdout.readline().strip() for _ in range(wanted)]
        child.kill()
        acknowledged += child.stdout.read().split()
        child.stdout.close()
        child.wait()
        with PacketFile.open(packet, to_label=False) as file:
            rows = file.labels()
        stored = [row.item for row in rows]
        assert stored[: len(acknowledged)] == acknowledged
        assert len(set(stored)) == len(stored)
        # The one that was on the disk when the process died before it could say so.
        acknowledged = list(stored)
    with LabellingSession(packet) as session:
        assert session.done == len(acknowledged)


def test_a_label_that_can_not_be_saved_is_not_taken_for_given(tmp_path: Path) -> None:
    """D1: a full disk is said loudly; the item stays on screen, and once there is room the label goes through."""
    packet = write_packet(tmp_path / "packet-4.btcp")
    with LabellingSession(packet) as session:
        connection = session._file._connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        long_note = "n" * 100_000
        with pytest.raises(PacketError, match="no space left"):
            session.label(item_id(1), "correct", note=long_note)
        with pytest.raises(PacketError, match="no space left"):
            session.keep_draft(ItemState(note=long_note))
        assert session.current is not None
        assert (session.current.item, session.done, session.can_undo) == (item_id(1), 0, False)
        connection.execute("PRAGMA max_page_count = 1000000")
        assert session.label(item_id(1), "correct", note=long_note)
    with LabellingSession(packet) as session:
        assert session.done == 1


def test_active_time_leaves_out_pauses_and_idle_time(packet: Path) -> None:
    now = 0.0

    def clock() -> float:
        return now

    with LabellingSession(packet, clock=clock) as session:
        now += 10
        session.touch()
        now += 1_000
        session.touch()
        session.pause()
        now += 500
        session.resume()
        now += 5
        session.label(item_id(1), "correct")
        now -= 300
        session.label(item_id(2), "correct")
    with PacketFile.open(packet, to_label=False) as file:
        assert [row.active_seconds for row in file.labels()] == [10 + IDLE_AFTER + 5, 0]
