"""Models and prompts on the settings page: what is shown, and files that are checked before they are saved."""

from __future__ import annotations

import pytest

from btc_gui.domain.models_file import own_models_path
from btc_gui.store.prompts import SHARED_SYSTEM, PromptStore, builtin_text
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.settings_page import SettingsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.checked_text_dialog import CheckedTextDialog
from btc_gui.ui.widgets.model_list import ModelList


@pytest.fixture
def first_page() -> str:
    return "settings"


@pytest.fixture
def models(window: MainWindow) -> ModelList:
    window.go("settings")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, SettingsPage)
    return page.models


def _rows(models: ModelList) -> dict[str, list[str]]:
    table = models.table
    found = {}
    for row in range(table.rowCount()):
        items = [table.item(row, column) for column in range(table.columnCount())]
        texts = [item.text() for item in items if item is not None]
        found[texts[0]] = texts[1:]
    return found


def _dialog(models: ModelList) -> CheckedTextDialog:
    assert models.dialog is not None
    return models.dialog


def test_models_are_listed_with_what_they_are_told_and_whether_there_is_a_key(
    models: ModelList, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _rows(models)["GPT-5.4"] == ["openai", "yes", "2025-08-31", "low", "high", "2.5 / 15", "not set"]
    assert _rows(models)["Kimi-K2.6"][1:3] == ["no", "not reported"]
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    models.refresh()
    assert _rows(models)["GPT-5.4"][-1] == "set"


def test_a_wrong_models_file_is_refused_with_its_line_and_a_right_one_is_used_at_once(models: ModelList) -> None:
    models.edit_button.click()
    dialog = _dialog(models)
    dialog.editor.setPlainText('[models."Mine"]\nprovider = "vllm"\ncolour = 3\n')
    dialog.save_button.click()
    assert "line 3: the key “colour” is unknown" in dialog.message.text()
    assert dialog.editor.textCursor().selectedText() == "colour = 3"
    assert not own_models_path().exists()
    assert dialog.isVisible()
    dialog.editor.setPlainText('[models."<b>Mine</b>"]\nprovider = "vllm"\nmodel = "m"\n')
    dialog.save_button.click()
    assert own_models_path().read_text(encoding="utf-8").startswith('[models."<b>Mine</b>"]')
    assert _rows(models)["<b>Mine</b>"][-1] == "not needed"


def test_a_broken_models_file_is_shown_and_can_be_corrected(models: ModelList) -> None:
    own_models_path().parent.mkdir(parents=True, exist_ok=True)
    own_models_path().write_text("[models\n", encoding="utf-8")
    models.refresh()
    assert "line 1: this is not TOML" in models.problem.text()
    assert _rows(models) == {}
    models.edit_button.click()
    _dialog(models).editor.setPlainText("")
    _dialog(models).save_button.click()
    assert models.problem.isHidden()
    assert len(_rows(models)) == 8


def test_a_projects_own_prompt_is_edited_and_reset(models: ModelList, window: MainWindow) -> None:
    assert window.context is not None
    store = PromptStore(window.context.database)
    models.edit_buttons[SHARED_SYSTEM].click()
    assert _dialog(models).editor.toPlainText() == builtin_text(SHARED_SYSTEM)
    _dialog(models).editor.setPlainText("It is {current_date}.")
    _dialog(models).save_button.click()
    assert store.text(SHARED_SYSTEM) == "It is {current_date}."
    assert "own" in models.states[SHARED_SYSTEM].text()
    models.edit_buttons["judge"].click()
    _dialog(models).editor.setPlainText("No line.")
    _dialog(models).save_button.click()
    assert "no line “---”" in _dialog(models).message.text()
    _dialog(models).reject()
    models.reset_buttons[SHARED_SYSTEM].click()
    assert not store.is_own(SHARED_SYSTEM)
