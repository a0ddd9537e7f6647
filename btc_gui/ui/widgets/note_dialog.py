"""Asks for a note before something is done: why, in a person's words."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.plain_text import label


class NoteDialog(QDialog):
    """After `accepted`, `note` holds what was written; nothing can be done without it when it `is_needed`."""

    def __init__(
        self,
        title: str,
        text: str,
        verb: str,
        *,
        is_needed: bool = True,
        role: str = "primary",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_needed = is_needed
        self.setWindowTitle(title)
        self.resize(520, 280)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(label(text, "secondary", selectable=True))
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName("Note")
        self.editor.setPlaceholderText("Why" if is_needed else "Note (may be empty)")
        self.editor.setTabChangesFocus(True)
        self.editor.textChanged.connect(self._enable)
        column.addWidget(self.editor, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.do_button = button(verb, role=role)
        self.do_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.do_button)
        column.addLayout(row)
        self._enable()
        self.editor.setFocus()

    @property
    def note(self) -> str:
        """What was written."""
        return self.editor.toPlainText().strip()

    @Slot()
    def _enable(self) -> None:
        self.do_button.setEnabled(bool(self.note) or not self._is_needed)
