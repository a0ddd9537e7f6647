"""A loopback server of a web service with the faults that such services really have.

`give_faults` makes the next requests meet them, one each, in order; without any it answers. The wording of the
faults follows the bug reports of clients of the query service (time-outs, throttling, bans).
"""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Asked:
    """One request: its path, headers (lower case) and form."""

    path: str
    headers: Mapping[str, str]
    form: Mapping[str, str]
    began: float = 0.0


@dataclass(frozen=True)
class Given:
    """One reply. `cut` ends the connection after so many bytes; `silent` never answers (or, with `cut`,
    nothing more after these)."""

    body: str = ""
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    silent: bool = False


_STACK = (
    "SPARQL-QUERY: queryStr=SELECT …\njava.util.concurrent.TimeoutException\n"
    "\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)\n"
    "\tat com.bigdata.rdf.sail.webapp.BigdataServlet.submitApiTask(BigdataServlet.java:292)\n"
)


def _cut(good: Given) -> Given:
    """Status 200, JSON that breaks off inside a string, and the trace of the time-out after it."""
    return Given(good.body[: int(len(good.body) * 0.7)] + '{"person":{"type":"uri","value":"' + _STACK, 200)


def _in_an_hour() -> datetime:
    return datetime.now(UTC) + timedelta(hours=1)


#: What may go wrong, by name: from the reply that would have been given.
FAULTS: dict[str, Callable[[Given], Given]] = {
    "cut": lambda good: Given(_cut(good).body, 200, good.content_type),
    "short": lambda good: Given(good.body[: len(good.body) // 2], 200, good.content_type),
    "prose": lambda _: Given(
        "Please set a user-agent and respect our robot policy https://w.wiki/4wJS.", 200, "text/plain"
    ),
    "page": lambda _: Given("<html><body>Our servers are under maintenance.</body></html>", 200, "text/html"),
    "limited": lambda _: Given("", 429, "text/html", {"Retry-After": "7"}),
    "limited-date": lambda _: Given(
        "", 429, "text/html", {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)}
    ),
    "limited-zero": lambda _: Given("Error 429 Too Many Requests - Please retry in 0 seconds.", 429, "text/html"),
    "limited-text": lambda _: Given("Error 429 Too Many Requests - Please retry in 9 seconds.", 429, "text/html"),
    "ban": lambda _: Given(
        f"You have been banned until {_in_an_hour().isoformat(timespec='seconds').replace('+00:00', 'Z')}, "
        "please respect throttling and retry-after headers.",
        403,
        "text/plain",
    ),
    "forbidden": lambda _: Given("Forbidden: set a proper User-Agent.", 403, "text/plain"),
    "overloaded": lambda _: Given("Service is overloaded, please try again later", 503, "text/plain"),
    "gateway": lambda _: Given("Bad gateway", 502, "text/html"),
    "gateway-timeout": lambda _: Given("Gateway time-out", 504, "text/html"),
    "gateway-out-of-time": lambda _: Given("504 Gateway Timeout", 504, "text/html"),
    "broken": lambda _: Given("Internal Server Error", 500, "text/plain"),
    "out-of-time": lambda _: Given(_STACK, 500, "text/plain"),
    "qlever-out-of-time": lambda _: Given(
        json.dumps({"exception": "Operation timed out. Cancelled due to timeout.", "status": "ERROR"}), 429
    ),
    "malformed": lambda _: Given(
        'org.openrdf.query.MalformedQueryException: Encountered " <VAR1> "?x " at line 3', 400, "text/plain"
    ),
    "dropped": lambda good: Given(good.body, 200, good.content_type, cut=len(good.body) // 3),
    "silent": lambda _: Given(silent=True),
    "stalls": lambda good: Given(good.body, 200, good.content_type, cut=len(good.body) // 3, silent=True),
    "other-columns": lambda _: Given(
        json.dumps({"head": {"vars": ["x"]}, "results": {"bindings": []}}), 200, "application/sparql-results+json"
    ),
    "maxlag": lambda _: Given(
        json.dumps({"error": {"code": "maxlag", "info": "Waiting for a server: 7 seconds lagged"}}),
        headers={"Retry-After": "5"},
    ),
    "api-failed": lambda _: Given(
        json.dumps({"error": {"code": "internal_api_error_X", "info": "Caught exception of type X."}})
    ),
    "ratelimited": lambda _: Given(
        json.dumps({"error": {"code": "ratelimited", "info": "You've exceeded your rate limit."}})
    ),
}
#: For `--help` of the servers that are started by hand.
FAULTS_HELP = (
    f"FAULT is one of: {', '.join(['ok', *FAULTS])}. While it serves, “curl ADDRESS/fault/NAME” lets the next request "
    "meet one."
)


class FaultyServer:
    """Answers by `answer`, meets the faults it was given, keeps what it was asked. Use it in a `with` block."""

    def __init__(self, answer: Callable[[Asked], Given], port: int = 0) -> None:
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._answer = answer
        self._faults: deque[str] = deque()
        self._at_once = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def give_faults(self, *names: str) -> None:
        """Let the next requests meet these faults (keys of `FAULTS`); `ok` answers one as usual."""
        unknown = set(names) - set(FAULTS) - {"ok"}
        if unknown:
            raise ValueError(f"unknown faults: {', '.join(sorted(unknown))}")
        with self._lock:
            self._faults.extend(names)

    def forget(self) -> None:
        """Forget what was asked and the faults still to come."""
        with self._lock:
            self.asked.clear()
            self._faults.clear()

    @property
    def address(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply_to(self, asked: Asked) -> Given:
        """The reply, or the fault whose turn it is."""
        with self._lock:
            self.asked.append(asked)
            fault = self._faults.popleft() if self._faults else "ok"
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            agent = asked.headers.get("user-agent", "")
            if len(agent) < 5 or agent.startswith("python-requests"):
                return FAULTS["forbidden"](Given())
            good = self._answer(asked)
            return FAULTS[fault](good) if fault != "ok" else good
        finally:
            with self._lock:
                self._at_once -= 1

    def wait_for_the_end(self) -> None:
        """Hold a request until the server closes."""
        self._closing.wait(120)

    def __enter__(self) -> FaultyServer:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve(self, name: str, help_text: str) -> None:
        """Serve until Ctrl+C, for a demonstration; `GET /fault/NAME` makes the next request meet a fault."""
        with self:
            print(f"{name} at {self.address}\n{help_text}\nFaults: {', '.join(FAULTS)}")
            print(f"  curl {self.address}/fault/limited      (the next request meets it)", flush=True)
            try:
                while True:
                    time.sleep(3_600)
            except KeyboardInterrupt:
                print("stopped")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body are two packets: without this each reply waits 40 ms for an acknowledgement.
    disable_nagle_algorithm = True
    faulty: FaultyServer

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: tests read `asked`."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path.startswith("/fault/"):
            try:
                self.faulty.give_faults(*path.removeprefix("/fault/").split(","))
                self._send(Given("as you wish\n", content_type="text/plain"))
            except ValueError as error:
                self._send(Given(f"{error}\n", 400, "text/plain"))
            return
        form = {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()}
        self._reply(form)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        self._reply({name: values[-1] for name, values in parse_qs(raw).items()})

    def _reply(self, form: Mapping[str, str]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        given = self.faulty.reply_to(Asked(urlsplit(self.path).path, headers, form, time.monotonic()))
        if not given.silent or given.cut is not None:
            self._send(given)
        if given.silent:
            self.faulty.wait_for_the_end()
            self.close_connection = True

    def _send(self, given: Given) -> None:
        content = given.body.encode()
        packed = "gzip" in (self.headers.get("accept-encoding") or "") and given.cut is None and len(content) > 500
        if packed:
            content = gzip.compress(content, 1)
        try:
            self.send_response(given.status)
            self.send_header("Content-Type", given.content_type)
            self.send_header("Content-Length", str(len(content)))
            if packed:
                self.send_header("Content-Encoding", "gzip")
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content if given.cut is None else content[: given.cut])
        except OSError:
            return  # The client has gone: some tests are about that.
        if given.cut is not None:
            self.close_connection = True


def _handler(server: FaultyServer) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"faulty": server})
