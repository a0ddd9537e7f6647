"""Long texts as they are shown: the beginning, and the neighbourhood of every passage that matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.outline import TextPlace

#: So many characters stand around a passage, so that it can be read.
AROUND = 240
#: What lies between two pieces and is shorter than this is shown, too: a mark of something left out is as long.
_WORTH_LEAVING_OUT = 80


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text and the place of its first character there."""

    start: int
    text: str

    @property
    def stop(self) -> int:
        """The place behind its last character."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class LongText:
    """A text of `length` characters, of which the `pieces` are at hand, in order and apart from each other; the first
    one is its beginning. `place` says where the whole is; None where nothing is missing."""

    pieces: tuple[Piece, ...]
    length: int
    place: TextPlace | None = None

    @property
    def beginning(self) -> str:
        """The first piece."""
        return self.pieces[0].text if self.pieces else ""


def long_text(text: str) -> LongText:
    """A text that is at hand whole."""
    return LongText((Piece(0, text),), len(text))


def excerpted(text: str, passages: Sequence[tuple[int, int]], first: int, start: int = 0) -> tuple[Piece, ...]:
    """The first characters of a text, and what is around each passage (its start and stop) further on.

    `start` is the place of the text itself in a longer one, in which passages and pieces are counted.
    """
    stop = start + len(text)
    wanted = [(start, min(start + first, stop))] if first else []
    wanted += [(max(a - AROUND, start), min(b + AROUND, stop)) for a, b in sorted(passages) if start <= a < b <= stop]
    pieces: list[tuple[int, int]] = []
    for begin, end in wanted:
        if pieces and begin <= pieces[-1][1] + _WORTH_LEAVING_OUT:
            pieces[-1] = pieces[-1][0], max(pieces[-1][1], end)
        else:
            pieces.append((begin, end))
    if pieces and stop - pieces[-1][1] <= _WORTH_LEAVING_OUT:
        pieces[-1] = pieces[-1][0], stop
    return tuple(Piece(begin, text[begin - start : end - start]) for begin, end in pieces)
