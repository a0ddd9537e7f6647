"""Chips in a line that breaks like words. Chips are used again: making widgets is what takes time at each probe."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.flow_layout import FlowLayout


class ChipRow(QWidget):
    """Shows facts, each with its mark (a name in `theme.MARKS`, or none)."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._flow = FlowLayout(self)
        self._chips: list[Chip] = []
        self._facts: list[tuple[str, str]] | None = None

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these facts: words and mark of each."""
        if self._facts == list(facts):
            return
        self._facts = list(facts)
        # Each chip that is shown would have all layouts around it done at once; so they are done once, for all of them.
        self._flow.setEnabled(False)
        while len(self._chips) < len(facts):
            chip = Chip(self._theme, parent=self)
            self._chips.append(chip)
            self._flow.addWidget(chip)
        for position, chip in enumerate(self._chips):
            if position < len(facts):
                chip.show_fact(*facts[position])
            chip.setVisible(position < len(facts))
        self._flow.setEnabled(True)
        self._flow.invalidate()
        self.updateGeometry()

    @property
    def texts(self) -> list[str]:
        """The words shown."""
        return [chip.text for chip in self._chips if not chip.isHidden()]
