"""A loopback server that sends whatever bytes it is told to, heads of HTTP included, and hangs up."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@dataclass
class RawReplies:
    """`given` is what everybody gets who asks, `asked` how often somebody did; `address` has no path."""

    address: str
    given: bytes = b""
    asked: int = 0

    def give(self, body: bytes, head: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n") -> None:
        """Send this from now on, with the right length."""
        self.given = head + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body


@contextmanager
def raw_replies() -> Iterator[RawReplies]:
    """The server, going until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = RawReplies(f"http://127.0.0.1:{listening.getsockname()[1]}")

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                # Who is refused hangs up in the middle: that is its right.
                with connection, suppress(OSError):
                    connection.settimeout(10)
                    _receive(connection)
                    server.asked += 1
                    connection.sendall(server.given)
                    connection.shutdown(socket.SHUT_WR)
                    # All that came must have been read, or the reply may be lost.
                    while connection.recv(65_536):
                        pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def _receive(connection: socket.socket) -> None:
    """Read a request to its end."""
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(65_536)
        if not part:
            return
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    missing = int(length[1]) - len(body) if length else 0
    while missing > 0 and (part := connection.recv(65_536)):
        missing -= len(part)
