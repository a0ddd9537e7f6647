"""The bar of how far something is."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget


class ProgressBar(QProgressBar):
    """A bar that is painted when the window is. Qt's paints itself at once whenever it moves, and with it whatever else
    of the window waits to be painted: a run has dozens of bars that move ten times a second."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        """`name` is for those who can't see it."""
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def setValue(self, value: int) -> None:
        """Move to a value; nothing is painted yet."""
        if value != self.value():
            self.setUpdatesEnabled(False)
            super().setValue(value)
            self.setUpdatesEnabled(True)
