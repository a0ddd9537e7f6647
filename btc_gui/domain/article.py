"""The article about an event's entity: as of which day it is read, and where it gives the change away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from btc_gui.domain.dates import MONTHS
from btc_gui.domain.event import EventFacts, EventId

#: How far into an article a life's years stand.
_LEAD = 800
_MOST = 20
_SPAN = re.compile(r"\(([^()]*?)\b(1[0-9]{3}|20[0-9]{2})\s*[–—-]\s*([^()]*?)\b(1[0-9]{3}|20[0-9]{2})\s*\)")
_YEARS_TOLD = re.compile(r"\([^()]*\b(?:1[0-9]{3}|20[0-9]{2})\b[^()]*\)|\bsince (?:19|20)\d\d\b")
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\s|$)|\n|$)|[^\n]+")

#: Finds words that tell of a change: `(start, end)` of each.
FindWords = Callable[[str], list[tuple[int, int]]]


class AsOf(StrEnum):
    """Which revision is read."""

    WINDOW = "window"
    EVENT = "event"
    NOW = "now"

    @property
    def text(self) -> str:
        """As shown."""
        return {
            AsOf.WINDOW: "before the window starts",
            AsOf.EVENT: "the day before the event",
            AsOf.NOW: "now",
        }[self]


class About(StrEnum):
    """Whose article it is."""

    ENTITY = "entity"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Leak:
    """A place of a text that tells of the change, and why that is thought."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True)
class Article:
    """What asking for an article came to: a text with where it is from, or the `problem` that kept it away.

    `asked` is the title that was asked for, `before` the day before which the revision was to be (None: now).
    `description` is Wikidata's (of a position). Times are ISO-8601.
    """

    event_id: EventId
    about: About
    asked: str
    as_of: AsOf
    before: date | None
    fetched_at: str = ""
    problem: str = ""
    title: str = ""
    page_id: int | None = None
    revision_id: int | None = None
    revised_at: str = ""
    url: str = ""
    attribution: str = ""
    description: str = ""
    leaks: tuple[Leak, ...] = ()
    text: str = ""


def no_words(_: str) -> list[tuple[int, int]]:
    """For categories that name no words of their change."""
    return []


def find_leaks(text: str, facts: EventFacts, words: FindWords = no_words) -> tuple[Leak, ...]:
    """Where a text from before the change tells of it all the same, by place.

    Three signs: the day of the change; a span of years at the beginning that ends in the year of the change or
    later; a word of the change in one sentence with that year. Old revisions are rendered with today's templates,
    and infoboxes that read Wikidata print what it says today.
    """
    found = [*_days(text, facts), *_spans(text, facts), *_sentences(text, facts, words)]
    unique: dict[tuple[int, int], Leak] = {}
    for leak in sorted(found, key=lambda each: (each.start, each.end)):
        unique.setdefault((leak.start, leak.end), leak)
    return tuple(unique.values())[:_MOST]


def years_in_descriptions(facts: EventFacts, articles: Iterable[Article] = ()) -> tuple[str, ...]:
    """What the descriptions of an event's entity and of its position (which stands with its article) tell too much.

    “(1958–2026)” tells of a death, “(2010–present)” and “since 1989” of a term that has ended since.
    """
    told = [f"Years in the description: {years}." for years in _YEARS_TOLD.findall(facts.description)]
    for article in articles:
        if article.about is About.POSITION:
            told += [f"Years in the position's description: {y}." for y in _YEARS_TOLD.findall(article.description)]
    return tuple(told)


def _days(text: str, facts: EventFacts) -> list[Leak]:
    day = facts.date.as_day()
    if day is None:
        return []
    month = rf"(?:{MONTHS[day.month]}|{MONTHS[day.month][:3]}\.?)"
    number = rf"{day.day}(?:st|nd|rd|th)?"
    pattern = rf"\b(?:{number}(?: of)? {month},? {day.year}|{month} {number},? {day.year}|{day.isoformat()})\b"
    return [Leak(m.start(), m.end(), "names the day of the change") for m in re.finditer(pattern, text)]


def _spans(text: str, facts: EventFacts) -> list[Leak]:
    return [
        Leak(found.start(), found.end(), f"a span of years that ends in {found.group(4)}")
        for found in _SPAN.finditer(text[:_LEAD])
        if int(found.group(4)) >= facts.date.year
    ]


def _sentences(text: str, facts: EventFacts, words: FindWords) -> list[Leak]:
    if words is no_words:
        return []
    found = []
    year = re.compile(rf"\b{facts.date.year}\b")
    for sentence in _SENTENCE.finditer(text):
        if not year.search(sentence.group()):
            continue
        for start, end in words(sentence.group())[:3]:
            at = sentence.start()
            word = sentence.group()[start:end]
            found.append(Leak(at + start, at + end, f"“{word}” in one sentence with {facts.date.year}"))
    return found
