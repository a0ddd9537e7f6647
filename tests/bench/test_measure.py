"""What a bench says about its goals must be true: a miss is never printed as met, nor a goal without a floor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.measure import Measure, load, percentile, save, table


@pytest.mark.parametrize(
    ("measure", "is_met"),
    [
        (Measure("m", 99.0, "ms", most=100), True),
        (Measure("m", 101.0, "ms", most=100), False),
        (Measure("m", 30.0, "ms", 10.0, most_ratio=3.0), True),
        (Measure("m", 31.0, "ms", 10.0, most_ratio=3.0), False),
        (Measure("m", 8.0, "a second", 10.0, least_ratio=0.8), True),
        (Measure("m", 7.9, "a second", 10.0, least_ratio=0.8), False),
        (Measure("m", 55.0, "ms", 5.0, most_over=50), True),
        (Measure("m", 56.0, "ms", 5.0, most_over=50), False),
        # Both parts of a goal count.
        (Measure("m", 340.0, "MB", 200.0, most=350, most_ratio=1.2), False),
        # A goal beside a floor that is missing is neither met nor missed; nor is what has no goal.
        (Measure("m", 1.0, "ms", most_ratio=3.0), None),
        (Measure("m", 1.0, "ms", 1.0), None),
    ],
)
def test_a_goal_is_met_exactly_up_to_its_limit(measure: Measure, is_met: bool | None) -> None:
    assert measure.is_met is is_met


def test_the_table_tells_growth_ratio_goal_and_every_floor_once() -> None:
    floor = "bare SQLite"
    large = [
        Measure("first", 400.0, "ms", 100.0, floor, most=100, work=50.0),
        Measure("second", 2.0, "s", 1.0, floor, most_ratio=3.0),
    ]
    small = [Measure("first", 40.0, "ms", 10.0, floor)]

    lines = table(large, small).splitlines()

    assert lines[0].split() == ["measure", "value", "tenth", "growth", "work", "floor", "ratio", "goal", "met"]
    assert lines[1].split() == [
        "first",
        "400",
        "ms",
        "40.0",
        "10.0",
        "×",
        "50.0",
        "100",
        "4.00",
        "×",
        "≤",
        "100",
        "ms",
        "NO",
    ]
    assert lines[2].split() == ["second", "2.00", "s", "1.00", "2.00", "×", "≤", "3", "×", "floor", "yes"]
    assert lines[-1] == "  bare SQLite: first; second"


def test_measures_come_back_from_json_as_they_were(tmp_path: Path) -> None:
    measures = [Measure("two 1 MB trajectories", 88.5, "ms", 40.0, "two bare widgets", most=100, work=60.0)]
    save(measures, tmp_path / "measures.json")
    assert load(tmp_path / "measures.json") == measures


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([5.0, 1.0, 3.0, 2.0, 4.0], 0.5) == 3.0
    assert percentile([1.0, 2.0], 0.99) == 2.0
