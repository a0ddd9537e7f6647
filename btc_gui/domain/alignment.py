"""Two sequences side by side: which entry of one stands next to which of the other, in order, with gaps.

The alignment of Needleman and Wunsch (1970): it maximises the sum of similarities, where a gap is worth less
than a good pair and more than a poor one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rapidfuzz import fuzz

from btc_gui.domain.folding import search_key

#: What an entry without a partner is worth. Two entries are paired when they are more alike than two gaps.
GAP = 0.25

Entry = TypeVar("Entry")


def similarity(left: str, right: str) -> float:
    """How alike two queries are, 0 to 1: by their words in any order, without case and accents."""
    return similarity_of_keys(search_key(left), search_key(right))


def similarity_of_keys(left: str, right: str) -> float:
    """The same for texts that are search keys already."""
    return fuzz.token_sort_ratio(left, right) / 100


def align(left: Sequence[str], right: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Align two sequences of queries: pairs of indices, None for a gap; each index once, both in order."""
    keys = [[search_key(text) for text in side] for side in (left, right)]
    return align_by(keys[0], keys[1], similarity_of_keys)


def align_by(
    left: Sequence[Entry], right: Sequence[Entry], alike: Callable[[Entry, Entry], float | None], gap: float = GAP
) -> list[tuple[int | None, int | None]]:
    """Align by any measure of similarity from 0 to 1; None means that two entries never stand side by side.

    Time and memory grow with the product of the lengths. Where several alignments are equally good, pairs come
    before gaps, and a gap on the right before one on the left.
    """
    rows, columns = len(left), len(right)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    scores: list[list[float | None]] = [[None] * columns for _ in range(rows)]
    for i in range(rows - 1, -1, -1):
        best[i][columns] = (rows - i) * gap
    for j in range(columns - 1, -1, -1):
        best[rows][j] = (columns - j) * gap
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            score = scores[i][j] = alike(left[i], right[j])
            apart = max(best[i + 1][j], best[i][j + 1]) + gap
            best[i][j] = apart if score is None else max(apart, best[i + 1][j + 1] + score)
    return _walk(best, scores, gap)


def _walk(
    best: Sequence[Sequence[float]], scores: Sequence[Sequence[float | None]], gap: float
) -> list[tuple[int | None, int | None]]:
    rows, columns = len(best) - 1, len(best[0]) - 1
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < rows or j < columns:
        score = scores[i][j] if i < rows and j < columns else None
        if score is not None and best[i][j] == best[i + 1][j + 1] + score:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif j == columns or (i < rows and best[i][j] == best[i + 1][j] + gap):
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return pairs
