"""Replies of services over a real connection, damaged: what is asked is answered, or told in a sentence."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.errors import BtcError
from btc_gui.evals.search.backend import SearchRefusedError, SearchUnavailableError
from btc_gui.remote.gemini import GeminiModel
from btc_gui.remote.http import WebClient
from btc_gui.remote.language_model import LanguageModel, ModelRequest
from btc_gui.remote.openai_compatible import OpenAICompatibleModel
from btc_gui.remote.wikidata import Wikidata
from btc_gui.remote.wikipedia import Wikipedia
from btc_gui.settings import Settings
from tests.fakes.model_server import packed_zeros
from tests.fakes.patience import Impatient
from tests.fakes.raw_replies import RawReplies, raw_replies
from tests.fuzz.mutating import fuzz, is_sentence, mutated, no_hang

REQUEST = ModelRequest("judge", "You are a judge.", "Was it right?", JudgeReply, "judge/p1/m/low/1")
PRICE = TokenPrice(1.0, 10.0)
KEY = "key-of-nobody-0123456789"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
Ask = Callable[[], object]


@dataclass(frozen=True)
class Service:
    """How a service is asked at an address, what it sends, and how it is told that nothing came of it."""

    open: Callable[[str, ExitStack], Ask]
    bodies: tuple[object, ...]
    refusal: type[Exception] | tuple[type[Exception], ...] = BtcError


def _ask(model: LanguageModel) -> Ask:
    def ask() -> object:
        reply = model.ask(REQUEST, lambda _: None)
        usage = reply.usage
        assert all(0 <= each < 2**62 for each in (usage.input, usage.output, usage.reasoning, usage.cache_read))
        assert reply.cost is not None
        assert math.isfinite(reply.cost)
        return reply.text + reply.cut

    return ask


def _openai(address: str, stack: ExitStack) -> Ask:
    model = OpenAICompatibleModel("judge-1", KEY, base_url=f"{address}/v1", price=PRICE, timeout=10)
    return _ask(stack.enter_context(closing(model)))


def _gemini(address: str, stack: ExitStack) -> Ask:
    return _ask(stack.enter_context(closing(GeminiModel("judge-1", KEY, base_url=address, price=PRICE, timeout=10))))


def _client(stack: ExitStack) -> WebClient:
    client = WebClient("curator@example.org", Impatient(), connect_seconds=10, read_seconds=10)
    return stack.enter_context(client)


def _query(address: str, stack: ExitStack) -> Ask:
    service = Wikidata(_client(stack), Settings(services={"wdqs": f"{address}/sparql"}))
    return lambda: repr(service.query("SELECT ?a", ("a",)).bindings).encode()


def _items(address: str, stack: ExitStack) -> Ask:
    service = Wikidata(_client(stack), Settings(services={"wikidata": f"{address}/api.php"}))
    return lambda: json.dumps([service.items(["Q1", "Q2"]), service.items_of_articles(["Ada"])])


def _article(address: str, stack: ExitStack) -> Ask:
    service = Wikipedia(_client(stack), Settings(services={"wikipedia": f"{address}/api.php"}))

    def ask() -> object:
        revision = service.revision("Ada", date(2026, 5, 1), "Q1")
        assert abs(revision.page_id) < 2**63 > abs(revision.revision_id)
        return f"{revision} {service.html(revision)}".encode()

    return ask


def _search(address: str, stack: ExitStack) -> Ask:
    # Slow to load, and asked here alone.
    from btc_gui.evals.search import exa

    async def no_wait(_: float) -> None:
        pass

    runner = stack.enter_context(asyncio.Runner())
    stack.callback(lambda: runner.run(exa.close_clients()))
    backend = exa.ExaBackend(SearchSettings(SearchKind.EXA), KEY, address, timeout=10, wait=no_wait)
    return lambda: repr(runner.run(backend.search("old news"))).encode()


_CHAT = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": "judge-1",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "{}", "refusal": None}, "finish_reason": "stop"}
    ],
    "usage": {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 40},
        "completion_tokens_details": {"reasoning_tokens": 5},
    },
}
_CANDIDATES = {
    "candidates": [
        {
            "content": {"parts": [{"text": "hm", "thought": True}, {"text": "{}"}], "role": "model"},
            "finishReason": "STOP",
            "index": 0,
        }
    ],
    "promptFeedback": {"blockReason": "SAFETY"},
    "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 15, "thoughtsTokenCount": 5},
}
_QUOTA = {
    "error": {
        "code": 429,
        "message": "later",
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"},
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "PerDay"}]},
        ],
    }
}
_ROWS = {"head": {"vars": ["a"]}, "results": {"bindings": [{"a": {"type": "uri", "value": "http://x.test/Q1"}}]}}
_ENTITIES = {
    "entities": {
        "Q1": {
            "id": "Q1",
            "labels": {"en": {"language": "en", "value": "Ada"}},
            "sitelinks": {"enwiki": {"title": "Ada"}},
            "redirects": {"from": "Q2", "to": "Q1"},
        }
    }
}
_PAGES = {
    "query": {
        "pages": [
            {
                "pageid": 3,
                "title": "Ada",
                "pageprops": {"wikibase_item": "Q1"},
                "revisions": [{"revid": 7, "timestamp": "2026-04-01T00:00:00Z"}],
            }
        ]
    },
    "parse": {"revid": 7, "text": "<p>He lives.</p>"},
}
_FOUND = {
    "requestId": "r",
    "results": [{"title": "T", "url": "https://x.test", "id": "i", "publishedDate": "2026-05-09", "highlights": ["h"]}],
    "costDollars": {"total": 0.005},
}

SERVICES = {
    "openai": Service(_openai, (_CHAT, {"error": {"message": "no", "code": "x"}})),
    "gemini": Service(_gemini, (_CANDIDATES, _QUOTA)),
    "query service": Service(_query, (_ROWS,)),
    "items": Service(_items, (_ENTITIES, {"error": {"code": "maxlag", "info": "late"}})),
    "article": Service(_article, (_PAGES,)),
    "search": Service(_search, (_FOUND,), (SearchRefusedError, SearchUnavailableError)),
}


@pytest.fixture(scope="module")
def server() -> Iterator[RawReplies]:
    """A server that sends what it is told."""
    with raw_replies() as going:
        yield going


def _check(ask: Ask, refusal: type[Exception] | tuple[type[Exception], ...]) -> None:
    told: Exception | None = None
    with no_hang():
        try:
            ask()
        except refusal as error:
            told = error
    assert told is None or is_sentence(str(told))


@pytest.mark.parametrize("name", SERVICES)
def test_a_reply_that_unpacks_without_an_end(name: str, server: RawReplies) -> None:
    """A packet of a few kilobytes that would fill the memory is told, and read no further than to the limit."""
    service = SERVICES[name]
    with ExitStack() as stack:
        ask = service.open(server.address, stack)
        server.give(packed_zeros(), HEAD + b"Content-Encoding: gzip\r\n")
        with no_hang(), pytest.raises(service.refusal, match=r"larger than \d\d MB"):
            ask()
        server.give(packed_zeros(), HEAD + b"Content-Encoding: gzip, gzip\r\n")
        with no_hang(), pytest.raises(service.refusal):
            ask()


@pytest.mark.parametrize("name", SERVICES)
def test_a_damaged_reply(name: str, server: RawReplies) -> None:
    """Other values in it, torn, or not even HTTP; with any status."""
    service = SERVICES[name]
    bodies = [json.dumps(body).encode() for body in service.bodies]
    heads = [HEAD.replace(b"200 OK", status) for status in (b"200 OK", b"400 Bad", b"429 Later", b"500 Fault")]
    with ExitStack() as stack:
        ask = service.open(server.address, stack)
        server.give(bodies[0])
        ask()

        @fuzz(6)
        @given(data=st.data())
        def check(data: st.DataObject) -> None:
            if data.draw(st.integers(0, 5)):
                values_only = data.draw(st.booleans())
                body = data.draw(mutated(bodies, values_only=values_only))
                server.give(body, data.draw(st.sampled_from([HEAD, *heads])))
            else:
                server.give(bodies[0])
                server.given = data.draw(mutated([server.given]))
            _check(ask, service.refusal)

        check()
