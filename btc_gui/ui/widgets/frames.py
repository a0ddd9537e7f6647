"""The frame of pages: header, cards, lines, scrolling areas and empty states."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from btc_gui.ui.icons import icon
from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.plain_text import label


class Card(QFrame):
    """A surface with a one-pixel border; things are added to `body`."""

    def __init__(self, heading: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(BETWEEN, 12, BETWEEN, BETWEEN)
        self.body.setSpacing(INSIDE)
        self.heading = label(heading, "section", wraps=False)
        self.body.addWidget(self.heading)
        if not heading:
            self.heading.hide()


class PageHeader(QWidget):
    """The line on top of a page: its title, what it counts, and on the right its filters and buttons."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(INSIDE)
        self.title = label(title, "title", wraps=False)
        self.counts = label("", "secondary", wraps=False)
        self._row.addWidget(self.title)
        self._row.addSpacing(INSIDE)
        self._row.addWidget(self.counts, 1)

    def set_counts(self, text: str) -> None:
        """Say how much is shown."""
        self.counts.setText(text)
        self.counts.setToolTip(text)

    def add(self, widget: QWidget) -> None:
        """Add a filter or button on the right."""
        self._row.addWidget(widget)


class EmptyState(QWidget):
    """Says what would be here and offers the one next step."""

    def __init__(self, icon_name: str, heading: str, text: str, action: QAction | None = None) -> None:
        super().__init__()
        self._icon_name = icon_name
        column = QVBoxLayout(self)
        column.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.setSpacing(INSIDE)
        self._picture = QLabel()
        self._picture.setPixmap(icon(icon_name, QPalette.ColorRole.PlaceholderText).pixmap(32, 32))
        self.heading = label(heading, "title")
        self.text = label(text, "secondary")
        for each in (self._picture, self.heading, self.text):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(each)
        self.text.setFixedWidth(480)
        column.setAlignment(self.text, Qt.AlignmentFlag.AlignHCenter)
        self.button: QPushButton | None = None
        if action is not None:
            column.addSpacing(INSIDE)
            self.button = CommandButton(action, "primary")
            column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)

    def say(self, heading: str, text: str) -> None:
        """Use other words."""
        self.heading.setText(heading)
        self.text.setText(text)


def page_column(page: QWidget, spacing: int = 12) -> QVBoxLayout:
    """The vertical layout of a page, with the space around it."""
    column = QVBoxLayout(page)
    column.setContentsMargins(AROUND, BETWEEN, AROUND, BETWEEN)
    column.setSpacing(spacing)
    return column


def scrolling(content: QWidget, name: str) -> QScrollArea:
    """A borderless area that scrolls `content` vertically."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName(name)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)
    area.setWidget(content)
    return area


def line() -> QFrame:
    """A horizontal line of one pixel."""
    made = QFrame()
    made.setProperty("role", "line")
    made.setFixedHeight(1)
    return made
