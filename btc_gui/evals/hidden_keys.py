"""Keys stay out of what providers send: some repeat them, and the engine writes all of it into its logs."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from inspect_ai.model import Model
from pydantic import BaseModel

from btc_gui.known_secrets import content_without_secrets, without_secrets

_HIDES: Final = "_btc_hides_keys"
_Told = TypeVar("_Told", bound=BaseModel)


def hide_keys(model: Model) -> None:
    """Let a model's replies and failures say no key, before the engine hears of them."""
    if not getattr(model.api, _HIDES, False):
        setattr(model.api, _HIDES, True)
        model.api.__dict__["generate"] = _hiding(model.api.generate)


def _hiding(generate: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    @functools.wraps(generate)
    async def asked(*arguments: object, **named: object) -> object:
        try:
            given = await generate(*arguments, **named)
        except Exception as error:
            _clean(error)
            raise
        if not isinstance(given, tuple):
            return _reply(given)
        # Beside the reply, or a failure that is given back, is the call as it went over the network.
        if isinstance(given[0], BaseException):
            _clean(given[0])
            given[1].response = _cleaned(given[1].response)
            return given
        return _reply(given[0]), _reply(given[1])

    return asked


def _reply(given: object) -> object:
    return _without_keys(given) if isinstance(given, BaseModel) else given


def _without_keys(given: _Told) -> _Told:
    told = given.model_dump_json()
    plain = content_without_secrets(told)
    return given if plain == told else type(given).model_validate_json(plain)


def _clean(error: BaseException) -> None:
    """Take keys out of an exception, as it is and as it came about."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        each.args = tuple(_cleaned(value) for value in each.args)
        for name, value in list(vars(each).items()):
            if isinstance(value, str | dict | list):
                setattr(each, name, _cleaned(value))
        each = each.__cause__ or each.__context__


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return without_secrets(value)
    if isinstance(value, dict | list):
        try:
            return json.loads(without_secrets(json.dumps(value)))
        except (TypeError, ValueError):
            return without_secrets(str(value))
    return value
