"""A failure mode's half-filled form survives a kill: every class, passage and letter of a second ago is on the disk."""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from pathlib import Path

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.mode_form import ModeForm, QueryLabel
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from tests.scripted_annotator import Habits, Kill, label_with_kills
from tests.scripted_form import FormAnnotator, fill_in
from tests.study_builders import item_id
from tests.ui.test_mode_form import TWO, packet

_PATIENCE = 120.0
#: Both queries, what the model received, a passage that states the change, a note.
_KEYS = "iroj" + "g7" + "n" + "she was 91"


def killed_after(path: Path, due: int | None) -> tuple[list[str], int]:
    """The states of the form that the window told, and how many were due, when the process died after so many.

    None: once all keys are pressed and all states due.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.scripted_annotator", "tests.scripted_form"])
    mine, theirs = context.Pipe(duplex=False)
    child = context.Process(target=fill_in, args=(path, _KEYS, theirs))
    child.start()
    theirs.close()
    states: list[str] = []
    reached, is_over, is_dead = 0, False, False
    with suppress(EOFError):
        while True:
            assert mine.poll(_PATIENCE), "the annotator fell silent"
            what, value = mine.recv()
            if what == "is":
                states.append(value)
            elif what == "due":
                reached = value
            else:
                is_over = True
            if not is_dead and (reached >= due if due is not None else is_over and reached == len(states)):
                child.kill()
                is_dead = True
    child.join()
    mine.close()
    return states, reached


def test_each_part_of_the_form_is_on_the_disk_a_second_later(tmp_path: Path) -> None:
    """A12: while it is being filled in, and at the end."""
    for due in (3, None):
        path = packet(tmp_path / f"{due}.btcp", TWO, TWO[:1])
        states, reached = killed_after(path, due)
        with PacketFile.open(path, to_label=False) as file:
            kept = file.draft(item_id(1))
            assert file.labels() == []
        # That which was due or a later one; never an older one, never one that the form did not have.
        assert kept in states[reached - 1 :]
    state = ItemState.from_text(kept)
    form = ModeForm.from_text(state.answers)
    assert state.note == "she was 91"
    assert form.labels == (QueryLabel.INDIRECT, QueryLabel.UNRELATED)
    assert [span.quote for span in form.spans] == ["Ada Holm died."]
    with LabellingSession(path) as session:
        assert session.draft == state


def test_no_acknowledged_form_is_lost_though_the_process_dies(tmp_path: Path) -> None:
    """A11, A12: forms with held keys, other modes with a reason, undos and changes, in a process that is killed."""
    path = packet(tmp_path / "p.btcp", TWO, TWO[:1], (), TWO, TWO[1:])
    found = label_with_kills(path, iter([Kill(2)]), Habits(is_hasty=True), annotator=FormAnnotator)
    assert found.problems == []
    assert found.sessions == 2
    assert found.acknowledged + found.unacknowledged >= 5
    with PacketFile.open(path, to_label=False) as file:
        assert {row.item for row in file.labels()} == {item_id(number) for number in range(1, 6)}
