"""Corrected accuracies: per pool by design, per configuration a reach, and why there is none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from btc_gui.domain.agreement_report import Statistic
from btc_gui.domain.event_bootstrap import cluster_gap
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.judge_correction import (
    NO_STUDY,
    Correction,
    Corrections,
    clustered_gap,
    clustered_share,
    corrected_gaps,
    corrected_modes,
    corrected_pools,
    corrections,
)
from btc_gui.domain.judge_design import JudgeDesign, two_strata
from btc_gui.domain.packet import Layer
from btc_gui.domain.study import StudyId
from btc_gui.domain.study_report import StudyReport, build_report
from tests.domain.test_study_report import agree, by_table, failures, judged, make_record, modes_design, wrong_in
from tests.result_builders import DIRECT, INDIRECT, RIGHT, WRONG, make_answer, make_groups, make_pairs
from tests.study_builders import make_design

GOLDEN = Path(__file__).parents[1] / "data" / "golden.json"


def one_error() -> StudyReport:
    """One pool: the judge accepts 300 of 1,000 answers; of 100 and 100 labels one accepted answer is wrong."""
    record = make_record(make_design(100, 100), judged(300, 700), {("PK", Layer.BLIND): wrong_in("accepted", 1)})
    return build_report(record)


def test_a_pool_is_corrected_as_the_specification_says() -> None:
    """statistics.md, section 2.2: one error among the accepted at π₁ = 0.30 gives θ = 0.297."""
    report = one_error()
    found = corrections([report], {report.machine: 1000}, ["demise"]).find("demise", INDIRECT)
    assert found is not None
    assert found.corrected.value == pytest.approx(0.297)
    assert (found.frame, found.labels) == (1000, 200)
    assert found.ppv is not None
    assert found.npv is not None
    assert [found.judge, found.ppv.value, found.npv.value] == pytest.approx([0.3, 0.99, 1.0])


def test_a_configuration_gets_a_reach_and_no_corrected_accuracy() -> None:
    """statistics.md: |θ − π| ≤ max((1 − PPV)·π, (1 − NPV)(1 − π)). Of 99/100 Clopper–Pearson's lower limit is 0.9455
    (also there), so that it is 0.0545 × 0.8."""
    report = one_error()
    found = corrections([report], {}, ["demise"]).find("demise", INDIRECT)
    assert found is not None
    assert found.reach(0.8) == pytest.approx((0.8 - 0.0436, 0.8 + 0.0436), abs=5e-5)
    assert found.reach(None) is None


def test_a_study_of_another_judge_corrects_nothing_and_says_so() -> None:
    report = one_error()
    known = corrections([report], {"somebody else": 5}, ["demise"])
    assert known.find("demise", INDIRECT) is None
    assert "the verdicts that count are somebody else's" in known.reason("demise", INDIRECT)
    mixed = corrections([report], {"a": 1, report.machine: 4}, ["demise"])
    assert "Verdicts of several judges count" in mixed.reason("demise", INDIRECT)
    assert known.reason("demise", DIRECT) == NO_STUDY


def test_of_several_studies_that_with_most_labels_counts() -> None:
    small = build_report(
        make_record(make_design(10, 10), judged(300, 700), {("PK", Layer.BLIND): wrong_in("rejected", 1)})
    )
    known = corrections([one_error(), small], {}, ["demise"])
    found = known.find("demise", INDIRECT)
    assert found is not None
    assert found.labels == 200


def _golden(name: str) -> dict[str, Any]:
    cases = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
    return next(case for case in cases if case["id"] == name)


def _correction(design: JudgeDesign) -> Correction:
    theta = design.estimates().theta
    told = Statistic("corrected_accuracy", "", "", theta.value, theta.interval)
    return Correction("S", StudyId(1), 100, 200, told, None, design.pi1, None, None)


@pytest.mark.parametrize("name", ["corrected_gap_demises", "corrected_gap_tenures"])
def test_the_corrected_gap_is_the_golden_one(name: str) -> None:
    """Two pools that were validated apart: their intervals give the one over all four strata."""
    case = _golden(name)
    sides = {}
    for kind in (DIRECT, INDIRECT):
        given = case["inputs"][str(kind)]
        (ppv, n1), (npv, n0) = given["PPV"], given["NPV"]
        sides["demise", kind] = _correction(two_strata((ppv, n1 - ppv), (n0 - npv, npv), given["pi1"]))
    groups = make_groups(make_pairs(5, 3, 1, 1))
    (row,) = corrected_gaps(groups, Corrections(sides))
    assert row.corrected == pytest.approx(case["expected"]["corrected_gap"], abs=1e-8)
    assert row.judge_interval == pytest.approx(case["expected"]["ci_mover_clopper_pearson"], abs=1e-8)
    assert row.interval is not None
    assert row.judge_interval is not None
    # With the sampling of ten events it is wider.
    assert row.interval[0] < row.judge_interval[0]
    assert row.interval[1] > row.judge_interval[1]


def test_the_raw_gap_has_the_clustered_standard_error() -> None:
    """Balanced: the linearised error of two ratios is the plug-in error of event means (`cluster_gap`)."""
    answers = make_pairs(4, 3, 1, 2) + make_pairs(2, 5, 1, 2, configuration=2)
    differences: dict[int, list[float]] = {}
    for configuration in (1, 2):
        mine = [each for each in answers if each.configuration == configuration]
        for event in range(1, 11):
            one = {each.kind: each.is_correct for each in mine if each.event == event}
            differences.setdefault(event, []).append(one[DIRECT] - one[INDIRECT])
    expected = cluster_gap(list(differences.values()))
    assert expected is not None
    direct = [each for each in answers if each.kind is DIRECT]
    gap, interval, events = clustered_gap(direct, [each for each in answers if each.kind is INDIRECT])
    assert gap == pytest.approx(expected.mean)
    assert interval == pytest.approx(
        (expected.mean - 1.959964 * expected.se, expected.mean + 1.959964 * expected.se), abs=1e-6
    )
    assert events == 10


def test_a_gap_without_spread_or_without_one_kind_has_no_interval() -> None:
    assert clustered_gap([make_answer(1, RIGHT, DIRECT)], [])[0] is None
    gap, interval, _ = clustered_gap([make_answer(1, RIGHT, DIRECT)], [make_answer(1, WRONG)])
    assert (gap, interval) == (1.0, None)


def test_every_pool_is_listed_with_its_reason() -> None:
    rows = corrected_pools(make_groups(make_pairs(1, 1, 0, 0)), Corrections())
    assert [(row.kind, row.raw.scored, row.reason) for row in rows] == [(DIRECT, 2, NO_STUDY), (INDIRECT, 2, NO_STUDY)]


def test_an_older_study_that_counted_no_pools_says_so() -> None:
    report = one_error()
    frame = {key: value for key, value in report.study.manifest["frame"].items() if key != "by_page"}
    old = replace(report, study=replace(report.study, manifest={**report.study.manifest, "frame": frame}))
    assert "earlier version" in corrections([old], {}, ["demise"]).reason("demise", INDIRECT)


def test_corrected_modes_count_failures_without_a_query_with_certainty() -> None:
    """Ten of each mode, all labelled; people call two of the indirect ones none. Ten more had no query at all."""
    table = [[10, 0, 0, 0], [0, 10, 0, 0], [0, 0, 8, 2], [0, 0, 0, 10]]
    record = make_record(modes_design([10] * 4), failures([10] * 4), {("PK", Layer.ASSISTED): by_table(table)})
    report = build_report(record)
    report = replace(report, excluded={**report.excluded, "no query: mode by construction": 10})
    rows = {row.mode: row for row in corrected_modes([report])}
    assert rows[FailureMode.NONE].raw == pytest.approx(20 / 50)
    assert rows[FailureMode.NONE].corrected == pytest.approx(22 / 50)
    assert rows[FailureMode.INDIRECT].corrected == pytest.approx(8 / 50)
    assert sum(row.corrected or 0 for row in rows.values()) == pytest.approx(1)
    # Every failure of the frame has a label: nothing is left to chance.
    assert rows[FailureMode.INDIRECT].interval is None


def test_a_study_of_the_judge_says_nothing_of_modes() -> None:
    assert (
        corrected_modes([build_report(make_record(make_design(4, 4), judged(9, 9), {("PK", Layer.BLIND): agree}))])
        == []
    )


def test_the_interval_of_pooled_answers_takes_events_as_clusters() -> None:
    """Two configurations that agree about every event say no more than one: of 8 events 5 are right, so that the
    standard error is √(0.625 · 0.375 / 8) = 0.171163."""
    answers = [
        make_answer(event, RIGHT if event < 5 else WRONG, configuration=number)
        for event in range(8)
        for number in (1, 2)
    ]
    interval, events = clustered_share(answers)
    assert events == 8
    assert interval == pytest.approx((0.625 - 1.959964 * 0.171163, 0.625 + 1.959964 * 0.171163), abs=1e-5)
    assert clustered_share([make_answer(1), make_answer(2)]) == (None, 2)
