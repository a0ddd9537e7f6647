"""Retention: three recommendations retain a probe, one clear answer against settles that it is not."""

from __future__ import annotations

import pytest

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.retention import FilterAnswer, Retention, Standing, standing_of

FOR = FilterAnswer.RECOMMENDS


@pytest.mark.parametrize(
    ("answers", "standing"),
    [
        ({FOR: 3}, Standing.RETAINED),
        ({FOR: 4}, Standing.RETAINED),
        ({FOR: 2}, Standing.UNDECIDED),
        ({}, Standing.UNDECIDED),
        ({FOR: 2, FilterAnswer.LEAVES_OUT: 1}, Standing.NOT_RETAINED),
        ({FOR: 2, FilterAnswer.REFUSED: 1}, Standing.NOT_RETAINED),
        ({FOR: 2, FilterAnswer.NO_ANSWER: 1}, Standing.NOT_RETAINED),
        ({FilterAnswer.LEAVES_OUT: 1, FilterAnswer.PENDING: 2}, Standing.NOT_RETAINED),
        ({FOR: 2, FilterAnswer.PENDING: 1}, Standing.UNDECIDED),
        ({FOR: 2, FilterAnswer.UNJUDGED: 1}, Standing.UNDECIDED),
        ({FOR: 2, FilterAnswer.UNSCORED: 1}, Standing.UNDECIDED),
        ({FOR: 2, FilterAnswer.FAILED: 1}, Standing.UNDECIDED),
        ({FOR: 3, FilterAnswer.CONTRADICTORY: 1}, Standing.UNDECIDED),
        ({FilterAnswer.FAILED: 2, FilterAnswer.LEAVES_OUT: 1}, Standing.NOT_RETAINED),
    ],
)
def test_what_three_answers_come_to(answers: dict[FilterAnswer, int], standing: Standing) -> None:
    assert standing_of(answers) is standing


def test_the_reason_counts_every_outcome() -> None:
    retention = Retention(ProbeId(1), RevisionId(1), "Larkspur-2", ConfigurationId(1), {FilterAnswer.FAILED: 1, FOR: 2})
    assert retention.reason == "2 recommend the entity, 1 failed"
    assert Standing.NOT_RETAINED.text == "not retained"
