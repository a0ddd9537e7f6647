"""Take a labelled packet back into its study."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from btc_gui.domain.packet import GivenLabel, PacketOutline, check_log, summarise
from btc_gui.domain.study import StudyState
from btc_gui.errors import PacketError, StudyError
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore


@dataclass(frozen=True, slots=True)
class ReturnReport:
    """What came back: of `sent` items, `back` have a label and `missing` have none. `new_rows` is 0 for a packet
    that had come back like this before. There are no counts by class: the study is not unblinded."""

    packet: str
    study: str
    annotator: str
    sent: int
    back: int
    missing: int
    new_rows: int
    withdrawn: int
    changed: int

    def as_json(self) -> dict[str, object]:
        """The report as data."""
        return asdict(self)

    @property
    def text(self) -> str:
        """One line for a person."""
        known = "" if self.new_rows else " (nothing new)"
        return f"{self.annotator}: {self.sent} sent, {self.back} back, {self.missing} missing{known}"


def return_packet(database: Database, path: Path, actor: str, progress: Progress) -> ReturnReport:
    """Read what an annotator sent back and add its labels to the study. Twice is the same as once.

    Raises `PacketError` when the packet is not of this project, was altered, is being labelled, or comes back
    with other labels than before; `StudyError` when the study is closed and the packet has labels that it lacks.
    """
    with PacketFile.open(path, to_label=False) as file:
        outline = file.outline()
        _check_texts(file, outline, progress)
        labels = file.labels()
    return take_labels(database, path.name, outline, labels, actor)


def take_labels(
    database: Database, name: str, outline: PacketOutline, labels: list[GivenLabel], actor: str
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
    known = packets.labels(packet.id)
    if (
        (study.state is StudyState.CLOSED or study.state.is_unblinded)
        and labels[: len(known)] == known
        and labels[len(known) :]
    ):
        raise StudyError(
            f"The study is {study.state}: {len(labels) - len(known)} later rows of {name} can't be taken any more.",
            "What came back before it was closed counts.",
        )
    new_rows = packets.take(packet, labels, actor)
    summary = summarise(packets.labels(packet.id))
    return ReturnReport(
        packet=packet.id,
        study=study.name,
        annotator=packet.annotator,
        sent=packet.items,
        back=len(summary.analysed),
        missing=packet.items - len(summary.analysed),
        new_rows=new_rows,
        withdrawn=summary.withdrawn,
        changed=summary.changed,
    )


def _check_texts(file: PacketFile, outline: PacketOutline, progress: Progress) -> None:
    """Every text must be as it was sealed, and no field may have been added."""
    for number, entry in enumerate(outline.entries, start=1):
        progress.report(number, len(outline.entries), "Checking the packet")
        file.item(entry).check_fields(outline.manifest)
