"""The one place that turns a model of models.toml into a model, a configuration and tools of Inspect AI."""

from __future__ import annotations

import os
import random
import re
from typing import Any, cast

from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.tool import Tool, WebSearchProviders
from inspect_ai.tool import web_search as own_web_search
from tenacity import RetryCallState
from tenacity.wait import wait_base

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel, NativeSearch
from btc_gui.errors import RunError
from btc_gui.evals.hidden_keys import hide_keys
from btc_gui.evals.messages import EvaluationRequest
from btc_gui.known_secrets import KEYS_BELONG, address_problem, without_secrets

#: How the engine's own search tool names each provider.
_NATIVE_TOOLS = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "gemini",
    "grok": "grok",
    "mistral": "mistral",
    "perplexity": "perplexity",
}
#: Providers whose client would try again by itself, unseen, and that take an argument against it.
_TRY_UNSEEN = frozenset({"openai", "openai-api", "anthropic", "deepseek", "moonshot", "openrouter"})
#: The search of Claude without page fetching and without code that sifts its results.
_CLAUDE_SEARCH = {"type": "web_search_20250305", "name": "web_search"}
#: One try at a call: high effort with native search may think for many minutes.
_CALL_SECONDS = 900
_LONGEST_WAIT = 120.0


def inspect_model(request: EvaluationRequest) -> Model:
    """The model of a request, ready to be asked. Raises `RunError` with what is missing or unknown."""
    if request.provider == "scripted":
        return get_model(
            f"scripted/{request.model}",
            memoize=False,
            replay_folder=request.replay_folder,
            latency=request.latency,
        )
    model = evaluated_model(request)
    try:
        made = get_model(
            model.engine_name,
            base_url=_base_url(model),
            api_key=None if model.key_variables or model.provider != "openai-api" else "none",
            **_model_arguments(model, request),
        )
    except RunError:
        raise
    except Exception as error:  # The engine raises what it likes: a missing key or package, an unknown provider.
        raise RunError(f"{model.name} can't be asked: {_plain(error)}") from error
    # Every new try is seen by the engine, which tells of it; what the provider asks for is waited.
    patience = Patience(request.retry_seconds)
    made.api.retry_wait = lambda: patience  # type: ignore[method-assign]
    client = getattr(made.api, "client", None)
    if client is not None and hasattr(client, "max_retries"):
        # The other providers with a client of OpenAI's have no argument for it.
        client.max_retries = 0
    hide_keys(made)
    return made


def evaluated_model(request: EvaluationRequest) -> EvaluatedModel:
    """The model that a request names. Raises `RunError` when the request has no record of it."""
    if not request.agent:
        raise RunError(f"The provider “{request.provider}” of {request.model} is unknown.")
    return EvaluatedModel.from_json(request.agent)


def generate_config(request: EvaluationRequest) -> GenerateConfig:
    """What is sent with each call: the effort in the provider's own terms, limits, switches of native search."""
    common = GenerateConfig(
        reasoning_summary="auto",
        max_connections=request.at_once,
        max_retries=request.retries,
        timeout=_CALL_SECONDS * 2,
        attempt_timeout=_CALL_SECONDS,
        # The excerpts are what they are: the engine must not cut them in the middle.
        max_tool_output=0,
    )
    if request.provider == "scripted":
        return common.merge(GenerateConfig(reasoning_effort=request.effort))  # type: ignore[arg-type]
    model = evaluated_model(request)
    setting = model.effort(Effort(request.effort))
    extra_body = dict(setting.extra_body)
    if request.harness == Harness.NATIVE:
        extra_body.update(_native_of(model).extra_body)
    return common.merge(
        GenerateConfig(
            reasoning_effort=setting.reasoning_effort or None,  # type: ignore[arg-type]  # Checked by the engine.
            reasoning_tokens=setting.reasoning_tokens or None,
            extra_body=extra_body or None,
        )
    )


def native_tools(request: EvaluationRequest) -> list[Tool]:
    """The tools of the native harness: the provider's own search; none where a switch in the request does it.

    Raises `RunError` for a provider that has no search of its own.
    """
    if request.provider == "scripted":
        raise RunError(f"{request.model} replays recordings: it has no search of its own.")
    model = evaluated_model(request)
    native = _native_of(model)
    if native.extra_body or _is_claude_without_fetching(model, native):
        return []
    name = _NATIVE_TOOLS.get(model.provider)
    if name is None:
        raise RunError(
            f"The engine knows no native search of the provider “{model.provider}”.",
            f"Give {model.name} a native.extra_body in models.toml.",
        )
    return [own_web_search(cast(WebSearchProviders, {name: dict(native.options) or True}))]


class Patience(wait_base):
    """How long to wait before a call is made again: ever longer, and at least what the provider asks for."""

    def __init__(self, first: float) -> None:
        self._first = first

    def __call__(self, retry_state: RetryCallState) -> float:
        """Seconds, at most two minutes."""
        growing = self._first * 2.0 ** (retry_state.attempt_number - 1)
        # Samples that failed together must not all come back together.
        pause = growing * random.uniform(1.0, 1.5)
        error = retry_state.outcome.exception() if retry_state.outcome else None
        return min(_LONGEST_WAIT, max(pause, _asked_for(error)))


def _asked_for(error: BaseException | None) -> float:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return float(headers.get("retry-after") or 0.0)
    except (TypeError, ValueError):
        return 0.0


def _native_of(model: EvaluatedModel) -> NativeSearch:
    if model.native is None:
        raise RunError(f"{model.name} has no native search.", "Say in models.toml how it is switched on.")
    return model.native


def _is_claude_without_fetching(model: EvaluatedModel, native: NativeSearch) -> bool:
    return model.provider == "anthropic" and not native.fetches_pages


def _model_arguments(model: EvaluatedModel, request: EvaluationRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {"max_retries": 0} if model.provider in _TRY_UNSEEN else {}
    if request.harness == Harness.NATIVE and _is_claude_without_fetching(model, _native_of(model)):
        # The engine's tool always brings page fetching along; as a field of the request, search comes alone.
        arguments["extra_body"] = {"tools": [{**_CLAUDE_SEARCH, **_native_of(model).options}]}
    return arguments


def _base_url(model: EvaluatedModel) -> str | None:
    address = os.environ.get(model.base_url_variable) or model.base_url or None
    # The engine writes it into its logs.
    if address and (problem := address_problem(address)):
        raise RunError(f"{model.name} can't be asked there. {problem}", KEYS_BELONG)
    return address


def _plain(error: BaseException) -> str:
    """An error of the engine in one line, without its markup for terminals."""
    lines = [line.strip() for line in re.sub(r"\[/?(?:bold|blue)\]", "", str(error)).splitlines()]
    return without_secrets(" ".join(line for line in lines if line).removeprefix("ERROR: ")) or type(error).__name__
