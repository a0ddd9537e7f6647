"""Search what an annotator could reach for what is hidden from them: a leak is a hidden word in a channel.

A channel is a place (a packet's bytes, a log, a window's tool tips) that is read as pieces of text or bytes. The
scanner knows the hidden words of a study; it does not know what a channel is, so that any channel can be searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt

#: Shorter words are too common in bytes that are no text.
_SHORTEST_IN_BYTES = 3
#: Words up to this length count in bytes only where they stand alone.
_SHORT = 6
#: An order that is further from chance (in standard deviations; two-sided p < 0.001) tells something.
RUNS_LIMIT = 3.29


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hidden word and what it is (model, judge label, answer id…). `is_telling`: it says something wherever it
    stands, also in a text that is shown; a common word like a label does so only outside of it."""

    what: str
    text: str
    is_telling: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a channel. `shown` are the texts within it that may be seen: words are counted against them."""

    channel: str
    where: str
    content: str | bytes
    shown: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Leak:
    """Something hidden that can be reached: in which channel, what it is, which word, where."""

    channel: str
    what: str
    text: str
    where: str


def find_leaks(pieces: Iterable[Piece], hidden: Sequence[Hidden], *, only_telling: bool = False) -> list[Leak]:
    """Every hidden word that stands in a piece more often than the texts in it that may be seen account for.

    `only_telling` leaves common words (labels, efforts) out: for texts that are written to be read.
    """
    words = [(word, word.text.casefold()) for word in hidden if word.text and (word.is_telling or not only_telling)]
    return [leak for piece in pieces for leak in _leaks_of(piece, words)]


def _leaks_of(piece: Piece, words: Sequence[tuple[Hidden, str]]) -> Iterator[Leak]:
    # Texts that touch each other must not make a word between them.
    shown = "\n".join(piece.shown)
    found: _Text | _Bytes
    allowed: _Text | _Bytes
    if isinstance(piece.content, bytes):
        found, allowed = _Bytes(piece.content), _Bytes(shown.encode("utf-8", "replace"))
    else:
        found, allowed = _Text(piece.content), _Text(shown)
    for word, folded in words:
        count = found.count(folded)
        if count and count > allowed.count(folded):
            yield Leak(piece.channel, word.what, word.text, piece.where)


class _Text:
    """A text in which words are counted that stand alone."""

    def __init__(self, text: str) -> None:
        self._folded = text.casefold()

    def count(self, word: str) -> int:
        """How often the word, in lower case, stands there as a word of its own."""
        return len(_alone(word).findall(self._folded)) if word in self._folded else 0


class _Bytes:
    """Bytes in which words are counted as UTF-8 and UTF-16. Neighbouring fields of a file touch each other, so a long
    word counts wherever it stands."""

    def __init__(self, content: bytes) -> None:
        self._lower = content.lower()
        # Letters of ASCII in UTF-16 alternate with zeros: only such runs are searched for them, which are few.
        self._runs = {
            "utf-16-le": b"\xff".join(re.findall(rb"(?:[^\0]\0){%d,}" % _SHORTEST_IN_BYTES, self._lower)),
            "utf-16-be": b"\xff".join(re.findall(rb"(?:\0[^\0]){%d,}" % _SHORTEST_IN_BYTES, self._lower)),
        }

    def count(self, word: str) -> int:
        """How often the word, in lower case, stands there."""
        if len(word) < _SHORTEST_IN_BYTES:
            return 0
        needle = word.encode("utf-8", "replace")
        if needle not in self._lower:
            count = 0
        elif len(word) < _SHORT:
            count = len(re.findall(rb"(?<![0-9a-z])" + re.escape(needle) + rb"(?![0-9a-z])", self._lower))
        else:
            count = self._lower.count(needle)
        for encoding, runs in self._runs.items():
            count += (runs if word.isascii() else self._lower).count(word.encode(encoding, "replace").lower())
        return count


@lru_cache(maxsize=1024)
def _alone(word: str) -> re.Pattern[str]:
    # An underscore is no letter here: in `label_correct` the word stands alone.
    return re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])")


def runs_deviation(labels: Sequence[str]) -> float | None:
    """How far the number of runs of equal labels is from chance, in standard deviations; None without two classes.

    Negative: equal labels stand together. Wald–Wolfowitz for any number of classes (mean and variance of the number
    of runs over all orders of these labels).
    """
    sizes = [labels.count(label) for label in set(labels)]
    n = len(labels)
    if len(sizes) < 2 or n < 3:
        return None
    squares, cubes = sum(size**2 for size in sizes), sum(size**3 for size in sizes)
    runs = 1 + sum(1 for one, other in pairwise(labels) if one != other)
    mean = n + 1 - squares / n
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    return (runs - mean) / sqrt(variance) if variance > 0 else None
