"""Which language model is to be asked: a recording, Gemini, OpenAI or a server like it; and opening it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.errors import InputError
from btc_gui.known_secrets import KEYS_BELONG, address_problem
from btc_gui.remote.gemini import GeminiModel
from btc_gui.remote.language_model import LanguageModel, full_name
from btc_gui.remote.openai_compatible import OpenAICompatibleModel, ReasoningEffort
from btc_gui.remote.scripted import ScriptedLanguageModel

#: The efforts that judges and classifiers can be asked with.
EFFORTS = ("minimal", "low", "medium", "high")


class ModelKind(StrEnum):
    """Who answers."""

    RECORDED = "recorded"
    GEMINI = "gemini"
    OPENAI = "openai"


_KEYS = {ModelKind.GEMINI: ("GEMINI_API_KEY", "GOOGLE_API_KEY"), ModelKind.OPENAI: ("OPENAI_API_KEY",)}
#: Where the SDKs would look for another server's address by themselves: looked at here, so that it is checked and told.
_ADDRESSES = {ModelKind.GEMINI: "GOOGLE_GEMINI_BASE_URL", ModelKind.OPENAI: "OPENAI_BASE_URL"}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model as somebody named it. `replies` is the file of a recording; `base_url` another server's address."""

    kind: ModelKind
    model: str = ""
    replies: Path | None = None
    base_url: str = ""
    effort: str = ""

    @property
    def name(self) -> str:
        """The name under which its replies are kept."""
        if self.kind is ModelKind.RECORDED:
            return self.model or (f"recorded ({self.replies.stem})" if self.replies else "")
        return full_name(self.model, self.effort or None)

    @property
    def is_paid(self) -> bool:
        """Whether asking it may cost money."""
        return self.kind is not ModelKind.RECORDED

    def problem(self, environment: Mapping[str, str] = os.environ) -> str:
        """Why it can't be asked, as a sentence; nothing when it can. Nobody is asked for this."""
        if not self.name:
            return "Give the model a name."
        if self.kind is ModelKind.RECORDED:
            return "" if self.replies and self.replies.is_file() else "There is no such file of replies."
        address = self._address(environment)
        if _problem_of(address):
            return _problem_of(address)
        if self._key(environment) or (self.kind is ModelKind.OPENAI and address):
            return ""
        return f"There is no key: set {_KEYS[self.kind][0]} in the environment."

    def _key(self, environment: Mapping[str, str]) -> str:
        keys = (environment.get(name, "").strip() for name in _KEYS[self.kind])
        return next((key for key in keys if key), "")

    def _address(self, environment: Mapping[str, str]) -> str:
        return self.base_url or environment.get(_ADDRESSES[self.kind], "").strip()

    @contextmanager
    def open(
        self, price: TokenPrice | None = None, environment: Mapping[str, str] = os.environ
    ) -> Iterator[LanguageModel]:
        """The model to ask, its connections closed afterwards.

        Raises `ModelError` without a key or for an unknown effort, `InputError` for a recording that can't be read
        and for an address that is none.
        """
        if self.kind is ModelKind.RECORDED:
            yield ScriptedLanguageModel(self.name, self.replies or Path())
            return
        key, address = self._key(environment), self._address(environment)
        if problem := _problem_of(address):
            where = "" if self.base_url else f" ({_ADDRESSES[self.kind]} in the environment)"
            raise InputError(f"{problem}{where}", f"Write it as http://localhost:8000/v1. {KEYS_BELONG}")
        base_url = address or None
        if self.kind is ModelKind.GEMINI:
            gemini = GeminiModel(self.model, key, thinking=self.effort or None, base_url=base_url, price=price)
            with closing(gemini):
                yield gemini
            return
        effort = cast("ReasoningEffort | None", self.effort or None)
        with closing(OpenAICompatibleModel(self.model, key, base_url=base_url, effort=effort, price=price)) as openai:
            yield openai


def _problem_of(address: str) -> str:
    """Why this can't be a server's address; nothing for none."""
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return f"“{address}” is no address."
    if parts.scheme not in ("http", "https"):
        return "The address must begin with http:// or https://."
    return address_problem(address) if is_whole else f"“{address}” names no server."
