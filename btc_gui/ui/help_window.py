"""Help (F1): what each page is for and how one begins there, and the benchmark's words; texts of resources/help."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from btc_gui import paths
from btc_gui.ui.theme import AROUND, BETWEEN
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.rendered_text import RenderedText


def help_text(topic: str) -> str:
    """The text about a topic, as Markdown."""
    return (_folder() / f"{topic}.md").read_text(encoding="utf-8")


def _folder() -> Path:
    return paths.resources() / "help"


class HelpWindow(QDialog):
    """Stays open beside the window, so that one can read and do."""

    def __init__(self, topics: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """`topics` are the names of texts, each with what the list calls it; a single one needs no list."""
        super().__init__(parent)
        self.setWindowTitle("Help")
        self.setModal(False)
        size_window(self, 760, 640)
        self.topics = QListWidget()
        self.topics.setAccessibleName("Topics")
        self.topics.setFrameShape(QListWidget.Shape.NoFrame)
        self.topics.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for name, title in topics:
            item = QListWidgetItem(title, self.topics)
            item.setData(Qt.ItemDataRole.UserRole, name)
        self._names = [name for name, _ in topics]
        self.topics.setFixedWidth(self.topics.sizeHintForColumn(0) + AROUND * 3)
        self.text = RenderedText("Help")
        self.text.setProperty("bare", "false")
        self.text.document().setDocumentMargin(BETWEEN)
        self.topics.currentItemChanged.connect(self._show)
        row = QHBoxLayout(self)
        row.setContentsMargins(AROUND, AROUND, AROUND, AROUND)
        row.setSpacing(BETWEEN)
        row.addWidget(self.topics)
        if len(topics) < 2:
            self.topics.hide()
        row.addWidget(self.text, 1)

    def show_topic(self, name: str) -> None:
        """Show the text about a page (or “start”, “glossary”), and come to the front."""
        self.topics.setCurrentRow(self._names.index(name) if name in self._names else 0)
        self.show()
        self.activateWindow()
        self.text.setFocus()

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.text.show_markdown(help_text(str(item.data(Qt.ItemDataRole.UserRole))))
