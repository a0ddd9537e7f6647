"""Write the packet of one annotator: the allowed fields of the drawn answers, and nothing else."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.dates import now_utc
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.packet import Excerpt, ItemId, Layer, PacketId, PacketItem, PacketManifest
from btc_gui.domain.studies import StudyKind, study_kind
from btc_gui.domain.studies.kind import Material
from btc_gui.domain.study import IssuedPacket, Study, StudyId, StudyStep, state_after
from btc_gui.domain.study_draw import StudyItem, packet_order
from btc_gui.domain.trajectory import AnswerId, Trajectory
from btc_gui.errors import InputError, StudyError
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.packet_file import SUFFIX, PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.verdicts import VerdictStore

_ILLUSTRATIVE = "Illustrative data: the events are real, the models, answers and search results are made up."


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

    Items come in the annotator's own order. `again` writes the same packet once more, unlabelled, for one that got
    lost. Raises `StudyError` when the study is not locked or the annotator has a packet already, `InputError` for
    somebody whom the design does not name, `PacketError` when the file can't be written.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    if annotator not in study.design.annotators:
        raise InputError(
            f"“{annotator}” is not an annotator of this study.", f"Annotators: {', '.join(study.design.annotators)}."
        )
    state_after(study.state, StudyStep.ISSUE)
    packets = PacketStore(database)
    layer = study.design.mode.layers[0]
    mine = [p for p in packets.of_study(study_id) if p.annotator == annotator and p.layer is layer]
    if mine and not again:
        raise StudyError(
            f"{annotator} has a packet of this study already.",
            "Use the one that was issued; if it is lost, write the same one again.",
        )
    stale = store.stale(study_id)
    if stale:
        raise StudyError(
            f"The facts behind {stale} answers changed after the study was locked.",
            "They can't be labelled by the old criteria. Begin a new study.",
        )
    kind = study_kind(study.design.kind)
    items = packet_order(store.items(study_id), study.design.order_seed, annotator)
    manifest = PacketManifest(
        packet_id=mine[0].id if mine else PacketId(secrets.token_hex(16)),
        annotator=annotator,
        kind=kind.name,
        title=kind.title,
        question=kind.question,
        layer=layer,
        choices=kind.choices,
        fields=kind.fields(layer),
        items=len(items),
        codebook_version=str(study.manifest["codebook_version"]),
        note=_ILLUSTRATIVE if ProjectStore(database).is_illustrative else "",
    )
    path = folder / f"packet-{secrets.token_hex(4)}{SUFFIX}"
    outline = PacketFile.create(
        path, manifest, study.pages, _items(database, study, kind, layer, items, categories, progress)
    )
    try:
        if not mine:
            issued = IssuedPacket(
                manifest.packet_id, study_id, annotator, manifest.layer, outline.digest, manifest.items, now_utc()
            )
            packets.add(issued, actor)
        elif mine[0].digest == outline.digest:
            packets.note_again(mine[0], actor)
        else:
            raise StudyError("The packet can't be written again: something that it shows has changed since.")
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def opaque_ids(database: Database, study_id: StudyId) -> dict[tuple[str, str, str, int], ItemId]:
    """The item behind (probe key, model, effort, repetition): part of the key.

    Only for replaying recorded labels; no packet and no labelling screen may see it.
    """
    return StudyStore(database).recorded_names(study_id)


def _items(
    database: Database,
    study: Study,
    kind: StudyKind,
    layer: Layer,
    items: list[StudyItem],
    categories: Mapping[str, Category],
    progress: Progress,
) -> Iterator[PacketItem]:
    for position, item in enumerate(items, start=1):
        progress.report(position, len(items), "Writing the packet")
        material = _material(database, item.answer_id, layer, study.machine, categories)
        yield PacketItem(item.item, position, item.page, kind.show(material, layer))


def _material(
    database: Database, answer_id: AnswerId, layer: Layer, classifier: str, categories: Mapping[str, Category]
) -> Material:
    seen = VerdictStore(database).answers([answer_id]).get(answer_id)
    if seen is None:
        raise StudyError(f"Answer {answer_id} of the study is gone.", "Check the project with “btc-gui check”.")
    category = categories.get(seen.facts.category)
    if category is None:
        raise StudyError(
            f"The category “{seen.facts.category}” is not installed.", "Install it, or open the project elsewhere."
        )
    trajectory = AnswerStore(database).trajectory(answer_id)
    findings: dict[int, QueryClass] = {}
    evidence: tuple[Excerpt, ...] = ()
    if layer.shows_machine:
        findings, evidence = _findings(database, answer_id, classifier, trajectory)
    return Material(category, seen.facts, seen.kind, seen.probe_text, trajectory, findings, evidence)


def _findings(
    database: Database, answer_id: AnswerId, classifier: str, trajectory: Trajectory
) -> tuple[dict[int, QueryClass], tuple[Excerpt, ...]]:
    """What the classifier said of the queries (by step number), and the evidence that it found."""
    found = ClassificationStore(database).of_classifier(classifier, [answer_id]).get(answer_id)
    if found is None:
        return {}, ()
    numbers = {step.id: step.number for step in trajectory.steps}
    results = {result.id: result for step in trajectory.steps for result in step.results}
    excerpts = []
    for evidence in found.evidence:
        source = results[evidence.result_id]
        excerpts.append(Excerpt(evidence.excerpt, f"{source.title} ({source.url})", source.published))
    return {numbers[step_id]: label for step_id, label in found.queries.items()}, tuple(excerpts)
