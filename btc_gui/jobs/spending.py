"""A limit on what asking a language model may cost: checked before each request, by what the last ones cost."""

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
    """What a job may spend, in US dollars (None: no limit), and the price by which requests are foreseen."""

    limit: float | None = None
    price: TokenPrice | None = None

    def expected(self, characters: int, calls: int, output: int) -> float:
        """What a request of so many characters will cost, where `calls` had `output` tokens so far together."""
        if self.price is None:
            return 0.0
        reply = output // calls if calls else _FIRST_REPLY
        return self.price.cost(Usage(input=characters // CHARACTERS_A_TOKEN, output=reply))

    def allows(self, spent: float, promised: float) -> bool:
        """Whether requests that will cost `promised` may still be under way after `spent`."""
        return self.limit is None or spent + promised <= self.limit


#: Nothing is too expensive.
NO_LIMIT = Spending()


class SpendingLimitError(Exception):
    """No further request fits under the limit. What was answered is kept."""
