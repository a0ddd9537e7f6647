"""OpenAI, and every server that speaks its chat completions (vLLM, Ollama, …), with structured output."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Literal

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.structured_reply import strict_schema
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import ModelError
from btc_gui.remote.language_model import (
    TIMEOUT,
    ModelReply,
    ModelRequest,
    PassingError,
    Wait,
    full_name,
    http_failure,
    retry_after,
    with_retries,
)

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

ReasoningEffort = Literal["none", "minimal", "low", "medium", "high"]


class OpenAICompatibleModel:
    """A model behind an OpenAI-compatible address; without one, OpenAI's own."""

    def __init__(
        self,
        model: str,
        key: str,
        *,
        base_url: str | None = None,
        effort: ReasoningEffort | None = None,
        price: TokenPrice | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Nothing is sent yet. Raises `ModelError` without a key, unless `base_url` names another server."""
        if not key and base_url is None:
            raise ModelError("There is no key for OpenAI.", "Set OPENAI_API_KEY in the environment.")
        # Takes more than a second to import: only those who ask such a model pay for it.
        import openai

        self._openai = openai
        self._model = model
        self._key = key
        self._effort: ReasoningEffort | None = effort
        self._price = price
        self._provider = "OpenAI" if base_url is None else f"The server at {base_url}"
        # Servers of one's own mostly want no key, but the SDK wants a text.
        self._client = openai.OpenAI(api_key=key or "none", base_url=base_url, max_retries=0, timeout=timeout)

    @property
    def name(self) -> str:
        """The model, with the effort where one is set."""
        return full_name(self._model, self._effort)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        """Ask once, trying again when the provider asks for patience. Raises `ModelError` when nothing comes."""
        return with_retries(lambda: self._attempt(request), wait)

    def _attempt(self, request: ModelRequest) -> ModelReply:
        started = time.monotonic()
        try:
            completion = self._send(request)
        except self._openai.APIStatusError as error:
            after = retry_after(error.response.headers.get("retry-after"))
            raise http_failure(
                self._provider, self._model, error.status_code, error.message, key=self._key, after=after
            ) from error
        except self._openai.APITimeoutError as error:
            raise PassingError(ModelError(f"{self._provider} did not answer in time.", "Try again later.")) from error
        except self._openai.APIConnectionError as error:
            reason = error.__cause__ or error
            raise PassingError(
                ModelError(f"{self._provider} can't be reached ({reason}).", "Check the network and the address.")
            ) from error
        except (self._openai.APIError, json.JSONDecodeError) as error:
            raise PassingError(
                ModelError(f"{self._provider} sent a reply that is damaged ({error}).", "Try again later.")
            ) from error
        return self._reply(completion, time.monotonic() - started)

    def _send(self, request: ModelRequest) -> ChatCompletion:
        return self._client.chat.completions.create(
            model=self._model,
            messages=[{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}],
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": request.schema.__name__,
                    "schema": strict_schema(request.schema),
                    "strict": True,
                },
            },
            reasoning_effort=self._effort or self._openai.omit,
        )

    def _reply(self, completion: ChatCompletion, seconds: float) -> ModelReply:
        # The SDK hands on whatever came, a web page or an empty object too.
        choices = getattr(completion, "choices", None)
        if not choices:
            raise ModelError(
                f"{self._provider} sent something else than a reply of a model.",
                "Check the address (often it ends in /v1).",
            )
        choice = choices[0]
        cut = ""
        if choice.message.refusal:
            cut = f"The model refused: {choice.message.refusal}"
        elif choice.finish_reason == "length":
            cut = "The reply is cut off: it reached the longest length."
        elif choice.finish_reason == "content_filter":
            cut = "The reply was withheld by the provider's filter."
        usage = _usage(completion)
        cost = self._price.cost(usage) if self._price else None
        return ModelReply(choice.message.content or "", usage, cost, seconds, cut)


def _usage(completion: ChatCompletion) -> Usage:
    usage = completion.usage
    if usage is None:
        return Usage()
    cached = (usage.prompt_tokens_details and usage.prompt_tokens_details.cached_tokens) or 0
    reasoning = (usage.completion_tokens_details and usage.completion_tokens_details.reasoning_tokens) or 0
    return Usage(
        input=(usage.prompt_tokens or 0) - cached,
        output=usage.completion_tokens or 0,
        reasoning=reasoning,
        cache_read=cached,
    )
