"""Labels of failure modes without a window: the same parts, the same refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.mode_form import ModeForm
from btc_gui.domain.packet import PacketItem, Search, written
from btc_gui.errors import InputError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.recorded_labels import give_labels, read_labels
from btc_gui.store.packet_file import PacketFile
from tests.study_builders import item_id, make_manifest

RECEIVED = "[1] Notice\nURL: https://example.org/1\nPublished: 2026-03-09\nAda 🎨 died on Tuesday."
START = RECEIVED.index("died")
SPAN = {
    "search": 1,
    "start": START,
    "stop": START + len("died on Tuesday."),
    "quote": "died on Tuesday.",
    "relation": "states",
    "result": 1,
    "published": "2026-03-09",
    "dated_by": "metadata",
}
GOOD = {"queries": ["unrelated"], "evidence": "yes", "spans": [SPAN]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A packet with two items of one query each."""
    manifest = replace(make_manifest(2, "failure_mode"), relations=("states", "entails"))
    values = {field.name: field.title for field in manifest.fields}
    values["searches"] = written([Search("carvers", RECEIVED)])
    PacketFile.create(
        tmp_path / "p.btcp", manifest, {"p": "x"}, [PacketItem(item_id(n), n, "p", values) for n in (1, 2)]
    )
    return tmp_path / "p.btcp"


def test_a_file_gives_labels_with_their_parts(path: Path, tmp_path: Path) -> None:
    rows = [
        {"item": item_id(1), "label": "reasoning", "answers": GOOD},
        {"item": item_id(2), "label": "explicit", "answers": {"queries": ["indirect"], "evidence": "no"}},
    ]
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    read, bad = read_labels(file)
    with LabellingSession(path) as session:
        report = give_labels(session, read)
        (given,) = session._labels
    assert not bad
    assert (report.given, report.done) == (1, 1)
    assert "“Indirect” follows" in report.rejected[0].reason
    assert ModeForm.from_text(given.answers) == ModeForm.from_text(json.dumps(GOOD))
    with LabellingSession(path) as session:
        assert give_labels(session, read).known == 1  # Twice is the same as once.


@pytest.mark.parametrize(
    "answers",
    [
        "",
        "no JSON",
        json.dumps({**GOOD, "spans": [{**SPAN, "start": START - 1}]}),
        json.dumps({**GOOD, "spans": [{**SPAN, "quote": "lived on Tuesday"}]}),
        json.dumps({**GOOD, "spans": [{**SPAN, "search": 2}]}),
        json.dumps({**GOOD, "spans": []}),
    ],
)
def test_what_can_not_be_right_is_refused_and_nothing_is_written(path: Path, answers: str) -> None:
    with LabellingSession(path) as session:
        with pytest.raises(InputError):
            session.label_as(item_id(1), ItemState("reasoning", answers=answers))
        assert session.done == 0
