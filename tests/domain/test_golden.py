"""Every case of golden.json: right values found by two independent means, and values that must not come out.

`null` is undefined. Keys that start with WRONG_ or end with _wrong are what a wrong method returns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from btc_gui.domain.agreement import (
    agreement,
    bowker,
    class_scores,
    kappa_estimate,
    kappa_mapped_interval,
    kappa_wald_interval,
    stuart_maxwell,
    unsure_bounds,
)
from btc_gui.domain.agreement_report import agreement_report
from btc_gui.domain.blinding_index import bang_index
from btc_gui.domain.composition import goodman_intervals
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.event_bootstrap import (
    Summary,
    bootstrap_gap,
    chance_without_disagreement,
    cluster_gap,
    median_ranks,
)
from btc_gui.domain.failure_mode import QueryClass, derive_mode
from btc_gui.domain.hashing import canonical_json, hash_of
from btc_gui.domain.judge_design import (
    JudgeDesign,
    JudgeStratum,
    SampledCell,
    average_share,
    corrected_gap,
    pooled_share,
    two_strata,
)
from btc_gui.domain.paired import (
    PairedCounts,
    benjamini_hochberg,
    bonett_price_interval,
    cochran_q,
    common_events,
    holm,
    mcnemar_chi_square,
    mcnemar_exact,
    mcnemar_mid_p,
    newcombe_interval,
    tango_interval,
    wald_interval,
)
from btc_gui.domain.prediction_powered import prediction_powered_mean
from btc_gui.domain.proportions import clopper_pearson, jeffreys, wilson
from btc_gui.domain.raters import CountedUnit, count_units, fleiss_kappa, gwet_ac1, krippendorff_alpha
from btc_gui.domain.sample_size import n_for_half_width, n_for_kappa_half_width, n_without_error
from btc_gui.domain.sampling import FrameItem, allocate, draw, hash_order, hash_rank, inclusion_weight
from btc_gui.domain.trend import bin_intervals, cochran_armitage
from btc_gui.domain.weighted_agreement import by_classifier_mode, weighted_agreement

Json = Any
"""What JSON holds: its shape differs from case to case."""

Case = dict[str, Json]
Values = Mapping[str, Json]
Answer = Callable[[Json, Json], Values]

CASES: dict[str, Case] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text(encoding="utf-8"))["cases"]
}


def is_guard(key: str) -> bool:
    return key.startswith(("WRONG_", "wrong_")) or key.endswith("_wrong")


def proportion(given: Json, expected: Json) -> Values:
    k, n, level = given["successes"], given["n"], given["confidence"]
    return {
        "estimate": k / n if n else None,
        "wilson": wilson(k, n, level),
        "clopper_pearson": clopper_pearson(k, n, level),
        "jeffreys": jeffreys(k, n, level),
    }


def agreement_table(given: Json, expected: Json) -> Values:
    table = given["table"]
    found = agreement(table)
    return {
        "observed_agreement": found.observed,
        "expected_agreement": found.expected,
        "kappa": found.kappa,
        "kappa_ase": found.kappa_ase,
        "gwet_ac1": found.ac1,
        "gwet_ac1_se": found.ac1_se,
        "krippendorff_alpha": found.alpha,
        "brennan_prediger": found.brennan_prediger,
        "scott_pi": found.scott_pi,
        "kappa_ci_wald_unclipped": kappa_wald_interval(table),
        "kappa_ci_from_wilson_po": kappa_mapped_interval(table),
        "kappa_ci_from_clopper_pearson_po": kappa_mapped_interval(table, limits=clopper_pearson),
    }


def several_raters(given: Json, expected: Json) -> Values:
    if "counts" in given:
        return {"kappa": fleiss_kappa([CountedUnit(tuple(counts)) for counts in given["counts"]])}
    columns = zip(*given["raters_by_units"], strict=True)
    rows = [[None if label is None else str(label) for label in labels] for labels in columns]
    units = count_units(rows, sorted({label for row in rows for label in row if label}))
    ac1 = gwet_ac1(units)
    return {"alpha": krippendorff_alpha(units), "ac1": ac1.value, "se": ac1.se}


def missing_pairs(given: Json, expected: Json) -> Values:
    matrix = ConfusionMatrix.from_pairs(given["pairs"], given["classes"], unsure=given["unsure"])
    return {
        "n_total": matrix.total + matrix.left_out_total,
        "n_missing": sum(count for reason, count in matrix.left_out.items() if reason.startswith("no ")),
        "n_unsure": matrix.left_out["unsure"],
        "n_used": matrix.total,
        "table": matrix.counts,
        "agreement": agreement(matrix.counts).observed,
        "kappa": agreement(matrix.counts).kappa,
    }


def unsure(given: Json, expected: Json) -> Values:
    found = unsure_bounds(given["agree"], given["disagree"], given["unsure"])
    return {
        "excluded": found.excluded.value,
        "excluded_wilson": found.excluded.interval,
        "lower_bound": found.lower,
        "upper_bound": found.upper,
    }


def balanced_kappas(given: Json, expected: Json) -> Values:
    return {"kappa": [agreement(table).kappa for table in given["tables"]]}


def cells(counts: Json) -> tuple[int, int]:
    return counts["human_correct"], counts["human_incorrect"]


def judge(given: Json, expected: Json) -> Values:
    accepted, rejected = cells(given["accepted"]), cells(given["rejected"])
    design = two_strata(accepted, rejected, given["pi1"])
    exact, by_wilson = design.estimates(), design.estimates(limits=wilson)
    return {
        "PPV": exact.ppv.value,
        "NPV": exact.npv.value,
        "PPV_clopper_pearson": exact.ppv.interval,
        "NPV_clopper_pearson": exact.npv.interval,
        "theta": exact.theta.value,
        "theta_ci_mover_clopper_pearson": exact.theta.interval,
        "theta_ci_mover_wilson": by_wilson.theta.interval,
        "theta_se_wald": exact.theta_se,
        "agreement": exact.agreement.value,
        "agreement_ci_mover_clopper_pearson": exact.agreement.interval,
        "agreement_ci_mover_wilson": by_wilson.agreement.interval,
        "Se": exact.sensitivity.value,
        "Sp": exact.specificity.value,
        "Se_ci_mover_clopper_pearson": exact.sensitivity.interval,
        "Sp_ci_mover_clopper_pearson": exact.specificity.interval,
        "kappa_population": exact.kappa.value,
        "kappa_se_delta": exact.kappa_se,
        "kappa_ci_mover_clopper_pearson": exact.kappa.interval,
        "kappa_unweighted_sample": agreement([accepted, rejected]).kappa,
        "WRONG_rogan_gladen_with_unweighted_Se_Sp": exact.theta.value,
        "WRONG_unweighted_Se": exact.sensitivity.value,
        "WRONG_unweighted_Sp": exact.specificity.value,
    }


def three_strata(given: Json, expected: Json) -> Values:
    found = JudgeDesign(
        [
            JudgeStratum(s["name"], s["name"].startswith("accepted"), s["frame_share"], s["n"], s["human_correct"])
            for s in given["strata"]
        ]
    ).estimates()
    return {
        "PPV_weighted": found.ppv.value,
        "PPV_unweighted_wrong": found.ppv.value,
        "PPV_ci_mover_clopper_pearson": found.ppv.interval,
        "theta": found.theta.value,
        "theta_ci_mover_clopper_pearson": found.theta.interval,
    }


def tuned_mean(given: Json, expected: Json) -> Values:
    found = prediction_powered_mean(given["Y"], given["Yhat"], given["Yhat_unlabeled_ones"], given["Yhat_unlabeled_n"])
    assert found
    return {"lambda_hat": found.tuning, "estimate": found.value, "ci": found.interval}


def stratified_theta(given: Json, expected: Json) -> Values:
    theta = two_strata(given["accepted"], given["rejected"], given["pi1"]).estimates().theta.value
    return {"weighted": theta, "unweighted_wrong": theta}


def thetas(given: Json, expected: Json) -> Values:
    found = [two_strata(given["accepted"], given["rejected"], pi1).estimates().theta.value for pi1 in given["pi1"]]
    return {"right": found, "wrong_unweighted": found}


def gap(given: Json, expected: Json) -> Values:
    def design(side: Json) -> JudgeDesign:
        (ppv, n1), (npv, n0) = side["PPV"], side["NPV"]
        return two_strata((ppv, n1 - ppv), (n0 - npv, npv), side["pi1"])

    found = corrected_gap(design(given["direct"]), design(given["indirect"]))
    return {
        "uncorrected_gap": given["direct"]["pi1"] - given["indirect"]["pi1"],
        "corrected_gap": found.value,
        "ci_mover_clopper_pearson": found.interval,
    }


def weighted_modes(given: Json, expected: Json) -> Values:
    table = given["sample_table"]
    found = weighted_agreement(by_classifier_mode(table, given["frame_counts_by_classifier_mode"]))
    assert found
    return {
        "agreement": found.agreement,
        "agreement_se": found.agreement_se,
        "kappa": found.kappa,
        "kappa_se": found.kappa_se,
        "human_share": found.human_shares,
        "human_share_se": found.human_share_ses,
        "unweighted_kappa": agreement(table).kappa,
    }


def per_class(given: Json, expected: Json) -> Values:
    found = class_scores(given["table"])
    return {
        "precision": [score.precision for score in found],
        "recall_unweighted": [score.recall for score in found],
        "f1_unweighted": [score.f1 for score in found],
        "precision_clopper_pearson": [score.precision_interval for score in found],
    }


def margins(given: Json, expected: Json) -> Values:
    found = stuart_maxwell(given["table"])
    assert found
    return {"statistic": found.statistic, "df": found.df, "pvalue": found.p}


def symmetry(given: Json, expected: Json) -> Values:
    found = bowker(given["table"])
    assert found
    return {"statistic": found.statistic, "df": found.df, "pvalue": found.p}


def pairs(given: Json, expected: Json) -> Values:
    counts = PairedCounts(given["both"], given["first_only"], given["second_only"], given["neither"])
    plain, corrected = mcnemar_chi_square(counts), mcnemar_chi_square(counts, corrected=True)
    return {
        "difference": counts.difference,
        "mcnemar_exact_p": mcnemar_exact(counts),
        "mcnemar_midp_p": mcnemar_mid_p(counts),
        "mcnemar_chi2": plain and plain.statistic,
        "mcnemar_chi2_p": plain and plain.p,
        "mcnemar_chi2_cc": corrected and corrected.statistic,
        "wald": wald_interval(counts),
        "newcombe10": newcombe_interval(counts),
        "bonett_price": bonett_price_interval(counts),
        "tango": tango_interval(counts),
    }


def several_configurations(given: Json, expected: Json) -> Values:
    found = cochran_q(given["events_by_config"])
    assert found
    return {"statistic": found.statistic, "df": found.df, "pvalue": found.p}


def clustered(given: Json, expected: Json) -> Values:
    rows = given["event_by_config_difference"]
    found, resampled = cluster_gap(rows), bootstrap_gap(rows)
    assert found
    assert resampled
    assert resampled.exact
    return {
        "mean": found.mean,
        "se_cluster_plugin": found.se,
        "se_cluster_n_minus_1": found.se_corrected,
        "se_naive_iid": found.se_naive,
        "exact_bootstrap_se": resampled.se,
        "exact_bootstrap_pct95": resampled.interval,
    }


def median_gap(given: Json, expected: Json) -> Values:
    found = bootstrap_gap(given["event_by_config_difference"], Summary.MEDIAN)
    assert found
    return {
        "median": found.estimate,
        "bootstrap_mean": found.mean,
        "bootstrap_se": found.se,
        "pct95_inverse_cdf": found.interval,
    }


def order_statistics(given: Json, expected: Json) -> Values:
    found = median_ranks(given["n"])
    assert found
    return {"lower_rank": found.lower, "upper_rank": found.upper, "coverage": found.coverage}


def adjusted(given: Json, expected: Json) -> Values:
    return {"holm": holm(given["p"]), "bh": benjamini_hochberg(given["p"])}


def composition(given: Json, expected: Json) -> Values:
    return {"ci": goodman_intervals(given["counts"])}


def empty_resamples(given: Json, expected: Json) -> Values:
    return {name: chance_without_disagreement(sample["n"], sample["errors"]) for name, sample in given.items()}


def zero_errors(given: Json, expected: Json) -> Values:
    rate = given["rate"]
    return {"one_sided": n_without_error(rate, two_sided=False), "two_sided": n_without_error(rate)}


def wilson_sizes(given: Json, expected: Json) -> Values:
    def size(key: str) -> int:
        share, half = (float(part.split("=")[1]) for part in key.split(","))
        return n_for_half_width(share, half)

    return {key: size(key) for key in expected}


def kappa_sizes(given: Json, expected: Json) -> Values:
    def size(key: str) -> int | None:
        name, half = key.split(",half=")
        return n_for_kappa_half_width(CASES[f"agree_modes_{name}"]["inputs"]["table"], float(half))

    return {key: size(key) for key in expected}


def ordered(given: Json, expected: Json) -> Values:
    order = hash_order(given["items"], given["seed"])
    return {"order": order, "first_digest": hash_rank(given["seed"], order[0])}


def allocation(given: Json, expected: Json) -> Values:
    caps = {} if given["caps"] == "none" else given["caps"]
    found = allocate(
        given["total"], {name: caps.get(name, caps.get("others")) for name in given["configs"]}, given["seed"]
    )
    return {"allocation": found.counts, "shortfall": found.shortfall}


def manifest(given: Json, expected: Json) -> Values:
    assert canonical_json(given["manifest"]) == given["canonical"]
    return {"sha256": hash_of(given["manifest"])}


def weights(given: Json, expected: Json) -> Values:
    agreed = [count for counts in given["agree"] for count in counts]
    found = [SampledCell(cell["N"], cell["n"], hits) for cell, hits in zip(given["cells"], agreed, strict=True)]
    accepted, rejected = found[:2], found[2:]
    return {
        "weights": [inclusion_weight(cell.frame_size, cell.n) for cell in found],
        "PPV_pooled": pooled_share(accepted),
        "PPV_config_average": average_share(accepted),
        "NPV_pooled": pooled_share(rejected),
        "NPV_config_average": average_share(rejected),
    }


def drawn(given: Json, expected: Json) -> Values:
    found = draw([FrameItem(*row) for row in given["frame"]], given["request"], given["seed"])
    counts: dict[str, dict[str, int]] = {}
    for cell in found.cells:
        counts.setdefault(cell.stratum, {})[cell.configuration] = len(cell.drawn)
    return {
        "allocation": counts,
        "drawn": {f"{cell.stratum}/{cell.configuration}": list(cell.drawn) for cell in found.cells},
        "presentation_order": list(found.order),
    }


def trend(given: Json, expected: Json) -> Values:
    found = cochran_armitage(given["correct"], given["incorrect"], given["scores"])
    assert found
    return {
        "z_cochran_armitage": found.z,
        "p": found.p,
        "z_permutation": found.z_permutation,
        "wilson": bin_intervals(given["correct"], given["incorrect"]),
    }


def common(given: Json, expected: Json) -> Values:
    found = common_events(given["valid_events"])
    return {"common": list(found.common), "n": len(found.common), "dropped": found.lost}


def accuracy(given: Json, expected: Json) -> Values:
    return {"accuracy": given["correct"] / given["n"], "wilson": wilson(given["correct"], given["n"])}


def repeats(given: Json, expected: Json) -> Values:
    found = agreement(given["table"])
    return {"agreement": found.observed, "kappa": found.kappa, "wilson": wilson(found.agreed, found.n)}


def guesses(given: Json, expected: Json) -> Values:
    found = bang_index(given["correct"], given["wrong"], given["dont_know"])
    assert found
    return {"bi": found.value, "se": found.se, "ci": found.interval}


def taxonomy(given: Json, expected: Json) -> Values:
    modes = [
        derive_mode(row["evidence_in_context"], [label and QueryClass(label) for label in row["query_labels"]]).mode
        for row in given["rows"]
    ]
    return {"mode": [mode and mode.text for mode in modes]}


ANSWERS: dict[str, Answer] = {
    "prop_": proportion,
    "agree_": agreement_table,
    "ac1_unused_class_dropped": agreement_table,
    "gwet_4x12": several_raters,
    "alpha_": several_raters,
    "fleiss_wiki": several_raters,
    "kappa_missing_pairs": missing_pairs,
    "unsure_bounds": unsure,
    "kappa_balanced_identity": balanced_kappas,
    "judge_": judge,
    "judge_three_strata_design": three_strata,
    "ppi_srs_tuned": tuned_mean,
    "ppi_stratified_equals_poststratified": stratified_theta,
    "judgy_bias": thetas,
    "corrected_gap_": gap,
    "modes_demises_weighted": weighted_modes,
    "modes_tenures_weighted": weighted_modes,
    "modes_demises_per_class": per_class,
    "modes_tenures_per_class": per_class,
    "modes_tenures_stuart_maxwell": margins,
    "modes_tenures_bowker": symmetry,
    "pair_": pairs,
    "cochran_q": several_configurations,
    "cluster_gap": clustered,
    "median_gap_bootstrap": median_gap,
    "median_order_stat_": order_statistics,
    "multiplicity_bh1995": adjusted,
    "goodman_": composition,
    "bootstrap_atom_199": empty_resamples,
    "n_rule_of_three": zero_errors,
    "n_for_wilson_half_width": wilson_sizes,
    "n_for_kappa_half_width": kappa_sizes,
    "hash_order": ordered,
    "allocate_": allocation,
    "manifest_hash": manifest,
    "inclusion_weights": weights,
    "sample_draw": drawn,
    "queries_trend": trend,
    "common_probe_set": common,
    "accuracy_": accuracy,
    "intra_annotator": repeats,
    "bang_blinding_index": guesses,
    "taxonomy_": taxonomy,
}
"""How a case is answered, by its id or the longest beginning of it that ends in an underscore."""


def answer_of(name: str) -> Answer | None:
    fitting = [key for key in ANSWERS if name == key or (key.endswith("_") and name.startswith(key))]
    return ANSWERS[max(fitting, key=len)] if fitting else None


def assert_same(found: Json, expected: Json, tolerance: float, where: str) -> None:
    """Equal in shape, within the tolerance; p-values below 1e-4 by ratio, as the cases prescribe."""
    if isinstance(expected, Mapping):
        assert set(found) == set(expected), where
        for key, value in expected.items():
            assert_same(found[key], value, tolerance, f"{where}.{key}")
    elif isinstance(expected, Sequence) and not isinstance(expected, str):
        assert found is not None, where
        assert len(found) == len(expected), where
        for index, value in enumerate(expected):
            assert_same(found[index], value, tolerance, f"{where}[{index}]")
    elif isinstance(expected, int | float):
        assert found is not None, where
        assert not math.isnan(found), where
        small = "_p" in where and 0 < expected < 1e-4
        same = pytest.approx(expected, rel=1e-6, abs=0) if small else pytest.approx(expected, abs=tolerance)
        assert found == same, where
    else:
        assert found == expected, where


@pytest.mark.parametrize("name", CASES)
def test_a_golden_case_gives_the_right_values(name: str) -> None:
    case = CASES[name]
    answer = answer_of(name)
    assert answer
    found = answer(case["inputs"], case["expected"])
    for key, expected in case["expected"].items():
        if not is_guard(key):
            assert key in found, f"{name}: {key} is not computed"
            assert_same(found[key], expected, case["tolerance_abs"], f"{name}.{key}")


def right_values(case: Case) -> list[Json]:
    return [value for key, value in case["expected"].items() if not is_guard(key)]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if any(map(is_guard, case["expected"]))])
def test_what_a_wrong_method_returns_does_not_come_out(name: str) -> None:
    case = CASES[name]
    answer = answer_of(name)
    assert answer
    found = answer(case["inputs"], case["expected"])
    for key, wrong in case["expected"].items():
        if is_guard(key):
            ours = found[key] if isinstance(wrong, list) else [found[key]]
            for mine, theirs in zip(ours, wrong if isinstance(wrong, list) else [wrong], strict=True):
                # With no error on the side in question the wrong method happens to be right.
                is_right_too = mine == pytest.approx(theirs, abs=1e-8) and mine in right_values(case)
                assert is_right_too or abs(mine - theirs) > 1e-3, key


def test_the_kappa_that_has_no_sampling_error_is_never_shown_as_a_point() -> None:
    for name in ("agree_perfect_2", "agree_judge_direct_tenures"):
        assert "[1,1]" in CASES[name]["must_not_return"]
        found = kappa_estimate(CASES[name]["inputs"]["table"])
        assert found.interval
        assert found.interval[0] < 0.97


def test_no_pair_of_ranks_is_given_when_none_reaches_the_level() -> None:
    found = median_ranks(5)
    assert found
    assert found.lower is found.upper is None


@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if None in case["expected"].values() and "table" in case["inputs"]]
)
def test_what_is_undefined_is_reported_with_a_reason_and_never_as_a_number(name: str) -> None:
    table = CASES[name]["inputs"]["table"]
    matrix = ConfusionMatrix(tuple("ABCD"[: len(table)]), tuple(map(tuple, table)))
    by_key = {statistic.key: statistic for statistic in agreement_report(matrix).statistics}
    assert by_key["kappa"].value is None or matrix.total > 1
    for statistic in by_key.values():
        if statistic.value is None:
            assert statistic.reason
            assert "nan" not in statistic.text.lower()


def test_every_golden_case_is_answered_and_every_guard_is_known() -> None:
    assert len(CASES) >= 102
    assert [name for name in CASES if answer_of(name) is None] == []
    guarded = {name for name, case in CASES.items() if case.get("must_not_return")}
    assert guarded == {
        "prop_0_0",
        "agree_perfect_2",
        "agree_all_one_class",
        "agree_judge_direct_tenures",
        "alpha_all_same",
        "alpha_no_pairs",
        "alpha_one_rater",
    }
