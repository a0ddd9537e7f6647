"""The only makers of widgets that show text from outside: events, models, judges, files. Text, never markup."""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontInfo,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QStaticText,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QTransform,
)
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPlainTextEdit, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from btc_gui.domain.outside_text import on_one_line, printable, showable, shown
from btc_gui.ui.theme import READING_COLUMNS
from btc_gui.ui.widgets.buttons import link_button

#: How much of a text is laid out before a person asks for the rest.
SHOWN_CHARACTERS = 20_000
#: Characters of a line of a tooltip.
_TIP_COLUMNS = 72
#: One paragraph longer than this makes every resize slow: it is shown broken into pieces.
_LONGEST_LINE = 4_000
#: For tables and lists.
one_line = on_one_line
#: Makes a line run from left to right, whatever its first letter.
_LEFT_TO_RIGHT = "\u200e"
#: A place in a word where a line may end; and a word that has some, of letters that stand alone.
_BREAK = "\u200b"
_LONG_WORD = re.compile(r"[!-~\u00a1-\u024f]{32,}")
_PIECE = 8
#: Distance of lines as a multiple of the font's size.
_LINE_HEIGHT = 1.45


class OutsideLabel(QLabel):
    """A label for text from outside: never markup, and nothing in it turns or hides what stands beside it."""

    def __init__(self, *, is_english: bool = False) -> None:
        super().__init__()
        self._is_english = is_english
        #: Heights by width and indent: Qt lays the text out for each question, and one to be selected is painted anew.
        self._heights: dict[tuple[int, int], int] = {}
        self.setTextFormat(Qt.TextFormat.PlainText)

    def heightForWidth(self, width: int) -> int:
        key = (width, self.indent())
        if key not in self._heights:
            self._heights[key] = super().heightForWidth(width)
        return self._heights[key]

    def changeEvent(self, event: QEvent) -> None:
        self._heights = {}  # Another font, perhaps.
        super().changeEvent(event)

    def setText(self, text: str) -> None:
        begins_from_right = self._is_english and _begins_from_right(text)
        words = f"{_LEFT_TO_RIGHT if begins_from_right else ''}{shown(text)}"
        if self.wordWrap():
            # Qt breaks lines between words only: a long one would push aside all that stands beside the label.
            words = _LONG_WORD.sub(_with_breaks, words)
        if words != super().text():
            self._heights = {}
            super().setText(words)

    def text(self) -> str:
        """The words as they are, without the places where a long one may be broken."""
        return super().text().replace(_BREAK, "")

    def copy(self) -> None:
        """Put what is selected into the clipboard, as the words are: an address copied from here is to be found."""
        QGuiApplication.clipboard().setText(self.selectedText().replace(_BREAK, ""))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self.copy()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copying = menu.addAction("Copy")
        copying.setEnabled(self.hasSelectedText())
        copying.triggered.connect(self.copy)
        menu.addAction("Select all").triggered.connect(self._select_all)
        menu.popup(event.globalPos())

    def _select_all(self) -> None:
        self.setSelection(0, len(super().text()))


class LineLabel(OutsideLabel):
    """One line that ends in an ellipsis where it has no room for all of its text, and takes whatever room there is.

    It keeps its words to itself: with each change of theirs, Qt would lay out all that is around a label anew, up to
    the window, and a line that tells how far a job is changes ten times a second.
    """

    def __init__(self, role: str = "") -> None:
        super().__init__()
        self._line = ""
        self._laid_out: QStaticText | None = None
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:
        line = shown(text)
        if line != self._line:
            self._line, self._laid_out = line, None
            self.setAccessibleName(line)
            self.update()

    def text(self) -> str:
        """The whole text, also where it is cut."""
        return self._line

    def sizeHint(self) -> QSize:
        return QSize(0, math.ceil(QFontMetricsF(self.font()).height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._laid_out = None

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._laid_out = None

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.contentsRect()
        if self._laid_out is None:
            # Kept, since the line is painted with whatever changes around it.
            self._laid_out = QStaticText(
                self.fontMetrics().elidedText(self._line, Qt.TextElideMode.ElideRight, area.width())
            )
            self._laid_out.setTextFormat(Qt.TextFormat.PlainText)
            self._laid_out.prepare(QTransform(), self.font())
        top = area.top() + (area.height() - QFontMetricsF(self.font()).height()) / 2
        QPainter(self).drawStaticText(QPointF(area.left(), top), self._laid_out)


def _with_breaks(word: re.Match[str]) -> str:
    letters = word[0]
    return _BREAK.join(letters[start : start + _PIECE] for start in range(0, len(letters), _PIECE))


def _begins_from_right(text: str) -> bool:
    """Whether the first letter is one of a script that runs from right to left."""
    ways = (unicodedata.bidirectional(letter) for letter in text[:200])
    return next((way for way in ways if way in ("L", "R", "AL")), "L") != "L"


def label(
    text: str = "", role: str = "", *, wraps: bool = True, selectable: bool = False, is_english: bool = False
) -> QLabel:
    """A label that shows `text` as it is. `role` is one of the style sheet's (secondary, small, title, mono…). Where it
    `is_english`, a sentence runs from left to right also when a name at its beginning does not."""
    made = OutsideLabel(is_english=is_english)
    made.setWordWrap(wraps)
    if role:
        made.setProperty("role", role)
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    made.setText(text)
    return made


def in_line(text: str, role: str, height: int) -> QLabel:
    """A label as high as what stands beside it in a flow, so that their words are in line."""
    made = label(text, role, wraps=False)
    made.setMinimumHeight(height)
    return made


def set_role(widget: QWidget, role: str) -> None:
    """Change a widget's role and let the style sheet see it."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def tooltip(text: str, limit: int = 600) -> str:
    """`text` for `setToolTip`: cut, in lines, and nothing in which Qt would see markup. It stays plain, since a screen
    reader reads it out as the description of what it is about."""
    cut = printable(text if len(text) <= limit else f"{text[:limit]}…")
    if len(cut) > _TIP_COLUMNS:
        columns = _TIP_COLUMNS if cut.isascii() else _TIP_COLUMNS * 2 // 3
        cut = "\n".join("\n".join(textwrap.wrap(line, columns)) for line in cut.splitlines())
    # With a character of no width within, it is no tag, nor the name of a character.
    return cut.replace("<", f"<{_BREAK}").replace("&lt;", f"&{_BREAK}lt;")


def breakable(text: str) -> str:
    """`text` with paragraphs of more than 4,000 characters broken, so that laying it out stays quick."""
    if len(text) <= _LONGEST_LINE:
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        lines += [line[i : i + _LONGEST_LINE] for i in range(0, len(line), _LONGEST_LINE)] or [""]
    return "\n".join(lines)


class PlainView(QPlainTextEdit):
    """A read-only view for text of any length, scrolling by itself."""

    def __init__(self, text: str = "", role: str = "", *, bare: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        if role:
            self.setProperty("role", role)
        if bare:
            self.setProperty("bare", "true")
            self.setFrameShape(QFrame.Shape.NoFrame)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show `text` from its beginning."""
        self.setPlainText(breakable(showable(text)))


class ReadingText(QTextEdit):
    """Long text to be read: 12 pt, at most 80 characters wide, lines 1.45 apart; as tall as its text.

    It can be edited in place (plain text only). Longer texts are cut; `rest_hidden` tells how much is not shown. With
    room for `least_lines`, what stands below it stays where it is while short texts come and go.
    """

    height_changed = Signal()

    def __init__(
        self, text: str = "", role: str = "reading", parent: QWidget | None = None, *, least_lines: float = 2
    ) -> None:
        super().__init__(parent)
        self._least_lines = least_lines
        self.setAcceptRichText(False)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setProperty("role", role)
        self.setProperty("bare", "true")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self.fit)
        self._full = ""
        self._fitted = 0
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show `text`, or its first 20,000 characters."""
        self._full = text
        self._show(text[:SHOWN_CHARACTERS])

    def set_whole_text(self, text: str) -> None:
        """Show all of `text`, to be edited: without what can't be seen, since what is typed around it would turn."""
        self._full = text
        self._show(text, is_whole=True)

    def show_all(self) -> None:
        """Show the whole text."""
        self._show(self._full)

    @property
    def rest_hidden(self) -> int:
        """How many characters are not shown."""
        return max(0, len(self._full) - len(self.toPlainText())) if len(self._full) > SHOWN_CHARACTERS else 0

    def _show(self, text: str, *, is_whole: bool = False) -> None:
        self.setPlainText(printable(text) if is_whole else breakable(showable(text)))
        self._space_lines()
        self.fit()

    def _space_lines(self) -> None:
        # Qt's proportion is of the font's own line spacing, which some fonts make large already.
        wanted = _LINE_HEIGHT * QFontInfo(self.font()).pixelSize()
        proportion = max(100.0, 100 * wanted / max(1.0, QFontMetricsF(self.font()).lineSpacing()))
        block_format = QTextBlockFormat()
        block_format.setLineHeight(proportion, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(block_format)
        self.document().clearUndoRedoStacks()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isReadOnly():
            self._space_lines()
            self.fit()

    def fit(self, *_: object) -> None:
        """Become as tall as the text."""
        wanted = int(self.document().size().height()) + (20 if self.property("editing") == "true" else 6)
        if wanted != self._fitted:
            self._fitted = wanted
            self.setFixedHeight(max(wanted, round(self.fontMetrics().lineSpacing() * self._least_lines)))
            self.height_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:
        return QSize(self.reading_width(), max(self._fitted, 40))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 40)

    def reading_width(self) -> int:
        """The width of 80 characters."""
        return self.fontMetrics().averageCharWidth() * READING_COLUMNS + 12


class CutText(QWidget):
    """Reading text with a button that shows the rest of a long one."""

    def __init__(self, text: str = "", role: str = "reading", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.view = ReadingText(role=role)
        self._more = link_button("")
        self._more.clicked.connect(self._show_all)
        layout.addWidget(self.view)
        layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show `text`, cut when it is long."""
        self.view.set_text(text)
        self._more.setVisible(self.view.rest_hidden > 0)
        self._more.setText(f"Show all ({self.view.rest_hidden:,} more characters)")

    def _show_all(self) -> None:
        self.view.show_all()
        self._more.hide()


def copy_to_clipboard(text: str) -> None:
    """Put text on the clipboard."""
    QGuiApplication.clipboard().setText(text)
