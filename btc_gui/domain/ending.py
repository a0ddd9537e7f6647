"""How attempts at an answer end."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """How an attempt at an answer ended. One answer has exactly one."""

    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def text(self) -> str:
        """The ending in words."""
        return _ENDING_TEXT[self]


_ENDING_TEXT = {
    Ending.ANSWERED: "answered",
    Ending.NO_ANSWER: "no final answer",
    Ending.REFUSED: "refused",
    Ending.FAILED: "failed",
    Ending.CANCELLED: "cancelled",
}
