"""The top of the labelling window: which item it is, what was said of it, how far one is."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from btc_gui.ui.widgets.buttons import CommandButton, button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import LineLabel, label, one_line, tooltip
from btc_gui.ui.widgets.progress_bar import ProgressBar

_AROUND, _GAP = 24, 8


class Head(QWidget):
    """Place, state and progress. There are no tallies: only how many items have a label."""

    def __init__(self, actions: Mapping[str, QAction], annotator: str, parent: QWidget | None = None) -> None:
        """`annotator` is whose packet it is: nobody should label another one's."""
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(_AROUND, 12, _AROUND, 8)
        column.setSpacing(8)
        self.place = label("", "title", wraps=False)
        self.state = LineLabel("secondary")
        self.state.setMinimumWidth(80)
        self.progress = ProgressBar("Labelled items")
        self._whose = label(f"for {one_line(annotator, 30)}", "secondary", wraps=False)
        self._tools = [
            self._whose,
            _sizer("A−", actions["smaller"]),
            _sizer("A+", actions["larger"]),
            CommandButton(actions["help"]),
            CommandButton(actions["keys"]),
            CommandButton(actions["pause"]),
        ]
        holder = QWidget()
        # In one line where there is room, else in as many as it takes.
        row = FlowLayout(holder, _GAP, trailing=2, filling=1)
        for part in (self.place, self.state, *self._tools):
            row.addWidget(part)
        column.addWidget(holder)
        column.addWidget(self.progress)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Whose packet it is, is said where that takes no line of its own: in a low window, the item needs it."""
        parts = (self.place, *self._tools)
        needed = self.state.minimumWidth() + sum(part.sizeHint().width() + _GAP for part in parts)
        self._whose.setVisible(needed <= self.width() - 2 * _AROUND)

    def show_place(self, place: str, state: str, done: int, total: int) -> None:
        """Show where one is; with a `total` of 0 there is nothing to be far with."""
        self.place.setText(place)
        self.state.setText(state)
        self.state.setToolTip(tooltip(state))
        self.progress.setVisible(total > 0)
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(done)
        self._fit()


def _sizer(text: str, action: QAction) -> QPushButton:
    made = button(text)
    made.setAccessibleName(action.text())
    made.setToolTip(f"{action.text()} ({action.shortcut().toString()})")
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.clicked.connect(action.trigger)
    return made
