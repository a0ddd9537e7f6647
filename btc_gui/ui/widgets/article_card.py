"""The article about the entity as of its revision, as plain text, with find in it and what gives the change away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QSizePolicy, QTextEdit, QWidget

from btc_gui.domain.folding import fold_accents
from btc_gui.domain.outside_text import showable
from btc_gui.records import dataclass
from btc_gui.ui.qt_offsets import utf16_offsets
from btc_gui.ui.theme import BETWEEN, INSIDE, Theme
from btc_gui.ui.widgets.buttons import icon_button
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.plain_text import PlainView, label
from btc_gui.ui.wording import when

if TYPE_CHECKING:
    from btc_gui.domain.article import Article

_PAUSE_MILLISECONDS = 150
#: More hits than this are counted, not marked: a mark costs at every repaint.
_MARKED = 300
_HEIGHT_IN_LINES = 16


@dataclass(frozen=True, slots=True)
class ArticleText:
    """What is shown of an article. `leaks` are the places (characters of `text`) that tell of the change."""

    title: str
    text: str
    url: str = ""
    note: str = ""
    leaks: tuple[tuple[int, int], ...] = ()


def article_text(articles: Sequence[Article]) -> tuple[ArticleText | None, str]:
    """What to show of an event's articles, that of the position behind the entity's; or why there is none."""
    told = [each for each in articles if each.text]
    if not told:
        problems = [each.problem for each in articles if each.problem]
        return None, problems[0] if problems else "No article is stored for this event."
    text, leaks = "", list[tuple[int, int]]()
    for each in told:
        if text:
            text += f"\n\n{each.title}\n\n"
        leaks += [(len(text) + leak.start, len(text) + leak.end) for leak in each.leaks]
        text += each.text
    first = told[0]
    parts = [f"Revision {first.revision_id} of {when(first.revised_at)}" if first.revision_id else ""]
    parts.append(f"{len(leaks)} places tell of the change" if len(leaks) > 1 else "")
    parts.append("one place tells of the change" if len(leaks) == 1 else "")
    parts.append(first.attribution)
    note = " · ".join(part for part in parts if part)
    return ArticleText(first.title, text, first.url, note, tuple(leaks)), ""


class FindLine(QLineEdit):
    """Finds while one types; Enter goes on, Shift+Enter back, Escape leaves to what was read before."""

    def __init__(self, card: ArticleCard) -> None:
        super().__init__()
        self._card = card
        self.setPlaceholderText("Find in the article")
        self.setAccessibleName("Find in the article")
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._card.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self._card.leave_find()
        else:
            super().keyPressEvent(event)


class ArticleCard(Card):
    """Shows one article, or says why there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("Article", parent)
        self.heading.setWordWrap(True)
        self._theme = theme
        self._article: ArticleText | None = None
        self._hits: list[tuple[int, int]] = []
        self._at = -1
        self._leave_to: QWidget | None = None
        self._find_key = ""
        self.finder = FindLine(self)
        self.finder.textChanged.connect(self._search_soon)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._search)
        self.count = label("", "small", wraps=False)
        self._open = icon_button("external-link", "Open the article in the browser")
        self._open.clicked.connect(self.open_article)
        row = QHBoxLayout()
        row.setSpacing(INSIDE)
        row.addWidget(self.finder, 1)
        row.addWidget(self.count)
        row.addWidget(self._open)
        self._row = QWidget()
        self._row.setLayout(row)
        row.setContentsMargins(0, 0, 0, 0)
        self.note = label("", "small", selectable=True)
        self.view = PlainView(bare=True)
        self.view.setAccessibleName("Text of the article")
        self.view.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.body.addWidget(self._row)
        self.body.addWidget(self.note)
        self.body.addWidget(self.view)
        theme.changed.connect(self._restyle)
        self.show_article(None)

    def lead_to(self, widget: QWidget) -> None:
        """Name what gets the focus when find is left."""
        self._leave_to = widget

    def show_article(self, article: ArticleText | None, reason: str = "No article is stored for this event.") -> None:
        """Show this article from its beginning; one that is shown already stays where it is."""
        if article is not None and article == self._article:
            return
        self._article = article
        self.heading.setText(f"Article · {article.title}" if article and article.title else "Article")
        self._row.setVisible(article is not None)
        self.view.setVisible(article is not None)
        self._open.setVisible(bool(article and article.url.startswith(("https://", "http://"))))
        self.note.setText(article.note if article else reason)
        self.note.setVisible(bool(self.note.text()))
        self.view.set_text(showable(article.text) if article else "")
        self.view.setFixedHeight(self.view.fontMetrics().lineSpacing() * _HEIGHT_IN_LINES)
        self._find()

    def start_find(self) -> None:
        """Put the cursor into find."""
        if self._article is not None:
            self.finder.setFocus()
            self.finder.selectAll()
            self._scroll_to(self.finder, self.finder.rect())

    def leave_find(self) -> None:
        """Go back to what was read before."""
        if self._leave_to is not None:
            self._leave_to.setFocus()

    def open_article(self) -> bool:
        """Open the article in the browser; False when it has no address."""
        url = self._article.url if self._article else ""
        if not url.startswith(("https://", "http://")):
            return False
        return QDesktopServices.openUrl(QUrl(url))

    def go(self, by: int) -> None:
        """Go to the next hit, or the one before."""
        if self._pause.isActive():
            self._find()
        if self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._mark()
            self._show_hit()
            self._lead_to_hit()

    def _search_soon(self) -> None:
        self._pause.start()

    def _search(self) -> None:
        self._find()
        if self._hits:
            self._lead_to_hit()

    def _find(self) -> None:
        self._pause.stop()
        words = self.finder.text().strip()
        self._hits = found_in(self.view.toPlainText(), words)
        self._at = 0 if self._hits else -1
        self._mark()
        if self._hits:
            self._show_hit()

    def _show_hit(self) -> None:
        cursor = self.view.textCursor()
        cursor.setPosition(self._hits[self._at][0])
        self.view.setTextCursor(cursor)
        self.view.centerCursor()

    def _lead_to_hit(self) -> None:
        """Scroll what the card lies in so that the hit is seen, and what is typed where both fit."""
        self._scroll_to(self.finder, self.finder.rect())
        self._scroll_to(self.view.viewport(), self.view.cursorRect())

    def _scroll_to(self, widget: QWidget, part: QRect) -> None:
        around = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        content = around.widget() if around is not None else None
        if around is None or content is None:
            return
        place = QRect(widget.mapTo(content, part.topLeft()), part.size())
        bar = around.verticalScrollBar()
        room = around.viewport().height()
        if place.bottom() + BETWEEN > bar.value() + room:
            bar.setValue(place.bottom() + BETWEEN - room)
        if place.top() - BETWEEN < bar.value():
            bar.setValue(place.top() - BETWEEN)

    def _mark(self) -> None:
        words = self.finder.text().strip()
        self.count.setText(f"{self._at + 1} of {len(self._hits):,}" if self._hits else "none" if words else "")
        text = self.view.toPlainText()
        leaks = self._article.leaks if self._article and len(text) == len(self._article.text) else ()
        selections = [
            self._selection(start, stop, self._theme.color("evidence")) for start, stop in _in_units(text, leaks)
        ]
        accent, wash = self._theme.color("accent"), self._theme.color("accent")
        wash.setAlphaF(0.25)
        for place, (start, stop) in enumerate(self._hits[:_MARKED]):
            is_present = place == self._at
            ink = self._theme.color("on_accent") if is_present else None
            selections.append(self._selection(start, stop, accent if is_present else wash, ink))
        self.view.setExtraSelections(selections)

    def _selection(self, start: int, stop: int, color: QColor, ink: QColor | None = None) -> QTextEdit.ExtraSelection:
        look = QTextCharFormat()
        look.setBackground(color)
        if ink is not None:
            look.setForeground(ink)
        cursor = QTextCursor(self.view.document())
        cursor.setPosition(start)
        cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        selection.cursor = cursor
        selection.format = look
        return selection

    def _restyle(self) -> None:
        self.view.setFixedHeight(self.view.fontMetrics().lineSpacing() * _HEIGHT_IN_LINES)
        self._mark()


def found_in(text: str, words: str) -> list[tuple[int, int]]:
    """Where `words` stand in `text`, whatever the case and the accents, in the units that Qt counts."""
    if not words:
        return []
    folded = fold_accents(text)
    key = fold_accents(words).text.casefold()
    haystack = folded.text.lower()
    if len(haystack) != len(folded.text):
        haystack = folded.text
    places = [
        (folded.starts[hit.start()], folded.stops[hit.end() - 1]) for hit in re.finditer(re.escape(key), haystack)
    ]
    return _in_units(text, places)


def _in_units(text: str, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    units = utf16_offsets(text, [offset for place in places for offset in place])
    return [(units[start], units[stop]) for start, stop in places]
