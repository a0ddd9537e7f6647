"""Dates as Wikidata and files write them, with their precision (wikidata.md A4; W4, W5)."""

from __future__ import annotations

import pytest

from btc_gui.domain.dates import Precision, date_refusal, parse_event_date


@pytest.mark.parametrize(
    ("written", "precision", "iso", "shown", "known_to"),
    [
        ("2026-05-09", None, "2026-05-09", "9 May 2026", Precision.DAY),
        ("2026-05", None, "2026-05", "May 2026", Precision.MONTH),
        ("1950", None, "1950", "1950", Precision.YEAR),
        ("+2026-05-09T00:00:00Z", 11, "2026-05-09", "9 May 2026", Precision.DAY),
        # "May 2026" arrives from the query service as the first of the month.
        ("2026-05-01T00:00:00Z", 10, "2026-05", "May 2026", Precision.MONTH),
        ("2026-01-01T00:00:00Z", 9, "2026", "2026", Precision.YEAR),
        # In JSON the unknown parts are 00.
        ("+1990-11-00T00:00:00Z", 10, "1990-11", "November 1990", Precision.MONTH),
        ("+2015-00-00T00:00:00Z", None, "2015", "2015", Precision.YEAR),
        ("2024-02-29", None, "2024-02-29", "29 February 2024", Precision.DAY),
        # As the app itself shows dates.
        ("9 May 2026", None, "2026-05-09", "9 May 2026", Precision.DAY),
        ("09 may 2026", None, "2026-05-09", "9 May 2026", Precision.DAY),
        ("May 2026", None, "2026-05", "May 2026", Precision.MONTH),
    ],
)
def test_dates_keep_their_precision(written: str, precision: int | None, iso: str, shown: str, known_to: int) -> None:
    """A month is never turned into its first day."""
    date = parse_event_date(written, precision)
    assert (date.iso, date.text, date.precision) == (iso, shown, known_to)
    assert parse_event_date(date.iso) == date


@pytest.mark.parametrize(
    ("written", "precision", "reason"),
    [
        ("0206-01-30", None, "year 206"),
        ("2012-02-31", None, "calendar"),
        ("2026-13-01", None, "calendar"),
        ("2023-02-29", None, "calendar"),
        ("03/04/2026", None, "3 April 2026 or 4 March 2026: write it like 2026-04-03"),
        ("25.04.2026", None, "is not a date: write it like 2026-04-25"),
        ("31/31/2026", None, "is not a date: write it like 2026-05-09"),
        ("31 april 2026", None, "calendar"),
        ("0 May 2026 BC", None, "not a date"),
        ("2026-05-09T18:30:00Z", None, "not a date"),
        ("", None, "not a date"),
        ("2000-01-01T00:00:00Z", 7, "coarser than a year"),
        ("-0044-03-15", None, "year -44"),
        ("2026-00-12", None, "no month"),
    ],
)
def test_what_is_no_date_of_a_change(written: str, precision: int | None, reason: str) -> None:
    """Impossible days, absurd years and centuries are refused with a reason."""
    with pytest.raises(ValueError, match=reason):
        parse_event_date(written, precision)


def test_a_date_of_two_meanings_is_called_ambiguous_and_not_impossible() -> None:
    """`03/04/2026` exists: only nobody can say which day it is. `04/04/2026` is one day however it is read."""
    reasons = []
    for written in ("03/04/2026", "04/04/2026", "2026-02-31"):
        with pytest.raises(ValueError, match=written) as refused:
            parse_event_date(written)
        reasons.append(date_refusal(refused.value).partition(":")[0])
    assert reasons == ["ambiguous date", "impossible date", "impossible date"]
