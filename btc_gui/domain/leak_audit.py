"""Search what an annotator could reach for what is hidden from them: a leak is a hidden word in a channel.

A channel is a place (a packet's bytes, a log, a window's tool tips) that is read as pieces of text or bytes. The
scanner knows the hidden words of a study; it does not know what a channel is, so that any channel can be searched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from math import sqrt

from btc_gui.domain.word_filter import WordFilter

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


class LeakSearch:
    """Searches channels for the hidden words of a study. Make it once: the words are prepared for the search."""

    def __init__(self, hidden: Sequence[Hidden]) -> None:
        self._words = [(word, word.text.casefold()) for word in hidden if word.text]
        self._texts = WordFilter(_utf_8(folded) for _, folded in self._words)
        self._forms = {folded: _forms(folded) for _, folded in self._words}
        self._bytes = WordFilter(form for forms in self._forms.values() for form in forms)
        self._longest = max((len(form) for forms in self._forms.values() for form in forms), default=0)

    def leaks(self, pieces: Iterable[Piece], *, only_telling: bool = False) -> list[Leak]:
        """Every hidden word that stands in a piece more often than the texts in it that may be seen account for.

        `only_telling` leaves common words (labels, efforts) out: for texts that are written to be read.
        """
        words = [(word, folded) for word, folded in self._words if word.is_telling or not only_telling]
        return [leak for piece in pieces for leak in self._leaks_of(piece, words)]

    def leaks_in_file(
        self, channel: str, where: str, parts: Iterable[bytes], shown: Callable[[], Iterable[str]] = tuple
    ) -> list[Leak]:
        """The same for bytes that come part by part, as of a file that is larger than the memory.

        `shown` gives the texts that may be seen, also one by one; it is asked only where something was found.
        """
        found = self._count_bytes(parts)
        if found:
            allowed: Counter[str] = Counter()
            for text in shown():
                allowed += self._count_bytes([text.encode("utf-8", "replace")])
            found = Counter({word: count for word, count in found.items() if count > allowed[word]})
        return _as_leaks(channel, where, found, self._words)

    def _leaks_of(self, piece: Piece, words: Sequence[tuple[Hidden, str]]) -> list[Leak]:
        if isinstance(piece.content, bytes):
            return self.leaks_in_file(piece.channel, piece.where, [piece.content], lambda: piece.shown)
        found = self._count_words(piece.content)
        if found:
            # Texts that touch each other must not make a word between them.
            allowed = self._count_words("\n".join(piece.shown))
            found = Counter({word: count for word, count in found.items() if count > allowed[word]})
        return _as_leaks(piece.channel, piece.where, found, words)

    def _count_words(self, text: str) -> Counter[str]:
        """How often each word stands in a text as a word of its own."""
        folded = text.casefold()
        present = self._texts.present(_utf_8(folded))
        words = (word.decode("utf-8", "surrogatepass") for word in present)
        return +Counter({word: len(_alone(word).findall(folded)) for word in words})

    def _count_bytes(self, parts: Iterable[bytes]) -> Counter[str]:
        """How often each word stands in bytes as UTF-8 or UTF-16.

        Neighbouring fields of a file touch each other, so a long word counts wherever it stands, a short one of
        UTF-8 only by itself.
        """
        found: Counter[str] = Counter()
        held, start = b"", 0
        for part in chain(parts, (None,)):
            held += part.lower() if part is not None else b""
            # A word that may go on in the next part is counted there, and so is one whose end touches it.
            stop = len(held) if part is None else max(start, len(held) - self._longest)
            present = self._bytes.present(held)
            for word, forms in self._forms.items() if present else ():
                found[word] += sum(_begins(held, form, start, stop) for form in forms if form in present)
            held, start = held[max(0, stop - 1) :], min(1, stop)
        return +found


def _as_leaks(channel: str, where: str, found: Counter[str], words: Sequence[tuple[Hidden, str]]) -> list[Leak]:
    return [Leak(channel, word.what, word.text, where) for word, folded in words if folded in found] if found else []


def _forms(word: str) -> tuple[bytes, ...]:
    """A word, in lower case, as the bytes that a file may hold it in."""
    if len(word) < _SHORTEST_IN_BYTES:
        return ()
    return tuple(word.encode(encoding, "replace").lower() for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def _utf_8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _begins(content: bytes, form: bytes, start: int, stop: int) -> int:
    """How often a form begins from `start` up to `stop`; a short one of UTF-8 only where it stands alone."""
    if len(form) < _SHORT:
        pattern = re.compile(rb"(?<![0-9a-z])" + re.escape(form) + rb"(?![0-9a-z])")
        return sum(1 for match in pattern.finditer(content, start) if match.start() < stop)
    return content.count(form, start, stop + len(form) - 1)


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
