"""Buttons: the one with the focus is the one that Return presses, and a kept picture never shows an old state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.ui.theme import Theme
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


def test_a_button_shows_the_present_state_of_its_command(qtbot: QtBot, theme: Theme) -> None:
    """It is painted from a picture that is kept: each change must draw another one, and changing back the first."""
    holder = QWidget()
    qtbot.addWidget(holder)
    action = QAction("Pause", holder)
    action.setShortcut("P")
    action.setProperty("icon_name", "player-pause")
    made = CommandButton(action, parent=holder)
    made.resize(200, 40)

    def look() -> QImage:
        return made.grab().toImage()

    first = look()
    assert look() == first
    seen = [first]
    changes: list[tuple[Callable[[], object], Callable[[], object]]] = [
        (lambda: action.setText("Go on"), lambda: action.setText("Pause")),
        (lambda: action.setEnabled(False), lambda: action.setEnabled(True)),
        (lambda: action.setShortcut("Q"), lambda: action.setShortcut("P")),
        (lambda: made.setDown(True), lambda: made.setDown(False)),
        (lambda: theme.choose("dark", 1.0), lambda: theme.choose("light", 1.0)),
        (lambda: theme.choose("light", 1.5), lambda: theme.choose("light", 1.0)),
        (lambda: made.resize(180, 40), lambda: made.resize(200, 40)),
    ]
    for change, undo in changes:
        change()
        seen.append(look())
        undo()
        assert look() == first
    assert len({bytes(image.constBits()) for image in seen}) == len(seen)
