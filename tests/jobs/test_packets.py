"""What goes into whose packet: masked, each annotator's share, practice apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from btc_gui.domain.category import load_categories
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.masking import MASK
from btc_gui.domain.packet import ItemId, Layer, Mode, PacketItem, labels_digest
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import StudyId
from btc_gui.domain.study_draw import ItemRole, annotator_items
from btc_gui.domain.verdict import Label
from btc_gui.errors import StudyError
from btc_gui.jobs.check_project import check_project
from btc_gui.jobs.issue_adjudication import disputed_items, issue_adjudication
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.issue_revealed import issue_revealed
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, study_problems, unblind_study
from btc_gui.paths import resources
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from tests.study_builders import (
    JUDGE,
    LABELS,
    add_judged,
    add_locked_study,
    issue,
    make_categories,
    make_design,
    mode_answers,
)

CONFESSION = "is this. As Claude, I was made by Anthropic【3†source】. Invite Ada."


def _items(packet: Path) -> list[PacketItem]:
    with PacketFile.open(packet, to_label=False) as file:
        return [file.item(entry) for entry in file.outline().entries]


def test_what_tells_its_model_is_masked_counted_and_kept_with_the_key(database: Database, tmp_path: Path) -> None:
    add_judged(database, says=CONFESSION)
    study_id = add_locked_study(database, make_design(repeats=2))
    packet = issue(database, study_id, tmp_path)
    items = _items(packet)
    assert all(f"As {MASK}, I was made by {MASK}{MASK}. Invite Ada." in item.text("answer") for item in items)
    masked = PacketStore(database).masked(study_id)
    assert set(masked) == {item.item for item in items}
    assert {tuple((p.field, p.place, p.original) for p in found) for found in masked.values()} == {
        (("answer", 0, "Claude"), ("answer", 1, "Anthropic"), ("answer", 2, "【3†source】"))
    }
    assert StudyStore(database).log(study_id)[-1].detail["masked"] == 3 * 10
    for text in ("Claude", "Anthropic", "†"):
        assert text.encode() not in packet.read_bytes()


def test_a_packet_holds_the_items_of_its_annotator_and_no_others(database: Database, tmp_path: Path) -> None:
    """The first annotator labels all, the second half of each stratum; repeats come under ids of their own."""
    add_judged(database)
    design = make_design(4, 4, annotators=("PK", "DG"), overlap=0.5, repeats=3)
    study_id = add_locked_study(database, design)
    drawn = StudyStore(database).items(study_id)
    sizes = {}
    for annotator in ("PK", "DG"):
        held = [item.item for item in _items(issue(database, study_id, tmp_path, annotator))]
        assert sorted(held) == sorted(item.item for item in annotator_items(drawn, design, annotator))
        sizes[annotator] = sum(1 for item in drawn if item.item in held and item.role is ItemRole.SAMPLE)
    assert sizes == {"PK": 8, "DG": 4}
    accounts = PacketStore(database).accounts(StudyStore(database).get(study_id))
    assert [(account.annotator, account.sent, account.missing) for account in accounts] == [
        ("PK", 11, 11),
        ("DG", len(annotator_items(drawn, design, "DG")), len(annotator_items(drawn, design, "DG"))),
    ]


def test_practice_and_what_the_screen_asks_travel_in_the_packet(database: Database, tmp_path: Path) -> None:
    """Practice items are in tables of their own, never among the items, the same for every annotator."""
    add_judged(database)
    categories = load_categories(resources() / "categories")
    design = make_design(annotators=("PK", "DG"), practice=4, practice_mark=0.75, ask_confidence=True, break_minutes=20)
    study_id = StudyStore(database).create("Practised", design, "tests")
    lock_study(database, study_id, categories, "tests", Progress())
    outlines = []
    for annotator in ("PK", "DG"):
        path = issue_packet(database, study_id, annotator, tmp_path, categories, "tests", Progress())
        with PacketFile.open(path, to_label=False) as file:
            outlines.append(file.outline())
    first, second = outlines
    assert len(first.practice) == 4
    assert first.practice == second.practice
    assert {item.item for item in first.practice}.isdisjoint(entry.item for entry in first.entries)
    manifest = first.manifest
    assert (manifest.practice_mark, manifest.ask_confidence, manifest.break_minutes) == (0.75, True, 20)


def test_labels_that_came_too_late_open_no_dispute(database: Database, tmp_path: Path) -> None:
    """What no figure uses is not brought before the adjudicator either."""
    add_judged(database)
    study_id = add_locked_study(database, make_design(1, 1, annotators=("PK", "DG")))
    packets = {name: issue(database, study_id, tmp_path, name) for name in ("PK", "DG")}
    items = [item.item for item in StudyStore(database).items(study_id)]
    _labelled(database, packets["DG"], dict.fromkeys(items, "correct"))
    close_study(database, study_id, "tests", abandon_reason="PK is ill")
    _labelled(database, packets["PK"], dict.fromkeys(items, "incorrect"))
    assert disputed_items(database, StudyStore(database).get(study_id)) == {}
    issued = PacketStore(database).of_study(study_id)
    assert {packet.annotator: (packet.back, packet.missing) for packet in issued} == {"PK": (0, 2), "DG": (2, 0)}
    assert PacketStore(database).find(issued[0].id) == issued[0]


def _labelled(database: Database, packet: Path, labels: Mapping[ItemId, str]) -> None:
    with LabellingSession(packet) as session:
        while (item := session.current) is not None and not session.is_finished:
            value = labels[item.item]
            answers = mode_answers(value) if session.manifest.relations else ""
            session.label(item.item, value, reason="why" if value == "unsure" else "", answers=answers)
    return_packet(database, packet, "tests", Progress())


def _failed_study(database: Database) -> StudyId:
    """Three answers, all classified as indirect, to be labelled blind, then with the classifier's findings."""
    for answer_id in add_judged(database, [Label.INCORRECT] * 2):
        ClassificationStore(database).add(NewClassification(answer_id, "Sorter", None, FailureMode.INDIRECT))
    with database.write() as connection:
        connection.execute("UPDATE answer SET queries = 1")
    strata = (Stratum("all", 3, {"label": "indirect"}),)
    return add_locked_study(
        database, make_design(kind="failure_mode", mode=Mode.BLIND_THEN_REVEALED, strata=strata, repeats=1)
    )


def test_findings_are_revealed_only_after_the_blind_labels_are_in(database: Database, tmp_path: Path) -> None:
    study_id = _failed_study(database)

    def reveal(folder: Path = tmp_path, *, again: bool = False) -> Path:
        folder.mkdir(exist_ok=True)
        return issue_revealed(database, study_id, "PK", folder, make_categories(), "tests", Progress(), again=again)

    blind = issue(database, study_id, tmp_path)
    with pytest.raises(StudyError, match="are not back"):
        reveal()
    with LabellingSession(blind) as session:
        assert session.current is not None
        session.label(session.current.item, "none", answers=mode_answers("none"))
    return_packet(database, blind, "tests", Progress())
    with pytest.raises(StudyError, match="3 blind labels of PK are missing"):
        reveal()
    _labelled(database, blind, dict.fromkeys((i.item for i in StudyStore(database).items(study_id)), "none"))
    second = reveal()
    with PacketFile.open(second, to_label=False) as file:
        outline = file.outline()
        texts = [file.item(entry).text("own_label") for entry in outline.entries]
    assert outline.manifest.layer is Layer.REVEALED
    assert {field.name for field in outline.manifest.fields} >= {"evidence", "own_label"}
    assert texts == ["No or unrelated search\nEvidence: no"] * 3
    entry = StudyStore(database).log(study_id)[-1]
    packets = PacketStore(database)
    first = packets.of_annotator(study_id, "PK", Layer.BLIND)
    assert first is not None
    assert entry.detail["blind_labels_sha256"] == labels_digest(packets.labels(first.id))
    with LabellingSession(blind) as session:
        session.undo()
    late = return_packet(database, blind, "tests", Progress())
    assert (late.back, late.late_rows) == (4, 1)
    again = reveal(tmp_path / "again", again=True)
    assert [item.text("own_label") for item in _items(again)] == texts
    _labelled(database, second, dict.fromkeys((e.item for e in outline.entries), "indirect"))
    accounts = packets.accounts(StudyStore(database).get(study_id))
    assert [(a.layer, a.sent, a.back, a.missing) for a in accounts] == [
        (Layer.BLIND, 4, 4, 0),
        (Layer.REVEALED, 3, 3, 0),
    ]


def test_an_adjudicator_sees_both_labels_without_names_and_without_the_machine(
    database: Database, tmp_path: Path
) -> None:
    """Only what differs or was unsure, in an order that does not tell whose label is whose."""
    add_judged(database, LABELS * 3)
    study_id = add_locked_study(database, make_design(14, 10, annotators=("PK", "DG")))
    items = [item.item for item in StudyStore(database).items(study_id)]
    # Of so many, one order for all is no accident: names of items are drawn anew each time.
    differing, alike, unsure = items[:20], items[20:-1], items[-1]
    labels = {"PK": dict.fromkeys(items, "correct"), "DG": dict.fromkeys(alike, "correct")}
    labels["DG"].update(dict.fromkeys(differing, "incorrect"))
    labels["PK"][unsure] = labels["DG"][unsure] = "unsure"
    for annotator, given in labels.items():
        _labelled(database, issue(database, study_id, tmp_path, annotator), given)

    def adjudicate() -> Path:
        return issue_adjudication(database, study_id, "RB", tmp_path, make_categories(), "tests", Progress())

    with pytest.raises(StudyError, match="labelling"):
        adjudicate()
    close_study(database, study_id, "tests")
    packet = adjudicate()
    shown = {item.item: (item.text("label_1"), item.text("label_2")) for item in _items(packet)}
    assert set(shown) == {*differing, unsure}
    assert {shown[item] for item in differing} == {("Correct", "Incorrect"), ("Incorrect", "Correct")}
    assert shown[unsure] == ("Unsure\nReason: why", "Unsure\nReason: why")
    for hidden in (b"PK", b"DG", JUDGE.encode()):
        assert hidden not in packet.read_bytes()
    with pytest.raises(StudyError, match="RB has the adjudication packet"):
        adjudicate()
    _labelled(database, packet, dict.fromkeys(shown, "correct"))
    unblind_study(database, study_id, "tests")
    study = StudyStore(database).get(study_id)
    assert study_problems(database, study) == []
    assert not [found for found in check_project(database, Progress()) if found.check == "blinding"]
