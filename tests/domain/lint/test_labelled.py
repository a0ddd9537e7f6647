"""The labelled probes: what the linter promises to find, and how seldom it may be wrong."""

from __future__ import annotations

import pytest

from tests.bench.lint import Score, check_cases, score


@pytest.fixture(scope="module")
def scores() -> dict[str, dict[str, Score]]:
    """The scores of all rules, over all probes and over those that the rules were not made by."""
    cases, found = check_cases()
    assert len(cases) >= 300
    held_out = [case for case in cases if case.is_held_out]
    assert len(held_out) >= 130
    return {"all": score(cases, found), "held out": score(held_out, found)}


@pytest.mark.parametrize("part", ["all", "held out"])
def test_leaks_of_the_name_are_found(scores: dict[str, dict[str, Score]], part: str) -> None:
    name = scores[part]["name"]
    assert name.hits + name.misses >= 30
    assert name.recall >= 0.98
    assert name.precision >= 0.9


@pytest.mark.parametrize("rule", ["event_word", "singles_out", "not_a_request", "not_english", "too_short", "date"])
def test_other_clear_faults_are_found(scores: dict[str, dict[str, Score]], rule: str) -> None:
    assert scores["all"][rule].recall >= 0.95
    assert scores["all"][rule].precision >= 0.9


def test_rules_that_must_guess_miss_little(scores: dict[str, dict[str, Score]]) -> None:
    for rule in ("requirement", "one_answer", "not_present", "variety"):
        assert scores["all"][rule].recall >= 0.85
