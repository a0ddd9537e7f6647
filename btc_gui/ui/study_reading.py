"""A study as the Validation page shows it, read in one go on a worker thread."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.packet import Layer, summarise
from btc_gui.domain.reliability import practice_results
from btc_gui.domain.study import Exposure, IssuedPacket, LogEntry, StudyId, StudyState
from btc_gui.domain.study_record import StudyRecord
from btc_gui.domain.study_report import StudyReport
from btc_gui.errors import BtcError
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
    """A packet, or (without `packet`) that an annotator has none yet. `practice` tells how the practice went; it is
    empty where there is none."""

    annotator: str
    layer: Layer
    is_primary: bool
    packet: IssuedPacket | None
    changed: int = 0
    withdrawn: int = 0
    practice: str = ""


@dataclass(frozen=True, slots=True)
class StudyReading:
    """All that the page shows of a study. `preview` is a draft's, `report` an unblinded one's.

    `log_problems` say what is not as the log tells it; `problem` why something of the rest could not be read.
    """

    line: StudyLine
    packets: tuple[PacketLine, ...]
    log: tuple[LogEntry, ...]
    log_problems: tuple[str, ...]
    exposures: tuple[Exposure, ...]
    preview: FramePreview | None = None
    report: StudyReport | None = None
    problem: str = ""

    @property
    def adjudication_is_out(self) -> bool:
        """Whether an adjudicator's packet has not come back whole."""
        return any(each.layer is Layer.ADJUDICATION and each.missing for each in self.line.packets)


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
    return StudyReading(
        line=line,
        packets=tuple(_packets(database, line)),
        log=tuple(store.log(study_id)),
        log_problems=tuple(study_problems(database, study)),
        exposures=tuple(store.exposures(study_id)),
        preview=preview,
        report=report,
        problem=problem,
    )


def _packets(database: Database, line: StudyLine) -> list[PacketLine]:
    """Every packet in the order of annotators and layers, then those of adjudicators."""
    study = line.study
    first = study.design.mode.layers[0]
    issued = {(packet.annotator, packet.layer): packet for packet in line.packets}
    wanted = [(name, layer) for name in study.design.annotators for layer in study.design.mode.layers]
    shown = [key for key in wanted if key in issued or key[1] is first]
    practice = _practice(database, line)
    found = []
    for annotator, layer in [*shown, *(key for key in issued if key not in wanted)]:
        packet = issued.get((annotator, layer))
        summary = summarise(PacketStore(database).labels(packet.id) if packet else [])
        is_primary = annotator == study.design.annotators[0] and layer is first
        words = practice.get(annotator, "") if layer is first else ""
        found.append(PacketLine(annotator, layer, is_primary, packet, summary.changed, summary.withdrawn, words))
    return found


def _practice(database: Database, line: StudyLine) -> dict[str, str]:
    """How the practice of each annotator went, in words; nothing while it has not come back."""
    store = PacketStore(database)
    rows = {packet.id: store.practice_labels(packet.id) for packet in line.packets}
    words = {}
    for result in practice_results(StudyRecord(line.study, (), line.packets, {}, {}, practice=rows)):
        if result.rounds:
            last, rounds = result.rounds[-1], len(result.rounds)
            how = f"reached in round {rounds}" if result.is_passed else f"not reached in {counted(rounds, 'round')}"
            words[result.annotator] = f"{last.right}/{last.given}, mark {how}"
    return words
