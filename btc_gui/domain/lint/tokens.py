"""A probe's text cut into words, with the way back to where they stand in the original."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from btc_gui.domain.folding import Folded, fold_accents

_WORD = re.compile(r"[^\W_]+")
#: What ends a sentence, so that the next word is written large anyway.
_STOP = re.compile(r"(?:^|[.!?:;…\n•–—]|\A)[\s\"'()\[\]*#>-]*\Z")
_SENTENCE = re.compile(r"[^.!?…\n]+(?:[.!?…]+[\"')]*|\n|\Z)")
_DOTTED = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Rev|St|Jr|Sr|No|vs|e\.g|i\.e)\.\Z")


class Token(NamedTuple):
    """A word at `[start:stop]` of the folded text. `lower` is without case; `begins` says it begins a sentence."""

    start: int
    stop: int
    raw: str
    lower: str
    begins: bool

    @property
    def is_capital(self) -> bool:
        """Whether its first letter is a capital."""
        return self.raw[0].isupper()


class Text:
    """A text for the rules: folded (no accents, straight quotes), its words and sentences found once."""

    def __init__(self, original: str) -> None:
        self.original = original
        self._folded: Folded | None = None if original.isascii() else fold_accents(original)
        self.plain = original if self._folded is None else self._folded.text

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """The words in order."""
        found = []
        last = 0
        for match in _WORD.finditer(self.plain):
            start, stop = match.span()
            raw = match.group()
            begins = raw[0].isupper() and self._begins(last, start)
            found.append(Token(start, stop, raw, raw.casefold(), begins))
            last = stop
        return found

    def _begins(self, last: int, start: int) -> bool:
        gap = self.plain[last:start]
        if last == 0 and not gap.strip("\"'( \n\t*-"):
            return True
        if gap == " " or not _STOP.search(gap):
            return False
        return not (gap.startswith(".") and _DOTTED.search(self.plain[max(0, last - 4) : last + 1]))

    @cached_property
    def sentences(self) -> Sequence[tuple[int, int]]:
        """Where the sentences are, closing marks included."""
        return [match.span() for match in _SENTENCE.finditer(self.plain) if match.group().strip()]

    @cached_property
    def has_capitals(self) -> bool:
        """Whether capitals tell anything: no text in small letters only, none in capitals only."""
        large = sum(map(str.isupper, self.plain))
        return 0 < large < 0.6 * sum(map(str.isalpha, self.plain))

    def gap(self, left: Token, right: Token) -> str:
        """What stands between two words."""
        return self.plain[left.stop : right.start]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The offsets in the original of a non-empty part of the folded text."""
        return (start, stop) if self._folded is None else self._folded.span(start, stop)
