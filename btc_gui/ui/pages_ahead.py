"""Makes pages before their first visit, while nobody is doing anything: a visit then only has to show them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer

if TYPE_CHECKING:
    from PySide6.QtGui import QWindow

_LOOK_MILLISECONDS = 300
_INPUT = frozenset(
    {QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel, QEvent.Type.Resize}
)


class PagesAhead(QObject):
    """Making a page holds the window for some frames: nobody must be typing, scrolling or moving the mouse then."""

    #: So long nobody must have done anything.
    QUIET_SECONDS = 1.0

    def __init__(self, make_next: Callable[[], object], parent: QObject) -> None:
        """`make_next` makes one page, if there is one to make."""
        super().__init__(parent)
        self._make_next = make_next
        self._window: QWindow | None = None
        self._last_input = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MILLISECONDS)
        self._timer.timeout.connect(self._look)

    def start(self, window: QWindow | None) -> None:
        """Begin, watching the input of `window`."""
        if window is not None and window is not self._window:
            window.installEventFilter(self)
            self._window = window
        self._last_input = time.monotonic()
        self._timer.start()

    def put_off(self) -> None:
        """Somebody is doing something that is no input of the window: a link of a dialog leads to a page."""
        self._last_input = time.monotonic()

    def stop(self) -> None:
        """Make no more pages."""
        self._timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Input that the window gets, before any widget has it."""
        if event.type() in _INPUT:
            self._last_input = time.monotonic()
        return False

    def _look(self) -> None:
        if time.monotonic() - self._last_input >= self.QUIET_SECONDS:
            # Not running meanwhile: a page that can't be made is told once, and not again and again.
            self._timer.stop()
            self._make_next()
            self._timer.start()
