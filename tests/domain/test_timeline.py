"""Publication dates as engines write them, and where the timeline begins."""

from __future__ import annotations

from datetime import date

import pytest

from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.timeline import TimelineMark, event_span, first_view, newest_published, published_date, span_of
from btc_gui.domain.trajectory import SearchResult, Step, StepKind


def day(iso: str) -> float:
    return float(date.fromisoformat(iso).toordinal())


def mark(at: float | None) -> TimelineMark:
    return TimelineMark(0, 1, at, "", "", None, False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-05-09", EventDate(2026, 5, 9)),
        ("2026-05-09T12:30:00.000Z", EventDate(2026, 5, 9)),
        ("2026-05", EventDate(2026, 5)),
        (" 2026 ", EventDate(2026)),
        ("", None),
        ("yesterday", None),
        ("0001-01-01", None),
        ("2026-02-30", None),
    ],
)
def test_dates_are_read_with_their_precision(text: str, found: EventDate | None) -> None:
    assert published_date(text) == found


def test_a_month_spans_all_its_days() -> None:
    assert span_of(EventDate(2026, 2)) == (day("2026-02-01"), day("2026-02-28"))
    assert span_of(EventDate(2026)) == (day("2026-01-01"), day("2026-12-31"))


def test_one_old_result_does_not_squeeze_the_others() -> None:
    event = event_span(parse_event_date("2026-05-09"))
    start, stop, older = first_view(
        [mark(day("1987-01-01")), mark(day("2026-05-01")), mark(None)], event, day("2026-07-01")
    )
    assert older == 1
    assert day("2023-01-01") < start < day("2023-06-01")
    assert stop > event.stop


def test_a_result_from_the_future_does_not_stretch_the_view() -> None:
    event = event_span(parse_event_date("2026-05-09"))
    _, stop, _ = first_view([mark(day("2099-01-01"))], event, day("2026-07-01"))
    assert stop < day("2027-01-01")


def test_the_newest_result_is_said_in_words() -> None:
    results = (SearchResult("a", "", "2025-10-01"), SearchResult("b", "", ""), SearchResult("c", "", "2025-11"))
    assert newest_published(Step(1, StepKind.QUERY, "q", results)) == "November 2025"
    assert newest_published(Step(1, StepKind.QUERY, "q")) == ""
