"""The line at the foot of the labelling window that says what has just happened."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer

from btc_gui.ui.announcing import announce
from btc_gui.ui.widgets.plain_text import OutsideLabel, set_role

#: So long a warning stays, whatever is typed meanwhile.
WARNING_MILLISECONDS = 5_000


class SaidLine(OutsideLabel):
    """Says one thing at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._warned = QElapsedTimer()
        self.setWordWrap(True)
        set_role(self, "small")

    def say(self, text: str, role: str) -> None:
        """Say something in a role of the style sheet ("" is the usual one)."""
        self.setText(text)
        announce(self, " ".join(text.replace("✓", "").split()))
        set_role(self, role or "small")
        if role == "warning":
            self._warned.start()
        else:
            self._warned.invalidate()

    def say_of_draft(self, text: str, role: str) -> None:
        """That something was kept must not wipe away what somebody is just being warned of."""
        is_fresh = self._warned.isValid() and self._warned.elapsed() < WARNING_MILLISECONDS
        if role == "danger" or not is_fresh:
            self.say(text, role)
