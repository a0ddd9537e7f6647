"""OpenAI, and every server that speaks its chat completions (vLLM, Ollama, …), with structured output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.structured_reply import strict_schema
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import ModelError
from btc_gui.remote.hosted_model import HostedModel, Received
from btc_gui.remote.language_model import TIMEOUT, ModelRequest, NoModelThereError

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

ReasoningEffort = Literal["none", "minimal", "low", "medium", "high"]


class OpenAICompatibleModel(HostedModel):
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

        super().__init__("OpenAI" if base_url is None else f"The server at {base_url}", model, key, effort, price)
        self._openai = openai
        self._effort = effort
        # Servers of one's own mostly want no key, but the SDK wants a text.
        self._client = openai.OpenAI(api_key=key or "none", base_url=base_url, max_retries=0, timeout=timeout)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, request: ModelRequest) -> Received:
        try:
            return self._received(self._complete(request))
        except self._openai.APIStatusError as error:
            raise self._refused(error.status_code, error.message, error.response.headers.get("retry-after")) from error
        except self._openai.APITimeoutError as error:
            raise self._too_slow() from error
        except self._openai.APIConnectionError as error:
            raise self._unreachable(error.__cause__ or error) from error
        except self._openai.APIError as error:
            raise self._damaged(error) from error

    def _complete(self, request: ModelRequest) -> ChatCompletion:
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

    def _received(self, completion: ChatCompletion) -> Received:
        # The SDK hands on whatever came, a web page or an empty object too.
        choices = getattr(completion, "choices", None)
        if not choices:
            raise NoModelThereError(
                f"{self._provider} sent something else than a reply of a model.",
                "Check the address (often it ends in /v1).",
            )
        choice = choices[0]
        cut = ""
        if choice.message.refusal:
            cut = self._told(f"The model refused: {choice.message.refusal}")
        elif choice.finish_reason == "length":
            cut = "The reply is cut off: it reached the longest length."
        elif choice.finish_reason == "content_filter":
            cut = "The reply was withheld by the provider's filter."
        return Received(choice.message.content or "", self._usage(completion), cut)

    def _usage(self, completion: ChatCompletion) -> Usage:
        usage = completion.usage
        if usage is None:
            return Usage()
        cached = self._tokens(usage.prompt_tokens_details and usage.prompt_tokens_details.cached_tokens)
        reasoning = self._tokens(usage.completion_tokens_details and usage.completion_tokens_details.reasoning_tokens)
        return Usage(
            input=max(self._tokens(usage.prompt_tokens) - cached, 0),
            output=self._tokens(usage.completion_tokens),
            reasoning=reasoning,
            cache_read=cached,
        )
