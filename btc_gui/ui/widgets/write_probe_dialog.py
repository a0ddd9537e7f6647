"""Writing a probe by hand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from btc_gui.domain.probe import ProbeId, ProbeText
from btc_gui.errors import BtcError
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.plain_text import label, set_role

_FIELDS = ("requester", "situation", "consequence")
_HINTS = ("who asks", "what for", "what the change makes impossible")


class WriteProbeDialog(QDialog):
    """`save` adds the probe, or raises `BtcError` when it can't be used: then the dialog stays open."""

    def __init__(
        self, title: str, facts: str, save: Callable[[ProbeText], ProbeId], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._save = save
        self.probe_id: ProbeId | None = None
        self.setWindowTitle("Write a probe")
        self.setMinimumWidth(560)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(label(facts, "secondary", selectable=True))
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Text of the probe")
        self.text.setPlaceholderText("A request for a short list of people that never names this one, nor the change.")
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(110)
        column.addWidget(self.text, 1)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        self.fields: dict[str, QLineEdit] = {}
        for name, hint in zip(_FIELDS, _HINTS, strict=True):
            field = QLineEdit()
            field.setPlaceholderText(hint)
            form.addRow(f"&{name.capitalize()}", field)
            self.fields[name] = field
        column.addLayout(form)
        self.message = label("", selectable=True)
        set_role(self.message, "danger")
        self.message.hide()
        column.addWidget(self.message)
        self.save_button = button("Add probe", role="primary")
        self.save_button.setDefault(True)
        self.save_button.clicked.connect(self._try)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.save_button)
        column.addLayout(row)

    def _try(self) -> None:
        content = ProbeText(self.text.toPlainText(), *(self.fields[name].text() for name in _FIELDS))
        try:
            self.probe_id = self._save(content)
        except BtcError as error:
            self.message.setText(str(error))
            self.message.show()
            return
        self.accept()
