"""The top of the labelling window: which item it is, what was said of it, how far one is."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from btc_gui.ui.widgets.buttons import CommandButton, button
from btc_gui.ui.widgets.plain_text import label, one_line


class Head(QWidget):
    """Place, state and progress. There are no tallies: only how many items have a label."""

    def __init__(self, actions: Mapping[str, QAction], annotator: str, parent: QWidget | None = None) -> None:
        """`annotator` is whose packet it is: nobody should label another one's."""
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 12, 24, 8)
        column.setSpacing(8)
        self.place = label("", "title", wraps=False)
        self.state = label("", "secondary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Labelled items")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.place)
        row.addWidget(self.state, 1)
        row.addWidget(label(f"for {one_line(annotator, 30)}", "secondary", wraps=False))
        row.addSpacing(4)
        row.addWidget(_sizer("A−", actions["smaller"]))
        row.addWidget(_sizer("A+", actions["larger"]))
        row.addWidget(CommandButton(actions["keys"]))
        row.addWidget(CommandButton(actions["pause"]))
        column.addLayout(row)
        column.addWidget(self.progress)

    def show_place(self, place: str, state: str, done: int, total: int) -> None:
        """Show where one is; with a `total` of 0 there is nothing to be far with."""
        self.place.setText(place)
        self.state.setText(state)
        self.progress.setVisible(total > 0)
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(done)


def _sizer(text: str, action: QAction) -> QPushButton:
    made = button(text)
    made.setAccessibleName(action.text())
    made.setToolTip(f"{action.text()} ({action.shortcut().toString()})")
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.clicked.connect(action.trigger)
    return made
