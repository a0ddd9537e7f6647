"""The real SDKs against a loopback server: what is sent, what comes back, and what goes wrong in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import ModelError
from btc_gui.remote.gemini import GeminiModel
from btc_gui.remote.language_model import ModelReply, ModelRequest
from btc_gui.remote.openai_compatible import OpenAICompatibleModel
from tests.fakes.http_replies import HttpReplies, Nobody, Prepared

REPLY = '{"rationale": "He is recommended.", "names_entity": true, "label": "incorrect"}'
REQUEST = ModelRequest("judge", "You are a judge.", "Was it {right}? 北京", JudgeReply, "judge/p1/m/low/1")
KEY = "secret-key-123"


def _openai_body(text: str | None = REPLY, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "judge-1",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": refusal},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 40},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
    }


def _gemini_body(text: str | None = REPLY, finish: str = "STOP") -> dict[str, Any]:
    parts = [{"text": "hmm: correct?", "thought": True}] + ([] if text is None else [{"text": text}])
    return {
        "candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": finish, "index": 0}],
        "usageMetadata": {
            "promptTokenCount": 100,
            "candidatesTokenCount": 15,
            "thoughtsTokenCount": 5,
            "cachedContentTokenCount": 40,
        },
    }


def _ask_openai(server: HttpReplies, waits: list[float], timeout: float = 60.0) -> ModelReply:
    model = OpenAICompatibleModel(
        "judge-1", KEY, base_url=f"{server.address}/v1", effort="low", price=TokenPrice(1.0, 10.0), timeout=timeout
    )
    with closing(model):
        return model.ask(REQUEST, waits.append)


def _ask_gemini(server: HttpReplies, waits: list[float], timeout: float = 60.0) -> ModelReply:
    model = GeminiModel(
        "judge-1", KEY, base_url=server.address, thinking="low", price=TokenPrice(1.0, 10.0), timeout=timeout
    )
    with closing(model):
        return model.ask(REQUEST, waits.append)


Ask = Callable[..., ModelReply]
PROVIDERS = [pytest.param(_ask_openai, _openai_body, id="openai"), pytest.param(_ask_gemini, _gemini_body, id="gemini")]
both = pytest.mark.parametrize(("ask", "body"), PROVIDERS)


@contextmanager
def _fails(waits: int, server: HttpReplies, *words: str) -> Iterator[None]:
    with pytest.raises(ModelError) as caught:
        yield
    for word in words:
        assert word in str(caught.value)
    assert caught.value.remedy
    assert KEY not in str(caught.value)
    assert len(server.received) == waits + 1


@both
def test_reply_usage_and_cost(ask: Ask, body: Callable[..., Any]) -> None:
    """The text comes back unread and without the model's thoughts; tokens are counted as providers bill them."""
    with HttpReplies(Prepared(body())) as server:
        reply = ask(server, [])
    assert (reply.text, reply.cut) == (REPLY, "")
    assert reply.usage == Usage(input=60, output=20, reasoning=5, cache_read=40)
    assert reply.cost == pytest.approx((100 * 1 + 20 * 10) / 1_000_000)
    assert reply.seconds > 0


def test_what_openai_receives() -> None:
    """System and prompt as they are, the schema in strict form, the effort, and the key in the header only."""
    with HttpReplies(Prepared(_openai_body())) as server:
        _ask_openai(server, [])
    (sent,) = server.received
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert [message["content"] for message in sent.body["messages"]] == [REQUEST.system, REQUEST.prompt]
    assert sent.body["reasoning_effort"] == "low"
    schema = sent.body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["additionalProperties"] is False
    assert schema["schema"]["required"] == ["rationale", "names_entity", "label"]


def test_what_gemini_receives() -> None:
    """System and prompt as they are, the schema, the thinking level, and the key in the header only."""
    with HttpReplies(Prepared(_gemini_body())) as server:
        _ask_gemini(server, [])
    (sent,) = server.received
    assert sent.path.endswith("/models/judge-1:generateContent")
    assert sent.headers["x-goog-api-key"] == KEY
    assert sent.body["contents"][0]["parts"][0]["text"] == REQUEST.prompt
    assert sent.body["systemInstruction"]["parts"][0]["text"] == REQUEST.system
    config = sent.body["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"]["required"] == ["rationale", "names_entity", "label"]
    assert config["thinkingConfig"][
        "thinking_level" if "thinking_level" in config["thinkingConfig"] else "thinkingLevel"
    ]


def test_servers_of_ones_own_need_no_key_and_no_effort() -> None:
    """vLLM and Ollama are asked without a key; what was not set is not sent."""
    with HttpReplies(Prepared(_openai_body())) as server:
        with closing(OpenAICompatibleModel("llama", "", base_url=f"{server.address}/v1")) as model:
            assert model.name == "llama"
            assert model.ask(REQUEST).cost is None
        assert "reasoning_effort" not in server.received[0].body


def test_missing_keys_and_wrong_levels_are_refused_before_anything_is_sent() -> None:
    """Who has no key is told which variable to set."""
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        OpenAICompatibleModel("gpt", "")
    with pytest.raises(ModelError, match="GEMINI_API_KEY"):
        GeminiModel("gemini", "")
    with pytest.raises(ModelError, match="thinking level"):
        GeminiModel("gemini", KEY, thinking="enormous")


def test_names_hold_what_changes_the_answer() -> None:
    """Two efforts of one model are two judges."""
    with closing(OpenAICompatibleModel("gpt", KEY, effort="high")) as model:
        assert model.name == "gpt (high)"
    with closing(GeminiModel("gemini", KEY, thinking="low")) as gemini:
        assert gemini.name == "gemini (low)"


@both
@pytest.mark.parametrize(
    ("status", "message", "word"),
    [
        (401, f"bad key {KEY}", "refuses the key"),
        (403, "no permission", "refuses the key"),
        (404, "no such model", "does not know the model “judge-1”"),
        (400, "unknown parameter", "refuses the request"),
    ],
)
def test_refusals_are_final(ask: Ask, body: Callable[..., Any], status: int, message: str, word: str) -> None:
    """A wrong key, model or request is not tried again, and the error never repeats the key."""
    waits: list[float] = []
    with (
        HttpReplies(Prepared({"error": {"message": message, "code": status}}, status=status)) as server,
        _fails(0, server, word),
    ):
        ask(server, waits)
    assert waits == []


def test_gemini_says_400_for_a_wrong_key() -> None:
    """Its wrong key is a bad request with a telling message."""
    wrong = {"error": {"message": "API key not valid. Please pass a valid API key.", "code": 400}}
    with HttpReplies(Prepared(wrong, status=400)) as server, _fails(0, server, "refuses the key"):
        _ask_gemini(server, [])


@both
def test_patience_is_honoured(ask: Ask, body: Callable[..., Any]) -> None:
    """After a 429 with Retry-After the request goes out again after exactly that pause."""
    busy = Prepared({"error": {"message": "slow down", "code": 429}}, status=429, headers={"Retry-After": "7"})
    waits: list[float] = []
    with HttpReplies(busy, busy, Prepared(body())) as server:
        assert ask(server, waits).text == REPLY
        assert len(server.received) == 3
    assert waits == [7.0, 7.0]


@both
def test_patience_ends(ask: Ask, body: Callable[..., Any]) -> None:
    """Four tries are enough, and who asks for an hour is left alone at once."""
    waits: list[float] = []
    with (
        HttpReplies(Prepared({"error": {"message": "slow", "code": 429}}, status=429)) as server,
        _fails(3, server, "no more requests now"),
    ):
        ask(server, waits)
    assert waits == [1.0, 2.0, 4.0]
    hour = Prepared({"error": {"message": "slow", "code": 429}}, status=429, headers={"Retry-After": "3600"})
    with HttpReplies(hour) as server, _fails(0, server, "no more requests now"):
        ask(server, [])


@both
@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda body: Prepared("oops", status=503, content_type="text/plain"), "has a fault (503"),
        (lambda body: Prepared(body, cut=30), "can't be reached"),
        (lambda body: Prepared('{"nope'), "damaged"),
    ],
    ids=["fault", "cut body", "malformed"],
)
def test_passing_faults_are_tried_again(
    ask: Ask, body: Callable[..., Any], make: Callable[[Any], Prepared], word: str
) -> None:
    """A server's fault, a connection that breaks off and a damaged body: tried again, then told in words."""
    with HttpReplies(make(body()), Prepared(body())) as server:
        assert ask(server, []).text == REPLY
    with HttpReplies(make(body())) as server, _fails(3, server, word):
        ask(server, [])


@both
def test_timeouts(ask: Ask, body: Callable[..., Any]) -> None:
    """A server that stays silent is given up after the time set."""
    with HttpReplies(Prepared(silent=True)) as server, pytest.raises(ModelError, match=r"in time|reached"):
        ask(server, [], timeout=0.1)


@both
def test_nobody_listens(ask: Ask, body: Callable[..., Any]) -> None:
    """A wrong address says so."""
    with Nobody() as server, pytest.raises(ModelError, match="can't be reached"):
        ask(server, [])


@pytest.mark.parametrize("body", [{}, {"choices": []}, "<html>"])
def test_an_address_that_is_no_model(body: object) -> None:
    """A web page or an empty object is no reply."""
    page = Prepared(body, content_type="text/html" if isinstance(body, str) else "application/json")
    with HttpReplies(page) as server, _fails(0, server, "something else than a reply", "/v1"):
        _ask_openai(server, [])


def test_gemini_without_any_reply() -> None:
    """No candidate and no reason is a failed call, not an empty answer."""
    with HttpReplies(Prepared({})) as server, _fails(0, server, "no reply"):
        _ask_gemini(server, [])


@pytest.mark.parametrize(
    ("ask", "body", "word"),
    [
        (_ask_openai, _openai_body('{"rationale": "He', "length"), "cut off"),
        (_ask_openai, _openai_body(None, "content_filter"), "filter"),
        (_ask_openai, _openai_body(None, refusal="I can't help with that."), "refused: I can't"),
        (_ask_gemini, _gemini_body('{"rationale": "He', "MAX_TOKENS"), "cut off"),
        (_ask_gemini, _gemini_body(None, "SAFETY"), "SAFETY"),
        (_ask_gemini, {"promptFeedback": {"blockReason": "SAFETY"}}, "withheld"),
    ],
)
def test_incomplete_replies_say_so(ask: Ask, body: object, word: str) -> None:
    """What was cut off or withheld came back (and was paid for), and is marked as no label."""
    with HttpReplies(Prepared(body)) as server:
        assert word in ask(server, []).cut
