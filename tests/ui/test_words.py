"""Days and times are written one way, in the zone of the machine and in no language but English."""

from __future__ import annotations

import locale
import time
from collections.abc import Iterator

import pytest

from btc_gui.domain.dates import parse_event_date
from btc_gui.ui.wording import when
from btc_gui.ui.words import day, moment

NOON = "2026-05-09T12:30:00.000+00:00"


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on Kiritimati, 14 hours ahead of UTC."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process can't be changed here")
    with monkeypatch.context() as patch:
        # As the rules of POSIX write it: the zone's own file need not be installed.
        patch.setenv("TZ", "LINT-14")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def german() -> Iterator[None]:
    """A machine that speaks German."""
    before = locale.setlocale(locale.LC_ALL)
    for name in ("de_DE.UTF-8", "de_DE.utf8", "de_AT.UTF-8"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        yield
        locale.setlocale(locale.LC_ALL, before)
        return
    pytest.skip("no German locale is installed")


def test_stored_times_are_shown_in_the_zone_of_the_machine(far_east: None) -> None:
    assert (moment(NOON), day(NOON)) == ("10 May 2026 02:30", "10 May 2026")
    assert when(NOON) == "10 May 2026, 02:30"


def test_days_of_events_are_in_no_zone(far_east: None) -> None:
    assert parse_event_date("2026-05-09").text == "9 May 2026"


def test_months_are_english_on_a_german_machine(german: None) -> None:
    assert (moment(NOON), day(NOON)) == ("9 May 2026 12:30", "9 May 2026")
    assert when(NOON) == "9 May 2026, 12:30"
    assert parse_event_date("2026-03").text == "March 2026"


def test_what_is_no_time_stays_as_it_is() -> None:
    assert (moment(""), day("soon"), when("")) == ("", "soon", "")
