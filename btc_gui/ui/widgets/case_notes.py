"""The notes on a case: the last ones, a field for another, and taking one back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.domain.case_remarks import CaseNote, NoteId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import BtcError
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.drafts import DraftStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import button, link_button
from btc_gui.ui.widgets.plain_text import label, one_line, tooltip
from btc_gui.ui.words import moment

_SHOWN = 3


class CaseNotes(QFrame):
    """Appends notes with author and time; a withdrawn one stays in the project and is no longer shown."""

    #: A note was added or withdrawn.
    changed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._answer_id: AnswerId | None = None
        self._kept = ""
        self.setProperty("role", "sunken")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(2)
        column.addLayout(self._lines)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Note on this case (N); Enter adds it")
        self.field.setAccessibleName("Note on this case")
        self.field.returnPressed.connect(self._add)
        row.addWidget(self.field, 1)
        add = button("Add note", "note")
        add.clicked.connect(self._add)
        row.addWidget(add)
        column.addLayout(row)

    def show_notes(self, answer_id: AnswerId, notes: Sequence[CaseNote]) -> None:
        """Show the notes of a case; what was being typed for another one is kept as its draft."""
        if answer_id != self._answer_id:
            self.keep_draft()
            self._answer_id = answer_id
            self._kept = DraftStore(self._context.database).get(self._place)
            self.field.setText(self._kept)
        while self._lines.count():
            item = self._lines.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if len(notes) > _SHOWN:
            self._lines.addWidget(label(f"{len(notes) - _SHOWN} earlier notes", "small"))
        for note in notes[-_SHOWN:]:
            self._lines.addWidget(self._line(note))

    @property
    def _place(self) -> str:
        return f"case-note/{self._answer_id}"

    def keep_draft(self) -> None:
        """Keep what is being typed; it is there again when the case is."""
        text = self.field.text()
        if self._answer_id is not None and text != self._kept:
            try:
                DraftStore(self._context.database).keep(self._place, text)
            except BtcError as error:
                self._context.shell.show_error(error)
            else:
                self._kept = text

    def _line(self, note: CaseNote) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        words = label(one_line(note.note, 160), wraps=False)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        words.setToolTip(tooltip(note.note))
        row.addWidget(words, 1)
        row.addWidget(label(f"{one_line(note.author, 30)}, {moment(note.at)}", "small", wraps=False))
        withdraw = link_button("Withdraw")
        withdraw.setProperty("note", int(note.id))
        withdraw.setAccessibleName(f"Withdraw the note {one_line(note.note, 40)}")
        withdraw.clicked.connect(self._withdraw)
        row.addWidget(withdraw)
        return holder

    def _add(self) -> None:
        text = self.field.text().strip()
        if not text or self._answer_id is None:
            return
        try:
            CaseNoteStore(self._context.database).add(self._answer_id, text, self._context.settings.reviewer)
        except BtcError as error:
            self._context.shell.show_error(error)
            return
        self.field.clear()
        self.keep_draft()
        self._tell()

    def _withdraw(self) -> None:
        note_id = NoteId(self.sender().property("note"))
        try:
            CaseNoteStore(self._context.database).withdraw(note_id, self._context.settings.reviewer)
        except BtcError as error:
            self._context.shell.show_error(error)
            return
        self._tell()

    def _tell(self) -> None:
        self._context.changes.tell(Subject.NOTES)
        self.changed.emit()
