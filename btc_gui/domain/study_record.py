"""What the project holds of an unblinded study, and each drawn answer with both of its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from btc_gui.domain.component_agreement import Components
from btc_gui.domain.packet import GivenLabel, ItemId, LabelSummary, Layer, PacketId, summarise
from btc_gui.domain.practice import PracticeLabel
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import BROKEN, UNSURE
from btc_gui.domain.study import Exposure, IssuedPacket, LogEntry, Study, StudyStep
from btc_gui.domain.study_draw import ItemRole, StudyItem, annotator_items
from btc_gui.domain.trajectory import AnswerId


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """All that a report is made from.

    `labels` and `practice` are by packet, `events` and `findings` (the machine's components) by answer. `masked`
    counts the passages that were masked, by field. `problems` say what is not as the log tells it. `pages` are the
    texts to label by as they read now; empty when they are not to be compared with those of the manifest.
    `rationales` are the machine's words for its labels. Findings and rationales that replaced those of the label in
    the manifest are left out.
    """

    study: Study
    items: Sequence[StudyItem]
    packets: Sequence[IssuedPacket]
    labels: Mapping[PacketId, Sequence[GivenLabel]]
    events: Mapping[AnswerId, str]
    log: Sequence[LogEntry] = ()
    exposures: Sequence[Exposure] = ()
    problems: Sequence[str] = ()
    practice: Mapping[PacketId, Sequence[PracticeLabel]] = field(default_factory=dict)
    masked: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[AnswerId, Components] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)
    rationales: Mapping[AnswerId, str] = field(default_factory=dict)

    @property
    def sample(self) -> list[StudyItem]:
        """The items that are analysed: repeats are not."""
        return [item for item in self.items if item.role is ItemRole.SAMPLE]

    def packet_of(self, annotator: str, layer: Layer) -> IssuedPacket | None:
        """The packet of an annotator and layer; None when there was none."""
        return next((p for p in self.packets if p.annotator == annotator and p.layer is layer), None)

    def in_time(self, packet: IssuedPacket | None) -> tuple[Sequence[GivenLabel], Sequence[GivenLabel]]:
        """The rows of a packet that came while they counted, and those that came too late.

        Late rows stand last; the log says how many rows each return brought. Without a log all are in time.
        """
        rows = self.labels.get(packet.id, ()) if packet else ()
        if packet is None or not self.log:
            return rows, ()
        returns = [e for e in self.log if e.step == StudyStep.RETURN and e.detail.get("packet") == packet.id]
        known = sum(int(entry.detail.get("new_rows", 0)) for entry in returns)
        return rows[:known], rows[known:]

    def late_reasons(self, packet: PacketId) -> tuple[str, ...]:
        """Why rows of a packet came too late, in words."""
        told = [e.detail["late"] for e in self.log if e.detail.get("packet") == packet and e.detail.get("late")]
        return tuple(dict.fromkeys(str(reason) for reason in told))


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """One drawn answer with both labels, by the names that matrices use. An empty `human` is a missing label.

    `human` is the first label that was not withdrawn; `changed_to` is a later other one, which is not analysed.
    `confidence` is 1 (low) to 3 (high); `answers` are the parts of the kind's form, as in `GivenLabel`. `weight` is
    how many answers of the frame the drawn one stands for.
    """

    item: ItemId
    answer_id: AnswerId
    event: str
    key: str
    page: str
    stratum: str
    cell: str
    frame_count: int
    weight: float
    machine: str
    human: str
    changed_to: str = ""
    reason: str = ""
    note: str = ""
    confidence: int | None = None
    answers: str = ""
    active_seconds: float = 0.0
    at: str = ""

    @property
    def agrees(self) -> bool:
        """Whether both labels are the same class."""
        return bool(self.human) and self.human == self.machine

    @property
    def is_unsure(self) -> bool:
        """Whether the annotator was unsure."""
        return self.human == UNSURE.value

    @property
    def is_broken(self) -> bool:
        """Whether the annotator could not label the item."""
        return self.human == BROKEN.value


@dataclass(frozen=True, slots=True)
class LabelledPacket:
    """The cases of one annotator and layer. `late` are labels that came when they did not count any
    more (the study was closed, say): they are not used."""

    annotator: str
    layer: Layer
    packet: PacketId | None
    cases: tuple[LabelledCase, ...]
    summary: LabelSummary
    late: tuple[GivenLabel, ...]


def labelled_packet(
    record: StudyRecord, annotator: str, layer: Layer, items: Sequence[StudyItem] | None = None
) -> LabelledPacket:
    """Join an annotator's labels of a layer with the key. Without a packet all items are missing.

    `items` are those of the annotator by the design when left out.
    """
    packet = record.packet_of(annotator, layer)
    rows, late = record.in_time(packet)
    summary = summarise(rows)
    if items is None:
        items = annotator_items(record.sample, record.study.design, annotator)
    cases = tuple(_case(record, item, summary.analysed, summary.latest) for item in items)
    return LabelledPacket(annotator, layer, packet.id if packet else None, cases, summary, tuple(late))


def _case(
    record: StudyRecord,
    item: StudyItem,
    analysed: Mapping[ItemId, GivenLabel],
    latest: Mapping[ItemId, GivenLabel],
) -> LabelledCase:
    classes = study_kind(record.study.design.kind).classes
    case = LabelledCase(
        item=item.item,
        answer_id=item.answer_id,
        event=record.events.get(item.answer_id, ""),
        key=item.key,
        page=item.page,
        stratum=item.stratum,
        cell=item.cell,
        frame_count=item.frame_count,
        weight=item.weight,
        machine=classes.get(item.machine_label, item.machine_label),
        human="",
    )
    given, last = analysed.get(item.item), latest.get(item.item)
    if given is None or last is None:
        return case
    return replace(
        case,
        human=classes.get(given.label, given.label),
        changed_to=classes.get(last.label, last.label) if last.label != given.label else "",
        reason=given.reason,
        note=given.note,
        confidence=given.confidence,
        answers=given.answers,
        active_seconds=given.active_seconds,
        at=given.at,
    )
