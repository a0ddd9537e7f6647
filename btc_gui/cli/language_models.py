"""Naming judges and classifiers on the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.errors import InputError
from btc_gui.jobs.model_price import known_price, limit_needs_price, role_choice
from btc_gui.remote.model_choice import EFFORTS, ModelChoice, ModelKind
from btc_gui.store.database import Database

#: How somebody names a judge or classifier in one word.
WHOM = "gemini:MODEL, openai:MODEL (OpenAI or a server like it), or replay:[NAME=]FILE for recorded replies"


def read_choice(who: str, base_url: str = "", effort: str = "") -> ModelChoice:
    """The model that `WHOM` describes. Raises `InputError` for what names nobody."""
    kind, _, name = who.partition(":")
    if kind == "replay" and name:
        own_name, equals, file = name.partition("=")
        return ModelChoice(ModelKind.RECORDED, own_name if equals else "", Path(file if equals else name))
    if kind in (ModelKind.GEMINI, ModelKind.OPENAI) and name:
        return ModelChoice(ModelKind(kind), name, None, base_url, effort)
    raise InputError(f"“{who}” names no language model.", f"Write {WHOM}.")


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model with a role as it was named, or not named at all: then models.toml says who it is."""

    role: str
    who: str = ""
    base_url: str = ""
    effort: str = ""

    def choice(self, database: Database) -> ModelChoice:
        """The model. Raises `InputError` for what names nobody, `SettingsError` for a wrong models file."""
        if self.who:
            return read_choice(self.who, self.base_url, self.effort)
        known = role_choice(database, self.role)
        return replace(known, base_url=self.base_url or known.base_url, effort=self.effort or known.effort)


def role_options(
    role: str, what_for: str, unnamed: str = "as models.toml says"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--ROLE WHO`, `--ROLE-url`, `--ROLE-effort` and `--ROLE-price`.

    The command gets two arguments: `ROLE` with a `NamedModel`, and `ROLE_price` (None: as models.toml says).
    `unnamed` says what is done when nobody is named, where it is something else than what models.toml says.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_choice(*arguments: object, **options: object) -> object:
            options[role], options[f"{role}_price"] = _take(role, options)
            return command(*arguments, **options)

        return _with_options(with_choice, role, f"{what_for}: {WHOM} (default: {unnamed}).")

    return decorated


def _take(role: str, options: dict[str, object]) -> tuple[NamedModel, TokenPrice | None]:
    who, url, effort, price = (
        str(options.pop(f"{role}_{each}") or "") for each in ("who", "url", "effort", "price_text")
    )
    return NamedModel(role, who, url, effort), read_price(price) if price else None


def _with_options(command: Callable[..., Any], role: str, help_text: str) -> Callable[..., Any]:
    name = role.replace("_", "-")
    for option in (
        click.option(
            f"--{name}-price",
            f"{role}_price_text",
            default="",
            metavar="IN,OUT",
            help="Dollars for a million tokens in and out (default: as models.toml says).",
        ),
        click.option(
            f"--{name}-effort", f"{role}_effort", type=click.Choice(EFFORTS), help=f"Reasoning effort (--{name})."
        ),
        click.option(
            f"--{name}-url", f"{role}_url", default="", metavar="URL", help=f"The address of the server (--{name})."
        ),
        click.option(f"--{name}", f"{role}_who", metavar="WHO", help=help_text),
    ):
        command = option(command)
    return command


def read_price(text: str) -> TokenPrice:
    """`0.10,0.40` as a price. Raises `InputError`."""
    parts = text.split(",")
    try:
        amounts = [float(part) for part in parts]
    except ValueError:
        amounts = []
    if len(amounts) != 2 or not all(0 <= amount < 1e6 for amount in amounts):
        raise InputError(f"“{text}” is no price.", "Write dollars for a million tokens in and out: 0.10,0.40")
    return TokenPrice(amounts[0], amounts[1])


def price_of(
    database: Database, choice: ModelChoice, given: TokenPrice | None, max_cost: float | None
) -> TokenPrice | None:
    """What a model's tokens cost: as given, else as models.toml says; None when that is not known. Replays are free.

    Raises `InputError` for a spending limit without a price.
    """
    price = given or known_price(database, choice)
    if price is None and max_cost is not None and choice.is_paid:
        raise limit_needs_price(choice.model)
    return price
