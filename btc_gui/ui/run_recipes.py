"""A run's recipe from the window: written to a file, and the run of such a file planned in this project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from btc_gui import paths
from btc_gui.domain.run import Run
from btc_gui.exports.files import safe_name, write_whole
from btc_gui.jobs.run_recipe import (
    PlannedAgain,
    asks_for_documents,
    export_recipe,
    plan_recipe,
    read_recipe,
)
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import MessageDialog
from btc_gui.ui.file_dialogs import ask_folder, ask_open, ask_save
from btc_gui.ui.words import counted

_RECIPES = "Recipes of runs (*.json)"


class RunRecipes(QObject):
    """`planned` carries the id of a run that was planned from a recipe; nothing is asked before it is started."""

    planned = Signal(int)

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._page = context, page
        self.dialog: MessageDialog | None = None

    def ask_to_save(self, run: Run) -> None:
        """Ask where a run's recipe should go, and write it there."""
        name = safe_name(run.name, f"run_{run.id}")
        proposed = paths.exports() / f"{name}-recipe.json"
        path = ask_save(self._page, "Save the run's recipe", proposed, _RECIPES, ".json")
        if path is None:
            return
        database, run_id = self._context.database, run.id

        def write(_: Progress) -> str:
            write_whole(path, export_recipe(database, run_id).encode())
            return f"{path.name} is in {path.parent}"

        self._context.job_runner.start(f"Save the recipe of “{run.name}”", write, succeeded=self._say)

    def ask_to_plan(self) -> None:
        """Ask for a recipe, and plan its run."""
        path = ask_open(self._page, "Plan a run from a recipe", f"{_RECIPES};;All files (*)")
        if path is not None:
            self.plan(path)

    def plan(self, path: Path) -> None:
        """Plan the run of this recipe; where it searched a folder, ask for that folder of this machine."""

        def read(_: Progress) -> dict[str, Any]:
            return read_recipe(path)

        # A refusal is a list of what differs: it needs the room of a dialog.
        self._context.job_runner.start(
            f"Read {path.name}", read, is_quiet=True, succeeded=self._read, failed=self._context.shell.show_error
        )

    def _read(self, recipe: object) -> None:
        if not isinstance(recipe, dict):
            return
        folder = ""
        if asks_for_documents(recipe):
            chosen = ask_folder(self._page, "Folder of the documents that this run searched")
            if chosen is None:
                return
            folder = str(chosen)
        database, author = self._context.database, self._context.settings.reviewer

        def plan(_: Progress) -> PlannedAgain:
            return plan_recipe(database, recipe, author, search_folder=folder)

        self._context.job_runner.start(
            "Plan the run of a recipe", plan, succeeded=self._told, failed=self._context.shell.show_error
        )

    def _told(self, planned: object) -> None:
        if not isinstance(planned, PlannedAgain):
            return
        self.planned.emit(planned.run_id)
        size = f"{counted(planned.configurations, 'configuration')}, {counted(planned.samples, 'answer')}"
        self._say(f"Planned: {size}. Nothing is asked before you start it.")
        if planned.notes:
            dialog = MessageDialog(
                "The run is planned. Not all is as it was.",
                "\n".join(f"• {note}" for note in planned.notes),
                parent=self._page.window(),
            )
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self.dialog = dialog
            dialog.open()

    def _say(self, words: object) -> None:
        self._context.shell.say(str(words))
