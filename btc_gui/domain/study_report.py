"""What an unblinded study says: every drawn answer in one cell of a matrix, or counted among those left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from btc_gui.domain.agreement_report import AgreementReport, agreement_report
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.packet import GivenLabel, ItemId, Layer, Mode, summarise
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import UNSURE, Exclusion
from btc_gui.domain.study import Exposure, IssuedPacket, Study
from btc_gui.domain.study_draw import StudyItem, cell_name
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.weighted_agreement import TableStratum

#: Under which name answers without a machine label are listed among those left out of a matrix.
UNSCORED = "unscored and never drawn"


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """One drawn answer with both labels, by the names that matrices use. An empty `human` is a missing label.

    `human` is the first label that was not withdrawn; `changed_to` is a later other one, which is not analysed.
    """

    item: ItemId
    answer_id: AnswerId
    event: str
    key: str
    stratum: str
    cell: str
    frame_count: int
    weight: float
    machine: str
    human: str
    changed_to: str = ""
    reason: str = ""
    note: str = ""
    active_seconds: float = 0.0
    at: str = ""


@dataclass(frozen=True, slots=True)
class AnnotatorReport:
    """One annotator's labels against the machine's. `merged` is the smaller matrix of kinds that join classes.

    `agreement` weights every label by what it stands for in the frame. A design that takes as many answers from
    small configurations as from large ones has a second reading, in `averaged`: each configuration of a stratum
    counts alike.
    """

    annotator: str
    layer: Layer
    packet: str
    matrix: ConfusionMatrix
    merged: ConfusionMatrix | None
    agreement: AgreementReport
    averaged: AgreementReport | None
    cases: tuple[LabelledCase, ...]
    withdrawn: int
    changed: int

    def cases_of(self, machine: str, human: str) -> list[LabelledCase]:
        """The cases behind one cell of the matrix."""
        return [case for case in self.cases if (case.machine, case.human) == (machine, human)]

    @property
    def labelled(self) -> int:
        """How many items have a label, unsure ones included."""
        return sum(1 for case in self.cases if case.human)

    @property
    def unsure(self) -> list[LabelledCase]:
        """The cases that the annotator was unsure about, with reasons."""
        return [case for case in self.cases if case.human == UNSURE.value]

    @property
    def missing(self) -> list[LabelledCase]:
        """The cases without a label."""
        return [case for case in self.cases if not case.human]

    @property
    def active_seconds(self) -> float:
        """Time spent, pauses and idle time left out."""
        return sum(case.active_seconds for case in self.cases)


@dataclass(frozen=True, slots=True)
class StudyReport:
    """All of a study after unblinding. The first annotator is the primary one.

    `between` compares annotators with each other, pair by pair. `frame_labels` is how often the machine gave each
    label in the frozen frame: the shares that figures about the benchmark are weighted with.
    """

    study: Study
    kind: str
    mode: Mode
    machine_role: str
    machine: str
    annotators: tuple[AnnotatorReport, ...]
    between: tuple[ConfusionMatrix, ...]
    frame_labels: Mapping[str, int]
    excluded: Mapping[str, int]
    drawn: int
    events: int
    exposures: tuple[Exposure, ...]
    problems: tuple[str, ...]

    @property
    def primary(self) -> AnnotatorReport:
        """The report of the primary annotator."""
        return self.annotators[0]

    @property
    def frame_shares(self) -> dict[str, float]:
        """Each label's share of the frozen frame (π₁ is that of “correct”)."""
        total = sum(self.frame_labels.values())
        return {label: count / total for label, count in self.frame_labels.items()} if total else {}


def build_report(
    study: Study,
    items: Sequence[StudyItem],
    packets: Sequence[IssuedPacket],
    labels: Mapping[str, Sequence[GivenLabel]],
    events: Mapping[AnswerId, str],
    exposures: Sequence[Exposure],
    problems: Sequence[str],
) -> StudyReport:
    """Join the key with the labels (by packet id). An annotator without a packet has all items missing."""
    kind = study_kind(study.design.kind)
    frame = study.manifest["frame"]
    by_annotator = {packet.annotator: packet for packet in packets}
    reports = [
        _annotator(study, name, by_annotator.get(name), items, labels, events) for name in study.design.annotators
    ]
    return StudyReport(
        study=study,
        kind=kind.title,
        mode=study.design.mode,
        machine_role=kind.machine,
        machine=study.machine,
        annotators=tuple(reports),
        between=tuple(_between(study, first, second) for first, second in combinations(reports, 2)),
        frame_labels={kind.classes.get(label, label): count for label, count in frame["by_label"].items()},
        excluded=dict(frame["excluded"]),
        drawn=len(items),
        events=len({events.get(item.answer_id, "") for item in items}),
        exposures=tuple(exposures),
        problems=tuple(problems),
    )


def _annotator(
    study: Study,
    name: str,
    packet: IssuedPacket | None,
    items: Sequence[StudyItem],
    labels: Mapping[str, Sequence[GivenLabel]],
    events: Mapping[AnswerId, str],
) -> AnnotatorReport:
    kind = study_kind(study.design.kind)
    summary = summarise(labels.get(packet.id, ()) if packet else ())
    cases = []
    for item in items:
        given, latest = summary.analysed.get(item.item), summary.latest.get(item.item)
        case = LabelledCase(
            item=item.item,
            answer_id=item.answer_id,
            event=events.get(item.answer_id, ""),
            key=item.key,
            stratum=item.stratum,
            cell=item.cell,
            frame_count=item.frame_count,
            weight=item.weight,
            machine=kind.classes.get(item.machine_label, item.machine_label),
            human="",
        )
        if given is not None and latest is not None:
            case = replace(
                case,
                human=kind.classes.get(given.label, given.label),
                changed_to=kind.classes.get(latest.label, latest.label) if latest.label != given.label else "",
                reason=given.reason,
                note=given.note,
                active_seconds=given.active_seconds,
                at=given.at,
            )
        cases.append(case)
    matrix = ConfusionMatrix.from_pairs(
        [(case.machine, case.human) for case in cases],
        tuple(kind.classes.values()),
        rows_name=kind.machine,
        columns_name="human",
        unsure=(UNSURE.value,),
    )
    unscored = study.manifest["frame"]["excluded"].get(Exclusion.UNSCORED.value, 0)
    if unscored:
        matrix = replace(matrix, left_out={**matrix.left_out, UNSCORED: unscored})
    agreement, averaged = _agreement(study, matrix, cases)
    return AnnotatorReport(
        annotator=name,
        layer=packet.layer if packet else study.design.mode.layers[0],
        packet=packet.id if packet else "",
        matrix=matrix,
        merged=matrix.merged(kind.merged) if kind.merged else None,
        agreement=agreement,
        averaged=averaged,
        cases=tuple(cases),
        withdrawn=summary.withdrawn,
        changed=summary.changed,
    )


def _agreement(
    study: Study, matrix: ConfusionMatrix, cases: Sequence[LabelledCase]
) -> tuple[AgreementReport, AgreementReport | None]:
    """The statistics weighted by cell, and by stratum where that is another thing.

    A cell of the frame without any label makes the weighting by cell impossible: then strata are all there is.
    """
    sizes: Counter[str] = Counter()
    cells: dict[str, int] = {}
    for cell in study.manifest["cells"]:
        sizes[cell["stratum"]] += cell["frame"]
        cells[cell_name(cell["stratum"], cell["configuration"])] = cell["frame"]
    in_matrix = [c for c in cases if c.machine in matrix.classes and c.human in matrix.classes]
    events: dict[str, tuple[int, int]] = {}
    for case in in_matrix:
        agreed, labels = events.get(case.event, (0, 0))
        events[case.event] = (agreed + (case.machine == case.human), labels + 1)
    by_stratum = _tables(matrix, sizes, [(case.stratum, case) for case in in_matrix])
    by_cell = _tables(matrix, cells, [(case.cell, case) for case in in_matrix])
    assisted = study.design.mode is not Mode.BLIND
    coarse = agreement_report(matrix, strata=by_stratum, events=events, assisted=assisted)
    is_covered = all(table.n for table in by_cell if table.frame_size)
    if not is_covered or len(by_cell) == len(by_stratum):
        return coarse, None
    fine = agreement_report(matrix, strata=by_cell, sample=coarse.sample, events=events, assisted=assisted)
    return fine, coarse


def _tables(
    matrix: ConfusionMatrix, sizes: Mapping[str, int], cases: Sequence[tuple[str, LabelledCase]]
) -> list[TableStratum]:
    """The table of each part of the frame, with the part's size."""
    place = {name: index for index, name in enumerate(matrix.classes)}
    counts = {part: [[0] * len(place) for _ in place] for part in sizes}
    for part, case in cases:
        counts[part][place[case.machine]][place[case.human]] += 1
    return [TableStratum(part, size, tuple(map(tuple, counts[part]))) for part, size in sizes.items()]


def _between(study: Study, first: AnnotatorReport, second: AnnotatorReport) -> ConfusionMatrix:
    kind = study_kind(study.design.kind)
    theirs = {case.item: case.human for case in second.cases}
    return ConfusionMatrix.from_pairs(
        [(case.human, theirs.get(case.item)) for case in first.cases],
        tuple(kind.classes.values()),
        rows_name=first.annotator,
        columns_name=second.annotator,
        unsure=(UNSURE.value,),
    )
