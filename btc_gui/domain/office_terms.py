"""Times in office, to find out whether somebody who left holds the position again, or still."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta

from btc_gui.domain.event import EventFacts
from btc_gui.domain.event_index import is_same_entity

_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b\s*")


@dataclass(frozen=True, slots=True)
class Term:
    """One time in office. `facts` name the person and the position; `end` is None while it lasts."""

    facts: EventFacts
    start: date
    end: date | None


def _family(position: str) -> str:
    # Each parliament has a position of its own: members of the 5th and the 6th sit in one house.
    return _ORDINAL.sub("", position.casefold()).strip()


def _is_same_family(one: EventFacts, other: EventFacts) -> bool:
    if one.position_qid and one.position_qid == other.position_qid:
        return True
    return bool(one.position) and _family(one.position) == _family(other.position)


def _keys(facts: EventFacts) -> set[str]:
    return {key.casefold() for key in (facts.qid, facts.article, facts.entity) if key}


class OfficeTerms:
    """All times in office that a file tells of."""

    def __init__(self, today: date) -> None:
        self._today = today
        self._terms: dict[str, list[Term]] = defaultdict(list)

    def add(self, term: Term) -> None:
        """Make a time in office known."""
        for key in _keys(term.facts):
            self._terms[key].append(term)

    def held_again(self, facts: EventFacts, from_days: int, to_days: int) -> date | None:
        """The day on which the person of `facts` took the same position again, or None.

        Counts a term that starts from `from_days` to `to_days` after the end, and any later one that lasts today.
        (Real gaps between two terms are 0 to 4 days in the US House and up to 44 in the Scottish Parliament.)
        """
        ended = facts.date.as_day()
        if ended is None:
            return None
        first, last = ended + timedelta(days=from_days), ended + timedelta(days=to_days)
        own_start = facts.started.as_day() if facts.started else None
        starts = []
        for key in _keys(facts):
            for term in self._terms.get(key, ()):
                is_own = term.end == ended or term.start == own_start
                lasts = term.start <= self._today and (term.end is None or term.end > self._today)
                if (
                    not is_own
                    and term.start >= first
                    and (term.start <= last or lasts)
                    and (own_start is None or term.start > own_start)
                    and is_same_entity(term.facts, facts)
                    and _is_same_family(term.facts, facts)
                ):
                    starts.append(term.start)
        return min(starts, default=None)
