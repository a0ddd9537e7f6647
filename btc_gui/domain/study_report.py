"""What an unblinded study says: every drawn answer in one cell of a matrix, or counted among those left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from btc_gui.domain.agreement_report import AgreementReport, Statistic, agreement_report
from btc_gui.domain.codebook_change import PageChange, changed_pages
from btc_gui.domain.component_agreement import (
    ComparedItem,
    ComponentAgreement,
    component_agreement,
    components_of,
    share_statistic,
)
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.mode_form import ModeForm
from btc_gui.domain.packet import GivenLabel, Layer, Mode
from btc_gui.domain.reliability import (
    Anchoring,
    PairAgreement,
    PracticeResult,
    Repeats,
    alpha_of_all,
    anchoring_of,
    pairs_of,
    practice_results,
    repeats_of,
)
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import BROKEN, UNSURE, Exclusion
from btc_gui.domain.study import Exposure, Study, StudyStep, UnsureRule
from btc_gui.domain.study_draw import cell_name
from btc_gui.domain.study_pools import ConfigurationBound, Pool, configuration_bounds, pools, tables
from btc_gui.domain.study_record import LabelledCase, LabelledPacket, StudyRecord, labelled_packet
from btc_gui.domain.weighted_agreement import TableStratum, weighted_agreement

#: Under which name answers without a machine label are listed among those left out of a matrix.
UNSCORED = "unscored and never drawn"


@dataclass(frozen=True, slots=True)
class UnsureReading:
    """The agreement with unsure labels left out, as disagreement, or as agreement: of the sample and in the frame.

    The design fixes which one is primary; all three are always told.
    """

    words: str
    sample: Statistic
    frame: Statistic | None
    is_primary: bool


@dataclass(frozen=True, slots=True)
class AnnotatorReport:
    """One annotator's labels of one layer against the machine's. `merged` is the smaller matrix of kinds that join
    classes, `merged_agreement` its statistics.

    `agreement` weights every label by what it stands for in the frame. A design that draws from each configuration
    has a second reading, in `averaged`: each label of a stratum counts alike, so that a configuration counts by its
    labels, not by its size. `parts` are the sizes of the parts of the frame that the labels are weighted by: cells,
    or strata (`is_by_cell` is false) where `empty_cells` have no label. `late` labels came too late and are
    in no figure.
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
    is_by_cell: bool = False
    parts: Mapping[str, int] = field(default_factory=dict)
    empty_cells: tuple[str, ...] = ()
    merged_agreement: AgreementReport | None = None
    readings: tuple[UnsureReading, ...] = ()
    late: tuple[GivenLabel, ...] = ()
    components: ComponentAgreement | None = None
    repeats: Repeats | None = None

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
        return [case for case in self.cases if case.is_unsure]

    @property
    def broken(self) -> list[LabelledCase]:
        """The cases that the annotator could not label, with reasons."""
        return [case for case in self.cases if case.is_broken]

    @property
    def missing(self) -> list[LabelledCase]:
        """The cases without a label."""
        return [case for case in self.cases if not case.human]

    @property
    def disagreements(self) -> list[LabelledCase]:
        """The cases off the diagonal."""
        classes = self.matrix.classes
        return [c for c in self.cases if c.machine in classes and c.human in classes and not c.agrees]

    @property
    def active_seconds(self) -> float:
        """Time spent, pauses and idle time left out."""
        return sum(case.active_seconds for case in self.cases)

    @property
    def primary_reading(self) -> UnsureReading:
        """The agreement by the rule that the design fixed for unsure labels."""
        return next(reading for reading in self.readings if reading.is_primary)


@dataclass(frozen=True, slots=True)
class Amendment:
    """A deviation from the plan that was noted after unblinding."""

    at: str
    actor: str
    reason: str


@dataclass(frozen=True, slots=True)
class StudyReport:
    """All of a study after unblinding. The first annotator is the primary one.

    `annotators` hold the first layer of everybody, `revealed` the second layer of a blind-then-revealed study with
    what the revelation did in `anchoring`. `adjudicated` is the primary annotator with the adjudicator's labels in
    place of the disputed ones: a secondary figure. `between` compares annotators with each other, pair by pair.
    `frame_labels` is how often the machine gave each label in the frozen frame: the shares that figures about the
    benchmark are weighted with. `masked` counts masked passages by field; `record` is all that this was made from.
    """

    study: Study
    kind: str
    mode: Mode
    machine_role: str
    machine: str
    record: StudyRecord = field(repr=False)
    annotators: tuple[AnnotatorReport, ...]
    between: tuple[PairAgreement, ...]
    frame_labels: Mapping[str, int]
    excluded: Mapping[str, int]
    drawn: int
    events: int
    exposures: tuple[Exposure, ...]
    problems: tuple[str, ...]
    revealed: tuple[AnnotatorReport, ...] = ()
    anchoring: tuple[Anchoring, ...] = ()
    adjudicated: AnnotatorReport | None = None
    alpha: Statistic | None = None
    pools: tuple[Pool, ...] = ()
    bounds: tuple[ConfigurationBound, ...] = ()
    practice: tuple[PracticeResult, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)
    changed_pages: tuple[PageChange, ...] = ()
    amendments: tuple[Amendment, ...] = ()

    @property
    def primary(self) -> AnnotatorReport:
        """The report of the primary annotator."""
        return self.annotators[0]

    @property
    def all_layers(self) -> tuple[AnnotatorReport, ...]:
        """Every annotator and layer, adjudication last."""
        return (*self.annotators, *self.revealed, *((self.adjudicated,) if self.adjudicated else ()))

    @property
    def own_adjudicators(self) -> tuple[str, ...]:
        """Annotators of the study who also adjudicated it: they decided on labels of their own."""
        packets = self.record.packets
        names = dict.fromkeys(each.annotator for each in packets if each.layer is Layer.ADJUDICATION)
        own = {name.casefold() for name in self.study.design.annotators}
        return tuple(name for name in names if name.casefold() in own)

    @property
    def log_hashes(self) -> dict[str, str]:
        """The hash of the log when the study was closed and when it was unblinded: each vouches for all before it.

        They were printed then, so that they could be published; later lines don't change them.
        """
        steps = {StudyStep.CLOSE: "closed", StudyStep.UNBLIND: "unblinded"}
        return {words: e.hash for step, words in steps.items() for e in self.record.log if e.step == step}

    @property
    def frame_shares(self) -> dict[str, float]:
        """Each label's share of the frozen frame (π₁ is that of “correct”)."""
        total = sum(self.frame_labels.values())
        return {label: count / total for label, count in self.frame_labels.items()} if total else {}


def build_report(record: StudyRecord) -> StudyReport:
    """Join the key with the labels. An annotator without a packet has all items missing."""
    study = record.study
    kind = study_kind(study.design.kind)
    frame = study.manifest["frame"]
    classes = tuple(kind.classes.values())
    first, *later = study.design.mode.layers
    packets = [labelled_packet(record, name, first) for name in study.design.annotators]
    reports = [_annotator(record, labelled) for labelled in packets]
    revealed = [
        labelled_packet(record, name, layer)
        for layer in later
        for name in study.design.annotators
        if record.packet_of(name, layer) is not None
    ]
    blind = {labelled.annotator: labelled for labelled in packets}
    is_two_classes = len(classes) == 2
    primary = reports[0]
    accepted = next(iter(kind.classes))
    return StudyReport(
        study=study,
        kind=kind.title,
        mode=study.design.mode,
        machine_role=kind.machine,
        machine=study.machine,
        record=record,
        annotators=tuple(reports),
        between=pairs_of(packets, classes),
        frame_labels={kind.classes.get(label, label): count for label, count in frame["by_label"].items()},
        excluded=dict(frame["excluded"]),
        drawn=len(record.sample),
        events=len({record.events.get(item.answer_id, "") for item in record.sample}),
        exposures=tuple(record.exposures),
        problems=tuple(record.problems),
        revealed=tuple(_annotator(record, labelled) for labelled in revealed),
        anchoring=tuple(anchoring_of(blind[two.annotator], two, kind.machine) for two in revealed),
        adjudicated=_adjudicated(record, packets[0]),
        alpha=alpha_of_all(packets, classes),
        pools=pools(study, primary.cases, classes, kind.machine) if is_two_classes else (),
        bounds=configuration_bounds(
            study.manifest, accepted, primary.agreement.find("ppv"), primary.agreement.find("npv")
        )
        if is_two_classes
        else (),
        practice=practice_results(record),
        masked=dict(record.masked),
        changed_pages=changed_pages(study.pages, record.pages, record.items) if record.pages else (),
        amendments=tuple(
            Amendment(entry.at, entry.actor, str(entry.detail.get("reason", "")))
            for entry in record.log
            if entry.step == StudyStep.AMEND
        ),
    )


def _adjudicated(record: StudyRecord, primary: LabelledPacket) -> AnnotatorReport | None:
    """The primary annotator's cases with the adjudicator's labels in place of the disputed ones."""
    packets = [packet for packet in record.packets if packet.layer is Layer.ADJUDICATION]
    settled: dict[str, LabelledCase] = {}
    for packet in packets:
        labelled = labelled_packet(record, packet.annotator, Layer.ADJUDICATION, record.sample)
        settled.update({case.item: case for case in labelled.cases if case.human})
    if not settled:
        return None
    cases = tuple(settled.get(case.item, case) for case in primary.cases)
    names = ", ".join(dict.fromkeys(packet.annotator for packet in packets))
    return _annotator(record, replace(primary, annotator=names, layer=Layer.ADJUDICATION, cases=cases, late=()))


def _annotator(record: StudyRecord, labelled: LabelledPacket) -> AnnotatorReport:
    study = record.study
    kind = study_kind(study.design.kind)
    cases = labelled.cases
    matrix = ConfusionMatrix.from_pairs(
        [(case.machine, case.human) for case in cases],
        tuple(kind.classes.values()),
        rows_name=kind.machine,
        columns_name="human",
        unsure=(UNSURE.value,),
        broken=(BROKEN.value,),
    )
    unscored = study.manifest["frame"]["excluded"].get(Exclusion.UNSCORED.value, 0)
    if unscored:
        matrix = replace(matrix, left_out={**matrix.left_out, UNSCORED: unscored})
    is_assisted = labelled.layer.shows_machine
    parts = _Parts(study, matrix, cases)
    agreement, averaged = _agreement(matrix, parts, is_assisted)
    merged = matrix.merged(kind.merged) if kind.merged else None
    is_adjudicated = labelled.layer is Layer.ADJUDICATION
    return AnnotatorReport(
        annotator=labelled.annotator,
        layer=labelled.layer,
        packet=labelled.packet or "",
        matrix=matrix,
        merged=merged,
        agreement=agreement,
        averaged=averaged,
        cases=cases,
        withdrawn=labelled.summary.withdrawn,
        changed=labelled.summary.changed,
        is_by_cell=parts.is_fine,
        parts=parts.sizes,
        empty_cells=parts.empty_cells,
        merged_agreement=_merged_agreement(merged, kind.merged, parts, is_assisted) if merged is not None else None,
        readings=tuple(_readings(study.design.unsure_rule, agreement, parts)),
        late=labelled.late,
        components=None if is_adjudicated else _components(record, cases),
        repeats=None if is_adjudicated else repeats_of(record, labelled),
    )


# -- weights -------------------------------------------------------------------------------------------------


class _Parts:
    """The parts of the frame, by cell and by stratum, with the labelled cases of each."""

    def __init__(self, study: Study, matrix: ConfusionMatrix, cases: Sequence[LabelledCase]) -> None:
        self.matrix = matrix
        self.cases = cases
        self.rows_fixed = study.design.rows_fixed
        self.strata: Counter[str] = Counter()
        self.cells: dict[str, int] = {}
        for cell in study.manifest["cells"]:
            self.strata[cell["stratum"]] += cell["frame"]
            self.cells[cell_name(cell["stratum"], cell["configuration"])] = cell["frame"]
        self.by_stratum = tables(matrix, self.strata, [(case.stratum, case) for case in cases])
        self.by_cell = tables(matrix, self.cells, [(case.cell, case) for case in cases])
        # A cell of the frame without any label makes the weighting by cell impossible: then strata are all there is.
        has_cells = len(self.by_cell) != len(self.by_stratum)
        empty = [table.name for table in self.by_cell if table.frame_size and not table.n]
        self.empty_cells = tuple(empty) if has_cells and matrix.total else ()
        self.is_fine = has_cells and not empty

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the parts that the statistics of the benchmark are weighted by."""
        return self.cells if self.is_fine else dict(self.strata)

    @property
    def best(self) -> list[TableStratum]:
        """The tables that the statistics of the benchmark are weighted by."""
        return self.by_cell if self.is_fine else self.by_stratum

    def agreement_with(self, unsure: int) -> tuple[int, int, list[TableStratum]]:
        """Agreed and all labels, and tables of agree and disagree, with unsure labels as agreement (1), as
        disagreement (0) or left out (−1)."""
        sizes = self.sizes
        counts = {part: [0, 0] for part in sizes}
        for case in self.cases:
            is_label = case.machine in self.matrix.classes and case.human in self.matrix.classes
            if is_label or (case.is_unsure and unsure >= 0):
                agrees = case.agrees if is_label else bool(unsure)
                counts[case.cell if self.is_fine else case.stratum][0 if agrees else 1] += 1
        found = [TableStratum(part, size, ((counts[part][0], counts[part][1]), (0, 0))) for part, size in sizes.items()]
        agreed = sum(each[0] for each in counts.values())
        return agreed, sum(map(sum, counts.values())), found


def _agreement(
    matrix: ConfusionMatrix, parts: _Parts, is_assisted: bool
) -> tuple[AgreementReport, AgreementReport | None]:
    """The statistics weighted by cell, and by stratum where that is another thing."""
    events: dict[str, tuple[int, int]] = {}
    for case in parts.cases:
        if case.machine in matrix.classes and case.human in matrix.classes:
            agreed, labels = events.get(case.event, (0, 0))
            events[case.event] = (agreed + case.agrees, labels + 1)
    fixed = parts.rows_fixed
    coarse = agreement_report(matrix, strata=parts.by_stratum, events=events, assisted=is_assisted, rows_fixed=fixed)
    if not parts.is_fine:
        return coarse, None
    fine = agreement_report(
        matrix, strata=parts.by_cell, sample=coarse.sample, events=events, assisted=is_assisted, rows_fixed=fixed
    )
    return fine, coarse


def _merged_agreement(
    merged: ConfusionMatrix, groups: Mapping[str, Sequence[str]], parts: _Parts, is_assisted: bool
) -> AgreementReport:
    """The statistics of the matrix with joined classes, weighted as the full one is."""
    joined = [
        replace(table, counts=replace(parts.matrix, counts=table.counts, left_out={}).merged(groups).counts)
        for table in parts.best
    ]
    return agreement_report(merged, strata=joined, assisted=is_assisted, rows_fixed=parts.rows_fixed)


def _readings(rule: UnsureRule, agreement: AgreementReport, parts: _Parts) -> Iterable[UnsureReading]:
    """What unsure labels could change, in the sample and in the frame."""
    scopes = {s.key: s.scope for s in agreement.statistics}
    is_lower = rule is UnsureRule.DISAGREEMENT
    for unsure, key, words, is_primary in (
        (-1, "unsure_excluded", "unsure left out", not is_lower),
        (0, "unsure_disagree", "unsure as disagreement", is_lower),
        (1, "unsure_agree", "unsure as agreement", False),
    ):
        agreed, n, found = parts.agreement_with(unsure)
        sample = share_statistic(
            key, f"Agreement, {words}", scopes.get("observed_agreement", ""), agreed, n, "no labels"
        )
        weighted = weighted_agreement(found)
        frame = None
        if weighted is not None:
            frame = Statistic(
                f"population_{key}",
                f"Agreement, {words}",
                scopes.get("population_agreement", "in the frame"),
                weighted.agreement,
                weighted.agreement_interval,
                method="MOVER, Clopper–Pearson in each stratum",
            )
        yield UnsureReading(words, sample, frame, is_primary)


# -- components ----------------------------------------------------------------------------------------------


def _components(record: StudyRecord, cases: Sequence[LabelledCase]) -> ComponentAgreement | None:
    """The parts of failure-mode labels against the classifier's; None for kinds without parts."""
    if not any(case.answers for case in cases):
        return None
    relations = record.study.design.relations
    left_out: Counter[str] = Counter()
    items = []
    for case in cases:
        machine = record.findings.get(case.answer_id)
        if not case.answers:
            left_out["no parts were given"] += 1
        elif machine is None:
            left_out["the classifier's findings were replaced"] += 1
        else:
            human = components_of(ModeForm.from_text(case.answers), relations)
            if len(human.queries) != len(machine.queries):
                left_out["another number of queries"] += 1
            else:
                items.append(ComparedItem(case.item, case.answer_id, machine, human, case.machine, case.human))
    return component_agreement(items, left_out)
