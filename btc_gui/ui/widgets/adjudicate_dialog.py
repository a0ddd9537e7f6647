"""Who decides where annotators differ."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.words import counted


class AdjudicateDialog(QDialog):
    """After `accepted`, `adjudicator` holds the name. `disputed` items are to be decided; `annotators` gave them."""

    def __init__(self, disputed: int, annotators: Sequence[str], machine: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._annotators = {name.casefold() for name in annotators}
        self.setWindowTitle("Adjudication")
        size_window(self, 520, 260)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(f"{counted(disputed, 'item')} to decide", "title"))
        column.addWidget(
            label(
                "Labels differ there, or somebody was unsure. Whoever decides sees the earlier labels side by side, "
                f"without names and without the {machine}'s. Agreement before adjudication stays the primary figure.",
                "secondary",
            )
        )
        form = QFormLayout()
        self.field = QLineEdit()
        self.field.setAccessibleName("Who decides")
        self.field.setPlaceholderText("Name or initials")
        self.field.textChanged.connect(self._sync)
        form.addRow(label("Who decides", wraps=False), self.field)
        column.addLayout(form)
        self._hint = label("", "warning")
        column.addWidget(self._hint)
        column.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.write_button = button("Write the packet…", role="primary")
        self.write_button.setDefault(True)
        self.write_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.write_button)
        column.addLayout(row)
        self._sync()
        self.field.setFocus()

    @property
    def adjudicator(self) -> str:
        """The name that was given."""
        return self.field.text().strip()

    def _sync(self) -> None:
        is_own = self.adjudicator.casefold() in self._annotators
        self.write_button.setEnabled(bool(self.adjudicator))
        name = one_line(self.adjudicator, 40)
        words = f"{name} gave some of these labels: somebody else decides more freely. The report will say so."
        self._hint.setText(words if is_own else "")
