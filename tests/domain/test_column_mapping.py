"""Which column is which fact, for files as people and services write them."""

from __future__ import annotations

import pytest

from btc_gui.domain.column_mapping import (
    LoadSubject,
    adjust_mapping,
    columns_hash,
    guess_mapping,
    problems_of_mapping,
)
from btc_gui.errors import InputError

EVENTS, PROBES = LoadSubject.EVENTS, LoadSubject.PROBES


@pytest.mark.parametrize(
    ("columns", "row", "expected"),
    [
        # The tables of the benchmark's own collection: both `date` and `end` are there, and neither is lost.
        (
            "qid,name,category,date,date_precision,position,position_qid,start,end,enwiki_title,outcome,quality",
            {},
            {
                "qid": "qid",
                "entity": "name",
                "category": "category",
                "date": "date",
                "precision": "date_precision",
                "position": "position",
                "position_qid": "position_qid",
                "started": "start",
                "ended": "end",
                "article": "enwiki_title",
            },
        ),
        # A table as somebody keeps it by hand.
        (
            "Name,When,Q-id,Link,Wiki",
            {"Q-id": "Q42"},
            {"entity": "Name", "date": "When", "qid": "Q-id", "source": "Link", "article": "Wiki"},
        ),
        # The variables of a query for demises: the person is an id, the label has a short name.
        (
            "person,st,date,prec,title,links,len,den",
            {"person": "Q42", "len": "Ada"},
            {
                "qid": "person",
                "date": "date",
                "precision": "prec",
                "article": "title",
                "entity": "len",
                "description": "den",
            },
        ),
        # The same word for a name.
        ("person,date_of_death", {"person": "Ada"}, {"entity": "person", "died": "date_of_death"}),
        (
            "item,itemLabel,position,positionLabel,end",
            {"item": "http://www.wikidata.org/entity/Q42", "position": "Q11696"},
            {
                "qid": "item",
                "entity": "itemLabel",
                "position_qid": "position",
                "position": "positionLabel",
                "ended": "end",
            },
        ),
        # The precision has the name of its date: without it, 1 January might be any day of the year.
        (
            "id,name,dob,dobp,dod,dodp",
            {"id": "Q42"},
            {"qid": "id", "entity": "name", "died": "dod", "precision": "dodp"},
        ),
        # A title beside a name is as likely the person's as the article's.
        ("name,title,date", {"title": "Prime Minister"}, {"entity": "name", "date": "date"}),
        ("a,b", {}, {}),
    ],
)
def test_guess_events(columns: str, row: dict[str, str], expected: dict[str, str]) -> None:
    """Names decide, and where one name is used for ids and for names, the cells do."""
    assert guess_mapping(EVENTS, columns.split(","), [row]) == expected


def test_guess_probes() -> None:
    """A column serves one fact; the likelier name wins."""
    guessed = guess_mapping(PROBES, ["id", "qid", "prompt", "text", "type", "entity", "persona"], [{"entity": "Ada"}])
    assert guessed == {
        "key": "id",
        "text": "text",
        "kind": "type",
        "qid": "qid",
        "entity": "entity",
        "requester": "persona",
    }


def test_id_of_a_probe_or_of_its_event() -> None:
    """Ids of Wikidata name the event, all others the probe."""
    assert guess_mapping(PROBES, ["id", "text"], [{"id": "Q42"}]) == {"qid": "id", "text": "text"}
    assert guess_mapping(PROBES, ["id", "text"], [{"id": "p1"}]) == {"key": "id", "text": "text"}


def test_adjust() -> None:
    """A fact is moved or taken away; what doesn't exist is refused with what does."""
    mapping = adjust_mapping(EVENTS, {"entity": "a", "note": "c"}, {"entity": "b", "note": ""}, ["a", "b", "c"])
    assert mapping == {"entity": "b"}
    with pytest.raises(InputError, match="Facts: qid, article, entity"):
        adjust_mapping(EVENTS, {}, {"nme": "a"}, ["a"])
    with pytest.raises(InputError, match="Columns: a"):
        adjust_mapping(EVENTS, {}, {"entity": "b"}, ["a"])


def test_problems() -> None:
    """What is missing is said in words; a default for all rows fills a gap."""
    assert problems_of_mapping(EVENTS, {"entity": "n", "ended": "e"}, ["n", "e"], {}) == [
        "no column holds the category"
    ]
    assert problems_of_mapping(EVENTS, {"entity": "n", "ended": "e"}, ["n", "e"], {"category": "tenure"}) == []
    assert len(problems_of_mapping(PROBES, {}, ["x"], {})) == 3


def test_columns_in_any_order_are_the_same() -> None:
    """A mapping is remembered for a set of columns."""
    assert columns_hash(["a", "b"]) == columns_hash(("b", "a")) != columns_hash(["a"])
