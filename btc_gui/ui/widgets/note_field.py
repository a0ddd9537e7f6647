"""A field for notes: Enter gives the note, Shift+Enter begins a line; it grows with its text up to some lines."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from btc_gui.domain.case_remarks import LONGEST_NOTE
from btc_gui.domain.outside_text import printable

_MOST_LINES = 5


class NoteField(QPlainTextEdit):
    """Plain text of one to five lines, scrolling beyond that."""

    returnPressed = Signal()
    #: Escape was pressed, or the focus has gone elsewhere in the window.
    left = Signal()
    #: Escape was pressed: the focus belongs where it was needed before.
    escaped = Signal()
    #: More was pasted than a note may have: what was too much is left out.
    overfilled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._fit)

    def text(self) -> str:
        """What is written."""
        return self.toPlainText()

    def setText(self, text: str) -> None:
        """Write something else; the cursor stands behind it."""
        self.setPlainText(printable(text))
        cursor = self.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if not event.isAutoRepeat():
                self.returnPressed.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
            self.escaped.emit()
            return
        super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        room = max(0, LONGEST_NOTE - self.document().characterCount() + 1)
        text = source.text()
        self.insertPlainText(text[:room])
        if len(text) > room:
            self.overfilled.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.left.emit()

    def sizeHint(self) -> QSize:
        lines = max(1, min(int(self.document().size().height()), _MOST_LINES))
        margins = self.contentsMargins()
        inside = 2 * self.document().documentMargin() + margins.top() + margins.bottom()
        return QSize(320, int(lines * self.fontMetrics().lineSpacing() + inside))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_long = self.document().size().height() > _MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_long else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        if self.height() != self.sizeHint().height():
            self.updateGeometry()
        elif not is_long:
            self.verticalScrollBar().setValue(0)
