"""Gemini over Google's own SDK, with structured output and a thinking level."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.structured_reply import strict_schema
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import ModelError
from btc_gui.remote.hosted_model import HostedModel, Received
from btc_gui.remote.language_model import TIMEOUT, ModelRequest, UnusableModelError, retry_after

if TYPE_CHECKING:
    from google.genai.errors import APIError
    from google.genai.types import GenerateContentResponse

_PROVIDER = "Gemini"
_MISSING_KEY = ModelError("There is no key for Gemini.", "Set GEMINI_API_KEY in the environment.")


def _transport_errors() -> tuple[type[Exception], ...]:
    """What the SDK lets through when the connection fails: it uses one of two libraries, whichever is there."""
    found: list[type[Exception]] = [OSError]
    for name in ("httpx", "httpx2"):
        try:
            found.append(importlib.import_module(name).TransportError)
        except ImportError:
            continue
    return tuple(found)


class GeminiModel(HostedModel):
    """A Gemini model. `thinking` is its thinking level (minimal, low, medium, high), None the model's own."""

    def __init__(
        self,
        model: str,
        key: str,
        *,
        thinking: str | None = None,
        base_url: str | None = None,
        price: TokenPrice | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Nothing is sent yet. Raises `ModelError` without a key, or for a thinking level that does not exist."""
        if not key:
            raise _MISSING_KEY
        # Takes more than a second to import: only those who ask such a model pay for it.
        from google import genai
        from google.genai import errors, types

        super().__init__(_PROVIDER, model, key, thinking, price)
        self._errors = errors
        self._types = types
        self._transport_errors = _transport_errors()
        self._level = None
        if thinking is not None:
            if thinking.upper() not in types.ThinkingLevel.__members__:
                raise ModelError(f"Gemini has no thinking level “{thinking}”.", "Use minimal, low, medium or high.")
            self._level = types.ThinkingConfig(thinking_level=types.ThinkingLevel[thinking.upper()])
        self._client = genai.Client(
            vertexai=False,
            api_key=key,
            http_options=types.HttpOptions(
                base_url=base_url,
                timeout=int(timeout * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
            ),
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, request: ModelRequest) -> Received:
        try:
            response = self._client.models.generate_content(
                model=self._model,
                contents=request.prompt,
                config=self._types.GenerateContentConfig(
                    system_instruction=request.system,
                    response_mime_type="application/json",
                    response_json_schema=strict_schema(request.schema),
                    thinking_config=self._level,
                ),
            )
        except self._errors.APIError as error:
            raise self._failure(error) from error
        except self._transport_errors as error:
            raise self._unreachable(error) from error
        return self._received(response)

    def _failure(self, error: APIError) -> Exception:
        detail = error.message or str(error)
        # A wrong key is a 400 here, not a 401.
        if error.code == 400 and "api key" in detail.lower():
            return self._refused(401, detail)
        used_up = _used_up_quota(error)
        if used_up:
            return UnusableModelError(
                f"{_PROVIDER}'s quota for “{self._model}” is used up ({used_up}).",
                "Go on when it is renewed, use another key, or ask Google for more.",
            )
        headers = getattr(error.response, "headers", None) or {}
        after = retry_after(headers.get("retry-after"))
        return self._refused(error.code, detail, _retry_delay(error) if after is None else after)

    def _received(self, response: GenerateContentResponse) -> Received:
        usage = self._usage(response)
        if not response.candidates:
            block = response.prompt_feedback.block_reason if response.prompt_feedback else None
            if block is None:
                raise ModelError(f"{_PROVIDER} sent no reply.", "Try again later.")
            return Received("", usage, f"The request was withheld by the provider ({block.name}).")
        candidate = response.candidates[0]
        parts = (candidate.content.parts if candidate.content else None) or []
        text = "".join(part.text or "" for part in parts if not part.thought)
        finish = candidate.finish_reason
        cut = ""
        if finish is self._types.FinishReason.MAX_TOKENS:
            cut = "The reply is cut off: it reached the longest length."
        elif finish is not None and finish is not self._types.FinishReason.STOP:
            cut = f"The reply was withheld or broken off by the provider ({finish.name})."
        return Received(text, usage, cut)

    def _usage(self, response: GenerateContentResponse) -> Usage:
        found = response.usage_metadata
        if found is None:
            return Usage()
        cached, thoughts = self._tokens(found.cached_content_token_count), self._tokens(found.thoughts_token_count)
        return Usage(
            input=max(self._tokens(found.prompt_token_count) - cached, 0),
            output=self._tokens(found.candidates_token_count) + thoughts,
            reasoning=thoughts,
            cache_read=cached,
        )


def _details(error: APIError, kind: str) -> list[dict[str, Any]]:
    """What an error says besides its sentence, of one of Google's kinds (RetryInfo, QuotaFailure)."""
    body = error.details if isinstance(error.details, dict) else {}
    inner = body.get("error", body)
    details = inner.get("details") if isinstance(inner, dict) else None
    return [
        each
        for each in (details if isinstance(details, list) else [])
        if isinstance(each, dict) and str(each.get("@type", "")).endswith(f".{kind}")
    ]


def _retry_delay(error: APIError) -> float | None:
    """The seconds after which it may be tried again (`37s`, `1.5s`), if the error says so."""
    for each in _details(error, "RetryInfo"):
        return retry_after(str(each.get("retryDelay", "")).removesuffix("s"))
    return None


def _used_up_quota(error: APIError) -> str:
    """The quota of a day or longer that is used up: waiting for a moment is no use. Empty when it is none."""
    for each in _details(error, "QuotaFailure"):
        for violation in each.get("violations") or []:
            quota = str(violation.get("quotaId", "")) if isinstance(violation, dict) else ""
            if "PerDay" in quota or "PerMonth" in quota:
                return quota
    return ""
