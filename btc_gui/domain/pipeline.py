"""The pipeline of the benchmark: its stages in order, and what each will take."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from btc_gui.domain.trajectory import Usage


class Stage(StrEnum):
    """One stage. Each begins where the one before has ended, and does only what is left to do."""

    FILTER = "filter"
    JUDGE_FILTER = "judge filter"
    PAIR = "pair"
    SAMPLE = "sample"
    EVALUATE = "evaluate"
    JUDGE = "judge"
    CLASSIFY = "classify"

    @property
    def text(self) -> str:
        """The stage as a person reads it."""
        return _TEXT[self]


_TEXT = {
    Stage.FILTER: "Answer without search",
    Stage.JUDGE_FILTER: "Judge the answers without search",
    Stage.PAIR: "Pair with direct probes",
    Stage.SAMPLE: "Draw the sample",
    Stage.EVALUATE: "Evaluate",
    Stage.JUDGE: "Judge the answers",
    Stage.CLASSIFY: "Classify the failures",
}


@dataclass(frozen=True, slots=True)
class StageForecast:
    """What a stage will take from now on.

    `items` are answers to get, judge or classify, events to pair, probes to draw. `is_bound` says that the figures
    are the most it can come to, because they rest on stages before it. `cost` is in US dollars (None: a price is
    not known, or nothing is paid), `seconds` the time on the clock.
    """

    stage: Stage
    items: int
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
    is_bound: bool = False
    basis: str = ""

    def as_json(self) -> dict[str, object]:
        """The forecast for a machine."""
        return {
            "stage": self.stage,
            "items": self.items,
            "at_most": self.is_bound,
            "calls": self.calls,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "cost": None if self.cost is None else round(self.cost, 4),
            "seconds": round(self.seconds, 1),
            "basis": self.basis,
        }


@dataclass(frozen=True, slots=True)
class PipelineForecast:
    """What the whole pipeline will take from now on."""

    stages: tuple[StageForecast, ...]

    @property
    def calls(self) -> int:
        """All calls to models."""
        return sum(each.calls for each in self.stages)

    @property
    def usage(self) -> Usage:
        """All tokens."""
        return sum((each.usage for each in self.stages), Usage())

    @property
    def cost(self) -> float | None:
        """All that is known to be paid, in US dollars; None when no price is known."""
        known = [each.cost for each in self.stages if each.cost is not None]
        return sum(known) if known else None

    @property
    def seconds(self) -> float:
        """The time on the clock, one stage after the other."""
        return sum(each.seconds for each in self.stages)

    def of(self, stage: Stage) -> StageForecast:
        """The forecast of one stage."""
        return next(each for each in self.stages if each.stage is stage)

    def as_json(self) -> dict[str, object]:
        """The forecast for a machine."""
        return {
            "stages": [each.as_json() for each in self.stages],
            "calls": self.calls,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "cost": None if self.cost is None else round(self.cost, 4),
            "seconds": round(self.seconds, 1),
        }
