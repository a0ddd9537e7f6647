"""What the model received for one query, to read and to mark: mentions, passages, and the sentence at the caret."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QFontInfo,
    QFontMetrics,
    QFontMetricsF,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from btc_gui.domain.mode_form import EvidenceSpan
from btc_gui.domain.outside_text import showable
from btc_gui.domain.received import parts_of, read_results, sentence_at
from btc_gui.ui.labelling.form import reading_width
from btc_gui.ui.labelling.mentions import FindMentions
from btc_gui.ui.qt_offsets import utf16_offsets
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.plain_text import label

#: Longer texts are shown in parts: laying out a megabyte in one line takes a second.
PART = 30_000


class _Reading(QTextEdit):
    """Read-only text with a caret: letters are keys, arrows and Shift move and select."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setProperty("role", "reading")
        self.setAccessibleName("What the model received")
        # Lines are at most 80 characters long, however wide the window is.
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.limit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break lines where there is no more room, or a line is long enough."""
        super().resizeEvent(event)
        self._limit_width()

    def _limit_width(self) -> None:
        self.setLineWrapColumnOrWidth(min(self.viewport().width(), reading_width(self._theme)))

    def limit_height(self) -> None:
        """Never less than five lines, of another text size."""
        self.setMinimumHeight(QFontMetrics(self._theme.font("reading")).height() * 5 + 12)
        self._limit_width()

    def sizeHint(self) -> QSize:
        """No higher than it has to be; it takes what is left."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def show_text(self, text: str) -> None:
        """Show another text from its beginning."""
        self.setPlainText(text)
        font = self._theme.font("reading")
        line = 145.0 * QFontInfo(font).pixelSize() / max(QFontMetricsF(font).lineSpacing(), 1.0)
        spacing = QTextBlockFormat()
        spacing.setLineHeight(max(line, 100.0), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)


class ReceivedView(QWidget):
    """Shows one received text, a long one in parts. Places are offsets in the characters of the whole text."""

    #: The caret or the selection moved.
    moved = Signal()

    def __init__(self, theme: Theme, find_mentions: FindMentions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._find = find_mentions
        self._text = self._entity = self._shown = ""
        self._quiet: list[tuple[int, int]] = []
        self._parts = [(0, 0)]
        self._part = 0
        self._mentions: list[tuple[int, int]] = []
        self._passages: Sequence[EvidenceSpan] = ()
        self._current: EvidenceSpan | None = None
        self._found: Sequence[tuple[int, int]] = ()
        self.body = _Reading(theme)
        self.body.selectionChanged.connect(self._caret_moved)
        self.body.cursorPositionChanged.connect(self._caret_moved)
        self._where = label("", "small", wraps=False)
        self.earlier = link_button("Earlier part")
        self.later = link_button("Later part")
        self.earlier.setToolTip("Key [")
        self.later.setToolTip("Key ]")
        self.earlier.clicked.connect(self.show_earlier)
        self.later.clicked.connect(self.show_later)
        self._turning = QWidget()
        turning = QHBoxLayout(self._turning)
        turning.setContentsMargins(0, 0, 0, 0)
        turning.addWidget(self._where)
        turning.addStretch(1)
        turning.addWidget(self.earlier)
        turning.addWidget(self.later)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.body, 1)
        layout.addWidget(self._turning)
        theme.changed.connect(self._restyle)

    # -- showing ---------------------------------------------------------------------------------------------

    def show_text(self, text: str, entity: str, found: Sequence[tuple[int, int]] = ()) -> None:
        """Show another text from its beginning; `found` are passages that the classifier took for evidence."""
        self._text, self._entity, self._found = text, entity, found
        self._parts = parts_of(text, PART)
        self._turn_to(0)

    def show_passages(self, passages: Sequence[EvidenceSpan], current: EvidenceSpan | None) -> None:
        """Mark other passages, all of this text."""
        self._passages, self._current = passages, current
        self._mark()

    def go_to(self, start: int) -> None:
        """Put the caret to a place, in whatever part it is."""
        for number, (_, stop) in enumerate(self._parts):
            if start < stop or number == len(self._parts) - 1:
                if number != self._part:
                    self._turn_to(number)
                break
        cursor = self.body.textCursor()
        place = min(max(start - self._base, 0), len(self._shown))
        cursor.setPosition(utf16_offsets(self._shown, [place])[place])
        self.body.setTextCursor(cursor)
        self.body.ensureCursorVisible()

    def go_to_next_mention(self) -> bool:
        """Put the caret to the next mention of the entity, from the beginning after the last one; False without any."""
        after = self.caret
        for part in (*range(self._part, len(self._parts)), *range(self._part + 1)):
            start, stop = self._parts[part]
            places = [start + span.start for span in self._find(showable(self._text[start:stop]), self._entity)]
            ahead = [place for place in places if place > after or part != self._part]
            if ahead or (places and len(self._parts) == 1):
                self.go_to((ahead or places)[0])
                return True
            if part == self._part:
                after = -1  # Met again only after all others: then from its beginning.
        return False

    def show_earlier(self) -> None:
        """Show the part before this one."""
        if self._part > 0:
            self._turn_to(self._part - 1)

    def show_later(self) -> None:
        """Show the part after this one."""
        if self._part < len(self._parts) - 1:
            self._turn_to(self._part + 1)

    # -- what is chosen --------------------------------------------------------------------------------------

    @property
    def caret(self) -> int:
        """Where the caret is."""
        return self._offset(self.body.textCursor().position())

    @property
    def passage(self) -> tuple[int, int]:
        """What would be marked now: the selection, else the marked passage or the sentence at the caret."""
        cursor = self.body.textCursor()
        if cursor.hasSelection():
            return self._offset(cursor.selectionStart()), self._offset(cursor.selectionEnd())
        caret = self.caret
        for span in self._passages:
            if span.start <= caret < span.stop:
                return span.start, span.stop
        start, stop = sentence_at(self._shown, min(caret - self._base, max(len(self._shown) - 1, 0)))
        return self._base + start, self._base + stop

    def unselect(self) -> None:
        """Leave the caret where the selection began."""
        cursor = self.body.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self.body.setTextCursor(cursor)

    # -- inside ----------------------------------------------------------------------------------------------

    @property
    def _base(self) -> int:
        return self._parts[self._part][0]

    def _offset(self, units: int) -> int:
        """A place as Qt counts it (UTF-16 units of the part) in characters of the whole text."""
        return self._base + len(self._shown.encode("utf-16-le")[: units * 2].decode("utf-16-le", "ignore"))

    def _turn_to(self, part: int) -> None:
        self._part = part
        start, stop = self._parts[part]
        shown = self._shown = showable(self._text[start:stop])
        self._quiet = _quiet_lines(shown)
        was_blocked = self.body.blockSignals(True)
        self.body.show_text(shown or "(nothing)")
        self.body.blockSignals(was_blocked)
        self._mentions = [(span.start, span.stop) for span in self._find(shown, self._entity)]
        self._turning.setVisible(len(self._parts) > 1)
        self._where.setText(f"Characters {start + 1:,} to {stop:,} of {len(self._text):,}")
        self.earlier.setEnabled(part > 0)
        self.later.setEnabled(part < len(self._parts) - 1)
        self._mark()

    def _caret_moved(self) -> None:
        self._mark()
        self.moved.emit()

    def _restyle(self) -> None:
        caret = self.caret
        self.body.limit_height()
        self._turn_to(self._part)
        self.go_to(caret)

    def _mark(self) -> None:
        shown = self._shown
        if not shown:
            self.body.setExtraSelections([])
            return
        looks: list[tuple[int, int, QTextCharFormat]] = []
        looks += [(start, stop, self._look(foreground="secondary")) for start, stop in self._quiet]
        if not self.body.textCursor().hasSelection():
            start, stop = self.passage
            looks.append((start - self._base, stop - self._base, self._look(background="hover")))
        for span in self._passages:
            is_current = span == self._current
            looks.append((span.start - self._base, span.stop - self._base, self._look("evidence", is_bold=is_current)))
        for start, stop in self._found:
            dashes = QTextCharFormat.UnderlineStyle.DashUnderline
            looks.append((start - self._base, stop - self._base, self._look(line=dashes, line_color="warning")))
        for start, stop in self._mentions:
            solid = QTextCharFormat.UnderlineStyle.SingleUnderline
            looks.append((start, stop, self._look(line=solid, line_color="accent", is_bold=True)))
        self.body.setExtraSelections(self._selections(shown, looks))

    def _look(
        self,
        background: str = "",
        *,
        foreground: str = "",
        line: QTextCharFormat.UnderlineStyle | None = None,
        line_color: str = "",
        is_bold: bool = False,
    ) -> QTextCharFormat:
        look = QTextCharFormat()
        if background:
            look.setBackground(self._theme.color(background))
        if foreground:
            look.setForeground(self._theme.color(foreground))
        if line is not None:
            look.setUnderlineStyle(line)
            look.setUnderlineColor(self._theme.color(line_color))
        if is_bold:
            look.setFontWeight(600)
        return look

    def _selections(
        self, shown: str, looks: Sequence[tuple[int, int, QTextCharFormat]]
    ) -> list[QTextEdit.ExtraSelection]:
        inside = [(max(start, 0), min(stop, len(shown)), look) for start, stop, look in looks]
        inside = [(start, stop, look) for start, stop, look in inside if start < stop]
        units = utf16_offsets(shown, [place for start, stop, _ in inside for place in (start, stop)])
        selections = []
        for start, stop, look in inside:
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.body.document())
            cursor.setPosition(units[start])
            cursor.setPosition(units[stop], QTextCursor.MoveMode.KeepAnchor)
            selection.cursor, selection.format = cursor, look
            selections.append(selection)
        return selections


def _quiet_lines(shown: str) -> list[tuple[int, int]]:
    """Address and date lines of the results: less to be read than their words."""
    places = []
    for result in read_results(shown):
        first = shown.index("\n", result.start) + 1
        stop = shown.find("\n", first)
        if stop >= 0 and shown.startswith("Published: ", stop + 1):
            stop = shown.find("\n", stop + 1)
        places.append((first, stop if stop >= 0 else len(shown)))
    return places
