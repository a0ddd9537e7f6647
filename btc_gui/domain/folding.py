"""Texts made comparable (accents, case, quotes, spaces), with the way back to the original offsets."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"'))
#: Marks that are not seen and that copies of a text lose or gain: soft hyphen, zero-width characters, BOM.
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
# Letters that no decomposition takes apart, though people write them plainly.
_STROKES = str.maketrans("øØłŁđĐıħĦŧŦ", "oOlLdDihHtT") | str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe"}
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; character `i` of it came from `original[starts[i]:stops[i]]`."""

    text: str
    starts: tuple[int, ...]
    stops: tuple[int, ...]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The offsets in the original of a non-empty part of the folded text."""
        return self.starts[start], self.stops[stop - 1]


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Each character with the combining marks that follow it, as offsets."""
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not unicodedata.combining(text[index]):
            yield start, index
            start = index


def without_accents(text: str) -> str:
    """The text without accents and strokes, compatibility forms written plainly; case is kept."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).translate(_STROKES)


def fold_accents(text: str) -> Folded:
    """The text without accents and with straight quotes; case is kept."""
    return _fold(text, keeps_accents=False)


def fold_spaces(text: str) -> Folded:
    """The text with each run of white space as one space, none at its ends, straight quotes, composed accents."""
    return _fold(text, keeps_accents=True)


def _fold(text: str, *, keeps_accents: bool) -> Folded:
    written: list[str] = []
    starts: list[int] = []
    stops: list[int] = []
    for start, stop in _clusters(text):
        cluster = text[start:stop]
        if cluster in _INVISIBLE:
            continue
        if keeps_accents:
            plain = unicodedata.normalize("NFC", cluster)
            if plain.isspace():
                if not written or written[-1] == " ":
                    continue
                plain = " "
        else:
            plain = without_accents(cluster) or cluster
        plain = plain.translate(_QUOTES)
        written.extend(plain)
        starts.extend([start] * len(plain))
        stops.extend([stop] * len(plain))
    if keeps_accents and written and written[-1] == " ":
        del written[-1], starts[-1], stops[-1]
    return Folded("".join(written), tuple(starts), tuple(stops))


def search_key(text: str) -> str:
    """What two texts have in common for a search: without case, accents and differences in white space."""
    return " ".join(without_accents(text).casefold().translate(_QUOTES).split())
