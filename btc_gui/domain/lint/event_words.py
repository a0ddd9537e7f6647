"""The rules `event_word`, `date` and `requirement`: what a category's words and the event's date give away."""

from __future__ import annotations

import re

from btc_gui.domain.dates import MONTHS, EventDate
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.tokens import Text
from btc_gui.domain.lint.words import CategoryWords, Phrases

_MONTHS = {name.casefold(): number for number, name in enumerate(MONTHS) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DATES = tuple(
    re.compile(rf"(?<![\w/.-]){pattern}(?![\w/-])", re.IGNORECASE)
    for pattern in (
        r"(?P<year>20\d\d)-(?P<number>\d\d)(?:-(?P<day>\d\d))?",
        rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?{_MONTH},? (?P<year>20\d\d)",
        rf"{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>20\d\d)",
        r"(?P<year>20\d\d)",
    )
)


def phrase_findings(rule: str, text: Text, groups: tuple[Phrases, ...]) -> list[Finding]:
    """A finding for each hit of each group, none within another: the earlier group's and the longer one's stays."""
    found: list[Finding] = []
    for phrases in groups:
        for start, stop in phrases.search(text.plain):
            begin, end = text.span(start, stop)
            if any(each.start < end and begin < each.end for each in found):
                continue
            excerpt = text.original[begin:end]
            found.append(Finding(rule, phrases.severity, begin, end, excerpt, phrases.why))
    return found


def find_event_words(text: Text, words: CategoryWords) -> list[Finding]:
    """Words of the category that tell of its event."""
    return phrase_findings("event_word", text, words.words)


def lacks_need(text: Text, words: CategoryWords) -> list[Finding]:
    """Whether nothing in the request needs what the category's event takes away."""
    if words.needs is None or words.needs.search(text.plain):
        return []
    return [Finding("requirement", words.needs.severity, 0, 0, "", words.needs.why)]


def find_dates(text: Text, happened: EventDate) -> list[Finding]:
    """Dates from the event's own on. A bare year counts when it is the event's or the next: later ones are plans."""
    found: list[Finding] = []
    if "20" not in text.plain:
        return found
    taken: list[tuple[int, int]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text.plain):
            if any(start < match.end() and match.start() < stop for start, stop in taken):
                continue
            taken.append(match.span())
            why = _why(match, happened)
            if why is not None:
                start, stop = text.span(*match.span())
                found.append(Finding("date", why[0], start, stop, text.original[start:stop], why[1]))
    return found


def _why(match: re.Match[str], happened: EventDate) -> tuple[Severity, str] | None:
    parts = match.groupdict()
    year = int(parts["year"])
    month = int(parts["number"]) if parts.get("number") else _MONTHS.get((parts.get("month") or "").casefold(), 0)
    day = int(parts.get("day") or 0)
    if not month:
        if happened.year <= year <= happened.year + 1:
            return Severity.WARNING, "This year ties the request to the time of the event or after it."
        return None
    if (year, month, day) == (happened.year, happened.month, happened.day):
        return Severity.ERROR, "This is the day of the event."
    limit = (happened.year, happened.month, happened.day if day else 0)
    if (year, month, day) < limit:
        return None
    return Severity.WARNING, "This date is not before the event: it says that the request was made after it."
