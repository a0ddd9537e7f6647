"""A configuration: model × harness × effort, and all else that makes two runs comparable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import NewType

from btc_gui.domain.hashing import hash_of
from btc_gui.records import dataclass

ConfigurationId = NewType("ConfigurationId", int)


class Harness(StrEnum):
    """How search reaches the model."""

    SHARED = "shared"
    NATIVE = "native"
    NONE = "none"
    #: A log of somebody else's task: whatever it gave its agents.
    OTHER = "other"


class Effort(StrEnum):
    """Reasoning effort. The benchmark evaluates low and high (`EFFORTS`); logs of others may hold any."""

    NONE = "none"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"
    #: A log that does not say.
    UNKNOWN = "unknown"

    @property
    def text(self) -> str:
        """The effort in words."""
        return "effort unknown" if self is Effort.UNKNOWN else str(self)


#: The efforts and harnesses that the benchmark evaluates.
EFFORTS = (Effort.LOW, Effort.HIGH)
HARNESSES = (Harness.SHARED, Harness.NATIVE, Harness.NONE)


@dataclass(frozen=True, slots=True)
class Configuration:
    """What was evaluated. `search` names the backend, `settings` holds all that changes its behaviour."""

    model: str
    harness: Harness
    effort: Effort
    search: str = ""
    prompt_hash: str = ""
    as_of: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """`Model · low · shared`."""
        return f"{self.model} · {self.effort.text} · {self.harness}"

    @property
    def identity(self) -> str:
        """SHA-256 over everything that makes a configuration what it is."""
        return hash_of(
            {
                "model": self.model,
                "harness": self.harness,
                "effort": self.effort,
                "search": self.search,
                "prompt_hash": self.prompt_hash,
                "as_of": self.as_of,
                "settings": dict(self.settings),
            }
        )
