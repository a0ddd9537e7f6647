"""Facts with their names, as one text to be read and selected."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QResizeEvent, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from btc_gui.domain.outside_text import shown
from btc_gui.ui.theme import Theme

#: Pixels at normal text size in which facts can stand beside their names.
_LEAST_FOR_TWO = 220
_GAP, _BETWEEN_ROWS = 12, 4
_LONGEST = 600
#: What the style sheet keeps around a text for the ring of the focus.
_FRAME = 2


class FactText(QTextEdit):
    """Each fact beside its name, or below it where there is little room; text, never markup.

    One text for all of them, as high as it needs to be: labels for each, which can be selected, Qt would lay out one by
    one, at several widths. Tab comes to it once, and what is selected may go over several facts.
    """

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts: tuple[tuple[str, str], ...] = ()
        self._is_stacked = False
        self._heights: dict[int, int] = {}
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setProperty("bare", "true")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.document().setDocumentMargin(0)
        theme.changed.connect(self._write)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these facts, each a name and a value; those without a value are left out."""
        told = tuple((name, value) for name, value in facts if value)
        if told != self._facts:
            self._facts = told
            self._write()

    def _write(self) -> None:
        """Write the facts anew: for other ones, other room or another font."""
        names = QTextCharFormat()
        names.setFont(small := self._theme.font("small"))
        names.setForeground(self._theme.color("secondary"))
        measured = QFontMetricsF(small)
        beside = 0.0 if self._is_stacked else max((measured.horizontalAdvance(n) for n, _ in self._facts), default=0.0)
        row = QTextBlockFormat()
        row.setBottomMargin(_BETWEEN_ROWS)
        if beside:
            row.setLeftMargin(beside + _GAP)
            row.setTextIndent(-beside - _GAP)
            row.setTabPositions([QTextOption.Tab(beside + _GAP, QTextOption.TabType.LeftTab)])
        last = QTextBlockFormat(row)
        last.setBottomMargin(0)
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for number, (name, value) in enumerate(self._facts, 1):
            of_row = last if number == len(self._facts) else row
            if number == 1:
                cursor.setBlockFormat(of_row)
            else:
                cursor.insertBlock(of_row)
            cursor.insertText(name + ("\u2028" if self._is_stacked else "\t"), names)
            cursor.insertText(_cut(value), QTextCharFormat())
        cursor.endEditBlock()
        self._heights = {}
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._heights = {}
        if event.type() == QEvent.Type.FontChange:
            self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put each fact beside its name, or below it."""
        super().resizeEvent(event)
        is_stacked = self.width() < _LEAST_FOR_TWO * self._theme.text_scale
        if is_stacked != self._is_stacked:
            self._is_stacked = is_stacked
            self._write()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            document, around = self.document(), 2 * _FRAME
            before, asked = document.textWidth(), width - around
            # Setting a width lays all of it out and paints it anew, the same width too: mostly it is the one it has.
            if before != asked:
                document.setTextWidth(asked)
            self._heights[width] = round(document.size().height() + 0.5) + around
            if before != asked:
                document.setTextWidth(before)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        return QSize(_LEAST_FOR_TWO, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


def _cut(value: str) -> str:
    """Facts are short: what isn't is read elsewhere. Its lines stay within its row."""
    text = shown(value if len(value) <= _LONGEST else f"{value[:_LONGEST]} …")
    return text.replace("\n", "\u2028").replace("\t", " ")
