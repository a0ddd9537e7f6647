"""What Wikidata states about an item: statements with rank and dates, and the names under which it is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from btc_gui.domain.dates import EventDate, date_refusal, may_be_a_month, parse_event_date

_BRACKETS = re.compile(r"\s*\([^()]*\)$")


class Rank(StrEnum):
    """How much a statement counts among those of its property."""

    PREFERRED = "preferred"
    NORMAL = "normal"
    DEPRECATED = "deprecated"


class DateState(StrEnum):
    """What is known of a date: a value, that there is one nobody knows, that there is none, or nothing readable."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    NONE = "none"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, order=True)
class StatedDate:
    """A date as the source states it. `why` says why there is no `date`; `written` is the source's own text."""

    state: DateState
    date: EventDate | None = None
    written: str = ""
    why: str = ""

    @property
    def text(self) -> str:
        """The date as shown, or what stands in its place."""
        if self.date is not None:
            return self.date.text
        return self.written or {DateState.UNKNOWN: "unknown value", DateState.NONE: "no value"}.get(self.state, "")


UNKNOWN_DATE = StatedDate(DateState.UNKNOWN, why="the source says that the date is unknown")
NO_DATE = StatedDate(DateState.NONE, why="the source says that there is no such date")


@lru_cache(maxsize=20_000)
def stated_date(written: str, precision: int | None) -> StatedDate:
    """A written date with its precision. Without one, the first of a month is no known day: it may be the month."""
    if precision is None and may_be_a_month(written):
        why = f"date perhaps known only to the month: {written[:40]}, and its precision is not told"
        return StatedDate(DateState.UNREADABLE, None, written, why)
    try:
        return StatedDate(DateState.KNOWN, parse_event_date(written, precision), written)
    except ValueError as error:
        return StatedDate(DateState.UNREADABLE, None, written, date_refusal(error))


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement about an item.

    `value` is the id of the main value where that is an item; `dates` are main values that are dates. Each of
    `dates`, `starts` (P580) and `ends` (P582) may hold several, which then contradict each other. `natures` are
    P5102 and P1480 (“acting”), `terms` P2937 (a term of a parliament).
    """

    id: str
    item: str
    rank: Rank = Rank.NORMAL
    value: str = ""
    dates: tuple[StatedDate, ...] = ()
    starts: tuple[StatedDate, ...] = ()
    ends: tuple[StatedDate, ...] = ()
    terms: tuple[str, ...] = ()
    natures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """What is known of one item of Wikidata. `former` are ids that were merged into it.

    `classes` are P31, `parents` P279, `jurisdictions` P1001 and P17; `died` is P570 of best rank. `begins` and
    `finishes` are the item's own dates, where it is a term of a parliament.
    """

    qid: str
    label_en: str = ""
    label_mul: str = ""
    title: str = ""
    description: str = ""
    country: str = ""
    aliases: tuple[str, ...] = ()
    sitelinks: int = 0
    classes: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    died: tuple[StatedDate, ...] = ()
    begins: tuple[StatedDate, ...] = ()
    finishes: tuple[StatedDate, ...] = ()
    statements: tuple[Statement, ...] = ()
    former: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The English name, else the one for all languages, else the article's title; empty when there is none."""
        return self.label_en or self.label_mul or title_as_name(self.title)


def title_as_name(title: str) -> str:
    """An article's title without what tells namesakes apart: “(politician)”."""
    return _BRACKETS.sub("", title)


def best(statements: Iterable[Statement]) -> list[Statement]:
    """The statements of best rank: the preferred ones, or the normal ones where none is preferred."""
    counted = [statement for statement in statements if statement.rank is not Rank.DEPRECATED]
    preferred = [statement for statement in counted if statement.rank is Rank.PREFERRED]
    return preferred or counted


def statement_key(text: str) -> str:
    """The id of a statement, `Q42$1D04…`, from its address in the query service or as Wikibase writes it."""
    tail = text.rpartition("/")[2]
    item, mark, rest = tail.partition("$")
    if not mark:
        item, _, rest = tail.partition("-")
    return f"{item}${rest}" if rest else tail
