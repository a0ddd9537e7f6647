"""A key that is held down, told from one that is pressed again, also where the display does not tell.

Many remote displays send a key that is held down as releases and presses. Such a release and the press after it have
the same time; nobody's finger is as fast. Qt tells them apart on some displays only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QKeyEvent, QWindow

#: A release and a press as near as this are one key held down.
_SAME_MOMENT_MILLISECONDS = 2


class HeldKeys(QObject):
    """Marks each press of a held key as a repetition and keeps it from running an action. Filters the application."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._released: tuple[int, int] = (0, 0)
        app = QGuiApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hand a repetition on as what it is; let everything else pass."""
        if not isinstance(event, QKeyEvent) or event.isAutoRepeat():
            return False
        if event.type() == QEvent.Type.KeyRelease:
            self._released = (event.key(), event.timestamp())
        elif event.type() == QEvent.Type.ShortcutOverride and self._is_held(event):
            # Accepted, it runs no action, and comes once more as a press.
            event.accept()
            return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(watched, QWindow) and self._is_held(event):
            repetition = QKeyEvent(event.type(), event.key(), event.modifiers(), event.text(), True, event.count())
            QGuiApplication.sendEvent(watched, repetition)
            return True
        return False

    def _is_held(self, event: QKeyEvent) -> bool:
        key, released = self._released
        # A time of zero is no time: events that a program makes have none.
        return released > 0 and event.key() == key and 0 <= event.timestamp() - released <= _SAME_MOMENT_MILLISECONDS
