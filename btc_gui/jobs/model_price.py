"""The price of a language model that judges or classifies, as models.toml says it."""

from __future__ import annotations

from btc_gui.domain.evaluated_model import TokenPrice
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
