"""What a design would show before anybody labels: the intervals it would give if the errors were as assumed.

Assumed errors come from the design, never from labels: live ones would unblind. The shares of the strata are those of
the frame, which are known. Also: sizes that fit a frame, and the usual amounts of repeats and practice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from btc_gui.domain.estimate import Estimate, clip
from btc_gui.domain.judge_design import JudgeDesign, JudgeStratum
from btc_gui.domain.proportions import clopper_pearson, mover, wilson
from btc_gui.domain.sample_size import n_for_lower_limit
from btc_gui.domain.sampling import allocate
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import StudyDesign
from btc_gui.domain.verdict import Label

#: Without other words one label in so many is assumed to differ from the machine's, rounded up in each stratum.
USUAL_ERROR_IN = 100

#: A packet has about a tenth of its items twice, and no fewer than this: fewer say little.
LEAST_REPEATS = 20

#: How many practice items come first, where there are so many.
USUAL_PRACTICE = 10

#: Lower limits for which the number of labels is told.
TARGETS = (0.95, 0.97, 0.98, 0.99)

_EXACT = "Clopper–Pearson"
_COMBINED = "MOVER, Clopper–Pearson in each stratum"


@dataclass(frozen=True, slots=True)
class PlannedStratum:
    """One stratum: how many labels it would give, how many of them are assumed to differ from the machine's, the share
    that would agree with its interval, and how many labels each lower limit of `TARGETS` would take."""

    name: str
    labels: int
    errors: int
    agreement: Estimate
    needed: Mapping[float, int]


@dataclass(frozen=True, slots=True)
class PlannedFigure:
    """One figure of the report as it would be. `scope` says of what it is."""

    name: str
    scope: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Plan:
    """What a design would show if the assumed errors were the real ones.

    `repeats` is the share of repeats with the same label if all have it.
    """

    strata: tuple[PlannedStratum, ...]
    figures: tuple[PlannedFigure, ...]
    repeats: Estimate


def usual_errors(labels: int) -> int:
    """The errors assumed for so many labels when the design names none."""
    return ceil(labels / USUAL_ERROR_IN)


def usual_repeats(labels: int) -> int:
    """A tenth, at least `LEAST_REPEATS`, never more than a quarter of a small sample."""
    return min(max(LEAST_REPEATS, round(labels / 10)), labels // 4)


def fitted(strata: Sequence[Stratum], available: Mapping[str, int], seed: str) -> tuple[Stratum, ...]:
    """The strata with sizes that the frame has: a small one is taken whole, the others share what it leaves evenly."""
    total = sum(stratum.size for stratum in strata)
    counts = allocate(total, {s.name: available.get(s.name, 0) for s in strata}, f"{seed}:strata").counts
    return tuple(replace(stratum, size=counts[stratum.name]) for stratum in strata)


def plan(design: StudyDesign, frame: Mapping[str, int], drawn: Mapping[str, int]) -> Plan:
    """The intervals that `drawn` labels of each stratum of `frame` would give under the design's assumed errors."""
    strata = tuple(
        _stratum(stratum.name, drawn.get(stratum.name, 0), design.assumed_errors.get(stratum.name))
        for stratum in design.strata
    )
    again = min(sum(drawn.values()), design.repeats)
    repeats = Estimate(1.0, wilson(again, again), "Wilson") if again else Estimate(None, reason="no repeats")
    # A stratum of the frame that gives no label leaves the benchmark's figures undefined; an empty one is nothing.
    there = [pair for pair in zip(design.strata, strata, strict=True) if frame.get(pair[0].name)]
    size = sum(frame[stratum.name] for stratum, _ in there)
    if not any(planned.labels for planned in strata):
        return Plan(strata, (), repeats)
    sample = PlannedFigure("Agreement", "of the stratified sample", _sample_agreement(strata))
    figures = _judge_figures(there, frame, size) or [_agreement(there, frame, size)]
    return Plan(strata, (sample, *figures), repeats)


def _stratum(name: str, labels: int, assumed: int | None) -> PlannedStratum:
    errors = min(usual_errors(labels) if assumed is None else assumed, labels)
    needed = {target: n_for_lower_limit(target, errors) for target in TARGETS}
    return PlannedStratum(name, labels, errors, _share(labels - errors, labels), needed)


def _share(agreed: int, labels: int) -> Estimate:
    if not labels:
        return Estimate(None, reason="no labels")
    return Estimate(agreed / labels, clopper_pearson(agreed, labels), _EXACT)


def _sample_agreement(strata: Sequence[PlannedStratum]) -> Estimate:
    labels = sum(stratum.labels for stratum in strata)
    agreed = labels - sum(stratum.errors for stratum in strata)
    return Estimate(agreed / labels, wilson(agreed, labels), "Wilson")


_Pair = tuple[Stratum, PlannedStratum]


def _judge_figures(there: Sequence[_Pair], frame: Mapping[str, int], size: int) -> list[PlannedFigure]:
    """The figures of a judge in the benchmark; none unless every stratum has one of its two labels."""
    verdicts = {Label.CORRECT.value: True, Label.INCORRECT.value: False}
    if not all(stratum.where.get("label") in verdicts for stratum, _ in there):
        return []
    strata = []
    for stratum, planned in there:
        accepted = verdicts[stratum.where["label"]]
        correct = planned.labels - planned.errors if accepted else planned.errors
        share = frame.get(stratum.name, 0) / size
        strata.append(JudgeStratum(stratum.name, accepted, share, planned.labels, correct))
    found = JudgeDesign(strata).estimates()
    return [
        PlannedFigure("Agreement", "in the benchmark", _clipped(found.agreement)),
        PlannedFigure("Corrected accuracy", "in the benchmark", _clipped(found.theta)),
        PlannedFigure("PPV", "accepted answers that people accept", _clipped(found.ppv)),
        PlannedFigure("NPV", "rejected answers that people reject", _clipped(found.npv)),
        PlannedFigure("Sensitivity", "correct answers that the judge accepts", _clipped(found.sensitivity)),
        PlannedFigure("Specificity", "incorrect answers that the judge rejects", _clipped(found.specificity)),
        PlannedFigure("Kappa", "in the benchmark", _clipped(found.kappa, -1.0)),
    ]


def _agreement(there: Sequence[_Pair], frame: Mapping[str, int], size: int) -> PlannedFigure:
    empty = [stratum.name for stratum, planned in there if not planned.labels]
    if empty:
        reason = f"undefined: no labels in the stratum {', '.join(empty)}"
        return PlannedFigure("Agreement", "in the benchmark", Estimate(None, reason=reason))
    shares = [frame[stratum.name] / size for stratum, _ in there]
    agreed = [planned.agreement.value or 0.0 for _, planned in there]
    limits = [planned.agreement.interval for _, planned in there if planned.agreement.interval]
    weighted = _weighted(shares)
    estimate = Estimate(weighted(agreed), mover(weighted, agreed, limits), _COMBINED)
    return PlannedFigure("Agreement", "in the benchmark", _clipped(estimate))


def _weighted(shares: Sequence[float]) -> Callable[[Sequence[float]], float]:
    def weighted(values: Sequence[float]) -> float:
        return sum(share * value for share, value in zip(shares, values, strict=True))

    return weighted


def _clipped(estimate: Estimate, low: float = 0.0) -> Estimate:
    return replace(estimate, interval=clip(estimate.interval, low, 1.0)) if estimate.interval else estimate
