"""Lists that are read while the window goes on: the last state is shown, and the selection stays with its id."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.ui import latest_job
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.events_page import EventsPage
from btc_gui.ui.pages.review_page import ReviewPage
from tests.builders import add_event


class Shower(QObject):
    """Keeps what it is told to show."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[object] = []

    def show(self, result: object) -> None:
        self.shown.append(result)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, patient: None) -> None:
    """No read is waited for."""
    monkeypatch.setattr(latest_job, "PATIENCE_SECONDS", 0.0)


def test_asked_again_while_it_reads_it_shows_the_last_state(qtbot: QtBot, hurried: None) -> None:
    runner, shower, go = JobRunner(), Shower(), threading.Event()
    asked: list[str] = []
    reading = LatestJob(runner, "Read", shower.show, shower)

    def read(name: str) -> str:
        asked.append(name)
        assert go.wait(20)
        return name

    for name in ("first", "second", "third"):
        reading.ask(lambda _, name=name: read(name))  # type: ignore[misc]
    assert reading.is_reading
    go.set()
    qtbot.waitUntil(lambda: not reading.is_reading)
    assert asked == ["first", "third"]
    assert shower.shown == ["first", "third"]
    runner.shut_down()


def test_a_read_that_fails_does_not_keep_the_next_one_from_being_read(qtbot: QtBot, hurried: None) -> None:
    runner, shower = JobRunner(), Shower()
    reading = LatestJob(runner, "Read", shower.show, shower)
    reading.ask(lambda _: 1 // 0)
    reading.ask(lambda _: "after")
    qtbot.waitUntil(lambda: shower.shown == ["after"])
    runner.shut_down()


def test_the_same_failure_is_told_once_until_a_read_succeeds(qtbot: QtBot, window: MainWindow) -> None:
    runner, shower = window.job_runner, Shower()
    reading = LatestJob(runner, "Read runs", shower.show, shower)
    for _ in range(3):
        reading.ask(lambda _: 1 // 0)
        qtbot.waitUntil(lambda: not reading.is_reading)
    assert window.job_bar.shown_titles == ["Failed: Read runs"]
    reading.ask(lambda _: "fine")
    reading.ask(lambda _: 1 // 0)
    qtbot.waitUntil(lambda: not reading.is_reading)
    assert window.job_bar.shown_titles == ["Failed: Read runs"] * 2


def test_what_is_quick_is_shown_at_once(qtbot: QtBot) -> None:
    runner, shower = JobRunner(), Shower()
    LatestJob(runner, "Read", shower.show, shower).ask(lambda _: "quick")
    assert shower.shown == ["quick"]
    runner.shut_down()


def test_what_nobody_asked_for_does_not_hold_the_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest_job, "PATIENCE_SECONDS", 600.0)
    runner, shower, go = JobRunner(), Shower(), threading.Event()
    reading = LatestJob(runner, "Read", shower.show, shower)
    with runner.unasked():
        reading.ask(lambda _: go.wait(600))
    assert (reading.is_reading, shower.shown) == (True, [])
    go.set()
    qtbot.waitUntil(lambda: shower.shown == [True], timeout=60_000)
    reading.ask(lambda _: "asked for")
    assert shower.shown == [True, "asked for"]
    runner.shut_down()


def test_events_come_later_and_the_asked_one_is_chosen(
    qtbot: QtBot, hurried: None, window: MainWindow, filled: Database
) -> None:
    cy = add_event(filled, entity="Cy Third")
    window.go("events", cy)
    page = window.current_page
    assert isinstance(page, EventsPage)
    qtbot.waitUntil(lambda: page.view.current_id == cy)
    page.filter.setText("lovely")
    page.filter.returnPressed.emit()
    qtbot.waitUntil(lambda: page.table.rowCount() == 1)
    page.filter.clear()
    page.filter.returnPressed.emit()
    qtbot.waitUntil(lambda: page.table.rowCount() == 3)


def test_a_probe_that_is_asked_for_stays_when_the_queue_has_been_read(
    qtbot: QtBot, hurried: None, window: MainWindow, filled: Database
) -> None:
    window.go("events")
    window._pages.pop("review", None)
    window.go("review", 3)
    page = window.current_page
    assert isinstance(page, ReviewPage)
    qtbot.waitUntil(lambda: not window.job_runner.jobs())
    assert page._session.current == 3


def test_of_long_reads_only_the_last_goes_on(qtbot: QtBot, hurried: None) -> None:
    runner, shower = JobRunner(), Shower()
    reading = LatestJob(runner, "Forecast", shower.show, shower, drops_older=True)
    begun = threading.Event()
    asked: list[str] = []

    def read(name: str) -> str:
        asked.append(name)
        return name

    def endless(progress: Progress) -> str:
        asked.append("first")
        begun.set()
        progress.wait(600)
        return "first"

    reading.ask(endless)
    assert begun.wait(60)
    for name in ("second", "third"):
        reading.ask(lambda _, name=name: read(name))  # type: ignore[misc]
    qtbot.waitUntil(lambda: not reading.is_reading)
    assert asked == ["first", "third"]
    assert shower.shown == ["third"]
    runner.shut_down()


def test_who_shows_failures_is_given_them(qtbot: QtBot, hurried: None) -> None:
    runner, shower = JobRunner(), Shower()
    reading = LatestJob(runner, "Read", shower.show, shower, show_failure=shower.show)
    reading.ask(lambda _: 1 // 0)
    qtbot.waitUntil(lambda: not reading.is_reading)
    assert [type(each) for each in shower.shown] == [ZeroDivisionError]
    runner.shut_down()
