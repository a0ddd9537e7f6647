"""Keys held down on a display that sends them as releases and presses, as many remote ones do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow

from btc_gui.ui.labelling.held_keys import HeldKeys


class Field(QLineEdit):
    """A field that remembers its key events, and which presses were repetitions."""

    def __init__(self) -> None:
        super().__init__()
        self.presses: list[bool] = []
        self.asked: list[int] = []

    def event(self, event: QEvent) -> bool:
        """Note when the field is asked whether it wants a key for itself."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            self.asked.append(event.timestamp())
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Note the press."""
        self.presses.append(event.isAutoRepeat())


@pytest.fixture
def window(qapp: QApplication) -> Iterator[QMainWindow]:
    """A shown window with a field."""
    made = QMainWindow()
    field = Field()
    made.setCentralWidget(field)
    made.show()
    field.setFocus()
    yield made
    made.close()


def send(window: QMainWindow, kind: QEvent.Type, at: int, key: Qt.Key = Qt.Key.Key_1) -> bool:
    """Send what the display sends at a time in milliseconds; tells whether it was accepted."""
    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, "1")
    event.setTimestamp(at)
    event.ignore()
    QGuiApplication.sendEvent(window.windowHandle(), event)
    return event.isAccepted()


def test_a_press_in_the_moment_of_its_release_is_a_repetition(window: QMainWindow) -> None:
    held = HeldKeys(window)
    field = window.centralWidget()
    assert isinstance(field, Field)

    for pressed, released in ((1000, 1500), (1500, 1540), (1541, 1580), (1700, 1760)):
        send(window, QEvent.Type.KeyPress, pressed)
        send(window, QEvent.Type.KeyRelease, released)

    assert field.presses == [False, True, True, False]
    assert held.parent() is window


def test_another_key_in_the_same_moment_is_no_repetition(window: QMainWindow) -> None:
    HeldKeys(window)
    field = window.centralWidget()
    assert isinstance(field, Field)

    send(window, QEvent.Type.KeyRelease, 1000, Qt.Key.Key_2)
    send(window, QEvent.Type.KeyPress, 1000)

    assert field.presses == [False]


def test_a_repetition_runs_no_action(window: QMainWindow) -> None:
    """Nobody is asked about its shortcut: taken here, the display's shortcuts are not looked at."""
    HeldKeys(window)
    field = window.centralWidget()
    assert isinstance(field, Field)

    send(window, QEvent.Type.ShortcutOverride, 1000)
    send(window, QEvent.Type.KeyRelease, 1400)
    is_taken = send(window, QEvent.Type.ShortcutOverride, 1400)

    assert field.asked == [1000]
    assert is_taken
