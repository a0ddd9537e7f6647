"""What changed between two wordings, word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from btc_gui.records import dataclass

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
#: Longer texts are compared as a whole: the comparison is quadratic in the number of words.
_MOST_WORDS = 4_000
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+\s*|\n+|\Z)")
#: So many words between two changes are part of the change.
_ISLAND = 2


class Change(StrEnum):
    """What happened to a piece of text."""

    KEPT = "kept"
    ADDED = "added"
    REMOVED = "removed"
    FOLDED = "folded"


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
    return _compared(before, after)


def diff_answers(old: str, new: str) -> list[Piece]:
    """Two answers compared so that one can read it: by words; very long ones by sentences, and words within those.

    A word or two that both happen to have between changes belong to the change.
    """
    if len(_WORD.findall(old)) + len(_WORD.findall(new)) <= 2 * _MOST_WORDS:
        return _without_islands(diff_words(old, new))
    pieces: list[Piece] = []
    removed = ""
    for piece in [*_compared(_SENTENCE.findall(old), _SENTENCE.findall(new)), Piece(Change.KEPT, "")]:
        if piece.change is Change.REMOVED:
            removed = piece.text
            continue
        pieces += diff_words(removed, piece.text if piece.change is Change.ADDED else "")
        removed = ""
        if piece.change is Change.KEPT and piece.text:
            pieces.append(piece)
    return _without_islands(pieces)


def _without_islands(pieces: Sequence[Piece]) -> list[Piece]:
    found: list[Piece] = []
    old = new = ""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].change is piece.change:
            joined[-1] = Piece(piece.change, joined[-1].text + piece.text)
        else:
            joined.append(piece)
    pieces = joined
    for number, piece in enumerate(pieces):
        is_inside = 0 < number < len(pieces) - 1
        is_island = is_inside and piece.change is Change.KEPT and len(re.findall(r"\w+", piece.text)) <= _ISLAND
        if piece.change is Change.KEPT and not is_island:
            found += [Piece(Change.REMOVED, old), Piece(Change.ADDED, new), piece]
            old = new = ""
            continue
        old += piece.text if piece.change is not Change.ADDED else ""
        new += piece.text if piece.change is not Change.REMOVED else ""
    found += [Piece(Change.REMOVED, old), Piece(Change.ADDED, new)]
    return [piece for piece in found if piece.text]


def folded(pieces: Sequence[Piece], around: int = 80) -> list[Piece]:
    """The pieces with what is the same left out, but for some characters around each change.

    In its place stands a piece that is `FOLDED` and says how much it was.
    """
    found: list[Piece] = []
    for number, piece in enumerate(pieces):
        head = 0 if number == 0 else around
        tail = 0 if number == len(pieces) - 1 else around
        left_out = len(piece.text) - head - tail
        if piece.change is not Change.KEPT or left_out <= around:
            found.append(piece)
            continue
        parts = piece.text[:head], piece.text[len(piece.text) - tail :]
        found += [
            Piece(Change.KEPT, parts[0]),
            Piece(Change.FOLDED, f"⋯ {left_out:,} characters the same ⋯"),
            Piece(Change.KEPT, parts[1]),
        ]
    return [piece for piece in found if piece.text]


def _compared(before: Sequence[str], after: Sequence[str]) -> list[Piece]:
    # Few wordings have two versions, and the first page shows one.
    from difflib import SequenceMatcher

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
