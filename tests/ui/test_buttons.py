"""Buttons under the keyboard: the one with the focus is the one that Return presses."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QVBoxLayout
from pytestqt.qtbot import QtBot

from btc_gui.ui.widgets.buttons import CommandButton, button
from tests.ui.conftest import activate


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_key_presses_the_button_that_has_the_focus_not_the_default_of_the_dialog(qtbot: QtBot, key: Qt.Key) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    pressed: list[str] = []
    column = QVBoxLayout(dialog)
    go, cancel = button("Go", role="primary"), button("Cancel")
    action = QAction("Run", dialog)
    action.triggered.connect(lambda: pressed.append("Run"))
    run = CommandButton(action)
    go.setDefault(True)
    go.clicked.connect(lambda: pressed.append("Go"))
    cancel.clicked.connect(lambda: pressed.append("Cancel"))
    for made in (go, cancel, run):
        column.addWidget(made)
    activate(dialog, qtbot)
    for made in (cancel, run, go):
        made.setFocus()
        QTest.keyClick(made, key)
    assert pressed == ["Cancel", "Run", "Go"]
