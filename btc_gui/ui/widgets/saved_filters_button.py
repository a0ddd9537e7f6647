"""Filters under a name: choose one, save the present one, forget one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from btc_gui.errors import BtcError
from btc_gui.store.saved_filters import SavedFilterStore
from btc_gui.ui.shell import Shell
from btc_gui.ui.widgets.buttons import in_button
from btc_gui.ui.widgets.menu_button import MenuButton
from btc_gui.ui.widgets.name_dialog import NameDialog


class SavedFiltersButton(MenuButton):
    """`chosen` carries the content of the filter that a person chose; `content` gives the present one's."""

    chosen = Signal(object)  # Mapping[str, object]

    def __init__(
        self,
        store: SavedFilterStore,
        content: Callable[[], Mapping[str, object]],
        shell: Shell,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Saved", "Saved filters", parent)
        self._store, self._content, self._shell = store, content, shell
        self.dialog: NameDialog | None = None
        self.menu().aboutToShow.connect(self._fill)
        self.menu().triggered.connect(self._take)

    def save_as(self, name: str) -> bool:
        """Keep the present filter under a name; False when it can't be (the reason is shown)."""
        try:
            self._store.save(name, self._content())
        except BtcError as error:
            self._shell.show_error(error)
            return False
        self._shell.say(f"Saved the filter “{name.strip()}”.")
        return True

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        saved = self._store.all()
        for name in saved:
            self._add(menu, name, ("choose", name))
        if saved:
            menu.addSeparator()
        self._add(menu, "Save this filter…", ("save", ""))
        if saved:
            forget = menu.addMenu("Forget")
            for name in saved:
                self._add(forget, name, ("forget", name))

    def _add(self, menu: QMenu, words: str, data: tuple[str, str]) -> None:
        menu.addAction(in_button(words)).setData(data)

    def _take(self, action: QAction) -> None:
        verb, name = action.data()
        if verb == "choose":
            content = self._store.all().get(name)
            if content is not None:
                self.chosen.emit(content)
        elif verb == "forget":
            self._store.remove(name)
            self._shell.say(f"Forgot the filter “{name}”.")
        else:
            self.ask_name()

    def ask_name(self) -> None:
        """Ask under which name the present filter is to be kept."""
        words = "Everybody who works on this project can choose it under this name."
        self.dialog = dialog = NameDialog(
            "Save this filter", words, "Save", frozenset(self._store.all()), self.window()
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._save)
        dialog.open()

    def _save(self) -> None:
        if self.dialog is not None:
            self.save_as(self.dialog.name)
