"""Asking a language model for a structured reply: the protocol that all providers and replays follow."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeVar

from pydantic import BaseModel

from btc_gui.domain.hashing import hash_of
from btc_gui.domain.structured_reply import strict_schema
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import ModelError

#: How work waits between tries: takes seconds, may raise `Cancelled` (such as `Progress.wait`).
Wait = Callable[[float], None]

#: How often a request is sent before a provider's “later” is taken as a no.
TRIES = 4
#: The longest pause between two tries. A provider that asks for more is left alone until the next start.
LONGEST_WAIT = 60.0
#: How long a reply may take.
TIMEOUT = 180.0

T = TypeVar("T")


@dataclass(frozen=True)
class ModelRequest:
    """One question. `role` is judge, classifier or generator; `subject` names what it is about in replay files;
    `prompt_text` is the template and criteria it was made from, `prompt_hash` their hash."""

    role: str
    system: str
    prompt: str
    schema: type[BaseModel]
    subject: str
    prompt_hash: str = ""
    prompt_text: str = ""

    @property
    def characters(self) -> int:
        """How long the texts are that are sent."""
        return len(self.system) + len(self.prompt)

    @cached_property
    def request_hash(self) -> str:
        """SHA-256 over everything that is sent: equal requests are answered once."""
        return hash_of(
            {"role": self.role, "system": self.system, "prompt": self.prompt, "schema": strict_schema(self.schema)}
        )


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back, unread. `cut` says why the reply is not complete (cut off, withheld); then it is no label."""

    text: str
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
    cut: str = ""


def full_name(model: str, setting: str | None) -> str:
    """The name of a model with the effort or thinking level where one is set."""
    return f"{model} ({setting})" if setting else model


class LanguageModel(Protocol):
    """A language model. Safe to ask from several threads."""

    @property
    def name(self) -> str:
        """Who answers, with all settings that change the answer: verdicts carry this name."""
        ...

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        """Ask once, trying again when the provider asks for patience.

        Raises `ModelError` when there is no reply: no key, unknown model, refused, unreachable, not recorded.
        """
        ...


class UnusableModelError(ModelError):
    """No request to this model can succeed (wrong key, unknown name): asking on is pointless."""


class NoModelThereError(ModelError):
    """What was asked can't be reached, or is no language model. If it never answered, the address is wrong."""


class NotRecordedError(ModelError):
    """A replay has no reply to this one request; it may have those to others."""


class PassingError(Exception):
    """A failure that may pass. `after` is how many seconds the provider asks for, if it says."""

    def __init__(self, failure: ModelError, after: float | None = None) -> None:
        super().__init__(failure)
        self.failure = failure
        self.after = after


def with_retries(attempt: Callable[[], T], wait: Wait) -> T:
    """Call `attempt` until it stops raising `PassingError`, `TRIES` times at most; then raise its failure."""
    for number in range(TRIES):
        try:
            return attempt()
        except PassingError as later:
            pause = 2.0**number if later.after is None else later.after
            if number == TRIES - 1 or pause > LONGEST_WAIT:
                raise later.failure from later
            wait(pause)
    raise AssertionError("unreachable")


def retry_after(value: str | None) -> float | None:
    """The seconds of a Retry-After header; None when there is none or it holds a date."""
    try:
        return max(0.0, float(value)) if value is not None else None
    except ValueError:
        return None


def http_failure(provider: str, model: str, status: int, detail: str, *, after: float | None = None) -> Exception:
    """The error for an HTTP status: `PassingError` for those that may pass, else `ModelError`, with what to do."""
    detail = " ".join(detail.split())[:300]
    if status in (401, 403):
        return UnusableModelError(
            f"{provider} refuses the key ({status}: {detail}).", "Check the key and what it may use."
        )
    if status == 404:
        return UnusableModelError(
            f"{provider} does not know the model “{model}” ({detail}).", "Check its name and address."
        )
    if status == 429:
        return PassingError(
            ModelError(f"{provider} allows no more requests now ({detail}).", "Wait a while, or raise the limit."),
            after,
        )
    if status >= 500 or status in (408, 409):
        return PassingError(ModelError(f"{provider} has a fault ({status}: {detail}).", "Try again later."), after)
    return ModelError(f"{provider} refuses the request ({status}: {detail}).", "Check the model and its settings.")
