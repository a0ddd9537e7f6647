"""Text from outside, planted everywhere: no page loads, runs or draws any of it, and no list is turned around."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLabel, QTableView, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.outside_text import UNPRINTABLE
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES
from btc_gui.ui.pictures import settle
from btc_gui.ui.theme import Theme
from tests.planted import plant
from tests.ui.conftest import activate, close

_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


@pytest.fixture
def planted_window(qtbot: QtBot, theme: Theme, database: Database) -> Iterator[MainWindow]:
    plant(database)
    window = MainWindow(Settings(reviewer="mara"), load_categories(paths.resources() / "categories"), theme)
    qtbot.addWidget(window)
    activate(window, qtbot)
    window.show_project(database)
    yield window
    close(window, qtbot)


def test_no_page_shows_outside_text_as_markup(planted_window: MainWindow) -> None:
    wrong: list[str] = []
    seen = 0
    for entry in PAGES:
        planted_window.go(entry.name)
        settle(planted_window.job_runner)
        for widget in planted_window.findChildren(QWidget):
            seen += any("HYPERLINK" in text for text in _texts(widget))
            wrong += [f"{entry.name}: {type(widget).__name__} {fault}" for fault in _faults(widget)]
    wrong += [f"title {fault}" for fault in _faults_of_line(planted_window.windowTitle())]
    assert wrong == []
    assert seen > 30


def _texts(widget: QWidget) -> list[str]:
    """What a widget says at most on a line."""
    if isinstance(widget, QAbstractButton):
        return [widget.text()]
    if isinstance(widget, QComboBox):
        return [widget.itemText(row) for row in range(widget.count())]
    if isinstance(widget, QLabel):
        return [widget.text()]
    return []


def _faults(widget: QWidget) -> Iterator[str]:
    for text in (widget.toolTip(), widget.whatsThis(), widget.statusTip()):
        yield from _faults_of_markup(text)
    if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
        yield from _faults_of_markup(widget.text())
    for text in _texts(widget):
        yield from _faults_of_line(text)
    if isinstance(widget, QTextEdit):
        yield from _loaded(widget)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        for index in _cells(widget):
            for role in _ROLES:
                text = index.data(role)
                if isinstance(text, str):
                    yield from _faults_of_line(text)
                    yield from _faults_of_markup(text) if role == Qt.ItemDataRole.ToolTipRole else ()


def _cells(view: QAbstractItemView) -> Iterator[QModelIndex]:
    model = view.model()
    columns = view.horizontalHeader().count() if isinstance(view, QTableView) else 1
    for row in range(min(model.rowCount(), 30)):
        for column in range(columns):
            yield model.index(row, column)


def _faults_of_markup(text: str) -> Iterator[str]:
    if RichText.mightBeRichText(text) and any(tag in text for tag in ("<img", "<script", "<b>bold")):
        yield f"markup: {text[:80]!r}"


def _faults_of_line(text: str) -> Iterator[str]:
    if UNPRINTABLE.search(text):
        yield f"unprintable: {text[:200]!r}"


def _loaded(widget: QTextEdit) -> Iterator[str]:
    block = widget.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            form = fragments.fragment().charFormat()
            if form.isImageFormat() or form.isAnchor():
                yield f"loads: {fragments.fragment().text()[:80]!r}"
            fragments += 1
        block = block.next()
