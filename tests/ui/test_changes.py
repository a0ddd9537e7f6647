"""What others write is noticed; a project that takes long to read is not read all the time."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from btc_gui.store.database import Database
from btc_gui.ui import changes as changes_module
from btc_gui.ui.changes import Changes
from tests.builders import add_event


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_after_a_long_read_it_rests_five_times_as_long(
    qtbot: QtBot, filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    told: list[object] = []
    monkeypatch.setattr(changes_module, "time", clock)
    other = Database.open(filled.path)
    changes = Changes()
    changes.watch(filled)
    changes._timer.stop()  # Looks come when the test says so.
    changes.changed.connect(told.append)

    def written_and_looked_at(now: float) -> int:
        add_event(other, entity=f"Person at {now}")
        clock.now = now
        changes._look_unless_resting()
        return len(told)

    assert written_and_looked_at(101.0) == 1
    changes.reads_took(101.0, 103.0)
    assert written_and_looked_at(104.0) == 1
    assert written_and_looked_at(112.9) == 1
    assert written_and_looked_at(113.0) == 2
    # The longest rest is a quarter of a minute; what was begun before others' writes were told does not count.
    changes.reads_took(113.0, 193.0)
    assert written_and_looked_at(208.0) == 3
    changes.reads_took(113.0, 210.0)
    assert written_and_looked_at(209.0) == 4
    changes.look()
    other.close()
