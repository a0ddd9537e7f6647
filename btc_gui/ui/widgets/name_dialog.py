"""Asks for a name."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label, one_line


class NameDialog(QDialog):
    """After `accepted`, `name` holds what was written. Enter does it; without a name nothing can be done."""

    def __init__(self, title: str, text: str, verb: str, taken: frozenset[str], parent: QWidget | None = None) -> None:
        """`taken` are names that are in use: it is said that the new one replaces what has such a name."""
        super().__init__(parent)
        self._text, self._taken = text, taken
        self.setWindowTitle(one_line(title, 120))
        size_window(self, 420, 190)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        self.words = label(text, "secondary")
        column.addWidget(self.words)
        self.field = QLineEdit()
        self.field.setAccessibleName("Name")
        self.field.setPlaceholderText("Name")
        self.field.textChanged.connect(self._sync)
        column.addWidget(self.field)
        column.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.do_button = button(verb, role="primary")
        self.do_button.setDefault(True)
        self.do_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.do_button)
        column.addLayout(row)
        self._sync()
        self.field.setFocus()

    @property
    def name(self) -> str:
        """What was written."""
        return self.field.text().strip()

    @Slot()
    def _sync(self) -> None:
        self.do_button.setEnabled(bool(self.name))
        is_taken = self.name in self._taken
        self.words.setText(f"Replaces “{self.name}”, which exists." if is_taken else self._text)
