"""A combo box that the mouse wheel does not change while somebody scrolls past it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from btc_gui.ui.widgets.plain_text import one_line


class Combo(QComboBox):
    """Choices as (value, words)."""

    def __init__(self, name: str, choices: Sequence[tuple[str, str]] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        # Where Qt speaks by AT-SPI it gives what is chosen for the name of the box.
        self.setAccessibleDescription(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(10)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_choices(choices)

    def minimumSizeHint(self) -> QSize:
        """Narrower than it likes to be, where there is no room: what is chosen then ends in “…”."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * 8 + 40), hint.height())

    def set_choices(self, choices: Sequence[tuple[str, str]], value: str = "") -> None:
        """Offer these and show `value`, without telling."""
        was_blocked = self.blockSignals(True)
        self.clear()
        for each, words in choices:
            self.addItem(one_line(words, 90), each)
        self.setCurrentIndex(max(0, self.findData(value)))
        self.blockSignals(was_blocked)

    @property
    def value(self) -> str:
        """The chosen value."""
        return str(self.currentData() or "")

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
