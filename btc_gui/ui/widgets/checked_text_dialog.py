"""Editing a text that is checked when it is saved: what is wrong is said, with its line marked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from btc_gui.domain.models_file import ModelsFileError
from btc_gui.domain.outside_text import printable
from btc_gui.errors import BtcError
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label, one_line, set_role


class CheckedTextDialog(QDialog):
    """`save` takes the text and raises `BtcError` when it can't be used; then the dialog stays open."""

    def __init__(
        self, title: str, note: str, text: str, save: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._save = save
        self.setWindowTitle(one_line(title, 120))
        size_window(self, 860, 640)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(label(note, "secondary", selectable=True))
        self.editor = QPlainTextEdit()
        self.editor.setProperty("role", "mono")
        self.editor.setTabChangesFocus(True)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.editor.setAccessibleName(one_line(title, 120))
        self.editor.setPlainText(printable(text))
        self.message = label("", selectable=True)
        set_role(self.message, "danger")
        self.message.hide()
        column.addWidget(self.editor, 1)
        column.addWidget(self.message)
        self.save_button = button("Save", role="primary")
        self.save_button.clicked.connect(self._try)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.save_button)
        column.addLayout(row)

    def _try(self) -> None:
        try:
            self._save(self.editor.toPlainText())
        except BtcError as error:
            self.message.setText(str(error))
            self.message.show()
            if isinstance(error, ModelsFileError) and error.line:
                self._go_to(error.line)
            return
        self.accept()

    def _go_to(self, line: int) -> None:
        cursor = QTextCursor(self.editor.document().findBlockByNumber(line - 1))
        cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        self.editor.setTextCursor(cursor)
        self.editor.setFocus()
