"""A loopback HTTP server that gives prepared replies in order and keeps what it was sent."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Prepared:
    """One reply. `cut` ends the connection after so many bytes of the body; `delay` waits before answering, `silent`
    never answers."""

    body: object = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    cut: int | None = None
    delay: float = 0.0
    silent: bool = False

    @property
    def content(self) -> bytes:
        """The body as sent."""
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True)
class Received:
    """One request; header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any


class HttpReplies:
    """Gives `replies` one after the other, the last one for ever. Use it in a `with` block."""

    def __init__(self, *replies: Prepared, port: int = 0) -> None:
        self.received: list[Received] = []
        self._replies: Sequence[Prepared] = replies
        self._lock = threading.Lock()
        self._closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: tests read `received`."""

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = outer.reply_to(Received(self.path, headers, json.loads(raw or b"null")))
                if outer.closes_within(120 if reply.silent else reply.delay) or reply.silent:
                    self.close_connection = True
                    return
                content = reply.content
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Content-Length", str(len(content)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(content if reply.cut is None else content[: reply.cut])
                except OSError:
                    return  # The client gave up waiting: that is what some tests are about.
                if reply.cut is not None:
                    self.close_connection = True

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def closes_within(self, seconds: float) -> bool:
        """Hold a request; whether the server closes meanwhile."""
        return seconds > 0 and self._closing.wait(seconds)

    def reply_to(self, request: Received) -> Prepared:
        """The reply to a request, which is kept."""
        with self._lock:
            self.received.append(request)
            return self._replies[min(len(self.received), len(self._replies)) - 1]

    def give(self, *replies: Prepared) -> None:
        """From now on give these, and forget what was received."""
        with self._lock:
            self._replies = replies
            self.received.clear()

    @property
    def address(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Nobody:
    """An address at which nobody listens, and nobody else can while the `with` block lasts."""

    def __enter__(self) -> Self:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        return self

    @property
    def address(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._socket.close()
