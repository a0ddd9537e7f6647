"""Where pages are shown: one at a time, and scrolled where the window is too low for large text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from btc_gui.ui.shell import Page
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.frames import LEAST_BESIDE

#: What stands side by side needs only so much of the height that it needs one below the other.
_SHARE_BESIDE = 0.7


class PageArea(QScrollArea):
    """Shows one page of `stack`. It never scrolls sideways, and downwards only below a page's `least_height`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        # Without a layout: what the pages' own would ask for, shown or not, decides nothing here.
        self._whole = QWidget()
        self.stack = QStackedWidget(self._whole)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self._whole)
        for part in (self._whole, self.viewport()):
            part.setAutoFillBackground(False)
        self.stack.currentChanged.connect(self._fit)
        theme.changed.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self, *_: int) -> None:
        page, room = self.stack.currentWidget(), self.maximumViewportSize()
        least = page.least_height * self._theme.text_scale if isinstance(page, Page) else 0
        if room.width() >= LEAST_BESIDE * self._theme.text_scale:
            least *= _SHARE_BESIDE
        if least > room.height():
            room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
            room.setHeight(round(least))
        self._whole.resize(room)
        self.stack.resize(room)
