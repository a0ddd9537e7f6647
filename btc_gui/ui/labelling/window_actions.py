"""The labelling window's own actions, and how they share the keys with those of its form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from btc_gui.ui.icons import icon

#: Name, words, keys, picture, and what the tooltip says where the words alone do not tell.
_ACTIONS = (
    ("undo", "Undo", "Z", "arrow-back-up", ""),
    ("skip", "Skip", "S", "", ""),
    ("back", "Back", "B", "chevron-left", ""),
    ("forward", "Forward", "F", "chevron-right", ""),
    ("pause", "Pause", "P", "player-pause", ""),
    ("later", "Later", "T", "", "Put the break off"),
    ("go_on", "Next", "Return, Enter", "", "Go on after feedback"),
    ("larger", "Larger text", "Ctrl++", "", ""),
    ("smaller", "Smaller text", "Ctrl+-", "", ""),
    ("keys", "Keys", "?", "keyboard", ""),
    ("help", "Help", "F1", "help-circle", ""),
    ("close", "Close labelling", "Ctrl+W", "", ""),
)


def window_actions(window: QWidget, methods: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """The actions, added to the window, by name; each does its method, and a key held down does it once."""
    made: dict[str, QAction] = {}
    for name, text, keys, picture, tip in _ACTIONS:
        action = made[name] = QAction(text, window)
        action.setObjectName(name)
        action.setAutoRepeat(False)
        action.setShortcuts([QKeySequence(key) for key in keys.split(", ")])
        if picture:
            action.setIcon(icon(picture))
        if tip:
            action.setToolTip(tip)
        action.triggered.connect(methods[name])
        window.addAction(action)
    return made


def share_keys(asked: Sequence[QAction], own: Iterable[QAction]) -> None:
    """One key, one action: the packet's labels come first, then what else the form asks for, then the window's own."""
    taken: set[str] = set()
    for action in (*sorted(asked, key=lambda each: not each.objectName().startswith("choose:")), *own):
        keys = {key.toString() for key in action.shortcuts()}
        if keys & taken:
            action.setShortcut(QKeySequence())
        else:
            taken |= keys


def not_now(actions: Iterable[QAction], keys: QKeySequence) -> str:
    """What a key would do, in words, where it can't be done now; empty where it can, or does nothing."""
    return next((each.toolTip() for each in actions if not each.isEnabled() and keys in each.shortcuts()), "")
