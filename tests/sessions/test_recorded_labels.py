"""Label files with mistakes: each row is told by its line, in words, and the others count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui.domain.item_state import ItemState
from btc_gui.errors import InputError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.recorded_labels import RecordedLabel, give_labels, items_to_read, read_labels
from btc_gui.store.packet_file import PacketFile
from tests.study_builders import item_id, practice_id, write_packet, write_practice_packet


@pytest.mark.parametrize("row", ["not json", "[1]", "5", "{}", '{"item": "a"}', '{"label": "correct"}', "[" * 100_000])
def test_a_wrong_row_is_named_and_the_others_are_read(row: str, tmp_path: Path) -> None:
    """Words for a person, not Python's about list indices."""
    path = tmp_path / "labels.jsonl"
    path.write_text(f'{row}\n\n{{"item": "a", "label": "correct", "note": null}}', encoding="utf-8")
    rows, rejected = read_labels(path)
    assert [(bad.line, bad.reason) for bad in rejected] == [(1, "this is not a JSON object with “item” and “label”")]
    assert [(good.line, good.item, good.state.choice, good.state.note) for good in rows] == [(3, "a", "correct", "")]


def test_a_file_that_is_no_text_is_refused_in_words(tmp_path: Path) -> None:
    """Another encoding, a folder and a missing file: a reason, no error number."""
    (tmp_path / "utf16.jsonl").write_text("{}", encoding="utf-16")
    for name, reason in (("utf16.jsonl", "it is not UTF-8"), ("", "is a directory"), ("no", "no such file")):
        with pytest.raises(InputError, match=reason) as raised:
            read_labels(tmp_path / name)
        assert "Errno" not in str(raised.value)


def rows_of(tmp_path: Path, *rows: dict[str, object]) -> list[RecordedLabel]:
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return read_labels(path)[0]


def test_confidence_and_answers_are_read_and_given(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, {"item": item_id(1), "label": "correct", "confidence": 3, "answers": {"b": 1, "a": "ü"}})
    assert rows[0].state == ItemState("correct", confidence=3, answers='{"a":"ü","b":1}')


@pytest.mark.parametrize("confidence", [0, 4, "high", 2.5, True, []])
def test_a_confidence_that_there_is_not_is_told(tmp_path: Path, confidence: object) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"item": "a", "label": "correct", "confidence": confidence}), encoding="utf-8")
    assert [row.reason for row in read_labels(path)[1]] == ["“confidence” is 1 (low), 2 or 3 (high)"]


def test_labels_are_given_once_and_known_the_second_time(tmp_path: Path) -> None:
    packet = write_packet(tmp_path / "p.btcp", 3)
    rows = rows_of(
        tmp_path,
        {"item": item_id(2), "label": "correct", "confidence": 1},
        {"item": item_id(1), "label": "unsure"},
        {"item": "f" * 16, "label": "correct"},
        {"item": item_id(2), "label": "incorrect"},
    )
    with LabellingSession(packet) as session:
        report = give_labels(session, rows)
        assert (report.given, report.known, report.done, report.total) == (1, 0, 1, 3)
        assert [row.line for row in report.rejected] == [2, 3, 4]
        again = give_labels(session, rows)
        assert (again.given, again.known, again.done) == (0, 1, 1)
    with PacketFile.open(packet, to_label=False) as file:
        assert [(row.item, row.label, row.confidence) for row in file.labels()] == [(item_id(2), "correct", 1)]


def test_practice_comes_first_here_too(tmp_path: Path) -> None:
    packet = write_practice_packet(tmp_path / "p.btcp", practice=2, mark=1.0)
    item: dict[str, object] = {"item": item_id(1), "label": "correct"}
    wrong: list[dict[str, object]] = [{"item": practice_id(n), "label": "incorrect"} for n in (2, 1)]
    right: list[dict[str, object]] = [{"item": practice_id(n), "label": "correct"} for n in (2, 1)]
    with LabellingSession(packet) as session:
        report = give_labels(session, rows_of(tmp_path, item, *wrong, item))
        assert (report.given, report.done) == (2, 0)
        assert [row.reason for row in report.rejected] == ["Practice comes first."] * 2
        assert [(each.right, each.is_passed) for each in report.practice] == [(0, False)]
        report = give_labels(session, rows_of(tmp_path, *right, item))
        assert (report.given, report.done, report.rejected) == (3, 1, ())
        assert [(each.right, each.is_passed) for each in report.practice] == [(0, False), (2, True)]
        # Once more the same file: nothing is new.
        report = give_labels(session, rows_of(tmp_path, *right, item))
        assert (report.given, report.known, report.rejected) == (0, 3, ())


def test_what_is_to_be_read_comes_as_lines(tmp_path: Path) -> None:
    packet = write_practice_packet(tmp_path / "p.btcp", practice=1, items=2)
    with LabellingSession(packet) as session:
        lines = list(items_to_read(session))
        assert [next(iter(line)) for line in lines] == ["page", "practice", "item", "item"]
        assert lines[0] == {"page": "p", "content": "Criteria."}
        assert lines[2]["answer"] == "Answer"
        give_labels(session, rows_of(tmp_path, {"item": practice_id(1), "label": "correct"}))
        give_labels(session, rows_of(tmp_path, {"item": item_id(1), "label": "correct"}))
        assert [line.get("item") for line in items_to_read(session)] == [None, item_id(2)]
        # The known answers are not among it.
        assert not [line for line in lines if "correct" in json.dumps(line) or "Because" in json.dumps(line)]
