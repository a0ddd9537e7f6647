"""Python's garbage collector on the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

#: How often it is asked whether there is enough to look through.
_LOOK_MILLISECONDS = 500
#: How many new objects are enough, how many rounds with them for the next older ones, and how many of those for all.
#: By default 700 are: a window makes as many at each turn.
_ENOUGH = (20_000, 20, 20)


class GarbageTurns(QObject):
    """Collects garbage between two events of the window, and from now on nowhere else.

    Python collects on whichever thread makes the object that is one too many. On a job's thread it would take apart
    what belongs to the window's: a timer that is deleted there stays known to Qt, which calls it when it is gone.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(_LOOK_MILLISECONDS)

    def _look(self) -> None:
        collect_if_due()


def collect_if_due() -> None:
    """Collect on this thread when there are enough new objects; older ones too when theirs is the turn."""
    new, rounds, old_rounds = (count > limit for count, limit in zip(gc.get_count(), _ENOUGH, strict=True))
    if new:
        # As Python does: older objects are looked through only with the younger ones.
        gc.collect(2 if rounds and old_rounds else 1 if rounds else 0)
