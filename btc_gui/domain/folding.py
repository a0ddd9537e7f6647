"""Texts made comparable (accents, case, quotes, spaces), with the way back to the original offsets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from btc_gui.records import dataclass

_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"'))
#: Marks that are not seen and that copies of a text lose or gain: soft hyphen, zero-width characters, BOM.
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
# Letters that no decomposition takes apart, though people write them plainly.
_STROKES = str.maketrans("øØłŁđĐıħĦŧŦ", "oOlLdDihHtT") | str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe"}
)
_PLAINLY = {chr(code): plain if isinstance(plain, str) else chr(plain) for code, plain in (_STROKES | _QUOTES).items()}
_WRITTEN_PLAINLY = re.compile(f"[{''.join(_PLAINLY)}]")
# Runs of ASCII, up to where a combining mark could belong to the last character: taken whole, which is most of
# what makes folding fast.
_ASCII = re.compile(r"[\x00-\x7f]+(?=[\x00-\x7f]|\Z)")
_ASCII_WORD = re.compile(r"[!-~]+(?=[\x00-\x7f]|\Z)")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; character `i` of it came from `original[starts[i]:stops[i]]`."""

    text: str
    starts: Sequence[int]
    stops: Sequence[int]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The offsets in the original of a non-empty part of the folded text."""
        return self.starts[start], self.stops[stop - 1]


def _pieces(text: str, whole: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The text in order as offsets: what matches `whole` in one piece, all else character by character.

    A character takes the combining marks behind it along.
    """
    place = 0
    for word in whole.finditer(text):
        yield from _clusters(text, place, word.start())
        yield word.span()
        place = word.end()
    yield from _clusters(text, place, len(text))


def _clusters(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    for index in range(start + 1, stop):
        if not unicodedata.combining(text[index]):
            yield start, index
            start = index
    if start < stop:
        yield start, stop


class _Folding:
    """A folded text as it is being written."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.stops: list[int] = []

    def add(self, plain: str, start: int, stop: int) -> None:
        """Write `plain`, which stands for `original[start:stop]`: letter by letter where the lengths are equal."""
        self.parts.append(plain)
        if len(plain) == stop - start:
            self.starts.extend(range(start, stop))
            self.stops.extend(range(start + 1, stop + 1))
        else:
            self.starts.extend([start] * len(plain))
            self.stops.extend([stop] * len(plain))

    def done(self) -> Folded:
        """The folded text."""
        return Folded("".join(self.parts), self.starts, self.stops)


def without_accents(text: str) -> str:
    """The text without accents and strokes, compatibility forms written plainly; case is kept."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).translate(_STROKES)


def latin_key(text: str) -> str:
    """Only the plain Latin letters and other ASCII of a text, without case: a quick look whether a word may be in it.

    What is in the text is in its key; what is in the key may not be in the text.
    """
    if not text.isascii():
        # Replacing the few that there are is twenty times faster than translating each character.
        plain = _WRITTEN_PLAINLY.sub(_plainly, unicodedata.normalize("NFKD", text))
        text = plain.encode("ascii", "ignore").decode("ascii")
    return text.casefold().replace("`", "'")


def _plainly(found: re.Match[str]) -> str:
    return _PLAINLY[found.group()]


def plain_key(text: str) -> str:
    """The text without case, accents and unseen marks."""
    if text.isascii():
        return text.casefold().replace("`", "'")
    return _WRITTEN_PLAINLY.sub(_plainly, _unseen().sub("", unicodedata.normalize("NFKD", text))).casefold()


@cache
def _unseen() -> re.Pattern[str]:
    """Combining and invisible marks. All combining ones stand in the first two planes.

    Those of the second plane stand apart: in one set with them, each character is compared with all of them in turn.
    """
    marks = [chr(code) for code in range(0x20000) if unicodedata.combining(chr(code))]
    first = "".join([*(mark for mark in marks if mark <= "\uffff"), *sorted(_INVISIBLE)])
    second = "".join(mark for mark in marks if mark > "\uffff")
    return re.compile(f"[{first}]|(?=[\U00010000-\U0001ffff])[{second}]")


def fold_accents(text: str) -> Folded:
    """The text without accents and with straight quotes; case is kept."""
    if text.isascii():
        return Folded(text.translate(_QUOTES), range(len(text)), range(1, len(text) + 1))
    folding = _Folding()
    place = 0
    for word in _ASCII.finditer(text):
        _fold_stretch(folding, text, place, word.start())
        folding.add(word.group().translate(_QUOTES), word.start(), word.end())
        place = word.end()
    _fold_stretch(folding, text, place, len(text))
    return folding.done()


def _fold_stretch(folding: _Folding, text: str, start: int, stop: int) -> None:
    """Fold what lies between plain parts: character by character, its combining marks with each."""
    stretch = text[start:stop]
    plain = stretch.translate(_PLAIN_LETTERS)
    if len(plain) == len(stretch):
        # Each is one character again: one piece, as most of a text is.
        folding.add(plain, start, stop)
    elif _unseen().search(stretch):
        for begin, end in _clusters(text, start, stop):
            if text[begin:end] not in _INVISIBLE:
                folding.add(_plain(text[begin:end]), begin, end)
    else:
        # Some are several, such as each syllable of Korean.
        each_plain = [_plain(character) for character in stretch]
        folding.parts.append("".join(each_plain))
        starts = [number for number, each in enumerate(each_plain, start) for _ in each]
        folding.starts.extend(starts)
        folding.stops.extend([number + 1 for number in starts])


@lru_cache(maxsize=20_000)
def _plain(cluster: str) -> str:
    return (without_accents(cluster) or cluster).translate(_QUOTES)


class _PlainLetters(dict[int, str]):
    """What each character is plainly, for `str.translate`, each looked up once. Marks that are not seen or belong to
    the character before them make a text longer, so that it shows that there is one."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        is_mark = unicodedata.combining(character) or character in _INVISIBLE
        plain = self[code] = "  " if is_mark else _plain(character)
        return plain


_PLAIN_LETTERS = _PlainLetters()


def fold_spaces(text: str) -> Folded:
    """The text with each run of white space as one space, none at its ends, straight quotes, composed accents."""
    folding = _Folding()
    space: tuple[int, int] | None = None
    for start, stop in _pieces(text, _ASCII_WORD):
        piece = text[start:stop]
        if piece in _INVISIBLE:
            continue
        plain = piece if piece.isascii() else unicodedata.normalize("NFC", piece)
        if plain.isspace():
            space = space or (start, stop)
            continue
        if space is not None and folding.parts:
            folding.add(" ", *space)
        space = None
        folding.add(plain.translate(_QUOTES), start, stop)
    return folding.done()


def search_key(text: str) -> str:
    """What two texts have in common for a search: without case, accents and differences in white space."""
    return " ".join(without_accents(text).casefold().translate(_QUOTES).split())
