"""Where pages are shown: one at a time, and scrolled where the window is too low for large text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from btc_gui.ui.shell import Page
from btc_gui.ui.theme import AROUND, Theme
from btc_gui.ui.widgets.frames import LEAST_BESIDE, EmptyState, see_through

#: What stands side by side needs only so much of the height that it needs one below the other.
_SHARE_BESIDE = 0.7
#: After these the words of an empty page may need another height.
_MOVES = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.Resize)


class PageArea(QScrollArea):
    """Shows one page of `stack`. It never scrolls sideways, and downwards only below a page's `least_height`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        # Without a layout: what the pages' own would ask for, shown or not, decides nothing here.
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        see_through(self)
        self._whole = QWidget(self.viewport())
        self.stack = QStackedWidget(self._whole)
        self.setWidget(self._whole)
        self._whole.setAutoFillBackground(False)
        self.stack.currentChanged.connect(self._fit)
        theme.changed.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES and isinstance(watched, EmptyState):
            self._fit()
        return super().eventFilter(watched, event)

    def _empty_states(self, page: QWidget) -> list[EmptyState]:
        """What a page shows instead of all else it has, watched from now on."""
        # They stand in the page's own stack. Looking through all that a page has takes many times as long.
        found = [each for stack in page.children() for each in stack.children() if isinstance(each, EmptyState)]
        for each in found:
            each.installEventFilter(self)
        return found

    def _fit(self, *_: int) -> None:
        page, room = self.stack.currentWidget(), self.maximumViewportSize()
        least = page.least_height * self._theme.text_scale if isinstance(page, Page) else 0
        shown = [each for each in self._empty_states(page) if each.isVisibleTo(page)] if page is not None else []
        if shown:
            # It says so in the middle of the page, which must be in sight.
            least = _top_of(shown[0]) + shown[0].least_height
        elif isinstance(page, Page) and page.can_stand_beside:
            is_beside = room.width() - 2 * AROUND >= LEAST_BESIDE * self._theme.text_scale
            least *= _SHARE_BESIDE if is_beside else 1
        if least > room.height():
            room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
            room.setHeight(round(least))
        self._whole.resize(room)
        self.stack.resize(room)


def _top_of(state: EmptyState) -> int:
    """How far below the top of its page what it stands in begins, with the margin below that."""
    stack = state.parentWidget()
    return stack.y() + AROUND if stack is not None else 0
