"""Where an event's facts are from, whether they were looked up again, and whether somebody rejected it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QLabel, QWidget

from btc_gui.domain.article import Article, years_in_descriptions
from btc_gui.domain.collection import Provenance
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.remote.service_address import title_of
from btc_gui.store.articles import ArticleStore
from btc_gui.store.candidates import CandidateStore
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejection, EventRejectionStore
from btc_gui.store.movements import MovementRow, MovementStore
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.wording import when


@dataclass(frozen=True, slots=True)
class Origin:
    """What the store knows around an event."""

    provenance: Provenance | None
    rejection: EventRejection | None
    movements: tuple[MovementRow, ...]
    checked_at: str
    articles: tuple[Article, ...]


def origin_of(database: Database, event_id: EventId) -> Origin:
    """Read it."""
    movements = MovementStore(database)
    return Origin(
        provenance=CandidateStore(database).provenance(event_id),
        rejection=EventRejectionStore(database).fetch([event_id]).get(event_id),
        movements=tuple(movements.of_event(event_id)),
        checked_at=movements.checked_at([event_id]).get(event_id, ""),
        articles=tuple(ArticleStore(database).of_event(event_id)),
    )


class OriginCard(Card):
    """Hidden for events that were loaded from a file and never looked up."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Where it is from", parent)
        self.rejected = label("", "danger", selectable=True)
        self.text = label("", selectable=True)
        self.moved = label("", "secondary", selectable=True)
        for each in (self.rejected, self.text, self.moved):
            self.body.addWidget(each)

    def show_origin(self, origin: Origin, facts: EventFacts) -> None:
        """Show what is known, and what in the descriptions tells of the change."""
        rejection = origin.rejection
        self._show(
            self.rejected,
            f"Rejected by {rejection.author}, {when(rejection.at)}: {rejection.note}" if rejection else "",
        )
        self._show(self.text, _provenance_text(origin.provenance) if origin.provenance else "")
        lines = list(years_in_descriptions(facts, origin.articles))
        if origin.checked_at:
            lines.append(f"Asked about again {when(origin.checked_at)}.")
        for each in origin.movements[:3]:
            answer = f"{each.answer} by {each.author}" if each.answer else "waits for an answer"
            lines.append(f"{str(each.movement).capitalize()}, {when(each.found_at)}: {each.reason} ({answer})")
        self._show(self.moved, "\n".join(lines))
        self.setVisible(any(each.text() for each in (self.rejected, self.text, self.moved)))

    def _show(self, widget: QLabel, text: str) -> None:
        widget.setText(text)
        widget.setVisible(bool(text))


def _provenance_text(provenance: Provenance) -> str:
    collection = provenance.collection
    # The id has no spaces: it may break at its marks, so that it doesn't widen the card.
    statement = provenance.statement.replace("$", "$\u200b").replace("-", "-\u200b")
    rank = f", rank {provenance.rank}" if provenance.rank else ""
    parts = [
        f"Statement {statement}{rank}.",
        f"Collected from {title_of(collection.question.service)} by {collection.started_by}, "
        f"{when(collection.started_at)}.",
    ]
    if collection.data_date:
        parts.append(f"The service's data was of {when(collection.data_date)}.")
    if provenance.note:
        parts.append(f"Put back by {provenance.author}: {provenance.note}")
    return "\n".join(parts)
