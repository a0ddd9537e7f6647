"""Two dates or releases: paired by event, which events changed, and which configurations are the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.change_table import Sides, change_rows
from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.paired import PairedCounts
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.errors import InputError
from tests.result_builders import INDIRECT, RIGHT, WRONG, make_answer, make_head

MAY = replace(make_head().configuration, as_of="2026-05-01")
JUNE = replace(MAY, as_of="2026-06-01")
KNOWN = {ConfigurationId(1): MAY, ConfigurationId(2): JUNE}
SIDES = Sides({1: "spring", 2: "summer"}, {1: "2026-05-01", 2: "2026-06-01"}, KNOWN, {"a": frozenset({7})})


def outcomes(both: int, later: int, earlier: int, neither: int) -> tuple[list[ResultAnswer], list[ResultAnswer]]:
    """Answers of May and June about the same events."""
    pairs = [(RIGHT, RIGHT)] * both + [(WRONG, RIGHT)] * later + [(RIGHT, WRONG)] * earlier + [(WRONG, WRONG)] * neither
    before = [make_answer(event, one, run=1) for event, (one, _) in enumerate(pairs)]
    after = [make_answer(event, two, run=2, configuration=2) for event, (_, two) in enumerate(pairs)]
    return before, after


def test_the_change_is_paired_by_event_with_newcombe_and_mid_p() -> None:
    """Newcombe's method 10 of 59, 6, 16, 80 is −0.1186 to −0.0046 (R, contingencytables); June is better here."""
    (row,) = change_rows(*outcomes(59, 16, 6, 80), KNOWN)
    assert row.pairs == PairedCounts(59, 16, 6, 80)
    assert row.change == pytest.approx(10 / 161)
    assert row.interval == pytest.approx((0.0046, 0.1186), abs=1e-4)
    assert (len(row.better), len(row.worse)) == (16, 6)
    # scipy.stats.binomtest(6, 22, 0.5): exact 0.0525, mid-p 0.0347.
    assert row.p == pytest.approx(0.0347, abs=1e-4)
    assert row.adjusted == row.p


def test_events_of_one_side_only_are_in_no_pair() -> None:
    before, after = outcomes(1, 1, 0, 0)
    (row,) = change_rows([*before, make_answer(99, WRONG, run=1)], after, KNOWN)
    assert (row.pairs.n, row.before.scored, row.after.scored) == (2, 3, 2)


def test_another_prompt_is_another_configuration() -> None:
    other = {ConfigurationId(1): MAY, ConfigurationId(2): replace(JUNE, prompt_hash="other")}
    assert change_rows(*outcomes(1, 1, 0, 0), other) == []


def test_sides_are_chosen_by_release_date_as_of_and_run() -> None:
    before, after = outcomes(1, 0, 0, 0)
    answers = [*before, *after, make_answer(5, RIGHT, revision=7, run=2, configuration=2)]
    # One release stands alone, so that it is not offered.
    assert [side.name for side in SIDES.all()] == [
        *("date:2026-05-01", "date:2026-06-01", "as-of:2026-05-01", "as-of:2026-06-01", "run:1", "run:2")
    ]
    for name in ("date:2026-06-01", "as-of:2026-06-01", "run:2"):
        assert [each.run for each in SIDES.answers(SIDES.named(name), answers)] == [2, 2]
    assert SIDES.named("date:2026-05-01").words == "Asked on 1 May 2026"
    two = replace(SIDES, releases={**SIDES.releases, "b": frozenset({8})})
    assert [each.event for each in two.answers(two.named("release:a"), answers)] == [5]
    with pytest.raises(InputError, match="no “run:9”"):
        SIDES.named("run:9")


def test_one_answer_a_probe_counts_on_each_side() -> None:
    before, after = outcomes(1, 0, 0, 0)
    again = make_answer(0, WRONG, run=1, repetition=2)
    (row,) = change_rows([*before, again], after, KNOWN)
    assert (row.kind, row.before.scored, row.pairs.both) == (INDIRECT, 1, 1)
