"""A wording beside another one, word by word: removed words struck through, added ones underlined."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor

from btc_gui.domain.outside_text import showable
from btc_gui.domain.wording_diff import Change, diff_words
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import SHOWN_CHARACTERS, ReadingText


def diff_looks(theme: Theme) -> dict[Change, QTextCharFormat]:
    """How pieces look: changes stand on a wash of their colour, never colour alone; what is folded is small."""
    looks = {change: QTextCharFormat() for change in Change}
    looks[Change.ADDED].setBackground(QColor(theme.tokens.added))
    looks[Change.ADDED].setFontUnderline(True)
    looks[Change.REMOVED].setBackground(QColor(theme.tokens.removed))
    looks[Change.REMOVED].setFontStrikeOut(True)
    looks[Change.FOLDED].setForeground(QColor(theme.tokens.secondary))
    looks[Change.FOLDED].setFontPointSize(theme.points("small"))
    return looks


def write_diff(view: ReadingText, theme: Theme, old: str, new: str) -> None:
    """Show in `view` how `new` differs from `old`."""
    formats = diff_looks(theme)
    view.set_text("")
    cursor = QTextCursor(view.document())
    for piece in diff_words(old[:SHOWN_CHARACTERS], new[:SHOWN_CHARACTERS]):
        # insertText takes the text as it is; it never reads markup.
        cursor.insertText(showable(piece.text), formats[piece.change])
    view.fit()
