"""A report names what each number is of, gives reasons instead of NaN, and never hides the design of the sample."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.domain.agreement_report import (
    NOT_POPULATION,
    AgreementReport,
    SampleKind,
    Statistic,
    agreement_report,
)
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.report_lines import text_lines
from btc_gui.domain.weighted_agreement import TableStratum, by_classifier_mode
from btc_gui.errors import InputError

JUDGE = ConfusionMatrix(("correct", "incorrect"), ((99, 1), (0, 100)))
JUDGE_STRATA = [
    TableStratum("accepted", 310, ((99, 1), (0, 0))),
    TableStratum("rejected", 690, ((0, 0), (0, 100))),
]
MODES = ("reasoning", "explicit", "indirect", "none")
TENURES = ((27, 0, 3, 0), (1, 27, 7, 0), (2, 6, 54, 3), (0, 1, 8, 26))


def found(report: AgreementReport, key: str) -> Statistic:
    statistic = report.find(key)
    assert statistic, key
    return statistic


def test_kappa_of_a_stratified_sample_is_never_without_these_words() -> None:
    for report in (
        agreement_report(JUDGE, strata=JUDGE_STRATA),
        agreement_report(JUDGE, sample=SampleKind.BY_ROW),
        agreement_report(JUDGE, sample=SampleKind.STRATIFIED),
        agreement_report(JUDGE),  # Nothing was said, but 100 + 100 is what such a sample looks like.
    ):
        assert found(report, "kappa").scope == NOT_POPULATION
        assert any("kappa" in line and NOT_POPULATION in line for line in text_lines(report))
        assert any("not of the population" in note for note in report.notes)


def test_the_benchmark_is_named_with_the_share_that_the_judge_accepts() -> None:
    report = agreement_report(JUDGE, strata=JUDGE_STRATA)
    agreement = found(report, "population_agreement")
    assert agreement.scope == "in the benchmark (π₁ = .31)"
    assert agreement.value == pytest.approx(0.31 * 0.99 + 0.69)
    assert found(report, "corrected_accuracy").value == pytest.approx(0.31 * 0.99)
    assert found(report, "ppv").value == 0.99
    assert found(report, "sensitivity").value == 1
    assert found(report, "judge_accuracy").value == pytest.approx(0.31)
    assert found(report, "observed_agreement").text == "199/200 = 0.995 [0.972, 0.999]"


def test_a_quota_inside_a_row_hides_the_unweighted_precision() -> None:
    matrix = ConfusionMatrix(("correct", "incorrect"), ((98, 2), (1, 99)))
    strata = [
        TableStratum("names", 240, ((83, 2), (0, 0))),
        TableStratum("does not name", 60, ((15, 0), (0, 0))),
        TableStratum("rejected", 700, ((0, 0), (1, 99))),
    ]
    report = agreement_report(matrix, strata=strata)
    assert report.sample is SampleKind.STRATIFIED
    assert report.find("precision:correct") is None
    assert found(report, "ppv").value == pytest.approx(417 / 425)
    unknown = found(agreement_report(matrix, sample=SampleKind.STRATIFIED), "precision:correct")
    assert unknown.value is None
    assert "frame size" in unknown.reason


def test_equal_strata_say_that_kappa_adds_nothing() -> None:
    report = agreement_report(JUDGE, strata=JUDGE_STRATA)
    assert any("2 × agreement − 1" in note for note in report.notes)
    assert any("equally often" in note for note in agreement_report(JUDGE).notes)


def test_failure_modes_are_weighted_by_the_frame() -> None:
    matrix = ConfusionMatrix(MODES, TENURES, "classifier")
    report = agreement_report(matrix, strata=by_classifier_mode(TENURES, [30, 35, 640, 310]), assisted=True)
    assert found(report, "population_kappa").scope == "in the frame of 1,015 items"
    assert found(report, "population_kappa").interval == pytest.approx((0.515, 0.754), abs=5e-4)
    assert found(report, "precision:indirect").count == (54, 65)
    assert found(report, "population_recall:explicit").value == pytest.approx(0.284, abs=5e-4)
    assert any(note.startswith("Assisted") for note in report.notes)


def test_few_disagreements_give_no_interval_of_the_weighted_kappa() -> None:
    matrix = ConfusionMatrix(("a", "b", "c"), ((9, 1, 0), (0, 9, 0), (0, 0, 9)))
    report = agreement_report(matrix, strata=by_classifier_mode(matrix.counts, [50, 50, 50]))
    assert found(report, "population_kappa").interval is None
    assert "fewer than 20" in found(report, "population_kappa").reason


@pytest.mark.parametrize("classes", [("yes", "no"), MODES])
def test_no_labels_are_no_labels_and_not_zero(classes: tuple[str, ...]) -> None:
    report = agreement_report(ConfusionMatrix.from_pairs([], classes))
    assert found(report, "observed_agreement").text == "0/0 no labels"
    assert all(statistic.value is None and statistic.reason for statistic in report.statistics)


def test_one_label_shows_its_count_and_exact_interval_but_no_kappa() -> None:
    report = agreement_report(ConfusionMatrix(("yes", "no"), ((0, 1), (0, 0))))
    agreement = found(report, "observed_agreement")
    assert (agreement.count, agreement.method) == ((0, 1), "Clopper–Pearson")
    assert found(report, "kappa").value is None


def test_a_stratum_without_labels_is_named() -> None:
    matrix = ConfusionMatrix(("correct", "incorrect"), ((9, 1), (0, 0)))
    strata = [TableStratum("accepted", 50, matrix.counts), TableStratum("rejected", 70, ((0, 0), (0, 0)))]
    assert "rejected" in found(agreement_report(matrix, strata=strata), "population_agreement").reason
    three = ConfusionMatrix(("a", "b", "c"), ((5, 0, 0), (0, 0, 0), (0, 0, 3)))
    report = agreement_report(three, strata=by_classifier_mode(three.counts, [9, 9, 9]))
    assert "stratum 1" in found(report, "population_agreement").reason


def test_strata_that_are_not_the_matrix_are_refused() -> None:
    with pytest.raises(InputError, match="add up"):
        agreement_report(JUDGE, strata=JUDGE_STRATA[:1])


def test_unsure_answers_bound_the_agreement_and_are_counted() -> None:
    pairs = [("yes", "yes")] * 195 + [("yes", "no")] * 2 + [("yes", "unsure")] * 3
    report = agreement_report(ConfusionMatrix.from_pairs(pairs, ["yes", "no"], unsure=["unsure"]))
    assert found(report, "agreement_unsure_disagree").value == pytest.approx(0.975)
    assert found(report, "agreement_unsure_agree").value == pytest.approx(0.990)
    assert any("3 pairs are left out" in note for note in report.notes)


def test_events_are_counted_and_resampled_only_when_that_means_something() -> None:
    few = agreement_report(JUDGE, events={f"e{n}": (2, 2) for n in range(99)} | {"last": (1, 2)})
    assert few.events == 100
    assert found(few, "agreement_by_event").interval is None
    assert any("100 events" in note for note in few.notes)
    matrix = ConfusionMatrix(("yes", "no"), ((60, 40), (0, 0)))
    assert found(agreement_report(matrix, events={f"e{n}": (3, 5) for n in range(20)}), "agreement_by_event").reason
    varied = {f"e{n}": (2 + 3 * (n % 2), 5) for n in range(20)}
    assert found(agreement_report(matrix, events=varied), "agreement_by_event").interval


@given(st.lists(st.tuples(*[st.sampled_from([*MODES, None, "unsure"])] * 2), max_size=40))
def test_a_report_is_json_without_nan_and_every_gap_has_a_reason(pairs: list[tuple[str | None, str | None]]) -> None:
    report = agreement_report(ConfusionMatrix.from_pairs(pairs, MODES, unsure=["unsure"]))
    assert json.loads(json.dumps(report.as_json(), allow_nan=False))["n"] == report.matrix.total
    for statistic in report.statistics:
        assert statistic.value is not None or statistic.reason
        if statistic.interval:
            assert statistic.interval[0] < statistic.interval[1]
    assert not re.search(r"\bnan\b", "\n".join(text_lines(report)), re.IGNORECASE)


def test_each_class_tells_whether_the_machine_uses_it_more_than_people() -> None:
    """Tenures: rows 30, 35, 65, 35, columns 30, 34, 72, 29. With two classes one gap says it all."""
    report = agreement_report(ConfusionMatrix(MODES, TENURES, "classifier"))
    gaps = [found(report, f"margin_gap:{name}").value for name in MODES]
    assert gaps == pytest.approx([0, 1 / 165, -7 / 165, 6 / 165])
    assert found(report, "margin_gap:indirect").interval is not None
    assert found(report, "stuart_maxwell_p").value is not None
    two = agreement_report(ConfusionMatrix(("correct", "incorrect"), ((60, 5), (3, 32))))
    assert found(two, "margin_gap:correct").value == pytest.approx(2 / 100)
    assert two.find("margin_gap:incorrect") is None


def test_margins_that_the_design_fixed_are_not_compared_and_ratios_of_estimates_say_why_they_have_no_interval() -> None:
    drawn = agreement_report(JUDGE, sample=SampleKind.BY_ROW)
    assert found(drawn, "margin_gap:correct").value is None
    assert "the design fixed" in found(drawn, "margin_gap:correct").reason
    matrix = ConfusionMatrix(MODES, TENURES, "classifier")
    weighted = agreement_report(matrix, strata=by_classifier_mode(TENURES, [30, 60, 600, 300]))
    assert found(weighted, "margin_gap:indirect").value is None
    # Tests of equal margins take the table for a simple random sample, which these are not.
    for report in (drawn, weighted, agreement_report(JUDGE), agreement_report(matrix, sample=SampleKind.STRATIFIED)):
        for key in ("stuart_maxwell_p", "bowker_p"):
            assert (found(report, key).value, found(report, key).reason[:10]) == (None, "undefined:")
    for key in ("precision", "recall", "f1"):
        each = found(weighted, f"population_{key}:indirect")
        assert each.value is not None
        assert (each.interval, each.reason[:12]) == (None, "no interval:")


def test_the_machine_s_bias_is_told_of_the_frame() -> None:
    """Of 1,000 answers 300 are accepted; 98 of 100 and 1 of 100 are correct: 0.3·0.98 + 0.7·0.01 = 0.301 really are."""
    matrix = ConfusionMatrix(("correct", "incorrect"), ((98, 2), (1, 99)), "judge")
    strata = [TableStratum("yes", 300, ((98, 2), (0, 0))), TableStratum("no", 700, ((0, 0), (1, 99)))]
    gap = found(agreement_report(matrix, strata=strata), "population_margin_gap:correct")
    assert gap.value == pytest.approx(0.3 - 0.301)
    corrected = found(agreement_report(matrix, strata=strata), "corrected_accuracy").interval
    assert corrected is not None
    assert gap.interval == pytest.approx((0.3 - corrected[1], 0.3 - corrected[0]))
    # Tenures of a frame of 30, 60, 600, 300: people say “explicit” to 1 of 30, 27 of 35, 6 of 65 and 1 of 35.
    modes = ConfusionMatrix(MODES, TENURES, "classifier")
    weighted = agreement_report(modes, strata=by_classifier_mode(TENURES, [30, 60, 600, 300]))
    people = (30 * 0 / 30 + 60 * 27 / 35 + 600 * 6 / 65 + 300 * 1 / 35) / 990
    assert found(weighted, "population_margin_gap:explicit").value == pytest.approx(60 / 990 - people)
    mixed = [TableStratum("all", 990, modes.counts)]
    assert found(agreement_report(modes, strata=mixed), "population_margin_gap:explicit").interval is None


def test_keys_are_unique() -> None:
    report = agreement_report(JUDGE, strata=JUDGE_STRATA)
    keys = [statistic.key for statistic in report.statistics]
    assert len(keys) == len(set(keys))
