"""Markdown as it is meant, of our own pages and of answers: no HTML, no images, no links that lead anywhere."""

from __future__ import annotations

import re

from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from btc_gui.domain.outside_text import showable

#: What takes Qt seconds to lay out is shown as it was written: longer texts, more cells of tables, pieces of code.
_LONGEST, _MOST_CELLS, _MOST_CODE = 20_000, 600, 400
_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_FRONT_MATTER = re.compile(r"\A\s*---")


def may_render(text: str) -> bool:
    """Whether a text from outside can be shown as Markdown without holding the window."""
    return len(text) <= _LONGEST and text.count("|") <= _MOST_CELLS and text.count("`") <= _MOST_CODE


def write_markdown(document: QTextDocument, text: str) -> None:
    """Write Markdown into a document. Images become links, HTML stays the text that it is, nothing is hidden."""
    # What stands between lines of dashes at the beginning would be taken for facts about the page, and not be shown.
    words = ("\n\N{ZERO WIDTH SPACE}\n\n" if _FRONT_MATTER.match(text) else "") + showable(text).replace("![", "[")
    document.setMarkdown(words, _FEATURES)


def append_markdown(document: QTextDocument, text: str) -> None:
    """Write more of the same page at the end of a document."""
    end = QTextCursor(document)
    end.movePosition(QTextCursor.MoveOperation.End)
    end.insertBlock()
    end.insertMarkdown(showable(text).replace("![", "["), _FEATURES)


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
        write_markdown(self.document(), text)
        # Reading the page leaves the cursor at its end, where Qt would scroll to when the page is shown first.
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded. Not None: for that Qt would open a local file itself."""
        return QByteArray(b" ")
