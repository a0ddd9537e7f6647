"""A table of labels is read whatever its line ends; bad rows are named by line, contradictions refused."""

from __future__ import annotations

import pytest

from btc_gui.domain.agreement_report import SampleKind
from btc_gui.domain.label_rows import label_agreement, read_label_table
from btc_gui.errors import InputError


def kappa_scope(text: str) -> str:
    statistic = label_agreement(read_label_table(text)).report.find("kappa")
    assert statistic
    return statistic.scope


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("last", ["", "end"])
def test_any_common_form_of_csv_is_read(end: str, start: str, delimiter: str, last: str) -> None:
    lines = ["Human,note,Judge", "yes,x,no", "", 'no,"a\u2028b\x0cc",no']
    text = start + end.join(lines).replace(",", delimiter) + (end if last else "")
    table = read_label_table(text)
    assert [(row.line, row.judge, row.human) for row in table.rows] == [(2, "no", "yes"), (4, "no", "no")]


def test_a_note_over_several_lines_keeps_the_line_numbers_right() -> None:
    table = read_label_table('judge,human,note\nyes,yes,"one\ntwo"\nyes\n')
    assert [row.line for row in table.rows] == [2]
    assert [(row.line, row.reason) for row in table.rejected] == [(4, "1 cells instead of 3")]


def test_bad_rows_are_rejected_by_line_and_good_ones_kept() -> None:
    text = 'judge,human,stratum,frame_size\na,a,s,many\na,a,,9\n"a"x,a,s,9\na,a,s,9\na,a,s,9,9\n'
    table = read_label_table(text)
    assert [row.line for row in table.rows] == [5]
    assert [(row.line, row.reason.split(":")[0]) for row in table.rejected] == [
        (2, "the frame size “many” is not a whole number"),
        (3, "no stratum"),
        (4, "no CSV"),
        (6, "5 cells instead of 4"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column judge and no column human"),
        ("judge,label\na,a\n", "no column human.*its columns: judge, label"),
        ("judge,human,judge\na,a,a\n", "column judge comes twice"),
        ("judge,human\na\nb\n", "None of the 2 rows can be read; line 2"),
        ('judge,human\na,"a\nb,b\n', "quotation mark opened in line 2 is never closed"),
    ],
)
def test_a_file_that_can_not_be_used_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        read_label_table(text)
    assert refusal.value.remedy


def test_known_classes_keep_their_order_and_unknown_ones_are_sorted() -> None:
    def classes(*labels: str) -> tuple[str, ...]:
        rows = "".join(f"{label},{label}\n" for label in labels)
        return label_agreement(read_label_table(f"judge,human\n{rows}")).report.matrix.classes

    assert classes("incorrect") == ("correct", "incorrect")
    assert classes("0", "1", "unsure", "unscored") == ("1", "0")
    assert classes("none", "explicit") == ("reasoning", "explicit", "indirect", "none")
    assert classes("b", "a") == ("a", "b")


def test_a_label_outside_the_declared_classes_is_rejected_and_counted_outside_the_matrix() -> None:
    found = label_agreement(read_label_table("judge,human\nC,C\nE,C\nC,unsure\n,C\n"), ["C", "I"])
    assert [(row.line, row.reason) for row in found.rejected] == [(3, "“E” is not one of the declared classes C, I")]
    assert found.report.matrix.total == 1
    assert found.report.matrix.left_out_total == 3


def test_strata_without_sizes_only_say_how_the_sample_was_drawn() -> None:
    by_label = "judge,human,stratum\nyes,yes,A\nyes,no,A\nno,no,B\n"
    finer = "judge,human,stratum\nyes,yes,A\nyes,no,C\nno,no,B\n"
    assert label_agreement(read_label_table(by_label)).report.sample is SampleKind.BY_ROW
    assert label_agreement(read_label_table(finer)).report.sample is SampleKind.STRATIFIED
    assert kappa_scope(by_label) == kappa_scope(finer) == "stratified sample, not population"


def test_sizes_without_strata_belong_to_the_judges_labels() -> None:
    rows = "correct,correct,30\n" * 3 + "incorrect,incorrect,70\n" * 2 + "correct,incorrect,\n,correct,\n"
    report = label_agreement(read_label_table("judge,human,frame size\n" + rows)).report
    theta = report.find("corrected_accuracy")
    assert theta
    assert theta.value == pytest.approx(0.3 * 0.75)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,a,s,9\na,a,s,8\n", "Line 3: the stratum “s” has frame size 8 here and 9 in line 2"),
        ("a,a,s,9\nb,b,t,\n", "Line 3: the stratum “t” has no frame size"),
        ("a,a,s,1\na,a,s,1\n", "2 labelled items but a frame size of 1"),
    ],
)
def test_strata_that_contradict_themselves_are_refused(rows: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        label_agreement(read_label_table(f"judge,human,stratum,frame_size\n{rows}"))


def test_several_annotators_are_reported_one_by_one() -> None:
    rows = "yes,yes,A\nyes,yes,A\nno,yes,B\nno,no,B\n"
    found = label_agreement(read_label_table(f"judge,human,annotator\n{rows}"))
    counts = {name: (report.matrix.agreed, report.matrix.total) for name, report in found.by_annotator.items()}
    assert counts == {"A": (2, 2), "B": (1, 2)}


def test_events_are_counted_over_the_items_used() -> None:
    rows = "yes,yes,e1\nyes,no,e1\nno,no,e2\nno,,e3\nno,no,\n"
    assert label_agreement(read_label_table(f"judge,human,event\n{rows}")).report.events == 3
