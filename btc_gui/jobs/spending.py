"""Limits on what asking models may cost: of one job, checked before each request, and of several jobs together."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.trajectory import Usage

#: A token is taken as so many characters where only the text is known. Few, so that limits are not overrun.
CHARACTERS_A_TOKEN = 3
#: The tokens that a reply is taken to have before one has come.
_FIRST_REPLY = 1_000


@dataclass(frozen=True, slots=True)
class Spending:
    """What a job may spend, in US dollars (None: no limit), and the price by which requests are foreseen.

    `first_reply` is how many tokens a reply is taken to have before one has come.
    """

    limit: float | None = None
    price: TokenPrice | None = None
    first_reply: int = _FIRST_REPLY

    def expected(self, characters: int, calls: int, output: int) -> float:
        """What a request of so many characters will cost, where `calls` had `output` tokens so far together."""
        if self.price is None:
            return 0.0
        reply = output // calls if calls else self.first_reply
        return self.price.cost(Usage(input=characters // CHARACTERS_A_TOKEN, output=reply))

    def allows(self, spent: float, promised: float) -> bool:
        """Whether requests that will cost `promised` may still be under way after `spent`."""
        return self.limit is None or spent + promised <= self.limit


#: Nothing is too expensive.
NO_LIMIT = Spending()


class Budget:
    """What several pieces of work may spend together, in US dollars (None: no limit). What was `spent` counts."""

    def __init__(self, limit: float | None = None, spent: float = 0.0) -> None:
        self.limit = limit
        self.spent = spent

    def add(self, dollars: float | None) -> None:
        """Count what something has cost (None: that is not known)."""
        self.spent += dollars or 0.0

    @property
    def left(self) -> float | None:
        """What may still be spent; None without a limit."""
        return None if self.limit is None else max(0.0, self.limit - self.spent)

    @property
    def is_reached(self) -> bool:
        """Whether nothing new is to be started."""
        return self.limit is not None and self.spent >= self.limit

    @property
    def words(self) -> str:
        """What is said when the limit stops something."""
        return f"The limit of ${self.limit or 0.0:,.2f} is reached: ${self.spent:,.2f} were spent."


class SpendingLimitError(Exception):
    """No further request fits under the limit. What was answered is kept."""
