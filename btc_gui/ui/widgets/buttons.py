"""Buttons: plain, primary, link, icon, and those that run a command and show its key."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.outside_text import shown
from btc_gui.ui.icons import icon

_ICON = QSize(16, 16)
_KEYPAD = Qt.KeyboardModifier.KeypadModifier


def in_button(text: str) -> str:
    """Outside text for a button, a menu or a tab: there a single `&` underlines the next letter and is not seen."""
    return shown(text).replace("&", "&&")


def show_words(made: QAbstractButton, words: str) -> None:
    """Show these words of a button. Also the same ones again would have Qt lay it out and paint it."""
    if made.text() != words:
        made.setText(words)


class PushButton(QPushButton):
    """A button that is also pressed by Return while it has the focus.

    Without being an automatic default Qt hands Return on to the dialog, whose default button then acts: on Cancel,
    Return would do what was to be cancelled. Its words may come from outside.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(in_button(text), parent)

    def setText(self, text: str) -> None:
        super().setText(in_button(text))

    def text(self) -> str:
        """The words as they are read."""
        return super().text().replace("&&", "&")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and not self.icon().isNull():
            _fit_icon(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~_KEYPAD:
            if not event.isAutoRepeat():
                self.click()
            event.accept()
            return
        super().keyPressEvent(event)


class YieldingButton(PushButton):
    """A button whose words are cut with “…” where there is no room for all of them: at the end, or at `cut_at`."""

    cut_at = Qt.TextElideMode.ElideRight

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * 12), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        missing = self.sizeHint().width() - self.width()
        if missing > 0:
            room = self.fontMetrics().horizontalAdvance(option.text) - missing
            option.text = self.fontMetrics().elidedText(option.text, self.cut_at, room)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


def add_close_row(dialog: QDialog, column: QVBoxLayout, *others: QWidget) -> None:
    """The last row of a dialog that only tells something: a button that closes it, and has the focus; `others` before.

    A table would take the Enter that closes the dialog.
    """
    row = QHBoxLayout()
    for other in others:
        row.addWidget(other)
    row.addStretch(1)
    close = button("Close", role="primary")
    close.setDefault(True)
    close.clicked.connect(dialog.accept)
    row.addWidget(close)
    column.addLayout(row)
    close.setFocus()


def button(text: str, icon_name: str = "", role: str = "") -> QPushButton:
    """A push button; `role` may be `primary`, `danger`, `link` or `toggle`."""
    made = PushButton(f" {text}" if icon_name else text)  # Qt leaves too little room between icon and words.
    made.setAccessibleName(text)
    if icon_name:
        color_role = QPalette.ColorRole.HighlightedText if role == "primary" else QPalette.ColorRole.ButtonText
        made.setIcon(icon(icon_name, color_role))
        _fit_icon(made)
    if role:
        made.setProperty("role", role)
    made.setAutoDefault(False)
    return made


def link_button(text: str) -> QPushButton:
    """A button that looks like a link."""
    made = YieldingButton(text)
    made.setAccessibleName(text)
    made.setProperty("role", "link")
    made.setAutoDefault(False)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


def condition_button(text: str = "") -> QPushButton:
    """A button that takes a condition away; where there is no room, the middle of its words is left out."""
    made = YieldingButton(text)
    made.cut_at = Qt.TextElideMode.ElideMiddle
    made.setAccessibleName(text)
    made.setProperty("role", "toggle")
    made.setAutoDefault(False)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


class _IconButton(QToolButton):
    """A button with an icon that grows with the letters beside it."""

    def __init__(self) -> None:
        super().__init__()
        _fit_icon(self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            _fit_icon(self)


def _fit_icon(made: QAbstractButton) -> None:
    side = max(_ICON.width(), round(made.fontMetrics().height() * 0.8))
    made.setIconSize(QSize(side, side))


def icon_button(icon_name: str, name: str) -> QToolButton:
    """A button with an icon only; `name` is its tooltip and its name for screen readers."""
    made = _IconButton()
    made.setIcon(icon(icon_name))
    made.setToolTip(name)
    made.setAccessibleName(name)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


class CommandButton(PushButton):
    """A button that runs a command, enabled with it, its key drawn beside the words (or beside its icon alone)."""

    def __init__(
        self, action: QAction, role: str = "", *, has_words: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._action = action
        self._has_words = has_words
        self._key = ""
        #: What the picture shows; None when it is to be drawn anew.
        self._look: tuple[object, ...] | None = None
        self._picture = QPixmap()
        self.setAutoDefault(False)
        _fit_icon(self)
        # Clicking must not take the focus from the page, or the next letter would go to the button.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if role:
            self.setProperty("role", role)
        action.changed.connect(self._sync)
        self.clicked.connect(action.trigger)
        self._sync()

    def _sync(self) -> None:
        key = self._action.shortcut().toString()
        # Beside an icon alone a long one would take the room of the others; the tooltip tells it.
        self._key = key if self._has_words or len(key) == 1 else ""
        text = self._action.text()
        self.setText(text if self._has_words else " ")
        name = self._action.property("icon_name")
        is_primary = self.property("role") == "primary"
        if name:
            roles = QPalette.ColorRole
            self.setIcon(icon(str(name), roles.HighlightedText if is_primary else roles.ButtonText))
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(self._action.toolTip())
        self.setAccessibleName(f"{text.rstrip('…')}, key {key}" if key else text)
        self._look = None
        self.updateGeometry()
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._look = None
        if event.type() == QEvent.Type.FontChange:
            _fit_icon(self)

    def _key_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self._key) + 12 if self._key else 0

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        height = max(hint.height(), self.fontMetrics().height() + 12)
        # Words have a space before them, which an icon alone does not need.
        extra = 6 if self._has_words else -8
        return QSize(hint.width() + extra + (self._key_width() + 4 if self._key else 0), height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        ratio = self.devicePixelRatioF()
        look = (option.text, option.state.value, option.features.value, self.size(), ratio, self.palette().cacheKey())
        if look != self._look:
            self._look, self._picture = look, self._drawn(option, ratio)
        QPainter(self).drawPixmap(0, 0, self._picture)

    def _drawn(self, option: QStyleOptionButton, ratio: float) -> QPixmap:
        """A picture of the button: to draw it takes a third of a millisecond, and a dozen are painted often."""
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QStylePainter(picture, self)
        painter.setFont(self.font())
        painter.setLayoutDirection(self.layoutDirection())
        painter.drawControl(QStyle.ControlElement.CE_PushButtonBevel, option)
        room = self._key_width() + 4 if self._key else 0
        option.rect = option.rect.adjusted(0, 0, -room, 0)
        if self._has_words:
            option.text = f" {option.text}"
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        if self._key:
            self._draw_key(painter)
        painter.end()
        return picture

    def _draw_key(self, painter: QPainter) -> None:
        height = self.fontMetrics().height() + 2
        width = self._key_width()
        box = QRect(self.width() - width - 9, (self.height() - height) // 2, width, height)
        roles = QPalette.ColorRole
        is_primary = self.property("role") == "primary" and self.isEnabled()
        text = self.palette().color(roles.HighlightedText if is_primary else roles.PlaceholderText)
        fill = QColor(text)
        fill.setAlphaF(0.14)
        if not self.isEnabled():
            text.setAlphaF(0.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)
