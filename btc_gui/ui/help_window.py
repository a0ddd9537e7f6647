"""Help (F1): what each page is for and how one begins there, the benchmark's words, and the documents.

The texts are those of resources/help and docs; what they link to opens in the same window.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QTextBrowser, QWidget

from btc_gui import paths
from btc_gui.ui.theme import AROUND, BETWEEN
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.rendered_text import append_markdown, write_markdown

_SECTIONS = re.compile(r"^(?=## )", re.MULTILINE)
_DOCUMENT_LINK = re.compile(r"\[([^\]]+)\]\((\w+)\.md\)")
#: About the code.
_NOT_LISTED = ("architecture", "measuring")
#: Of a long page so many characters are laid out at once, up to a heading.
_AT_ONCE = 12_000


def help_text(topic: str) -> str:
    """The text about a topic, as Markdown."""
    return (_folder() / f"{topic}.md").read_text(encoding="utf-8")


def documents() -> list[tuple[str, str]]:
    """The documents in the order in which docs/README.md names them: name, title."""
    page = paths.documents() / "README.md"
    if not page.is_file():
        return []
    found = {name: title for title, name in _DOCUMENT_LINK.findall(page.read_text(encoding="utf-8"))}
    return [(name, title[:1].upper() + title[1:]) for name, title in found.items() if name not in _NOT_LISTED]


def _folder() -> Path:
    return paths.resources() / "help"


def _parts(text: str) -> list[str]:
    """A page in parts that are laid out in a moment each, every one from a heading on."""
    parts = [""]
    for section in _SECTIONS.split(text):
        if parts[-1] and len(parts[-1]) + len(section) > _AT_ONCE:
            parts.append("")
        parts[-1] += section
    return parts


class _HelpText(QTextBrowser):
    """Our own pages. Nothing but their words is loaded, and a link goes nowhere by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setAccessibleName("Help")
        # Tab leaves it: everything that it links to is in the list, too.
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
        )
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(BETWEEN)
        self._rest: list[str] = []
        self._next = QTimer(self)
        self._next.setInterval(0)
        self._next.timeout.connect(self._go_on)

    def show_page(self, text: str) -> None:
        """Show another page from its start; of a long one the rest follows in a moment."""
        first, *self._rest = _parts(text)
        write_markdown(self.document(), first)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)
        self._next.start()

    def _go_on(self) -> None:
        if self._rest:
            append_markdown(self.document(), self._rest.pop(0))
        else:
            self._next.stop()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded. Not None: for that Qt would open a local file itself."""
        return QByteArray(b" ")


class HelpWindow(QDialog):
    """Stays open beside the window, so that one can read and do."""

    def __init__(self, topics: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """`topics` are the names of texts, each with what the list calls it; a single one needs no list, and has no
        documents beside it."""
        super().__init__(parent)
        self.setWindowTitle("Help")
        self.setModal(False)
        size_window(self, 760, 640)
        self.topics = QListWidget()
        self.topics.setAccessibleName("Topics")
        self.topics.setFrameShape(QListWidget.Shape.NoFrame)
        self.topics.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._places: dict[str, int] = {}
        self._list(_folder(), topics)
        if len(topics) > 1 and documents():
            QListWidgetItem("Documents", self.topics).setFlags(Qt.ItemFlag.NoItemFlags)
            self._list(paths.documents(), documents())
        self.topics.setFixedWidth(self.topics.sizeHintForColumn(0) + AROUND * 3)
        self.text = _HelpText()
        self.text.anchorClicked.connect(self._follow)
        self.topics.currentItemChanged.connect(self._show)
        row = QHBoxLayout(self)
        row.setContentsMargins(AROUND, AROUND, AROUND, AROUND)
        row.setSpacing(BETWEEN)
        row.addWidget(self.topics)
        if len(topics) < 2:
            self.topics.hide()
        row.addWidget(self.text, 1)

    def _list(self, folder: Path, pages: Sequence[tuple[str, str]]) -> None:
        for name, title in pages:
            path = folder / f"{name}.md"
            self._places[_key(path)] = self.topics.count()
            item = QListWidgetItem(title, self.topics)
            item.setData(Qt.ItemDataRole.UserRole, str(path))

    def show_topic(self, name: str) -> None:
        """Show the text about a page (or “start”, “glossary”), and come to the front."""
        self.topics.setCurrentRow(self._places.get(f"help/{name}.md", 0))
        self.show()
        self.activateWindow()
        self.text.setFocus()

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.text.show_page(Path(str(item.data(Qt.ItemDataRole.UserRole))).read_text(encoding="utf-8"))

    def _follow(self, link: QUrl) -> None:
        """Show a page of ours here; let the desktop open what else is linked."""
        path = Path(link.path())
        # A link without a folder stands in a document, and leads to another one.
        place = self._places.get(_key(path if path.parent.name else Path("docs", path.name)))
        if place is not None:
            self.topics.setCurrentRow(place)
        elif link.scheme() == "https":
            QDesktopServices.openUrl(link)
        elif (paths.documents() / path.name).is_file():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.documents() / path.name)))


def _key(path: Path) -> str:
    """A page as links name it: its folder and its name."""
    return f"{path.parent.name}/{path.name}"
