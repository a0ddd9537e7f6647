"""Figures in the window: chosen, filtered, sorted, walked by keys, and leading to their cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QVBoxLayout
from pytestqt.qtbot import QtBot

from btc_gui.domain.configuration import ConfigurationId, Effort
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.figures.catalogue import figures_of
from btc_gui.domain.figures.figure import BarFigure, Figure, PointFigure
from btc_gui.domain.results import Results, results_of
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.context import Context
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pictures import settle
from btc_gui.ui.plots.bar_plot import BarPlot
from btc_gui.ui.plots.figure_canvas import FigureCanvas
from btc_gui.ui.plots.point_plot import PointPlot
from btc_gui.ui.plots.query_plot import QueryPlot
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.result_figures import ResultFigures
from tests.result_builders import RIGHT, WRONG, make_answer, make_head, make_pairs, make_record

LOW = replace(make_head().configuration, model="Model <b>")


def _results() -> Results:
    known = {ConfigurationId(1): LOW, ConfigurationId(2): replace(LOW, effort=Effort.HIGH)}
    answers = make_pairs(6, 4, 1, 1) + make_pairs(5, 2, 1, 0, configuration=2)
    answers += make_pairs(3, 1, 0, 0, category="tenure")
    answers += [make_answer(50 + n, WRONG, mode=mode, queries=1) for n, mode in enumerate([*FailureMode, None])]
    answers += [make_answer(70 + n, RIGHT, queries=3) for n in range(9)]
    for number, answer in enumerate(answers, 1):
        answer.id = type(answer.id)(number)
    return results_of(answers, known)


@pytest.fixture
def figures(qtbot: QtBot, window: MainWindow, context: Context) -> Iterator[ResultFigures]:
    holder = QDialog()
    qtbot.addWidget(holder)
    made = ResultFigures(context, holder)
    QVBoxLayout(holder).addWidget(made)
    holder.resize(900, 600)
    made.show_record(make_record(_results()))
    settle(window.job_runner)
    holder.show()
    yield made
    holder.close()


def _choose(figures: ResultFigures, window: MainWindow, kind: str) -> FigureCanvas:
    figures.show_kind(kind)
    settle(window.job_runner)
    return _shown(figures)


def _shown(figures: ResultFigures) -> FigureCanvas:
    assert figures.plot is not None
    return figures.plot


def test_arrows_walk_the_points_and_enter_opens_their_cases(qtbot: QtBot, figures: ResultFigures) -> None:
    plot = figures.plot
    assert plot is not None
    assert figures.title.text() == "Direct and indirect accuracy, demises"
    assert plot.current_words.startswith("Model <b> · low · shared: Direct: 83.3 %, 95 % interval")
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert "Indirect: 61.5 %" in plot.accessibleDescription()
    with qtbot.waitSignal(figures.opened) as opened:
        QTest.keyClick(plot, Qt.Key.Key_Return)
    (cases,) = opened.args
    assert isinstance(cases, CaseSet)
    # Six and one of twelve pairs are right, five failures and nine right ones come on top.
    assert len(cases.ids) == 26
    assert cases.title == "Model <b> · low · shared: Indirect"
    QTest.keyClick(plot, Qt.Key.Key_End)
    assert plot.current_words.startswith("Model <b> · high · shared: Direct: 87.5 %")


def test_a_click_on_a_piece_opens_its_cases_and_none_of_an_open_study(
    qtbot: QtBot, window: MainWindow, figures: ResultFigures
) -> None:
    plot = _choose(figures, window, "failure_modes")
    place = plot.places[0][-2].center().toPoint()
    with qtbot.waitSignal(figures.opened) as opened:
        QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=place)
    assert opened.args[0].title == "Model <b> · low · shared: No or unrelated search"
    (hidden,) = opened.args[0].ids
    figures.show_record(replace(make_record(_results()), blinded=frozenset({hidden})))
    settle(window.job_runner)
    with qtbot.assertNotEmitted(figures.opened):
        QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseMove(plot, place)
    assert "<b>" not in plot.toolTip()


def test_rows_are_filtered_and_the_part_stays_when_the_figure_changes(
    qtbot: QtBot, window: MainWindow, figures: ResultFigures
) -> None:
    assert figures.parts.count() == 2
    figures.parts.setCurrentIndex(1)
    assert figures.title.text() == "Direct and indirect accuracy, tenures"
    _choose(figures, window, "behaviour")
    assert figures.parts.value == "behaviour_tenure"
    figures.parts.setCurrentIndex(0)
    figures.words.setText("high")
    QTest.keyClick(figures.words, Qt.Key.Key_Return)
    assert len(_shown(figures).places) == 1
    figures.words.setText("nobody")
    QTest.keyClick(figures.words, Qt.Key.Key_Return)
    assert figures.nothing.heading.text() == "No row has these words"
    figures.words.setText("")
    QTest.keyClick(figures.words, Qt.Key.Key_Return)
    figures.show_kind("harness_change")
    settle(window.job_runner)
    assert "in both harnesses" in figures.nothing.text.text()


def test_the_points_of_queries_are_walked_line_by_line(
    qtbot: QtBot, window: MainWindow, figures: ResultFigures
) -> None:
    plot = _choose(figures, window, "queries")
    assert "Low effort, 0 queries: 7 of 12 correct" in plot.current_words
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert "3 queries: 9 of 9 correct (100.0 %" in plot.current_words
    bar = plot.places[0][1].center().toPoint()
    with qtbot.waitSignal(figures.opened) as opened:
        QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=bar)
    assert len(opened.args[0].ids) == 5
    with qtbot.assertNotEmitted(figures.opened):
        QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))


def _plot(theme: Theme, figure: Figure) -> FigureCanvas:
    if isinstance(figure, PointFigure):
        points = PointPlot(theme)
        points.show_figure(figure)
        return points
    if isinstance(figure, BarFigure):
        bars = BarPlot(theme)
        bars.show_figure(figure)
        return bars
    queries = QueryPlot(theme)
    queries.show_figure(figure)
    return queries


def test_every_figure_is_painted_in_both_themes_wide_and_narrow(qtbot: QtBot, theme: Theme) -> None:
    for scheme, width in (("dark", 300), ("light", 1200)):
        theme.choose(scheme, 1.0)
        for figure in figures_of(make_record(_results()), {}):
            plot = _plot(theme, figure)
            qtbot.addWidget(plot)
            plot.resize(width, plot.sizeHint().height())
            ground = plot.grab().toImage().pixelColor(width - 1, 0)
            assert ground == plot.palette().window().color()
            assert plot.current_words


def test_the_figures_are_written_as_the_command_does(
    window: MainWindow, figures: ResultFigures, tmp_path: Path
) -> None:
    figures.export(tmp_path / "out")
    settle(window.job_runner)
    assert (tmp_path / "out" / "figures_manifest.json").exists()
