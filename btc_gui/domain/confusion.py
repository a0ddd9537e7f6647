"""The confusion matrix, in one orientation everywhere: rows = judge or classifier, columns = human."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from btc_gui.errors import InputError

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"


@dataclass(frozen=True, slots=True)
class ConfusionMatrix:
    """Counts of pairs of labels over a declared list of classes.

    `counts[i][j]`: the judge (or classifier) says class i and the human class j. `left_out` counts, by reason, the
    pairs that are in no cell; they are never dropped unseen. `classes` is the declared list, used or not, because
    some statistics depend on it.
    """

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    rows_name: str = "judge"
    columns_name: str = "human"
    left_out: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        size = len(self.classes)
        if len(set(self.classes)) != size:
            raise InputError(f"A class is named twice: {', '.join(self.classes)}.")
        if len(self.counts) != size or any(len(row) != size for row in self.counts):
            raise InputError(f"The matrix must have {size} rows and columns, one for each class.")
        if any(count < 0 for row in self.counts for count in row):
            raise InputError("A count can't be negative.")

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[tuple[str | None, str | None]],
        classes: Sequence[str],
        *,
        rows_name: str = "judge",
        columns_name: str = "human",
        unsure: Sequence[str] = (),
        broken: Sequence[str] = (),
    ) -> Self:
        """Count (judge, human) pairs. Labels are compared by value.

        None and blank labels are missing answers, labels in `unsure` abstentions, those in `broken` say that the item
        can't be labelled; these and labels that are no class are left out and counted under their reason.
        """
        place = {name: index for index, name in enumerate(classes)}
        counts = [[0] * len(classes) for _ in classes]
        left_out: Counter[str] = Counter()
        for judge, human in pairs:
            reason = _reason(judge, human, place, {"unsure": unsure, "broken item": broken}, (rows_name, columns_name))
            if reason is None:
                counts[place[str(judge)]][place[str(human)]] += 1
            else:
                left_out[reason] += 1
        return cls(tuple(classes), tuple(map(tuple, counts)), rows_name, columns_name, dict(sorted(left_out.items())))

    @property
    def total(self) -> int:
        """How many pairs are in the cells: the denominator of every statistic."""
        return sum(map(sum, self.counts))

    @property
    def left_out_total(self) -> int:
        """How many pairs are in no cell."""
        return sum(self.left_out.values())

    @property
    def agreed(self) -> int:
        """How many pairs are on the diagonal."""
        return sum(self.counts[index][index] for index in range(len(self.classes)))

    @property
    def disagreed(self) -> int:
        """How many pairs are off the diagonal."""
        return self.total - self.agreed

    @property
    def row_totals(self) -> tuple[int, ...]:
        """How often the judge or classifier used each class."""
        return tuple(map(sum, self.counts))

    @property
    def column_totals(self) -> tuple[int, ...]:
        """How often the human used each class."""
        return tuple(map(sum, zip(*self.counts, strict=True)))

    def cell(self, row: str, column: str) -> int:
        """The count of (judge says `row`, human says `column`)."""
        return self.counts[self.classes.index(row)][self.classes.index(column)]

    def merged(self, groups: Mapping[str, Sequence[str]]) -> Self:
        """The matrix with classes joined: `groups` maps each new name to the old classes it holds, in order.

        Raises InputError unless every class is in exactly one group.
        """
        if sorted(name for members in groups.values() for name in members) != sorted(self.classes):
            raise InputError("Every class must be in exactly one group.", f"Classes: {', '.join(self.classes)}.")
        places = [[self.classes.index(name) for name in members] for members in groups.values()]
        counts = tuple(
            tuple(sum(self.counts[i][j] for i in rows for j in columns) for columns in places) for rows in places
        )
        return type(self)(tuple(groups), counts, self.rows_name, self.columns_name, self.left_out)


def is_missing(label: str | None) -> bool:
    """Whether a label is no answer: None, empty, or nothing but spaces and invisible marks."""
    return label is None or not label.strip().strip(_INVISIBLE).strip()


def _reason(
    judge: str | None,
    human: str | None,
    classes: Mapping[str, int],
    aside: Mapping[str, Sequence[str]],
    names: tuple[str, str],
) -> str | None:
    """Why a pair is in no cell; None when it is in one."""
    missing = [name for name, label in zip(names, (judge, human), strict=True) if is_missing(label)]
    if missing:
        return f"no {' and no '.join(missing)} label"
    for reason, labels in aside.items():
        if judge in labels or human in labels:
            return reason
    for name, label in zip(names, (judge, human), strict=True):
        if label not in classes:
            return f"{name} label “{label}” is not a class"
    return None
