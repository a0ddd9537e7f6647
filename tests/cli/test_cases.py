"""`btc-gui cases`: what the Cases page finds, without a window."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from btc_gui.cli import main
from btc_gui.domain.case import CasePool, CaseQuery
from btc_gui.domain.configuration import Effort
from btc_gui.domain.run import Purpose
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.saved_filters import SavedFilterStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, add_verdict, make_configuration, make_query, make_result, make_trajectory


@pytest.fixture
def project(database: Database) -> Path:
    """Twelve answers of one configuration, one of another, and one of a filter."""
    event = add_event(database, entity="Ada Example")
    probe = add_probe(database, event, "Who could open the fair?")
    said = [make_trajectory(f"Ask Ada, choice {number}.", [make_query("fair openers")]) for number in range(12)]
    _, ids = add_answers(database, probe, said)
    add_verdict(database, ids[0])
    add_verdict(database, ids[1], Label.CORRECT)
    CaseTagStore(database).add([ids[2]], "odd", "tests")
    found = make_query("Ada news", make_result("Ada died in May.\x1b[2J"))
    add_answers(database, probe, [make_trajectory("She died.", [found])], make_configuration("B", Effort.LOW))
    add_answers(database, probe, [make_trajectory("Ada would do.")], purpose=Purpose.FILTER)
    return database.path


def _run(project: Path, *words: str) -> dict[str, Any]:
    result = CliRunner().invoke(main, ["cases", *words, "-p", str(project), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.output)
    return answer


def test_find_by_facets_and_words(project: Path) -> None:
    """Facets and words, with counts and snippets; a filter's answers only when asked for."""
    assert _run(project, "find")["found"] == 13
    assert _run(project, "find", "--label", "incorrect", "--label", "correct")["found"] == 2
    assert _run(project, "find", "--tag", "odd", "--run", "1")["found"] == 1
    found = _run(project, "find", "died", "--facets")
    assert found["facets"]["models"] == {"B": 1}
    assert found["cases"][0]["snippet"]["text"] == "She died."
    assert _run(project, "find", "result:died")["cases"][0]["snippet"]["field"] == "result"
    assert [case["pool"] for case in _run(project, "find", "--pool", "filter")["cases"]] == ["filter"]
    assert _run(project, "find", "NOT ada")["found"] == 0
    result = CliRunner().invoke(main, ["cases", "find", "result:died", "-p", str(project)])
    assert "result: Report Ada [died] in May." in result.output
    assert "\x1b" not in result.output
    with pytest.raises(InputError, match="closing quote"):
        CliRunner().invoke(main, ["cases", "find", '"died', "-p", str(project)], catch_exceptions=False)


def test_a_pick_is_the_same_everywhere(project: Path, database: Database) -> None:
    """The cases of least SHA-256 of seed, 0x1F and reference; more of the same seed holds the fewer."""
    all_of_them = [case["reference"] for case in _run(project, "find")["cases"]]
    by_hand = sorted(all_of_them, key=lambda each: hashlib.sha256(f"7\x1f{each}".encode()).hexdigest())
    picked = [case["reference"] for case in _run(project, "pick", "-n", "4", "--seed", "7")["cases"]]
    assert picked == by_hand[:4]
    assert CaseStore(database).pick(CaseQuery(order="stored", descending=True), 6, "7")[:4] == [
        int(each[4:]) for each in picked
    ]


def test_saved_views_and_the_index_of_filters_answers(project: Path, database: Database) -> None:
    """A view finds what it was saved for; what is not indexed yet is found once it is."""
    query = CaseQuery(labels=("incorrect",), contains="fair", order="queries", descending=True)
    assert CaseQuery.from_json(query.as_json()) == query
    assert CaseQuery.from_json({"labels": 3, "order": "nonsense", "pool": "x", "new": 1}) == CaseQuery()
    SavedFilterStore(database, "cases").save("Wrong", query.as_json())
    assert _run(project, "views")["views"][0]["cases"] == 1
    assert _run(project, "find", "--view", "Wrong")["found"] == 1
    with database.write() as connection:
        connection.execute("INSERT INTO filter_words(filter_words) VALUES ('delete-all')")
        connection.execute("INSERT INTO case_words(case_words) VALUES ('delete-all')")
    assert CaseStore(database).find(CaseQuery(contains="ada")).unsearched == 13
    result = CliRunner().invoke(main, ["cases", "index", "-p", str(project)])
    assert result.output.splitlines() == [
        "13 answers of evaluation made searchable",
        "1 answer of filter made searchable",
    ]
    assert len(CaseStore(database).ids(CaseQuery(pool=CasePool.FILTER, contains="ada"))) == 1
    assert len(CaseStore(database).ids(CaseQuery(contains="query:fair"))) == 12
