"""What appears without the focus coming to it is told to screen readers: decisions, labels, what jobs say."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessibleAnnouncementEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.timeline import TimelineMark, event_span
from btc_gui.errors import InputError
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.ui import announcing
from btc_gui.ui.context import Context
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages import review_page
from btc_gui.ui.pages.events_page import EventsPage
from btc_gui.ui.pages.review_page import ReviewPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.plots.confusion_plot import ConfusionPlot
from btc_gui.ui.plots.timeline_plot import TimelinePlot
from btc_gui.ui.theme import Theme
from tests.study_builders import write_packet
from tests.ui.conftest import activate


class Reader:
    """A screen reader that listens, in the place of Qt's way to one."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.is_there = True

    def isActive(self) -> bool:
        return self.is_there

    def updateAccessibility(self, event: QAccessibleAnnouncementEvent) -> None:
        self.heard.append(event.message())


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made = Reader()
    monkeypatch.setattr(announcing, "QAccessible", made)
    return made


def test_a_decision_and_the_probe_that_follows_are_heard(
    window: MainWindow, context: Context, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_page, "SETTLE_MILLISECONDS", 0)
    window.go("review")
    page = window.current_page
    assert isinstance(page, ReviewPage)
    settle(window.job_runner)
    first = page.probe_card.text.toPlainText()
    reader.heard.clear()
    context.commands.action("review.accept").trigger()
    settle(window.job_runner)
    second = page.probe_card.text.toPlainText()
    assert second != first
    assert sorted(reader.heard) == sorted([second, "Accepted."])


def test_how_much_a_filter_leaves_is_heard_while_one_is_in_it(window: MainWindow, reader: Reader, qtbot: QtBot) -> None:
    window.go("events")
    page = window.current_page
    assert isinstance(page, EventsPage)
    settle(window.job_runner)
    activate(window, qtbot)
    reader.heard.clear()
    page.focus_filter()
    field = QApplication.focusWidget()
    assert field is not None
    QTest.keyClicks(field, "nobody is called so")
    settle(window.job_runner)
    assert reader.heard == [page.header.counts.text()]
    assert reader.heard[0].startswith("0 of")


def test_a_label_and_the_item_that_follows_are_heard(
    qtbot: QtBot, theme: Theme, tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 0)
    with LabellingSession(write_packet(tmp_path / "a.btcp", 2)) as session:
        window = LabellingWindow(session, theme)
        qtbot.addWidget(window)
        activate(window, qtbot)
        reader.heard.clear()
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_1)
        assert reader.heard == ["Item 2 of 2", "Saved"]
        window.close()


def test_arrows_through_matrix_and_timeline_are_heard(qtbot: QtBot, theme: Theme, reader: Reader) -> None:
    matrix = ConfusionPlot(theme)
    matrix.show_matrix(ConfusionMatrix(("correct", "incorrect"), ((56, 2), (3, 57)), "judge", "human"))
    event = event_span(parse_event_date("2026-05-09"))
    marks = [TimelineMark(0, 1, event.start + day, "", f"Page {day}", None, False) for day in (1, 9)]
    timeline = TimelinePlot(theme)
    timeline.show_trajectories(event, ["low"], marks)
    for plot in (matrix, timeline):
        qtbot.addWidget(plot)
        plot.resize(700, 400)
        activate(plot, qtbot)
        plot.setFocus()
        reader.heard.clear()
        QTest.keyClick(plot, Qt.Key.Key_Right)
        assert len(reader.heard) == 1
        assert ("2 " in reader.heard[0]) if plot is matrix else ("Page 9" in reader.heard[0])


def test_what_a_job_says_and_that_it_failed_is_heard(window: MainWindow, reader: Reader, qtbot: QtBot) -> None:
    def fail(progress: Progress) -> None:
        raise InputError("The file is empty.", "Choose another.")

    window.shell.say("12 probes checked.")
    window.job_runner.start("Load events", fail)
    qtbot.waitUntil(lambda: len(reader.heard) == 2, timeout=60_000)
    assert reader.heard == ["12 probes checked.", "Failed: Load events. The file is empty. Choose another."]
    reader.is_there = False
    window.shell.say("Nobody listens.")
    assert len(reader.heard) == 2
