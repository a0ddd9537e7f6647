"""What stands under a probe's text while it is edited: what was varied, and how the wording differs from before."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from btc_gui.domain.outside_text import printable
from btc_gui.domain.probe import ProbeText
from btc_gui.ui.theme import INSIDE, Theme
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import ReadingText, label
from btc_gui.ui.widgets.word_diff import write_diff

_PAUSE_MILLISECONDS = 120
_FIELDS = ("requester", "situation", "consequence")


class WordingFields(QWidget):
    """Requester, situation and consequence to be edited, the word diff, and the buttons that end the edit."""

    changed = Signal()
    saved = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._before = ProbeText("")
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(6)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.fields: dict[str, QLineEdit] = {}
        for name in _FIELDS:
            field = QLineEdit()
            field.setAccessibleName(name.capitalize())
            field.textEdited.connect(self.changed)
            form.addRow(label(name.capitalize(), "small", wraps=False), field)
            self.fields[name] = field
        self.diff = ReadingText(role="body")
        self.diff.setAccessibleName("What the edit changes")
        self._diff_name = label("Changes", "small", wraps=False)
        form.addRow(self._diff_name, self.diff)
        save, leave = button("Save as a new revision", role="primary"), button("Leave")
        save.clicked.connect(self.saved)
        leave.clicked.connect(self.left)
        ending = QWidget()
        row = FlowLayout(ending, INSIDE)
        row.addWidget(save)
        row.addWidget(leave)
        for words in ("Ctrl+Enter saves", "Esc leaves, what is typed is kept"):
            row.addWidget(label(words, "small", wraps=False))
        form.addRow(ending)
        self._text = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._show_diff)

    def start(self, before: ProbeText, draft: ProbeText) -> None:
        """Edit from `draft`; changes are told against `before`."""
        self._before = before
        for name, field in self.fields.items():
            field.setText(printable(getattr(draft, name)))
            field.setCursorPosition(0)
        self._text = draft.text
        self._show_diff()

    def follow(self, text: str) -> None:
        """The text that is being typed is this now."""
        self._text = text
        self._pause.start()

    def content(self, text: str) -> ProbeText:
        """The edit as it stands, with this text."""
        return ProbeText(text, *(self.fields[name].text() for name in _FIELDS))

    def _show_diff(self) -> None:
        is_changed = self._text != self._before.text
        self._diff_name.setVisible(is_changed)
        self.diff.setVisible(is_changed)
        if is_changed:
            write_diff(self.diff, self._theme, self._before.text, self._text)
