"""Two cards of events: one is read, and on the other one the event of the next probe is laid out ahead."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QStyle, QVBoxLayout, QWidget

from btc_gui.domain.category import Category
from btc_gui.domain.event import Event
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.event_card import EventCard
from btc_gui.ui.widgets.frames import tab_after


class EventPair(QWidget):
    """Shows an event; the other card is made when it is first needed."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown = EventCard(theme, parent=self)
        self._other: EventCard | None = None
        self._column.addWidget(self._shown)

    @property
    def card(self) -> EventCard:
        """The card that is read."""
        return self._shown

    def show_event(self, event: Event, category: Category | None) -> None:
        """Show this event."""
        other, focused = self._other, QApplication.focusWidget()
        is_worked_in = focused is not None and self._shown.isAncestorOf(focused)
        if other is not None and other.is_showing(event, category) and not is_worked_in:
            self._shown, self._other = other, self._shown
            self._other.hide()
            self._shown.show()
        self._shown.show_event(event, category)

    def make_ready(self, event: Event, category: Category | None) -> None:
        """Lay out an event that will perhaps be shown next."""
        if self._shown.is_showing(event, category):
            return
        if self._other is None:
            self._other = EventCard(self._theme, parent=self)
            self._other.hide()
            self._column.addWidget(self._other)
            # Hidden widgets have no font of the style sheet's before they are shown.
            self._other.ensurePolished()
            tab_after(self._shown, [self._other])
        self._other.show_event(event, category)
        # Hidden ones get no place from a layout.
        width = self._shown.width()
        self._other.resize(width, self._other.heightForWidth(width))
        self._other.body.activate()
        # Asked by what scrolls it, whether it needs a bar or not.
        self._other.heightForWidth(width - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent))

    # As cards do: Qt would lay out all texts at a width that they never have.

    def sizeHint(self) -> QSize:
        return self._column.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._column.minimumSize()
