"""The wordings of one probe, newest first, each with what it changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui.domain.probe import ProbeRevision
from btc_gui.domain.wording_diff import Change, diff_words
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import SHOWN_CHARACTERS, ReadingText, label
from btc_gui.ui.wording import when

_SHOWN = 20


class RevisionHistory(QWidget):
    """Removed words are struck through, added ones underlined, both on a wash of their colour."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._revisions: Sequence[ProbeRevision] = ()
        theme.changed.connect(self._show)

    def show_revisions(self, revisions: Sequence[ProbeRevision]) -> None:
        """Show these wordings (oldest first, as stored)."""
        self._revisions = revisions
        self._show()

    def _show(self) -> None:
        while self._column.count():
            item = self._column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        pairs = list(zip([None, *self._revisions], self._revisions, strict=False))
        for before, revision in reversed(pairs[-_SHOWN:]):
            who = f"Revision {revision.number} · {revision.origin} · {revision.author}, {when(revision.at)}"
            self._column.addWidget(label(who, "small"))
            text = ReadingText(role="body")
            text.setAccessibleName(f"Revision {revision.number}")
            self._column.addWidget(text)
            self._column.addSpacing(8)
            old = before.content.text if before is not None else revision.content.text
            self._write(text, old[:SHOWN_CHARACTERS], revision.content.text[:SHOWN_CHARACTERS])

    def _write(self, view: ReadingText, old: str, new: str) -> None:
        formats = {change: QTextCharFormat() for change in Change}
        formats[Change.ADDED].setBackground(QColor(self._theme.tokens.added))
        formats[Change.ADDED].setFontUnderline(True)
        formats[Change.REMOVED].setBackground(QColor(self._theme.tokens.removed))
        formats[Change.REMOVED].setFontStrikeOut(True)
        view.set_text("")
        cursor = QTextCursor(view.document())
        for piece in diff_words(old, new):
            # insertText takes the text as it is; it never reads markup.
            cursor.insertText(piece.text, formats[piece.change])
        view.fit()
