"""How figures and times are written for a person."""

from __future__ import annotations

from datetime import datetime

from btc_gui.domain.dates import day_words
from btc_gui.domain.number_words import counted as counted


def moment(at: str) -> str:
    """A stored time as a person reads it here: `9 May 2026 14:02`; nothing stays nothing."""
    try:
        local = datetime.fromisoformat(at).astimezone()
    except ValueError:
        return at
    return f"{day_words(local)} {local:%H:%M}"


def day(at: str) -> str:
    """The day of a stored time, here: `9 May 2026`."""
    try:
        local = datetime.fromisoformat(at).astimezone()
    except ValueError:
        return at
    return day_words(local)


def duration(seconds: float) -> str:
    """`40 s`, `3 min`, `2 h 5 min`, `3 days`."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{round(hours / 24)} days"


def tokens(count: int) -> str:
    """`812`, `41 k`, `3.2 M`."""
    if count < 1_000:
        return str(count)
    if count < 1_000_000:
        return f"{count / 1_000:.0f} k"
    return f"{count / 1_000_000:.1f} M"


def money(cost: float | None) -> str:
    """`$12.40`, or that no price is known."""
    return "no price" if cost is None else f"${cost:,.2f}"
