"""Faults that people met in other tools' samples and agreement figures. The marks are those of the list.

Every expected number is counted by hand or follows from the definition.
"""

from __future__ import annotations

import json

import pytest

from btc_gui.domain.agreement import agreement, class_scores, unsure_bounds
from btc_gui.domain.agreement_report import agreement_report
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.label_rows import label_agreement, read_label_table
from btc_gui.domain.raters import count_units, gwet_ac1, krippendorff_alpha
from btc_gui.domain.report_lines import text_lines
from btc_gui.domain.sampling import FrameItem, draw
from btc_gui.errors import StudyError

VERDICTS = ("correct", "incorrect")

#: 1,000 items in classes of 900, 60, 30, 8 and 2.
RARE = {"A": 900, "B": 60, "C": 30, "D": 8, "E": 2}
RARE_FRAME = [FrameItem(f"{name}{number}", "all", name) for name, size in RARE.items() for number in range(size)]


@pytest.mark.parametrize("total", [20, 50])
def test_rare_classes_are_never_lost_and_the_total_is_exact(total: int) -> None:
    """S1: whatever the seed, each class gives its floor; weights tell the inclusion probability of each item."""
    for seed in range(60):
        found = draw(RARE_FRAME, {"all": total}, f"seed {seed}", floor=2)
        by_class = {cell.configuration: cell for cell in found.cells}
        assert len(found.order) == len(set(found.order)) == total
        assert min(len(by_class[name].drawn) for name in RARE) >= 2
        # Each drawn item stands for 1/probability items of its class: together they are the class.
        assert sum(found.weights.values()) == pytest.approx(1_000)


@pytest.mark.parametrize("total", [10, 100])
def test_seven_equal_classes_give_exactly_what_was_asked_for(total: int) -> None:
    """S1: 10 of seven classes are 10 and not 7, 100 are 100 and not 98."""
    frame = [FrameItem(f"{name}{number}", "all", f"class {name}") for name in range(7) for number in range(50)]
    assert len(draw(frame, {"all": total}, "s").order) == total


def test_a_floor_that_can_not_be_kept_is_refused() -> None:
    """S1: six of each, or all there are, would be 26."""
    with pytest.raises(StudyError, match="needs 26"):
        draw(RARE_FRAME, {"all": 20}, "s", floor=6)


def test_one_category_is_undefined_and_says_why() -> None:
    """S2: never 1, never blank, never NaN; the agreement is given."""
    report = agreement_report(ConfusionMatrix(VERDICTS, ((40, 0), (0, 0))))
    kappa, observed = report.find("kappa"), report.find("observed_agreement")
    assert kappa is not None
    assert observed is not None
    assert kappa.value is None
    assert "only one class" in kappa.reason
    assert observed.value == 1.0
    assert "NaN" not in json.dumps(report.as_json())
    assert "nan" not in " ".join(text_lines(report)).split()


def test_the_denominator_is_the_pairs_that_both_labelled() -> None:
    """S4: of 15 items 5 have both labels; 4 of these agree."""
    both = [("correct", "correct")] * 3 + [("incorrect", "incorrect"), ("correct", "incorrect")]
    matrix = ConfusionMatrix.from_pairs([*both, *[("correct", None)] * 6, *[(None, "correct")] * 4], VERDICTS)
    observed = agreement_report(matrix).find("observed_agreement")
    assert observed is not None
    assert observed.text.startswith("4/5 = 0.800")
    assert matrix.left_out_total == 10


def test_labels_that_look_alike_to_a_hash_are_two_labels() -> None:
    """S5: “Aa” and “BB” have one hash in Java; compared by value they disagree."""
    matrix = ConfusionMatrix.from_pairs([("Aa", "BB")] * 4 + [("Aa", "Aa")] * 6, ("Aa", "BB"))
    assert matrix.counts == ((6, 4), (0, 0))
    units = count_units([("Aa", "BB"), ("Aa", "Aa")], ("Aa", "BB"))
    assert [unit.counts for unit in units] == [(1, 1), (2, 0)]


@pytest.mark.parametrize("blank", ["", "  ", None])
def test_blanks_on_both_sides_are_no_agreement(blank: str | None) -> None:
    """S6: missing, left out and counted, for two raters as for more."""
    matrix = ConfusionMatrix.from_pairs([(blank, blank)] * 5 + [("correct", "incorrect")], VERDICTS)
    assert (matrix.agreed, matrix.total, matrix.left_out_total) == (0, 1, 5)
    units = count_units([(blank, blank, blank), ("correct", "correct", blank)], VERDICTS)
    assert krippendorff_alpha(units) is None  # One class was used in the only unit that can be compared.
    assert sum(unit.labels for unit in units) == 2


def test_a_table_counted_by_hand() -> None:
    """S7: ten items, seven agree; 3 × (correct, incorrect) is 3 and not 0 in that cell.

    pe = .6·.3 + .4·.7 = .46, so kappa = (.7 − .46)/.54 = .444…; AC1: π = .45, pe = 2·.45·.55 = .495, (.7 − .495)/.505.
    """
    pairs = [("correct", "correct")] * 3 + [("correct", "incorrect")] * 3 + [("incorrect", "incorrect")] * 4
    matrix = ConfusionMatrix.from_pairs(pairs, VERDICTS)
    found = agreement(matrix.counts)
    assert matrix.counts == ((3, 3), (0, 4))
    assert (matrix.agreed, matrix.disagreed) == (7, 3)
    assert found.kappa == pytest.approx(0.24 / 0.54)
    assert found.ac1 == pytest.approx(0.205 / 0.505)
    assert gwet_ac1(count_units(pairs, VERDICTS)).value == pytest.approx(0.205 / 0.505)


def test_a_judge_that_always_says_the_same_fills_one_row() -> None:
    """S8: rows are the judge, columns the human; in every figure made of them too."""
    matrix = ConfusionMatrix.from_pairs([("correct", "correct")] * 7 + [("correct", "incorrect")] * 3, VERDICTS)
    assert matrix.counts == ((7, 3), (0, 0))
    assert (matrix.row_totals, matrix.column_totals) == ((10, 0), (7, 3))
    first, second = class_scores(matrix.counts)
    assert (first.precision, first.recall) == (0.7, 1.0)
    assert (second.precision, second.recall) == (None, 0.0)


def test_what_is_unscored_is_neither_wrong_nor_in_the_rate() -> None:
    """S10: it has a line of its own beside the matrix."""
    table = "judge,human\ncorrect,correct\nunscored,correct\n,incorrect\nincorrect,incorrect\n"
    matrix = label_agreement(read_label_table(table)).report.matrix
    assert matrix.counts == ((1, 0), (0, 1))
    assert matrix.left_out_total == 2


def test_each_class_has_hits_misses_and_false_alarms_of_its_own() -> None:
    """S11: for class “explicit”: 2 hits, 1 false alarm, 3 misses; what is rightly another class is none of these."""
    matrix = ConfusionMatrix(("reasoning", "explicit", "none"), ((5, 2, 0), (1, 2, 0), (0, 1, 9)))
    explicit = class_scores(matrix.counts)[1]
    assert explicit.precision == pytest.approx(2 / 3)
    assert explicit.recall == pytest.approx(2 / 5)
    assert explicit.f1 == pytest.approx(2 * 2 / (3 + 5))


def test_each_pair_of_raters_is_computed_on_its_own_items() -> None:
    """S12: six raters labelled the first items and two the later ones; the two's agreement is that of their pairs.

    Of the first two raters 3 of 4 pairs agree, whatever the four others said of the first two items.
    """
    rows = [
        ("a", "a", "b", "b", "b", "b"),
        ("a", "b", "b", "b", "b", "b"),
        ("b", "b", None, None, None, None),
        ("a", "a", None, None, None, None),
    ]
    pair = ConfusionMatrix.from_pairs([(row[0], row[1]) for row in rows], ("a", "b"))
    assert (pair.agreed, pair.total) == (3, 4)
    alone = krippendorff_alpha(count_units([row[:2] for row in rows], ("a", "b")))
    # alpha = 1 − (n − 1)·Σ o_ab / Σ n_a·n_b with o_ab + o_ba = 2, five a and three b: 1 − 7·2/(2·15).
    assert alone == pytest.approx(1 - 7 * 2 / 30)


def test_unsure_answers_have_all_three_readings() -> None:
    """195 agree, 2 disagree, 3 unsure: .990 without them, .975 if all were wrong, .990 if all were right."""
    found = unsure_bounds(195, 2, 3)
    assert found.excluded.value == pytest.approx(195 / 197)
    assert (found.lower, found.upper) == (0.975, 0.99)
