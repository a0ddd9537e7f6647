"""The price of a language model that judges or classifies, as models.toml says it."""

from __future__ import annotations

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.errors import InputError
from btc_gui.remote.model_choice import ModelChoice
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models


def known_price(database: Database, choice: ModelChoice) -> TokenPrice | None:
    """What its tokens cost; None when models.toml does not know the model. Recordings have no price.

    Raises `SettingsError` when a models file is wrong.
    """
    if not choice.is_paid:
        return None
    for model in available_models(database):
        if choice.model in (model.name, model.model, model.engine_name):
            return model.price
    return None


def limit_needs_price(model: str) -> InputError:
    """The refusal of a spending limit that can't be kept."""
    return InputError(
        f"A spending limit needs the price of “{model}”.",
        "Say it, in dollars for a million tokens in and out (--price 0.10,0.40), or write it into a models file.",
    )
