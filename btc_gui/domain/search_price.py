"""What searches of the web cost, by the service that is searched; read from models.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from btc_gui.domain.configuration import Configuration, Harness
from btc_gui.domain.search_settings import SearchKind, SearchSettings

#: The searches that are paid for.
PAID_SEARCHES = (SearchKind.EXA.value,)


@dataclass(frozen=True, slots=True)
class SearchPrice:
    """US dollars for one search with up to `included` results, and for each result beyond; when and where it was so."""

    search: float
    result: float = 0.0
    included: int = 10
    date: str = ""
    source: str = ""

    def cost(self, searches: float, results: int) -> float:
        """What so many searches cost that each ask for `results` results."""
        return searches * (self.search + max(0, results - self.included) * self.result)


def cost_of_searches(configuration: Configuration, searches: float, prices: Mapping[str, SearchPrice]) -> float | None:
    """What the agents' searches of a configuration cost; 0 for those that are free, None when no price is known."""
    if configuration.harness is not Harness.SHARED or configuration.search not in PAID_SEARCHES:
        return 0.0
    price = prices.get(configuration.search)
    if price is None:
        return None
    return price.cost(searches, SearchSettings.from_configuration(configuration).asked_results)
