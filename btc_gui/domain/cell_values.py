"""Numbers and times in the cells of a file, or the reason why they can't be what is written there."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

from btc_gui.domain.event_rows import Rejected

#: More than any count of anything here, and less than a database can hold.
_MOST = 10**15
_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,3})?")


def number_in(fact: str, text: str) -> float | None:
    """The number from 0 in a cell; None for an empty one. Raises `Rejected` for anything else."""
    if not text:
        return None
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not 0 <= number <= _MOST:
        raise Rejected(f"{fact} is no number from 0: “{text[:40]}”")
    return number


def count_in(fact: str, text: str, *, least: int = 0) -> int:
    """The whole number from `least` in a cell; 0 for an empty one. Raises `Rejected` for anything else."""
    number = number_in(fact, text)
    if number is None:
        return 0
    if number != int(number) or number < least:
        raise Rejected(f"{fact} is no whole number from {least}: “{text[:40]}”")
    return int(number)


def moment_in(fact: str, text: str) -> str:
    """The time in a cell, in UTC as stored; empty for an empty one. One without an offset is taken as UTC.

    Raises `Rejected` for what is no time.
    """
    if not text:
        return ""
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise Rejected(f"{fact} is no time: “{text[:40]}” (write 2026-05-09T14:30:00Z)") from None
    return moment.isoformat(timespec="milliseconds")
