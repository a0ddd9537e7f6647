"""Progress that does not sleep: it keeps how long it was told to wait."""

from __future__ import annotations

from btc_gui.progress import Progress


class Impatient(Progress):
    """Waits are noted in `waits` (seconds) and take no time."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        """Note the wait."""
        self.check()
        self.waits.append(seconds)
