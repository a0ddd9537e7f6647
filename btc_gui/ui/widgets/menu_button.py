"""A button that opens a menu: its words, and a chevron behind them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from btc_gui.ui.icons import icon


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
        self.setIconSize(QSize(14, 14))
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # The chevron stands behind the words.
        menu = QMenu(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setMenu(menu)
