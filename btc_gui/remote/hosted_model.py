"""What models behind a provider's SDK have in common: a name, retries, the price of a reply, and what failures mean."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import ModelError
from btc_gui.known_secrets import content_without_secrets, without_secrets
from btc_gui.remote.language_model import (
    ModelReply,
    ModelRequest,
    NoModelThereError,
    PassingError,
    Wait,
    full_name,
    http_failure,
    retry_after,
    with_retries,
)
from btc_gui.remote.reply_limit import ReplyTooLargeError, limit_replies

#: What an SDK, or who looks at what it handed on, runs into over a reply that is not what it should be.
_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
#: More tokens than any model takes, and fewer than a database can hold.
_MOST_TOKENS = 10**12


@dataclass(frozen=True, slots=True)
class Received:
    """What a provider sent: the text, its tokens, and why it is no complete reply (empty when it is one)."""

    text: str
    usage: Usage = field(default_factory=Usage)
    cut: str = ""


class HostedModel(ABC):
    """A language model that is asked over the network. `setting` is its effort or thinking level, None its own."""

    def __init__(self, provider: str, model: str, key: str, setting: str | None, price: TokenPrice | None) -> None:
        """Raises `ModelError` for a key that can't be one."""
        if not (key.isascii() and key.isprintable()):
            raise ModelError(
                f"The key for {provider} holds characters that no key has.", "Set it anew, as it was given."
            )
        limit_replies()
        self._provider = without_secrets(provider)
        self._model = model
        # Also a key that was not read from the environment.
        self._secrets = {**os.environ, "KEY": key}
        self._setting = setting
        self._price = price

    @property
    def name(self) -> str:
        """The model, with the setting where there is one."""
        return full_name(self._model, self._setting)

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        """Ask once, trying again when the provider asks for patience. Raises `ModelError` when nothing comes."""
        return with_retries(lambda: self._attempt(request), wait)

    def _attempt(self, request: ModelRequest) -> ModelReply:
        started = time.monotonic()
        try:
            received = self._send(request)
            if not isinstance(received.text, str):
                raise TypeError("its text is none")
        except _UNREADABLE as error:
            raise self._damaged(f"{type(error).__name__}: {str(error)[:200]}") from error
        # Kept in projects: a service that repeats what it was sent is not quoted with the key.
        received = replace(received, text=content_without_secrets(received.text, self._secrets))
        cost = self._price.cost(received.usage) if self._price else None
        return ModelReply(received.text, received.usage, cost, time.monotonic() - started, received.cut)

    @staticmethod
    def _tokens(value: object) -> int:
        """A number of tokens as a service told it; 0 when it told none that can be."""
        return value if isinstance(value, int) and 0 <= value < _MOST_TOKENS else 0

    @abstractmethod
    def _send(self, request: ModelRequest) -> Received:
        """Send a request once. Raises `PassingError` for what may pass, `ModelError` for what does not.

        What the SDK raises over a reply that is no such thing may be left to `_attempt`.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connections."""

    def _refused(self, status: int, detail: str, after: float | str | None = None) -> Exception:
        """The error for an HTTP status; `after` is what the provider says of when to come back."""
        seconds = retry_after(after) if isinstance(after, str) else after
        return http_failure(self._provider, self._model, status, self._told(detail), after=seconds)

    def _told(self, words: object) -> str:
        """What a provider or its SDK says, without the key: errors are kept in projects and logs."""
        return without_secrets(str(words), self._secrets)

    def _unreachable(self, reason: object) -> Exception:
        if isinstance(reason, ReplyTooLargeError):
            return reason
        return PassingError(
            NoModelThereError(
                f"{self._provider} can't be reached ({self._told(reason)}).", "Check the network and the address."
            )
        )

    def _too_slow(self) -> PassingError:
        return PassingError(ModelError(f"{self._provider} did not answer in time.", "Try again later."))

    def _damaged(self, reason: object) -> PassingError:
        return PassingError(
            ModelError(f"{self._provider} sent a reply that is damaged ({self._told(reason)}).", "Try again later.")
        )
