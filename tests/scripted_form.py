"""A form of the labelling window that is filled in key by key, in a process of its own that its parent will kill."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest

from btc_gui.domain.item_state import ItemState
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme
from tests.scripted_annotator import SAVED_WITHIN_MILLISECONDS

_BETWEEN_MILLISECONDS = 80


def fill_in(path: Path, pressed: str, pipe: Connection) -> None:
    """Press the keys, telling each state of the form at once, and when it is due to be on the disk; then stay."""
    labelling_window.SETTLE_MILLISECONDS = 0
    app = application()
    window = LabellingWindow(LabellingSession(path), Theme("light", 1.0))
    assert window.form is not None
    states: list[str] = []

    def changed(state: ItemState) -> None:
        states.append(state.text)
        number = len(states)
        pipe.send(("is", state.text))
        QTimer.singleShot(SAVED_WITHIN_MILLISECONDS, window, lambda: pipe.send(("due", number)))

    window.form.draft_changed.connect(changed)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    keys = iter(pressed)

    def press() -> None:
        key = next(keys, "")
        if key:
            QTest.keyClicks(window.focusWidget() or window, key)
            QTimer.singleShot(_BETWEEN_MILLISECONDS, window, press)
        else:
            pipe.send(("all", ""))

    QTimer.singleShot(0, window, press)
    app.exec()
