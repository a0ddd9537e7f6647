"""Every cell of every matrix of a report leads to the answers that it counts."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.component_agreement import Components
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.mode_form import EvidenceAnswer, ModeForm, QueryAnswer, QueryLabel
from btc_gui.domain.packet import Layer
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.report_cells import answers_in
from btc_gui.domain.report_sections import ReportSection, report_sections
from btc_gui.domain.study_report import StudyReport, build_report
from btc_gui.domain.trajectory import AnswerId
from tests.domain.test_study_report import agree, failures, judged, make_record, modes_design, wrong_in
from tests.study_builders import make_design


def matrices(report: StudyReport) -> dict[str, ReportSection]:
    return {section.key: section for section in report_sections(report) if section.matrix is not None}


def found_in(report: StudyReport, section: ReportSection) -> tuple[tuple[int, ...], ...]:
    """How many answers each cell leads to."""
    assert section.matrix is not None
    classes = section.matrix.classes
    return tuple(tuple(len(answers_in(report, section, row, column)) for column in classes) for row in classes)


def test_labels_of_a_judge_study_pool_by_pool_and_between_annotators() -> None:
    rows = judged(9, 9)
    rows += [
        replace(row, answer_id=AnswerId(row.answer_id + 100), key=f"direct-{row.key}", probe_kind=ProbeKind.DIRECT)
        for row in judged(6, 6)
    ]
    design = make_design(15, 15, annotators=("PK", "DG"))
    given = {("PK", Layer.BLIND): wrong_in("accepted", 3), ("DG", Layer.BLIND): agree}
    report = build_report(make_record(design, rows, given))
    for section in report_sections(report):
        if section.matrix is not None:
            assert found_in(report, section) == section.matrix.counts, section.title
    assert {"labels", "pool", "between"} <= set(matrices(report))
    section = next(s for s in report_sections(report) if s.key == "labels")
    wrong = answers_in(report, section, "correct", "incorrect")
    assert len(wrong) == 3
    assert wrong == tuple(case.answer_id for case in report.primary.disagreements)


def test_modes_joined_classes_and_components() -> None:
    """Joined classes hold the cases of both; a query's cell opens its answer once, however many queries it counts."""
    record = make_record(
        modes_design([2, 2, 3, 3]), failures([2, 2, 3, 3]), {("PK", Layer.ASSISTED): lambda item: "indirect"}
    )
    form = ModeForm(
        queries=(QueryAnswer(QueryLabel.INDIRECT), QueryAnswer(QueryLabel.INDIRECT)),
        evidence=EvidenceAnswer.NO,
        has_opened=True,
    )
    (packet,) = record.labels
    labels = [replace(row, answers=form.text) for row in record.labels[packet]]
    machine = Components((QueryClass.EXPLICIT, QueryClass.EXPLICIT), evidence=False)
    findings = {item.answer_id: machine for item in record.items}
    report = build_report(replace(record, labels={packet: labels}, findings=findings))
    sections = matrices(report)
    assert {"labels", "merged", "evidence", "queries", "derived"} <= set(sections)
    for key in ("labels", "merged", "evidence", "derived"):
        matrix = sections[key].matrix
        assert matrix is not None
        assert found_in(report, sections[key]) == matrix.counts, key
    queries = sections["queries"]
    assert queries.matrix is not None
    assert queries.matrix.cell("explicit", "indirect") == 20
    assert len(answers_in(report, queries, "explicit", "indirect")) == 10
    assert answers_in(report, queries, "indirect", "explicit") == ()
