"""The actions of the form for failure modes: their names, words and keys, and when each can be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from btc_gui.domain.mode_form import EvidenceAnswer, ModeForm, QueryLabel, Relation
from btc_gui.ui.labelling.desk import form_action
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import in_line


@dataclass(frozen=True, slots=True)
class _Command:
    """`name` may be `group:value`; the commands of a group share a method."""

    name: str
    text: str
    key: str
    tip: str = ""
    is_choice: bool = False


CLASSES = tuple(f"class:{each}" for each in QueryLabel)
RELATIONS = tuple(f"mark:{each}" for each in Relation)
EVIDENCE = tuple(f"evidence:{each}" for each in EvidenceAnswer)

_COMMANDS = (
    *(
        _Command(name, text, key, f"This query is {text.lower()}", is_choice=True)
        for name, (text, key) in zip(
            CLASSES, (("Explicit", "E"), ("Indirect", "I"), ("Unrelated", "R"), ("Unsure", "Q")), strict=True
        )
    ),
    *(
        _Command(name, text, key, f"Evidence: {text.lower()}", is_choice=True)
        for name, (text, key) in zip(EVIDENCE, (("Yes", "Y"), ("None", "0"), ("Unsure", "W")), strict=True)
    ),
    *(
        _Command(name, text, key, f"Mark a passage that {text.split()[0].lower()} the change")
        for name, (text, key) in zip(
            RELATIONS, (("States it", "7"), ("Entails it", "8"), ("Suggests it", "9")), strict=True
        )
    ),
    _Command("open", "Show what the model received", "O"),
    _Command("next_query", "Next query", "J"),
    _Command("previous_query", "Previous query", "K"),
    _Command("next_mention", "Next mention", "G"),
    _Command("earlier_part", "Earlier part of a long text", "["),
    _Command("later_part", "Later part of a long text", "]"),
    _Command("query_note", "Note on this query", "Shift+N"),
    _Command("date", "Date of the passage", "D"),
    _Command("remove", "Remove the passage", "Del"),
    _Command("revert", "Take the last change back", "Ctrl+Z"),
    _Command("confirm", "Give it", "Ctrl+Return", "Give the mode that follows"),
    _Command("criteria", "Codebook", "C"),
)
_FOR_RECEIVED = (*RELATIONS, *EVIDENCE, "next_mention", "date", "remove", "earlier_part", "later_part")
_FOR_QUERIES = (*CLASSES, "next_query", "previous_query", "query_note")


class ModeKeys:
    """The actions, added to the form that owns them. `methods` are by name, or by group."""

    def __init__(self, owner: QWidget, methods: Mapping[str, Callable[[], object]]) -> None:
        self._actions: dict[str, QAction] = {}
        for command in _COMMANDS:
            action = form_action(owner, command.name, command.text, command.key)
            action.setToolTip(command.tip or command.text)
            action.setCheckable(command.is_choice)
            action.triggered.connect(methods[command.name.partition(":")[0]])
            self._actions[command.name] = action

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def button(self, name: str) -> CommandButton:
        """A button for an action; one for a choice shows whether it is the chosen one."""
        action = self._actions[name]
        made = CommandButton(action, "toggle" if action.isCheckable() else "")
        made.setAccessibleDescription(action.toolTip())
        if action.isCheckable():
            made.setCheckable(True)
            action.toggled.connect(made.setChecked)
        return made

    def row(self, words: str, names: Sequence[str], *more: QWidget) -> QWidget:
        """Words, a button for each action, and more."""
        row = QWidget()
        flow = FlowLayout(row, gap=6)
        buttons = [self.button(name) for name in names]
        flow.addWidget(in_line(words, "secondary", buttons[0].sizeHint().height()))
        for each in (*buttons, *more):
            flow.addWidget(each)
        return row

    def sync(self, form: ModeForm, query: int) -> None:
        """Show the form's choices, and which actions can be used now, with query number `query` on screen."""
        label = form.labels[query - 1] if query else None
        for names, chosen in ((CLASSES, label), (EVIDENCE, form.evidence)):
            for name in names:
                self._actions[name].setChecked(chosen is not None and name.partition(":")[2] == chosen)
        has_queries = bool(form.queries)
        for name in _FOR_QUERIES:
            self._actions[name].setEnabled(has_queries)
        for name in _FOR_RECEIVED:
            self._actions[name].setEnabled(has_queries and form.has_opened)
        self._actions["open"].setEnabled(has_queries and not form.has_opened and None not in form.labels)
