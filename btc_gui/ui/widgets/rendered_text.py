"""Our own pages (criteria, codebooks) as Markdown: no HTML, no images, no links that lead anywhere."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget


class RenderedText(QTextEdit):
    """A read-only Markdown page that loads nothing, neither from the disk nor from anywhere else."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setProperty("bare", "true")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)

    def show_markdown(self, text: str) -> None:
        """Show another page from its start, with tables. Images become links, HTML stays the text that it is."""
        features = QTextDocument.MarkdownFeature
        words = text.replace("![", "[")
        self.document().setMarkdown(words, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
        # Reading the page leaves the cursor at its end, where Qt would scroll to when the page is shown first.
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded. Not None: for that Qt would open a local file itself."""
        return QByteArray(b" ")
