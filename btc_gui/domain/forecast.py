"""What a run will take, before it is started: from what such answers took so far, else from stated assumptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel, model_of
from btc_gui.domain.trajectory import Usage


@dataclass(frozen=True, slots=True)
class Typical:
    """What one answer takes on average: calls to the model, tokens, seconds."""

    calls: float
    input_tokens: float
    output_tokens: float
    seconds: float


#: Our assumptions for a configuration without any history; round figures, to be replaced by measured ones.
ASSUMED: Mapping[tuple[Harness, Effort], Typical] = {
    (Harness.SHARED, Effort.LOW): Typical(calls=4, input_tokens=12_000, output_tokens=1_500, seconds=40),
    (Harness.SHARED, Effort.HIGH): Typical(calls=9, input_tokens=60_000, output_tokens=6_000, seconds=180),
    (Harness.NATIVE, Effort.LOW): Typical(calls=1, input_tokens=12_000, output_tokens=1_500, seconds=40),
    (Harness.NATIVE, Effort.HIGH): Typical(calls=1, input_tokens=60_000, output_tokens=6_000, seconds=180),
    (Harness.NONE, Effort.LOW): Typical(calls=1, input_tokens=400, output_tokens=800, seconds=20),
    (Harness.NONE, Effort.HIGH): Typical(calls=1, input_tokens=400, output_tokens=4_000, seconds=90),
}


@dataclass(frozen=True, slots=True)
class ConfigurationForecast:
    """What the answers of one configuration will take; `seconds` is their sum, not the time on the clock.

    `cost` is in US dollars, None when no price is known. At most `at_once` samples of `service` go in parallel
    (0: the run's limit).
    """

    configuration: Configuration
    answers: int
    calls: int
    usage: Usage
    seconds: float
    is_measured: bool
    cost: float | None = None
    service: str = ""
    at_once: int = 0

    @property
    def basis(self) -> str:
        """What the figures rest on."""
        return "measured in this project" if self.is_measured else "assumed"


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run will take. `seconds` is the time on the clock with `at_once` samples of each service in parallel."""

    rows: tuple[ConfigurationForecast, ...]
    at_once: int

    @property
    def answers(self) -> int:
        """All answers."""
        return sum(row.answers for row in self.rows)

    @property
    def calls(self) -> int:
        """All calls to models."""
        return sum(row.calls for row in self.rows)

    @property
    def usage(self) -> Usage:
        """All tokens."""
        return sum((row.usage for row in self.rows), Usage())

    @property
    def seconds(self) -> float:
        """The time on the clock: services go side by side, the configurations of one share its limit."""
        lasting: dict[str, float] = {}
        for row in self.rows:
            limit = min(self.at_once, row.at_once or self.at_once)
            service = row.service
            lasting[service] = lasting.get(service, 0.0) + row.seconds / max(1, limit)
        return max(lasting.values(), default=0.0)

    @property
    def cost(self) -> float | None:
        """The cost of all whose price is known, in US dollars; None when none is."""
        known = [row.cost for row in self.rows if row.cost is not None]
        return sum(known) if known else None

    @property
    def unpriced(self) -> tuple[str, ...]:
        """The models that are paid for at a price that is not known."""
        names = [row.configuration.model for row in self.rows if row.cost is None and row.service not in ("", SCRIPTED)]
        return tuple(dict.fromkeys(names))


def forecast_of(
    answers: Sequence[tuple[Configuration, int]],
    measured: Mapping[str, Typical],
    at_once: int,
    models: Mapping[str, EvaluatedModel] | None = None,
) -> Forecast:
    """What the answers of each configuration will take; `measured` is by a configuration's identity.

    `models`, by name, know prices and limits; without them no cost is told and all share one limit.
    """
    rows = []
    for configuration, count in answers:
        known = measured.get(configuration.identity)
        typical = known or ASSUMED[configuration.harness, configuration.effort]
        usage = Usage(input=round(typical.input_tokens * count), output=round(typical.output_tokens * count))
        model = model_of(configuration, models) if models is not None else None
        rows.append(
            ConfigurationForecast(
                configuration=configuration,
                answers=count,
                calls=round(typical.calls * count),
                usage=usage,
                seconds=typical.seconds * count,
                is_measured=known is not None,
                cost=_cost(model, configuration, usage, typical.calls * count) if model else None,
                service=model.service if model else "",
                at_once=model.at_once if model else 0,
            )
        )
    return Forecast(tuple(rows), at_once)


def _cost(model: EvaluatedModel, configuration: Configuration, usage: Usage, calls: float) -> float | None:
    """Native searches are paid for one by one; how many there will be is taken from the calls."""
    return model.cost_of(usage, round(calls) if configuration.harness is Harness.NATIVE else 0)
