"""What changed: the facts before and after, the date with its precision, the source."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from btc_gui.domain.category import Category
from btc_gui.domain.event import Event
from btc_gui.domain.event_addresses import article_address
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import icon_button
from btc_gui.ui.widgets.frames import Card, line, text_scale_of
from btc_gui.ui.widgets.plain_text import label, tooltip
from btc_gui.ui.wording import date_with_precision, when

#: Pixels at normal text size in which facts can stand beside their names.
_LEAST_FOR_TWO = 220
_MARKS = re.compile(r"[/#$&=-]")


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
        self.before, self.after = (label("", selectable=True, is_english=True) for _ in range(2))
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (words, shown) in enumerate((("before", self.before), ("after", self.after))):
            grid.addWidget(label(words, "small", wraps=False), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(shown, row, 1)
        self.body.addSpacing(4)
        self.body.addLayout(grid)
        self.body.addSpacing(4)
        self.body.addWidget(line())
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(12)
        self._facts.setVerticalSpacing(4)
        self._facts.setColumnStretch(1, 1)
        self.body.addLayout(self._facts)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._is_stacked = False
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
        self.before.setText(category.fact_before(facts) if category else "")
        self.after.setText(category.fact_after(facts) if category else event.title)
        self._article = article_address(facts)
        self._source = facts.source if facts.source.startswith(("https://", "http://")) else ""
        rows = [
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
        self._show_rows([row for row in rows if row[1]])

    def _show_rows(self, rows: list[tuple[str, str]]) -> None:
        while len(self._rows) < len(rows):
            name = label("", "small", wraps=False)
            value = label("", selectable=True)
            # A long address without spaces must not widen the card.
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            self._place(len(self._rows), name, value)
            self._rows.append((name, value))
        self._open.setVisible(bool(self._source))
        for position, (name, value) in enumerate(self._rows):
            words, text = rows[position] if position < len(rows) else ("", "")
            name.setText(words)
            value.setText(_wrappable(text[:600]))
            value.setToolTip(tooltip(text) if len(text) > 120 else "")
            name.setVisible(bool(words))
            value.setVisible(bool(words))

    def _place(self, position: int, name: QLabel, value: QLabel) -> None:
        if self._is_stacked:
            self._facts.addWidget(name, position * 2, 0, 1, 2)
            self._facts.addWidget(value, position * 2 + 1, 0, 1, 2)
        else:
            self._facts.addWidget(name, position * 2, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(value, position * 2, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put each fact below its name where there is no room beside it."""
        super().resizeEvent(event)
        is_stacked = self.width() < _LEAST_FOR_TWO * text_scale_of(self)
        if is_stacked != self._is_stacked:
            self._is_stacked = is_stacked
            for position, (name, value) in enumerate(self._rows):
                for part in (name, value):
                    self._facts.removeWidget(part)
                self._place(position, name, value)

    def open_source(self) -> bool:
        """Open the source in the browser; False when there is none that can be opened."""
        return bool(self._source) and QDesktopServices.openUrl(QUrl(self._source))

    def open_article(self) -> bool:
        """Open the article in the browser; False when the event names none."""
        return bool(self._article) and QDesktopServices.openUrl(QUrl(self._article))


def _wrappable(text: str) -> str:
    """Let long addresses break: a zero-width space after each mark of a word that fits no line."""
    return " ".join(_MARKS.sub("\\g<0>\u200b", word) if len(word) > 30 else word for word in text.split(" "))
