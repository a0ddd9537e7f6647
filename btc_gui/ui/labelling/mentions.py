"""Where a text names the person or thing that the item is about."""

from __future__ import annotations

from collections.abc import Callable

from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts
from btc_gui.domain.mentions import find_mentions, names_of
from btc_gui.ui.widgets.marked_text import Passage, Span

FindMentions = Callable[[str, str], tuple[Span, ...]]


def mention_spans(text: str, entity: str) -> tuple[Span, ...]:
    """Where the text names the entity."""
    if not entity:
        return ()
    # Only names are looked at: category and date stand for nothing here.
    names = names_of(EventFacts(category="", entity=entity, date=EventDate(2000)))
    return tuple(Span(found.start, found.stop, Passage.MENTION) for found in find_mentions(text, names))
