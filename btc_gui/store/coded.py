"""A column of texts as numbers in memory: a byte or so for each row, counted and compared in one go. Brings numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Numbers = NDArray[np.integer[Any]]


class Coded:
    """One value for each case, as the number of its place among the values; values are sorted, "" is the first."""

    def __init__(self, codes: Numbers, values: Sequence[str]) -> None:
        # A byte does for nearly all facets: a case takes little room.
        self.codes = codes.astype(np.uint8 if len(values) < 256 else np.int32)
        self.values = tuple(values)
        self.code_of = {value: code for code, value in enumerate(self.values)}

    @classmethod
    def of(cls, texts: Sequence[str]) -> Coded:
        """From a text for each case."""
        values = sorted({"", *texts})
        code_of = {value: code for code, value in enumerate(values)}
        return cls(np.fromiter((code_of[text] for text in texts), np.int64, len(texts)), values)

    @classmethod
    def by(cls, ids: Numbers, texts: Mapping[int, str]) -> Coded:
        """From the texts of what the cases point to (ids without one: "")."""
        values = sorted({"", *texts.values()})
        code_of = {value: code for code, value in enumerate(values)}
        table = np.zeros(max([0, *texts]) + 1, np.int64)
        for number, text in texts.items():
            table[number] = code_of[text]
        return cls(table[np.where(ids < len(table), ids, 0)], values)

    def with_value(self, mask: Mask, value: str) -> Coded:
        """The same, with `value` where the mask is set."""
        if value not in self.code_of:
            order = sorted({*self.values, value})
            moved = np.array([order.index(each) for each in self.values], np.int64)
            return Coded(moved[self.codes], order).with_value(mask, value)
        return Coded(np.where(mask, self.code_of[value], self.codes), self.values)

    def mask(self, values: Iterable[str]) -> Mask:
        """Which cases have one of these values."""
        chosen = np.zeros(len(self.values), np.bool_)
        for value in values:
            if value in self.code_of:
                chosen[self.code_of[value]] = True
        mask: Mask = chosen[self.codes]
        return mask

    def counts(self, mask: Mask) -> dict[str, int]:
        """How many of the cases in the mask have each value; those that none has, and "", left out."""
        counts = np.bincount(self.codes[mask], minlength=len(self.values))
        return {value: int(n) for value, n in zip(self.values, counts, strict=True) if n and value}

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The values that at least one case has."""
        counts = np.bincount(self.codes, minlength=len(self.values))
        return tuple(value for value, count in zip(self.values, counts, strict=True) if count)

    @property
    def ranks(self) -> Numbers:
        """The order of the cases by this value, capitals or not."""
        lowered = [value.lower() for value in self.values]
        rank_of = {text: rank for rank, text in enumerate(sorted(set(lowered)))}
        ranks: Numbers = np.array([rank_of[text] for text in lowered], np.int64)[self.codes]
        return ranks
