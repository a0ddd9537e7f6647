"""Which models a project can evaluate: those of the app, of the person's settings, and of the project itself."""

from __future__ import annotations

from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.models_file import (
    ModelsText,
    builtin_models_path,
    models_in,
    own_models_path,
    read_models_text,
    roles_in,
    searches_in,
)
from btc_gui.domain.role_model import RoleModel
from btc_gui.domain.search_price import SearchPrice
from btc_gui.errors import SettingsError
from btc_gui.known_secrets import secrets_in
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore

_KEY = "models"


def available_models(database: Database | None = None) -> list[EvaluatedModel]:
    """The models that can be evaluated; an entry of the settings folder goes before the app's, the project's
    before both. In a project of invented behaviour, only its own models.

    Raises `SettingsError` naming the file, line and key that is wrong.
    """
    texts = _texts(database)
    if database is not None and project_models(database) and ProjectStore(database).is_illustrative:
        return models_in(texts[-1:])
    return models_in(texts)


def role_models(database: Database | None = None) -> dict[str, RoleModel]:
    """Who generates, pairs, judges and classifies unless another is named, by role, from the same files.

    Raises `SettingsError` naming the file, line and key that is wrong.
    """
    return roles_in(_texts(database))


def search_prices(database: Database | None = None) -> dict[str, SearchPrice]:
    """What searches of the web cost, by the service, from the same files.

    Raises `SettingsError` naming the file, line and key that is wrong.
    """
    return searches_in(_texts(database))


def _texts(database: Database | None) -> list[ModelsText]:
    texts = [read_models_text(builtin_models_path())]
    if own_models_path().exists():
        texts.append(_without_keys(read_models_text(own_models_path())))
    own = project_models(database) if database is not None else ""
    if database is not None and own:
        texts.append(_text_of(database, own))
    return texts


def check_own_models(text: str, database: Database | None = None) -> None:
    """Whether `text` could be the person's own models file. Raises `SettingsError` with the line that is wrong."""
    texts = [read_models_text(builtin_models_path()), _without_keys(ModelsText(str(own_models_path()), text))]
    own = project_models(database) if database is not None else ""
    if database is not None and own:
        texts.append(_text_of(database, own))
    models_in(texts)
    roles_in(texts)
    searches_in(texts)


def project_models(database: Database) -> str:
    """The text of the project's own models file; empty when it has none."""
    return ProjectStore(database).value(_KEY)


def set_project_models(database: Database, text: str) -> None:
    """Give the project models of its own (empty: none). Raises `SettingsError` when the text is wrong."""
    if text.strip():
        texts = [read_models_text(builtin_models_path()), _without_keys(_text_of(database, text))]
        models_in(texts)
        roles_in(texts)
        searches_in(texts)
    ProjectStore(database).set_value(_KEY, text)


def _without_keys(text: ModelsText) -> ModelsText:
    """The same text. Raises `SettingsError` when a key stands in it: every configuration would carry it on."""
    if names := secrets_in(text.text):
        raise SettingsError(
            f"{text.origin} holds the value of {', '.join(names)}.", "Take it out: keys are read from the environment."
        )
    return text


def _text_of(database: Database, text: str) -> ModelsText:
    return ModelsText(f"models.toml of {database.path.name}", text)
