"""Practice before labelling: invented items with known answers, told right or wrong after each, until the mark is
reached.

Practice labels are a log of their own, in the order in which they were given, and are never analysed. A round is
every practice item once; who misses the mark begins another round.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.packet import ItemId


@dataclass(frozen=True, slots=True)
class PracticeLabel:
    """One label given to a practice item; `at` is the annotator's clock, the order is that of `sequence`."""

    sequence: int
    item: ItemId
    label: str
    answers: str = ""
    active_seconds: float = 0.0
    at: str = ""


@dataclass(frozen=True, slots=True)
class PracticeRound:
    """One round: how many of its labels are the known ones, of how many given. `needed` of all reach the mark."""

    right: int
    given: int
    items: int
    needed: int

    @staticmethod
    def needed_of(items: int, mark: float) -> int:
        """How many right labels of so many items reach a mark."""
        # 0.7 of 10 is 7, though floats make it a little more.
        return math.ceil(mark * items - 1e-9)

    @property
    def is_over(self) -> bool:
        """Whether every item was labelled."""
        return self.given == self.items

    @property
    def is_passed(self) -> bool:
        """Whether the round is over and reached the mark."""
        return self.is_over and self.right >= self.needed


def practice_rounds(known: Mapping[ItemId, str], labels: Sequence[PracticeLabel], mark: float) -> list[PracticeRound]:
    """The rounds of a log, oldest first; the last one may not be over. `known` are the right labels by item.

    `mark` is the share of right labels that ends the practice. Labels of items without a known one are left out.
    """
    rows = [row for row in labels if row.item in known]
    size = len(known)
    needed = PracticeRound.needed_of(size, mark)
    return [
        PracticeRound(sum(row.label == known[row.item] for row in part), len(part), size, needed)
        for part in (rows[start : start + size] for start in range(0, len(rows), max(size, 1)))
    ]


def open_items(known: Mapping[ItemId, str], labels: Sequence[PracticeLabel], mark: float) -> list[ItemId]:
    """The items that are left of the present round, in their order; none once the mark is reached."""
    rounds = practice_rounds(known, labels, mark)
    if any(each.is_passed for each in rounds):
        return []
    rows = [row.item for row in labels if row.item in known]
    begun = len(rows) % len(known) if known else 0
    given = set(rows[len(rows) - begun :])
    return [item for item in known if item not in given]
