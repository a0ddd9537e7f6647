"""Search with Exa: excerpts and publication dates of live pages, with bounded retries."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Mapping

import httpx
from exa_py import AsyncExa
from exa_py.api import Result

from btc_gui.domain.search_settings import SearchSettings, last_day
from btc_gui.domain.trajectory import SearchResult
from btc_gui.evals.search.backend import Found, SearchRefusedError, SearchUnavailableError, tell_retry
from btc_gui.known_secrets import content_without_secrets, without_secrets
from btc_gui.remote.reply_limit import ReplyTooLargeError, limit_replies

ADDRESS = "https://api.exa.ai"
#: How often one search is tried, and the longest wait between two tries, in seconds.
TRIES = 4
LONGEST_WAIT = 60.0
_CALL_SECONDS = 30.0
#: How many searches are under way at once, over all samples of the worker.
_AT_ONCE = 8
_PASSING = (408, 409, 425, 429)
#: What the agent itself can do better: its query is at fault.
_OF_THE_QUERY = (400, 413, 422)


class _StatusError(Exception):
    """A reply that is an error. exa-py's own exception keeps neither status nor headers."""

    def __init__(self, status: int, detail: str, after: float | None) -> None:
        super().__init__(status, detail)
        self.status = status
        self.detail = detail
        self.after = after


class ExaBackend:
    """Searches with Exa, at `address` or Exa's own, for the request of this name. `wait` is for tests."""

    def __init__(
        self,
        settings: SearchSettings,
        key: str,
        address: str = "",
        *,
        request: str = "",
        timeout: float = _CALL_SECONDS,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._key = key
        self._secrets = {**os.environ, "KEY": key}
        self._address = (address or ADDRESS).rstrip("/")
        self._settings = settings
        self._request = request
        self._timeout = timeout
        self._wait = wait

    async def search(self, query: str) -> Found:
        """Search, trying again what may pass. Raises `SearchUnavailableError` and `SearchRefusedError`."""
        for number in range(1, TRIES + 1):
            try:
                return await self._once(query)
            except _StatusError as error:
                reason, after = self._judge(error), error.after
            except httpx.TimeoutException:
                reason, after = f"no reply within {self._timeout:g} s", None
            except httpx.TransportError as error:
                told = without_secrets(str(error), self._secrets) or type(error).__name__
                reason, after = f"the connection failed ({told})", None
            except ReplyTooLargeError as error:
                raise SearchUnavailableError(error.message) from error
            except (ValueError, KeyError, TypeError, AttributeError):
                reason, after = "the reply can't be read", None
            pause = random.uniform(0.75, 1.25) * 2.0 ** (number - 1) if after is None else after
            if number == TRIES or pause > LONGEST_WAIT:
                raise SearchUnavailableError(f"The search failed: {reason} (tried {number} time{'s'[: number > 1]}).")
            tell_retry("Exa", reason, pause, self._request)
            await self._wait(pause)
        raise AssertionError("unreachable")

    async def _once(self, query: str) -> Found:
        client, gate = _client(self._key, self._address)
        limit = self._settings.characters
        async with gate:
            response = await client.search(
                # Half a character can't be sent.
                query.encode("utf-8", "replace").decode("utf-8"),
                num_results=self._settings.asked_results,
                contents={"highlights": {"max_characters": limit} if limit else True},
                timeout=self._timeout,
            )
        cost = response.cost_dollars
        return Found(
            tuple(_result(each, self._secrets) for each in response.results),
            float(cost.total) if cost is not None else None,
        )

    def _judge(self, error: _StatusError) -> str:
        """Why a try failed, when trying again makes sense. Raises what it means when not."""
        # Reasons are kept in projects: a service that repeats the key is not quoted with it.
        detail = " ".join(without_secrets(error.detail, self._secrets).split())[:200]
        if error.status in _PASSING or error.status >= 500:
            return f"Exa is busy ({error.status})" if error.status == 429 else f"Exa has a fault ({error.status})"
        if error.status in _OF_THE_QUERY:
            raise SearchUnavailableError(f"The search was refused ({error.status}): {detail}")
        if error.status in (401, 403):
            raise SearchRefusedError(f"Exa refuses the key in EXA_API_KEY ({error.status}): {detail}")
        if error.status == 402:
            raise SearchRefusedError(f"the Exa account has no credit left (402): {detail}")
        raise SearchRefusedError(f"Exa at {self._address} can't be used ({error.status}): {detail}")


#: One client, with its connections, for all samples of the process, by key and address.
_clients: dict[tuple[str, str], tuple[AsyncExa, asyncio.Semaphore]] = {}


def _client(key: str, address: str) -> tuple[AsyncExa, asyncio.Semaphore]:
    if (key, address) not in _clients:
        limit_replies()
        exa = AsyncExa(key, api_base=address)
        exa.client.event_hooks["response"].append(_refuse_errors)
        _clients[key, address] = exa, asyncio.Semaphore(_AT_ONCE)
    return _clients[key, address]


async def close_clients() -> None:
    """Close all connections to Exa. The next search opens new ones."""
    for exa, _ in _clients.values():
        await exa.aclose()
    _clients.clear()


async def _refuse_errors(response: httpx.Response) -> None:
    if response.status_code >= 400:
        await response.aread()
        raise _StatusError(response.status_code, _detail(response), _seconds(response.headers.get("retry-after")))


def _detail(response: httpx.Response) -> str:
    """What the reply says is wrong, out of Exa's own form where it has that."""
    try:
        body = response.json()
    except ValueError:
        return response.text
    return str(body["error"]) if isinstance(body, dict) and body.get("error") else response.text


def _seconds(value: str | None) -> float | None:
    try:
        return max(0.0, float(value)) if value is not None else None
    except ValueError:
        return None


def _result(row: Result, secrets: Mapping[str, str]) -> SearchResult:
    def told(text: object) -> str:
        return content_without_secrets(str(text), secrets)

    published = str(row.published_date or "")
    # Exa gives a moment; what it knows is a day.
    return SearchResult(
        title=told(row.title or row.url),
        url=told(row.url),
        published=published.partition("T")[0] if last_day(published) else "",
        excerpts=tuple(told(each) for each in row.highlights or ()),
    )
