"""A page that takes a moment to read says so; one that is quick does not flash."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget
from pytestqt.qtbot import QtBot

from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.results_page import ResultsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.frames import ReadingState


def test_it_appears_after_a_moment_and_goes_with_its_page(qtbot: QtBot) -> None:
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    state = ReadingState()
    stack.addWidget(state)
    stack.show()
    assert not state.words.isVisible()
    qtbot.waitUntil(state.words.isVisible, timeout=10_000)
    state.hide()
    assert not state.words.isVisible()


def test_what_was_read_takes_its_place(window: MainWindow) -> None:
    window.go("results")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, ResultsPage)
    assert not isinstance(page._stack.currentWidget(), ReadingState)
