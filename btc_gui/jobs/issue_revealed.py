"""Write an annotator's second packet: the same items with the classifier's findings, once the blind labels are in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.packet import OWN_ANSWERS, Field, Layer, Mode, labels_digest, summarise
from btc_gui.domain.study import StudyId, StudyStep, rows_in_time, state_after
from btc_gui.domain.study_draw import ItemRole, annotator_items, packet_order
from btc_gui.errors import StudyError
from btc_gui.jobs.issue_adjudication import in_words
from btc_gui.jobs.write_packet import PacketPlan, issue
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore


def issue_revealed(
    database: Database,
    study_id: StudyId,
    annotator: str,
    folder: Path,
    categories: Mapping[str, Category],
    actor: str,
    progress: Progress,
    *,
    abandon_reason: str = "",
    again: bool = False,
) -> Path:
    """Write the packet that shows the classifier's findings, and note in the log the hash of the blind labels.

    It holds the items that the annotator has labelled blind, with their own label. From then on blind labels of
    theirs come too late. Raises `StudyError` when the design has no such layer, when the blind packet is not back or
    not whole (unless `abandon_reason` says why the missing labels never come), or when it was issued already.
    """
    store, packets = StudyStore(database), PacketStore(database)
    study = store.get(study_id)
    mine = annotator_items(store.items(study_id), study.design, annotator)
    state_after(study.state, StudyStep.ISSUE)
    if study.design.mode is not Mode.BLIND_THEN_REVEALED:
        raise StudyError("This study has no second packet: its design is not “blind, then revealed”.")
    blind = packets.of_annotator(study_id, annotator, Layer.BLIND)
    if blind is None or not blind.returned_at:
        raise StudyError(
            f"The blind labels of {annotator} are not back.",
            "Take the first packet back: the findings may be seen only after it.",
        )
    if blind.missing and not abandon_reason.strip():
        raise StudyError(
            f"{blind.missing} blind labels of {annotator} are missing.",
            "Take the rest back first, or say why they never come.",
        )
    before = packets.of_annotator(study_id, annotator, Layer.REVEALED)
    if before and not again:
        raise StudyError(f"{annotator} has the second packet already.", "If it is lost, write the same one again.")
    # Written again, it holds the labels that it held before: those that came after the findings were out don't count.
    labels = packets.labels(blind.id)[: rows_in_time(store.log(study_id), blind.id)]
    analysed = summarise(labels).analysed
    items = [item for item in mine if item.role is ItemRole.SAMPLE and item.item in analysed]
    plan = PacketPlan(
        annotator,
        Layer.REVEALED,
        packet_order(items, f"{study.design.order_seed}:revealed", annotator),
        more_fields=(Field("own_label", "Your blind label"), Field(OWN_ANSWERS, "Its parts")),
        more_values={
            item.item: {
                "own_label": in_words(study.design.kind, analysed[item.item]),
                OWN_ANSWERS: analysed[item.item].answers,
            }
            for item in items
        },
    )
    return issue(
        database,
        study,
        plan,
        folder,
        categories,
        actor,
        progress,
        before=before,
        blind_labels_sha256=labels_digest(labels),
        abandon_reason=abandon_reason.strip(),
    )
