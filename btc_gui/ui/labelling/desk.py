"""The row of labels below an item: a button and a key each, the reason that some need, confidence, a note."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.outside_text import printable
from btc_gui.domain.packet import Choice, GivenLabel
from btc_gui.ui.labelling.form import FormContext
from btc_gui.ui.widgets.buttons import CommandButton, button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import label, set_role

#: How sure the annotator is: value, words, key.
CONFIDENCE = ((1, "Low", "L"), (2, "Medium", "M"), (3, "High", "H"))
_BUTTON_HEIGHT = 36
#: A note that is less wide stands in a line of its own.
_LEAST_NOTE = 240
#: What a note or a reason may hold: as much as a field of one line does in Qt.
MOST_CHARACTERS = 32_767


class FieldLine(QLineEdit):
    """A text field that tells when Esc leaves it, and when a text was longer than it holds.

    The key that led to it does not type while it is still held down.
    """

    left = Signal()
    #: Words on what was pasted but did not fit, and their role.
    said = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_new = True
        self.setMaxLength(MOST_CHARACTERS)
        self.inputRejected.connect(self._tell_cut)

    def setText(self, text: str | None, /) -> None:
        """Begin with an earlier text, without what can't be seen in it: a packet may hold labels of others."""
        super().setText(printable(text or ""))

    def _tell_cut(self) -> None:
        if len(self.text()) >= MOST_CHARACTERS:
            self.said.emit(f"Cut: a field holds {MOST_CHARACTERS:,} characters; the rest was not taken.", "warning")

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin with the next key that is pressed."""
        self._is_new = True
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave on Esc."""
        if event.isAutoRepeat() and self._is_new:
            return
        self._is_new = False
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


def form_action(owner: QWidget, name: str, text: str, key: str = "") -> QAction:
    """An action of a form: named, without auto-repeat (a key held down acts once), added to its owner."""
    action = QAction(text, owner)
    action.setObjectName(name)
    action.setAutoRepeat(False)
    if key:
        action.setShortcut(QKeySequence(key))
    owner.addAction(action)
    return action


class LabelDesk(QWidget):
    """Asks for one of the packet's labels. Its actions are to be added to the form that it stands in."""

    #: An `ItemState` without answers: give this label.
    submitted = Signal(object)
    #: Something was typed or chosen; see `state`.
    changed = Signal()
    #: A text field was left: the focus belongs to what is read.
    left = Signal()
    said = Signal(str, str)

    def __init__(self, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._asking: Choice | None = None
        self._confidence: dict[int, QAction] = {}
        self.buttons: dict[str, CommandButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._question(context))
        row = QWidget()
        choices = context.manifest.choices
        # The note stands beside the labels where there is room: what is read needs the height.
        flow = FlowLayout(row, filling=len(choices))
        for choice in choices:
            flow.addWidget(self._choice_button(choice))
        flow.addWidget(self._note_line())
        layout.addWidget(row)
        self._reason_box = self._reason_line()
        self._reason_box.hide()
        layout.addWidget(self._reason_box)

    # -- building --------------------------------------------------------------------------------------------

    def _choice_button(self, choice: Choice) -> CommandButton:
        text = f"{choice.text}…" if choice.needs_reason else choice.text
        action = form_action(self, f"choose:{choice.value}", text, choice.key)
        action.setData(choice.value)
        action.triggered.connect(self._chosen)
        made = CommandButton(action)
        made.setMinimumHeight(_BUTTON_HEIGHT)
        self.buttons[choice.value] = made
        return made

    def _question(self, context: FormContext) -> QWidget:
        """What is asked; beside it how sure one is, which is said before the label."""
        question = label(context.manifest.question, "heading")
        if not context.asks_confidence:
            return question
        row = QWidget()
        flow = FlowLayout(row, trailing=1)
        question.setWordWrap(False)
        flow.addWidget(question)
        # In one piece: a line that ends between the buttons would look like two questions.
        group = QWidget()
        line = QHBoxLayout(group)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(label("How sure?", "secondary", wraps=False))
        for each in CONFIDENCE:
            line.addWidget(self._confidence_button(*each))
        flow.addWidget(group)
        return row

    def _confidence_button(self, value: int, text: str, key: str) -> CommandButton:
        action = form_action(self, f"confidence:{value}", text, key)
        action.setToolTip(f"Confidence: {text.lower()}")
        action.setCheckable(True)
        action.triggered.connect(self._confidence_chosen)
        self._confidence[value] = action
        made = CommandButton(action, "toggle")
        made.setAccessibleDescription("Confidence")
        made.setCheckable(True)
        action.toggled.connect(made.setChecked)
        return made

    def _note_line(self) -> QWidget:
        self._note_action = form_action(self, "note", "Note", "N")
        self._note_action.triggered.connect(self._to_note)
        self._note_action.changed.connect(self._name_note)
        self.note = FieldLine()
        self._name_note()
        self.note.setAccessibleName("Note on this item")
        self.note.setMinimumWidth(_LEAST_NOTE)
        self.note.textEdited.connect(self.changed)
        self.note.returnPressed.connect(self.left)
        self.note.left.connect(self.left)
        self.note.said.connect(self.said)
        return self.note

    def _reason_line(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._reason_asks = label("", wraps=False)
        self.reason = FieldLine()
        self.reason.setPlaceholderText("A few words; Enter saves, Esc goes back")
        self.reason.textEdited.connect(self.changed)
        self.reason.returnPressed.connect(self._give_reason)
        self.reason.left.connect(self.stop_asking)
        self.reason.said.connect(self.said)
        save = button("Save", role="primary")
        save.clicked.connect(self._give_reason)
        cancel = button("Cancel")
        cancel.clicked.connect(self.stop_asking)
        row.addWidget(self._reason_asks)
        row.addWidget(self.reason, 1)
        row.addWidget(save)
        row.addWidget(cancel)
        return box

    # -- showing ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> ItemState:
        """What is chosen and typed now."""
        sure = next((value for value, action in self._confidence.items() if action.isChecked()), None)
        asking = self._asking
        return ItemState(
            asking.value if asking else "",
            self.reason.text().strip() if asking else "",
            self.note.text().strip(),
            sure,
        )

    @property
    def is_asking(self) -> bool:
        """Whether a reason is being asked for."""
        return self._asking is not None

    def show_state(self, given: GivenLabel | None, draft: ItemState) -> None:
        """Show another item's label and fill in what was chosen and typed."""
        self._stop()
        self.note.setText(draft.note)
        for sure, action in self._confidence.items():
            action.setChecked(draft.confidence == sure)
        for value, made in self.buttons.items():
            set_role(made, "primary" if given is not None and given.label == value else "")
        choice = self._context.manifest.choice(draft.choice)
        # A reason was being typed when the window closed, or its label was taken back. A label that stands asks
        # for nothing.
        if choice is not None and choice.needs_reason and draft != ItemState.of(given):
            self._ask(choice, draft.reason)

    # -- choosing --------------------------------------------------------------------------------------------

    def _chosen(self) -> None:
        action = self.sender()
        if not isinstance(action, QAction) or self._context.comes_too_soon():
            return
        choice = self._context.manifest.choice(str(action.data()))
        if choice is None:
            return
        if choice.needs_reason:
            self._ask(choice, "")
            self.reason.setFocus()
            self.changed.emit()
        else:
            self._stop()
            self._submit(choice, "")

    def _ask(self, choice: Choice, reason: str) -> None:
        self._asking = choice
        self._reason_asks.setText(f"{choice.text}: why?")
        self.reason.setAccessibleName(f"Reason for “{choice.text}”")
        self.reason.setText(reason)
        self.note.hide()
        self._reason_box.show()

    def _give_reason(self) -> None:
        if self._asking is None:
            return
        reason = self.reason.text().strip()
        if reason:
            self._submit(self._asking, reason)
        else:
            self.said.emit("A few words are needed: why can't it be decided?", "warning")

    def _submit(self, choice: Choice, reason: str) -> None:
        state = self.state
        self.submitted.emit(ItemState(choice.value, reason, state.note, state.confidence))

    def stop_asking(self) -> None:
        """Give no reason after all."""
        if self._asking is not None:
            self._stop()
            self.changed.emit()
            self.left.emit()

    def _stop(self) -> None:
        self._asking = None
        self.reason.clear()
        self._reason_box.hide()
        self.note.show()

    def _confidence_chosen(self) -> None:
        chosen = self.sender()
        if not isinstance(chosen, QAction):
            return
        if self._context.comes_too_soon():
            # Meant for the item before this one: as it was.
            chosen.setChecked(not chosen.isChecked())
            return
        for action in self._confidence.values():
            if action is not chosen:
                action.setChecked(False)
        self.changed.emit()

    def _name_note(self) -> None:
        key = self._note_action.shortcut().toString()
        self.note.setPlaceholderText(f"Note ({key})" if key else "Note")

    def _to_note(self) -> None:
        # While a reason is asked for it is hidden, and could not take the letters: they would be labels and commands.
        self.note.show()
        self.note.setFocus()
