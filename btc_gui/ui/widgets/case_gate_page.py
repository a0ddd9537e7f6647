"""What stands in place of a case of an open study until somebody has agreed that looking at it is recorded."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.ui.case_reading import CaseGate
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.plain_text import label, one_line


class CaseGatePage(QWidget):
    """Asks before a case of an open study is shown."""

    #: The `CaseGate` that a person opens.
    consented = Signal(object)
    #: The case that is open should stay alone, without the one of an open study.
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked: CaseGate | None = None
        column = QVBoxLayout(self)
        column.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.setSpacing(8)
        self._words = label("", "secondary")
        self._words.setFixedWidth(420)
        self._head = label("", "title")
        for each in (self._head, self._words):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = button("Open it, and record that", "eye")
        self.button.clicked.connect(self._consent)
        self.back = button("Don't compare", "chevron-left")
        self.back.clicked.connect(self.declined)
        column.addWidget(self._head)
        for widgets in ((self._words,), (self.back, self.button)):
            row = QHBoxLayout()
            row.addStretch(1)
            for widget in widgets:
                row.addWidget(widget)
            row.addStretch(1)
            if self.button in widgets:
                column.addSpacing(8)
            column.addLayout(row)

    def ask(self, gate: CaseGate) -> None:
        """Tell which studies are open over a case."""
        self._asked = gate
        is_compared = len(gate.ids) > 1
        self._head.setText(f"{'What to compare with' if is_compared else 'This case'} is part of an open study")
        self.back.setVisible(is_compared)
        studies = ", ".join(f"“{one_line(name, 60)}”" for name in gate.studies)
        self._words.setText(
            f"{studies}: whoever labels it should not have seen it. If you open it now, your name and the time are "
            "recorded, and the report counts it as an exposed case."
        )

    def _consent(self) -> None:
        # Once: the case is read on another thread, and the button is there until it is.
        if self._asked is not None:
            gate, self._asked = self._asked, None
            self.consented.emit(gate)
