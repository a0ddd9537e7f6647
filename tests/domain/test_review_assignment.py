"""Sharing probes out: everybody gets as many, the shared ones are the same, and nothing comes twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.probe import ProbeId
from btc_gui.domain.review_assignment import plan_assignment
from btc_gui.errors import InputError


def _probes(number: int) -> list[ProbeId]:
    return [ProbeId(i) for i in range(1, number + 1)]


def test_two_curators_with_a_fifth_in_common() -> None:
    """200 each with an overlap of 0.2 take 40 + 2 × 160 probes."""
    plan = plan_assignment(_probes(1_000), ["ann", "bob"], 200, 0.2)
    assert (plan.each, len(plan.shared), plan.probes) == (200, 40, 360)
    ann, bob = plan.by_reviewer["ann"], plan.by_reviewer["bob"]
    assert set(ann) & set(bob) == set(plan.shared)
    assert set(ann) | set(bob) == set(_probes(360))
    assert list(ann) == sorted(ann)
    # Spread over the whole order: as many in its first half as in the second.
    assert sum(probe <= 180 for probe in plan.shared) == 20


def test_too_few_probes_shrink_every_part() -> None:
    """Ten probes for two curators who were to get 200 each: both get as many, and the plan says that it is fewer."""
    plan = plan_assignment(_probes(10), ["ann", "bob"], 200, 0.5)
    assert plan.probes <= 10
    assert plan.each < plan.wanted
    assert len({len(own) for own in plan.by_reviewer.values()}) == 1


@given(st.integers(1, 200), st.integers(1, 4), st.integers(1, 60), st.floats(0, 1))
def test_every_plan_is_fair(number: int, curators: int, each: int, overlap: float) -> None:
    """Nobody gets a probe twice, all get as many, and what two have in common is shared by all."""
    names = [f"c{i}" for i in range(curators)]
    plan = plan_assignment(_probes(number), names, each, overlap)
    own = list(plan.by_reviewer.values())
    assert all(len(set(probes)) == len(probes) for probes in own)
    if plan.probes < number or plan.each == each:
        assert max(map(len, own)) - min(map(len, own)) <= 1
    if curators > 1:
        assert set(own[0]) & set(own[1]) == set(plan.shared)


@pytest.mark.parametrize(
    ("names", "each", "overlap"),
    [([], 5, 0), (["a", "a"], 5, 0), (["a"], 0, 0), (["a", "b"], 5, 1.5), (["", "b"], 5, 0)],
)
def test_impossible_assignments_are_refused(names: list[str], each: int, overlap: float) -> None:
    """A sentence instead of a strange plan."""
    with pytest.raises(InputError):
        plan_assignment(_probes(10), names, each, overlap)
