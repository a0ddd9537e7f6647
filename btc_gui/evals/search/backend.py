"""What a search backend is, and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from btc_gui.domain.trajectory import SearchResult

#: How the reason of a sample begins when no other one could have searched either.
NO_SEARCH = "no search is possible"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, best first, and what it cost in US dollars (None: not reported)."""

    results: tuple[SearchResult, ...]
    cost: float | None = None


class SearchBackend(Protocol):
    """Gives results for queries; may give more than the agent will see. Any other exception ends the sample."""

    async def search(self, query: str) -> Found:
        """Search. Raises `SearchUnavailableError` and `SearchRefusedError`."""
        ...


#: Hears of each search that is made again: the service, why, after how many seconds, and for which request.
RetryListener = Callable[[str, str, float, str], None]
_listeners: list[RetryListener] = []


def listen_for_retries(listener: RetryListener) -> None:
    """Have `listener` hear of retries in this process from now on. It is called on the event loop."""
    _listeners.append(listener)


def tell_retry(service: str, reason: str, seconds: float, request: str) -> None:
    """A search is made again after `seconds`."""
    for listener in _listeners:
        listener(service, reason, seconds, request)


class SearchUnavailableError(Exception):
    """This search gave nothing, the next one may: the agent is told and goes on. The text is for both."""


class SearchRefusedError(Exception):
    """No search will work: it ends the sample as failed, and the text is the reason, for a person.

    When all samples of a request fail like this, the request is given up: its text begins with `NO_SEARCH`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"{NO_SEARCH}: {reason}")
