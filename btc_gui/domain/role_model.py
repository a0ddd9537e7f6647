"""The models that make the benchmark: who generates, pairs, judges and classifies unless another is named."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.evaluated_model import TokenPrice

#: What there is to do: five indirect probes, direct probes, verdicts, failure modes.
ROLES = ("generator", "pairer", "judge", "classifier")


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The model with a role, as models.toml says. `provider` is google, openai, or openai-api at a `base_url`.

    `effort` is the provider's word for it; empty for the model's own. `price` is None when not known.
    """

    role: str
    provider: str = "google"
    model: str = ""
    effort: str = ""
    base_url: str = ""
    price: TokenPrice | None = None
