"""The models that can be evaluated: how to reach them, what they know, what they cost; read from models.toml."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.run import cutoff_day
from btc_gui.domain.trajectory import Usage

#: The provider whose models replay recordings: nothing is asked or paid for.
SCRIPTED = "scripted"
#: Providers that run on one's own machine and want no key.
_WITHOUT_KEY = frozenset({SCRIPTED, "ollama", "vllm", "sglang", "llama-cpp-python", "hf", "mockllm"})
#: Where a provider's variable is not its name with _API_KEY; any one of them will do.
_KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "grok": ("XAI_API_KEY", "GROK_API_KEY"),
    "together": ("TOGETHER_API_KEY",),
    "cf": ("CLOUDFLARE_API_TOKEN",),
    "hf-inference-providers": ("HF_TOKEN",),
}


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """US dollars for a million tokens of each kind, and for one native search.

    A cache price that is None is that of input. `date` says when it was so, `source` where it is from.
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    search: float = 0.0
    date: str = ""
    source: str = ""

    def cost(self, usage: Usage, searches: int = 0) -> float:
        """What these tokens and native searches cost, in US dollars. Reasoning is part of the output."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        tokens = (
            usage.input * self.input + usage.output * self.output + usage.cache_read * read + usage.cache_write * write
        )
        return tokens / 1_000_000 + searches * self.search


@dataclass(frozen=True, slots=True)
class EffortSetting:
    """What a provider is told for an effort: a word, a budget of thinking tokens, or fields of its own."""

    reasoning_effort: str = ""
    reasoning_tokens: int = 0
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The setting in words, as table T8 shows it."""
        parts = [self.reasoning_effort] if self.reasoning_effort else []
        if self.reasoning_tokens:
            parts.append(f"{self.reasoning_tokens:,} thinking tokens")
        parts += [_field_text(name, value) for name, value in self.extra_body.items()]
        return ", ".join(parts) or "the provider's default"


@dataclass(frozen=True, slots=True)
class NativeSearch:
    """How a provider's own search is switched on.

    `options` go to its search tool, `extra_body` into the request of an OpenAI-compatible server.
    `fetches_pages` lets a provider read whole pages as well, where that is a tool of its own.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    fetches_pages: bool = False


@dataclass(frozen=True, slots=True)
class EvaluatedModel:
    """One model of models.toml.

    `provider` and `model` make the engine's name (`anthropic` and `claude-opus-4-7`; for a compatible server
    `openai-api` and `SERVICE/model`). `cutoff` is as reported: a month, a day or nothing. `native` is None
    without a search of its own, `price` None when not known. `base_url` is used unless the environment names
    another. `at_once` limits parallel samples (0: the run's own limit).
    """

    name: str
    provider: str
    model: str
    family: str = ""
    cutoff: str = ""
    cutoff_source: str = ""
    efforts: Mapping[Effort, EffortSetting] = field(default_factory=dict)
    native: NativeSearch | None = None
    price: TokenPrice | None = None
    base_url: str = ""
    needs_key: bool = True
    at_once: int = 0

    @property
    def is_scripted(self) -> bool:
        """Whether it replays recordings."""
        return self.provider == SCRIPTED

    @property
    def engine_name(self) -> str:
        """The model's name for Inspect AI."""
        return f"{self.provider}/{self.model}"

    @property
    def told_cutoff(self) -> str:
        """The knowledge cutoff as the agent is told it: a full day, the latest reported one when there is none."""
        return cutoff_day(self.cutoff)

    @property
    def harnesses(self) -> tuple[Harness, ...]:
        """The harnesses with search that it can be evaluated in."""
        return (Harness.SHARED,) if self.native is None else (Harness.SHARED, Harness.NATIVE)

    @property
    def service(self) -> str:
        """Whose limits and key it is under: the provider, or the service behind a compatible server."""
        return self.model.partition("/")[0] if self.provider == "openai-api" else self.provider

    @property
    def key_variables(self) -> tuple[str, ...]:
        """The environment variables that may hold its key; empty when it needs none."""
        if not self.needs_key or self.provider in _WITHOUT_KEY:
            return ()
        return _KEY_VARIABLES.get(self.service, (f"{_as_variable(self.service)}_API_KEY",))

    @property
    def base_url_variable(self) -> str:
        """The environment variable that may name another address."""
        return f"{_as_variable(self.service)}_BASE_URL"

    def missing_key(self, environment: Mapping[str, str]) -> str:
        """The sentence about the key that is missing; empty when there is one, or none is needed."""
        if self.has_key(environment):
            return ""
        return f"There is no key for {self.name}: set {' or '.join(self.key_variables)} in the environment."

    def has_key(self, environment: Mapping[str, str]) -> bool:
        """Whether a key is there, or none is needed."""
        names = self.key_variables
        return not names or any(environment.get(name) for name in names)

    def cost_of(self, usage: Usage, searches: int = 0) -> float | None:
        """What an answer cost in US dollars; None when the price is not known."""
        return None if self.price is None else self.price.cost(usage, searches)

    def effort(self, effort: Effort) -> EffortSetting:
        """What the provider is told; without an entry, the effort's own word."""
        return self.efforts.get(effort) or EffortSetting(reasoning_effort=effort.value)

    def settings(self, harness: Harness, effort: Effort) -> dict[str, str]:
        """What of this entry changes the model's behaviour: part of a configuration's identity.

        Scripted models add nothing but the cutoff: their recordings are found by name and effort.
        """
        settings = {"cutoff": self.told_cutoff} if harness is Harness.SHARED else {}
        if self.is_scripted:
            return settings
        settings["engine_model"] = self.engine_name
        settings["effort"] = canonical_json(asdict(self.effort(effort)))
        if self.base_url:
            settings["base_url"] = self.base_url
        if harness is Harness.NATIVE:
            settings["native"] = canonical_json(asdict(self.native or NativeSearch()))
        return settings

    def as_json(self) -> dict[str, Any]:
        """The record for another process."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> EvaluatedModel:
        """Read such a record."""
        native, price = value["native"], value["price"]
        return cls(
            **{
                **value,
                "efforts": {Effort(name): EffortSetting(**each) for name, each in value["efforts"].items()},
                "native": None if native is None else NativeSearch(**native),
                "price": None if price is None else TokenPrice(**price),
            }
        )


def model_of(configuration: Configuration, models: Mapping[str, EvaluatedModel]) -> EvaluatedModel:
    """The model that a configuration was planned with: its settings are what they were, the price is today's.

    A model that is in no file any more can still be asked; its costs are not known.
    """
    settings = configuration.settings
    known = models.get(configuration.model)
    engine_name = settings.get("engine_model", "")
    if not engine_name:
        price = known.price if known is not None and known.is_scripted else None
        cutoff = settings.get("cutoff", "")
        return EvaluatedModel(configuration.model, SCRIPTED, configuration.model, cutoff=cutoff, price=price)
    provider, _, model = engine_name.partition("/")
    native = settings.get("native")
    return EvaluatedModel(
        name=configuration.model,
        provider=provider,
        model=model,
        family=known.family if known else "",
        cutoff=settings.get("cutoff", ""),
        efforts={configuration.effort: EffortSetting(**json.loads(settings.get("effort", "{}")))},
        native=NativeSearch(**json.loads(native)) if native else None,
        price=known.price if known else None,
        base_url=settings.get("base_url", ""),
        needs_key=known.needs_key if known else True,
        at_once=known.at_once if known else 0,
    )


def _field_text(name: str, value: object) -> str:
    """A field of a request: `thinking disabled`, `thinking_budget 1,024`, `enable_thinking`."""
    if value is True:
        return name
    if isinstance(value, dict) and set(value) == {"type"}:
        return f"{name} {value['type']}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{name} {value:,}"
    return f"{name} {json.dumps(value, ensure_ascii=False)}"


def _as_variable(name: str) -> str:
    return name.upper().replace("-", "_")
