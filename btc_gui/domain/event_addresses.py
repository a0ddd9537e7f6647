"""Where on the web what an event names can be looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from btc_gui.domain.event import EventFacts


def article_address(facts: EventFacts) -> str:
    """Where the entity's article is: its address as it stands, or that of a title in the English Wikipedia.

    Empty for an event that names none.
    """
    if not facts.article or facts.article.startswith(("https://", "http://")):
        return facts.article
    return f"https://en.wikipedia.org/wiki/{quote(facts.article.replace(' ', '_'), safe='_(),:')}"


def source_address(facts: EventFacts) -> str:
    """Where the facts can be looked up: their source when it is an address, else the Wikidata item."""
    if facts.source.startswith(("https://", "http://")):
        return facts.source
    return f"https://www.wikidata.org/wiki/{facts.qid}" if facts.qid else ""
