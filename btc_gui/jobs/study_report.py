"""Read an unblinded study whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from btc_gui.domain.packet import GivenLabel
from btc_gui.domain.study import Exposure, IssuedPacket, Study, StudyId
from btc_gui.domain.study_draw import StudyItem
from btc_gui.domain.study_report import StudyReport, build_report
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import StudyError
from btc_gui.jobs.unblind_study import study_problems
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore

#: What a report is built from, in the order in which `build_report` takes it.
_Inputs = tuple[
    Study,
    Sequence[StudyItem],
    Sequence[IssuedPacket],
    Mapping[str, Sequence[GivenLabel]],
    Mapping[AnswerId, str],
    Sequence[Exposure],
    Sequence[str],
]


def study_report(database: Database, study_id: StudyId, progress: Progress) -> StudyReport:
    """The report of a study. Raises `StudyError` before it is unblinded: nothing is compared while people label."""
    return StudyReports(database).report(study_id, progress)


class StudyReports:
    """The reports of a project's studies; one is computed again only when what it rests on has changed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._made: dict[StudyId, tuple[_Inputs, StudyReport]] = {}

    def report(self, study_id: StudyId, progress: Progress) -> StudyReport:
        """The same as `study_report`."""
        inputs = _read(self._database, study_id, progress)
        made = self._made.get(study_id)
        if made is None or made[0] != inputs:
            made = self._made[study_id] = inputs, build_report(*inputs)
        return made[1]


def _read(database: Database, study_id: StudyId, progress: Progress) -> _Inputs:
    store, packets = StudyStore(database), PacketStore(database)
    study = store.get(study_id)
    if not study.state.is_unblinded:
        raise StudyError(
            f"“{study.name}” is {study.state}: there is no report before it is unblinded.",
            "Take the packets back, close the study, then unblind it.",
        )
    progress.report(0, 1, "Reading labels")
    issued = packets.of_study(study_id)
    return (
        study,
        store.items(study_id),
        issued,
        {packet.id: packets.labels(packet.id) for packet in issued},
        store.events(study_id),
        store.exposures(study_id),
        study_problems(database, study),
    )
