"""Searching with Exa: the real client against a loopback server, on good days and bad ones."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.domain.trajectory import SearchResult
from btc_gui.evals.search.backend import Found, SearchRefusedError, SearchUnavailableError
from tests.fakes.exa import exa_error, exa_reply, exa_result
from tests.fakes.http_replies import HttpReplies, Nobody, Prepared, Received

GOOD = exa_reply([exa_result()])
KEY = "secret-key-0123456789"


@dataclass
class _Tried:
    """What came of a search: what was sent, and how long was waited between the tries."""

    received: list[Received]
    waits: list[float] = field(default_factory=list)
    found: Found = field(default_factory=lambda: Found(()))
    error: str = ""
    is_refused: bool = False


def _search(
    *replies: Prepared, query: str = "who", timeout: float = 60, later: float | None = None, **settings: object
) -> _Tried:
    """Search once; after the first try the time-out is `later`."""

    from btc_gui.evals.search import exa

    async def search() -> _Tried:
        async def wait(seconds: float) -> None:
            tried.waits.append(seconds)
            backend._timeout = later or timeout

        tried = _Tried(server.received)
        backend = exa.ExaBackend(
            SearchSettings(SearchKind.EXA, **settings),  # type: ignore[arg-type]
            KEY,
            server.address,
            timeout=timeout,
            wait=wait,
        )
        try:
            tried.found = await backend.search(query)
        except (SearchUnavailableError, SearchRefusedError) as error:
            tried.error, tried.is_refused = str(error), isinstance(error, SearchRefusedError)
        finally:
            await exa.close_clients()
        return tried

    with HttpReplies(*replies) as server:
        return asyncio.run(search())


def test_a_key_that_is_repeated_in_a_result_is_not_kept() -> None:
    tried = _search(exa_reply([exa_result(f"You sent {KEY}")]))
    assert tried.received[0].headers["x-api-key"] == KEY
    assert tried.found.results[0].title == "You sent (key)"
    assert KEY not in repr(tried.found)


def test_results_keep_title_address_day_and_excerpts_and_the_cost_is_told() -> None:
    tried = _search(exa_reply([exa_result(), exa_result(None, None), exa_result("Odd", "last week")], 0.012))
    excerpts = ("She spoke in March.", "A second passage.")
    assert tried.found == Found(
        (
            SearchResult("A festival", "https://example.org/a-festival", "2026-03-01", excerpts),
            SearchResult("https://example.org/untitled", "https://example.org/untitled", "", excerpts),
            SearchResult("Odd", "https://example.org/odd", "", excerpts),
        ),
        0.012,
    )
    sent = tried.received[0]
    assert (sent.path, sent.headers["x-api-key"]) == ("/search", KEY)
    assert sent.body == {"query": "who", "numResults": 10, "contents": {"highlights": True}}


def test_limits_go_to_exa_and_an_as_of_asks_for_more_than_it_keeps() -> None:
    body = _search(GOOD, results=5, characters=900).received[0].body
    assert (body["numResults"], body["contents"]) == (5, {"highlights": {"maxCharacters": 900}})
    wanted = [_search(GOOD, results=each, as_of="2026-05-09").received[0].body["numResults"] for each in (5, 20, 40)]
    assert wanted == [10, 25, 40]


def test_no_cost_is_not_a_cost_of_nothing() -> None:
    assert _search(exa_reply([], None)).found == Found((), None)


@pytest.mark.parametrize(
    "fault",
    [
        exa_error(429, "slow down", retry_after="3"),
        exa_error(500, "oops"),
        exa_error(503),
        Prepared("<html>Bad gateway</html>", 502, content_type="text/html"),
        Prepared("<html>Welcome</html>", content_type="text/html"),
        Prepared('{"results": [{"url"'),
        Prepared({"error": "no results field"}),
        Prepared([1, 2]),
        Prepared({"results": None}),
        Prepared({"results": ["text"]}),
        Prepared(GOOD.body, cut=60),
        Prepared(GOOD.body, cut=0),
        Prepared(silent=True),
    ],
)
def test_what_may_pass_is_tried_again(fault: Prepared) -> None:
    tried = _search(fault, GOOD, timeout=0.4 if fault.silent else 60, later=60)
    assert (tried.error, len(tried.found.results), len(tried.received)) == ("", 1, 2)
    assert len(tried.waits) == 1
    assert 0.7 < tried.waits[0] < 1.3 or tried.waits == [3.0]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (exa_error(429, retry_after="2"), "The search failed: Exa is busy (429) (tried 4 times)."),
        (exa_error(502), "The search failed: Exa has a fault (502) (tried 4 times)."),
        (Prepared(silent=True), "The search failed: no reply within 0.3 s (tried 4 times)."),
        (Prepared("[", 200), "The search failed: the reply can't be read (tried 4 times)."),
    ],
)
def test_what_does_not_pass_is_told_to_the_agent(fault: Prepared, reason: str) -> None:
    tried = _search(fault, timeout=0.3 if fault.silent else 60)
    assert (tried.error, tried.is_refused, len(tried.received)) == (reason, False, 4)


def test_a_wait_of_minutes_is_not_waited_for() -> None:
    tried = _search(exa_error(429, retry_after="3600"))
    assert (tried.error, tried.waits) == ("The search failed: Exa is busy (429) (tried 1 time).", [])


@pytest.mark.parametrize("value", ["Wed, 21 Oct 2026 07:28:00 GMT", "soon", "-5"])
def test_an_odd_retry_after_does_no_harm(value: str) -> None:
    tried = _search(exa_error(429, retry_after=value), GOOD)
    assert (tried.error, len(tried.waits)) == ("", 1)
    assert 0 <= tried.waits[0] < 2


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (
            exa_error(401, f"Invalid API key {KEY}"),
            "no search is possible: Exa refuses the key in EXA_API_KEY (401): Invalid API key (key)",
        ),
        (exa_error(403, "disabled"), "no search is possible: Exa refuses the key in EXA_API_KEY (403): disabled"),
        (
            exa_error(402, "out of credits"),
            "no search is possible: the Exa account has no credit left (402): out of credits",
        ),
    ],
)
def test_a_key_that_is_refused_ends_the_sample(fault: Prepared, reason: str) -> None:
    tried = _search(fault, GOOD)
    assert (tried.error, tried.is_refused, len(tried.received)) == (reason, True, 1)


def test_an_address_without_exa_is_named() -> None:
    tried = _search(Prepared("not here", 404, content_type="text/plain"))
    assert tried.is_refused
    assert tried.error.startswith("no search is possible: Exa at http://127.0.0.1:")
    assert tried.error.endswith(" can't be used (404): not here")


def test_a_query_that_exa_refuses_is_the_agents_affair() -> None:
    tried = _search(exa_error(400, "query too long"), query="x" * 9_000)
    assert (tried.error, tried.is_refused) == ("The search was refused (400): query too long", False)
    assert len(tried.received) == 1


@pytest.mark.parametrize("query", ["", "名古屋 市長 誰", "من هو العمدة", '"quoted" \\ \n', "half \udce9 a character"])
def test_any_query_is_sent(query: str) -> None:
    tried = _search(GOOD, query=query)
    assert tried.error == ""
    assert tried.received[0].body["query"] == query.replace("\udce9", "?")


def test_nobody_there_is_told_to_the_agent() -> None:
    from btc_gui.evals.search import exa

    async def search() -> None:
        async def wait(seconds: float) -> None:
            """Go on at once."""

        backend = exa.ExaBackend(SearchSettings(SearchKind.EXA), KEY, nobody.address, wait=wait)
        try:
            with pytest.raises(SearchUnavailableError, match=r"^The search failed: the connection failed \(.+\)"):
                await backend.search("who")
        finally:
            await exa.close_clients()

    with Nobody() as nobody:
        asyncio.run(search())


def test_many_at_once_are_all_answered_and_exa_is_not_flooded() -> None:
    from btc_gui.evals.search import exa

    async def search(queries: Sequence[str]) -> list[Found]:
        backend = exa.ExaBackend(SearchSettings(SearchKind.EXA), KEY, server.address)
        try:
            return await asyncio.gather(*(backend.search(query) for query in queries))
        finally:
            await exa.close_clients()

    with HttpReplies(GOOD) as server:
        found = asyncio.run(search([f"query {number}" for number in range(60)]))
    assert len(found) == 60
    assert {json.dumps(each.body["query"]) for each in server.received} == {f'"query {n}"' for n in range(60)}
