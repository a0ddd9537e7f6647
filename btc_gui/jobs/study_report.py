"""Read an unblinded study whole."""

from __future__ import annotations

from btc_gui.domain.study import StudyId, StudyState
from btc_gui.domain.study_report import StudyReport, build_report
from btc_gui.errors import StudyError
from btc_gui.jobs.unblind_study import study_problems
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore


def study_report(database: Database, study_id: StudyId, progress: Progress) -> StudyReport:
    """The report of a study. Raises `StudyError` before it is unblinded: nothing is compared while people label."""
    store, packets = StudyStore(database), PacketStore(database)
    study = store.get(study_id)
    if study.state is not StudyState.UNBLINDED:
        raise StudyError(
            f"“{study.name}” is {study.state}: there is no report before it is unblinded.",
            "Take the packets back, close the study, then unblind it.",
        )
    progress.report(0, 1, "Reading labels")
    issued = packets.of_study(study_id)
    return build_report(
        study,
        store.items(study_id),
        issued,
        {packet.id: packets.labels(packet.id) for packet in issued},
        store.events(study_id),
        store.exposures(study_id),
        study_problems(database, study),
    )
