"""Dates of events with their precision, as Wikidata has them (9 year, 10 month, 11 day). Never converted to a zone."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime
from enum import IntEnum
from functools import lru_cache
from typing import Final

from btc_gui.records import dataclass

#: Names of the months by number. Spelled out: Python's own follow the system's language once Qt has set the locale.
MONTHS: Final = (
    "", "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def day_words(day: date, *, year: bool = True) -> str:
    """`9 May 2026`, in English whatever the system speaks; `9 May` without the year. Takes datetimes too."""
    words = f"{day.day} {MONTHS[day.month]}"
    return f"{words} {day.year}" if year else words


class Precision(IntEnum):
    """How exactly a date is known; the numbers are Wikidata's."""

    YEAR = 9
    MONTH = 10
    DAY = 11


_FIRST_OF_MONTH = re.compile(r"^\+?\d{4,}-\d\d-01T00:00:00")
_WORDS = re.compile(rf"^(?:(\d{{1,2}})\.? )?({'|'.join(MONTHS[1:])}) (\d{{4}})$", re.IGNORECASE)
_NUMBERS = re.compile(r"^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$")
_SHAPE = re.compile(r"^\+?(-?\d{4,})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:T00:00:00(?:\.0+)?(?:Z|[+-]00:00))?$")


@dataclass(frozen=True, slots=True, order=True)
class EventDate:
    """A calendar date known to a day, a month or a year. `month` and `day` are 0 where not known."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def precision(self) -> Precision:
        """How exactly the date is known."""
        if self.day:
            return Precision.DAY
        return Precision.MONTH if self.month else Precision.YEAR

    @property
    def iso(self) -> str:
        """`2026-05-09`, `2026-05` or `2026`: as stored."""
        parts = [f"{self.year:04d}"]
        if self.month:
            parts.append(f"{self.month:02d}")
        if self.day:
            parts.append(f"{self.day:02d}")
        return "-".join(parts)

    @property
    def text(self) -> str:
        """`9 May 2026`, `May 2026` or `2026`: as shown."""
        parts = [str(self.day)] if self.day else []
        if self.month:
            parts.append(MONTHS[self.month])
        parts.append(str(self.year))
        return " ".join(parts)

    @property
    def first_day(self) -> date:
        """The first day that it may mean: of the month or year where no more is known."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> date:
        """The last day that it may mean."""
        if self.day:
            return date(self.year, self.month, self.day)
        # It brings the names of days in the person's language.
        from calendar import monthrange

        month = self.month or 12
        return date(self.year, month, monthrange(self.year, month)[1])

    def may_be(self, other: EventDate) -> bool:
        """Whether both may mean one day: “May 2026” and 9 May 2026 do, 9 and 10 May don't."""
        return self.first_day <= other.last_day and other.first_day <= self.last_day

    def as_day(self) -> date | None:
        """The calendar day, or None when only the month or year is known."""
        return date(self.year, self.month, self.day) if self.day else None


class AmbiguousDateError(ValueError):
    """`03/04/2026`: 3 April in one country, 4 March in another."""


def date_refusal(error: ValueError, where: str = "") -> str:
    """What the report of a file says of a date that `parse_event_date` refused."""
    kind = "ambiguous" if isinstance(error, AmbiguousDateError) else "impossible"
    return f"{kind} date{where}: {error}"


def _not_read(text: str) -> ValueError:
    """Why a text of another shape is no date, with the day or days that it may mean."""
    days: list[date] = []
    if found := _NUMBERS.match(text):
        first, second, year = (int(part) for part in found.groups())
        for month, day in {(second, first): None, (first, second): None}:
            with suppress(ValueError):
                days.append(date(year, month, day))
    if len(days) == 2:
        either = " or ".join(day_words(day) for day in days)
        return AmbiguousDateError(f"“{text}” may be {either}: write it like {days[0].isoformat()}")
    return ValueError(f"“{text[:40]}” is not a date: write it like {days[0].isoformat() if days else '2026-05-09'}")


def _from_words(text: str) -> str:
    match = _WORDS.match(text)
    if match is None:
        return text
    day, month, year = match.groups()
    number = MONTHS.index(month.capitalize())
    return f"{year}-{number:02d}" + (f"-{day}" if day else "")


# Lists read the dates of their rows again and again.
@lru_cache(maxsize=4_096)
def parse_event_date(text: str, precision: int | None = None) -> EventDate:
    """Read a date as files and Wikidata write it.

    Takes `2026`, `2026-05`, `2026-05-09`, `+2026-05-00T00:00:00Z`; `00` for month or day means unknown. Also
    `9 May 2026` and `May 2026`, as dates are shown; never `03/04/2026`, which has two meanings (`AmbiguousDateError`).
    A `precision` below the written one cuts it (Wikidata writes "May 2026" as 1 May with precision 10).
    Raises ValueError with a reason for impossible days, years outside 1000 to 2999, and precision below a year.
    """
    match = _SHAPE.match(_from_words(text.strip()))
    if match is None:
        raise _not_read(text.strip())
    year, month, day = (int(part or 0) for part in match.groups())
    if precision is not None:
        if precision < Precision.YEAR:
            raise ValueError(f"precision {precision} is coarser than a year: not a date of change")
        if precision < Precision.DAY:
            day = 0
        if precision < Precision.MONTH:
            month = 0
    if not 1000 <= year <= 2999:
        raise ValueError(f"the year {year} can't be right (written “{text.strip()[:40]}”)")
    if day and not month:
        raise ValueError(f"“{text.strip()[:40]}” has a day but no month")
    if month:
        try:
            date(year, month, day or 1)
        except ValueError:
            raise ValueError(f"“{text.strip()[:40]}” is not a day of the calendar") from None
    return EventDate(year, month, day)


def may_be_a_month(text: str) -> bool:
    """Whether a date of the query service may stand for a month or year, where its precision is not told.

    The service writes “May 2026” as 1 May 2026 and “2026” as 1 January.
    """
    return _FIRST_OF_MONTH.match(text) is not None


def now_utc() -> str:
    """This moment as ISO-8601 UTC with offset and milliseconds: the form in which times are stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
