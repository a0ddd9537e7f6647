"""Words that several pages use: times, people, review actions."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from btc_gui.domain.dates import EventDate, Precision, day_words
from btc_gui.domain.number_words import counted as counted
from btc_gui.domain.probe import ReviewStatus
from btc_gui.domain.review import REJECT_REASONS, Action, Decision

_PRECISION: Final = {Precision.DAY: "to the day", Precision.MONTH: "to the month", Precision.YEAR: "to the year"}
STATUS_WORDS: Final = {
    ReviewStatus.UNREVIEWED: "Unreviewed",
    ReviewStatus.ACCEPTED: "Accepted",
    ReviewStatus.REJECTED: "Rejected",
    ReviewStatus.DEFERRED: "Deferred",
}
_ACTION_WORDS: Final = {
    Action.ACCEPT: "Accepted",
    Action.REJECT: "Rejected",
    Action.EDIT: "Edited",
    Action.DEFER: "Deferred",
    Action.FLAG: "Flagged",
    Action.UNFLAG: "Flag removed",
    Action.NOTE: "Note",
    Action.UNDO: "Undone",
}


def when(stored: str) -> str:
    """A stored time as local time: `9 May 2026, 14:05`."""
    if not stored:
        return ""
    local = datetime.fromisoformat(stored).astimezone()
    return f"{day_words(local)}, {local:%H:%M}"


def date_with_precision(date: EventDate) -> str:
    """`May 2026, known to the month`."""
    return f"{date.text}, known {_PRECISION[date.precision]}"


def action_words(action: Action) -> str:
    """What was done, as a past participle."""
    return _ACTION_WORDS[action]


def reason_words(decision: Decision) -> str:
    """The reasons of a rejection, in words."""
    return ", ".join(REJECT_REASONS.get(code, code) for code in decision.reasons)
