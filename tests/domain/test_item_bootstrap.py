"""Kappa and alpha with items resampled: right against enumeration by hand, and never an interval without width."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from btc_gui.domain.item_bootstrap import NO_PAIRS, alpha_by_item, kappa_by_item
from btc_gui.domain.raters import CountedUnit, count_units, krippendorff_alpha

#: One process loads the libraries that they ask.
pytestmark = pytest.mark.xdist_group("oracles")

#: The labels (machine, human) of the queries of eight items.
ITEMS = [
    ["aa", "bb"],
    ["ab", "bb", "aa"],
    ["cc"],
    ["ba", "ba"],
    ["cb", "cc", "aa"],
    ["bc"],
    ["ab", "aa"],
    ["ca"],
]
CLASSES = "abc"


def tables() -> list[list[list[int]]]:
    return [
        [[sum(pair == first + second for pair in item) for second in CLASSES] for first in CLASSES] for item in ITEMS
    ]


def units(item: list[str]) -> list[CountedUnit]:
    return count_units([tuple(pair) for pair in item], CLASSES)


def test_kappa_is_that_of_all_labels_together() -> None:
    from sklearn.metrics import cohen_kappa_score

    pairs = [pair for item in ITEMS for pair in item]
    expected = cohen_kappa_score([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    assert kappa_by_item(tables()).value == pytest.approx(expected)


def test_alpha_is_that_of_all_labels_together() -> None:
    assert alpha_by_item([units(item) for item in ITEMS]).value == pytest.approx(
        krippendorff_alpha([unit for item in ITEMS for unit in units(item)])
    )


def test_the_limits_are_the_quantiles_of_all_resamples_of_items() -> None:
    """Five items have 3125 resamples: all of them by hand against 2000 drawn ones."""
    five = [ITEMS[place] for place in (1, 3, 4, 6, 7)]
    everything = []
    for drawn in product(five, repeat=5):
        pairs = [pair for item in drawn for pair in item]
        n = len(pairs)
        chance = sum(sum(p[0] == c for p in pairs) * sum(p[1] == c for p in pairs) for c in CLASSES) / n**2
        everything.append((sum(p[0] == p[1] for p in pairs) / n - chance) / (1 - chance))
    low, high = np.quantile(everything, [0.025, 0.975], method="inverted_cdf")
    interval = kappa_by_item([tables()[place] for place in (1, 3, 4, 6, 7)]).interval
    assert interval is not None
    # About three Monte-Carlo errors of a quantile in the tails.
    assert interval == pytest.approx((low, high), abs=0.06)


def test_few_disagreements_have_a_value_and_a_reason_instead_of_an_interval() -> None:
    item = [[1, 0], [0, 1]]
    for wrong in (0, 1, 2):
        found = kappa_by_item([*[item] * 20, *[[[0, 1], [0, 0]]] * wrong])
        assert found.value is not None
        assert found.interval is None
        assert "exactly 1" in found.reason
        alpha = alpha_by_item([*[[CountedUnit((2, 0)), CountedUnit((0, 2))]] * 20, *[[CountedUnit((1, 1))]] * wrong])
        assert (alpha.interval, bool(alpha.reason)) == (None, True)


def test_nothing_to_compare_is_said() -> None:
    assert kappa_by_item([]).reason == kappa_by_item([[[0, 0], [0, 0]]]).reason == NO_PAIRS
    assert alpha_by_item([[CountedUnit((1, 0))]]).reason == NO_PAIRS
    assert "only one class" in kappa_by_item([[[3, 0], [0, 0]]]).reason
    assert "only one class" in alpha_by_item([[CountedUnit((2, 0))]]).reason
