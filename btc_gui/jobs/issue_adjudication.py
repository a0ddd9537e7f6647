"""Write the packet of an adjudicator: the items on which annotators differ, with their labels and without names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.packet import Field, GivenLabel, ItemId, Layer, summarise
from btc_gui.domain.sampling import hash_order
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import UNSURE
from btc_gui.domain.study import Study, StudyId, StudyStep, rows_in_time, state_after
from btc_gui.domain.study_draw import ItemRole, packet_order
from btc_gui.errors import InputError, StudyError
from btc_gui.jobs.write_packet import PacketPlan, issue
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore

_TITLES = ("One label", "Another label")


def issue_adjudication(
    database: Database,
    study_id: StudyId,
    adjudicator: str,
    folder: Path,
    categories: Mapping[str, Category],
    actor: str,
    progress: Progress,
    *,
    again: bool = False,
) -> Path:
    """Write the packet for whoever decides where annotators differ, or one of them was unsure.

    The earlier labels stand side by side in an order by hash, item by item, without names; what the machine says is
    not in the packet. Raises `StudyError` when the study is not closed, when nothing is to be decided or somebody
    decides already; `InputError` without a name.
    """
    store, packets = StudyStore(database), PacketStore(database)
    study = store.get(study_id)
    if not adjudicator.strip():
        raise InputError("An adjudication needs somebody who decides.", "Give a name or initials.")
    state_after(study.state, StudyStep.ADJUDICATE)
    given = [packet for packet in packets.of_study(study_id) if packet.layer is Layer.ADJUDICATION]
    before = next((packet for packet in given if packet.annotator == adjudicator), None)
    if given and not (before and again):
        raise StudyError(
            f"{given[0].annotator} has the adjudication packet already.",
            "Use the one that was issued; if it is lost, write the same one again.",
        )
    disputed = disputed_items(database, study)
    if not disputed:
        raise StudyError("There is nothing to decide: no labels differ, and nobody was unsure.")
    seed = f"{study.design.order_seed}:adjudication"
    places = max(len(labels) for labels in disputed.values())
    fields = tuple(Field(f"label_{place}", _TITLES[min(place, 2) - 1]) for place in range(1, places + 1))
    plan = PacketPlan(
        adjudicator,
        Layer.ADJUDICATION,
        packet_order([i for i in store.items(study_id) if i.item in disputed], seed, adjudicator),
        more_fields=fields,
        more_values={
            item: _side_by_side(study.design.kind, item, labels, fields, seed) for item, labels in disputed.items()
        },
    )
    return issue(database, study, plan, folder, categories, actor, progress, before=before)


def disputed_items(database: Database, study: Study) -> dict[ItemId, dict[str, GivenLabel]]:
    """The items that need a decision, with the analysed label of each annotator by name.

    They carry different labels, or somebody was unsure. Repeats are left out, and labels that came too late.
    """
    packets = PacketStore(database)
    log = StudyStore(database).log(study.id)
    labels: dict[ItemId, dict[str, GivenLabel]] = {}
    sample = {item.item for item in StudyStore(database).items(study.id) if item.role is ItemRole.SAMPLE}
    for annotator in study.design.annotators:
        packet = packets.of_annotator(study.id, annotator, study.design.mode.layers[0])
        rows = packets.labels(packet.id)[: rows_in_time(log, packet.id)] if packet else []
        for item, row in summarise(rows).analysed.items():
            if item in sample:
                labels.setdefault(item, {})[annotator] = row
    return {
        item: given
        for item, given in labels.items()
        if len(values := {row.label for row in given.values()}) > 1 or UNSURE.value in values
    }


def in_words(kind: str, row: GivenLabel) -> str:
    """A label as it is shown to whoever labels next: the label, its parts and reason, the note."""
    asked = study_kind(kind)
    choice = next((choice for choice in asked.choices if choice.value == row.label), None)
    parts = [choice.text if choice else row.label]
    parts += [asked.answers_in_words(row.answers)] if row.answers else []
    parts += [f"Reason: {row.reason.strip()}"] if row.reason.strip() else []
    parts += [f"Note: {row.note.strip()}"] if row.note.strip() else []
    return "\n".join(parts)


def _side_by_side(
    kind: str, item: ItemId, labels: Mapping[str, GivenLabel], fields: Sequence[Field], seed: str
) -> dict[str, str]:
    """The labels of one item in an order by hash, another one for each item."""
    order = hash_order(labels, f"{seed}:{item}")
    texts = [in_words(kind, labels[name]) for name in order]
    return {field.name: text for field, text in zip(fields, [*texts, *[""] * len(fields)], strict=False)}
