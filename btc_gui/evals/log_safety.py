"""What could bring the engine down when it reads a log: looked for before it does, on this machine's files only."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import BinaryIO

#: The engine holds a part of an archive in memory whole, and what is made of it many times over.
LARGEST_PART = 400_000_000
#: Parts are JSON, which shrinks to a tenth or so: what shrank a hundredfold was made to fill memories.
_MOST_SHRUNK = 100
_ALWAYS_FINE = 1_000_000_000
#: Together the samples of one request may have so much; larger ones are read one by one.
LARGEST_REQUEST = 200_000_000
#: Looking takes a tenth of the time of reading: what can't become this large is not looked at.
_WORTH_A_LOOK = LARGEST_PART
_ZSTD = 93
#: How much smaller a text can become: by format, 258 bytes in two bits, and 128 KB in four bytes.
_SHRUNK_AT_MOST = {zipfile.ZIP_DEFLATED: 1_032, _ZSTD: 33_000}
_CHUNK = 4_000_000
_DIGITS = 4_300
#: The reader of JSON ends the whole process at a number with more digits than Python reads.
_ENDLESS = re.compile(rb"[:\[,]\s*-?\d{%d}" % _DIGITS)


def why_unsafe(path: Path) -> str:
    """Why this file must not be given to the engine; empty when nothing is against it. Raises `OSError`."""
    return _unsafe_archive(path) if path.suffix == ".eval" else _unsafe_json(path)


def _unsafe_json(path: Path) -> str:
    size = path.stat().st_size
    if size > LARGEST_PART:
        return f"it is one JSON value of {size / 1e6:,.0f} MB, too large to be read whole: convert it to .eval"
    with path.open("rb") as file:
        before = b""
        while chunk := file.read(_CHUNK):
            if _ENDLESS.search(before + chunk):
                return "a number in it has thousands of digits"
            before = chunk[-_DIGITS - 10 :]
    return ""


def _unsafe_archive(path: Path) -> str:
    try:
        parts = _parts(str(path), path.stat().st_size, path.stat().st_mtime_ns)
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, ValueError, EOFError):
        # Damaged ones are for the engine, which says how.
        return ""
    largest = max(parts.values(), key=lambda part: part.file_size, default=None)
    if largest is not None and largest.file_size > LARGEST_PART:
        return f"a part of it has {largest.file_size / 1e6:,.0f} MB once unpacked, more than any sample"
    whole = sum(part.file_size for part in parts.values())
    if whole > max(_ALWAYS_FINE, _MOST_SHRUNK * path.stat().st_size):
        return f"its {path.stat().st_size / 1e6:,.1f} MB become {whole / 1e6:,.0f} MB once unpacked, which no log does"
    places = sorted((part.header_offset, part.compress_size) for part in parts.values())
    if any(start + size > after for (start, size), (after, _) in pairwise(places)):
        return "its parts lie over each other, as no program writes them"
    lying = next((part for part in parts.values() if _is_lying(path, part)), None)
    return f"its part {lying.filename[:60]} is larger than it says" if lying is not None else ""


def _is_lying(path: Path, part: zipfile.ZipInfo) -> bool:
    """Whether a part that is small by its own word could fill the memory, and does."""
    if part.compress_size > LARGEST_PART:
        return True
    if part.compress_size * _SHRUNK_AT_MOST.get(part.compress_type, 0) <= _WORTH_A_LOOK:
        return False
    unpacked = _unpacked if part.compress_type == zipfile.ZIP_DEFLATED else _unpacked_zstd
    with path.open("rb") as file:
        file.seek(part.header_offset + 26)
        lengths = file.read(4)
        file.seek(int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), 1)
        sizes = accumulate(map(len, unpacked(_pieces(file, part.compress_size))))
        return any(size > part.file_size for size in sizes)


def _pieces(file: BinaryIO, left: int) -> Iterator[bytes]:
    while left > 0 and (piece := file.read(min(left, _CHUNK))):
        left -= len(piece)
        yield piece


def _unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    unpacking = zlib.decompressobj(-15)
    with suppress(zlib.error):
        for piece in pieces:
            while piece:
                yield unpacking.decompress(piece, _CHUNK)
                piece = unpacking.unconsumed_tail


def _unpacked_zstd(pieces: Iterator[bytes]) -> Iterator[bytes]:
    # The engine's, and loaded by it alone.
    import zstandard

    unpacking = zstandard.ZstdDecompressor().stream_reader(b"".join(pieces), read_across_frames=True)
    with suppress(zstandard.ZstdError):
        yield from iter(lambda: unpacking.read(_CHUNK), b"")


@lru_cache(maxsize=4)
def _parts(path: str, _size: int, _time: int) -> dict[str, zipfile.ZipInfo]:
    with zipfile.ZipFile(path) as archive:
        return {part.filename: part for part in archive.infolist()}


def is_much(path: Path, samples: Sequence[tuple[str | int, int]]) -> bool:
    """Whether these samples (id and epoch) are too much to be read at once."""
    try:
        parts = _parts(str(path), path.stat().st_size, path.stat().st_mtime_ns)
    except (OSError, zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, ValueError, EOFError):
        return False
    found = (parts.get(f"samples/{number}_epoch_{epoch}.json") for number, epoch in samples)
    return sum(part.file_size for part in found if part is not None) > LARGEST_REQUEST
