"""Plots that are read, clicked and driven by keys; colours follow the theme."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QWheelEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.timeline import TimelineMark, event_span
from btc_gui.ui.plots.confusion_plot import ConfusionPlot
from btc_gui.ui.plots.day_axis import FIRST_DAY, LAST_DAY, day_names
from btc_gui.ui.plots.ink import ink_on
from btc_gui.ui.theme import Theme
from tests.ui.conftest import PATIENCE_MILLISECONDS

if TYPE_CHECKING:
    from btc_gui.ui.plots.timeline_plot import TimelinePlot

MATRIX = ConfusionMatrix(("correct", "incorrect"), ((99, 1), (0, 100)), "judge", "human", {"unsure": 2})


@pytest.fixture
def matrix_plot(qtbot: QtBot, theme: Theme) -> ConfusionPlot:
    plot = ConfusionPlot(theme)
    qtbot.addWidget(plot)
    plot.show_matrix(MATRIX)
    plot.resize(plot.sizeHint())
    plot.show()
    return plot


def test_arrows_and_enter_open_the_cases_of_a_cell(qtbot: QtBot, matrix_plot: ConfusionPlot) -> None:
    QTest.keyClick(matrix_plot, Qt.Key.Key_Right)
    assert matrix_plot.current_words == "judge correct, human incorrect: 1 of 200"
    assert matrix_plot.accessibleDescription() == matrix_plot.current_words
    with qtbot.waitSignal(matrix_plot.cell_opened) as opened:
        QTest.keyClick(matrix_plot, Qt.Key.Key_Return)
    assert opened.args == ["correct", "incorrect"]


def test_rows_are_the_judge_when_a_cell_is_clicked(qtbot: QtBot, matrix_plot: ConfusionPlot) -> None:
    place = matrix_plot._cell(1, 0).center()
    with qtbot.waitSignal(matrix_plot.cell_opened) as opened:
        QTest.mouseClick(matrix_plot, Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert opened.args == ["incorrect", "correct"]


def test_a_click_beside_the_cells_opens_nothing(qtbot: QtBot, matrix_plot: ConfusionPlot) -> None:
    with qtbot.assertNotEmitted(matrix_plot.cell_opened):
        QTest.mouseClick(matrix_plot, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))


def test_the_matrix_is_repainted_in_the_other_theme(qtbot: QtBot, theme: Theme, matrix_plot: ConfusionPlot) -> None:
    cell = matrix_plot._cell(1, 1)
    place = cell.topLeft() + QPoint(6, 6)
    light = matrix_plot.grab().toImage().pixelColor(place)
    theme.choose("dark", 1.0)
    dark = matrix_plot.grab().toImage().pixelColor(place)
    theme.choose("light", 1.0)
    assert light.name() == "#1f5fbf"
    assert dark.name() == "#7fb2ff"


def test_no_matrix_and_an_empty_one_are_painted(qtbot: QtBot, theme: Theme) -> None:
    plot = ConfusionPlot(theme)
    qtbot.addWidget(plot)
    plot.show()
    QTest.keyClick(plot, Qt.Key.Key_Return)
    plot.show_matrix(ConfusionMatrix(("a", "b"), ((0, 0), (0, 0))))
    plot.grab()
    assert plot.current_words == "judge a, human a: 0 of 0"


def test_writing_contrasts_with_what_it_is_on() -> None:
    assert ink_on(QColor("#1F5FBF")).name() == "#ffffff"
    assert ink_on(QColor("#7FB2FF")).name() == "#000000"


def test_the_timeline_shows_dated_marks_and_keeps_the_others_apart(qtbot: QtBot, theme: Theme) -> None:
    from btc_gui.ui.plots.timeline_plot import TimelinePlot

    plot = TimelinePlot(theme)
    qtbot.addWidget(plot)
    event = event_span(parse_event_date("2026-05-09"))
    marks = [
        TimelineMark(0, 2, event.start - 10, "29 April 2026", "<img src=x>", QueryClass.EXPLICIT, False),
        TimelineMark(1, 4, event.start + 3, "12 May 2026", "B", None, True),
        TimelineMark(1, 4, None, "", "C", None, False),
    ]
    plot.resize(800, 140)
    plot.show_trajectories(event, ["low", "high"], marks, event.start + 60)
    plot.show()
    assert plot.position_of(2).x() > plot.position_of(1).x()
    picture = plot.grab().toImage()
    for index in range(3):
        place = plot.position_of(index).toPoint()
        assert len({picture.pixelColor(place + QPoint(right, 0)).name() for right in range(-5, 6)}) > 1
    assert "3 search results, 2 with a date, 1 of them since the change" in plot.accessibleDescription()
    low, high = plot.days_in_sight
    assert low < event.start - 10 < high
    theme.choose("dark", 1.0)
    theme.choose("light", 1.0)
    plot.grab()
    # Without a result that has no date, days take that room too.
    before = plot.position_of(0).x()
    plot.show_trajectories(event, ["low", "high"], marks[:2], event.start + 60)
    assert plot.position_of(0).x() != before
    assert plot.position_of(1).x() > 800 - 112 - (800 - 112) * 62 / 73


def test_a_click_on_a_mark_names_its_step(qtbot: QtBot, theme: Theme) -> None:
    from btc_gui.ui.plots.timeline_plot import TimelinePlot

    plot = TimelinePlot(theme)
    qtbot.addWidget(plot)
    event = event_span(parse_event_date("2026-05"))
    plot.resize(800, 140)
    plot.show_trajectories(event, ["low"], [TimelineMark(0, 7, event.start - 30, "", "A", None, False)])
    plot.show()
    place = plot.position_of(0).toPoint()
    assert plot.rect().contains(place)
    with qtbot.waitSignal(plot.step_chosen) as chosen:
        QTest.mouseClick(surface(plot), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [0, 7]


def test_keys_go_through_the_marks_of_the_timeline(qtbot: QtBot, theme: Theme) -> None:
    from btc_gui.ui.plots.timeline_view import TimelineView

    view = TimelineView(theme)
    qtbot.addWidget(view)
    event = event_span(parse_event_date("2026-05-09"))
    marks = [
        TimelineMark(0, 2, None, "", "undated", QueryClass.UNRELATED, False, query=1),
        TimelineMark(0, 4, event.start + 3, "12 May 2026", "<img src=x>", QueryClass.EXPLICIT, True, True, query=2),
        TimelineMark(0, 2, event.start - 9, "30 April 2026", "before", None, False, query=1),
        TimelineMark(1, 7, event.start + 5, "14 May 2026", "other", None, False, query=3),
    ]
    view.resize(800, 240)
    view.show_trajectories(event, ["low", "high"], marks, event.start + 60)
    assert "low: ▼ could first have known from query 2 (result of 12 May 2026)" in view.caption.text()
    with qtbot.waitActive(view, timeout=PATIENCE_MILLISECONDS):
        view.show()
        view.activateWindow()
    plot = view.plot
    plot.setFocus()
    assert plot.current_words.startswith("low: 30 April 2026 · before")
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert view.caption.text() == plot.current_words
    assert "<img src=x>" in view.caption.text()
    with qtbot.waitSignal(view.step_chosen) as chosen:
        QTest.keyClick(plot, Qt.Key.Key_Return)
    assert chosen.args == [0, 4]
    QTest.keyClick(plot, Qt.Key.Key_Down)
    assert plot.current_words.startswith("high: 14 May 2026 · other")
    QTest.keyClick(plot, Qt.Key.Key_Up)
    QTest.keyClick(plot, Qt.Key.Key_End)
    assert plot.current_words == "low: no date · undated · query 1, unrelated"
    view.list_button.click()
    table = view._view
    assert table is not None
    assert table.isVisible()
    assert [view._table.cell(row, 1).text for row in range(4)] == ["before", "<img src=x>", "undated", "other"]  # type: ignore[union-attr]
    assert table.select_id(3)
    with qtbot.waitSignal(view.step_chosen) as chosen:
        table.opened.emit(3)
    assert chosen.args == [1, 7]


def surface(plot: TimelinePlot) -> QWidget:
    """What the mouse is over."""
    found = plot.findChild(QAbstractScrollArea)
    assert found is not None
    return found.viewport()


def wheel(plot: QWidget, place: QPointF, notches: int) -> None:
    turned, buttons, keys = QPoint(0, 120 * notches), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(place, plot.mapToGlobal(place), QPoint(), turned, buttons, keys, phase, False)
    QApplication.sendEvent(plot, event)


def send_mouse(under: QWidget, kind: QEvent.Type, place: QPointF, *, is_held: bool = True) -> None:
    """What a mouse and its left button do, as the system sends it: QTest holds no button while it moves."""
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind is QEvent.Type.MouseMove else left
    held = left if is_held else none
    keys = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(under, QMouseEvent(kind, place, under.mapToGlobal(place), button, held, keys))


def test_the_wheel_zooms_around_the_mouse_dragging_moves_and_a_double_click_goes_back(
    qtbot: QtBot, theme: Theme
) -> None:
    from btc_gui.ui.plots.timeline_plot import TimelinePlot

    plot = TimelinePlot(theme)
    qtbot.addWidget(plot)
    event = event_span(parse_event_date("2026-05-09"))
    marks = [TimelineMark(0, n, event.start - 100 * n, "", "A", None, False) for n in (0, 3, 6)]
    plot.resize(800, 80)
    plot.show_trajectories(event, ["low"], marks)
    plot.show()
    plot.grab()
    first, place = plot.days_in_sight, plot.position_of(1)
    # pyqtgraph's own part of a day lies under ours.
    box = plot._item.getViewBox()
    assert box.mapViewToScene(QPointF(event.start - 300, 0)).x() == pytest.approx(place.x(), abs=0.5)
    under = surface(plot)
    wheel(under, place, 2)
    assert plot.position_of(1).x() == pytest.approx(place.x(), abs=1)
    assert plot.days_in_sight[1] - plot.days_in_sight[0] == pytest.approx((first[1] - first[0]) / 1.02**30)
    # Painted: pyqtgraph moves by what is in sight.
    plot.grab()
    press, move, release = QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease
    with qtbot.assertNotEmitted(plot.step_chosen):
        for kind, right in ((press, 0), (move, 30), (move, 60), (release, 60)):
            # pyqtgraph leaves out moves that follow each other within milliseconds.
            qtbot.wait(15)
            send_mouse(under, kind, place + QPointF(right, 0), is_held=kind is not release)
    assert plot.position_of(1).x() == pytest.approx(place.x() + 60, abs=1)
    for kind in (press, release, QEvent.Type.MouseButtonDblClick, release):
        send_mouse(under, kind, QPointF(400, 8), is_held=kind is not release)
    assert plot.days_in_sight == pytest.approx(first)
    for _ in range(60):
        wheel(under, place, 3)
    assert plot.days_in_sight[1] - plot.days_in_sight[0] == pytest.approx(14)
    for _ in range(60):
        wheel(under, place, -5)
    assert plot.days_in_sight == (FIRST_DAY, LAST_DAY)


def test_hovering_a_mark_says_its_words_as_text(qtbot: QtBot, theme: Theme) -> None:
    from btc_gui.ui.plots.timeline_plot import TimelinePlot

    plot = TimelinePlot(theme)
    qtbot.addWidget(plot)
    event = event_span(parse_event_date("2026-05-09"))
    plot.resize(800, 80)
    plot.show_trajectories(event, ["low"], [TimelineMark(0, 1, event.start - 9, "", "<img src=x>", None, False)])
    plot.show()
    send_mouse(surface(plot), QEvent.Type.MouseMove, plot.position_of(0), is_held=False)
    tip = plot._picture.toolTip()
    assert "<\u200bimg src=x>" in tip
    assert not GuiQt.mightBeRichText(tip)

    def is_silent_beside_it() -> bool:
        # pyqtgraph leaves out moves that follow each other within milliseconds.
        send_mouse(surface(plot), QEvent.Type.MouseMove, QPointF(30, 30), is_held=False)
        return not plot._picture.toolTip()

    qtbot.waitUntil(is_silent_beside_it)


def test_ten_thousand_marks_are_found_where_they_lie(qtbot: QtBot, theme: Theme) -> None:
    from btc_gui.ui.plots.timeline_plot import TimelinePlot

    plot = TimelinePlot(theme)
    qtbot.addWidget(plot)
    event = event_span(parse_event_date("2026-05-09"))
    marks = [
        TimelineMark(number % 4, number, event.start - number % 900, "", str(number), None, False, query=1)
        for number in range(10_000)
    ]
    plot.resize(800, 200)
    plot.show_trajectories(event, ["a", "b", "c", "d"], marks)
    plot.grab()
    found = plot.mark_at(plot.position_of(4_000))
    assert found is not None
    assert marks[found].lane == 0
    assert plot.mark_at(QPointF(-1, -1)) is None


@pytest.mark.parametrize(
    ("start", "stop", "width", "names"),
    [
        ("2026-01-10", "2026-04-20", 800, ["Feb 2026", "Mar 2026", "Apr 2026"]),
        ("2024-12-20", "2026-04-20", 400, ["Jan 2025", "Jul 2025", "Jan 2026"]),
        ("2001-06-01", "2026-04-20", 600, ["2005", "2010", "2015", "2020", "2025"]),
    ],
)
def test_months_or_years_are_written_where_there_is_room(start: str, stop: str, width: int, names: list[str]) -> None:
    first, last = (float(date.fromisoformat(day).toordinal()) for day in (start, stop))
    found = day_names(first, last, width, 60)
    assert [words for _, words in found] == names
    assert date.fromordinal(int(found[0][0])).day == 1
