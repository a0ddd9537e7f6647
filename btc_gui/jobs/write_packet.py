"""Write a packet of a study: the allowed fields of its items, masked, and nothing else."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.dates import now_utc
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.masking import MaskedPassage, mask_values
from btc_gui.domain.number_words import counted
from btc_gui.domain.packet import Excerpt, Field, ItemId, Layer, PacketId, PacketItem, PacketManifest, PracticeItem
from btc_gui.domain.studies import StudyKind, study_kind
from btc_gui.domain.studies.kind import Material
from btc_gui.domain.study import IssuedPacket, Study
from btc_gui.domain.study_draw import StudyItem
from btc_gui.domain.trajectory import AnswerId, Trajectory
from btc_gui.errors import StudyError
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.packet_file import SUFFIX, PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.verdicts import VerdictStore

_ILLUSTRATIVE = "Illustrative data: real events, made-up models, answers and search results."


@dataclass(frozen=True, slots=True)
class PacketPlan:
    """A packet to be written: for whom, of which layer, which items in which order.

    `more_fields` are shown beside those of the kind, with their texts by item in `more_values`. Only a first packet
    `has_practice`.
    """

    annotator: str
    layer: Layer
    items: Sequence[StudyItem]
    has_practice: bool = False
    more_fields: tuple[Field, ...] = ()
    more_values: Mapping[ItemId, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WrittenPacket:
    """A packet on the disk, as the study is to know it, with the passages that were masked in each item."""

    path: Path
    issued: IssuedPacket
    masked: Mapping[ItemId, Sequence[MaskedPassage]]


def write_packet(
    database: Database,
    study: Study,
    plan: PacketPlan,
    folder: Path,
    categories: Mapping[str, Category],
    progress: Progress,
    *,
    packet_id: PacketId | None = None,
) -> WrittenPacket:
    """Write the packet into `folder` under a name that says nothing; the study does not know it yet.

    One item is in memory at a time. `packet_id` writes a packet again that was issued before. Raises `StudyError`
    when an answer of the study is gone, its facts have changed or its category is missing, `PacketError` when the
    file can't be written.
    """
    stale = StudyStore(database).stale(study.id)
    if stale:
        raise StudyError(
            f"The facts behind {counted(stale, 'answer')} changed after the study was locked.",
            "They can't be labelled by the old criteria. Begin a new study.",
        )
    kind, design = study_kind(study.design.kind), study.design
    practice = _practice(study) if plan.has_practice else []
    manifest = PacketManifest(
        packet_id=packet_id or PacketId(secrets.token_hex(16)),
        annotator=plan.annotator,
        kind=kind.name,
        title=kind.title,
        question=kind.question,
        layer=plan.layer,
        choices=kind.choices,
        fields=(*kind.fields(plan.layer), *plan.more_fields),
        items=len(plan.items),
        codebook_version=str(study.manifest["codebook_version"]),
        note=_ILLUSTRATIVE if ProjectStore(database).is_illustrative else "",
        ask_confidence=design.ask_confidence,
        practice_mark=design.practice_mark if practice else 0.0,
        break_minutes=design.break_minutes,
        relations=design.relations if kind.has_form else (),
    )
    path = folder / f"packet-{secrets.token_hex(4)}{SUFFIX}"
    masked: dict[ItemId, Sequence[MaskedPassage]] = {}
    items = _items(database, study, kind, plan, categories, masked, progress)
    outline = PacketFile.create(path, manifest, study.pages, items, practice)
    issued = IssuedPacket(
        manifest.packet_id, study.id, plan.annotator, plan.layer, outline.digest, manifest.items, now_utc()
    )
    return WrittenPacket(path, issued, masked)


def issue(
    database: Database,
    study: Study,
    plan: PacketPlan,
    folder: Path,
    categories: Mapping[str, Category],
    actor: str,
    progress: Progress,
    *,
    before: IssuedPacket | None = None,
    **detail: object,
) -> Path:
    """Write a packet, note it in its study, `detail` with it, and give its path; without a note there is no file.

    `before` is the packet that is written once more. Raises as `write_packet` does, and `StudyError` when that one
    would be another now.
    """
    packet_id = before.id if before else None
    written = write_packet(database, study, plan, folder, categories, progress, packet_id=packet_id)
    packets = PacketStore(database)
    try:
        if before is None:
            packets.add(written.issued, actor, written.masked, {"file": written.path.name, **detail})
        elif before.digest == written.issued.digest:
            packets.note_again(before, actor, written.path.name)
        else:
            raise StudyError("The packet can't be written again: something that it shows has changed since.")
    except BaseException:
        written.path.unlink(missing_ok=True)
        raise
    return written.path


def _practice(study: Study) -> list[PracticeItem]:
    """The practice items of the locked manifest."""
    return [PracticeItem(**{**entry, "item": ItemId(entry["item"])}) for entry in study.manifest.get("practice", [])]


def _items(
    database: Database,
    study: Study,
    kind: StudyKind,
    plan: PacketPlan,
    categories: Mapping[str, Category],
    masked: dict[ItemId, Sequence[MaskedPassage]],
    progress: Progress,
) -> Iterator[PacketItem]:
    fields = kind.fields(plan.layer)
    for position, item in enumerate(plan.items, start=1):
        progress.report(position, len(plan.items), "Writing the packet")
        material = _material(database, item.answer_id, plan.layer, study.machine, categories)
        shown, passages = mask_values(kind.show(material, plan.layer), fields)
        if passages:
            masked[item.item] = passages
        yield PacketItem(item.item, position, item.page, {**shown, **plan.more_values.get(item.item, {})})


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
