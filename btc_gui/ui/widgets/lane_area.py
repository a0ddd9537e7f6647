"""A scroll area of rows of step cards, of which only those in sight (and a little around it) are made."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QScrollArea, QWidget

from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.card_stock import CardStock
from btc_gui.ui.widgets.frames import height_now, tab_after
from btc_gui.ui.widgets.lane_grid import BETWEEN, LaneGrid
from btc_gui.ui.widgets.lane_rows import LaneBody, LaneRow
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.widgets.step_card import CardState, StepCard

#: How long cards are made before the window gets its turn, in processor time: by the clock, a busy machine would lay
#: all out anew for each card.
_SLICE_SECONDS = 0.010
#: Cards are made so many pixels around what is in sight, and put away further off; those out of sight are made so many
#: milliseconds after those in sight.
_NEAR, _FAR, _AHEAD_AFTER = 500, 2_500, 200
#: So much of what is above a row is seen when it is gone to.
_ABOVE = 24


class LaneArea(QScrollArea):
    """Shows rows of cards under one scroll bar. Heights of rows that were not seen yet are guessed."""

    whole_asked = Signal(object, str)
    note_asked = Signal(int, int)
    reference_asked = Signal(int, int)
    entered = Signal(int, int)
    #: All that is in sight is made and has its place.
    settled = Signal()

    def __init__(
        self,
        theme: Theme,
        state_of: Callable[[tuple[int, int]], CardState],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self._state_of = state_of
        self._header: QWidget | None = None
        self._grid = LaneGrid(theme, self.viewport())
        self._numbers: dict[int, int] = {}
        self._cards: dict[int, list[StepCard | None]] = {}
        self._card_heights: dict[int, list[int]] = {}
        self._headings: dict[int, QLabel] = {}
        self._dirty: set[int] = set()
        self._current: tuple[int, int] | None = None
        self._is_plain = self._is_busy = False
        # The row that was gone to: it stays where it is while heights above it turn out to be others.
        self._pinned: int | None = None
        self._work, self._ahead, self._settling = QTimer(self), QTimer(self), QTimer(self)
        for timer, act in ((self._work, self._sync), (self._ahead, self._sync_ahead), (self._settling, self._settle)):
            timer.setSingleShot(True)
            timer.setInterval(0)
            timer.timeout.connect(act)
        self._ahead.setObjectName("ahead")
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Only where large text has no room: without a bar, what is on the right could not be reached.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        # Always there, so that no text is laid out twice because a bar came or went.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._body = LaneBody(theme, self._grid.gaps)
        self.stock = CardStock(theme, self._body, self._connect)
        self.setWidget(self._body)
        self.verticalScrollBar().setSingleStep(48)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_moved)
        theme.changed.connect(self._restyle)

    # -- for the view ----------------------------------------------------------------------------------------

    def show_rows(self, lanes: Sequence[int], rows: Sequence[LaneRow]) -> None:
        """Show other rows, from their beginning; `lanes` are the numbers of their columns among all lanes."""
        self._drop_all()
        self._grid.show(lanes, rows)
        self._numbers = {row.number: place for place, row in enumerate(self._grid.rows)}
        self._current = self._pinned = None
        self._grid.guess(self._state_of)
        self._lay_out()
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)
        self._body.update()
        # Not in the turn that brought the rows: what stands around them is made in that one.
        self._work.start(0)

    def set_header(self, header: QWidget | None) -> None:
        """Let `header` scroll above the rows; None gives it back."""
        if self._header is not None:
            self._header.removeEventFilter(self)
        self._header = header
        if header is not None:
            header.setParent(self._body)
            header.installEventFilter(self)
            header.show()
        self._lay_out()
        self._work.start(0)

    @property
    def current_card(self) -> StepCard | None:
        """The card that is outlined; None when it is none, or far out of sight."""
        if self._current is None:
            return None
        cards = self._cards.get(self._current[0])
        return cards[self._current[1]] if cards else None

    @property
    def is_making(self) -> bool:
        """Whether cards in sight are still to be made."""
        return self._work.isActive()

    def lane_of(self, card: StepCard) -> int:
        """The lane of a card among all lanes."""
        column = next(cards.index(card) for cards in self._cards.values() if card in cards)
        return self._grid.lanes[column]

    def number_of(self, row: int) -> int:
        """Where the row of that number stands here."""
        return self._numbers[row]

    def card(self, row: int, column: int) -> StepCard | None:
        """The card of a step, made if it was not yet."""
        if self._is_missing(row, column):
            self._make(row, column)
            self._order_tabs([row])
            self._measure_dirty()
        return self._cards[row][column] if row in self._cards else None

    def set_current(self, place: tuple[int, int] | None) -> None:
        """Outline the card of a row and column, and no other one."""
        before = self.current_card
        if before is not None:
            before.set_current(False)
        self._current = place
        card = self.current_card
        if card is not None:
            card.set_current(True)

    def scroll_to(self, row: int) -> None:
        """Bring a row to the top; it stays there while the heights of what is around it become known."""
        self._pinned = row
        self._scroll_bar_to(self._grid.tops[row] - _ABOVE)
        self._sync()
        self._scroll_bar_to(self._grid.tops[row] - _ABOVE)

    def _scroll_bar_to(self, value: int) -> None:
        """Scroll without taking it for a person's scrolling."""
        was_busy, self._is_busy = self._is_busy, True
        self.verticalScrollBar().setValue(max(value, 0))
        self._is_busy = was_busy

    def set_plain(self, is_plain: bool) -> None:
        """Show answers as they were written or rendered."""
        self._is_plain = is_plain
        for card in self._all_cards():
            card.set_plain(is_plain)

    def fold_all(self, is_folded: bool) -> None:
        """Fold or show all steps; their states are changed already."""
        top, had_focus = self._first_in_sight(), self._drop_all()
        place = self._current if had_focus else None
        self._grid.guess(self._state_of)
        self._lay_out()
        if self._grid.rows:
            self.scroll_to(place[0] if place is not None else top)
        card = self.card(*place) if place is not None else None
        if card is not None:
            card.setFocus()

    # -- geometry --------------------------------------------------------------------------------------------

    def _header_height(self) -> int:
        if self._header is None:
            return 0
        return height_now(self._header, self._grid.room)

    def _lay_out(self) -> None:
        """Put everything where it belongs by the heights that are known."""
        head = self._header_height()
        if self._header is not None:
            self._header.setGeometry(0, 0, self._grid.room, head)
            head += BETWEEN
        self._grid.lay_out(head)
        self._body.resize(max(self._grid.room, self._grid.width), self._grid.tops[-1] + 16)
        for row in self._cards:
            self._place(row)

    def _place(self, row: int) -> None:
        top = self._grid.tops[row]
        heading = self._headings.get(row)
        if heading is not None:
            heading.setGeometry(0, top, self._grid.width, self._grid.heading_height(row))
            top += self._grid.heading_height(row)
        heights = self._card_heights[row]
        for column, card in enumerate(self._cards[row]):
            if card is not None:
                card.setGeometry(self._grid.x(column), top, self._grid.lane_width, heights[column])

    def _first_in_sight(self) -> int:
        return self._grid.row_at(self.verticalScrollBar().value())

    # -- making and putting away -----------------------------------------------------------------------------

    def _scrolled(self, value: int) -> None:
        if not self._is_busy:
            self._pinned = None
            self._sync()

    def _sync(self) -> None:
        """Make what is in sight, card by card, and put away what is far."""
        if self._make_some(0):
            self._work.start(0)
            return
        self.settled.emit()
        if self._grid.rows and not self._ahead.isActive():
            self._ahead.start(_AHEAD_AFTER)

    def _sync_ahead(self) -> None:
        """Make what is around that, too."""
        if not self._work.isActive() and self._make_some(_NEAR):
            self._ahead.start(0)

    def _make_some(self, around: int) -> bool:
        """Make cards in sight and so many pixels around for a moment; whether some are still missing."""
        if not self._grid.rows or self._is_busy or not self.isVisible():
            return False
        self._is_busy = True
        try:
            start = time.thread_time()
            missing = self._missing(around)
            made: set[int] = set()
            for row, column in missing:
                if made and time.thread_time() - start > _SLICE_SECONDS:
                    break
                self._make(row, column)
                made.add(row)
            self._order_tabs(made)
            self._measure_dirty(is_made=True)
            top = self.verticalScrollBar().value()
            self._put_away(self._grid.row_at(top - _FAR), self._grid.row_at(top + self.viewport().height() + _FAR))
            # Looked for anew: rows may have turned out lower than guessed.
            return bool(missing) and bool(self._missing(around))
        finally:
            self._is_busy = False

    def _missing(self, around: int) -> list[tuple[int, int]]:
        """The cards that are not made yet in what is in sight and so many pixels around, those below first."""
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        first, last = self._grid.row_at(top), self._grid.row_at(bottom + around)
        rows = (*range(first, last + 1), *range(self._grid.row_at(top - around), first))
        return [
            (row, column) for row in rows for column in range(len(self._grid.lanes)) if self._is_missing(row, column)
        ]

    def _is_missing(self, row: int, column: int) -> bool:
        if self._grid.rows[row].steps[column] is None:
            return False
        cards = self._cards.get(row)
        return cards is None or cards[column] is None

    def _make(self, number: int, column: int) -> None:
        row = self._grid.rows[number]
        view = row.steps[column]
        assert view is not None
        if number not in self._cards:
            self._cards[number] = [None] * len(self._grid.lanes)
            self._card_heights[number] = [0] * len(self._grid.lanes)
            if row.heading and len(self._grid.lanes) > 1:
                self._make_heading(number, row.heading)
        state = self._state_of((self._grid.lanes[column], view.step.number))
        card = self.stock.take(view, state, is_plain=self._is_plain)
        self._cards[number][column] = card
        # Texts take their heights when they are shown: all of its heights are true behind this.
        card.setGeometry(self._grid.x(column), self._grid.tops[number], self._grid.lane_width, max(card.height(), 1))
        card.show()
        if self._current == (number, column):
            card.set_current(True)
        self._dirty.add(number)

    def _connect(self, card: StepCard) -> None:
        card.resized.connect(self._card_resized)
        card.whole_asked.connect(self.whole_asked)
        card.note_asked.connect(self._note_asked)
        card.reference_asked.connect(self._reference_asked)

    def _order_tabs(self, rows: Iterable[int]) -> None:
        """Let Tab come to the cards of rows where they stand: cards are made as they come into sight."""
        for number in sorted(rows):
            before = [each for each in self._cards.get(number - 1, ()) if each is not None]
            above: list[QWidget] = [*before[-1:]] or ([self._header] if self._header is not None else [])
            tab_after(
                above[0] if above else self, [*above, *(each for each in self._cards[number] if each is not None)]
            )

    def _make_heading(self, number: int, words: str) -> None:
        heading = label(words, "section", wraps=False)
        heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        heading.setParent(self._body)
        heading.show()
        self._headings[number] = heading

    def _put_away(self, first: int, last: int) -> None:
        for number in [row for row in self._cards if not first <= row <= last]:
            cards = self._cards[number]
            focused = QApplication.focusWidget()
            if any(card is not None and (card is focused or card.isAncestorOf(focused)) for card in cards if focused):
                continue
            self._drop(number)

    def _drop_all(self) -> bool:
        """Put all cards away; whether one of them had the focus. It goes to the area: Qt would hand it from card to
        card, and scroll to each."""
        was_busy, self._is_busy = self._is_busy, True
        focused = QApplication.focusWidget()
        had_focus = focused is not None and any(c is focused or c.isAncestorOf(focused) for c in self._all_cards())
        if had_focus:
            self.setFocus()
        for row in list(self._cards):
            self._drop(row)
        self._is_busy = was_busy
        return had_focus

    def _drop(self, number: int) -> None:
        for card in self._cards.pop(number):
            if card is not None:
                self.stock.put_away(card)
        del self._card_heights[number]
        heading = self._headings.pop(number, None)
        if heading is not None:
            heading.hide()
            heading.deleteLater()
        self._dirty.discard(number)

    def _measure_dirty(self, *, is_made: bool = False) -> None:
        """Take the true heights of the rows that changed, with what is in sight staying where it is. Whoever went to
        the end stays there when steps are made (`is_made`) that are higher than guessed."""
        if not self._dirty:
            return
        # Texts take their heights when they are shown; what is around them hears of it by these events only.
        QCoreApplication.sendPostedEvents(None, int(QEvent.Type.LayoutRequest))
        dirty, self._dirty = self._dirty, set()
        bar = self.verticalScrollBar()
        is_end = is_made and self._pinned is None and bar.value() == bar.maximum() > 0
        anchor = self._pinned if self._pinned is not None else self._first_in_sight()
        offset = _ABOVE if self._pinned is not None else self._grid.tops[anchor] - bar.value()
        changed = [self._measure(row) for row in dirty]
        if not any(changed) and (self._header is None or self._header.height() == self._header_height()):
            return
        self._lay_out()
        if is_end:
            self._scroll_bar_to(bar.maximum())
        elif bar.value() > 0 or self._pinned is not None:
            self._scroll_bar_to(self._grid.tops[anchor] - offset)
        # Only the gaps are drawn by the body itself, and what stands above them takes its time to draw.
        if len(self._grid.lanes) > 1:
            first, last = self._grid.tops[0], self._grid.tops[-1]
            self._body.update(0, first, self._body.width(), last - first)

    def _measure(self, row: int) -> bool:
        """Take the true height of a row; whether it or one of its cards has another one now."""
        cards = self._cards.get(row)
        if cards is None:
            return False
        width = self._grid.lane_width
        heights = [height_now(card, width) if card is not None else 0 for card in cards]
        known = max(heights) + self._grid.heading_height(row)
        is_whole = not any(self._is_missing(row, column) for column in range(len(self._grid.lanes)))
        height = known if is_whole else max(known, self._grid.heights[row])
        changed = (heights, height) != (self._card_heights[row], self._grid.heights[row])
        self._card_heights[row], self._grid.heights[row] = heights, height
        return changed

    # -- events ----------------------------------------------------------------------------------------------

    def _all_cards(self) -> list[StepCard]:
        return [card for cards in self._cards.values() for card in cards if card is not None]

    def _place_of(self, card: QObject | None) -> tuple[int, int] | None:
        for row, cards in self._cards.items():
            for column, each in enumerate(cards):
                if each is not None and each is card:
                    return row, column
        return None

    def _card_resized(self) -> None:
        place = self._place_of(self.sender())
        if place is not None:
            self._dirty.add(place[0])
            if not self._is_busy:
                self._settling.start()

    def _settle(self) -> None:
        """Lay out anew what has another height now."""
        if self._is_busy:
            return
        self._is_busy = True
        self._measure_dirty()
        if self._header is not None and self._header.height() != self._header_height():
            self._lay_out()
        self._is_busy = False
        self._work.start(0)

    def _note_asked(self) -> None:
        self._tell(self.note_asked)

    def _reference_asked(self) -> None:
        self._tell(self.reference_asked)

    def _tell(self, signal: SignalInstance) -> None:
        card = self.sender()
        if isinstance(card, StepCard):
            signal.emit(self.lane_of(card), card.view.step.number)

    def _focus_moved(self, before: QWidget | None, now: QWidget | None) -> None:
        """Whatever in a card takes the focus: that card is the one that keys act on."""
        if now is None or not self._body.isAncestorOf(now):
            return
        for row, cards in self._cards.items():
            for column, card in enumerate(cards):
                if card is not None and (card is now or card.isAncestorOf(now)):
                    self.set_current((row, column))
                    self.entered.emit(self._grid.lanes[column], card.view.step.number)
                    return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the header's height."""
        if watched is self._header and event.type() == QEvent.Type.LayoutRequest:
            self._settling.start()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay all out anew in the new width."""
        super().resizeEvent(event)
        self._lay_out()
        if event.size().width() != event.oldSize().width():
            self._dirty.update(self._cards)
            self._settle()
        if self._pinned is not None:
            self._scroll_bar_to(self._grid.tops[self._pinned] - _ABOVE)
        self._work.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._work.start(0)

    def _restyle(self) -> None:
        self._dirty.update(self._cards)
        self._settling.start()
