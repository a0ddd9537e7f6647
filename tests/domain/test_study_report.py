"""What a report says of a study, against figures computed by hand or published. No project, no file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from btc_gui.domain.component_agreement import Cause, Components
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.mode_form import EvidenceAnswer, ModeForm, QueryAnswer, QueryLabel
from btc_gui.domain.packet import GivenLabel, ItemId, Layer, Mode, PacketId, PracticeItem
from btc_gui.domain.practice import PracticeLabel
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.report_sections import report_sections
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import FrameRow, Stratum
from btc_gui.domain.study import (
    LATE,
    Exposure,
    IssuedPacket,
    LogEntry,
    Study,
    StudyDesign,
    StudyId,
    StudyState,
    StudyStep,
    UnsureRule,
    next_entry,
)
from btc_gui.domain.study_draw import ItemRole, StudyItem, annotator_items, build_frame, freeze
from btc_gui.domain.study_record import StudyRecord
from btc_gui.domain.study_report import AnnotatorReport, StudyReport, build_report
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from tests.domain.test_study import PAGES, make_failure, make_row
from tests.study_builders import make_design

Labeller = Callable[[StudyItem], str]


def agree(item: StudyItem) -> str:
    return item.machine_label


def other(item: StudyItem) -> str:
    return "incorrect" if item.machine_label == "correct" else "correct"


def make_record(
    design: StudyDesign,
    rows: Sequence[FrameRow],
    given: Mapping[tuple[str, Layer], Labeller],
    practice: Sequence[PracticeItem] = (),
) -> StudyRecord:
    """A study whose annotators label every item of theirs; an empty label is none."""
    numbers = iter(range(10**6))
    locked = freeze(
        design,
        build_frame(design, rows),
        PAGES,
        "Umpire",
        "0.1.0",
        lambda: ItemId(f"{next(numbers):016x}"),
        practice=practice,
    )
    study = Study(
        StudyId(1), "S", StudyState.UNBLINDED, design, locked.manifest, locked.manifest_sha256, "PK", "2026-11-30"
    )
    packets, labels = [], {}
    for number, ((annotator, layer), label) in enumerate(given.items()):
        packet = PacketId(f"{number:032x}")
        is_own = annotator in design.annotators
        items = annotator_items(locked.items, design, annotator) if is_own else list(locked.items)
        rows_given = [(item, label(item)) for item in items]
        labels[packet] = [
            GivenLabel(sequence, item.item, text, reason="why" if text in ("unsure", "broken") else "")
            for sequence, (item, text) in enumerate([(item, text) for item, text in rows_given if text], start=1)
        ]
        packets.append(IssuedPacket(packet, study.id, annotator, layer, "", len(items), ""))
    events = {row.answer_id: row.event for row in rows}
    return StudyRecord(study, locked.items, packets, labels, events)


def judged(accepted: int, rejected: int) -> list[FrameRow]:
    return [
        make_row(number, Label.CORRECT if number < accepted else Label.INCORRECT)
        for number in range(accepted + rejected)
    ]


def wrong_in(stratum: str, count: int, label: str | None = None) -> Labeller:
    """Agrees with the machine but for the first `count` items of a stratum."""
    left = [count]

    def labeller(item: StudyItem) -> str:
        if item.stratum == stratum and left[0] and item.role is ItemRole.SAMPLE:
            left[0] -= 1
            return other(item) if label is None else label
        return item.machine_label

    return labeller


def value(report: AnnotatorReport, key: str) -> float:
    found = report.agreement.find(key)
    assert found is not None, key
    assert found.value is not None, found.reason
    return found.value


def words_of(report: StudyReport, key: str) -> str:
    return " ".join(word for section in report_sections(report) if section.key == key for word in section.words)


def labels_of(report: StudyReport) -> set[str]:
    return {section.key for section in report_sections(report)}


# -- the judge -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stratum", "accepted", "theta", "agreement", "sensitivity", "specificity", "kappa"),
    [
        ("accepted", 300, 0.297, 0.997, 1, 0.9957, 0.993),
        ("rejected", 300, 0.307, 0.993, 0.977, 1, 0.983),
        ("accepted", 900, 0.891, 0.991, 1, 0.917, 0.952),
        ("rejected", 900, 0.901, 0.999, 0.9989, 1, 0.994),
    ],
)
def test_one_error_of_two_hundred_reads_as_the_specification_says(
    stratum: str,
    accepted: int,
    theta: float,
    agreement: float,
    sensitivity: float,
    specificity: float,
    kappa: float,
) -> None:
    record = make_record(
        make_design(100, 100), judged(accepted, 1000 - accepted), {("PK", Layer.BLIND): wrong_in(stratum, 1)}
    )
    report = build_report(record)
    primary = report.primary
    assert primary.matrix.agreed == 199
    assert value(primary, "corrected_accuracy") == pytest.approx(theta, abs=5e-4)
    assert value(primary, "population_agreement") == pytest.approx(agreement, abs=5e-4)
    assert value(primary, "sensitivity") == pytest.approx(sensitivity, abs=5e-4)
    assert value(primary, "specificity") == pytest.approx(specificity, abs=5e-4)
    assert value(primary, "population_kappa") == pytest.approx(kappa, abs=5e-4)
    assert value(primary, "kappa") == pytest.approx(0.99)
    found = primary.agreement.find("observed_agreement")
    assert found is not None
    assert found.interval == pytest.approx((0.9722, 0.9991), abs=5e-5)
    (bound,) = report.bounds
    # One configuration is the frame: |theta − pi1| of the table stays within the bound.
    assert bound.low <= value(primary, "corrected_accuracy") <= bound.high
    assert (bound.accepted, bound.answers) == (accepted, 1000)


def test_a_single_configuration_gets_a_bound_and_no_interval() -> None:
    """PPV 0.98, NPV 0.99: max((1 − PPV)·π, (1 − NPV)(1 − π)) on each side of the accepted share."""
    rows = judged(200, 200) + [replace_key(row, "B") for row in judged(40, 360)]

    def labeller(item: StudyItem) -> str:
        wrong = {"accepted": 2, "rejected": 1}[item.stratum]
        counted[item.stratum] = counted.get(item.stratum, 0) + 1
        return other(item) if counted[item.stratum] <= wrong else item.machine_label

    counted: dict[str, int] = {}
    design = make_design(100, 100, rule=AllocationRule.POOLED)
    report = build_report(make_record(design, rows, {("PK", Layer.BLIND): labeller}))
    assert value(report.primary, "ppv") == pytest.approx(0.98)
    assert value(report.primary, "npv") == pytest.approx(0.99)
    bounds = {bound.configuration[0]: (bound.share, bound.low, bound.high) for bound in report.bounds}
    assert bounds["A"] == pytest.approx((0.5, 0.49, 0.51))
    assert bounds["B"] == pytest.approx((0.1, 0.091, 0.109))
    (section,) = [s for s in report_sections(report) if s.key == "configurations"]
    assert "no interval" in section.words[0]


def replace_key(row: FrameRow, model: str) -> FrameRow:
    number = row.answer_id + 100_000
    return make_row(number, row.label, model)


def test_each_pool_is_corrected_by_itself() -> None:
    """Indirect: 100 of 200 accepted, 1 error there. Direct: 150 of 200 accepted, no error."""
    rows = judged(100, 100)
    rows += [
        replace(row, answer_id=AnswerId(row.answer_id + 1000), key=f"direct-{row.key}", probe_kind=ProbeKind.DIRECT)
        for row in judged(150, 50)
    ]
    done: list[StudyItem] = []

    def labeller(item: StudyItem) -> str:
        if item.page == "demise/indirect" and item.stratum == "accepted" and not done:
            done.append(item)
            return other(item)
        return item.machine_label

    report = build_report(make_record(make_design(250, 150), rows, {("PK", Layer.BLIND): labeller}))
    pools = {pool.name: pool for pool in report.pools}
    assert {name: pool.frame for name, pool in pools.items()} == {"demise/direct": 200, "demise/indirect": 200}
    thetas = {name: pool.agreement.find("corrected_accuracy") for name, pool in pools.items()}
    # All answers are labelled here, so the corrected share is the true one: (100 − 1)/200 and 150/200.
    assert {name: found and found.value for name, found in thetas.items()} == {
        "demise/direct": pytest.approx(0.75),
        "demise/indirect": pytest.approx(0.495),
    }
    assert build_report(make_record(make_design(4, 4), judged(9, 9), {})).pools == ()


def two_pools(rows: Sequence[FrameRow]) -> list[FrameRow]:
    return [
        *rows,
        *(
            replace(
                row, answer_id=AnswerId(row.answer_id + 10**6), key=f"direct-{row.key}", probe_kind=ProbeKind.DIRECT
            )
            for row in rows
        ),
    ]


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_pool_is_weighted_by_cell_where_every_cell_has_labels(is_whole: bool) -> None:
    """Accepted: 60 of A, 20 of B, all right in A, all wrong in B: 60 of 80 are right. Rejected: all are wrong (20)."""
    rows = two_pools([*judged(60, 20), *(replace_key(row, "B") for row in judged(20, 0))])

    def labeller(item: StudyItem) -> str:
        is_in_a = item.cell.startswith("accepted / A")
        if not is_whole and item.stratum == "accepted" and not is_in_a:
            return ""
        return "correct" if is_in_a else "incorrect"

    design = make_design(40, 20, rule=AllocationRule.EQUAL_BY_CONFIGURATION)
    report = build_report(make_record(design, rows, {("PK", Layer.BLIND): labeller}))
    for pool in report.pools:
        found = pool.agreement.find("ppv")
        assert found is not None
        assert found.value == pytest.approx(0.75 if is_whole else 1)
        assert pool.is_coarse is not is_whole
        assert ("each label of a stratum counting alike" in found.scope) is not is_whole


def test_a_pool_without_strata_by_label_shows_the_corrected_share() -> None:
    """All 40 answers of a pool are labelled: 20 are right."""
    strata = (Stratum("all", 80, {}),)
    design = replace(make_design(1, 1, rule=AllocationRule.POOLED), strata=strata)
    report = build_report(make_record(design, two_pools(judged(20, 20)), {("PK", Layer.BLIND): agree}))
    for pool in report.pools:
        found = pool.agreement.find("population_prevalence:correct")
        assert found is not None
        assert found.value == pytest.approx(0.5)


@pytest.mark.parametrize(("rule", "primary"), [(UnsureRule.EXCLUDED, 195 / 197), (UnsureRule.DISAGREEMENT, 0.975)])
def test_unsure_labels_are_read_three_ways_and_the_design_says_which_is_primary(
    rule: UnsureRule, primary: float
) -> None:
    """195 agree, 2 disagree, 3 unsure: 0.990 / 0.975 / 0.990."""
    left = {"accepted": ["incorrect", "incorrect", "unsure", "unsure", "unsure"], "rejected": []}

    def labeller(item: StudyItem) -> str:
        return left[item.stratum].pop() if left[item.stratum] else item.machine_label

    record = make_record(make_design(100, 100, unsure_rule=rule), judged(200, 800), {("PK", Layer.BLIND): labeller})
    found = build_report(record).primary
    assert [reading.sample.value for reading in found.readings] == pytest.approx([195 / 197, 0.975, 0.99])
    assert found.primary_reading.sample.value == pytest.approx(primary)
    # In the frame: 95/97, 95/100 or 98/100 of the accepted fifth, all of the rest.
    frame = [reading.frame.value for reading in found.readings if reading.frame]
    assert frame == pytest.approx([0.2 * 95 / 97 + 0.8, 0.2 * 0.95 + 0.8, 0.2 * 0.98 + 0.8])
    assert [case.reason for case in found.unsure] == ["why"] * 3
    sections = {section.key: section for section in report_sections(build_report(record))}
    assert sections["labels"].statistics[0].name.endswith("(primary)")
    assert sections["unsure"].table is not None


def test_broken_items_are_listed_apart_and_in_no_figure() -> None:
    record = make_record(make_design(4, 4), judged(9, 9), {("PK", Layer.BLIND): wrong_in("accepted", 1, "broken")})
    found = build_report(record).primary
    assert (found.matrix.total, found.matrix.left_out) == (7, {"broken item": 1})
    assert (len(found.broken), found.unsure, found.missing, found.disagreements) == (1, [], [], [])


@pytest.mark.parametrize("rule", [AllocationRule.POOLED, AllocationRule.EQUAL_BY_CONFIGURATION])
def test_a_sample_that_was_not_drawn_by_the_label_is_not_taken_for_one_that_was(rule: AllocationRule) -> None:
    """97 of 100 are accepted in A, 3 of 100 in B. That all labels of a cell are alike is chance, no known share."""
    rows = judged(97, 3) + [replace_key(row, "B") for row in judged(3, 97)]
    design = make_design(strata=(Stratum("all", 6, {}),), rule=rule)
    found = build_report(make_record(design, rows, {("PK", Layer.BLIND): agree})).primary
    assert found.agreement.find("judge_accuracy") is None
    assert not any("exact" in s.scope or "π₁" in s.scope for s in found.agreement.statistics)
    assert not any("drawn by the judge's label" in note for note in found.agreement.notes)
    agreement = found.agreement.find("population_agreement")
    assert agreement is not None
    assert agreement.scope == "in the frame of 200 items"


# -- failure modes -------------------------------------------------------------------------------------------

#: Constructed: 157 of 160 agree.
DEMISES = ((12, 0, 0, 0), (0, 19, 1, 0), (0, 1, 84, 0), (0, 0, 1, 42))
MODES = tuple(FailureMode)


def failures(counts: Sequence[int]) -> list[FrameRow]:
    modes = [mode for mode, count in zip(MODES, counts, strict=True) for _ in range(count)]
    return [make_failure(number, mode) for number, mode in enumerate(modes)]


def by_table(table: Sequence[Sequence[int]]) -> Labeller:
    """Labels so that the matrix is this table."""
    left = {
        row.value: [m.value for m, n in zip(MODES, counts, strict=True) for _ in range(n)]
        for row, counts in zip(MODES, table, strict=True)
    }
    return lambda item: left[item.machine_label].pop()


def modes_design(sizes: Sequence[int], mode: Mode = Mode.ASSISTED) -> StudyDesign:
    strata = tuple(Stratum(m.value, n, {"label": m.value}) for m, n in zip(MODES, sizes, strict=True))
    return make_design(kind="failure_mode", strata=strata, mode=mode)


def test_failure_modes_in_four_classes_and_three_weighted_by_the_frame() -> None:
    """Small modes taken whole: kappa 0.9699 of the sample is 0.9664 in the frame."""
    record = make_record(
        modes_design([12, 20, 85, 43]), failures([12, 20, 640, 310]), {("PK", Layer.ASSISTED): by_table(DEMISES)}
    )
    report = build_report(record)
    found = report.primary
    assert found.matrix.counts == DEMISES
    assert value(found, "kappa") == pytest.approx(0.96989, abs=5e-6)
    assert value(found, "population_agreement") == pytest.approx(0.98397279624207)
    assert value(found, "population_kappa") == pytest.approx(0.9663829357494171)
    # Indirect and no/unrelated joined: 84 + 1 + 42 on the diagonal.
    assert found.merged is not None
    assert found.merged.counts == ((12, 0, 0), (0, 19, 1), (0, 1, 127))
    assert found.merged_agreement is not None
    merged = found.merged_agreement.find("population_agreement")
    assert merged is not None
    assert merged.value == pytest.approx((12 + 19 + 640 * 84 / 85 + 310) / 982)
    words = " ".join(word for section in report_sections(report) for word in section.words)
    assert "This is verification of the classifier, not independent classification" in words


def test_parts_of_failure_modes_are_compared_where_both_have_them() -> None:
    """Of four items one has no parts, one another number of queries; of the two left one differs by its query."""
    record = make_record(modes_design([1, 1, 1, 1]), failures([1, 1, 1, 1]), {("PK", Layer.ASSISTED): agree})
    (packet,) = record.packets
    forms = {
        "explicit": ModeForm((QueryAnswer(QueryLabel.EXPLICIT),), EvidenceAnswer.NO),
        "indirect": ModeForm((QueryAnswer(QueryLabel.UNRELATED),), EvidenceAnswer.NO),
        "none": ModeForm((), EvidenceAnswer.NO),
        "reasoning": None,
    }
    items = {item.item: item for item in record.items}
    rows = [
        replace(
            row,
            answers=form.text if (form := forms[items[row.item].machine_label]) else "",
            label="none" if row.label == "indirect" else row.label,
        )
        for row in record.labels[packet.id]
    ]
    findings = {
        item.answer_id: Components((QueryClass(item.machine_label),), False)
        for item in record.items
        if item.machine_label in ("explicit", "indirect")
    }
    findings |= {
        item.answer_id: Components((QueryClass.UNRELATED,), False)
        for item in record.items
        if item.machine_label == "none"
    }
    report = build_report(replace(record, labels={packet.id: rows}, findings=findings))
    parts = report.primary.components
    assert parts is not None
    assert parts.left_out == {"another number of queries": 1, "no parts were given": 1}
    assert parts.queries.matrix.counts == ((1, 0, 0), (0, 0, 1), (0, 0, 0))
    assert parts.causes == {Cause.QUERIES: 1}
    assert {"evidence", "queries", "passages", "derived", "causes"} <= labels_of(report)


# -- reliability ---------------------------------------------------------------------------------------------


def test_repeats_give_the_agreement_of_an_annotator_with_themselves() -> None:
    """[[9, 1], [0, 10]]: 19/20 with Wilson 0.764–0.991, kappa 0.9. Repeats are in no other figure."""
    design = make_design(10, 10, repeats=20)
    changed: list[StudyItem] = []

    def labeller(item: StudyItem) -> str:
        if item.role is ItemRole.REPEAT and item.machine_label == "correct" and not changed:
            changed.append(item)
            return "incorrect"
        return item.machine_label

    report = build_report(make_record(design, judged(50, 50), {("PK", Layer.BLIND): labeller}))
    repeats = report.primary.repeats
    assert repeats is not None
    assert (repeats.shown, repeats.same.count, repeats.same.value) == (20, (19, 20), 0.95)
    assert repeats.same.interval == pytest.approx((0.763868806553258, 0.9911185511992046))
    assert repeats.kappa.value == pytest.approx(0.9)
    assert [(item.first, item.second) for item in repeats.changed] == [("correct", "incorrect")]
    assert (report.drawn, report.primary.matrix.total, report.primary.matrix.agreed) == (20, 20, 20)
    assert "repeats" in labels_of(report)


def test_a_second_annotator_is_compared_on_the_items_that_both_had() -> None:
    """Half of each stratum; DG differs on two items, is unsure of one: 7 of 9 decided ones agree."""
    design = make_design(10, 10, annotators=("PK", "DG"), overlap=0.5)
    labels = ["unsure", "incorrect", "incorrect"]

    def second(item: StudyItem) -> str:
        return labels.pop() if item.machine_label == "correct" and labels else item.machine_label

    report = build_report(
        make_record(design, judged(50, 50), {("PK", Layer.BLIND): agree, ("DG", Layer.BLIND): second})
    )
    (pair,) = report.between
    assert (pair.matrix.counts, pair.matrix.left_out) == (((2, 2), (0, 5)), {"unsure": 1})
    assert len(pair.differing) == 3
    found = pair.agreement.find("observed_agreement")
    assert found is not None
    assert found.count == (7, 9)
    assert pair.agreement.find("precision:correct") is None
    assert report.annotators[1].missing == []
    assert len(report.annotators[1].cases) == 10


def test_adjudicated_labels_are_secondary_and_the_first_ones_stay_primary() -> None:
    design = make_design(10, 10, annotators=("PK", "DG"))

    def adjudicator(item: StudyItem) -> str:
        return item.machine_label if item.stratum == "accepted" else ""

    given = {
        ("PK", Layer.BLIND): wrong_in("accepted", 2),
        ("DG", Layer.BLIND): agree,
        ("AB", Layer.ADJUDICATION): adjudicator,
    }
    report = build_report(make_record(design, judged(50, 50), given))
    assert report.primary.matrix.counts == ((8, 2), (0, 10))
    assert report.adjudicated is not None
    assert report.adjudicated.matrix.counts == ((10, 0), (0, 10))
    assert report.adjudicated.annotator == "AB"
    titles = [section.title for section in report_sections(report)]
    assert titles.index("PK, blind (primary)") < titles.index("AB, adjudication (secondary)")
    assert report.own_adjudicators == ()
    assert "not independent" not in words_of(report, "labels")


def test_an_annotator_who_adjudicates_is_told() -> None:
    design = make_design(10, 10, annotators=("PK", "DG"))
    given = {
        ("PK", Layer.BLIND): wrong_in("accepted", 2),
        ("DG", Layer.BLIND): agree,
        ("dg", Layer.ADJUDICATION): agree,
    }
    report = build_report(make_record(design, judged(50, 50), given))
    assert report.own_adjudicators == ("dg",)
    assert "dg decided where labels of their own were disputed" in words_of(report, "labels")


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_part_of_the_frame_without_a_label_is_told(is_whole: bool) -> None:
    """Without one it can't be weighted by stratum and configuration, and the report says which part it is."""
    rows = [replace_key(row, "AB"[number % 2]) for number, row in enumerate(judged(40, 40))]

    def labeller(item: StudyItem) -> str:
        return item.machine_label if is_whole or item.cell != gone else ""

    design = make_design(8, 8, rule=AllocationRule.EQUAL_BY_CONFIGURATION)
    gone = sorted({item.cell for item in make_record(design, rows, {}).sample})[0]
    report = build_report(make_record(design, rows, {("PK", Layer.BLIND): labeller}))
    assert report.primary.is_by_cell is is_whole
    assert report.primary.empty_cells == (() if is_whole else (gone,))
    assert (f"Parts without any label: 1 ({gone})" in words_of(report, "labels")) is not is_whole


def test_three_annotators_have_an_alpha() -> None:
    design = make_design(10, 10, annotators=("A", "B", "C"))
    given = {("A", Layer.BLIND): agree, ("B", Layer.BLIND): agree, ("C", Layer.BLIND): wrong_in("accepted", 5)}
    report = build_report(make_record(design, judged(50, 50), given))
    assert report.alpha is not None
    # 60 labels, 25 of them correct; 5 items with 2 : 1, each (9 − 4 − 1)/2 = 2. Chance: 2·25·35 of 60·59 pairs.
    assert report.alpha.value == pytest.approx(1 - (5 * 2 / 60) / (2 * 25 * 35 / (60 * 59)))


def test_blind_against_revealed_is_an_estimate_of_anchoring() -> None:
    """100 items: 80 agree blind; revealed, 12 of the others move to the classifier, 2 of the 80 away: 90."""
    place: dict[str, int] = {}

    def blind(item: StudyItem) -> str:
        place[item.item] = len(place)
        return (
            item.machine_label
            if place[item.item] >= 20
            else MODES[(MODES.index(FailureMode(item.machine_label)) + 1) % 4].value
        )

    def revealed(item: StudyItem) -> str:
        number = place[item.item]
        is_off = 12 <= number < 20 or number >= 98
        return MODES[(MODES.index(FailureMode(item.machine_label)) + 1) % 4].value if is_off else item.machine_label

    design = modes_design([25, 25, 25, 25], mode=Mode.BLIND_THEN_REVEALED)
    given = {("PK", Layer.BLIND): blind, ("PK", Layer.REVEALED): revealed}
    report = build_report(make_record(design, failures([25, 25, 25, 25]), given))
    (found,) = report.anchoring
    assert (found.blind.count, found.revealed.count) == ((80, 100), (90, 100))
    assert (found.towards, found.away, found.between) == (12, 2, 0)
    assert found.difference.value == pytest.approx(0.1)
    # 2·(1 + 14 + 91) − 91 of 2¹⁴: mid-p of 12 against 2.
    assert found.p.value == pytest.approx(121 / 16384)
    assert found.difference.interval is not None
    assert found.difference.interval[0] > 0
    assert report.primary.layer is Layer.BLIND
    assert [each.layer for each in report.revealed] == [Layer.REVEALED]


def test_practice_is_told_round_by_round_and_in_no_figure() -> None:
    practice = [
        PracticeItem(ItemId(f"{n:016x}"), "demise/indirect", {"answer": str(n)}, "correct", "because")
        for n in (101, 102)
    ]
    design = make_design(4, 4, practice=2, practice_mark=1.0)
    record = make_record(design, judged(9, 9), {("PK", Layer.BLIND): agree}, practice)
    ids = [ItemId(entry["item"]) for entry in record.study.manifest["practice"]]
    labels = ["correct", "incorrect", "correct", "correct"]
    log = [PracticeLabel(n, ids[n % 2], label) for n, label in enumerate(labels)]
    (packet,) = record.packets
    (found,) = build_report(replace(record, practice={packet.id: log})).practice
    assert [(each.right, each.is_passed) for each in found.rounds] == [(1, False), (2, True)]
    assert found.is_passed


# -- time, texts, notes --------------------------------------------------------------------------------------


def test_labels_that_came_too_late_are_told_and_left_out() -> None:
    record = make_record(make_design(4, 4), judged(9, 9), {("PK", Layer.BLIND): agree})
    (packet,) = record.packets
    log: list[LogEntry] = []
    for step, detail in (
        (StudyStep.RETURN, {"packet": packet.id, "new_rows": 5}),
        (StudyStep.UNBLIND, {}),
        (LATE, {"packet": packet.id, "new_rows": 3, "late": "the study is unblinded"}),
        (StudyStep.AMEND, {"reason": "Three labels came late."}),
    ):
        log.append(next_entry(log[-1] if log else None, "2026-11-30", "tests", step, detail))
    report = build_report(replace(record, log=log))
    assert (report.primary.labelled, len(report.primary.missing), len(report.primary.late)) == (5, 3, 3)
    assert report.amendments[0].reason == "Three labels came late."
    assert any("3 labels came too late" in words for section in report_sections(report) for words in section.words)


def test_a_changed_codebook_lists_the_labels_to_redo() -> None:
    record = make_record(make_design(4, 4), judged(9, 9), {("PK", Layer.BLIND): agree})
    assert build_report(replace(record, pages=PAGES)).changed_pages == ()
    (change,) = build_report(replace(record, pages={**PAGES, "demise/indirect": "Criteria.\nMore."})).changed_pages
    assert (change.page, len(change.items), change.added, change.removed) == ("demise/indirect", 8, 1, 0)
    (gone,) = build_report(replace(record, pages={"demise/direct": "Others."})).changed_pages
    assert gone.is_gone


def test_the_report_says_what_the_labels_were_blind_to() -> None:
    record = make_record(make_design(4, 4), judged(9, 9), {("PK", Layer.BLIND): agree})
    exposed = [Exposure(AnswerId(1), "PK", "2026-11-30")]
    record = replace(record, masked={"answer": 3}, exposures=exposed)
    sections = {section.key: section for section in report_sections(build_report(record))}
    words = " ".join(sections["study"].words)
    for part in ("blind to the judge's label", "Blinding to the model is partial", "3 in answer", "One annotator"):
        assert part in words
    assert sections["exposures"].table is not None
    assert sections["exposures"].table.rows[0][1:3] == ("PK", "annotator")


def test_nothing_labelled_is_undefined_with_reasons_and_never_zero() -> None:
    report = build_report(make_record(make_design(4, 4), judged(9, 9), {}))
    for section in report_sections(report):
        for statistic in section.statistics:
            if statistic.key not in ("judge_accuracy",):
                assert statistic.value is None
                assert statistic.reason
    assert report.primary.matrix.left_out == {"no human label": 8}
    assert study_kind("judge_verdict").machine == report.machine_role
