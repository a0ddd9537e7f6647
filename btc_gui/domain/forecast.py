"""What a run will take, before it is started: from what such answers took so far, else from stated assumptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel, model_of
from btc_gui.domain.search_price import SearchPrice, cost_of_searches
from btc_gui.domain.trajectory import Usage


@dataclass(frozen=True, slots=True)
class Typical:
    """What one answer takes on average: calls to the model, tokens, seconds, searches."""

    calls: float
    input_tokens: float
    output_tokens: float
    seconds: float
    searches: float = 0.0


#: Our assumptions for a configuration without any history; round figures, to be replaced by measured ones.
ASSUMED: Mapping[tuple[Harness, Effort], Typical] = {
    (Harness.SHARED, Effort.LOW): Typical(calls=4, input_tokens=12_000, output_tokens=1_500, seconds=40, searches=3),
    (Harness.SHARED, Effort.HIGH): Typical(calls=9, input_tokens=60_000, output_tokens=6_000, seconds=180, searches=8),
    (Harness.NATIVE, Effort.LOW): Typical(calls=1, input_tokens=12_000, output_tokens=1_500, seconds=40, searches=3),
    (Harness.NATIVE, Effort.HIGH): Typical(calls=1, input_tokens=60_000, output_tokens=6_000, seconds=180, searches=8),
    (Harness.NONE, Effort.LOW): Typical(calls=1, input_tokens=400, output_tokens=800, seconds=20),
    (Harness.NONE, Effort.HIGH): Typical(calls=1, input_tokens=400, output_tokens=4_000, seconds=90),
}

#: What a recorded answer takes of the processor, in seconds, beside the latency of its turns: measured.
_REPLAY_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class ConfigurationForecast:
    """What the answers of one configuration will take; `seconds` is their sum, not the time on the clock.

    `cost` is in US dollars, None when no price is known; `unpriced` names what is paid for at a price that is not.
    At most `at_once` samples of `service` go in parallel (0: the run's limit).
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
    searches: int = 0
    unpriced: tuple[str, ...] = ()

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
    def searches(self) -> int:
        """All searches."""
        return sum(row.searches for row in self.rows)

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
        """The models and searches that are paid for at a price that is not known."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.unpriced))


def forecast_of(
    answers: Sequence[tuple[Configuration, int]],
    measured: Mapping[str, Typical],
    at_once: int,
    models: Mapping[str, EvaluatedModel],
    searches: Mapping[str, SearchPrice],
    latency: float = 0.0,
) -> Forecast:
    """What the answers of each configuration will take; `measured` is by a configuration's identity.

    `models`, by name, know prices and limits, `searches`, by service, what a search costs. `latency` is what a turn
    of a recorded agent takes.
    """
    rows = []
    for configuration, count in answers:
        model = model_of(configuration, models)
        known = measured.get(configuration.identity)
        typical = known or _assumed(configuration, model, latency)
        usage = Usage(input=round(typical.input_tokens * count), output=round(typical.output_tokens * count))
        cost, unpriced = _cost(model, configuration, usage, typical.searches * count, searches)
        rows.append(
            ConfigurationForecast(
                configuration=configuration,
                answers=count,
                calls=round(typical.calls * count),
                usage=usage,
                seconds=typical.seconds * count,
                is_measured=known is not None,
                cost=cost,
                service=model.service,
                at_once=model.at_once,
                searches=round(typical.searches * count),
                unpriced=unpriced,
            )
        )
    return Forecast(tuple(rows), at_once)


def _assumed(configuration: Configuration, model: EvaluatedModel, latency: float) -> Typical:
    typical = ASSUMED[configuration.harness, configuration.effort]
    if not model.is_scripted:
        return typical
    return replace(typical, seconds=typical.calls * latency + _REPLAY_SECONDS)


def _cost(
    model: EvaluatedModel,
    configuration: Configuration,
    usage: Usage,
    searches: float,
    prices: Mapping[str, SearchPrice],
) -> tuple[float | None, tuple[str, ...]]:
    """What is known of the cost, and the names of what is paid for at a price that is not known.

    Native searches are part of the model's price.
    """
    of_model = model.cost_of(usage, round(searches) if configuration.harness is Harness.NATIVE else 0)
    of_searches = cost_of_searches(configuration, searches, prices)
    unpriced = [configuration.model] if of_model is None and not model.is_scripted else []
    unpriced += [f"searches with {configuration.search}"] if of_searches is None else []
    known = [each for each in (of_model, of_searches or None) if each is not None]
    return (sum(known) if known else None), tuple(unpriced)
