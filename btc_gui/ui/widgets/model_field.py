"""One row that names a language model: who answers, the model, and the file of replies when it is recorded."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from btc_gui.remote.model_choice import ModelChoice, ModelKind
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo

_KINDS = (
    (ModelKind.RECORDED.value, "Recorded"),
    (ModelKind.GEMINI.value, "Gemini"),
    (ModelKind.OPENAI.value, "OpenAI"),
)


class ModelField(QWidget):
    """`changed` comes with every change of the `choice`."""

    changed = Signal()

    def __init__(self, role: str, name: str, replies: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._kind = Combo(f"Who is the {role}", _KINDS)
        self._kind.setMinimumContentsLength(8)
        self._name = QLineEdit(name)
        self._name.setAccessibleName(f"Model of the {role}")
        self._path = QLineEdit(str(replies))
        self._path.setAccessibleName(f"File with the recorded replies of the {role}")
        self._choose = button("File…", "folder-open")
        self._choose.clicked.connect(self._ask)
        row.addWidget(self._kind, 1)
        row.addWidget(self._name, 1)
        row.addWidget(self._path, 2)
        row.addWidget(self._choose)
        self._kind.currentIndexChanged.connect(self._sync)
        self._name.textChanged.connect(self.changed)
        self._path.textChanged.connect(self.changed)

    @property
    def choice(self) -> ModelChoice:
        """The model as it stands."""
        kind = ModelKind(self._kind.value)
        replies = Path(self._path.text().strip()).expanduser() if kind is ModelKind.RECORDED else None
        return ModelChoice(kind, self._name.text().strip(), replies)

    def set_replies(self, path: Path) -> None:
        """Take another file of replies."""
        self._path.setText(str(path))

    def _ask(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Recorded replies", self._path.text(), "JSON lines (*.jsonl)")
        if chosen:
            self._path.setText(chosen)

    def _sync(self) -> None:
        is_recorded = self._kind.value == ModelKind.RECORDED
        self._path.setVisible(is_recorded)
        self._choose.setVisible(is_recorded)
        self.changed.emit()
