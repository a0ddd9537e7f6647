"""Nothing is cut, and nothing needs scrolling sideways, with letters twice as large in the smallest window."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.domain.case import CaseQuery
from btc_gui.domain.category import load_categories
from btc_gui.settings import Settings
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES
from btc_gui.ui.pictures import settle
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.pinned_table import PinnedTable
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import YieldingButton, button
from btc_gui.ui.widgets.frames import EmptyState, PageHeader
from btc_gui.ui.widgets.plain_text import label
from tests.ui.conftest import activate, close
from tests.ui.every_window import VISITS, Stage, furnish

_SMALLEST = QSize(1024, 700)
#: With the largest letters, parts that would just stand beside each other do not.
_USUAL = QSize(1440, 900)
_LARGEST_TEXT = 2.0


@pytest.fixture
def stage(qtbot: QtBot, theme: Theme, database: Database, tmp_path: Path) -> Iterator[Stage]:
    """The window on a project with something of everything, small, with the largest letters."""
    furnish(database, tmp_path)
    theme.choose("light", _LARGEST_TEXT)
    settings = Settings(reviewer="mara", theme="light", text_scale=_LARGEST_TEXT)
    window = MainWindow(settings, load_categories(paths.resources() / "categories"), theme)
    qtbot.addWidget(window)
    window.resize(_SMALLEST)
    activate(window, qtbot)
    window.show_project(database)
    assert window.context is not None
    yield Stage(window, window.context, tmp_path)
    close(window, qtbot)


def _cut(root: QWidget) -> list[str]:
    """Words of labels and buttons that have not the room which they need."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisibleTo(root) or isinstance(widget, YieldingButton):
            continue
        if isinstance(widget, QLabel) and widget.text():
            if widget.wordWrap():
                is_cut = widget.heightForWidth(widget.width()) > widget.height() + 1
            else:
                is_cut = widget.sizeHint().width() > widget.width() + 1
        elif isinstance(widget, QAbstractButton) and widget.text() and not isinstance(widget.parent(), QLineEdit):
            holder = widget.parent()
            is_outside = isinstance(holder, QWidget) and widget.geometry().bottom() > holder.height() + 1
            is_cut = widget.sizeHint().height() > widget.height() + 1 or is_outside
        else:
            continue
        if is_cut:
            found.append(f"{type(widget).__name__} “{widget.text()[:60]}” {widget.size().toTuple()}")
    return found


def _sideways(root: QWidget) -> list[str]:
    """Areas that scroll sideways. Tables may: their columns can't be read in lines."""
    areas = [area for area in root.findChildren(QScrollArea) if area.isVisibleTo(root)]
    return [area.accessibleName() for area in areas if area.horizontalScrollBar().maximum() > 0]


def test_everything_can_be_read_with_the_largest_letters_in_the_smallest_window(stage: Stage) -> None:
    """Whatever of a page has no room beside something else goes below it, and the page scrolls downwards; no dialog is
    wider than the window; no words are cut."""
    window, faults = stage.window, []
    case = CaseStore(stage.context.database).ids(CaseQuery())[0]
    for size, entry in [(size, entry) for size in (_USUAL, _SMALLEST) for entry in PAGES]:
        window.resize(size)
        window.go(entry.name, int(case) if entry.name == "cases" else None)
        settle(window.job_runner)
        page = window.current_page
        assert page is not None
        assert window.size() == size
        faults += [f"{entry.name}: {each}" for each in (*_cut(page), *_sideways(window.page_area))]
    for kind, visit in VISITS.items():
        dialog: QDialog = visit(stage)
        dialog.open()
        settle(window.job_runner)
        if dialog.width() > _SMALLEST.width():
            faults.append(f"{kind.__name__} is {dialog.width()} wide")
        faults += [f"{kind.__name__}: {each}" for each in _cut(dialog)]
        dialog.close()
        dialog.deleteLater()
    assert "\n".join(faults) == ""


def test_what_an_empty_project_says_is_seen_whole_with_the_largest_letters(
    qtbot: QtBot, theme: Theme, database: Database
) -> None:
    """The one next step stands in the middle of the page: nobody should have to scroll for it, or guess its words."""
    theme.choose("light", _LARGEST_TEXT)
    settings = Settings(reviewer="mara", theme="light", text_scale=_LARGEST_TEXT)
    window = MainWindow(settings, load_categories(paths.resources() / "categories"), theme)
    qtbot.addWidget(window)
    window.resize(_SMALLEST)
    activate(window, qtbot)
    faults = _narrow(window.page_area)
    window.show_project(database)
    for entry in PAGES:
        window.go(entry.name)
        settle(window.job_runner)
        page = window.current_page
        assert page is not None
        faults += [f"{entry.name}: {each}" for each in _cut(page)]
        for state in page.findChildren(EmptyState):
            step = state.button
            if step is not None and step.isVisible() and step.visibleRegion().boundingRect() != step.rect():
                faults.append(f"{entry.name}: “{step.text()}” is not in sight")
    close(window, qtbot)
    assert faults == []


def _narrow(root: QWidget) -> list[str]:
    """Buttons that are less wide than their words."""
    buttons = [each for each in root.findChildren(QAbstractButton) if each.isVisibleTo(root)]
    return [each.text() for each in buttons if each.text() and each.sizeHint().width() > each.width()]


def _table(columns: list[Column[int]], theme: Theme, qtbot: QtBot) -> PinnedTable[int]:
    table: LazyTable[int, int] = LazyTable(columns, lambda ids: {each: each for each in ids})
    view = PinnedTable(table, theme, "results")
    qtbot.addWidget(view)
    view.resize(400, 700)
    view.show()
    table.show_ids(list(range(20)))
    return view


def test_a_table_keeps_its_current_row_in_sight_when_it_gets_lower(qtbot: QtBot, theme: Theme) -> None:
    """What appears above a list makes it lower; the row that was just opened must not slip below its edge."""
    view = _table([Column("Name", str, 100)], theme, qtbot)
    assert view.select_id(12)
    view.resize(400, 300)
    place = view.visualRect(view.currentIndex())
    assert place.top() >= 0
    assert place.bottom() <= view.viewport().height()


def test_the_first_column_of_results_stays_while_the_others_are_scrolled(qtbot: QtBot, theme: Theme) -> None:
    """Figures without the name of their row can't be read; a click on the name means the name."""
    columns: list[Column[int]] = [Column("Name", str, 100)]
    columns += [Column("Figure", str, 150) for _ in range(6)]
    view = _table(columns, theme, qtbot)
    at_first = view.viewport().grab(QRect(0, 0, 90, 80)).toImage()
    view.scrollTo(view.model().index(0, 6))
    assert view.viewport().grab(QRect(0, 0, 90, 80)).toImage() == at_first
    assert view.indexAt(QPoint(20, 10)).column() == 0
    assert view.indexAt(QPoint(350, 10)).column() == 6
    view.scrollTo(view.model().index(0, 2))
    assert view.columnViewportPosition(2) >= view.columnWidth(0)


def test_an_english_sentence_runs_from_the_left_whatever_name_begins_it(qtbot: QtBot) -> None:
    """With an Arabic name first Qt would set all of it from the right: the full stop on the left, the name last."""
    sentence, name = label(is_english=True), label()
    for each in (sentence, name):
        qtbot.addWidget(each)
        each.setText("محمد died on 4 May 2026.")
    assert unicodedata.bidirectional(sentence.text()[0]) == "L"
    assert unicodedata.bidirectional(name.text()[0]) == "AL"
    sentence.setText("Ada died.")
    assert sentence.text() == "Ada died."


def test_a_name_without_spaces_takes_more_lines_and_not_the_room_of_others(qtbot: QtBot) -> None:
    name = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle"
    long, short = label(name, selectable=True), label("Donaudampfschifffahrt")
    for each in (long, short):
        qtbot.addWidget(each)
    assert long.minimumSizeHint().width() <= short.minimumSizeHint().width()
    assert long.heightForWidth(200) > short.heightForWidth(200)
    assert long.text() == name
    # Letters that join, and marks upon others, stay together.
    thai = "สมเด็จพระเจ้าอยู่หัวมหาวชิราลงกรณสมเด็จพระเจ้าอยู่หัว"
    long.setText(thai)
    assert QLabel.text(long) == thai


def test_a_header_puts_its_tools_below_when_one_appears_for_which_there_is_no_room(qtbot: QtBot, theme: Theme) -> None:
    """Some buttons are there only at times: squeezed beside the title, none of them could be read."""
    header, usual, rare = PageHeader("Results"), button("Export all…"), button("Show what is kept back…")
    qtbot.addWidget(header)
    header.set_counts("4 configurations")
    for tool in (usual, rare):
        header.add(tool)
    rare.hide()
    header.resize(400, 80)
    header.show()
    settle(None)
    assert usual.y() < header.title.mapTo(header, header.title.rect().bottomLeft()).y()
    rare.show()
    settle(None)
    assert rare.width() >= rare.sizeHint().width()
    assert rare.mapTo(header, QPoint(0, 0)).y() > header.title.mapTo(header, QPoint(0, 0)).y()
