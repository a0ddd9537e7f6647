"""Asks for a note before something is done: why, in a person's words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label, one_line


class NoteDialog(QDialog):
    """After `accepted`, `note` holds what was written; nothing can be done without it when it `is_needed`.

    With a month or year in `within` a day in it is asked for too; it stands in `day`. Ctrl+Enter does it.
    """

    def __init__(
        self,
        title: str,
        text: str,
        verb: str,
        *,
        is_needed: bool = True,
        role: str = "primary",
        within: EventDate | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_needed = is_needed
        self._within = within
        self.setWindowTitle(one_line(title, 120))
        size_window(self, 520, 280)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(label(text, "secondary", selectable=True))
        self.day_field = QLineEdit()
        if within is not None:
            self.day_field.setAccessibleName("Day")
            self.day_field.setPlaceholderText("2026-05-09")
            self.day_field.textChanged.connect(self._enable)
            column.addWidget(label(f"An event needs its day. Known so far: {within.text}."))
            column.addWidget(self.day_field)
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
        self.do_button.setToolTip("Ctrl+Enter")
        row.addWidget(cancel)
        row.addWidget(self.do_button)
        column.addLayout(row)
        self._enable()
        (self.editor if within is None else self.day_field).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.do_button.click()
        else:
            super().keyPressEvent(event)

    @property
    def note(self) -> str:
        """What was written."""
        return self.editor.toPlainText().strip()

    @property
    def day(self) -> EventDate | None:
        """The day that was written, where one is asked for; None for what is no day in the month."""
        if self._within is None:
            return None
        try:
            day = parse_event_date(self.day_field.text())
        except ValueError:
            return None
        return day if day.as_day() is not None and day.may_be(self._within) else None

    @Slot()
    def _enable(self) -> None:
        has_note = bool(self.note) or not self._is_needed
        self.do_button.setEnabled(has_note and (self._within is None or self.day is not None))
