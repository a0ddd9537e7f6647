"""The cases behind one cell of a report's matrix: every number leads back to what it counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from btc_gui.domain.component_agreement import ComparedItem
from btc_gui.domain.report_sections import ReportSection
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study_record import LabelledCase
from btc_gui.domain.study_report import AnnotatorReport, StudyReport
from btc_gui.domain.trajectory import AnswerId


def answers_in(report: StudyReport, section: ReportSection, row: str, column: str) -> tuple[AnswerId, ...]:
    """The answers counted in one cell of a section's matrix, each once; empty for a section without a matrix."""
    return tuple(dict.fromkeys(_answers(report, section, row, column)))


def _answers(report: StudyReport, section: ReportSection, row: str, column: str) -> Iterator[AnswerId]:
    if section.key == "between":
        yield from _between(report, section, row, column)
    elif section.key == "pool":
        yield from _of(
            [
                case
                for case in report.primary.cases
                if case.page == section.who and (case.machine, case.human) == (row, column)
            ]
        )
    else:
        found = next(
            (each for each in report.all_layers if f"{each.annotator}, {each.layer.value}" == section.who), None
        )
        if found is not None:
            yield from _of_annotator(report, section.key, found, row, column)


def _of_annotator(report: StudyReport, key: str, found: AnnotatorReport, row: str, column: str) -> Iterator[AnswerId]:
    groups = study_kind(report.study.design.kind).merged if key == "merged" else {}
    if key in ("labels", "merged"):
        for machine in groups.get(row, (row,)):
            for human in groups.get(column, (column,)):
                yield from _of(found.cases_of(machine, human))
        return
    for item in found.components.items if found.components else ():
        if (row, column) in _pairs(key, item):
            yield item.answer_id


def _pairs(key: str, item: ComparedItem) -> list[tuple[str, str]]:
    """The pairs of one item that the matrix of its evidence, queries or derived mode counts."""
    if key == "evidence":
        return [(_has(item.machine.evidence), _has(item.human.evidence))]
    if key == "queries":
        labels = zip(item.machine.queries, item.human.queries, strict=True)
        return [(machine.value, human.value) for machine, human in labels if machine and human]
    if key == "derived" and item.human.mode is not None:
        return [(item.machine_mode, item.human.mode.text)]
    return []


def _has(evidence: bool | None) -> str:
    return {True: "evidence", False: "no evidence", None: ""}[evidence]


def _between(report: StudyReport, section: ReportSection, row: str, column: str) -> Iterator[AnswerId]:
    by_name = {each.annotator: each for each in report.annotators}
    pair = next(
        (p for p in report.between if p.matrix is section.matrix or f"{p.first} and {p.second}" == section.title), None
    )
    if pair is None:
        return
    theirs = {case.item: case.human for case in by_name[pair.second].cases}
    yield from _of([c for c in by_name[pair.first].cases if (c.human, theirs.get(c.item)) == (row, column)])


def _of(cases: Sequence[LabelledCase]) -> list[AnswerId]:
    return [case.answer_id for case in cases]
