"""How long somebody works on an item, and since the last break. The wall clock may jump freely."""

from __future__ import annotations

import time
from collections.abc import Callable

#: After this many seconds without a sign of life, time no longer counts as spent on the item.
IDLE_AFTER = 60.0
#: A pause or an idle time of this many seconds is a break.
BREAK_LASTS = 120.0


class ActiveTime:
    """Seconds spent on what is on screen; pauses and idle time are left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._spent = 0.0
        self._worked = 0.0
        self._seen = clock()
        self._is_paused = False

    @property
    def seconds(self) -> float:
        """The active seconds on the item on screen."""
        return self._spent + self._running

    @property
    def since_break(self) -> float:
        """The active seconds since the last break, over all items."""
        return self._worked + self._running

    @property
    def is_paused(self) -> bool:
        """Whether time stands still."""
        return self._is_paused

    def touch(self) -> None:
        """A sign of life: the time since the last one counts, up to the idle limit."""
        if self._is_paused:
            return
        gap = self._clock() - self._seen
        running = self._running
        self._spent += running
        self._worked = 0.0 if gap >= BREAK_LASTS else self._worked + running
        self._seen = self._clock()

    def pause(self) -> None:
        """Stop counting."""
        self.touch()
        self._is_paused = True

    def resume(self) -> None:
        """Count again after a pause."""
        if self._is_paused:
            if self._clock() - self._seen >= BREAK_LASTS:
                self._worked = 0.0
            self._is_paused = False
            self._seen = self._clock()

    def restart(self) -> None:
        """Begin at zero, for the next item; a pause goes on."""
        self.touch()
        self._spent = 0.0

    @property
    def _running(self) -> float:
        return 0.0 if self._is_paused else min(max(self._clock() - self._seen, 0.0), IDLE_AFTER)
