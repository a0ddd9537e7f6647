"""A bar that moves is painted with the rest of the window, not at once."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QProgressBar
from pytestqt.qtbot import QtBot

from btc_gui.ui.widgets.progress_bar import ProgressBar


class _Painted(ProgressBar):
    """Counts how often it is painted."""

    count = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.count += 1
        super().paintEvent(event)


def test_moves_are_painted_once_and_later(qtbot: QtBot) -> None:
    bar = _Painted("How far it is")
    qtbot.addWidget(bar)
    bar.setRange(0, 100)
    with qtbot.waitExposed(bar):
        bar.show()
    QApplication.processEvents()
    before = bar.count
    for value in (10, 60, 90):
        bar.setValue(value)
    assert (bar.count, bar.value(), bar.accessibleName()) == (before, 90, "How far it is")
    qtbot.waitUntil(lambda: bar.count == before + 1, timeout=60_000)
    # Qt's own is painted with every move: then this class is not needed any more.
    QProgressBar.setValue(bar, 30)
    assert bar.count == before + 2
