"""The buttons of the review, each with its key."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from btc_gui.ui.commands import Commands
from btc_gui.ui.theme import INSIDE
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.flow_layout import FlowLayout

#: The commands that are about the probe that is shown.
DECIDING: Final = ("accept", "reject", "edit", "defer", "flag", "note")


class DecisionBar(QWidget):
    """What can be decided on the left, in as many lines as it takes; undo, redo and moving on the right."""

    def __init__(self, commands: Commands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        deciding = QWidget()
        flow = FlowLayout(deciding)
        for name in DECIDING:
            action = commands.action(f"review.{name}")
            flow.addWidget(CommandButton(action, "primary" if name == "accept" else ""))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(INSIDE)
        row.addWidget(deciding, 1)
        row.addWidget(CommandButton(commands.action("review.undo")), 0, Qt.AlignmentFlag.AlignTop)
        for name in ("redo", "previous", "next"):
            made = CommandButton(commands.action(f"review.{name}"), has_words=False)
            row.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)
