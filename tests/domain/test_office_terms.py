"""Whether somebody who left an office holds it again: the gaps that real parliaments have."""

from __future__ import annotations

from datetime import date

import pytest

from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.office_terms import Holder, Office, OfficeTerms, Term, TermState, state_of_term

TODAY = date(2026, 6, 30)


MEMBER = Office("Member")


def term(start: str, end: str | None, office: Office = MEMBER, qid: str = "", **more: str) -> Term:
    """A time in office of one person."""
    began = parse_event_date(start) if start else None
    ended = parse_event_date(end) if end else None
    return Term(Holder(qid, "", "Ada"), office, began, ended, state_of_term(began, ended, TODAY), **more)


def again(own: Term, *others: Term) -> EventDate | None:
    """When the office is held again, if the person has these other terms."""
    terms = OfficeTerms(TODAY)
    for one in (own, *others):
        terms.add(one)
    found = terms.held_again(own, -31, 120)
    return found.start if found else None


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
        ("2019-01-03", None, True),  # still: an earlier statement that has not ended
        ("2026-12-01", None, False),  # has not begun
        ("2023", "2025", True),  # some day of that year: the doubt counts
        ("2024", "2025", False),
        ("", None, False),  # without dates: unknown, never current
        ("", "2024-01-03", False),
    ],
)
def test_gap(start: str, end: str | None, expected: bool) -> None:
    """From 31 days before to 120 days after the end, or at any time and until today."""
    found = again(term("2021-01-03", "2023-01-03"), term(start, end))
    assert (found is not None) is expected
    assert found is None or found.iso == start


def test_twins_are_no_return() -> None:
    """A copy of the statement, with other words or without an end, doesn't say that the office is held again."""
    own = term("2021-01-03", "2023-01-03", key="Q1$a")
    assert not again(own, term("2021-01-03", None, key="Q1$b"))
    assert not again(own, term("2022-12-20", "2023-01-03", key="Q1$c"))
    assert again(own, term("2022-12-20", "2023-01-04", key="Q1$d"))


def test_same_office_in_other_words() -> None:
    """Numbered parliaments are one house, as are positions under one; another office or person is another."""
    ended = term("2021-01-03", "2023-01-03", Office("Member of the 5th Example Parliament"))
    assert again(ended, term("2023-01-10", None, Office("Member of the 6th Example Parliament")))
    assert not again(ended, term("2023-01-10", None, Office("Speaker of the 6th Example Parliament")))
    by_id = term("2021-01-03", "2023-01-03", Office("MP", "Q1"))
    assert again(by_id, term("2023-01-10", None, Office("Member of Parliament", "Q1")))
    fifth = term("2021-01-03", "2023-01-03", Office("", "Q5", frozenset(["Q100"])))
    assert again(fifth, term("2023-01-10", None, Office("", "Q6", frozenset(["Q100", "Q200"]))))
    assert again(fifth, term("2023-01-10", None, Office("", "Q100")))
    assert not again(fifth, term("2023-01-10", None, Office("", "Q6", frozenset(["Q200"]))))
    with_id = term("2021-01-03", "2023-01-03", qid="Q10")
    assert not again(with_id, term("2023-01-10", None, qid="Q11"))


@pytest.mark.parametrize(
    ("start", "end", "is_over", "expected"),
    [
        ("2020-01-01", "2024-01-01", False, TermState.ENDED),
        ("2020-01-01", "2027-01-01", False, TermState.LASTING),
        ("2020-01-01", None, False, TermState.LASTING),
        ("2020-01-01", None, True, TermState.ENDED),
        (None, "2024-01-01", False, TermState.ENDED),
        (None, None, False, TermState.UNKNOWN),
        (None, None, True, TermState.UNKNOWN),
    ],
)
def test_state(start: str | None, end: str | None, is_over: bool, expected: TermState) -> None:
    """Without an end a term lasts; without a start as well nobody knows."""
    dates = [parse_event_date(text) if text else None for text in (start, end)]
    assert state_of_term(dates[0], dates[1], TODAY, is_over=is_over) is expected
