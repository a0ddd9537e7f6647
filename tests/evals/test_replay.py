"""Recordings: found by what they are for, missed out loud, and refused line by line when they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.domain.trajectory import Ending
from btc_gui.errors import RunError
from btc_gui.evals.replay import NotRecordedError, RecordedAgents, RecordedSearches
from tests.recordings import behaviour, result, write_recordings


def test_behaviour_is_found_by_model_effort_and_probe(tmp_path: Path) -> None:
    folder = write_recordings(
        tmp_path,
        [
            behaviour("p1", [["a", "b"], ["c"]], "Low."),
            behaviour("p1", [], effort="high", ending="refused", reason="No."),
            behaviour("p2", model="Juniper-Air"),
        ],
    )
    agents = RecordedAgents(folder)
    low, high = agents.behaviour("Larkspur-2", "low", "p1"), agents.behaviour("Larkspur-2", "high", "p1")
    assert [turn.queries for turn in low.turns] == [("a", "b"), ("c",)]
    assert (low.ending, low.answer) == (Ending.ANSWERED, "Low.")
    assert (high.ending, high.answer, high.reason) == (Ending.REFUSED, "", "No.")
    assert agents.configurations() == [("Larkspur-2", "low"), ("Larkspur-2", "high"), ("Juniper-Air", "low")]
    with pytest.raises(NotRecordedError, match="Juniper-Air at high effort for the probe “p2”"):
        agents.behaviour("Juniper-Air", "high", "p2")


def test_a_query_is_found_whatever_its_case_and_spaces_and_missed_otherwise(tmp_path: Path) -> None:
    folder = write_recordings(tmp_path, [], {"Straße  in KÖLN": [result("Eins"), result("Zwei")], "nothing": []})
    searches = RecordedSearches(folder)
    assert [each.title for each in searches.results(" strasse in köln\n")] == ["Eins", "Zwei"]
    assert searches.results("Nothing") == ()
    with pytest.raises(NotRecordedError, match="no recorded search results for “Straße in Bonn”"):
        searches.results("Straße in Bonn")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"model": "m", "effort": "low", "probe": "p", "turns": 3, "final": {}}', "not a recorded behaviour"),
        ('{"model": "m", "effort": "low", "probe": "p", "turns": []}', "not a recorded behaviour"),
        (
            '{"model": "m", "effort": "low", "probe": "p", "turns": [], "final": {"ending": "gave up"}}',
            "not a recorded behaviour",
        ),
        ("[1, 2]", "not a JSON object"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    write_recordings(tmp_path, [behaviour("p1")])
    with (tmp_path / "agents.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    with pytest.raises(RunError, match=rf"Line 3 of agents\.jsonl is {complaint}"):
        RecordedAgents(tmp_path)


def test_a_folder_without_recordings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="There is no searches") as refused:
        RecordedSearches(tmp_path)
    assert "agents.jsonl and searches.jsonl" in refused.value.remedy
