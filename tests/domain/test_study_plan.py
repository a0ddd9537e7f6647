"""Planned intervals come from assumed errors and the frame; the right values are those of the published tables."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from btc_gui.domain.estimate import Estimate
from btc_gui.domain.packet import Mode
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study_plan import Plan, fitted, plan, usual_errors, usual_repeats
from tests.study_builders import make_design


def planned(errors: Mapping[str, int], accepted: int = 500, rejected: int = 9500, repeats: int = 0) -> Plan:
    design = make_design(100, 100, assumed_errors=errors, repeats=repeats)
    return plan(design, {"accepted": accepted, "rejected": rejected}, {"accepted": 100, "rejected": 100})


def figure(found: Plan, name: str, scope: str = "in the benchmark") -> Estimate:
    return next(f.estimate for f in found.figures if (f.name, f.scope) == (name, scope))


def test_each_stratum_has_the_exact_interval_and_the_sizes_that_limits_take() -> None:
    """99 of 100 gives 0.9455 to 0.9998; with one error 110 labels reach 0.95, 184 reach 0.97, 555 reach 0.99."""
    accepted, rejected = planned({"accepted": 1, "rejected": 0}).strata
    assert accepted.agreement.interval == pytest.approx((0.9455, 0.9998), abs=1e-4)
    assert accepted.needed == {0.95: 110, 0.97: 184, 0.98: 277, 0.99: 555}
    assert rejected.agreement.interval == pytest.approx((0.9638, 1.0), abs=5e-5)
    assert rejected.needed[0.95] == 72


def test_figures_of_the_benchmark_follow_the_shares_of_the_frame() -> None:
    """One error among the rejected, share accepted 0.05: accuracy .0595, agreement .9905, Se .840, kappa .908."""
    found = planned({"accepted": 0, "rejected": 1})
    assert figure(found, "Corrected accuracy").value == pytest.approx(0.0595)
    assert figure(found, "Sensitivity", "correct answers that the judge accepts").value == pytest.approx(
        0.840, abs=5e-4
    )
    assert figure(found, "Kappa").value == pytest.approx(0.908, abs=5e-4)
    agreement = figure(found, "Agreement")
    assert agreement.value == pytest.approx(0.9905)
    assert agreement.interval is not None
    assert 0 <= agreement.interval[0] < 0.9905 < agreement.interval[1] <= 1
    assert figure(found, "Agreement", "of the stratified sample").interval == pytest.approx((0.9722, 0.9991), abs=5e-5)


def test_strata_of_other_labels_give_their_weighted_agreement() -> None:
    kind = study_kind("failure_mode")
    strata = kind.presets[0].strata
    design = make_design(kind="failure_mode", strata=strata, mode=Mode.ASSISTED, assumed_errors={"indirect": 4})
    frame = {"reasoning": 100, "explicit": 100, "indirect": 600, "none": 200}
    found = plan(design, frame, dict.fromkeys(frame, 40))
    # One assumed error in each of the others: 0.1·39/40 + 0.1·39/40 + 0.6·36/40 + 0.2·39/40.
    assert figure(found, "Agreement").value == pytest.approx(0.93)
    assert [f.name for f in found.figures] == ["Agreement", "Agreement"]


def test_twenty_repeats_without_a_change_bound_consistency_at_084() -> None:
    assert planned({}, repeats=20).repeats.interval == pytest.approx((0.839, 1.0), abs=5e-4)
    assert planned({}).repeats.value is None


def test_without_an_assumption_one_label_in_a_hundred_is_off() -> None:
    assert [usual_errors(n) for n in (0, 1, 40, 100, 101)] == [0, 1, 1, 1, 2]
    assert [s.errors for s in planned({"accepted": 3}).strata] == [3, 1]


def test_nothing_drawn_plans_nothing() -> None:
    found = plan(make_design(4, 4), {}, {})
    assert found.figures == ()
    assert found.strata[0].agreement.reason == "no labels"


def test_a_part_of_the_frame_without_labels_leaves_the_benchmark_undefined() -> None:
    """Never the figure of the other strata under the benchmark's name; a stratum that is empty changes nothing."""
    judge = plan(make_design(4, 0), {"accepted": 9, "rejected": 5}, {"accepted": 4})
    assert figure(judge, "Agreement").reason == "undefined: no labels in the stratum rejected"
    kind = study_kind("failure_mode")
    design = make_design(kind="failure_mode", strata=kind.strata(8), mode=Mode.ASSISTED)
    modes = plan(design, {"reasoning": 9, "none": 5}, {"reasoning": 2})
    assert figure(modes, "Agreement").reason == "undefined: no labels in the stratum none"
    assert figure(plan(design, {"reasoning": 9}, {"reasoning": 2}), "Agreement").value == 0.5


def test_usual_repeats_are_a_tenth_and_at_least_twenty_of_a_large_sample() -> None:
    assert [usual_repeats(n) for n in (0, 3, 8, 60, 80, 160, 200, 400)] == [0, 0, 2, 15, 20, 20, 20, 40]


def test_small_strata_are_taken_whole_and_the_others_share_what_they_leave() -> None:
    strata = tuple(Stratum(name, 40, {"label": name}) for name in "abcd")
    sizes = {s.name: s.size for s in fitted(strata, {"a": 10, "b": 500, "c": 300, "d": 25}, "s")}
    assert (sizes["a"], sizes["d"]) == (10, 25)
    assert sizes["b"] + sizes["c"] == 125
    assert abs(sizes["b"] - sizes["c"]) == 1
    assert sum(s.size for s in fitted(strata, {"a": 1}, "s")) == 1
