"""Times in office, to find out whether somebody who left holds the position again, or still."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache

from btc_gui.domain.dates import EventDate
from btc_gui.domain.event_index import Named, is_same_entity

_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b\s*")


class TermState(StrEnum):
    """What is known about a time in office today. One without dates says nothing about today."""

    ENDED = "ended"
    LASTING = "lasting"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Office:
    """A position by name and id; `parents` are positions above it that make their parts one office."""

    name: str = ""
    qid: str = ""
    parents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Holder:
    """A person, as far as a source names one."""

    qid: str = ""
    article: str = ""
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One time in office. `key` tells statements apart where the source has ids for them."""

    holder: Named
    office: Office
    start: EventDate | None
    end: EventDate | None
    state: TermState
    key: str = ""


def state_of_term(start: EventDate | None, end: EventDate | None, today: date, *, is_over: bool = False) -> TermState:
    """What a term's dates say about today; `is_over` when it is known to have ended, if not when.

    A term without an end lasts, but one without a start as well may be as old as the hills: unknown, never current.
    """
    if end is None and start is None:
        return TermState.UNKNOWN
    is_past = is_over or (end is not None and end.first_day <= today)
    return TermState.ENDED if is_past else TermState.LASTING


@lru_cache(maxsize=20_000)
def _family_name(position: str) -> str:
    # Each parliament has a position of its own: members of the 5th and the 6th sit in one house.
    return _ORDINAL.sub("", position.casefold()).strip()


def is_same_office(one: Office, other: Office) -> bool:
    """Whether two positions are one office: the same item, a position above both, or names that differ by an ordinal.

    “Member of the 5th Scottish Parliament” and of the 6th are two items under one.
    """
    if one.qid and one.qid == other.qid:
        return True
    if one.qid in other.parents or other.qid in one.parents or not one.parents.isdisjoint(other.parents):
        return True
    return bool(one.name) and _family_name(one.name) == _family_name(other.name)


def _keys(holder: Named) -> set[str]:
    named = {key.casefold() for key in (holder.qid, holder.article, holder.entity)}
    named.discard("")
    return named


class OfficeTerms:
    """All times in office that a source tells of."""

    def __init__(self, today: date) -> None:
        self.today = today
        self._terms: dict[str, list[Term]] = defaultdict(list)

    def add(self, term: Term) -> None:
        """Make a time in office known."""
        for key in _keys(term.holder):
            self._terms[key].append(term)

    def others(self, own: Term) -> Iterator[Term]:
        """The other times in office of the person of `own`, each once."""
        known = [terms for key in _keys(own.holder) if (terms := self._terms.get(key))]
        found = known[0] if len(known) == 1 else {id(term): term for terms in known for term in terms}.values()
        for term in found:
            is_own = bool(own.key) and term.key == own.key
            if not is_own and is_same_entity(term.holder, own.holder):
                yield term

    def in_office(self, own: Term) -> list[Term]:
        """The other terms of the same person in the same office."""
        return [term for term in self.others(own) if is_same_office(term.office, own.office)]

    def held_again(self, own: Term, from_days: int, to_days: int) -> Term | None:
        """The first term in which the person of `own` holds the same office after its end, or still; or None.

        Counts a term that starts from `from_days` to `to_days` after the end, and any one that lasts today, begun
        before or after. A twin of the term itself (the same start or the same end) says nothing, nor does one
        without dates. Where a date is known to the month or year only, the doubt counts against the event.
        """
        if own.end is None:
            return None
        first = own.end.first_day + timedelta(days=from_days)
        last = own.end.last_day + timedelta(days=to_days)
        found = []
        for term in self.in_office(own):
            if term.start is None or term.start == own.start or (term.end is not None and term.end == own.end):
                continue
            is_later = own.start is None or term.start.last_day > own.start.first_day
            begins_in_time = term.start.last_day >= first and term.start.first_day <= last
            lasts = term.state is TermState.LASTING and term.start.first_day <= self.today
            if lasts or (is_later and begins_in_time):
                found.append(term)
        return min(found, key=lambda term: (term.start, term.key), default=None)
