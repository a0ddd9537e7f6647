"""What changed: the facts before and after, the date with its precision, the source."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QWidget

from btc_gui.domain.category import Category
from btc_gui.domain.event import Event
from btc_gui.domain.event_addresses import article_address
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import icon_button
from btc_gui.ui.widgets.fact_text import FactText
from btc_gui.ui.widgets.frames import Card, line
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.wording import date_with_precision, when


class EventCard(Card):
    """Shows one event, compactly. Nothing of it is markup; only http and https addresses can be opened."""

    def __init__(self, theme: Theme, heading: str = "What changed", parent: QWidget | None = None) -> None:
        super().__init__(heading, parent)
        self._theme = theme
        self.entity = label("", "title", selectable=True)
        self._open = icon_button("external-link", "Open the source in the browser")
        self._open.clicked.connect(self.open_source)
        top = QHBoxLayout()
        top.addWidget(self.entity, 1)
        top.addWidget(self._open, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(top)
        self.description = label("", "secondary", selectable=True)
        self.body.addWidget(self.description)
        self.change = FactText(theme, "What held before and what holds since")
        self.facts = FactText(theme, "Facts of the event")
        self.body.addSpacing(4)
        self.body.addWidget(self.change)
        self.body.addSpacing(4)
        self.body.addWidget(line())
        self.body.addWidget(self.facts)
        # In line with the facts, whose frame keeps two pixels for the focus ring.
        for each in (self.entity, self.description):
            each.setIndent(2)
        self._source = self._article = ""
        self._shown: object = None

    def is_showing(self, event: Event, category: Category | None) -> bool:
        """Whether this event is shown, as it is."""
        return self._shown == (event.id, event.revision, event.facts, category)

    def show_event(self, event: Event, category: Category | None) -> None:
        """Show this event; one that is shown already stays as it is (its siblings come one after the other)."""
        if self.is_showing(event, category):
            return
        self._shown = (event.id, event.revision, event.facts, category)
        facts = event.facts
        self.entity.setText(facts.entity)
        self.description.setText(facts.description)
        self.description.setVisible(bool(facts.description))
        before = category.fact_before(facts) if category else ""
        after = category.fact_after(facts) if category else event.title
        self.change.show_facts([("before", before), ("after", after)])
        self._article = article_address(facts)
        self._source = facts.source if facts.source.startswith(("https://", "http://")) else ""
        self._open.setVisible(bool(self._source))
        self.facts.show_facts(
            [
                ("Date", date_with_precision(facts.date)),
                ("Category", category.title if category else facts.category),
                ("Position", facts.position),
                ("In office since", facts.started.text if facts.started else ""),
                ("Ends", facts.ends.text if facts.ends else ""),
                ("Country", facts.country),
                ("Also called", ", ".join(facts.aliases)),
                ("Article", facts.article),
                ("Wikidata", facts.qid),
                ("Id of position", facts.position_qid),
                ("Source", facts.source),
                ("Note", facts.note),
                ("Facts", f"revision {event.revision}; the event was added {when(event.added_at)}"),
            ]
        )

    def open_source(self) -> bool:
        """Open the source in the browser; False when there is none that can be opened."""
        return bool(self._source) and QDesktopServices.openUrl(QUrl(self._source))

    def open_article(self) -> bool:
        """Open the article in the browser; False when the event names none."""
        return bool(self._article) and QDesktopServices.openUrl(QUrl(self._article))
