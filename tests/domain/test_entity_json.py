"""Whole items of Wikidata: names, ranks, unknown values, redirects and missing items."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.collecting import decide_items
from btc_gui.domain.entity_json import read_entities
from btc_gui.domain.funnel import Collected
from btc_gui.domain.statements import DateState, Item, best

CATEGORIES = load_categories(paths.resources() / "categories")
RUN = date(2026, 7, 10)


def snak(value: object) -> dict[str, object]:
    """A value: an item's id, a date with its precision, or `somevalue` and `novalue`."""
    if value in ("somevalue", "novalue"):
        return {"snaktype": value, "property": "P1"}
    if isinstance(value, tuple):
        time, precision = value
        return {"snaktype": "value", "datavalue": {"type": "time", "value": {"time": time, "precision": precision}}}
    return {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": {"id": value}}}


def claim(key: str, value: object, rank: str = "normal", **qualifiers: object) -> dict[str, object]:
    """A statement."""
    told = {name: [snak(one)] for name, one in qualifiers.items()}
    return {"id": key, "rank": rank, "mainsnak": snak(value), "qualifiers": told}


def entity(qid: str = "Q1", **claims: list[dict[str, object]]) -> dict[str, object]:
    """An item with an English name and article."""
    return {
        "id": qid,
        "labels": {"en": {"language": "en", "value": "Ada"}},
        "sitelinks": {"enwiki": {"site": "enwiki", "title": "Ada Example"}},
        "claims": claims,
    }


def read(reply: object, prop: str = "P39") -> Mapping[str, Item]:
    """The items of a reply."""
    return read_entities(json.dumps(reply), prop).items


def test_statements_of_an_item() -> None:
    """Values, ranks, qualifiers, unknown and absent values; day and month 00 mean unknown."""
    item = read(
        {
            "entities": {
                "Q1": entity(
                    P31=[claim("Q1$x", "Q5")],
                    P570=[claim("Q1$d", "somevalue", "preferred"), claim("Q1$e", ("+2026-05-00T00:00:00Z", 10))],
                    P39=[
                        claim("Q1$a", "Q900", P580=("+2020-00-00T00:00:00Z", 9), P582=("+2026-05-09T00:00:00Z", 11)),
                        claim("Q1$b", "Q900", "deprecated", P5102="Q4676846", P2937="Q950", P582="novalue"),
                        claim("Q1$c", "somevalue"),
                    ],
                )
            }
        }
    )["Q1"]
    assert (item.name, item.title, item.classes, item.sitelinks) == ("Ada", "Ada Example", ("Q5",), 1)
    assert [died.state for died in item.died] == [DateState.UNKNOWN]
    first, second, third = item.statements
    assert (first.starts[0].text, first.ends[0].text) == ("2020", "9 May 2026")
    assert (second.natures, second.terms, second.ends[0].state) == (("Q4676846",), ("Q950",), DateState.NONE)
    assert (third.value, third.dates[0].state) == ("", DateState.UNKNOWN)
    assert [one.id for one in best(item.statements)] == ["Q1$a", "Q1$c"]


def test_redirects_and_missing_items() -> None:
    """An item asked for under an old id comes under its new one; ids that don't exist are told."""
    entities = read_entities(
        json.dumps({"entities": {"Q7": entity("Q1"), "Q8": {"id": "Q8", "missing": ""}, "Q9": {"missing": ""}}}), "P39"
    )
    assert entities.items["Q1"].former == ("Q7",)
    assert entities.missing == ("Q8", "Q9")


def test_bad_replies() -> None:
    """What holds no items is refused with what it is."""
    with pytest.raises(ValueError, match="the reply is no JSON"):
        read_entities("<html>", "P39")
    with pytest.raises(ValueError, match="the service refused: Too many requests"):
        read_entities('{"error": {"code": "ratelimited", "info": "Too many requests"}}', "P39")
    with pytest.raises(ValueError, match="the reply holds no entities"):
        read_entities("3", "P39")


def test_novalue_end_means_in_office() -> None:
    """“No value” as the end says that it lasts, which “unknown value” doesn't."""
    ended = claim("Q1$a", "Q900", P580=("+2016-01-01T00:00:00Z", 11), P582=("+2020-01-01T00:00:00Z", 11))

    def kept(end: object) -> bool:
        other = claim("Q1$b", "Q900", P580=("+2024-01-01T00:00:00Z", 11), P582=end)
        items = {**read(entity(P39=[ended, other])), "Q900": Item("Q900", label_en="Mayor of Exampleton")}
        return decide(items).decisions[0].kept

    assert not kept("novalue")
    assert kept("somevalue")


def decide(items: Mapping[str, Item], category: str = "tenure", **overrides: object) -> Collected:
    """Decide about all statements of the items that have some; positions without a name are called by their id."""
    named = dict(items)
    for item in items.values():
        for statement in item.statements:
            if statement.value and statement.value not in items:
                named[statement.value] = Item(statement.value, label_en=f"office {statement.value}")
    about = [item.qid for item in items.values() if item.statements]
    return decide_items(CATEGORIES[category], named, about, window=None, run_date=RUN, overrides=overrides)


def outcomes(collected: Collected) -> Counter[str]:
    """How many were kept, and dropped at each step."""
    return Counter("kept" if decision.kept else decision.step for decision in collected.decisions)


def sample(shared_data: Path, name: str, prop: str) -> Mapping[str, Item]:
    """The items of a real file."""
    return read_entities((shared_data / "wikidata" / "wdqs_samples" / name).read_text(encoding="utf-8"), prop).items


def test_real_president(shared_data: Path) -> None:
    """Q7747: a preferred statement hides no ended one, and an undated copy keeps no end from counting.

    Of 22 statements 13 have an end. That of Q1553195 is known to the year; asked for by year it stays, although a
    copy of it has no dates. Two of 2008 are held again since 2012.
    """
    items = sample(shared_data, "wbgetentities_Q7747.json", "P39")
    collected = decide(items)
    assert outcomes(collected) == {"complete": 9, "kept": 10, "day_precision": 1, "not_held_again": 2}
    by_year = {
        decision.candidate.position: decision
        for decision in decide(items, day_precision=False).decisions
        if decision.candidate.date == "1997"
    }
    assert by_year["office Q1553195"].kept
    assert by_year["office Q1553195"].marks == ("another statement of the same position has no dates",)
    again = [decision for decision in collected.decisions if decision.step == "not_held_again"]
    assert {decision.candidate.position for decision in again} == {"office Q218295", "office Q4109060"}
    acting = {"Q4127082": Item("Q4127082", label_en="Acting President of Russia")}
    (mark,) = [
        decision.marks
        for decision in decide({**items, **acting}).decisions
        if decision.kept and decision.candidate.position == "Acting President of Russia"
    ]
    assert mark[0] == "acting: the office was held for the time being"


def test_real_politician(shared_data: Path) -> None:
    """Q646148: six Folketing statements without dates are unknown, never current; the seventh ended in 1984."""
    items = sample(shared_data, "entity_Q646148_politician_13xP39_18xP582_died.json", "P39")
    assert outcomes(decide(items)) == {"complete": 7, "day_precision": 1, "kept": 5}
    undated = [statement for statement in items["Q646148"].statements if not statement.starts and not statement.ends]
    assert Counter(statement.value for statement in undated) == {"Q12311817": 6, "Q1780230": 1}
    # Were he alive, it would be the same: nothing about today follows from a statement without dates.
    alive = {"Q646148": replace(items["Q646148"], died=())}
    assert outcomes(decide(alive)) == outcomes(decide(items))
    kept = {
        decision.candidate.position: decision.candidate.date for decision in decide(alive).decisions if decision.kept
    }
    assert kept["office Q12311817"] == "31 December 1984"
    assert kept["office Q1780230"] == "22 January 1995"


def test_real_dates(shared_data: Path) -> None:
    """Months stand as day 01 and as day 00, unknown values above known ones, and a label of another person."""
    born = sample(shared_data, "entity_Q970917_dates_precision_9_10_11.json", "P569")["Q970917"]
    assert sorted(stated.text for one in born.statements for stated in one.dates) == [
        "1990",
        "November 1869",
        "November 1990",
    ]
    assert [died.text for died in born.died] == ["7 May 1929"]
    child = sample(shared_data, "wbgetentities_Q130234753.json", "P569")["Q130234753"]
    assert [stated.state for one in best(child.statements) for stated in one.dates] == [DateState.UNKNOWN]
    sandbox = sample(shared_data, "entity_Q4115189_somevalue_novalue.json", "P369")["Q4115189"]
    assert sandbox.name == ""
    namesake = sample(shared_data, "wbgetentities_Q19300851.json", "P570")
    assert outcomes(decide(namesake, "demise")) == {"has_article": 1}
    told = sample(shared_data, "wbgetentities_Q254220.json", "P39")
    assert [facts.date.text for facts in decide(told).events] == ["15 September 2014"]
    made = read_entities(
        (shared_data / "wikidata" / "synthetic" / "mul_only_label_entity.json").read_text(encoding="utf-8"), "P570"
    ).items
    collected = decide(made, "demise")
    assert outcomes(collected) == {"not_deprecated": 1, "best_rank": 1, "kept": 1}
    assert [(facts.entity, facts.date.text) for facts in collected.events] == [("Example Person", "9 May 2026")]
