"""What changed between two wordings, word by word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
#: Longer texts are compared as a whole: the comparison is quadratic in the number of words.
_MOST_WORDS = 4_000


class Change(StrEnum):
    """What happened to a piece of text."""

    KEPT = "kept"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text and what happened to it."""

    change: Change
    text: str


def diff_words(old: str, new: str) -> list[Piece]:
    """The pieces of both texts in reading order. Kept and added ones give `new`, kept and removed ones `old`."""
    if old == new:
        return [Piece(Change.KEPT, new)] if new else []
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > _MOST_WORDS:
        return [piece for piece in (Piece(Change.REMOVED, old), Piece(Change.ADDED, new)) if piece.text]
    pieces: list[Piece] = []
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece(Change.KEPT, "".join(before[i:j])))
            continue
        if j > i:
            pieces.append(Piece(Change.REMOVED, "".join(before[i:j])))
        if m > k:
            pieces.append(Piece(Change.ADDED, "".join(after[k:m])))
    return pieces
