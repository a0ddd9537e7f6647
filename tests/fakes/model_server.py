"""A loopback server that speaks the real protocols of model providers, faults included.

What it does is written in the request: the first user message may hold one of the words of `FAULTS`. Without
one, an agent with a `web_search` function searches once and answers, and an agent with the provider's own search
gets a searched answer. `requests` holds all that was asked.
"""

from __future__ import annotations

import functools
import gzip
import json
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]

QUERY = "who speaks in autumn"
ANSWER = "Ask Ada Example."
URL = "https://example.org/speakers"
TITLE = "Speakers of the autumn"
QUOTE = "Ada Example speaks in October."
#: What may go wrong, as words in a request.
FAULTS = (
    "wrong key",
    "key repeated",
    "key answered",
    "unknown model",
    "too long",
    "refuse",
    "loop",
    "limited once",
    "always limited",
    "cut off",
    "not json",
    "endless",
    "broken server",
)
RETRY_AFTER = 0.6


@dataclass
class ModelServer:
    """What came in, and where to send it: `address` has no path."""

    address: str = ""
    requests: list[tuple[str, Body]] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)
    tries: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_silent: bool = False

    def environment(self) -> dict[str, str]:
        """The variables that send each client here, with keys that are none."""
        services = {"OPENAI": "/v1", "QWEN": "/qwen/v1", "ZAI": "/zai/v1", "MIMO": "/mimo/v1", "DEEPSEEK": "/deepseek"}
        services["OPENROUTER"] = "/v1"
        found = {f"{name}_BASE_URL": self.address + path for name, path in services.items()}
        found |= {"ANTHROPIC_BASE_URL": self.address, "GOOGLE_BASE_URL": self.address}
        names = [*services, "ANTHROPIC", "GOOGLE"]
        return found | {f"{name}_API_KEY": f"key-of-{name.lower()}-0123456789" for name in names}

    def bodies(self, path_end: str) -> list[Body]:
        """The bodies of the requests to a path."""
        return [body for path, body in self.requests if path.endswith(path_end)]

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            self.requests.clear()
            self.times.clear()
            self.tries.clear()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Say nothing of who has read enough and hangs up."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """The server, going until the end of the block."""
    server = ModelServer()
    http = _Server(("127.0.0.1", 0), _handler(server))
    http.daemon_threads = True
    server.address = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


@functools.cache
def packed_zeros() -> bytes:
    """The beginning of a JSON value of 100 MB, as a gzip of a tenth of one."""
    return gzip.compress(b'{"choices": "' + b"0" * 100_000_000, 1)


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *values: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            body: Body = json.loads(raw or b"{}")
            path = self.path.partition("?")[0]
            protocol = _protocol(path)
            text = _asked(body)
            fault = next((each for each in FAULTS if each in text), "")
            with server.lock:
                server.requests.append((path, body))
                server.tries[text] += 1
                server.times.setdefault(text, []).append(time.monotonic())
                tried = server.tries[text]
            if server.is_silent:
                # A server that searched, or not, and says nothing of it.
                body = {key: value for key, value in body.items() if key not in ("tools", "enable_search")}
            if fault in ("cut off", "not json", "endless"):
                self._broken(fault, protocol, body)
                return
            refusal = _refusal(fault, protocol, tried)
            if fault in ("key repeated", "key answered"):
                self._send(*_with_key(self.headers, fault, protocol, body))
            elif refusal is not None:
                self._send(*refusal)
            elif protocol.streams(path, body):
                self._send(200, protocol.stream(protocol.reply(body, fault)), "text/event-stream")
            else:
                self._send(200, protocol.reply(body, fault))

        def _send(self, status: int, body: Body | str, kind: str = "application/json") -> None:
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            if status == 429:
                self.send_header("retry-after", str(RETRY_AFTER))
            self.end_headers()
            self.wfile.write(data)

        def _broken(self, fault: str, protocol: _Protocol, body: Body) -> None:
            whole = protocol.reply(body, "")
            is_stream = protocol.streams(self.path.partition("?")[0], body)
            text = protocol.stream(whole) if is_stream else json.dumps(whole)
            wrong = {"not json": b"{this is no json", "endless": packed_zeros()}
            data = wrong.get(fault, text.encode())
            self.send_response(200)
            self.send_header("content-type", "text/event-stream" if is_stream else "application/json")
            self.send_header("content-encoding", "gzip" if fault == "endless" else "identity")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if fault == "cut off" else data)
            self.wfile.flush()
            if fault == "cut off":
                self.close_connection = True

    return Handler


def _with_key(headers: Message, fault: str, protocol: _Protocol, body: Body) -> tuple[int, Body]:
    """The key that came, given back: some services do so in refusals, some gateways in replies."""
    key = "".join(headers.get(name) or "" for name in ("authorization", "x-api-key", "x-goog-api-key"))
    if fault == "key repeated":
        return 401, protocol.error(401, f"Incorrect API key provided: {key}")
    return 200, json.loads(json.dumps(protocol.reply(body, fault)).replace(ANSWER, f"{ANSWER} You sent {key}."))


def _asked(body: Body) -> str:
    """The first user message's text, in whatever protocol."""
    for message in body.get("messages") or body.get("input") or body.get("contents") or []:
        if message.get("role") == "user":
            parts = message.get("content") or message.get("parts") or ""
            if isinstance(parts, str):
                return parts
            return "".join(str(part.get("text", "")) for part in parts)
    return ""


def _refusal(fault: str, protocol: _Protocol, tried: int) -> tuple[int, Body] | None:
    statuses = {"wrong key": 401, "unknown model": 404, "too long": 400, "always limited": 429, "broken server": 500}
    status = statuses.get(fault)
    if fault == "limited once" and tried == 1:
        status = 429
    if status is None:
        return None
    words = {
        401: "The key is not valid.",
        404: "The model does not exist.",
        400: protocol.too_long,
        429: "Too many requests.",
        500: "Something [/bold] broke.",
    }
    return status, protocol.error(status, words[status])


@dataclass(frozen=True)
class _Protocol:
    reply: Callable[[Body, str], Body]
    error: Callable[[int, str], Body]
    too_long: str
    stream: Callable[[Body], str] = lambda reply: f"data: {json.dumps(reply)}\n\n"
    streams: Callable[[str, Body], bool] = lambda path, body: False


def _protocol(path: str) -> _Protocol:
    if path.endswith("/responses"):
        return _Protocol(_openai_responses, _openai_error, "Your input exceeds the context window of this model.")
    if path.endswith("/chat/completions"):
        long = "This model's maximum context length is 1000 tokens."
        return _Protocol(_chat, _openai_error, long)
    if path.endswith("/messages/count_tokens"):
        return _Protocol(lambda body, fault: {"input_tokens": 100}, _anthropic_error, "")
    if path.endswith("/messages"):
        long = "prompt is too long: 210000 tokens > 200000 maximum"
        return _Protocol(
            _anthropic, _anthropic_error, long, _anthropic_stream, lambda _, body: bool(body.get("stream"))
        )
    if "generateContent" in path.replace("streamGenerateContent", "generateContent"):
        long = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
        return _Protocol(_gemini, _gemini_error, long, streams=lambda path, _: "streamGenerate" in path)
    return _Protocol(lambda body, fault: {}, _openai_error, "")


# -- OpenAI's responses --------------------------------------------------------------------------------------


def _openai_error(status: int, words: str) -> Body:
    code = "context_length_exceeded" if "context" in words else ""
    return {"error": {"message": words, "type": "invalid_request_error", "code": code, "param": None}}


_MESSAGE = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}


def _openai_responses(body: Body, fault: str) -> Body:
    tools = body.get("tools") or []
    items = body["input"] if isinstance(body["input"], list) else []
    has_searched = any(item.get("type") == "function_call_output" for item in items)
    output: list[Body] = [
        {
            "type": "reasoning",
            "id": f"rs_{len(items)}",
            "summary": [{"type": "summary_text", "text": "I should look it up."}],
            "encrypted_content": "HIDDEN",
        }
    ]
    function = next((tool for tool in tools if tool.get("type") == "function"), None)
    if any(str(tool.get("type")).startswith("web_search") for tool in tools):
        output += [
            {
                "type": "web_search_call",
                "id": "ws_1",
                "status": "completed",
                "action": {"type": "search", "query": QUERY, "queries": [QUERY]},
            },
            {
                "type": "web_search_call",
                "id": "ws_2",
                "status": "completed",
                "action": {"type": "open_page", "url": URL},
            },
        ]
    if function and (not has_searched or fault == "loop"):
        call = {"name": function["name"], "arguments": json.dumps({"query": QUERY}), "status": "completed"}
        output.append({"type": "function_call", "id": f"fc_{len(items)}", "call_id": f"call_{len(items)}", **call})
    elif fault == "refuse":
        refusal = [{"type": "refusal", "refusal": "I can't help with that."}]
        output.append(
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": refusal}
        )
    else:
        cited = {"type": "url_citation", "start_index": 0, "end_index": 7, "url": URL, "title": TITLE}
        text = [{"type": "output_text", "text": ANSWER, "annotations": [cited]}]
        output.append({**_MESSAGE, "content": text})
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_790_000_000,
        "status": "completed",
        "model": body["model"],
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": tools,
        "usage": {
            "input_tokens": 100,
            "output_tokens": 20,
            "total_tokens": 120,
            "input_tokens_details": {"cached_tokens": 40},
            "output_tokens_details": {"reasoning_tokens": 10},
        },
    }


# -- OpenAI-compatible chat completions ----------------------------------------------------------------------


def _chat(body: Body, fault: str) -> Body:
    functions = [tool for tool in body.get("tools") or [] if tool.get("type") == "function"]
    has_searched = any(message["role"] == "tool" for message in body["messages"])
    message: Body = {"role": "assistant", "content": ANSWER, "reasoning_content": "I should look it up."}
    finish = "stop"
    more: Body = {}
    if functions and (not has_searched or fault == "loop"):
        call = {"name": functions[0]["function"]["name"], "arguments": json.dumps({"query": QUERY})}
        calls = [{"id": f"call_{len(body['messages'])}", "type": "function", "function": call}]
        message, finish = {**message, "content": None, "tool_calls": calls}, "tool_calls"
    elif fault == "refuse":
        message, finish = {"role": "assistant", "content": ""}, "content_filter"
    elif body.get("enable_search"):
        # Qwen tells the pages, but not what it asked for.
        more["search_info"] = {"search_results": [{"index": 1, "title": TITLE, "url": URL, "site_name": "Example"}]}
    elif any(tool.get("web_search") for tool in body.get("tools") or []):
        # GLM tells pages with their passages.
        more["web_search"] = [
            {"title": TITLE, "link": URL, "content": QUOTE, "publish_date": "2026-06-01", "refer": "1"}
        ]
    elif any(tool.get("type") == "web_search" for tool in body.get("tools") or []):
        # MiMo tells citations.
        message["annotations"] = [
            {"type": "url_citation", "url": URL, "title": TITLE, "summary": QUOTE, "publish_time": "2026-06-01"}
        ]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 40},
            "completion_tokens_details": {"reasoning_tokens": 10},
        },
        **more,
    }


# -- Anthropic's messages ------------------------------------------------------------------------------------


def _anthropic_error(status: int, words: str) -> Body:
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 500: "api_error"}
    return {"type": "error", "error": {"type": kinds.get(status, "invalid_request_error"), "message": words}}


def _anthropic(body: Body, fault: str) -> Body:
    tools = body.get("tools") or []
    is_native = any(str(tool.get("type", "")).startswith("web_search") for tool in tools)
    functions = [tool for tool in tools if tool.get("type", "custom") == "custom"]
    has_searched = any(
        isinstance(message["content"], list) and any(part.get("type") == "tool_result" for part in message["content"])
        for message in body["messages"]
    )
    content: list[Body] = []
    if body.get("thinking"):
        content.append({"type": "thinking", "thinking": "I should look it up.", "signature": "SIGNED"})
    if is_native:
        found = {
            "type": "web_search_result",
            "title": TITLE,
            "url": URL,
            "encrypted_content": "HIDDEN",
            "page_age": "June 1, 2026",
        }
        content += [
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": QUERY}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [found]},
        ]
    stop = "end_turn"
    if functions and (not has_searched or fault == "loop"):
        name = functions[0]["name"]
        call = {"type": "tool_use", "id": f"toolu_{len(body['messages'])}", "name": name, "input": {"query": QUERY}}
        content.append(call)
        stop = "tool_use"
    elif fault == "refuse":
        stop = "refusal"
    else:
        text: Body = {"type": "text", "text": ANSWER}
        if is_native:
            text["citations"] = [
                {
                    "type": "web_search_result_location",
                    "url": URL,
                    "title": TITLE,
                    "encrypted_index": "HIDDEN",
                    "cited_text": QUOTE,
                }
            ]
        content.append(text)
    usage = {
        "input_tokens": 60,
        "output_tokens": 20,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 40,
    }
    return {
        "id": f"msg_{len(body['messages'])}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }


def _anthropic_stream(message: Body) -> str:
    def event(kind: str, **values: object) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n"

    text = event("message_start", message={**message, "content": [], "stop_reason": None})
    for number, block in enumerate(message["content"]):
        start, deltas = dict(block), list[Body]()
        if block["type"] == "text":
            start["text"] = ""
            start.pop("citations", None)
            deltas = [{"type": "text_delta", "text": block["text"]}]
            deltas += [{"type": "citations_delta", "citation": each} for each in block.get("citations", [])]
        elif block["type"] == "thinking":
            start.update(thinking="", signature="")
            deltas = [
                {"type": "thinking_delta", "thinking": block["thinking"]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        elif "input" in block:
            start["input"] = {}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
        text += event("content_block_start", index=number, content_block=start)
        text += "".join(event("content_block_delta", index=number, delta=delta) for delta in deltas)
        text += event("content_block_stop", index=number)
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return text + event("message_delta", delta=end, usage=message["usage"]) + event("message_stop")


# -- Gemini --------------------------------------------------------------------------------------------------


def _gemini_error(status: int, words: str) -> Body:
    names = {401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL"}
    return {"error": {"code": status, "message": words, "status": names.get(status, "INVALID_ARGUMENT")}}


def _gemini(body: Body, fault: str) -> Body:
    tools = body.get("tools") or []
    is_native = any("googleSearch" in tool or "google_search" in tool for tool in tools)
    functions = [each for tool in tools for each in tool.get("functionDeclarations") or []]
    has_searched = any("functionResponse" in part for content in body["contents"] for part in content["parts"])
    usage = {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 40,
        "candidatesTokenCount": 10,
        "thoughtsTokenCount": 10,
        "totalTokenCount": 120,
    }
    whole = {"usageMetadata": usage, "modelVersion": "fake", "responseId": "r1"}
    if fault == "refuse":
        return {**whole, "candidates": [], "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    thought = {"text": "I should look it up.", "thought": True}
    candidate: Body = {"finishReason": "STOP", "index": 0}
    if functions and (not has_searched or fault == "loop"):
        call = {"functionCall": {"name": functions[0]["name"], "args": {"query": QUERY}}, "thoughtSignature": "U0lH"}
        candidate["content"] = {"role": "model", "parts": [thought, call]}
    else:
        candidate["content"] = {"role": "model", "parts": [thought, {"text": ANSWER}]}
    if is_native:
        # Billed as input, and in no other count.
        usage["toolUsePromptTokenCount"] = 30
        candidate["groundingMetadata"] = {
            "webSearchQueries": [QUERY, "autumn speakers 2026"],
            "groundingChunks": [{"web": {"uri": URL, "title": TITLE}}],
            "groundingSupports": [
                {"segment": {"startIndex": 0, "endIndex": len(ANSWER), "text": ANSWER}, "groundingChunkIndices": [0]}
            ],
            "searchEntryPoint": {"renderedContent": "<div></div>"},
        }
    return {**whole, "candidates": [candidate]}
