"""A study as the Validation page shows it, read in one go on a worker thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from btc_gui.domain.packet import Layer, summarise
from btc_gui.domain.reliability import practice_results
from btc_gui.domain.study import (
    Exposure,
    IssuedPacket,
    LogEntry,
    Study,
    StudyId,
    StudyState,
    StudyStep,
    allowed_steps,
    rows_in_time,
)
from btc_gui.domain.study_record import StudyRecord
from btc_gui.domain.study_report import StudyReport
from btc_gui.errors import BtcError
from btc_gui.jobs.issue_adjudication import disputed_items
from btc_gui.jobs.study_report import StudyReports
from btc_gui.jobs.unblind_study import study_problems
from btc_gui.progress import Progress
from btc_gui.sessions.validating import FramePreview, StudyLine, ValidatingSession
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui.words import counted


@dataclass(frozen=True, slots=True)
class PacketLine:
    """A packet, or (without `packet`) that an annotator has none yet.

    `file` is the name under which it was written last. `back` items have a label in time, `late` rows came when they
    did not count any more. `practice` tells how the practice went; it is empty where there is none.
    """

    annotator: str
    layer: Layer
    is_primary: bool
    packet: IssuedPacket | None
    file: str = ""
    back: int = 0
    changed: int = 0
    withdrawn: int = 0
    late: int = 0
    practice: str = ""

    @property
    def missing(self) -> int:
        """Items of the packet without a label that counts."""
        return self.packet.items - self.back if self.packet is not None else 0


@dataclass(frozen=True, slots=True)
class StudyReading:
    """All that the page shows of a study. `preview` is a draft's, `report` an unblinded one's.

    `missing` are the labels that would not be there if labelling ended now, by who was to give them. So many `disputed`
    items of a closed study an adjudicator could decide. `log_problems` say what is not as the log
    tells it; `problem` why something of the rest could not be read.
    """

    line: StudyLine
    packets: tuple[PacketLine, ...]
    log: tuple[LogEntry, ...]
    log_problems: tuple[str, ...]
    exposures: tuple[Exposure, ...]
    missing: Mapping[str, int] = field(default_factory=dict)
    disputed: int = 0
    preview: FramePreview | None = None
    report: StudyReport | None = None
    problem: str = ""

    @property
    def is_out(self) -> bool:
        """Whether a packet was given out that has not come back whole."""
        return any(each.missing for each in self.packets)

    @property
    def has_adjudicator(self) -> bool:
        """Whether the adjudication packet was given out."""
        return any(each.layer is Layer.ADJUDICATION for each in self.packets)

    @property
    def to_reveal(self) -> dict[str, int]:
        """The annotators whose second packet can be written, with how many blind labels of theirs are missing."""
        if Layer.REVEALED not in self.line.study.design.mode.layers:
            return {}
        revealed = {each.annotator for each in self.packets if each.layer is Layer.REVEALED}
        blind = [each for each in self.packets if each.layer is Layer.BLIND and each.packet and each.back]
        return {each.annotator: each.missing for each in blind if each.annotator not in revealed}


def read_study(
    database: Database, session: ValidatingSession, reports: StudyReports, study_id: StudyId, progress: Progress
) -> StudyReading:
    """Read a study. Raises `StudyError` when there is none of that id."""
    line = session.study(study_id)
    study = line.study
    preview, report, problem = None, None, ""
    try:
        if study.state is StudyState.DRAFT:
            preview = session.preview(study.design)
        elif study.state.is_unblinded:
            report = reports.report(study_id, progress, session.categories)
    except BtcError as error:
        problem = str(error)
    store = StudyStore(database)
    log = store.log(study_id)
    return StudyReading(
        line=line,
        packets=tuple(_packets(database, line, log)),
        log=tuple(log),
        log_problems=tuple(study_problems(database, study)),
        exposures=tuple(store.exposures(study_id)),
        missing=_missing(database, study),
        disputed=len(disputed_items(database, study)) if study.state is StudyState.CLOSED else 0,
        preview=preview,
        report=report,
        problem=problem,
    )


def _missing(database: Database, study: Study) -> dict[str, int]:
    """The labels that are still to come, those of second packets by themselves."""
    if StudyStep.CLOSE not in allowed_steps(study.state):
        return {}
    return {
        each.annotator if each.layer is not Layer.REVEALED else f"{each.annotator}, second packet": each.missing
        for each in PacketStore(database).accounts(study)
        if each.missing
    }


def _packets(database: Database, line: StudyLine, log: Sequence[LogEntry]) -> list[PacketLine]:
    """Every packet in the order of annotators and layers, then those of adjudicators."""
    study = line.study
    first = study.design.mode.layers[0]
    issued = {(packet.annotator, packet.layer): packet for packet in line.packets}
    wanted = [(name, layer) for name in study.design.annotators for layer in study.design.mode.layers]
    shown = [key for key in wanted if key in issued or key[1] is first]
    practice = _practice(database, line)
    files = {entry.detail["packet"]: str(entry.detail["file"]) for entry in log if "file" in entry.detail}
    found = []
    for annotator, layer in [*shown, *(key for key in issued if key not in wanted)]:
        packet = issued.get((annotator, layer))
        rows = PacketStore(database).labels(packet.id) if packet else []
        in_time = rows_in_time(log, packet.id) if packet else 0
        summary = summarise(rows[:in_time])
        is_primary = annotator == study.design.annotators[0] and layer is first
        words = practice.get(annotator, "") if layer is first else ""
        found.append(
            PacketLine(
                annotator,
                layer,
                is_primary,
                packet,
                file=files.get(packet.id, "") if packet else "",
                back=len(summary.analysed),
                changed=summary.changed,
                withdrawn=summary.withdrawn,
                late=len(rows) - in_time,
                practice=words,
            )
        )
    return found


def _practice(database: Database, line: StudyLine) -> dict[str, str]:
    """How the practice of each annotator went, in words; nothing while it has not come back."""
    store = PacketStore(database)
    rows = {packet.id: store.practice_labels(packet.id) for packet in line.packets}
    words = {}
    for result in practice_results(StudyRecord(line.study, (), line.packets, {}, {}, practice=rows)):
        if result.rounds:
            last, rounds = result.rounds[-1], len(result.rounds)
            how = f"passed in round {rounds}" if result.is_passed else f"not passed in {counted(rounds, 'round')}"
            words[result.annotator] = f"{last.right}/{last.given}, {how}"
    return words
