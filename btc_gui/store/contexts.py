"""What is known of an event's entity from before the change: its article, and that of its position."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.article import About, Article
from btc_gui.domain.bracketed_dates import without_bracketed_dates
from btc_gui.domain.event import EventId
from btc_gui.store.articles import ArticleStore
from btc_gui.store.database import Database


class ContextStore:
    """The context that generators are given: texts only, dates in brackets taken out of them."""

    def __init__(self, database: Database) -> None:
        self._articles = ArticleStore(database)

    def fetch(self, event_ids: Sequence[EventId]) -> dict[EventId, str]:
        """The context of these events; those without an article of the entity are left out.

        Behind the entity's article stands what there is of the position: its description, and its own article.
        """
        found: dict[EventId, str] = {}
        for event_id in dict.fromkeys(event_ids):
            articles = {each.about: each for each in self._articles.of_event(event_id)}
            entity, position = articles.get(About.ENTITY), articles.get(About.POSITION)
            text = without_bracketed_dates(entity.text) if entity else ""
            if text:
                found[event_id] = "\n\n".join([text, *(_position(position) if position else ())])
        return found


def _position(article: Article) -> list[str]:
    parts = [without_bracketed_dates(each) for each in (article.description, article.text)]
    told = [part for part in parts if part]
    return [f"The position: {article.title or told[0]}", *told] if told else []
