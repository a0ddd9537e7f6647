"""Read-only text from outside with passages marked: as high as its content, cut when long, never markup, no loads."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from PySide6.QtCore import QByteArray, QEvent, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLine,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from btc_gui.domain.excerpting import LongText, Piece, excerpted, long_text
from btc_gui.domain.outside_text import showable
from btc_gui.ui.qt_offsets import utf16_offsets
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.rendered_text import write_markdown
from btc_gui.ui.words import counted

#: Longer texts are cut for display; the whole is one click away.
CUT_AT = 3_000
#: Even on request no more than this is laid out at once: a megabyte in one line takes a second a resize.
STEP_OF_MORE = 50_000
#: A word longer than this is broken anywhere: looking for a better place takes Qt a second.
_LONGEST_WORD = re.compile(r"\S{800}")


class Passage(StrEnum):
    """Why a passage is marked."""

    EVIDENCE = "evidence"
    MENTION = "mention"
    GUESS = "guess"


@dataclass(frozen=True, slots=True)
class Span:
    """A marked passage: offsets in the text's characters."""

    start: int
    stop: int
    passage: Passage


class PartStyle(StrEnum):
    """How a part of a text looks."""

    BODY = "body"
    TITLE = "title"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph or more of a text, with its marked passages (offsets in this part)."""

    text: str
    style: PartStyle = PartStyle.BODY
    spans: tuple[Span, ...] = ()


class MarkedText(QTextEdit):
    """Plain text with marked passages. It scrolls with whatever it lies in, never by itself."""

    def __init__(self, theme: Theme, name: str, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self._spans: tuple[Span, ...] = ()
        self._styled: tuple[tuple[int, int, PartStyle], ...] = ()
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
        self.show_parts([Part(text, spans=tuple(spans))])

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Show several parts, each from a line of its own; passages beyond the end of their part are left out."""
        texts = [showable(part.text) for part in parts]
        starts = [0, *accumulate(len(text) + 1 for text in texts)]
        self._text = "\n".join(texts)
        self._spans = tuple(
            Span(start + span.start, start + span.stop, span.passage)
            for start, text, part in zip(starts, texts, parts, strict=False)
            for span in part.spans
            if 0 <= span.start < span.stop <= len(text)
        )
        self._styled = tuple(
            (start, start + len(text), part.style)
            for start, text, part in zip(starts, texts, parts, strict=False)
            if part.style is not PartStyle.BODY and text
        )
        anywhere = _LONGEST_WORD.search(self._text) is not None
        modes = QTextOption.WrapMode
        self.setWordWrapMode(modes.WrapAnywhere if anywhere else modes.WrapAtWordBoundaryOrAnywhere)
        self.setPlainText(self._text)
        self._dress()
        if self._role == "reading":
            spacing = QTextBlockFormat()
            spacing.setLineHeight(self._spacing(), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.mergeBlockFormat(spacing)
        self._mark()
        self._fit()

    def show_rendered(self, document: str, spans_of: Callable[[str], Sequence[Span]]) -> None:
        """Show Markdown as it is meant: no HTML, nothing loaded, images as links. `spans_of` finds the passages."""
        self._styled = ()
        write_markdown(self.document(), document)
        # Every character as the document counts them: offsets are looked for in exactly this text.
        self._text = self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")
        self._spans = tuple(s for s in spans_of(self._text) if 0 <= s.start < s.stop <= len(self._text))
        self._mark()
        self._fit()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded. Not None: for that Qt would open a local file itself."""
        return QByteArray(b" ")

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, and a hollow frame around each guess."""
        super().paintEvent(event)
        guesses = [span for span in self._spans if span.passage is Passage.GUESS]
        if not guesses:
            return
        painter = QPainter(self.viewport())
        pen = QPen(self._theme.color("warning"), 1)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        units = utf16_offsets(self._text, [offset for span in guesses for offset in (span.start, span.stop)])
        for span in guesses:
            for frame in self._frames(units[span.start], units[span.stop]):
                painter.drawRect(frame)
        painter.end()

    def _frames(self, start: int, stop: int) -> list[QRectF]:
        """The rectangles that a passage takes, one a line."""
        found = []
        block = self.document().findBlock(start)
        while block.isValid() and block.position() < stop:
            layout = block.layout()
            for number in range(layout.lineCount()):
                line = layout.lineAt(number)
                first = max(start - block.position(), line.textStart())
                last = min(stop - block.position(), line.textStart() + line.textLength())
                if first < last:
                    ends = [_x_of(line, place) for place in (first, last)]
                    frame = QRectF(min(ends), line.y() + 0.5, abs(ends[1] - ends[0]), line.height() - 1)
                    found.append(frame.translated(layout.position()))
            block = block.next()
        return found

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
        self._dress()
        self._mark()

    def _dress(self) -> None:
        """Give titles and notes their looks."""
        if not self._styled:
            return
        units = utf16_offsets(self._text, [offset for start, stop, _ in self._styled for offset in (start, stop)])
        cursor = QTextCursor(self.document())
        for start, stop, style in self._styled:
            look = QTextCharFormat()
            if style is PartStyle.TITLE:
                look.setFontWeight(600)
            else:
                look.setFontPointSize(self._theme.points("small"))
                look.setForeground(self._theme.color("secondary"))
            cursor.setPosition(units[start])
            cursor.setPosition(units[stop], QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)

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
            elif span.passage is Passage.GUESS:
                continue
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


def _x_of(line: QTextLine, place: int) -> float:
    """Where a character of a line begins. (Qt gives the position with it, the stubs say only the number.)"""
    found: object = line.cursorToX(place)
    return float(found[0] if isinstance(found, tuple) else found)  # type: ignore[arg-type]


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

    #: The whole of a text that is not at hand is asked for: its `TextPlace`.
    whole_asked = Signal(object)
    #: More was shown: how much of the text is shown now.
    extended = Signal(int)

    def __init__(
        self,
        theme: Theme,
        name: str,
        role: str = "",
        cut_at: int = CUT_AT,
        parent: QWidget | None = None,
        *,
        step_of_more: int = STEP_OF_MORE,
    ) -> None:
        super().__init__(parent)
        self._long = long_text("")
        self._spans: tuple[Span, ...] = ()
        self._lead: tuple[Part, ...] = ()
        self._cut_at, self._step_of_more = cut_at, step_of_more
        self._shown = 0
        #: For whoever keeps what is shown of several texts: which one this is, and what to call it.
        self.key: object = name
        self.title = name
        self.body = MarkedText(theme, name, role)
        self._more: ShrinkingButton | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self.body)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str, spans: Sequence[Span] = ()) -> None:
        """Show another text; a long one from its beginning, and around its passages further on."""
        self.show_long(long_text(text), spans)

    def show_long(self, text: LongText, spans: Sequence[Span] = (), lead: Sequence[Part] = (), shown: int = 0) -> None:
        """Show a text of any length below some lines that lead to it, its first `shown` characters at least."""
        self._long, self._spans, self._lead = text, tuple(spans), tuple(lead)
        self._shown = max(self._cut_at, shown)
        self._show()

    def show_rendered(self, document: str, spans_of: Callable[[str], Sequence[Span]]) -> None:
        """Show Markdown, whole: see `MarkedText.show_rendered`."""
        if self._more is not None:
            self._more.hide()
        self.body.show_rendered(document, spans_of)

    @property
    def more(self) -> ShrinkingButton:
        """The button that shows more. Made when there is more: most texts are short, and many are shown at once."""
        if self._more is None:
            self._more = ShrinkingButton()
            self._more.hide()
            self._more.clicked.connect(self._show_more)
            self._column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        return self._more

    def _show_more(self) -> None:
        if self._shown >= len(self._long.beginning):
            self.whole_asked.emit(self._long.place)
            return
        self._shown += self._step_of_more
        self._show()
        self.extended.emit(self._shown)

    def _show(self) -> None:
        beginning = self._long.beginning
        # A little over the cut is shown whole: a button for ten characters helps nobody.
        is_cut = len(beginning) > self._shown * 1.1
        passages = [(span.start, span.stop) for span in self._spans if span.passage is not Passage.MENTION]
        pieces = excerpted(beginning, passages, self._shown) if is_cut else (Piece(0, beginning),)
        pieces += self._long.pieces[1:]
        self.body.show_parts([*self._lead, *self._parts(pieces)])
        if not is_cut:
            self._shown = max(self._shown, len(beginning))
        left = len(beginning) - self._shown if is_cut else 0
        behind = self._long.length - len(beginning)
        if left <= 0 and behind <= 0:
            if self._more is not None:
                self._more.hide()
            return
        self.more.show()
        hidden = sum(1 for span in self._spans if not any(_holds(piece, span) for piece in pieces))
        marked = f", {counted(hidden, 'marked passage')} among them" if hidden else ""
        if left <= 0:
            self.more.setText(f"Open the whole text (about {self._long.length:,} characters)")
        elif left <= self._step_of_more and not behind:
            self.more.setText(f"Show all ({left:,} more characters{marked})")
        else:
            self.more.setText(f"Show more ({left + behind:,} characters left)")

    def _parts(self, pieces: Sequence[Piece]) -> list[Part]:
        """The pieces with a line for what is left out between them and behind them."""
        parts: list[Part] = []
        place = 0
        for number, piece in enumerate(pieces):
            if piece.start > place:
                parts.append(Part(f"⋯ {piece.start - place:,} characters ⋯", PartStyle.NOTE))
            is_last = number == len(pieces) - 1
            spans = [s for s in self._spans if _holds(piece, s)]
            moved = tuple(Span(s.start - piece.start, s.stop - piece.start, s.passage) for s in spans)
            end = "…" if is_last and piece.stop < self._long.length else ""
            parts.append(Part(piece.text + end, spans=moved))
            place = piece.stop
        return parts


def _holds(piece: Piece, span: Span) -> bool:
    return piece.start <= span.start and span.stop <= piece.stop
