"""Replies of the query service: taken whole or not at all, and rows turned into items."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.collection_plan import CollectionPlan
from btc_gui.domain.sparql_rows import UnusableReply, gather, read_results
from btc_gui.domain.statements import DateState, Rank
from tests.wikidata_rows import demise, position, row, tenure, term

CATEGORIES = load_categories(paths.resources() / "categories")


def plan(name: str) -> CollectionPlan:
    """How a category is collected."""
    found = CATEGORIES[name].collection
    assert found is not None
    return found


def reply(*rows: object, variables: tuple[str, ...] = ("person", "date")) -> str:
    """A reply as the service sends it."""
    return json.dumps({"head": {"vars": list(variables)}, "results": {"bindings": list(rows)}})


def test_whole_reply() -> None:
    """Rows and variables of a reply; a result without rows is one."""
    results = read_results(reply(demise(1)), ("date", "person"))
    assert results.variables == ("person", "date")
    assert len(results.rows) == 1
    assert read_results(reply()).rows == ()


@pytest.mark.parametrize(
    ("body", "reason", "timed_out"),
    [
        (
            reply(demise(1))[:-40] + "\nSPARQL-QUERY: queryStr=SELECT\njava.util.concurrent.TimeoutException\n",
            "the service ran out of time",
            True,
        ),
        (reply(demise(1))[:-10], "the reply is cut short", False),
        ("Please set a user-agent", "the reply is no JSON: “Please set", False),
        ("", "the reply is no JSON", False),
        ("[]", "no result of a query", False),
        ('{"head": {}, "results": {}}', "no result of a query", False),
        ('{"head": {"vars": ["x"]}, "results": {"bindings": [[]]}}', "rows that are none", False),
    ],
)
def test_unusable_reply(body: str, reason: str, timed_out: bool) -> None:
    """Cut bodies, prose with status 200 and foreign JSON are refused with what they are."""
    with pytest.raises(UnusableReply, match=reason) as refused:
        read_results(body)
    assert refused.value.timed_out is timed_out


def test_reply_to_another_query() -> None:
    """A reply whose columns are not those asked for answers something else."""
    with pytest.raises(UnusableReply, match=r"its columns differ \(date, end\)"):
        read_results(reply(), ("person", "end"))


def test_rows_become_items() -> None:
    """Rows that tell parts of one statement are put together; several values of a date stay apart."""
    told = {
        "tenures": [tenure(1), tenure(1)],
        "all_terms": [
            term(1, "a", "2022-01-10", "2026-05-09", acting="Q4676846"),
            term(1, "a", "2022-01-10", "2026-05-08", circ="Q18122778", rank="deprecated"),
            term(1, "b", position="Q901", family="Q910", dod="?"),
        ],
        "positions": [position(901, cls="Q911", jur="Q30")],
    }
    gathered = gather(plan("tenure"), told)
    item = gathered.items["Q1"]
    first, second = item.statements
    assert [stated.text for stated in first.ends] == ["8 May 2026", "9 May 2026"]
    assert (first.rank, first.natures) == (Rank.DEPRECATED, ("Q18122778", "Q4676846"))
    assert (second.value, second.starts, second.ends) == ("Q901", (), ())
    assert [died.state for died in item.died] == [DateState.UNKNOWN]
    assert gathered.items["Q901"].parents == ("Q910", "Q911")
    assert gathered.items["Q901"].jurisdictions == ("Q30",)
    assert [sighting.key for sighting in gathered.sightings] == ["Q1$a", "Q1$a"]


def test_a_date_with_and_without_its_precision_is_one() -> None:
    """What one query tells without precision is not held against what another tells with it."""
    told = {"demises": [demise(1, "2026-05-01")], "all_deaths": [row(person="Q1", st="Q1$a", date="2026-05-01")]}
    (statement,) = gather(plan("demise"), told).items["Q1"].statements
    assert [stated.text for stated in statement.dates] == ["1 May 2026"]


def test_merges_in_a_circle_end() -> None:
    """Redirects that point at each other are no endless loop."""
    told = {"demises": [demise(1)], "redirects": [row(old="Q1", new="Q2"), row(old="Q2", new="Q1")]}
    assert sum(len(item.statements) for item in gather(plan("demise"), told).items.values()) == 1


def test_real_replies(shared_data: Path) -> None:
    """Real replies of the service, and the broken ones made after bug reports, are each what they are."""
    folder = shared_data / "wikidata"
    rows = {
        path.name: len(read_results(path.read_text(encoding="utf-8")).rows)
        for path in (folder / "wdqs_samples").glob("sparql_*.json")
        if path.name != "sparql_flat_people_fr_2026-02.json"
    }
    assert rows["sparql_uk_Q11007_2018.json"] == 73
    assert rows["sparql_results_labels_descriptions_aliases.json"] == 50
    assert len(rows) == 9
    verdicts = {}
    for path in (folder / "synthetic").iterdir():
        try:
            read_results(path.read_text(encoding="utf-8"))
            verdicts[path.name] = "usable"
        except UnusableReply as refused:
            verdicts[path.name] = "timed out" if refused.timed_out else "refused"
    assert verdicts == {
        "mul_only_label_entity.json": "refused",
        "sparql_genid_and_untyped_date.json": "usable",
        "wdqs_200_no_user_agent.txt": "refused",
        "wdqs_200_truncated_timeout.json": "timed out",
        "wdqs_403_ban.txt": "refused",
        "wdqs_429_body.html": "refused",
    }
    strange = read_results((folder / "synthetic" / "sparql_genid_and_untyped_date.json").read_text(encoding="utf-8"))
    items = gather(plan("demise"), {"all_deaths": [{**one, "st": one["person"]} for one in strange.rows]}).items
    states = sorted(stated.state for item in items.values() for one in item.statements for stated in one.dates)
    assert states == [DateState.UNKNOWN, DateState.UNKNOWN, DateState.UNREADABLE, DateState.UNREADABLE]
