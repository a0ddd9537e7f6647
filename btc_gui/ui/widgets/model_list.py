"""The models that can be evaluated and the prompts of the project, with a way to change both."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.models_file import own_models_path
from btc_gui.errors import BtcError
from btc_gui.progress import Progress
from btc_gui.settings import write_whole
from btc_gui.store.evaluated_models import available_models, check_own_models
from btc_gui.store.prompts import SHARED_SYSTEM, PromptStore, prompt_names
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.theme import BETWEEN
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.checked_text_dialog import CheckedTextDialog
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.plain_text import label, set_role, tooltip

_COLUMNS: Final = ("Model", "Provider", "Native search", "Cutoff", "Low effort", "High effort", "$ in / out", "Key")
_PROMPTS: Final = {
    SHARED_SYSTEM: "System prompt of the shared harness",
    "judge": "Judge",
    "classify": "Classifier",
    "generate_indirect": "Indirect probes",
    "generate_direct": "Direct probes",
}
_START: Final = """\
# Your own models, and changes to those of the app. An entry with the name of one of the app's models replaces
# only the keys that it has. All keys are explained at the top of the app's own models.toml.
#
# [models."My-Model"]
# provider = "openai-api"
# model = "myserver/my-model"
# base_url = "http://localhost:8000/v1"
# needs_key = false
"""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the models files and the project say; `problem` is what is wrong with a file."""

    models: tuple[EvaluatedModel, ...]
    problem: str
    own_file: str
    own_prompts: frozenset[str]


class ModelList(Card):
    """One line a model and one line a prompt."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__("Models and prompts", parent)
        self._context = context
        self._listing = LatestJob(context.job_runner, "Read models", self._show_reading, self)
        self.dialog: CheckedTextDialog | None = None
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setHorizontalHeaderLabels(_COLUMNS)
        self.table.setAccessibleName("Models")
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.problem = label("", selectable=True)
        set_role(self.problem, "danger")
        self.edit_button = button("Edit your models file…", "edit")
        self.edit_button.clicked.connect(self._edit_models)
        self._own_note = label("", "small", selectable=True)
        self.body.addWidget(self.table)
        self.body.addWidget(self.problem)
        row = QHBoxLayout()
        row.addWidget(self.edit_button)
        row.addWidget(self._own_note, 1)
        self.body.addLayout(row)
        self.states: dict[str, QLabel] = {}
        self.edit_buttons: dict[str, QPushButton] = {}
        self.reset_buttons: dict[str, QPushButton] = {}
        self._titles = {name: self._title(name) for name in prompt_names()}
        self.body.addLayout(self._prompts())

    def _title(self, name: str) -> str:
        category, _, prompt = name.rpartition("/")
        known = self._context.categories.get(category)
        return f"{known.title if known else category}: {_PROMPTS[prompt].lower()}" if category else _PROMPTS[prompt]

    def _prompts(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (name, words) in enumerate(self._titles.items()):
            state, edit, reset = label("", "secondary"), button("Edit…"), button("Reset")
            edit.setAccessibleName(f"Edit the prompt: {words}")
            reset.setAccessibleName(f"Use the app’s own prompt again: {words}")
            edit.setProperty("prompt", name)
            reset.setProperty("prompt", name)
            edit.clicked.connect(self._edit_prompt)
            reset.clicked.connect(self._reset_prompt)
            self.states[name], self.edit_buttons[name], self.reset_buttons[name] = state, edit, reset
            for column, widget in enumerate((label(words), state, edit, reset)):
                grid.addWidget(widget, row, column)
        return grid

    # -- showing ---------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what the files and the project say now."""
        database, names = self._context.database, tuple(self.states)

        def read(progress: Progress) -> _Reading:
            models: tuple[EvaluatedModel, ...] = ()
            problem = ""
            try:
                models = tuple(available_models(database))
            except BtcError as error:
                problem = str(error)
            store = PromptStore(database)
            path = own_models_path()
            own = f"{path}{'' if path.exists() else ' (not there yet)'}"
            return _Reading(models, problem, own, frozenset(name for name in names if store.is_own(name)))

        self._listing.ask(read)

    def _show_reading(self, reading: object) -> None:
        if not isinstance(reading, _Reading):
            return
        self.problem.setText(reading.problem)
        self.problem.setVisible(bool(reading.problem))
        self._fill(reading.models)
        self._own_note.setText(reading.own_file)
        for name, state in self.states.items():
            is_own = name in reading.own_prompts
            state.setText("this project’s own" if is_own else "the app’s own")
            self.reset_buttons[name].setEnabled(is_own)

    def _fill(self, models: Sequence[EvaluatedModel]) -> None:
        self.table.setVisible(bool(models))
        self.table.setRowCount(len(models))
        for row, model in enumerate(models):
            for column, (text, details) in enumerate(_cells(model)):
                item = QTableWidgetItem(text)
                item.setToolTip(tooltip(details))
                item.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
                self.table.setItem(row, column, item)
        self.table.resizeColumnsToContents()
        for column in range(len(_COLUMNS)):
            # Settings of an effort may be long; the tooltip has them whole. Qt leaves nothing between columns.
            self.table.setColumnWidth(column, min(self.table.columnWidth(column) + BETWEEN, 30 * self._digit()))
        # Its style makes the head higher: without it a last few pixels would have to be scrolled to.
        self.table.horizontalHeader().ensurePolished()
        shown = self.table.verticalHeader().length() + self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(shown + self.table.horizontalScrollBar().sizeHint().height() + 4)

    def _digit(self) -> int:
        return self.fontMetrics().averageCharWidth()

    # -- changing --------------------------------------------------------------------------------------------

    def _edit_models(self) -> None:
        path = own_models_path()
        try:
            text = path.read_text(encoding="utf-8-sig") if path.exists() else _START
        except (OSError, UnicodeDecodeError) as error:
            self._context.shell.say(f"{path} can't be read: {error}")
            return
        self._open("Your models file", f"{path}. It is checked when you save it.", text, self._save_models)

    def _save_models(self, text: str) -> None:
        check_own_models(text, self._context.database)
        write_whole(own_models_path(), text)

    def _edit_prompt(self) -> None:
        name = self._named()
        store = PromptStore(self._context.database)
        note = (
            "{current_date} and {cutoff} are filled in for each run. To replicate the paper exactly, paste its prompt."
            if name == SHARED_SYSTEM
            else "The part before the line --- is the system prompt; $names are filled in for each request."
        )
        note += " Runs that are planned already keep the text they were planned with."
        self._open(self._titles[name], note, store.text(name), lambda text: self._save_prompt(name, text))

    def _save_prompt(self, name: str, text: str) -> None:
        PromptStore(self._context.database).set(name, text)

    def _reset_prompt(self) -> None:
        PromptStore(self._context.database).reset(self._named())
        self._changed()

    def _named(self) -> str:
        sender = self.sender()
        return str(sender.property("prompt")) if sender is not None else SHARED_SYSTEM

    def _open(self, title: str, note: str, text: str, save: object) -> None:
        assert callable(save)
        self.dialog = CheckedTextDialog(title, note, text, save, self.window())
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.accepted.connect(self._changed)
        self.dialog.open()

    def _changed(self) -> None:
        self.refresh()
        self._context.changes.tell(Subject.PROJECT)


def _cells(model: EvaluatedModel) -> tuple[tuple[str, str], ...]:
    price = model.price
    cost = f"{price.input:g} / {price.output:g}" if price else "not known"
    origin = f"US dollars per million tokens, {price.source or 'no source'}, {price.date}" if price else ""
    names = " or ".join(model.key_variables)
    key = "not needed" if not names else "set" if model.has_key(os.environ) else "not set"
    low, high = model.effort(Effort.LOW).text, model.effort(Effort.HIGH).text
    return (
        (model.name, model.engine_name),
        (model.service, model.engine_name),
        ("yes" if Harness.NATIVE in model.harnesses else "no", ""),
        (model.cutoff or "not reported", f"Told as {model.told_cutoff}. {model.cutoff_source}".strip()),
        (low, low),
        (high, high),
        (cost, origin),
        (key, names),
    )
