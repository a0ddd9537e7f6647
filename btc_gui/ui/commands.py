"""The commands at work: their keys (remappable, a clash is refused) and the actions that pages bind to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from btc_gui.errors import SettingsError
from btc_gui.ui.command_table import COMMANDS, EVERYWHERE, Command
from btc_gui.ui.icons import icon


def normal_key(key: str) -> str:
    """The key as Qt writes it (`ctrl+k` becomes `Ctrl+K`). Raises `SettingsError` for what is not a key."""
    if not key.strip():
        return ""
    text = QKeySequence.fromString(key.strip()).toString()
    if not text or "Unknown" in text:
        raise SettingsError(f"“{key}” is not a key.", "Write it like A, F5 or Ctrl+Shift+K.")
    return text


class KeyTable:
    """Which key runs which command. Two commands of one page, or of one page and everywhere, never share one."""

    def __init__(self, changed: Mapping[str, str] | None = None, commands: Iterable[Command] = COMMANDS) -> None:
        self._commands = {command.name: command for command in commands}
        self._keys = {name: command.key for name, command in self._commands.items()}
        for name, key in (changed or {}).items():
            if name in self._commands:  # A command that this version no longer has is passed over.
                self.set_key(name, key)

    @property
    def commands(self) -> tuple[Command, ...]:
        """All commands in the table's order."""
        return tuple(self._commands.values())

    def command(self, name: str) -> Command:
        """The command of that name."""
        return self._commands[name]

    def key(self, name: str) -> str:
        """The key of a command; empty when it has none."""
        return self._keys[name]

    def changed(self) -> dict[str, str]:
        """The keys that differ from the table's own: what the settings keep."""
        return {name: key for name, key in self._keys.items() if key != self._commands[name].key}

    def clash(self, name: str, key: str) -> Command | None:
        """The command that already has `key` where `name` acts, if there is one."""
        page = self._commands[name].page
        for other in self._commands.values():
            shares_place = EVERYWHERE in (page, other.page) or other.page == page
            if other.name != name and shares_place and key and key == self._keys[other.name]:
                return other
        return None

    def set_key(self, name: str, key: str) -> None:
        """Give a command another key, or none. Raises `SettingsError` when another command has it there."""
        key = normal_key(key)
        other = self.clash(name, key)
        if other is not None:
            raise SettingsError(
                f"The key {key} already runs “{other.text}”{f' on {other.page.title()}' if other.page else ''}.",
                "Choose another key, or take it away there first.",
            )
        self._keys[name] = key

    def reset(self) -> None:
        """Go back to the table's own keys."""
        self._keys = {name: command.key for name, command in self._commands.items()}


class Commands(QObject):
    """Makes one QAction for each command, when somebody first asks for it, and binds it to the method that does it.

    Actions never repeat while a key is held. Page actions act only while their page is visible (Qt asks the
    widget they were added to) and while no text field takes the letter.
    """

    keys_changed = Signal()

    def __init__(self, keys: KeyTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys = keys
        self._actions: dict[str, QAction] = {}

    def bind(self, name: str, method: Callable[[], object], widget: QWidget) -> QAction:
        """Let `method` (bound, of a QObject) do the command while `widget` (the page or window) is visible."""
        action = self.action(name)
        action.triggered.connect(method)
        action.setEnabled(True)
        widget.addAction(action)
        return action

    def action(self, name: str) -> QAction:
        """The action of a command."""
        if name not in self._actions:
            self._actions[name] = self._made(self.keys.command(name))
        return self._actions[name]

    def _made(self, command: Command) -> QAction:
        action = QAction(command.text, self)
        action.setObjectName(command.name)
        action.setAutoRepeat(False)
        if command.icon:
            action.setIcon(icon(command.icon))
            action.setProperty("icon_name", command.icon)
            action.setIconVisibleInMenu(False)
        action.setEnabled(False)
        self._set_key(action, command)
        return action

    def of_page(self, page: str) -> list[QAction]:
        """The bound actions of a page, in the table's order."""
        return [self._actions[c.name] for c in self.keys.commands if c.page == page and self.is_bound(c.name)]

    def is_bound(self, name: str) -> bool:
        """Whether somebody does this command."""
        return name in self._actions and bool(self._actions[name].associatedObjects())

    def not_now(self, page: str, keys: QKeySequence) -> str:
        """What a key would do on a page, in words, where it can't be done now; empty where it can, or does nothing."""
        for command in self.keys.commands:
            if command.page not in ("", page):
                continue
            action = self.action(command.name)
            if not action.isEnabled() and keys in action.shortcuts():
                return command.text.rstrip("…")
        return ""

    def apply_keys(self) -> None:
        """Set the shortcuts after the keys changed."""
        for name, action in self._actions.items():
            self._set_key(action, self.keys.command(name))
        self.keys_changed.emit()

    def _set_key(self, action: QAction, command: Command) -> None:
        key = self.keys.key(command.name)
        action.setShortcut(QKeySequence.fromString(key))
        text = command.text.rstrip("…")
        action.setToolTip(f"{text} ({key})" if key else text)
