"""Practice items are read from JSON lines; what they show is what a packet of the layer shows."""

from __future__ import annotations

import json
from itertools import count

import pytest

from btc_gui.domain.packet import ItemId, Layer, PacketItem, PracticeItem
from btc_gui.domain.practice_file import read_practice
from btc_gui.domain.practice_items import practice_items
from btc_gui.domain.studies import study_kind
from btc_gui.errors import InputError

VERDICT = {
    "kind": "judge_verdict",
    "probe": "indirect",
    "values": {"entity": "Ada", "before": "b", "after": "a", "probe": "Whom?", "answer": "Ask Ada."},
    "label": "incorrect",
    "why": "It takes her for available.",
}
MODE = {
    "kind": "failure_mode",
    "probe": "indirect",
    "values": {
        "entity": "Ada",
        "before": "b",
        "after": "a",
        "probe": "Whom?",
        "answer": "Ask Ada.",
        "searches": [{"query": "experts", "received": "Ada died.", "finding": "indirect"}],
        "evidence": [{"text": "Ada died.", "source": "News", "published": "2026-05-01"}],
    },
    "label": "reasoning",
    "why": "It was told.",
    "answers": {"evidence": True},
}


def read(*rows: object, kind: str = "judge_verdict", layer: Layer = Layer.BLIND) -> list[PracticeItem]:
    text = "\ufeff" + "\r\n\n".join(json.dumps(row) for row in rows)
    ids = count(1)
    return practice_items(
        read_practice(text, "mine.jsonl", "demise"), study_kind(kind), layer, lambda: ItemId(f"{next(ids):016x}")
    )


def test_a_file_holds_items_of_several_kinds() -> None:
    (verdict,) = read(VERDICT, MODE)
    assert (verdict.page, verdict.label, verdict.answers) == ("demise/indirect", "incorrect", "")
    assert verdict.values == VERDICT["values"]
    (own,) = read({**VERDICT, "category": "closure"})
    assert own.page == "closure/indirect"


def test_what_the_machine_found_is_only_in_a_layer_that_shows_it() -> None:
    (blind,) = read(VERDICT, MODE, kind="failure_mode")
    (assisted,) = read(MODE, kind="failure_mode", layer=Layer.ASSISTED)
    assert "evidence" not in blind.values
    assert [s.finding for s in PacketItem(blind.item, 1, blind.page, blind.values).searches()] == [""]
    shown = PacketItem(assisted.item, 1, assisted.page, assisted.values)
    assert [s.finding for s in shown.searches()] == ["indirect"]
    assert [e.text for e in shown.excerpts()] == ["Ada died."]
    assert json.loads(blind.answers) == {"evidence": True}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([], "line 1 is no practice item"),
        ({**VERDICT, "why": " "}, "lacks its kind"),
        ({key: value for key, value in VERDICT.items() if key != "label"}, "no practice item"),
        ({**VERDICT, "label": "unsure"}, "has the label “unsure”"),
        ({**VERDICT, "values": {"answer": "x"}}, "lacks entity, before, after, probe"),
        ({**VERDICT, "values": {**VERDICT["values"], "model": "M"}}, "unknown fields: model"),  # type: ignore[dict-item]
        ({**VERDICT, "values": {**VERDICT["values"], "answer": 7}}, "wrong form"),  # type: ignore[dict-item]
    ],
)
def test_a_line_that_can_not_be_used_is_named(row: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read(row)
