"""Read-only text from outside with passages marked: as high as its content, cut when long, never markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QFontInfo,
    QFontMetricsF,
    QResizeEvent,
    QShowEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from btc_gui.ui.theme import Theme

#: Longer texts are cut for display; the whole is one click away.
CUT_AT = 3_000
#: Even on request no more than this is laid out at once: a megabyte in one line takes a second a resize.
STEP_OF_MORE = 50_000
_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


class Passage(StrEnum):
    """Why a passage is marked."""

    EVIDENCE = "evidence"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Span:
    """A marked passage: offsets in the text's characters."""

    start: int
    stop: int
    passage: Passage


def showable(text: str) -> str:
    """The text as Qt can show it, character for character, so that offsets stay true.

    Line ends become one kind; control characters, lone halves of characters and Qt's own marks become `�`.
    """
    text = text.replace("\r\n", " \n").replace("\r", "\n").replace("\u2029", "\n").replace("\u2028", "\n")
    return _UNSHOWABLE.sub("\ufffd", text)


class MarkedText(QTextEdit):
    """Plain text with marked passages. It scrolls with whatever it lies in, never by itself."""

    def __init__(self, theme: Theme, name: str, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self._spans: tuple[Span, ...] = ()
        self._text = ""
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setProperty("bare", True)
        if role:
            self.setProperty("role", role)
        if role == "mono":
            self.setFont(theme.font("body", mono=True))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.setAccessibleName(name)
        theme.changed.connect(self._restyle)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The passages marked now."""
        return self._spans

    def show_text(self, text: str, spans: Sequence[Span] = ()) -> None:
        """Show another text with its marked passages (those beyond its end are left out)."""
        self._text = showable(text)
        self._spans = tuple(span for span in spans if 0 <= span.start < span.stop <= len(self._text))
        self.setPlainText(self._text)
        if self._role == "reading":
            spacing = QTextBlockFormat()
            spacing.setLineHeight(self._spacing(), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.mergeBlockFormat(spacing)
        self._mark()
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height that the text needs at this width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Take the height that the text needs in this font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Take the height that the text needs: while hidden it was not laid out."""
        super().showEvent(event)
        self._fit()

    def _restyle(self) -> None:
        if self._role == "mono":
            self.setFont(self._theme.font("body", mono=True))
        self._mark()

    def _fit(self) -> None:
        if not self.isVisible():
            return
        document = self.document()
        document.setTextWidth(self.viewport().width())
        frame = min(max(self.height() - self.viewport().height(), 4), 12)
        wanted = int(document.size().height() + 0.999) + frame
        if wanted != self.minimumHeight():
            self.setFixedHeight(wanted)

    def _spacing(self) -> float:
        """Lines 1.45 times the font's size apart, in percent of what the font itself asks for."""
        font = self._theme.font("reading")
        pixels = QFontInfo(font).pixelSize()
        return max(145.0 * pixels / max(QFontMetricsF(font).lineSpacing(), 1.0), 100.0)

    def _mark(self) -> None:
        units = utf16_offsets(self._text, [offset for span in self._spans for offset in (span.start, span.stop)])
        selections = []
        for span in self._spans:
            look = QTextCharFormat()
            if span.passage is Passage.EVIDENCE:
                look.setBackground(self._theme.color("evidence"))
            else:
                look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
                look.setUnderlineColor(self._theme.color("accent"))
                look.setFontWeight(600)
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(units[span.start])
            cursor.setPosition(units[span.stop], QTextCursor.MoveMode.KeepAnchor)
            selection.cursor = cursor
            selection.format = look
            selections.append(selection)
        self.setExtraSelections(selections)


def utf16_offsets(text: str, offsets: Sequence[int]) -> dict[int, int]:
    """Each offset as Qt counts it: Qt counts UTF-16 units, Python characters; they part at the first emoji."""
    wanted = sorted(set(offsets))
    units, before, found = 0, 0, {}
    for offset in wanted:
        units += len(text[before:offset].encode("utf-16-le")) // 2
        found[offset], before = units, offset
    return found


class ShrinkingButton(QPushButton):
    """A link-like button that may get narrower than its words: a long text must not widen what it lies in."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "link")
        self.setAutoDefault(False)

    def minimumSizeHint(self) -> QSize:
        """Room for a word."""
        return QSize(48, super().minimumSizeHint().height())


class TextBlock(QWidget):
    """A marked text that is cut when long, with a button that shows more."""

    def __init__(
        self, theme: Theme, name: str, role: str = "", cut_at: int = CUT_AT, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._text = ""
        self._spans: tuple[Span, ...] = ()
        self._cut_at = cut_at
        self._shown = 0
        self.body = MarkedText(theme, name, role)
        self.more = ShrinkingButton()
        self.more.clicked.connect(self._show_more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.body)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str, spans: Sequence[Span] = ()) -> None:
        """Show another text; a long one from its beginning, as far as its first marked passages."""
        self._text, self._spans = text, tuple(spans)
        self._shown = self._cut_at
        self._show()

    def _show_more(self) -> None:
        self._shown += STEP_OF_MORE
        self._show()

    def _show(self) -> None:
        # A little over the cut is shown whole: a button for ten characters helps nobody.
        is_cut = len(self._text) > self._shown * 1.1
        stop = self._shown if is_cut else len(self._text)
        self.body.show_text(self._text[:stop] + ("…" if is_cut else ""), [s for s in self._spans if s.stop <= stop])
        self.more.setVisible(is_cut)
        left = len(self._text) - stop
        hidden = sum(1 for span in self._spans if span.stop > stop)
        marked = f", {hidden} marked passages among them" if hidden else ""
        if left <= STEP_OF_MORE:
            self.more.setText(f"Show all ({left:,} more characters{marked})")
        else:
            self.more.setText(f"Show more ({left:,} characters left)")
