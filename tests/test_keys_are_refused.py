"""Where a key or a login would be kept, it is not taken: addresses, models files, settings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from btc_gui.domain.models_file import own_models_path
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.errors import BtcError, ModelError, SettingsError
from btc_gui.evals.search.opening import open_backend
from btc_gui.evals.supervisor import worker_environment
from btc_gui.known_secrets import environment_without_secrets
from btc_gui.progress import Progress
from btc_gui.remote.http import WebClient
from btc_gui.remote.model_choice import ModelChoice, ModelKind
from btc_gui.remote.openai_compatible import OpenAICompatibleModel
from btc_gui.remote.service_address import address_of
from btc_gui.settings import Settings, load_settings, settings_path
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models, check_own_models, project_models, set_project_models

KEY = "sk-planted-marker-0123456789"
ADDRESS = f"https://ada:{KEY}@example.org/v1"
WITH_ADDRESS = f'[models.Mine]\nprovider = "openai"\nmodel = "m"\nbase_url = "{ADDRESS}"\n'
WITH_KEY = f'[models.Mine]\nprovider = "openai"\nmodel = "m"\neffort.low = {{ extra_body = {{ auth = "{KEY}" }} }}\n'


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", KEY)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("text", [WITH_ADDRESS, WITH_KEY])
def test_a_models_file_with_a_key_is_not_taken(database: Database, text: str) -> None:
    with pytest.raises(BtcError, match=r"environment") as of_project:
        set_project_models(database, text)
    assert project_models(database) == ""
    with pytest.raises(BtcError, match=r"environment") as of_window:
        check_own_models(text)
    _write(own_models_path(), text)
    with pytest.raises(BtcError, match=r"environment") as of_file:
        available_models(database)
    assert [KEY in str(error.value) for error in (of_project, of_window, of_file)] == [False] * 3


def _models(monkeypatch: pytest.MonkeyPatch) -> object:
    return ModelChoice(ModelKind.OPENAI, "m", base_url=ADDRESS).open().__enter__()


def _openai_sdk(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("OPENAI_BASE_URL", ADDRESS)
    return ModelChoice(ModelKind.OPENAI, "m").open().__enter__()


def _google_sdk(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", ADDRESS)
    return ModelChoice(ModelKind.GEMINI, "m").open().__enter__()


def _settings(monkeypatch: pytest.MonkeyPatch) -> object:
    _write(settings_path(), f'[model_servers]\nopenai = "{ADDRESS}"\n')
    return load_settings()


def _services(monkeypatch: pytest.MonkeyPatch) -> object:
    _write(settings_path(), f'[services]\nwdqs = "{ADDRESS}"\n')
    return load_settings()


def _environment(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("WDQS_BASE_URL", ADDRESS)
    return address_of("wdqs", Settings())


def _exa(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("EXA_API_KEY", KEY)
    monkeypatch.setenv("EXA_BASE_URL", ADDRESS)
    return open_backend(SearchSettings(SearchKind.EXA), "")


@pytest.mark.parametrize("use", [_models, _openai_sdk, _google_sdk, _settings, _services, _environment, _exa])
def test_an_address_with_a_login_is_not_used(
    monkeypatch: pytest.MonkeyPatch, use: Callable[[pytest.MonkeyPatch], object]
) -> None:
    with pytest.raises(BtcError, match=r"The address holds a login\..*Keys belong in the environment") as caught:
        use(monkeypatch)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("contact", [f"ada@example.org {KEY}", "https://ada:secret@example.org/me"])
def test_a_contact_with_a_key_is_sent_to_nobody(contact: str) -> None:
    with pytest.raises(SettingsError, match=r"holds a key or a login") as caught:
        WebClient(contact, Progress())
    assert KEY not in str(caught.value)


def test_a_key_out_of_a_file_loses_its_line_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Clients can't send it with one, and some say so with all that they were to send."""
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\r\n")
    assert worker_environment(tmp_path)["OPENAI_API_KEY"] == KEY
    with ModelChoice(ModelKind.OPENAI, "m").open() as model:
        assert isinstance(model, OpenAICompatibleModel)
        assert model._client.api_key == KEY
    assert os.environ["OPENAI_API_KEY"] == f" {KEY}\r\n"


@pytest.mark.parametrize("key", [f"{KEY}…", f"{KEY}\n{KEY}"])
def test_what_can_not_be_a_key_is_told_without_it(key: str) -> None:
    with pytest.raises(ModelError, match="holds characters that no key has") as caught:
        OpenAICompatibleModel("m", key)
    assert KEY not in str(caught.value)


def test_processes_that_ask_nobody_get_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", KEY)
    given = environment_without_secrets()
    assert KEY not in given.values()
    assert given["PATH"] == os.environ["PATH"]
