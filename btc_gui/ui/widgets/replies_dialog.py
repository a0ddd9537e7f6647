"""Asks with which recorded language model to judge or classify."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.plain_text import label


class RepliesDialog(QDialog):
    """After `accepted`: `name` of the model and `path` of its recorded replies."""

    def __init__(self, title: str, what: str, name: str, path: Path, verb: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(520)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(label(what, "secondary"))
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        self._name = QLineEdit(name)
        form.addRow("Language &model", self._name)
        self._path = QLineEdit(str(path))
        self._path.setAccessibleName("File with its recorded replies")
        choose = button("File…", "folder-open")
        choose.clicked.connect(self._choose)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._path, 1)
        row.addWidget(choose)
        form.addRow("Recorded replies", holder)
        column.addLayout(form)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.go_button = button(verb, role="primary")
        self.go_button.setDefault(True)
        self.go_button.clicked.connect(self.accept)
        buttons.addWidget(cancel)
        buttons.addWidget(self.go_button)
        column.addLayout(buttons)
        self._name.textChanged.connect(self._sync)
        self._path.textChanged.connect(self._sync)
        self._sync()

    @property
    def name(self) -> str:
        """The language model's name, as verdicts will carry it."""
        return self._name.text().strip()

    @property
    def path(self) -> Path:
        """The file with its replies."""
        return Path(self._path.text().strip()).expanduser()

    def _choose(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Recorded replies", str(self.path.parent), "JSON lines (*.jsonl)")
        if chosen:
            self._path.setText(chosen)

    def _sync(self) -> None:
        missing = "Give the model a name." if not self.name else "" if self.path.is_file() else "There is no such file."
        self.go_button.setEnabled(not missing)
        self.go_button.setToolTip(missing)
