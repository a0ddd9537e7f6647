"""The datasheet of a release says nothing of its facts that is not so."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.datasheet import CollectionRecord, DatasheetFacts, datasheet
from btc_gui.domain.funnel import Funnel, FunnelStep
from btc_gui.domain.retention import RetentionCount

_LOADED = DatasheetFacts(
    name="Spring",
    created_by="ann",
    created_at="30 November 2026",
    note="",
    licence="",
    is_illustrative=False,
    events={"demise": 1},
    pairs={"demise": 1},
    days=("2026-05-09", "2026-05-09"),
)


def test_facts_of_files_are_not_said_to_be_from_wikidata() -> None:
    assert "Wikidata" not in datasheet(_LOADED)
    collected = replace(_LOADED, collections=[CollectionRecord("Deaths of May", Funnel(()))])
    assert "Facts that were collected from Wikidata are under CC0" in datasheet(collected)


def test_rows_put_back_by_hand_are_a_step_of_the_funnel() -> None:
    """Both kinds are told; only those since add to what was left."""
    steps = (FunnelStep("read", "Rows", 0, 6), FunnelStep("day_precision", "The day is known", 2, 4))
    collected = replace(_LOADED, collections=[CollectionRecord("Demises, May", Funnel(steps, 1, 3))])
    text = datasheet(collected)
    assert "| The day is known | 2 | 4 |" in text
    assert "| Put back by hand (3 more were put back before, and not dropped again) | +1 | 5 |" in text
    assert "by hand" not in datasheet(replace(_LOADED, collections=[CollectionRecord("May", Funnel(steps))]))


def test_probes_that_were_filtered_need_not_have_been_generated() -> None:
    count = RetentionCount("demise", "A", 1, 30, 30, 4, 26, 0, 1)
    text = datasheet(replace(_LOADED, retention=[count]))
    assert "| model | category | probes | retained |" in text
    assert "| A | demise | 30 | 4 |" in text
