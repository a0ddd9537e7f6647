"""Below the probe: the reasons of a rejection (chosen by digits), or a note."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from btc_gui.domain.review import REJECT_REASONS
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.plain_text import label

_DIGITS = "1234567890"
_PAUSE_MILLISECONDS = 400


class DecisionPanel(Card):
    """Asks for what a rejection or a note needs.

    Digits choose reasons while no text is typed, Enter confirms, Esc leaves. `typed` carries the note after each
    pause in typing, so that it can be kept.
    """

    confirmed = Signal(object, str)  # tuple[str, ...] of reason codes, note
    left = Signal()
    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(" ", parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._boxes: dict[str, QCheckBox] = {}
        self._reasons = QWidget()
        grid = QGridLayout(self._reasons)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        for position, (code, words) in enumerate(REJECT_REASONS.items()):
            box = QCheckBox(f"{_DIGITS[position]}   {words}")
            box.setAccessibleName(words)
            box.setToolTip(words)
            box.installEventFilter(self)
            grid.addWidget(box, position % 5, position // 5)
            self._boxes[code] = box
        grid.setColumnStretch(2, 1)
        self.note = QLineEdit()
        self.note.installEventFilter(self)
        self.problem = label("", "danger")
        self.problem.hide()
        self._confirm = button("Reject", role="primary")
        self._confirm.clicked.connect(self._tell)
        leave = button("Cancel")
        leave.clicked.connect(self.left)
        row = QHBoxLayout()
        row.addWidget(self.note, 1)
        row.addWidget(self._confirm)
        row.addWidget(leave)
        for widget in (self._reasons, self.problem):
            self.body.addWidget(widget)
        self.body.addLayout(row)
        # As the heading says, Tab goes to the note: digits choose the boxes, and words typed over one would toggle it.
        stops = (self, self.note, self._confirm, leave, *self._boxes.values())
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._tell_typed)
        self.note.textEdited.connect(self._keep_soon)

    def ask_reasons(self, note: str) -> None:
        """Ask why a probe is rejected."""
        self._open("Why is it rejected?   1–9, 0 choose · Tab note · Enter reject · Esc leave", note)
        for box in self._boxes.values():
            box.setChecked(False)
        self._reasons.show()
        self.note.setPlaceholderText("Note (needed for “other”)")
        self.note.setAccessibleName("Note on the rejection")
        self._confirm.setText("Reject")
        self.setFocus()

    def ask_note(self, note: str) -> None:
        """Ask for a note."""
        self._open("Note   Enter saves · Esc leaves, what is typed is kept", note)
        self._reasons.hide()
        self.note.setPlaceholderText("Note on this probe")
        self.note.setAccessibleName("Note on this probe")
        self._confirm.setText("Save note")
        self.note.setFocus()

    def say_problem(self, text: str) -> None:
        """Say what is missing; everything typed stays."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    @property
    def reasons(self) -> tuple[str, ...]:
        """The codes of the chosen reasons."""
        return tuple(code for code, box in self._boxes.items() if box.isChecked())

    def close_panel(self) -> None:
        """Hide, telling what was typed last."""
        if self._pause.isActive():
            self._pause.stop()
            self._tell_typed()
        self.hide()

    def _open(self, heading: str, note: str) -> None:
        self.heading.setText(heading)
        self.note.setText(note)
        self.say_problem("")
        self.show()

    def _keep_soon(self) -> None:
        # Not begun anew by every key: who types without a pause must lose no more than the others.
        if not self._pause.isActive():
            self._pause.start()

    def _tell_typed(self) -> None:
        self.typed.emit(self.note.text())

    def _tell(self) -> None:
        self._pause.stop()
        self.confirmed.emit(self.reasons if self._reasons.isVisible() else (), self.note.text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._take_key(watched, event):
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._take_key(self, event):
            super().keyPressEvent(event)

    def _take_key(self, watched: QObject, event: QKeyEvent) -> bool:
        if event.isAutoRepeat() and watched is not self.note:
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._tell()
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return True
        if watched is not self.note and event.text() and event.text() in _DIGITS and self._reasons.isVisible():
            box = list(self._boxes.values())[_DIGITS.index(event.text())]
            box.toggle()
            return True
        return False
