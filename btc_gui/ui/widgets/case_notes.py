"""Notes and tags on the cases that are read, on the whole or on a step: adding, editing, taking back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.domain.case_remarks import LONGEST_NOTE, CaseNote, CaseRemarks, CaseTag, place_reference, tags_of
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import BtcError
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.kept_draft import KeptDraft
from btc_gui.ui.widgets.buttons import button, link_button
from btc_gui.ui.widgets.case_actions import CaseActions
from btc_gui.ui.widgets.frames import scrolling, text_scale_of
from btc_gui.ui.widgets.note_field import NoteField
from btc_gui.ui.widgets.plain_text import label, one_line, tooltip
from btc_gui.ui.widgets.tag_row import TagRow
from btc_gui.ui.words import moment

#: So many rows are seen at once when all notes are shown.
_ROWS = 5
_LONGEST_LIST = 200
#: Pixels at normal text size in which tags and buttons can stand in one line.
_LEAST_FOR_ONE_LINE = 460


class CaseNotes(QFrame):
    """Appends notes and tags with author and time. What is edited or withdrawn stays in the project.

    What is typed goes to the case that was opened, or to the step that `note_on` names.
    """

    #: A note or tag was added, edited or withdrawn.
    changed = Signal()
    #: A note was added, or Escape left its field or that for tags: keys are for reading again.
    written = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._remarks: tuple[CaseRemarks, ...] = ()
        self._lane, self._step_number = 0, None  # type: int, int | None
        self._edited: CaseNote | None = None
        #: The note that was just withdrawn, as long as it can be put back by a click.
        self._withdrawn: CaseNote | None = None
        self._shows_all = False
        self.setProperty("role", "sunken")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._top.setSpacing(8)
        self.tags = TagRow()
        self.tags.added.connect(self._add_tags)
        self.tags.taken.connect(self._take_tag)
        self.tags.entered.connect(self._offer_tags)
        self.tags.escaped.connect(self.written)
        self._top.addWidget(self.tags, 1)
        self.note_button = button("Note", "note")
        self.note_button.setToolTip("Note on this case (N)")
        self.note_button.clicked.connect(self.to_note)
        self.actions_row = CaseActions(context)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.note_button, 0, Qt.AlignmentFlag.AlignTop)
        buttons.addWidget(self.actions_row, 0, Qt.AlignmentFlag.AlignTop)
        self._top.addLayout(buttons)
        column.addLayout(self._top)
        holder = QWidget()
        self._lines = QVBoxLayout(holder)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(2)
        self._list = scrolling(holder, "Notes")
        self._list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column.addWidget(self._list)
        self._entry = QWidget()
        row = QHBoxLayout(self._entry)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.target = button("", role="chip")
        self.target.setToolTip("Note on the case instead")
        self.target.clicked.connect(self._to_case)
        row.addWidget(self.target, 0, Qt.AlignmentFlag.AlignTop)
        self.field = NoteField()
        self.field.returnPressed.connect(self._give)
        row.addWidget(self.field, 1)
        self.add_button = button("Add note", "note")
        self.add_button.clicked.connect(self._give)
        row.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._entry)
        self.field.left.connect(self._put_away)
        self.field.escaped.connect(self.written)
        self.field.overfilled.connect(self._tell_of_cut)
        self.field.textChanged.connect(self._show_entry)
        self._entry.hide()
        self._draft = KeptDraft(context, self.field)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below the tags where there is no room beside them."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        is_narrow = self.width() < _LEAST_FOR_ONE_LINE * text_scale_of(self)
        self._top.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)

    # -- showing ---------------------------------------------------------------------------------------------

    def show_remarks(self, remarks: Sequence[CaseRemarks]) -> None:
        """Show what people attached to the cases side by side; what was being typed elsewhere is kept as its draft."""
        before, self._remarks = self._remarks, tuple(remarks)
        ids = [each.answer_id for each in remarks]
        if [each.answer_id for each in before] != ids:
            self._lane, self._step_number, self._edited, self._shows_all = 0, None, None, False
            self._withdrawn = None
        elif self._edited is not None and self._edited not in [note for each in remarks for note in each.notes]:
            # Somebody else edited it or took it back meanwhile.
            self._edited = None
        self.actions_row.show_case(remarks[0])
        self._show_tags()
        self._show_lines()
        self._aim()
        self._entry.setVisible(bool(self.field.text()) or self.field.hasFocus())

    def note_on(self, lane: int, step_number: int | None) -> None:
        """Let what is typed go to a step (None: the case) of the case in a lane, and put the cursor there."""
        if lane < len(self._remarks):
            self._lane, self._step_number, self._edited = lane, step_number, None
            self._aim()
            self._entry.show()
            self.field.setFocus()

    def to_note(self) -> None:
        """Put the cursor into the field for notes, which is there while something is written."""
        self._entry.show()
        self.field.setFocus()

    def to_tag(self) -> None:
        """Put the cursor into the field for tags."""
        self.tags.field.setFocus()

    def _offer_tags(self) -> None:
        self.tags.complete_from(list(CaseTagStore(self._context.database).counts()))

    def keep_draft(self) -> None:
        """Keep what is being typed; it is there again when the case is."""
        self._draft.flush()

    @property
    def _answer_id(self) -> AnswerId | None:
        return self._remarks[self._lane].answer_id if self._remarks else None

    def _show_entry(self) -> None:
        if self.field.text():
            self._entry.show()

    def _tell_of_cut(self) -> None:
        self._context.shell.say(f"A note has {LONGEST_NOTE:,} characters at most: the rest of the paste is left out")

    def _put_away(self) -> None:
        """The field was left: without a text it makes room for reading."""
        if not self.field.text() and self._edited is None:
            self._step_number, self._lane = None, 0
            self._aim()
            self._entry.setVisible(bool(self.field.text()))

    def _to_case(self) -> None:
        self.note_on(0, None)

    def _aim(self) -> None:
        """Say where what is typed goes, and show what is unfinished there."""
        answer_id = self._answer_id
        if answer_id is None:
            return
        where = place_reference(answer_id, self._step_number)
        if self._edited is not None:
            words = "Editing a note  ✕"
            self._draft.begin(f"case-note-edit/{self._edited.id}", self._edited.note)
        else:
            words = f"On {where}  ✕"
            self._draft.begin(f"case-note/{where.removeprefix('btc:')}")
        self.target.setText(words)
        self.target.setAccessibleName(words.removesuffix("  ✕"))
        self.target.setVisible(self._edited is not None or self._step_number is not None or self._lane > 0)
        subject = "this step" if self._step_number is not None else "this case"
        hint = f"Note on {subject}; Enter adds it, Shift+Enter begins a line, Escape leaves it"
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(f"Note on {subject}")
        self.tags.field.setPlaceholderText(f"Tag {subject}")
        self.add_button.setText(" Save note" if self._edited is not None else " Add note")

    def _place(self, answer_id: AnswerId, step_number: int | None) -> str:
        """Where a note or tag is, as far as it is not on the case that was opened itself."""
        parts = [f"btc:{answer_id}"] if answer_id != self._remarks[0].answer_id else []
        return " ".join([*parts, *([f"step {step_number}"] if step_number is not None else [])])

    def _show_tags(self) -> None:
        tags = [tag for each in self._remarks for tag in each.tags]
        self.tags.show_tags([(tag, self._place(tag.answer_id, tag.step_number)) for tag in tags[:_LONGEST_LIST]])

    def _show_lines(self) -> None:
        was_here = self._list.isAncestorOf(self._list.window().focusWidget() or self)
        while self._lines.count():
            item = self._lines.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        notes = sorted((note for each in self._remarks for note in each.notes), key=lambda note: note.at)
        shown = notes[-_LONGEST_LIST:] if self._shows_all else notes[-1:]
        lines = [self._line(note, len(notes) if note is shown[-1] else 0) for note in shown]
        if self._withdrawn is not None:
            lines.append(self._withdrawn_line(self._withdrawn))
        for line in lines:
            self._lines.addWidget(line)
        if was_here and self._withdrawn is not None:
            self._back.setFocus()
        self._list.setVisible(bool(lines))
        row = max((line.sizeHint().height() for line in lines), default=0) + self._lines.spacing()
        self._list.setFixedHeight(row * min(len(lines), _ROWS))
        if len(lines) > _ROWS:
            bar = self._list.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _toggle_all(self) -> None:
        self._shows_all = not self._shows_all
        self._show_lines()

    def _line(self, note: CaseNote, of: int) -> QWidget:
        """A note. The newest one of several (`of`) leads to the others."""
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        place = self._place(note.answer_id, note.step_number)
        if place:
            row.addWidget(label(place, "small", wraps=False))
        words = label(one_line(note.note, 160), wraps=False)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        words.setToolTip(tooltip(note.note))
        row.addWidget(words, 1)
        edited = "edited " if note.replaces is not None else ""
        row.addWidget(label(f"{one_line(note.author, 30)}, {edited}{moment(note.at)}", "small", wraps=False))
        if of > 1:
            more = link_button("Newest only" if self._shows_all else f"All {of} notes")
            more.clicked.connect(self._toggle_all)
            row.addWidget(more)
        row.addWidget(self._verb("Edit", note, self._edit))
        row.addWidget(self._verb("Withdraw", note, self._withdraw))
        return holder

    def _withdrawn_line(self, note: CaseNote) -> QWidget:
        """Where the note stood, until something else is written or shown: a slip is taken back by one click."""
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        words = label(f"Note withdrawn: {one_line(note.note, 80)}", "secondary", wraps=False)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(words, 1)
        self._back = self._verb("Put back", note, self._put_back)
        row.addWidget(self._back)
        return holder

    def _verb(self, text: str, note: CaseNote, slot: Callable[[], None]) -> QPushButton:
        made = link_button(text)
        made.setProperty("note", note)
        made.setAccessibleName(f"{text} the note {one_line(note.note, 40)}")
        made.clicked.connect(slot)
        return made

    # -- writing ---------------------------------------------------------------------------------------------

    def _give(self) -> None:
        text, answer_id, author = self.field.text().strip(), self._answer_id, self._context.settings.reviewer
        if not text or answer_id is None:
            return
        store, edited = CaseNoteStore(self._context.database), self._edited
        if edited is not None:
            given = self._write(lambda: store.edit(edited.id, text, author))
        else:
            given = self._write(lambda: store.add(answer_id, text, author, self._step_number))
        if given:
            self._draft.done()
            self._edited = self._withdrawn = None
            self._aim()
            self._tell()
            self.written.emit()

    def _edit(self) -> None:
        note = self.sender().property("note")
        lanes = [each.answer_id for each in self._remarks]
        self._lane, self._step_number, self._edited = lanes.index(note.answer_id), note.step_number, note
        self._aim()
        self._entry.show()
        self.field.setFocus()

    def _withdraw(self) -> None:
        note = self.sender().property("note")
        store, author = CaseNoteStore(self._context.database), self._context.settings.reviewer
        if self._write(lambda: store.withdraw(note.id, author)):
            self._withdrawn = note
            self._tell()

    def _put_back(self) -> None:
        """Write once more what was withdrawn: the record keeps that it was."""
        note = self.sender().property("note")
        store, author = CaseNoteStore(self._context.database), self._context.settings.reviewer
        if self._write(lambda: store.add(note.answer_id, note.note, author, note.step_number)):
            self._withdrawn = None
            self._tell()

    def _add_tags(self, text: str) -> None:
        answer_id, author, step_number = self._answer_id, self._context.settings.reviewer, self._step_number
        if answer_id is None:
            return
        store = CaseTagStore(self._context.database)

        def add() -> None:
            for tag in tags_of(text):
                store.add([answer_id], tag, author, step_number)

        if self._write(add):
            self.tags.field.clear()
            self._tell()

    def _take_tag(self, tag: object) -> None:
        if not isinstance(tag, CaseTag):
            return
        store, author = CaseTagStore(self._context.database), self._context.settings.reviewer
        if self._write(lambda: store.withdraw(tag.answer_id, tag.tag, author, tag.step_number)):
            self._tell()

    def _write(self, work: Callable[[], object]) -> bool:
        try:
            work()
        except BtcError as error:
            self._context.shell.show_error(error)
            return False
        return True

    def _tell(self) -> None:
        self._context.changes.tell(Subject.NOTES)
        self.changed.emit()
