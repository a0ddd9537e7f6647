"""Names a language model: who answers, the model, and the file of replies or the server's address and the effort."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.remote.model_choice import EFFORTS, ModelChoice, ModelKind
from btc_gui.ui.file_dialogs import RECORDINGS, ask_open
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
        self._recorded_name = name
        self._proposed: ModelChoice | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(8)
        self._kind = Combo(f"Who is the {role}", _KINDS)
        self._kind.setMinimumContentsLength(8)
        self._name = QLineEdit(name)
        self._name.setCursorPosition(0)
        self._name.setAccessibleName(f"Model of the {role}")
        self._path = QLineEdit(str(replies))
        self._path.setAccessibleName(f"File with the recorded replies of the {role}")
        self._choose = button("File…", "folder-open")
        self._choose.setAccessibleName(f"File with the recorded replies of the {role}…")
        self._choose.clicked.connect(self._ask)
        row.addWidget(self._kind, 1)
        row.addWidget(self._name, 1)
        row.addWidget(self._path, 2)
        row.addWidget(self._choose)
        column.addLayout(row)
        self._server = QWidget()
        second = QHBoxLayout(self._server)
        second.setContentsMargins(0, 0, 0, 0)
        second.setSpacing(8)
        self._effort = Combo(
            f"Effort of the {role}", [("", "its own effort"), *((each, f"{each} effort") for each in EFFORTS)]
        )
        self._address = QLineEdit()
        self._address.setPlaceholderText("address: the provider's own")
        self._address.setAccessibleName(f"Server's address of the {role}")
        second.addWidget(self._effort, 1)
        second.addWidget(self._address, 2)
        self._server.hide()
        column.addWidget(self._server)
        self.setFocusProxy(self._kind)  # For the label of its row in a form.
        self._kind.currentIndexChanged.connect(self._sync)
        self._effort.currentIndexChanged.connect(self.changed)
        for field in (self._name, self._path, self._address):
            field.textChanged.connect(self.changed)

    @property
    def choice(self) -> ModelChoice:
        """The model as it stands."""
        kind, name = ModelKind(self._kind.value), self._name.text().strip()
        if kind is ModelKind.RECORDED:
            return ModelChoice(kind, name, Path(self._path.text().strip()).expanduser())
        return ModelChoice(kind, name, None, self._address.text().strip(), self._effort.value)

    def propose(self, choice: ModelChoice) -> None:
        """Fill in this model once somebody wants one that is no recording."""
        self._proposed = choice

    def set_replies(self, path: Path) -> None:
        """Take another file of replies."""
        self._path.setText(str(path))

    def _ask(self) -> None:
        chosen = ask_open(self, "Recorded replies", RECORDINGS, Path(self._path.text()).parent)
        if chosen is not None:
            self._path.setText(str(chosen))

    def _sync(self) -> None:
        kind = ModelKind(self._kind.value)
        is_recorded = kind is ModelKind.RECORDED
        self._path.setVisible(is_recorded)
        self._choose.setVisible(is_recorded)
        self._server.setVisible(not is_recorded)
        proposed = self._proposed
        names = {self._recorded_name, proposed.model if proposed else ""}
        if self._name.text().strip() in names:
            # Nobody has named a model yet: the recording's name fits no provider, nor the other way round.
            if is_recorded:
                self._name.setText(self._recorded_name)
            elif proposed is not None and proposed.kind is kind:
                self._name.setText(proposed.model)
                self._address.setText(proposed.base_url)
                self._effort.setCurrentIndex(max(0, self._effort.findData(proposed.effort)))
            else:
                self._name.clear()
        self.changed.emit()
