"""What a packet's file may be relied on: it opens alone, shows when it was altered, and refuses plainly."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import Layer, PacketItem
from btc_gui.errors import PacketError, ProjectError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile, _plain_errors
from tests.study_builders import item_id, make_manifest, write_packet


@pytest.fixture
def packet(tmp_path: Path) -> Path:
    return write_packet(tmp_path / "packet-1.btcp")


def _alter(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_packet_is_one_file_before_and_after(packet: Path) -> None:
    with LabellingSession(packet) as session:
        session.label(item_id(1), "correct")
    assert [path.name for path in packet.parent.iterdir() if path.is_file()] == [packet.name]


def test_opening_and_reading_a_packet_changes_no_byte(packet: Path) -> None:
    before = packet.read_bytes()
    LabellingSession(packet).close()
    with PacketFile.open(packet, to_label=False) as file:
        file.outline()
    assert packet.read_bytes() == before


def test_items_hold_exactly_the_fields_of_the_allow_list(tmp_path: Path) -> None:
    """B1: one field too many, and there is no packet."""
    manifest = make_manifest(1)
    values = {field.name: "text" for field in manifest.fields}
    for wrong in ({**values, "model": "x"}, dict.fromkeys(list(values)[1:], "text")):
        path = tmp_path / "packet-2.btcp"
        with pytest.raises(PacketError, match="allowed fields"):
            PacketFile.create(path, manifest, {"p": ""}, [PacketItem(item_id(1), 1, "p", wrong)])
        assert not list(tmp_path.glob("*packet-2*"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE shown SET content = content || '!' WHERE position = 2 AND field = 'answer'",
        "INSERT INTO shown (position, field, content) VALUES (1, 'label', 'correct')",
        "DELETE FROM shown WHERE position = 3",
        "UPDATE page SET content = 'Other criteria.'",
        "UPDATE item SET item = '00000000000000ff' WHERE position = 1",
        "UPDATE manifest SET content = replace(content, 'PK', 'QQ')",
        "DELETE FROM manifest",
    ],
)
def test_an_altered_packet_is_refused(packet: Path, statement: str) -> None:
    _alter(packet, statement)

    def read() -> None:
        with PacketFile.open(packet, to_label=False) as file:
            outline = file.outline()
            for entry in outline.entries:
                file.item(entry)

    with pytest.raises(PacketError, match=r"altered|manifest"):
        read()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE label SET label = 'maybe'",
        "UPDATE label SET sequence = 5",
        "UPDATE label SET label = 'unsure'",
    ],
)
def test_labels_that_could_not_have_been_given_are_refused(packet: Path, statement: str) -> None:
    with LabellingSession(packet) as session:
        session.label(item_id(1), "correct")
    _alter(packet, statement)
    with pytest.raises(PacketError, match="Row 1"):
        LabellingSession(packet)


def test_what_is_no_packet_is_refused_plainly(tmp_path: Path, packet: Path) -> None:
    Database.create(tmp_path / "project.btc").close()
    (tmp_path / "text.btcp").write_text("no database" * 100)
    for name in ("project.btc", "text.btcp"):
        with pytest.raises(PacketError, match="is not a btc_gui packet"):
            LabellingSession(tmp_path / name)
    with pytest.raises(PacketError, match="There is no packet"):
        LabellingSession(tmp_path / "none.btcp")
    _alter(packet, "PRAGMA user_version = 99")
    with pytest.raises(PacketError, match="newer version"):
        LabellingSession(packet)


def test_a_project_refuses_to_open_a_packet(packet: Path) -> None:
    with pytest.raises(ProjectError, match="not a btc_gui project"):
        Database.open(packet)


def test_a_damaged_packet_is_refused_plainly(tmp_path: Path, packet: Path) -> None:
    broken = tmp_path / "packet-9.btcp"
    content = packet.read_bytes()
    broken.write_bytes(content[:4096] + b"\xff" * 8192 + content[12288:])
    with pytest.raises(PacketError, match=r"damaged|altered"):
        LabellingSession(broken)
    broken.write_bytes(content[: len(content) // 2])
    with pytest.raises(PacketError, match=r"damaged|altered"):
        LabellingSession(broken)


def test_an_existing_file_is_never_overwritten(packet: Path) -> None:
    before = packet.read_bytes()
    with pytest.raises(PacketError, match="exists already"):
        write_packet(packet)
    assert packet.read_bytes() == before


def test_texts_with_odd_characters_come_back_as_they_were(packet: Path) -> None:
    """Lone surrogates, which no file can hold, become a replacement mark instead of an error."""
    with LabellingSession(packet) as session:
        session.keep_draft(ItemState(note="x\ud800y"))
        session.label(item_id(1), "correct", note="日本 🙂 \ud83d <b>=1+1</b>\n\x00end")
    with PacketFile.open(packet, to_label=False) as file:
        assert file.labels()[0].note == "日本 🙂 \ufffd <b>=1+1</b>\n\x00end"


def test_a_copy_of_a_packet_is_the_same_packet(packet: Path, tmp_path: Path) -> None:
    copy = tmp_path / "renamed.btcp"
    shutil.copy(packet, copy)
    with PacketFile.open(packet, to_label=False) as one, PacketFile.open(copy, to_label=False) as two:
        assert one.outline().digest == two.outline().digest


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("attempt to write a readonly database", "read-only"),
        ("unable to open database file", "read-only"),
        ("database is locked", "open in another window"),
        ("database or disk is full", "no space left"),
        ("disk I/O error", "reports an error"),
        ("database disk image is malformed", "damaged"),
    ],
)
def test_every_trouble_with_the_file_is_said_in_plain_words(error: str, words: str) -> None:
    with pytest.raises(PacketError, match=words), _plain_errors(Path("packet-1.btcp")):
        raise sqlite3.OperationalError(error)


def test_packets_of_the_first_version_open_are_labelled_and_come_back(tmp_path: Path) -> None:
    """The file was written, and its first item labelled, by a build before layers and practice were known."""
    old = tmp_path / "old.btcp"
    shutil.copy(Path(__file__).parent.parent / "data" / "packet_version_1.btcp", old)
    with LabellingSession(old) as session:
        assert session.manifest.layer is Layer.BLIND
        assert session.practice is None
        assert (session.done, session.draft.note) == (1, "a draft")
        session.label(item_id(2), "incorrect", note="second")
        session.undo()
        session.label(item_id(2), "unsure", reason="Two people.")
    with PacketFile.open(old, to_label=False) as file:
        assert file.outline().manifest.version == 1
        assert file.practice_labels() == []
        rows = [(row.label, row.note, row.undoes, row.confidence, row.answers) for row in file.labels()]
    assert rows == [
        ("correct", "first", None, None, ""),
        ("incorrect", "second", None, None, ""),
        ("", "", 2, None, ""),
        ("unsure", "", None, None, ""),
    ]


def test_a_folder_that_takes_nothing_is_named(tmp_path: Path) -> None:
    """The remedy is another folder, and nothing is left behind."""
    in_the_way = tmp_path / "no folder"
    in_the_way.write_text("", "utf-8")
    with pytest.raises(PacketError, match="Nothing can be written into") as refused:
        PacketFile.create(in_the_way / "a.btcp", make_manifest(1), {}, [])
    assert refused.value.remedy == "Choose another folder."
    assert list(tmp_path.iterdir()) == [in_the_way]


def test_a_packet_that_takes_no_label_does_not_open_for_labelling(packet: Path) -> None:
    """Somebody who labels it would lose everything; it can still be read, and its bytes stay as they are."""
    before = packet.read_bytes()
    packet.with_name(f"{packet.name}-journal").mkdir()  # No journal, no write.
    with pytest.raises(PacketError) as refused:
        PacketFile.open(packet, to_label=True)
    assert "Copy the packet" in refused.value.remedy
    packet.with_name(f"{packet.name}-journal").rmdir()
    with PacketFile.open(packet, to_label=True):
        pass
    assert packet.read_bytes() == before
    assert list(packet.parent.iterdir()) == [packet]


def test_a_packet_that_was_moved_away_while_it_is_labelled_says_so(tmp_path: Path) -> None:
    """A label that nobody would find is not acknowledged; back at its place the packet takes it."""
    path = write_packet(tmp_path / "p.btcp")
    with PacketFile.open(path, to_label=True) as packet:
        packet.add_label(item_id(1), "correct")
        path.rename(tmp_path / "elsewhere.btcp")
        with pytest.raises(PacketError, match=r"p\.btcp is no longer at its place"):
            packet.add_label(item_id(2), "correct")
        (tmp_path / "elsewhere.btcp").rename(path)
        packet.add_label(item_id(2), "incorrect")
    with PacketFile.open(path, to_label=False) as packet:
        assert [(row.item, row.label) for row in packet.labels()] == [
            (item_id(1), "correct"),
            (item_id(2), "incorrect"),
        ]
