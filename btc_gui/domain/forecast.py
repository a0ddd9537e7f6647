"""What a run will take, before it is started: from what such answers took so far, else from stated assumptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.configuration import Configuration, Effort, Harness
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
    """What the answers of one configuration will take; `seconds` is their sum, not the time on the clock."""

    configuration: Configuration
    answers: int
    calls: int
    usage: Usage
    seconds: float
    is_measured: bool

    @property
    def basis(self) -> str:
        """What the figures rest on."""
        return "measured in this project" if self.is_measured else "assumed"


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run will take. `seconds` is the time on the clock with `at_once` samples in parallel."""

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
        """The time on the clock."""
        return sum(row.seconds for row in self.rows) / max(1, self.at_once)


def forecast_of(
    answers: Sequence[tuple[Configuration, int]], measured: Mapping[str, Typical], at_once: int
) -> Forecast:
    """What the answers of each configuration will take; `measured` is by a configuration's identity."""
    rows = []
    for configuration, count in answers:
        known = measured.get(configuration.identity)
        typical = known or ASSUMED[configuration.harness, configuration.effort]
        rows.append(
            ConfigurationForecast(
                configuration=configuration,
                answers=count,
                calls=round(typical.calls * count),
                usage=Usage(input=round(typical.input_tokens * count), output=round(typical.output_tokens * count)),
                seconds=typical.seconds * count,
                is_measured=known is not None,
            )
        )
    return Forecast(tuple(rows), at_once)
