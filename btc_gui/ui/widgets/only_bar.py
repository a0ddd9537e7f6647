"""What a list was narrowed to from elsewhere: one button a condition, which takes it away."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from btc_gui.ui.widgets.buttons import condition_button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import one_line

_LONGEST = 60


class OnlyBar(QWidget):
    """Shows conditions that no facet shows. `dropped` names the one to be taken away."""

    dropped = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, 6)
        self._shown: dict[str, str] = {}
        self.buttons: dict[str, QPushButton] = {}
        self.hide()

    def show_conditions(self, conditions: Mapping[str, str]) -> None:
        """Show these conditions: the name of each, and its words."""
        if conditions == self._shown:
            return
        self._shown = dict(conditions)
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.buttons = {}
        for name, words in conditions.items():
            made = condition_button(f"Only: {one_line(words, _LONGEST)}  ✕")
            made.setToolTip("Take this condition away")
            made.setProperty("condition", name)
            made.clicked.connect(self._drop)
            self._flow.addWidget(made)
            self.buttons[name] = made
        self.setVisible(bool(conditions))

    def _drop(self) -> None:
        self.dropped.emit(self.sender().property("condition"))
