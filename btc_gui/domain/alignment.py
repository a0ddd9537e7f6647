"""Sequences side by side: which entry of one stands next to which of the others, in order, with gaps.

The alignment of Needleman and Wunsch (1970): it maximises the sum of similarities, where a gap is worth less
than a good pair and more than a poor one. More than two are aligned one after the other, each with the rows so far,
as Feng and Doolittle (1987) do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from btc_gui.domain.folding import search_key
from btc_gui.domain.trajectory import Step, StepKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.int64]

#: What an entry without a partner is worth. Two entries are paired when they are more alike than two gaps.
GAP = 0.25

#: Scores are counted in billionths, so that equally good alignments are seen to be equal.
UNIT = 1_000_000_000
#: The score of two entries that never stand side by side.
NEVER = -1
# Steps other than queries are paired when they are of one kind: just better than leaving both alone.
_SAME_KIND = 2 * GAP + 0.05
#: Longer sequences are aligned in parts of so many entries: time and memory grow with the product of the lengths.
LONGEST = 2_500


def similarity(left: str, right: str) -> float:
    """How alike two queries are, 0 to 1: by their words in any order, without case and accents."""
    return fuzz.token_sort_ratio(search_key(left), search_key(right)) / 100


def align(left: Sequence[str], right: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Align two sequences of queries: pairs of indices, None for a gap; each index once, both in order."""
    return align_scores(_similarities([search_key(text) for text in left], [search_key(text) for text in right]))


def align_steps(lanes: Sequence[Sequence[Step]]) -> list[tuple[Step | None, ...]]:
    """The rows in which the steps of some trajectories stand side by side; None where one has no such step.

    Queries are paired by what they ask, whichever tool they are sent to; the answers meet; other steps are paired
    when they are of one kind. Each further trajectory is aligned with the rows so far, where a row is as alike to a
    step as its own steps are on average.
    """
    rows: list[tuple[Step | None, ...]] = [(step,) for step in lanes[0]] if lanes else []
    for number, lane in enumerate(lanes[1:], start=1):
        pairs: list[tuple[int | None, int | None]] = []
        for start in range(0, max(len(rows), len(lane)), LONGEST):
            part, steps = rows[start : start + LONGEST], lane[start : start + LONGEST]
            found = align_scores(_scores(part, steps))
            pairs += [(None if i is None else i + start, None if j is None else j + start) for i, j in found]
        gaps = (None,) * number
        rows = [(*(gaps if i is None else rows[i]), None if j is None else lane[j]) for i, j in pairs]
    return rows


def _similarities(left: Sequence[str], right: Sequence[str]) -> Scores:
    import numpy as np

    if not left or not right:
        return np.zeros((len(left), len(right)), dtype=np.int64)
    found = process.cdist(left, right, scorer=fuzz.token_sort_ratio, dtype=np.float64)
    scores: Scores = np.rint(found * (UNIT // 100)).astype(np.int64)
    return scores


def _scores(rows: Sequence[tuple[Step | None, ...]], steps: Sequence[Step]) -> Scores:
    """How alike each row is to each step."""
    import numpy as np

    total = np.zeros((len(rows), len(steps)), dtype=np.int64)
    members = np.zeros((len(rows), 1), dtype=np.int64)
    for lane in range(len(rows[0]) if rows else 0):
        present = [number for number, row in enumerate(rows) if row[lane] is not None]
        own = [step for row in rows if (step := row[lane]) is not None]
        total[present] += _scores_of(own, steps)
        members[present] += 1
    average = total // np.maximum(members, 1)
    # The steps of one row are of one kind: what stands beside one of them may stand beside all.
    return np.where(total < 0, NEVER, average)


def _scores_of(left: Sequence[Step], right: Sequence[Step]) -> Scores:
    import numpy as np

    kinds: dict[tuple[str, str], int] = {}
    codes = [np.array([kinds.setdefault(_kind(s), len(kinds)) for s in side], dtype=np.int64) for side in (left, right)]
    scores = np.where(codes[0][:, None] == codes[1][None, :], round(_SAME_KIND * UNIT), NEVER)
    for kind in (StepKind.ANSWER, StepKind.QUERY):
        places = [[number for number, step in enumerate(side) if step.kind is kind] for side in (left, right)]
        if kind is StepKind.ANSWER:
            scores[np.ix_(*places)] = UNIT
        else:
            keys = [[search_key(side[n].text) for n in own] for side, own in zip((left, right), places, strict=True)]
            scores[np.ix_(*places)] = _similarities(*keys)
    return scores


def _kind(step: Step) -> tuple[str, str]:
    """Only steps of one kind stand side by side; tool calls must be of one tool."""
    return step.kind.value, step.tool if step.kind is StepKind.TOOL else ""


def align_scores(scores: Scores, gap: float = GAP) -> list[tuple[int | None, int | None]]:
    """Align by a table of similarities in billionths (`NEVER` for two that never stand side by side).

    Where several alignments are equally good, pairs come before gaps, and a gap on the right before one on the left.
    """
    import numpy as np

    rows, columns = scores.shape
    step = round(gap * UNIT)
    behind = np.arange(columns, -1, -1, dtype=np.int64) * step
    best = np.empty((rows + 1, columns + 1), dtype=np.int64)
    best[rows] = behind
    for i in range(rows - 1, -1, -1):
        value = best[i + 1] + step
        paired = np.where(scores[i] >= 0, best[i + 1][1:] + scores[i], 0)
        np.maximum(value[:-1], paired, out=value[:-1])
        # Any number of gaps on the left may come first: the best of all that follow, less the gaps counted twice.
        best[i] = np.maximum.accumulate((value - behind)[::-1])[::-1] + behind
    return _walk(best, scores, step)


def _walk(best: Scores, scores: Scores, gap: int) -> list[tuple[int | None, int | None]]:
    rows, columns = scores.shape
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < rows or j < columns:
        score = scores[i, j] if i < rows and j < columns else NEVER
        if score >= 0 and best[i, j] == best[i + 1, j + 1] + score:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif j == columns or (i < rows and best[i, j] == best[i + 1, j] + gap):
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return pairs
