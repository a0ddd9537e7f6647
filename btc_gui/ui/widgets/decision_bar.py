"""The buttons of the review, each with its key."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from btc_gui.ui.commands import Commands
from btc_gui.ui.theme import INSIDE
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.flow_layout import FlowLayout

#: The commands that are about the probe that is shown.
DECIDING: Final = ("accept", "reject", "edit", "defer", "flag", "note")


class DecisionBar(QWidget):
    """What can be decided on the left; undo, redo, trying and moving on the right; in as many lines as it takes."""

    def __init__(self, commands: Commands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        flow = FlowLayout(self, INSIDE, trailing=len(DECIDING))
        for name in DECIDING:
            action = commands.action(f"review.{name}")
            flow.addWidget(CommandButton(action, "primary" if name == "accept" else ""))
        flow.addWidget(CommandButton(commands.action("review.undo")))
        for name in ("redo", "try", "previous", "next"):
            flow.addWidget(CommandButton(commands.action(f"review.{name}"), has_words=False))
