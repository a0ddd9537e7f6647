"""Keys stay out of what failures say: providers repeat them, and the engine writes failures into its logs."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import Final

from inspect_ai.model import Model

from btc_gui.evals.failure_reason import without_keys

_HIDES: Final = "_btc_hides_keys"


def hide_keys(model: Model) -> None:
    """Let a model's failures say no key, before the engine hears of them."""
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
        # Some providers give a failure back, beside the call that led to it.
        if isinstance(given, tuple) and isinstance(given[0], BaseException):
            _clean(given[0])
            given[1].response = _cleaned(given[1].response)
        return given

    return asked


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
        return without_keys(value)
    if isinstance(value, dict | list):
        try:
            return json.loads(without_keys(json.dumps(value)))
        except (TypeError, ValueError):
            return without_keys(str(value))
    return value
