"""The rail on the left: one button a page, with its words where the window is high enough for them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPalette, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QVBoxLayout, QWidget

from btc_gui.ui.icons import icon
from btc_gui.ui.page_list import PageEntry

_WIDTH = 76
_AROUND_WORDS = 26
_AROUND_BUTTONS = 16


class Rail(QFrame):
    """`chosen` carries the name of the page whose button was pressed."""

    chosen = Signal(str)

    def __init__(self, entries: Sequence[PageEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: dict[str, QToolButton] = {}
        self._fitted: tuple[str, int] | None = None
        self.setProperty("role", "rail")
        self.setAccessibleName("Pages")
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 8, 6, 8)
        column.setSpacing(2)
        for entry in entries:
            if entry.name == "settings":
                column.addStretch(1)
            made = QToolButton()
            made.setText(entry.title)
            made.setAccessibleName(entry.title)
            made.setToolTip(entry.title)
            made.setIcon(icon(entry.icon, QPalette.ColorRole.WindowText))
            made.setIconSize(QSize(20, 20))
            made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            made.setCheckable(True)
            made.setProperty("role", "rail")
            made.setProperty("page", entry.name)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._group.addButton(made)
            self._buttons[entry.name] = made
            column.addWidget(made)
        self._group.buttonClicked.connect(self._tell)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        # Without their words the buttons fit any window.
        return QSize(super().minimumSizeHint().width(), 0)

    def _fit(self) -> None:
        """Make all buttons as wide as the longest word in the bold of the chosen page, or show only their icons."""
        buttons = list(self._buttons.values())
        for made in buttons:
            made.ensurePolished()
        font = QFont(buttons[0].font())
        if self._fitted == (font.key(), self.height()):
            return
        self._fitted = (font.key(), self.height())
        font.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetrics(font)
        widest = max(metrics.horizontalAdvance(each.text()) for each in buttons)
        line = metrics.height()
        side = max(20, line)
        # Icon, words, and the style sheet's padding around and Qt's between them.
        has_words = len(buttons) * (side + line + _AROUND_WORDS) + _AROUND_BUTTONS <= self.height()
        styles = Qt.ToolButtonStyle
        for made in buttons:
            made.setToolButtonStyle(styles.ToolButtonTextUnderIcon if has_words else styles.ToolButtonIconOnly)
            made.setMinimumWidth(max(_WIDTH, widest + 16) if has_words else _WIDTH)
            made.setIconSize(QSize(side, side))

    def show_page(self, name: str) -> None:
        """Mark the button of a page; none for an unknown name."""
        for page, made in self._buttons.items():
            # Tab comes to the page that is shown; Qt would stay with the one that had the focus last.
            is_stop = page == name or name not in self._buttons
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_stop else Qt.FocusPolicy.NoFocus)
        if name in self._buttons:
            self._buttons[name].setChecked(True)
            return
        self._group.setExclusive(False)
        for made in self._buttons.values():
            made.setChecked(False)
        self._group.setExclusive(True)

    def set_open(self, is_open: bool) -> None:
        """Enable the pages: without a project there is nothing to show on them."""
        for made in self._buttons.values():
            made.setEnabled(is_open)

    def _tell(self, button: QToolButton) -> None:
        self.chosen.emit(str(button.property("page")))
