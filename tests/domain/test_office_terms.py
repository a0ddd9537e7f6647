"""Whether somebody who left an office holds it again: the gaps that real parliaments have."""

from __future__ import annotations

from datetime import date

import pytest

from btc_gui.domain.event import EventFacts
from btc_gui.domain.office_terms import OfficeTerms, Term
from tests.builders import make_facts

TODAY = date(2026, 6, 30)


def tenure(start: str, end: str, **more: str) -> EventFacts:
    """A tenure that ended."""
    from btc_gui.domain.dates import parse_event_date

    return make_facts("Ada", "tenure", end, started=parse_event_date(start), **more)


def again(ended: EventFacts, start: str, end: str | None, **more: str) -> date | None:
    """When the position is held again, if the person's other term was from `start` to `end`."""
    terms = OfficeTerms(TODAY)
    assert ended.started is not None
    own_start, own_end = ended.started.as_day(), ended.date.as_day()
    assert own_start is not None
    terms.add(Term(ended, own_start, own_end))
    terms.add(Term(tenure(start, start, **more), date.fromisoformat(start), date.fromisoformat(end) if end else None))
    return terms.held_again(ended, -31, 120)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2023-01-03", "2025-01-03", True),  # the same day
        ("2023-01-07", "2025-01-03", True),  # four days later, as in the House
        ("2023-02-18", "2025-01-03", True),  # 46 days, as in the Scottish Parliament
        ("2023-05-03", "2025-01-03", True),  # 120 days
        ("2023-05-04", "2025-01-03", False),  # 121 days, and left for good
        ("2025-01-03", None, True),  # years later, and lasts
        ("2025-01-03", "2027-01-03", True),  # years later, to end some day to come
        ("2019-01-03", "2021-01-03", False),  # before
        ("2019-01-03", None, False),  # an earlier statement that nobody ended says nothing about today
        ("2026-12-01", None, False),  # has not begun
    ],
)
def test_gap(start: str, end: str | None, expected: bool) -> None:
    """From 31 days before to 120 days after the end, or later and until today."""
    found = again(tenure("2021-01-03", "2023-01-03"), start, end)
    assert (found is not None) is expected
    assert found in (None, date.fromisoformat(start))


def test_same_position_in_other_words() -> None:
    """Numbered parliaments are one house; another office or another person is another."""
    ended = tenure("2021-01-03", "2023-01-03", position="Member of the 5th Example Parliament")
    assert again(ended, "2023-01-10", None, position="Member of the 6th Example Parliament")
    assert not again(ended, "2023-01-10", None, position="Speaker of the 6th Example Parliament")
    by_id = tenure("2021-01-03", "2023-01-03", position="MP", position_qid="Q1")
    assert again(by_id, "2023-01-10", None, position="Member of Parliament", position_qid="Q1")
    with_id = tenure("2021-01-03", "2023-01-03", qid="Q10")
    assert not again(with_id, "2023-01-10", None, qid="Q11")
