"""A drawn sample has exactly the size asked for, keeps its floors or refuses, and anybody can repeat it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.sampling import (
    Allocation,
    AllocationRule,
    FrameItem,
    allocate,
    allocate_proportionally,
    draw,
    hash_order,
)
from btc_gui.errors import StudyError

CAPS = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=3), st.integers(0, 40), max_size=12)
FRAMES = st.lists(st.tuples(st.sampled_from("RST"), st.sampled_from("abcd")), max_size=60)
SPREADS = [allocate, allocate_proportionally]


def frame_of(cells: list[tuple[str, str]]) -> list[FrameItem]:
    return [FrameItem(f"item-{n}", stratum, name) for n, (stratum, name) in enumerate(cells)]


@pytest.mark.parametrize("spread", SPREADS)
@given(caps=CAPS, total=st.integers(0, 300), seed=st.text(max_size=4))
def test_an_allocation_gives_what_was_asked_or_reports_exactly_what_is_missing(
    spread: Callable[..., Allocation], caps: dict[str, int], total: int, seed: str
) -> None:
    result = spread(total, caps, seed)
    assert sum(result.counts.values()) + result.shortfall == total
    assert result.shortfall == max(0, total - sum(caps.values()))
    assert all(0 <= result.counts[name] <= cap for name, cap in caps.items())


@pytest.mark.parametrize("spread", SPREADS)
@given(caps=CAPS, total=st.integers(0, 300), floor=st.integers(0, 6))
def test_every_floor_is_kept_or_the_allocation_is_refused(
    spread: Callable[..., Allocation], caps: dict[str, int], total: int, floor: int
) -> None:
    floors = {name: min(floor, cap) for name, cap in caps.items()}
    if sum(floors.values()) > total:
        with pytest.raises(StudyError, match="at least"):
            spread(total, caps, "s", floor=floor)
    else:
        result = spread(total, caps, "s", floor=floor)
        assert all(result.counts[name] >= least for name, least in floors.items())


@pytest.mark.parametrize("spread", SPREADS)
@given(caps=CAPS, total=st.integers(0, 200))
def test_a_larger_allocation_never_takes_anything_back(
    spread: Callable[..., Allocation], caps: dict[str, int], total: int
) -> None:
    small, large = spread(total, caps, "s").counts, spread(total + 1, caps, "s").counts
    assert all(small[name] <= large[name] for name in caps)


@given(caps=CAPS, total=st.integers(0, 200))
def test_equal_allocation_differs_by_at_most_one_among_those_that_are_not_full(
    caps: dict[str, int], total: int
) -> None:
    counts = allocate(total, caps, "s").counts
    opened = [counts[name] for name, cap in caps.items() if counts[name] < cap]
    assert not opened or max(counts.values()) - min(opened) <= 1


def test_proportional_allocation_follows_the_sizes() -> None:
    assert allocate_proportionally(20, {"A": 900, "B": 60, "C": 30, "D": 10}, "s").counts["A"] == 18


@pytest.mark.parametrize("total", [20, 50])
@pytest.mark.parametrize("seed", [str(n) for n in range(50)])
def test_rare_strata_are_never_lost(total: int, seed: str) -> None:
    sizes = {"A": 900, "B": 60, "C": 30, "D": 8, "E": 2}
    counts = allocate_proportionally(total, sizes, seed, floor=1).counts
    assert sum(counts.values()) == total
    assert min(counts.values()) >= 1


@pytest.mark.parametrize("total", [10, 100])
def test_seven_equal_strata_give_the_exact_total(total: int) -> None:
    sizes = dict.fromkeys("ABCDEFG", 100)
    assert sum(allocate_proportionally(total, sizes, "s").counts.values()) == total


def test_the_order_is_that_of_the_hashes_and_does_not_depend_on_the_order_of_the_input() -> None:
    items = [f"é-{n}" for n in range(30)]
    expected = sorted(items, key=lambda item: hashlib.sha256(b"seed\x1f" + item.encode()).hexdigest())
    assert hash_order(reversed(items), "seed") == expected


@given(cells=FRAMES, rule=st.sampled_from(AllocationRule), data=st.data())
def test_a_draw_has_exactly_the_size_asked_for_in_each_stratum(
    cells: list[tuple[str, str]], rule: AllocationRule, data: st.DataObject
) -> None:
    available = Counter(stratum for stratum, _ in cells)
    sizes = {name: data.draw(st.integers(0, count)) for name, count in available.items()}
    drawn = draw(frame_of(cells), sizes, "seed", rule=rule)
    assert {name: size for name, (_, size) in drawn.strata().items()} == sizes
    assert {name: size for name, (size, _) in drawn.strata().items()} == dict(available)
    assert len(set(drawn.order)) == len(drawn.order) == sum(sizes.values())
    assert not drawn.shortfall


@given(cells=FRAMES, rule=st.sampled_from(AllocationRule))
def test_weights_add_up_to_the_frame_that_the_sample_covers(cells: list[tuple[str, str]], rule: AllocationRule) -> None:
    sizes = {name: (count + 1) // 2 for name, count in Counter(stratum for stratum, _ in cells).items()}
    drawn = draw(frame_of(cells), sizes, "seed", rule=rule)
    uncovered = sum(cell.frame_size for cell in drawn.uncovered)
    assert sum(drawn.weights.values()) == pytest.approx(len(cells) - uncovered)


@given(cells=FRAMES, rule=st.sampled_from(AllocationRule))
def test_a_larger_draw_contains_the_smaller(cells: list[tuple[str, str]], rule: AllocationRule) -> None:
    available = Counter(stratum for stratum, _ in cells)
    frame = frame_of(cells)
    smaller = draw(frame, {name: count // 2 for name, count in available.items()}, "s", rule=rule)
    larger = draw(frame, {name: (count + 2) // 2 for name, count in available.items()}, "s", rule=rule)
    assert set(smaller.order) <= set(larger.order)


def test_a_draw_does_not_depend_on_the_order_of_the_frame() -> None:
    frame = frame_of([("R", "a"), ("S", "b")] * 20)
    assert draw(frame, {"R": 7, "S": 3}, "s") == draw(frame[::-1], {"S": 3, "R": 7}, "s")


def test_a_stratum_that_is_too_small_is_refused_by_name() -> None:
    with pytest.raises(StudyError, match="5 items of “R” are wanted, the frame has 2"):
        draw(frame_of([("R", "a"), ("R", "b")]), {"R": 5}, "s")


def test_a_shortfall_that_was_accepted_takes_all_and_is_reported() -> None:
    drawn = draw(frame_of([("R", "a"), ("R", "b")]), {"R": 5}, "s", accept_shortfall=True)
    assert sorted(drawn.order) == ["item-0", "item-1"]
    assert drawn.shortfall == {"R": 3}


def test_a_stratum_without_a_size_is_refused_rather_than_dropped() -> None:
    with pytest.raises(StudyError, match="No sample size was given for S"):
        draw(frame_of([("R", "a"), ("S", "a")]), {"R": 1}, "s")


def test_an_item_that_comes_twice_is_refused() -> None:
    with pytest.raises(StudyError, match="twice"):
        draw([FrameItem("x", "R"), FrameItem("x", "S")], {"R": 1, "S": 1}, "s")


def test_a_configuration_that_gives_nothing_is_named() -> None:
    drawn = draw(frame_of([("R", "a"), ("R", "b"), ("R", "c")]), {"R": 2}, "s")
    assert len(drawn.uncovered) == 1
    assert drawn.uncovered[0].weight is None


def test_items_of_a_pooled_draw_share_one_weight_whatever_their_configuration() -> None:
    drawn = draw(frame_of([("R", "a")] * 9 + [("R", "b")]), {"R": 5}, "s", rule=AllocationRule.POOLED)
    assert set(drawn.weights.values()) == {2.0}


def test_no_configuration_gives_more_than_the_cap() -> None:
    frame = [FrameItem(f"{name}{n}", "s", name) for name, size in (("a", 50), ("b", 4), ("c", 9)) for n in range(size)]
    for rule in (AllocationRule.EQUAL_BY_CONFIGURATION, AllocationRule.PROPORTIONAL):
        drawn = draw(frame, {"s": 18}, "s", rule=rule, cap=7)
        assert {cell.configuration: len(cell.drawn) for cell in drawn.cells} == {"a": 7, "b": 4, "c": 7}
        with pytest.raises(StudyError, match="the frame has 18 with at most 7 from each"):
            draw(frame, {"s": 19}, "s", rule=rule, cap=7)
        assert draw(frame, {"s": 30}, "s", rule=rule, cap=7, accept_shortfall=True).shortfall == {"s": 12}
    with pytest.raises(StudyError, match="no floor or cap"):
        draw(frame, {"s": 3}, "s", rule=AllocationRule.POOLED, cap=1)
