"""A limit for the replies of model providers and search services: their SDKs read one whole, however long it is.

A few kilobytes can unpack into gigabytes. The SDKs have no setting for it, and make clients as they like; what all of
them read by is `Response.iter_bytes` of httpx or httpx2 (the engine's client for Gemini: what aiohttp receives), and
there the limit stands. The client for Grok has a limit of its own: by its SDK's options, no message of gRPC is longer
than 20 MB.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Final, Protocol

from btc_gui.errors import ModelError

#: No answer with all its search results comes near it.
LARGEST_REPLY: Final = 32_000_000
#: httpx unpacks what it has received at once: 1 KB becomes 33 MB at most (zstd, 4 bytes for 128 KB).
_PIECE: Final = 1_024
_IS_LIMITED: Final = "_btc_is_limited"


class ReplyTooLargeError(ModelError):
    """A service sent what would fill the memory."""

    def __init__(self, why: str = f"larger than {LARGEST_REPLY / 1e6:.0f} MB once unpacked") -> None:
        super().__init__(
            f"The reply is {why}, as none of a model is: it was not read.", "Check the address of the service."
        )


def limit_replies() -> None:
    """Let no reply that is read by httpx, httpx2 or aiohttp in this process become larger than `LARGEST_REPLY`.

    Reading one then raises `ReplyTooLargeError`, which SDKs may wrap. Of aiohttp, which logs on other machines are read
    by as well, replies to POST only. May be called again.
    """
    for name, limit in (("httpx", _limit_httpx), ("httpx2", _limit_httpx), ("aiohttp", _limit_aiohttp)):
        with suppress(ImportError):
            library = importlib.import_module(name)
            if not hasattr(library, _IS_LIMITED):
                setattr(library, _IS_LIMITED, True)
                limit(library)


# -- httpx, httpx2 ---------------------------------------------------------------------------------------------------


class _Stream(Protocol):
    """The part of a library's streams that is used here; each has one half of it."""

    def __iter__(self) -> Iterator[bytes]: ...
    def __aiter__(self) -> AsyncIterator[bytes]: ...
    def close(self) -> None: ...
    async def aclose(self) -> None: ...


class _Response(Protocol):
    headers: Mapping[str, str]
    is_stream_consumed: bool
    stream: _Stream

    def close(self) -> None: ...
    async def aclose(self) -> None: ...


def _limit_httpx(library: ModuleType) -> None:
    iter_bytes, aiter_bytes = library.Response.iter_bytes, library.Response.aiter_bytes
    prepare = _unpacking_in_pieces(library)

    @functools.wraps(iter_bytes)
    def limited(response: _Response, chunk_size: int | None = None) -> Iterator[bytes]:
        prepare(response)
        whole = 0
        for part in iter_bytes(response, chunk_size):
            whole += len(part)
            if whole > LARGEST_REPLY:
                response.close()
                raise ReplyTooLargeError
            yield part

    @functools.wraps(aiter_bytes)
    async def alimited(response: _Response, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        prepare(response)
        whole = 0
        async for part in aiter_bytes(response, chunk_size):
            whole += len(part)
            if whole > LARGEST_REPLY:
                await response.aclose()
                raise ReplyTooLargeError
            yield part

    library.Response.iter_bytes, library.Response.aiter_bytes = limited, alimited


def _unpacking_in_pieces(library: ModuleType) -> Callable[[_Response], None]:
    """What lets a packed reply be unpacked in small pieces, and refuses one that is packed more than once."""

    class Pieces(library.SyncByteStream, library.AsyncByteStream):  # type: ignore[name-defined, misc]
        def __init__(self, whole: _Stream) -> None:
            self._whole = whole

        def __iter__(self) -> Iterator[bytes]:
            for part in self._whole:
                yield from _cut(part)

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for part in self._whole:
                for piece in _cut(part):
                    yield piece

        def close(self) -> None:
            self._whole.close()

        async def aclose(self) -> None:
            await self._whole.aclose()

    def prepare(response: _Response) -> None:
        packing = response.headers.get("content-encoding", "")
        if "," in packing:
            raise ReplyTooLargeError("packed several times over")
        if packing and not response.is_stream_consumed and not isinstance(response.stream, Pieces):
            response.stream = Pieces(response.stream)

    return prepare


def _cut(part: bytes) -> Iterator[bytes]:
    return (part[start : start + _PIECE] for start in range(0, len(part), _PIECE))


# -- aiohttp ---------------------------------------------------------------------------------------------------------


class _Content(Protocol):
    async def readany(self) -> bytes: ...


class _AioResponse(Protocol):
    method: str
    content: _Content


def _limit_aiohttp(library: ModuleType) -> None:
    start = library.ClientResponse.start

    @functools.wraps(start)
    async def limited(response: _AioResponse, connection: object) -> _AioResponse:
        started: Awaitable[_AioResponse] = start(response, connection)
        await started
        if response.method == "POST":
            response.content = _LimitedContent(response.content)
        return response

    library.ClientResponse.start = limited


class _LimitedContent:
    """What aiohttp receives, up to the limit; it unpacks in pieces by itself."""

    def __init__(self, content: _Content) -> None:
        self._content = content
        self._whole = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._content, name)

    async def readany(self) -> bytes:
        part = await self._content.readany()
        self._whole += len(part)
        if self._whole > LARGEST_REPLY:
            raise ReplyTooLargeError
        return part

    async def iter_any(self) -> AsyncIterator[bytes]:
        while part := await self.readany():
            yield part

    async def read(self) -> bytes:
        return b"".join([part async for part in self.iter_any()])
