"""The settings page, and where keys of services come from."""

from __future__ import annotations

import shutil
import sys
import threading
from types import ModuleType

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.errors import SettingsError
from btc_gui.progress import Progress
from btc_gui.remote.service_keys import adopt_keyring, set_variables
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.own_categories import keep_categories
from btc_gui.ui import start
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.settings_page import SettingsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.theme import DARK, Theme
from btc_gui.ui.widgets import category_card
from tests.builders import add_event
from tests.ui.conftest import activate


@pytest.fixture
def first_page() -> str:
    return "settings"


@pytest.fixture
def page(window: MainWindow) -> SettingsPage:
    window.go("settings")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, SettingsPage)
    return made


def test_a_name_is_saved_at_once_and_never_empty(page: SettingsPage, window: MainWindow) -> None:
    page.reviewer.setFocus()
    page.reviewer.selectAll()
    QTest.keyClicks(page.reviewer, "Jo ran")
    page.reviewer.editingFinished.emit()
    assert load_settings().reviewer == "Jo ran"
    assert window.context is not None
    assert window.context.settings.reviewer == "Jo ran"
    page.reviewer.clear()
    page.reviewer.editingFinished.emit()
    assert load_settings().reviewer == "Jo ran"
    assert page.reviewer.text() == "Jo ran"


def test_where_wikidata_is_asked_is_saved_at_once(page: SettingsPage) -> None:
    assert page.query_service.value == "wdqs"
    page.query_service.setCurrentIndex(page.query_service.findData("qlever"))
    page.query_service.activated.emit(1)
    assert load_settings().query_service == "qlever"


def test_a_key_pressed_on_arrival_changes_no_setting(page: SettingsPage, window: MainWindow, qtbot: QtBot) -> None:
    activate(window, qtbot)
    page.take_focus()
    assert window.focusWidget() is page
    QTest.keyClicks(page, "dq")
    assert page.reviewer.text() == window.settings.reviewer == "mara"


def test_looks_are_applied_at_once(page: SettingsPage, theme: Theme) -> None:
    page.theme_box.setCurrentIndex(page.theme_box.findData("dark"))
    page.size_box.setCurrentIndex(page.size_box.findData("1.3"))
    page.theme_box.activated.emit(2)
    assert theme.tokens is DARK
    assert theme.text_scale == 1.3
    saved = load_settings()
    assert (saved.theme, saved.text_scale) == ("dark", 1.3)


def test_a_changed_key_works_at_once_and_a_clash_is_refused(page: SettingsPage, window: MainWindow) -> None:
    editor = page.shortcuts
    editor.view.select_id("review.accept")
    editor.field.setKeySequence(QKeySequence("R"))
    editor.set_button.click()
    assert "already runs “Reject…” on Review" in editor.message.text()
    assert load_settings().keys == {}
    editor.field.setKeySequence(QKeySequence("Y"))
    editor.set_button.click()
    assert load_settings().keys == {"review.accept": "Y"}
    assert window.commands.action("review.accept").shortcut().toString() == "Y"
    editor.reset_button.click()
    assert load_settings().keys == {}
    assert window.commands.action("review.accept").shortcut().toString() == "A"


def test_keys_of_services_are_told_as_set_or_not_and_never_shown(
    page: SettingsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXA_API_KEY", "very-secret-value")
    page.activate()
    assert page.key_states["Exa"].text() == "✓ set"
    assert page.key_states["Anthropic"].text() == "not set"
    assert not [each for each in page.findChildren(QLabel) if "very-secret" in each.text()]


class _Keyring(ModuleType):
    """A keyring module with a backend of our own."""

    def __init__(self, stored: dict[str, str], *, backend: str = "good.Keyring") -> None:
        super().__init__("keyring")
        self._stored = stored
        self.answers = threading.Event()
        self.answers.set()
        module, _, name = backend.rpartition(".")
        self._backend = type(name, (), {"__module__": module})()

    def get_keyring(self) -> object:
        return self._backend

    def get_password(self, service: str, name: str) -> str | None:
        self.answers.wait(60)
        return self._stored.get(name)


def test_the_keyring_gives_only_what_the_environment_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", _Keyring({"EXA_API_KEY": "from ring", "OPENAI_API_KEY": "from ring"}))
    monkeypatch.setenv("OPENAI_API_KEY", "from environment")
    monkeypatch.setenv("EXA_API_KEY", "")
    assert adopt_keyring(Progress()) == {"EXA_API_KEY"}
    assert set_variables() == {"EXA_API_KEY", "OPENAI_API_KEY"}


@pytest.mark.parametrize("backend", ["keyring.backends.fail.Keyring", "keyrings.alt.file.PlaintextKeyring"])
def test_no_keyring_and_one_that_does_not_encrypt_are_refused(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", _Keyring({"EXA_API_KEY": "x"}, backend=backend))
    with pytest.raises(SettingsError):
        adopt_keyring(Progress())
    assert set_variables() == frozenset()


def test_a_keyring_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = _Keyring({})
    silent.answers.clear()
    monkeypatch.setitem(sys.modules, "keyring", silent)
    with pytest.raises(SettingsError, match="did not answer"):
        adopt_keyring(Progress(), seconds=0.2)
    silent.answers.set()
    for thread in threading.enumerate():
        if thread.name == "keyring":
            thread.join(60)
            assert not thread.is_alive()


def test_opting_in_looks_in_the_background(
    qtbot: QtBot, page: SettingsPage, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", _Keyring({"EXA_API_KEY": "x"}))
    monkeypatch.setenv("EXA_API_KEY", "")
    page.keyring_box.click()
    assert load_settings().use_keyring
    qtbot.waitUntil(lambda: page.keyring_note.text() == "Found there: EXA_API_KEY.")
    assert page.key_states["Exa"].text() == "✓ set"


def test_a_category_that_is_not_here_is_taken_from_the_project(
    window: MainWindow, filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = paths.own_categories() / "coaching"
    shutil.copytree(paths.resources() / "categories" / "tenure", folder)
    add_event(filled, category="coaching")
    keep_categories(filled)
    shutil.rmtree(folder)
    monkeypatch.setattr(category_card, "confirm", lambda *_: True)
    window.go("settings")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, SettingsPage)
    (odd,) = page.categories.odd
    assert "events of “coaching”, a category that is not here" in odd.words.text()
    odd.take.click()
    assert (folder / "category.toml").is_file()
    assert "when the app starts again" in odd.words.text()
    assert not odd.take.isVisible()


def test_a_category_of_one_s_own_that_is_wrong_leaves_the_app_s_and_is_told() -> None:
    folder = paths.own_categories() / "coaching"
    folder.mkdir(parents=True)
    (folder / "category.toml").write_text("title = 1", encoding="utf-8")
    known, problem = start._categories()
    assert list(known) == ["demise", "tenure", "closure"]
    assert str(folder) in str(problem)


def test_a_project_is_left_while_the_page_is_still_being_built(window: MainWindow, qtbot: QtBot) -> None:
    made = window.current_page
    assert isinstance(made, SettingsPage)
    assert made._to_build
    window.go("events")
    assert not made._building.isActive()
    window.go("settings")
    qtbot.waitUntil(lambda: not made._to_build)
