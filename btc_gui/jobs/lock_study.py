"""Draw the sample of a study and freeze it."""

from __future__ import annotations

from collections.abc import Mapping

from btc_gui import __version__
from btc_gui.domain.category import Category
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import StudyId
from btc_gui.domain.study_draw import LockedStudy, freeze, page_name
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from btc_gui.store.study_frame import StudyFrameStore


def lock_study(
    database: Database, study_id: StudyId, categories: Mapping[str, Category], actor: str, progress: Progress
) -> LockedStudy:
    """Draw the sample and freeze manifest, key and criteria; from here on nothing about the study changes.

    Raises `StudyError` when the study is no draft, or a stratum has too few answers and the design does not accept it.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    progress.report(0, 2, "Reading the frame")
    frame = StudyFrameStore(database).frame(study.design)
    kind = study_kind(study.design.kind)
    pages = {
        page_name(category.name, probe_kind): kind.page(category, probe_kind)
        for category in categories.values()
        for probe_kind in ProbeKind
    }
    progress.report(1, 2, "Drawing")
    machine = StudyFrameStore(database).machine(kind.machine, study.design.frame.machine)
    locked = freeze(study.design, frame, pages, machine, __version__)
    store.lock(study_id, locked, actor)
    progress.tell(2, 2, f"Locked {len(locked.items)} items")
    return locked
