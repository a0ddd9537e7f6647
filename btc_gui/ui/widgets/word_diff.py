"""A wording beside another one, word by word: removed words struck through, added ones underlined."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor

from btc_gui.domain.wording_diff import Change, diff_words
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import SHOWN_CHARACTERS, ReadingText


def write_diff(view: ReadingText, theme: Theme, old: str, new: str) -> None:
    """Show in `view` how `new` differs from `old`. Both stand on a wash of their colour, never colour alone."""
    formats = {change: QTextCharFormat() for change in Change}
    formats[Change.ADDED].setBackground(QColor(theme.tokens.added))
    formats[Change.ADDED].setFontUnderline(True)
    formats[Change.REMOVED].setBackground(QColor(theme.tokens.removed))
    formats[Change.REMOVED].setFontStrikeOut(True)
    view.set_text("")
    cursor = QTextCursor(view.document())
    for piece in diff_words(old[:SHOWN_CHARACTERS], new[:SHOWN_CHARACTERS]):
        # insertText takes the text as it is; it never reads markup.
        cursor.insertText(piece.text, formats[piece.change])
    view.fit()
