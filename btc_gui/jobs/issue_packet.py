"""Write the first packet of an annotator: the allowed fields of their share of the drawn answers, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.packet import ItemId
from btc_gui.domain.study import StudyId, StudyStep, state_after
from btc_gui.domain.study_draw import annotator_items, packet_order
from btc_gui.errors import StudyError
from btc_gui.jobs.write_packet import PacketPlan, issue
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore


def issue_packet(
    database: Database,
    study_id: StudyId,
    annotator: str,
    folder: Path,
    categories: Mapping[str, Category],
    actor: str,
    progress: Progress,
    *,
    again: bool = False,
) -> Path:
    """Write the annotator's packet into `folder` under a name that says nothing, and note its seal in the study.

    Items come in the annotator's own order, after the practice if the design has one. `again` writes the same packet
    once more, unlabelled, for one that got lost. Raises `StudyError` when the study is not locked or the annotator
    has a packet already, `InputError` for somebody whom the design does not name, `PacketError` when the file can't
    be written.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    mine = annotator_items(store.items(study_id), study.design, annotator)
    state_after(study.state, StudyStep.ISSUE)
    layer = study.design.mode.layers[0]
    before = PacketStore(database).of_annotator(study_id, annotator, layer)
    if before and not again:
        raise StudyError(
            f"{annotator} has a packet of this study already.",
            "Use the one that was issued; if it is lost, write the same one again.",
        )
    plan = PacketPlan(annotator, layer, packet_order(mine, study.design.order_seed, annotator), has_practice=True)
    return issue(database, study, plan, folder, categories, actor, progress, before=before)


def opaque_ids(database: Database, study_id: StudyId) -> dict[tuple[str, str, str, int], ItemId]:
    """The item behind (probe key, model, effort, repetition): part of the key.

    Only for replaying recorded labels; no packet and no labelling screen may see it.
    """
    return StudyStore(database).recorded_names(study_id)
