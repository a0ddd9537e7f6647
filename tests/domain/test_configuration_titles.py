"""Different configurations never stand under the same title."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.configuration import Configuration, ConfigurationId, Effort, Harness
from btc_gui.domain.configuration_titles import configuration_titles

PLAIN = Configuration("Model A", Harness.SHARED, Effort.LOW, "replay", "abcdef0123", "2026-07-01", {"cutoff": "2026"})


def _titles(*configurations: Configuration) -> list[str]:
    return list(configuration_titles({ConfigurationId(n): each for n, each in enumerate(configurations, 1)}).values())


def test_where_model_effort_and_harness_are_enough_no_more_is_said() -> None:
    assert _titles(PLAIN, replace(PLAIN, effort=Effort.HIGH, as_of="2026-05-08")) == [
        "Model A · low · shared",
        "Model A · high · shared",
    ]


def test_what_differs_is_named_and_nothing_else() -> None:
    assert _titles(PLAIN, replace(PLAIN, as_of="2026-05-08")) == [
        "Model A · low · shared · as of 2026-07-01",
        "Model A · low · shared · as of 2026-05-08",
    ]
    assert _titles(PLAIN, replace(PLAIN, search="", settings={"cutoff": "2026", "turns": "5"})) == [
        "Model A · low · shared · search replay · turns –",
        "Model A · low · shared · search – · turns 5",
    ]


def test_what_begins_alike_is_told_apart_by_number() -> None:
    longest = "x" * 60
    one, other = (replace(PLAIN, settings={"note": longest + end}) for end in "ab")
    assert len(set(_titles(one, other))) == 2
    assert _titles(one, other)[1].endswith("no. 2")
