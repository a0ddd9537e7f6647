"""The place in a case that a search found, as a line of text with the words marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from btc_gui.domain.folding import fold_accents, latin_key, plain_key
from btc_gui.domain.search_terms import Term, wanted_words
from btc_gui.domain.search_words import pattern

_BEFORE, _LENGTH = 18, 180
#: So much is looked at in one go: of a text with accents no more than what has the word is folded.
_WINDOW, _OVERLAP = 800, 400

# Controls, halves of characters, and what would turn the direction of the line.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class CaseText:
    """One text of a case: what it is (a field of searches), and the number of its step, if it is one's."""

    field: str
    text: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line around the first place; `marks` are the spans of the words in it."""

    field: str
    text: str
    marks: tuple[tuple[int, int], ...]
    step: int | None = None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Words that stand one behind the other in a field; `parts` are the single ones."""

    field: str
    parts: tuple[str, ...]
    pattern: re.Pattern[str]

    def may_be_in(self, latin: str, text: str) -> bool:
        """A quick look: most texts have none of the words. `latin` is the text's key of plain letters."""
        return all(part in (latin if part.isascii() else plain_key(text)) for part in self.parts)

    def first_in(self, text: str, key: str) -> tuple[int, int] | None:
        """The first place in a text of plain letters, whose key is `key`."""
        if not all(part in key for part in self.parts):
            return None
        place = key.find(self.parts[0])
        while place >= 0:
            if found := self.pattern.match(text, place):
                return found.span()
            place = key.find(self.parts[0], place + 1)
        return None


class SnippetSearch:
    """Looks for the words that a search wants."""

    def __init__(self, term: Term) -> None:
        self._wanted = []
        for words in wanted_words(term):
            compiled = re.compile(pattern(words.units, begins=words.begins), re.IGNORECASE)
            self._wanted.append(_Wanted(words.field, tuple(unit.text for unit in words.units), compiled))

    def looks_at(self, field: str) -> bool:
        """Whether words may be in texts of this field."""
        return any(words.field in ("", field) for words in self._wanted)

    def find(self, texts: Iterable[CaseText]) -> Snippet | None:
        """The first place with one of the words; None when none of the texts has one.

        Texts are taken one after the other, and no further than to the first that has a place.
        """
        for each in texts:
            own = [words for words in self._wanted if words.field in ("", each.field)]
            place = _first(each.text, own) if own else None
            if place is not None:
                return _cut(each, place, [words.pattern for words in own])
        return None


def _windows(text: str) -> Iterator[tuple[int, str]]:
    for start in range(0, len(text), _WINDOW):
        yield start, text[start : start + _WINDOW + _OVERLAP]


def _hits(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, int]]:
    if text.isascii():
        for compiled in patterns:
            for found in compiled.finditer(text):
                yield found.span()
        return
    folded = fold_accents(text)
    for compiled in patterns:
        for found in compiled.finditer(folded.text):
            yield folded.span(*found.span())


def _first(text: str, wanted: Sequence[_Wanted]) -> tuple[int, int] | None:
    if text.isascii():
        key = latin_key(text)
        return min((place for words in wanted if (place := words.first_in(text, key))), default=None)
    for start, part in _windows(text):
        latin = latin_key(part)
        possible = [words.pattern for words in wanted if words.may_be_in(latin, part)]
        if not possible:
            continue
        folded = fold_accents(part)
        # What begins a later piece may be the end of a longer word; if it is none, the piece before has it whole.
        hits = (compiled.search(folded.text, min(start, 1)) for compiled in possible)
        place = min((folded.span(*hit.span()) for hit in hits if hit), default=None)
        if place is not None:
            return start + place[0], start + place[1]
    return None


def _cut(each: CaseText, place: tuple[int, int], patterns: Sequence[re.Pattern[str]]) -> Snippet:
    start = max(0, place[0] - _BEFORE)
    if start:
        # Begin with a whole word, if one begins before the place.
        space = each.text.find(" ", start, place[0])
        start = space + 1 if space >= 0 else start
    stop = max(place[1], start + _LENGTH)
    line = re.sub(r"\s+", " ", _UNSEEN.sub(" ", each.text[start:stop]))
    before, after = "… " if start else "", " …" if stop < len(each.text) else ""
    text = before + line.strip() + after
    return Snippet(each.field, text, tuple(sorted(set(_hits(text, patterns)))), each.step)
