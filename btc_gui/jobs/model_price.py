"""What models.toml says of the language models that make the benchmark: who has a role, and what tokens cost."""

from __future__ import annotations

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.errors import InputError
from btc_gui.remote.model_choice import ModelChoice, ModelKind
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models, role_models


def known_price(database: Database, choice: ModelChoice) -> TokenPrice | None:
    """What its tokens cost; None when models.toml does not know the model. Recordings have no price.

    Raises `SettingsError` when a models file is wrong.
    """
    if not choice.is_paid:
        return None
    for model in available_models(database):
        if choice.model in (model.name, model.model, model.engine_name):
            return model.price
    for role in role_models(database).values():
        if choice.model == role.model and role.price is not None:
            return role.price
    return None


def role_choice(database: Database, role: str) -> ModelChoice:
    """The model that models.toml gives a role. Raises `InputError` when it gives it to none, `SettingsError`."""
    found = role_models(database).get(role)
    if found is None:
        raise InputError(f"models.toml names no {role}.", f"Name one, or write [roles.{role}] into your models file.")
    kind = ModelKind.GEMINI if found.provider == "google" else ModelKind.OPENAI
    return ModelChoice(kind, found.model, None, found.base_url, found.effort)


def limit_needs_price(model: str) -> InputError:
    """The refusal of a spending limit that can't be kept."""
    return InputError(
        f"A spending limit needs the price of “{model}”.",
        "Say it, in dollars for a million tokens in and out (--price 0.10,0.40), or write it into a models file.",
    )
