"""Filters: a text that is applied after a short pause, and facets of which several values can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QWidget

from btc_gui.records import dataclass
from btc_gui.ui.icons import icon
from btc_gui.ui.jargon import meaning
from btc_gui.ui.widgets.buttons import in_button
from btc_gui.ui.widgets.menu_button import MenuButton
from btc_gui.ui.widgets.plain_text import tooltip

_PAUSE_MILLISECONDS = 180
#: What Qt calls the action of the button that empties a field.
_CLEAR = "_q_qlineeditclearaction"
_ONWARD = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Escape)


def add_clear_button(field: QLineEdit) -> None:
    """Give a field the button that empties it, with words for those who can't see its cross."""
    field.setClearButtonEnabled(True)
    action = field.findChild(QAction, _CLEAR)
    if action is not None:
        action.setText("Empty this field")


class FilterText(QLineEdit):
    """Filters by words; `filtered` comes after a short pause, at once on Enter. Escape empties it.

    Enter, the arrow down and an Escape with nothing to empty go on to the list (`lead_to`): the letters that the page
    takes as commands are only text as long as the focus stays here.
    """

    filtered = Signal(str)

    def __init__(self, placeholder: str, parent: QWidget | None = None, *, width: int = 220) -> None:
        super().__init__(parent)
        self._width = width
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        add_clear_button(self)
        self.setMinimumWidth(140)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        action = QAction(icon("search", QPalette.ColorRole.PlaceholderText), placeholder, self)
        self.addAction(action, QLineEdit.ActionPosition.LeadingPosition)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._tell)
        self.textChanged.connect(self._pause.start)
        self.returnPressed.connect(self._tell)
        self._told = ""
        self._list: QWidget | None = None

    def lead_to(self, view: QWidget) -> None:
        """Name the list that is filtered."""
        self._list = view

    def show_text(self, text: str) -> None:
        """Show other words without telling: who asks has filtered by them already."""
        self._told = text
        self.setText(text)
        self._pause.stop()

    def sizeHint(self) -> QSize:
        # With large text its own words must still be read, beside the two icons.
        hint = super().sizeHint()
        words = self.fontMetrics().horizontalAdvance(self.placeholderText()) + 92
        return QSize(max(self._width, words), hint.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self._tell()
            return
        super().keyPressEvent(event)
        if self._list is not None and event.key() in _ONWARD:
            self._list.setFocus(Qt.FocusReason.TabFocusReason)

    def _tell(self) -> None:
        self._pause.stop()
        text = self.text().strip()
        if text != self._told:
            self._told = text
            self.filtered.emit(text)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet, its words, and how many rows have it (None: not counted)."""

    value: str
    text: str
    count: int | None = None


class Facet(MenuButton):
    """A filter by one property, of which any number of values can be chosen; none chosen means all.

    Its menu is made when it is looked at: lists that change would make the menus of all facets anew each time.
    """

    chosen = Signal(object)  # tuple[str, ...]

    def __init__(self, title: str, choices: Sequence[Choice] = (), parent: QWidget | None = None) -> None:
        super().__init__(title, title, parent)
        self._title = title
        self._choices = tuple(choices)
        self._values: tuple[str, ...] = ()
        self._shown: tuple[str, ...] | None = None
        self._has_menu = False
        menu = super().menu()
        menu.aboutToShow.connect(self._make_menu)
        menu.triggered.connect(self._take)
        self.setToolTip(tooltip(meaning(title)))
        self._show()

    @property
    def values(self) -> tuple[str, ...]:
        """The chosen values."""
        return self._values

    def menu(self) -> QMenu:
        """The menu with the present choices."""
        self._make_menu()
        return super().menu()

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """Offer these values; chosen ones that are still offered stay chosen."""
        if tuple(choices) != self._choices:
            self._choices, self._has_menu = tuple(choices), False
            self._show()

    def choose(self, values: Sequence[str]) -> None:
        """Choose these values without telling."""
        chosen = tuple(choice.value for choice in self._choices if choice.value in values)
        if chosen != self._values:
            self._values, self._has_menu = chosen, False
            self._show()

    def _make_menu(self) -> None:
        if self._has_menu:
            return
        self._has_menu = True
        menu = super().menu()
        menu.clear()
        for choice in self._choices:
            words = in_button(choice.text)
            action = menu.addAction(words if choice.count is None else f"{words}\t{choice.count:,}")
            action.setCheckable(True)
            action.setData(choice.value)
            action.setChecked(choice.value in self._values)
        menu.addSeparator()
        menu.addAction("Show all")

    def _take(self, action: QAction) -> None:
        actions = super().menu().actions()
        if not action.isCheckable():
            for each in actions:
                each.setChecked(False)
        self._values = tuple(each.data() for each in actions if each.isChecked())
        self._show()
        self.chosen.emit(self._values)

    def _show(self) -> None:
        words = tuple(choice.text for choice in self._choices if choice.value in self._values)
        if words == self._shown:
            # Also the same words again would have the button laid out and painted.
            return
        self._shown = words
        shown = self._title if not words else words[0] if len(words) == 1 else f"{self._title}: {len(words)}"
        self.setText(in_button(shown))
        self.setAccessibleName(f"{self._title}: {', '.join(words) or 'all'}")
