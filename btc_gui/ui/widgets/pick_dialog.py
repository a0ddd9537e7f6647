"""Asks how many cases are to be picked at random, and by which seed."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.words import counted


class PickDialog(QDialog):
    """After `accepted`, `count` and `seed` hold what was asked for."""

    def __init__(self, available: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Pick at random")
        size_window(self, 440, 260)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("Pick at random", "title"))
        words = (
            f"Draws from the {counted(available, 'case')} of the list. The same seed draws the same cases everywhere: "
            "here, and with “btc-gui cases pick”."
        )
        column.addWidget(label(words, "secondary"))
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        self._count = QSpinBox()
        self._count.setRange(1, max(1, available))
        self._count.setValue(min(20, available))
        self._count.setAccessibleName("How many")
        form.addRow("How many", self._count)
        self._seed = QLineEdit("1")
        self._seed.setAccessibleName("Seed")
        self._seed.textChanged.connect(self._sync)
        form.addRow("Seed", self._seed)
        column.addLayout(form)
        column.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self._pick = button("Pick", role="primary")
        self._pick.setDefault(True)
        self._pick.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self._pick)
        column.addLayout(row)
        self._count.setFocus()
        self._count.selectAll()

    @property
    def count(self) -> int:
        """How many cases."""
        return self._count.value()

    @property
    def seed(self) -> str:
        """What decides the draw."""
        return self._seed.text()

    @Slot()
    def _sync(self) -> None:
        self._pick.setEnabled(bool(self.seed.strip()))
