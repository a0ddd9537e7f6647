"""Take a labelled packet back into its study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from btc_gui.domain.number_words import counted
from btc_gui.domain.packet import GivenLabel, ItemId, Layer, PacketOutline, check_log, summarise
from btc_gui.domain.practice import PracticeLabel
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import IssuedPacket, Study, StudyState, rows_in_time
from btc_gui.errors import InputError, PacketError
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore


@dataclass(frozen=True, slots=True)
class ReturnReport:
    """What came back: of `sent` items, `back` have a label and `missing` have none.

    `new_rows` is 0 for a packet that had come back like this before; `duplicate` rows were here already. Of a packet
    that was labelled on two machines, `labelled_twice` items have a label from both. `late_rows` came when they do
    not count any more, for the reason `late`; they are kept apart. There are no counts by class: the study is not
    unblinded.
    """

    packet: str
    study: str
    annotator: str
    layer: str
    sent: int
    back: int
    missing: int
    new_rows: int
    duplicate: int
    withdrawn: int
    changed: int
    labelled_twice: int = 0
    late_rows: int = 0
    late: str = ""

    def as_json(self) -> dict[str, object]:
        """The report as data."""
        return asdict(self)

    @property
    def text(self) -> str:
        """One line for a person."""
        parts = [f"{self.annotator}: {self.sent} sent, {self.back} back, {self.missing} missing"]
        if not self.new_rows and not self.late_rows:
            parts[0] += " (nothing new)"
        if self.labelled_twice:
            twice = counted(self.labelled_twice, "was", "were")
            parts.append(f"{twice} labelled on two machines: the earlier label counts")
        if self.late_rows:
            late = counted(self.late_rows, "label is kept but doesn't", "labels are kept but don't")
            parts.append(f"{late} count: {self.late}")
        return "; ".join(parts)


def return_packet(database: Database, path: Path, actor: str, progress: Progress) -> ReturnReport:
    """Read what an annotator sent back and add its labels to the study. Twice is the same as once.

    Two copies that were labelled on two machines are merged. Raises `PacketError` when the packet is not of this
    project, was altered or is being labelled.
    """
    with PacketFile.open(path, to_label=False) as file:
        outline = file.outline()
        labels = file.labels()
        check_log(labels, {entry.item for entry in outline.entries}, outline.manifest)
        _check_items(file, outline, labels, progress)
        practice = file.practice_labels()
    return take_labels(database, path.name, outline, labels, actor, practice)


def take_labels(
    database: Database,
    name: str,
    outline: PacketOutline,
    labels: Sequence[GivenLabel],
    actor: str,
    practice: Sequence[PracticeLabel] = (),
) -> ReturnReport:
    """The second half of `return_packet`: compare with the study, and add."""
    packets = PacketStore(database)
    packet = packets.find(outline.manifest.packet_id)
    if packet is None:
        raise PacketError(f"{name} was not issued by this project.", "Open the project that it belongs to.")
    if packet.digest != outline.digest:
        raise PacketError(
            f"{name} was altered: it is not the packet that was issued.",
            "Its labels can't be used. Ask for the original.",
        )
    check_log(labels, {entry.item for entry in outline.entries}, outline.manifest)
    study = StudyStore(database).get(packet.study_id)
    late = _late(packets, study, packet)
    merged = packets.take(packet, labels, actor, practice=practice, late=late)
    counting = rows_in_time(StudyStore(database).log(packet.study_id), packet.id)
    summary = summarise(packets.labels(packet.id)[:counting])
    return ReturnReport(
        packet=packet.id,
        study=study.name,
        annotator=packet.annotator,
        layer=packet.layer.value,
        sent=packet.items,
        back=len(summary.analysed),
        missing=packet.items - len(summary.analysed),
        new_rows=0 if late else merged.new_rows,
        duplicate=len(labels) - merged.new_rows,
        withdrawn=summary.withdrawn,
        changed=summary.changed,
        labelled_twice=0 if late else merged.twice,
        late_rows=merged.new_rows if late else 0,
        late=late if merged.new_rows else "",
    )


def _late(packets: PacketStore, study: Study, packet: IssuedPacket) -> str:
    """Why labels of this packet don't count any more, in words; empty while they do."""
    if study.state.is_unblinded:
        return "the study is unblinded"
    if study.state is StudyState.CLOSED and packet.layer is not Layer.ADJUDICATION:
        return "the study is closed"
    if packet.layer is Layer.BLIND and packets.of_annotator(study.id, packet.annotator, Layer.REVEALED):
        return "the second packet, which shows the classifier's findings, was given out"
    return ""


def _check_items(file: PacketFile, outline: PacketOutline, labels: Sequence[GivenLabel], progress: Progress) -> None:
    """Every text must be as it was sealed, no field may have been added, every label must fit its item."""
    given: dict[ItemId, list[GivenLabel]] = defaultdict(list)
    for row in labels:
        if row.undoes is None:
            given[row.item].append(row)
    manifest = outline.manifest
    kind = study_kind(manifest.kind)
    for number, entry in enumerate(outline.entries, start=1):
        progress.report(number, len(outline.entries), "Checking the packet")
        item = file.item(entry)
        item.check_fields(manifest)
        for row in given[entry.item]:
            try:
                kind.check_answers(row.label, row.answers, item, manifest.relations)
            except InputError as error:
                raise PacketError(
                    f"Row {row.sequence} of the packet's labels is not one that could be given: {error.message}"
                ) from error
