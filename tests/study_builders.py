"""Builders for tests of studies and packets: small categories, judged answers, packets of a given size."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.configuration import Effort
from btc_gui.domain.mode_form import EvidenceAnswer, ModeForm, OverrideCode
from btc_gui.domain.packet import ItemId, Layer, PacketId, PacketItem, PacketManifest, PracticeItem
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import StudyDesign, StudyId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.studies import StudyStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_configuration, make_trajectory

JUDGE = "Umpire-77"
RATIONALE = "Quixotic rationale of the umpire."
MODELS = ("Zyxomodel-Prime", "Quagga-9")
#: What the two models' answers are by the judge: 5 correct and 3 incorrect each.
LABELS: tuple[Label | None, ...] = (
    Label.CORRECT,
    Label.CORRECT,
    Label.INCORRECT,
    Label.CORRECT,
    Label.INCORRECT,
    Label.CORRECT,
    Label.INCORRECT,
    Label.CORRECT,
)


def make_categories() -> dict[str, Category]:
    """One category with short texts, none of which holds a label."""
    return {
        "demise": Category(
            name="demise",
            title="Demise",
            plural="Demises",
            before="{entity} is alive.",
            after="{entity} died on {date}.",
            direct_probe="Is {entity} alive?",
            required=("entity", "date"),
            written_as=("demise",),
            criteria={"indirect": "Does it treat the person as available?", "direct": "Does it say the new fact?"},
            codebook="Leaving the person out is fine.",
            query_classes="Explicit, indirect, unrelated.",
        )
    }


def add_judged(
    database: Database, labels: Sequence[Label | None] = LABELS, says: str = "in the voice of somebody."
) -> list[AnswerId]:
    """One event and probe a label, answered by both models and judged; None adds an unscored verdict.

    Every answer `says` the same, after its number.
    """
    # One transaction: each of its own would wait for the disk.
    with database.write(durable=False):
        return [
            answer_id for number, label in enumerate(labels) for answer_id in _add_pair(database, number, label, says)
        ]


def _add_pair(database: Database, number: int, label: Label | None, says: str) -> list[AnswerId]:
    probe = add_probe(database, add_event(database, entity=f"Person {number}"), f"Whom to invite, number {number}?")
    ids: list[AnswerId] = []
    for model in MODELS:
        trajectory = make_trajectory(f"Answer {number} {says}", uuid=f"uuid-{model.casefold()}-{number}-d41d8c")
        (answer_id,) = add_answers(database, probe, [trajectory], make_configuration(model, Effort.LOW))[1]
        unscored = "" if label else "no JSON"
        VerdictStore(database).add(
            NewVerdict(answer_id, JUDGE, None, label, names_entity=True, rationale=RATIONALE, unscored=unscored)
        )
        ids.append(answer_id)
    return ids


def make_design(
    accepted: int = 4, rejected: int = 4, annotators: Sequence[str] = ("PK",), **more: object
) -> StudyDesign:
    """A blind judge study stratified by the judge's label."""
    values: dict[str, object] = {
        "kind": "judge_verdict",
        "strata": (
            Stratum("accepted", accepted, {"label": "correct"}),
            Stratum("rejected", rejected, {"label": "incorrect"}),
        ),
        "annotators": tuple(annotators),
        "seed": "s1",
        "order_seed": "s1:order",
    }
    return StudyDesign(**{**values, **more})  # type: ignore[arg-type]


def add_locked_study(database: Database, design: StudyDesign | None = None) -> StudyId:
    """A study, drawn and locked."""
    study_id = StudyStore(database).create("Test study", design or make_design(), "tests")
    lock_study(database, study_id, make_categories(), "tests", Progress())
    return study_id


def put_in_open_study(database: Database, answer_ids: Sequence[AnswerId]) -> None:
    """A study that is being labelled and holds just these answers."""
    with database.write() as connection:
        study = connection.execute(
            "INSERT INTO study (name, kind, mode, state, design, created_by, created_at) "
            "VALUES ('Open', 'judge_verdict', 'blind', 'labelling', ?, 'tests', '2026') RETURNING id",
            (json.dumps(make_design().as_json()),),
        ).fetchone()[0]
        connection.executemany(
            "INSERT INTO study_item (study_id, item, answer_id, stratum, cell, frame_count, drawn_count, "
            "machine_label) VALUES (?, ?, ?, 's', 'c', 1, 1, 'correct')",
            [(study, f"i{answer_id}", answer_id) for answer_id in answer_ids],
        )


def issue(database: Database, study_id: StudyId, folder: Path, annotator: str = "PK") -> Path:
    """An annotator's packet."""
    return issue_packet(database, study_id, annotator, folder, make_categories(), "tests", Progress())


def unblinded_study(database: Database, folder: Path) -> StudyId:
    """A locked study whose answers are all labelled correct, closed and unblinded."""
    study_id = add_locked_study(database)
    packet = issue(database, study_id, folder)
    with LabellingSession(packet) as session:
        while session.current is not None:
            session.label(session.current.item, "correct")
    return_packet(database, packet, "tests", Progress())
    close_study(database, study_id, "tests")
    unblind_study(database, study_id, "tests")
    return study_id


def make_manifest(items: int, kind: str = "judge_verdict", layer: Layer = Layer.BLIND) -> PacketManifest:
    """The manifest of a packet that belongs to no project."""
    asked = study_kind(kind)
    return PacketManifest(
        packet_id=PacketId("0" * 32),
        annotator="PK",
        kind=asked.name,
        title=asked.title,
        question=asked.question,
        layer=layer,
        choices=asked.choices,
        fields=asked.fields(layer),
        items=items,
        codebook_version="abc",
    )


def write_packet(path: Path, items: int = 3) -> Path:
    """A packet of its own with so many items, with the ids 1, 2, 3… in 16 digits."""
    manifest = make_manifest(items)
    entries = [
        PacketItem(item_id(n), n, "demise/indirect", {f.name: f"{f.title} of item {n}" for f in manifest.fields})
        for n in range(1, items + 1)
    ]
    PacketFile.create(path, manifest, {"demise/indirect": "Criteria."}, entries)
    return path


def write_practice_packet(path: Path, practice: int = 3, items: int = 2, mark: float = 0.6, **manifest: object) -> Path:
    """A packet with practice items whose known label is “correct”; more of its manifest by name."""
    made = replace(make_manifest(items), practice_mark=mark, **manifest)  # type: ignore[arg-type]
    values = {field.name: field.title for field in made.fields}
    entries = [PacketItem(item_id(n), n, "p", values) for n in range(1, items + 1)]
    invented = [
        PracticeItem(practice_id(n), "p", values, "correct", f"Because of {n}.") for n in range(1, practice + 1)
    ]
    PacketFile.create(path, made, {"p": "Criteria."}, entries, invented)
    return path


def practice_id(number: int) -> ItemId:
    """The id of a practice item of `write_practice_packet`."""
    return item_id(0xA00 + number)


def mode_answers(mode: str) -> str:
    """A form without queries or evidence, from which no/unrelated search follows; another mode overrides it."""
    form = ModeForm(evidence=EvidenceAnswer.NO)
    return (form if mode == "none" else form.overridden(OverrideCode.OTHER, "For a test.")).text


def item_id(number: int) -> ItemId:
    """The id of an item of `write_packet`."""
    return ItemId(f"{number:016x}")
