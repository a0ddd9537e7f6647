"""When two rows are one event, and which events a text names."""

from __future__ import annotations

import pytest

from btc_gui.domain.event import EventId
from btc_gui.domain.event_index import EventIndex
from tests.builders import make_facts


@pytest.mark.parametrize(
    ("known", "row", "same"),
    [
        ({"qid": "Q1"}, {"qid": "Q1", "entity": "Another spelling"}, True),
        ({"qid": "Q1"}, {"qid": "Q2"}, False),
        ({"qid": "Q1", "article": "Ada (painter)"}, {"article": "ada (painter)", "entity": "A."}, True),
        ({"article": "Ada (painter)"}, {"article": "Ada (poet)"}, False),
        ({"qid": "Q1"}, {}, True),
        ({}, {"entity": "ada example"}, True),
        ({}, {"date": "2026-05-10"}, False),
        ({"category": "tenure", "position": "Mayor"}, {"category": "tenure", "position": "mayor"}, True),
        ({"category": "tenure", "position": "Mayor"}, {"category": "tenure", "position": "Governor"}, False),
        (
            {"category": "tenure", "position": "MP", "position_qid": "Q5"},
            {"category": "tenure", "position": "Member of Parliament", "position_qid": "Q5"},
            True,
        ),
        (
            {"category": "tenure", "position": "Mayor", "position_qid": "Q5"},
            {"category": "tenure", "position": "Mayor", "position_qid": "Q6"},
            False,
        ),
        (
            {"category": "tenure", "position": "Mayor", "position_qid": "Q5"},
            {"category": "tenure", "position": "Mayor"},
            True,
        ),
        ({"category": "tenure"}, {"category": "demise"}, False),
    ],
)
def test_same_event(known: dict[str, str], row: dict[str, str], same: bool) -> None:
    """The strongest name that both rows have decides about the entity; position and day must agree."""
    index = EventIndex()
    index.add(make_facts(**known))
    assert index.knows(make_facts(**row)) is same


def test_named() -> None:
    """Case is ignored; namesakes are all given; what has no id yet is not."""
    index = EventIndex([(EventId(1), make_facts("Ada", aliases=("A.",))), (EventId(2), make_facts("ada", qid="Q2"))])
    index.add(make_facts("Ada", date="2026-05-11"))
    assert [event_id for event_id, _ in index.named("entity", "ADA")] == [1, 2]
    assert [event_id for event_id, _ in index.named("alias", "a.")] == [1]
    assert index.named("qid", "Q9") == []
