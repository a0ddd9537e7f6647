"""What goes into whose packet: masked, each annotator's share, practice apart."""

from __future__ import annotations

from pathlib import Path

from btc_gui.domain.category import load_categories
from btc_gui.domain.masking import MASK
from btc_gui.domain.packet import PacketItem
from btc_gui.domain.study_draw import ItemRole, annotator_items
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.lock_study import lock_study
from btc_gui.paths import resources
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from tests.study_builders import add_judged, add_locked_study, issue, make_design

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
