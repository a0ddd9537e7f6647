"""What a curator reads: the probe on the left; what changed, the article and the decisions on the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from btc_gui.domain.event import EventId
from btc_gui.progress import Progress
from btc_gui.sessions.review_item import ReviewItem
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.theme import INSIDE
from btc_gui.ui.widgets.article_card import ArticleCard, article_text
from btc_gui.ui.widgets.decision_log import DecisionLog
from btc_gui.ui.widgets.event_card import EventCard
from btc_gui.ui.widgets.event_pair import EventPair
from btc_gui.ui.widgets.frames import Card, scrolling
from btc_gui.ui.widgets.probe_card import ProbeCard
from btc_gui.ui.widgets.probe_pair import ProbePair

if TYPE_CHECKING:
    from btc_gui.domain.article import Article

#: Qt paints five milliseconds after it heard what has changed.
_AFTER_PAINT_MILLISECONDS = 12


class ReviewReader(QSplitter):
    """The article is read once the probe is painted: it may be long, and the siblings have the same one."""

    def __init__(self, context: Context, page: QWidget, parent: QWidget, made: Callable[[ProbeCard], None]) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        theme = context.theme
        self._context = context
        self._article_of: EventId | None = None
        self._asked: tuple[QSize, QSize] | None = None
        self._probes = ProbePair(theme, made, self)
        # From the outside in: all that a widget holds is styled anew when it gets another parent.
        self._right_content = right = QWidget()
        self._right = scrolling(right, "What changed", self)
        self._events = EventPair(theme, right)
        self.article_card = ArticleCard(theme, right)
        self.article_card.lead_to(page)
        history_card = Card("Decisions", right)
        self.history = DecisionLog(theme, history_card)
        history_card.body.addWidget(self.history)
        right_column = QVBoxLayout(right)
        right_column.setContentsMargins(INSIDE, 0, 0, 0)
        right_column.setSpacing(12)
        for card in (self._events, self.article_card, history_card):
            right_column.addWidget(card)
        right_column.addStretch(1)
        self.setObjectName("review")
        self.setChildrenCollapsible(False)
        self.addWidget(self._probes)
        self.addWidget(self._right)
        self.setStretchFactor(0, 5)
        self.setStretchFactor(1, 3)
        self.setSizes([760, 420])
        self._reading = LatestJob(context.job_runner, "Read the article", self._take_article, self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._read_article)

    def event(self, event: QEvent) -> bool:
        """Lay out anew, up to the page, only what needs other room than before: each probe and event scrolls."""
        if event.type() == QEvent.Type.LayoutRequest:
            asked = self._probes.minimumSizeHint(), self._right.minimumSizeHint()
            if asked == self._asked:
                return True
            self._asked = asked
        return super().event(event)

    @property
    def probe_card(self) -> ProbeCard:
        """The card of the probe that is shown."""
        return self._probes.card

    @property
    def event_card(self) -> EventCard:
        """The card of its event."""
        return self._events.card

    def show_item(self, item: ReviewItem, *, has_draft: bool) -> None:
        """Show this probe, to be read."""
        self._probes.show_item(item, has_draft=has_draft)
        self._show_beside(item)

    def make_ready(self, item: ReviewItem, *, has_draft: bool) -> None:
        """Lay out ahead, out of sight, a probe that will perhaps be shown next."""
        self._probes.make_ready(item, has_draft=has_draft)
        self._events.make_ready(item.event, item.category)

    def refresh_item(self, item: ReviewItem) -> None:
        """Show anew what stands around a text that is perhaps being edited."""
        self._probes.refresh_item(item)
        self._show_beside(item)

    def _show_beside(self, item: ReviewItem) -> None:
        log = (item.log, item.probe, item.event.facts.facts_hash)
        if self.event_card.is_showing(item.event, item.category):
            self.history.show_log(*log)
        else:
            with self._right.changing(self._right_content):
                self._events.show_event(item.event, item.category)
                self.history.show_log(*log)
        if self._article_of != item.event.id:
            self._article_of = item.event.id
            self._read_once_painted()

    def read_article_again(self) -> None:
        """Read the article of the event that is shown anew: it may have been fetched meanwhile."""
        if self._article_of is not None:
            self._read_once_painted()

    def _read_once_painted(self) -> None:
        # Counted from when all is laid out, and not from the middle of what is being shown.
        self._soon.stop()
        QTimer.singleShot(0, self._soon, partial(self._soon.start, _AFTER_PAINT_MILLISECONDS))

    def _read_article(self) -> None:
        # The probe is painted before the articles' side of the app is loaded.
        from btc_gui.store.articles import ArticleStore

        event_id, store = self._article_of, ArticleStore(self._context.database)
        if event_id is None:
            return

        def read(progress: Progress) -> tuple[EventId, list[Article]]:
            return event_id, store.of_event(event_id)

        self._reading.ask(read)

    def _take_article(self, found: tuple[EventId, list[Article]]) -> None:
        if found[0] == self._article_of:
            self.article_card.show_article(*article_text(found[1]))

    def open_article(self) -> None:
        """Open the article in the browser, as of its revision where one is stored."""
        if not self.article_card.open_article() and not self.event_card.open_article():
            self._context.shell.say("This event names no article.")

    def open_source(self) -> None:
        """Open the event's source in the browser."""
        if not self.event_card.open_source():
            self._context.shell.say("This event’s source is no address that can be opened.")
