"""A run's recipe from the window: saved as the command saves it, and planned again with what is not as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from btc_gui.domain.run import RunRecipe
from btc_gui.domain.run_recipe_file import sealed
from btc_gui.jobs.run_recipe import export_recipe
from btc_gui.store.probes import ProbeStore
from btc_gui.store.runs import RunStore
from btc_gui.ui import run_recipes
from btc_gui.ui.error_dialog import ErrorDialog
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.runs_page import RunsPage
from btc_gui.ui.pictures import settle
from tests.case_builders import make_configuration


@pytest.fixture
def first_page() -> str:
    return "runs"


@pytest.fixture
def page(window: MainWindow) -> RunsPage:
    assert window.context is not None
    database = window.context.database
    probe = ProbeStore(database).get(ProbeStore(database).ids()[0])
    item = [(probe.id, probe.revision_id)]
    RunStore(database).create("Spring", RunRecipe("2026-07-15"), [make_configuration()], item, 2, "Somebody")
    window.go("runs")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, RunsPage)
    return made


def test_a_recipe_is_saved_and_its_run_planned_again(
    window: MainWindow, page: RunsPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """The file is what the command writes; what is planned from it has the same configurations, probes and day, and
    is not started."""
    assert window.context is not None
    database = window.context.database
    run_id = RunStore(database).ids()[0]
    said: list[str] = []
    file = tmp_path / "new folder" / "spring.json"
    window.context.shell.said.connect(said.append)
    monkeypatch.setattr(run_recipes, "ask_save", lambda *_: file)
    monkeypatch.setattr(run_recipes, "ask_open", lambda *_: file)
    window.commands.action("runs.recipe").trigger()
    settle(window.job_runner)
    assert file.read_text(encoding="utf-8") == export_recipe(database, run_id)
    assert said == [f"spring.json is in {file.parent}"]
    window.commands.action("runs.from_recipe").trigger()
    qtbot.waitUntil(lambda: len(RunStore(database).ids()) == 2, timeout=60_000)
    settle(window.job_runner)
    assert page._current is not None
    assert page._current.run.id != run_id
    assert (page._current.planned, page._current.done) == (2, 0)
    assert page._current.run.recipe.current_date == "2026-07-15"
    assert page._drivers == {}
    assert said[1:] == ["Planned: 1 configuration, 2 answers. Nothing is asked before you start it."]
    assert page._recipes.dialog is None


def test_what_is_not_as_it_was_is_told_and_what_does_not_fit_is_refused(
    window: MainWindow, page: RunsPage, tmp_path: Path
) -> None:
    assert window.context is not None
    database = window.context.database
    recipe = json.loads(export_recipe(database, RunStore(database).ids()[0]))
    del recipe["sha256"]
    older = tmp_path / "older.json"
    older.write_text(sealed({**recipe, "versions": {**recipe["versions"], "inspect-ai": "0.3.1"}}), encoding="utf-8")
    page._recipes.plan(older)
    settle(window.job_runner)
    dialog = page._recipes.dialog
    assert dialog is not None
    assert any("inspect-ai was 0.3.1" in each.text() for each in dialog.findChildren(QLabel))
    dialog.accept()
    recipe["run"]["probes"][0]["key"] = "elsewhere"
    for name, text, words in (
        ("other.json", sealed(recipe), "probe elsewhere: is not in the project"),
        ("changed.json", sealed(recipe).replace("elsewhere", "somewhere"), "was changed after it was written"),
        ("none.json", "{}", "none.json is not the recipe of a run."),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        page._recipes.plan(tmp_path / name)
        settle(window.job_runner)
        error = window.findChild(ErrorDialog)
        assert error is not None
        assert words in error.message.text()
        shiboken6.delete(error)
    assert len(RunStore(database).ids()) == 2


def test_a_recipe_with_a_folder_of_documents_asks_where_they_are_here(
    window: MainWindow, page: RunsPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.context is not None
    database = window.context.database
    recipe = json.loads(export_recipe(database, RunStore(database).ids()[0]))
    del recipe["sha256"]
    recipe["run"]["configurations"][0] |= {"search": "local", "settings": {"search_folder": "news"}}
    file = tmp_path / "local.json"
    file.write_text(sealed(recipe), encoding="utf-8")
    monkeypatch.setattr(run_recipes, "ask_folder", lambda *_: None)
    page._recipes.plan(file)
    settle(window.job_runner)
    assert len(RunStore(database).ids()) == 1
    monkeypatch.setattr(run_recipes, "ask_folder", lambda *_: tmp_path)
    page._recipes.plan(file)
    settle(window.job_runner)
    folders = [each.settings.get("search_folder") for each in RunStore(database).configurations().values()]
    assert folders == [None, str(tmp_path)]
