"""The column that scrolls."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSplitter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.ui.theme import SIZES
from btc_gui.ui.widgets.frames import scrolling, size_window


def test_a_column_that_comes_to_need_more_room_is_given_it(qtbot: QtBot) -> None:
    """At once, where there is room: nothing has to be scrolled sideways until something else is resized."""
    content = QWidget()
    inner = QVBoxLayout(content)
    column = scrolling(content, "Beside")
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.addWidget(QWidget())
    splitter.addWidget(column)
    splitter.resize(900, 300)
    splitter.setSizes([700, 200])
    qtbot.addWidget(splitter)
    splitter.show()
    wide = QLabel("wide")
    wide.setMinimumWidth(400)
    inner.addWidget(wide)
    qtbot.waitUntil(lambda: column.viewport().width() >= 400, timeout=10_000)


def test_a_window_is_larger_with_larger_text(qtbot: QtBot) -> None:
    """As far as the screen allows: buttons at the bottom must not be below its edge."""
    window = QWidget()
    qtbot.addWidget(window)
    size_window(window, 300, 200)
    usual = window.size()
    font = window.font()
    font.setPointSizeF(SIZES["body"] * 2)
    window.setFont(font)
    size_window(window, 300, 200)
    assert (window.width(), window.height()) == (2 * usual.width(), 2 * usual.height())
    size_window(window, 5_000, 5_000)
    room = window.screen().availableSize().expandedTo(QSize(1_024, 700))
    assert window.width() < room.width()
    assert window.height() < room.height()
