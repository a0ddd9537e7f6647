"""What judging or classifying will come to, before anybody is asked: calls, tokens, cost, kin among the models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.model_family import Role
from btc_gui.jobs.ask_plan import Forecast
from btc_gui.jobs.classify import forecast_classifying
from btc_gui.jobs.judge import forecast_judging
from btc_gui.jobs.model_price import known_price
from btc_gui.jobs.same_family import kin
from btc_gui.remote.model_choice import ModelChoice
from btc_gui.store.database import Database


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The forecast, the price that it goes by (None: not known), and the warnings, a sentence each."""

    forecast: Forecast
    price: TokenPrice | None
    warnings: tuple[str, ...]
    is_paid: bool

    @property
    def text(self) -> str:
        """The forecast as a sentence or two."""
        told = self.forecast
        if not told.answers and not told.too_long:
            return "Nothing is left to ask this model."
        if not self.is_paid:
            cost = "nothing to pay"
        elif told.cost is None:
            cost = "the price is not known"
        else:
            cost = f"about {told.cost:,.2f} dollars"
        basis = "" if told.is_measured else ", a guess"
        words = (
            f"{told.calls:,} {'call' if told.calls == 1 else 'calls'}: about {told.input_tokens:,} tokens to read "
            f"and {told.output_tokens:,} to write{basis}; {cost}."
        )
        if told.cached:
            words += f" Stored replies used again: {told.cached:,}."
        if told.too_long:
            words += f" Too long to be sent, and so unscored: {told.too_long:,}."
        return words


def foresee(
    database: Database,
    role: Role,
    choice: ModelChoice,
    categories: Mapping[str, Category],
    *,
    run_id: int | None = None,
    price: TokenPrice | None = None,
) -> Foreseen:
    """Foresee asking `choice` as judge or classifier; `price` goes before the one that models.toml knows.

    Raises `SettingsError` when a models file, a prompt or a category is wrong.
    """
    price = price or known_price(database, choice)
    work = forecast_judging if role is Role.JUDGE else forecast_classifying
    told = work(database, choice.name, categories, run_id=run_id, price=price)
    warnings = tuple(each.text for each in kin(database, role=role, names=[choice.name]))
    return Foreseen(told, price, warnings, choice.is_paid)
