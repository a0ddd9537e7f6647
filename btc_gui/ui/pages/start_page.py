"""What the window shows while no project is open: recent projects, a new one, another one, the demo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.plain_text import label, one_line

_PATH_ROLE = int(Qt.ItemDataRole.UserRole)


class StartPage(QWidget):
    """`open_asked` carries the path of a recent project."""

    open_asked = Signal(object)

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(AROUND, AROUND, AROUND, AROUND)
        column = QVBoxLayout()
        column.setSpacing(BETWEEN)
        outer.addStretch(1)
        outer.addLayout(column, 4)
        outer.addStretch(1)
        column.addStretch(1)
        column.addWidget(label("BlindToChange workbench", "display", wraps=False))
        words = (
            "Agents with web search find a recent change when they are asked about it. Do they look when the request "
            "does not mention it? Build, run, check and explain benchmarks of that gap. A project is one file. If you "
            "were sent a packet to label, open that: no project is needed."
        )
        column.addWidget(label(words, "secondary"))
        row = FlowLayout(None, INSIDE)
        for position, action in enumerate(actions):
            row.addWidget(CommandButton(action, "primary" if position == 0 else ""))
        column.addLayout(row)
        card = Card("Recent projects")
        self.list = QListWidget()
        self.list.setAccessibleName("Recent projects")
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.itemActivated.connect(self._open)
        self.list.setMinimumHeight(160)
        self._none = label(
            "Projects that you open will be listed here. You can also drop a project or a packet here.", "secondary"
        )
        card.body.addWidget(self._none)
        card.body.addWidget(self.list)
        column.addWidget(card)
        column.addStretch(2)

    def show_recent(self, projects: Sequence[str]) -> None:
        """List the recent projects, newest first."""
        self.list.clear()
        for project in projects:
            path = Path(project)
            item = QListWidgetItem(f"{one_line(path.stem)}\n{one_line(str(path.parent))}")
            item.setData(_PATH_ROLE, project)
            self.list.addItem(item)
        self.list.setVisible(bool(projects))
        self._none.setVisible(not projects)
        if projects:
            self.list.setCurrentRow(0)
            self.list.setFocus()

    def _open(self, item: QListWidgetItem) -> None:
        self.open_asked.emit(Path(str(item.data(_PATH_ROLE))))
