"""Publication dates as engines write them, and where the timeline begins."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from btc_gui.domain.dates import EventDate, parse_event_date
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.timeline import (
    TimelineMark,
    event_span,
    first_knowledge,
    first_view,
    host_of,
    newest_published,
    published_date,
    span_of,
)
from btc_gui.domain.timeline_layout import COLUMNS, ROWS, lay_out
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


def test_when_it_could_first_have_known_is_what_it_was_given_first_and_what_was_published_first() -> None:
    marks = [
        replace(mark(day("2026-05-10")), step_number=9, is_evidence=True, published="10 May 2026", query=4),
        replace(
            mark(day("2026-05-12")), step_number=3, is_evidence=True, is_first=True, published="12 May 2026", query=2
        ),
        replace(mark(day("2026-05-01")), step_number=2),
        replace(mark(day("2026-05-09")), lane=1, step_number=2, is_evidence=True, published="9 May 2026", query=1),
    ]
    known = first_knowledge(marks, 0)
    assert (known.returned, known.published) == (marks[1], marks[0])
    assert known.words == (
        "▼ could first have known from query 2 (result of 12 May 2026); "
        "▽ earliest published of what reveals it: 10 May 2026, from query 4"
    )
    assert first_knowledge(marks, 1).words == "▼ could first have known from query 1 (result of 9 May 2026)"
    assert first_knowledge(marks[2:3], 0).words == "no result is marked as revealing the change"


def test_a_result_without_a_date_can_be_what_told_first() -> None:
    undated = replace(mark(None), is_evidence=True, query=1)
    assert first_knowledge([undated], 0).words == "▼ could first have known from query 1 (result of unknown date)"


def test_a_mark_in_words() -> None:
    told = TimelineMark(
        0,
        4,
        day("2026-05-12"),
        "12 May 2026",
        "Report",
        QueryClass.EXPLICIT,
        True,
        True,
        True,
        2,
        "https://www.news.test/a",
    )
    assert told.words == (
        "12 May 2026 · Report · news.test · query 2, explicit · "
        "reveals the change, the first to do so · names the subject"
    )
    assert mark(None).words == "no date · (no title) · a query"
    assert host_of("http://[broken") == ""


def test_marks_of_one_day_are_spread_and_those_without_a_date_stand_in_rows() -> None:
    marks = [mark(day("2026-05-01")), mark(day("2026-05-01")), replace(mark(day("2026-05-01")), lane=1), mark(None)]
    layout = lay_out(marks, 2, 7.0)
    assert layout.points[:3].tolist() == [[day("2026-05-01"), 0.0], [day("2026-05-01"), 0.2], [day("2026-05-01"), 1.0]]
    assert layout.points[3].tolist() == [0.0, -0.27]
    assert [list(order) for order in layout.order] == [[0, 1, 3], [2]]


def test_undated_marks_that_have_no_room_are_counted() -> None:
    layout = lay_out([mark(None)] * 40, 1, 7.0)
    assert int(layout.has_room.sum()) == COLUMNS * ROWS - 2
    assert layout.rest == (40 - COLUMNS * ROWS + 2,)
    assert lay_out([], 1, 7.0).rest == (0,)
