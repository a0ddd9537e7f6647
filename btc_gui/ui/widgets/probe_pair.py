"""Two cards of probes: one is read, and on the other one the probe that comes next is laid out ahead, out of sight."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.sessions.review_item import ReviewItem
from btc_gui.ui.theme import INSIDE, Theme
from btc_gui.ui.widgets.frames import ScrollColumn, tab_after
from btc_gui.ui.widgets.probe_card import ProbeCard


class _Column(ScrollColumn):
    """A card that scrolls."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        content = QWidget()
        super().__init__(content, "Probe", parent)
        self.card = ProbeCard(theme, content)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, INSIDE, 0)
        column.addWidget(self.card)
        column.addStretch(1)

    def show_item(self, item: ReviewItem, *, has_draft: bool) -> None:
        """Show this probe, to be read."""
        if not self.card.follow(item, has_draft=has_draft):
            with self.changing(self.card):
                self.card.show_item(item, has_draft=has_draft)


class ProbePair(QStackedWidget):
    """Shows a probe. Setting its texts and laying them out takes as long as all else that follows a decision, so the
    next one is made `ready` while the person reads, and then it only changes places with the one before.

    `made` is called with each card: the other one is made when it is first needed.
    """

    def __init__(self, theme: Theme, made: Callable[[ProbeCard], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._made = theme, made
        self._shown = self._add()
        self._other: _Column | None = None

    def _add(self) -> _Column:
        column = _Column(self._theme, self)
        self.addWidget(column)
        self._made(column.card)
        return column

    @property
    def card(self) -> ProbeCard:
        """The card that is read."""
        return self._shown.card

    def show_item(self, item: ReviewItem, *, has_draft: bool) -> None:
        """Show this probe, to be read."""
        other = self._other
        if other is not None and other.card.is_about(item) and not self._is_held(item):
            self._shown, self._other = other, self._shown
            other.verticalScrollBar().setValue(0)
            self.setCurrentWidget(other)
        self._shown.show_item(item, has_draft=has_draft)

    def refresh_item(self, item: ReviewItem) -> None:
        """Show anew what stands around a text that is perhaps being edited."""
        with self._shown.changing(self.card):
            self.card.refresh_item(item)

    def make_ready(self, item: ReviewItem, *, has_draft: bool) -> None:
        """Lay out a probe that will perhaps be shown next."""
        is_new = self._other is None
        other = self._other = self._other or self._add()
        if is_new:
            # Hidden widgets have no font of the style sheet's before they are shown.
            other.ensurePolished()
        # Pages of a stack take its size only when they are shown.
        other.setGeometry(self.contentsRect())
        other.show_item(item, has_draft=has_draft)
        if is_new:
            tab_after(self._shown, [other])
        other.card.draw_ahead()

    def _is_held(self, item: ReviewItem) -> bool:
        """Whether the card that is read has to stay: it shows this probe, or somebody works in it."""
        focused = QApplication.focusWidget()
        is_worked_in = focused is not None and self._shown.isAncestorOf(focused)
        return is_worked_in or self.card.is_editing or self.card.is_about(item)
