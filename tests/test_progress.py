"""Progress: work hears of a cancel wherever it waits."""

from __future__ import annotations

import threading

import pytest

from btc_gui.progress import Cancelled, Progress, Report


def test_reports_reach_the_listener() -> None:
    """What the work tells arrives as it was told."""
    seen: list[Report] = []
    Progress(seen.append).report(1, 3, "one")
    assert seen == [Report(1, 3, "one")]


def test_cancel_stops_the_next_report() -> None:
    """After a cancel the work stops at its next report; what drains may still tell."""
    seen: list[Report] = []
    progress = Progress(seen.append)
    progress.cancel()
    with pytest.raises(Cancelled):
        progress.report(1, 2)
    progress.tell(2, 2)
    assert seen == [Report(2, 2)]


def test_cancel_wakes_a_waiting_job() -> None:
    """A job that sleeps hears of it and does not sleep on (it would for longer than a test may take)."""
    progress = Progress()
    threading.Timer(0.05, progress.cancel).start()
    with pytest.raises(Cancelled):
        progress.wait(3_600)


def test_listeners_hear_once_also_when_late() -> None:
    """Cancelling twice tells once; who registers afterwards is told at once."""
    progress = Progress()
    heard: list[str] = []
    progress.on_cancel(lambda: heard.append("early"))
    progress.cancel()
    progress.cancel()
    progress.on_cancel(lambda: heard.append("late"))
    assert heard == ["early", "late"]
