"""A button that opens a menu: its words, and a chevron behind them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from btc_gui.ui.icons import icon
from btc_gui.ui.widgets.frames import room_at

_CHEVRON = 14


class _MenuBelow(QMenu):
    """A menu whose left edge is its button's: Qt would align it to the right, since the button is mirrored."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        button = self.parentWidget()
        if button is not None:
            place = button.mapToGlobal(button.rect().bottomLeft())
            room, left = room_at(place), place.x()
            self.move(max(room.left(), min(left, room.right() - self.width())), self.y())


class MenuButton(QToolButton):
    """Looks like the other buttons; `name` is for screen readers. The menu is empty at first."""

    def __init__(self, words: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(words)
        self.setAccessibleName(name)
        self.setProperty("role", "button")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIcon(icon("chevron-down", QPalette.ColorRole.PlaceholderText))
        self._fit_chevron()
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # The chevron stands behind the words.
        menu = _MenuBelow(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        menu.aboutToHide.connect(self._forget_mouse)
        self.setMenu(menu)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_chevron()

    def _fit_chevron(self) -> None:
        side = max(_CHEVRON, round(self.fontMetrics().height() * 0.7))
        self.setIconSize(QSize(side, side))

    def _forget_mouse(self) -> None:
        # The menu takes the mouse, and Qt does not see it leave the button: it would stay painted as hovered.
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        self.update()
