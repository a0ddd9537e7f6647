"""An annotator whose process is killed in the middle of the work loses no label that the window had acknowledged."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.store.packet_file import PacketFile
from tests.scripted_annotator import Habits, Kill, label_with_kills
from tests.study_builders import item_id, write_packet


@pytest.mark.slow
def test_no_acknowledged_label_and_no_second_of_typing_is_lost(tmp_path: Path) -> None:
    """A12: labels, changes, undos, skips and notes, through the window, in a process that dies again and again."""
    packet = write_packet(tmp_path / "p.btcp", 80)
    kills = [Kill(1), Kill(6), Kill(keystrokes=3), Kill(13), Kill(2), Kill(keystrokes=28), Kill(24)]
    found = label_with_kills(packet, iter(kills), Habits())
    assert found.problems == []
    assert found.sessions == 8
    assert found.acknowledged + found.unacknowledged >= 80
    assert found.typed > 0
    with PacketFile.open(packet, to_label=False) as file:
        assert {row.item for row in file.labels()} == {item_id(number) for number in range(1, 81)}


def test_held_keys_and_double_presses_make_one_label_each_though_the_process_dies(tmp_path: Path) -> None:
    """A11: every key is held down until it repeats, and pressed once more, at the window's real pace."""
    packet = write_packet(tmp_path / "p.btcp", 8)
    found = label_with_kills(packet, iter([Kill(3)]), Habits(is_hasty=True))
    assert found.problems == []
    assert found.sessions == 2
    assert found.acknowledged + found.unacknowledged >= 8
