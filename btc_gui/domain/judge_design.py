"""What a sample drawn by the judge's own label says about the whole benchmark.

The judge's tables are stratified on its label, so they measure PPV and NPV directly. Accuracy, agreement, sensitivity,
specificity and kappa *in the benchmark* need each stratum's share of the frame, which is known, not estimated.
Intervals: Clopper–Pearson in each stratum, combined by MOVER; Wald, bootstrap and unweighted ones lose their level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from btc_gui.domain.estimate import CONFIDENCE, Estimate
from btc_gui.domain.proportions import Limits, clopper_pearson, mover
from btc_gui.errors import InputError

Shares = Sequence[float]


@dataclass(frozen=True, slots=True)
class JudgeStratum:
    """One stratum: its judge's label, its share of the frame, and how many of its `n` labels say correct.

    `frame_size` (items in the frame) is needed only for the finite population correction.
    """

    name: str
    accepted: bool
    frame_share: float
    n: int
    human_correct: int
    frame_size: int | None = None


@dataclass(frozen=True, slots=True)
class JudgeEstimates:
    """The judge in the benchmark. `pi1`: the share of the frame that it accepts; `theta`: the corrected accuracy.

    Standard errors are of the linear approximation; they are too small with few errors, so the intervals are MOVER's.
    """

    pi1: float
    ppv: Estimate
    npv: Estimate
    theta: Estimate
    agreement: Estimate
    sensitivity: Estimate
    specificity: Estimate
    kappa: Estimate
    theta_se: float | None
    kappa_se: float | None


class JudgeDesign:
    """The strata of one study of a judge. Raises InputError when their shares don't add up to one."""

    def __init__(self, strata: Sequence[JudgeStratum]) -> None:
        if abs(sum(stratum.frame_share for stratum in strata) - 1) > 1e-6:
            raise InputError("The frame shares of the strata must add up to 1.")
        if any(not 0 <= stratum.human_correct <= stratum.n for stratum in strata):
            raise InputError("A stratum can't have more correct labels than labels.")
        self.strata = tuple(strata)
        self.pi1 = sum(stratum.frame_share for stratum in strata if stratum.accepted)

    def ppv(self, correct: Shares) -> float | None:
        """The share of accepted items of the frame that are correct; None when it has none."""
        kept = sum(s.frame_share * c for s, c in self._pairs(correct) if s.accepted)
        return kept / self.pi1 if self.pi1 > 0 else None

    def npv(self, correct: Shares) -> float | None:
        """The share of rejected items of the frame that are incorrect; None when it has none."""
        rejected = sum(s.frame_share for s in self.strata if not s.accepted)
        wrong = sum(s.frame_share * (1 - c) for s, c in self._pairs(correct) if not s.accepted)
        return wrong / rejected if rejected > 0 else None

    def theta(self, correct: Shares) -> float:
        """The accuracy corrected for the judge's errors: pi1·PPV + (1 − pi1)(1 − NPV)."""
        return sum(s.frame_share * c for s, c in self._pairs(correct))

    def agreement(self, correct: Shares) -> float:
        """The share of the frame where judge and human agree."""
        return sum(s.frame_share * (c if s.accepted else 1 - c) for s, c in self._pairs(correct))

    def sensitivity(self, correct: Shares) -> float | None:
        """The share of truly correct items that the judge accepts; None when nothing is correct."""
        theta = self.theta(correct)
        accepted = sum(s.frame_share * c for s, c in self._pairs(correct) if s.accepted)
        return accepted / theta if theta > 0 else None

    def specificity(self, correct: Shares) -> float | None:
        """The share of truly incorrect items that the judge rejects; None when nothing is incorrect."""
        wrong = sum(s.frame_share * (1 - c) for s, c in self._pairs(correct))
        rejected = sum(s.frame_share * (1 - c) for s, c in self._pairs(correct) if not s.accepted)
        return rejected / wrong if wrong > 0 else None

    def kappa(self, correct: Shares) -> float | None:
        """Cohen's kappa in the frame; None when chance explains all."""
        expected = self._expected(self.theta(correct))
        return (self.agreement(correct) - expected) / (1 - expected) if 1 - expected > 1e-12 else None

    def estimates(self, confidence: float = CONFIDENCE, limits: Limits = clopper_pearson) -> JudgeEstimates:
        """All estimates with MOVER intervals (not cut to [0, 1]); undefined when a stratum has no labels."""
        empty = [stratum.name for stratum in self.strata if not stratum.n]
        if empty:
            none = Estimate(None, reason=f"undefined: no labels in the stratum {', '.join(empty)}")
            return JudgeEstimates(self.pi1, none, none, none, none, none, none, none, None, None)
        correct = [stratum.human_correct / stratum.n for stratum in self.strata]
        pairs = [limits(stratum.human_correct, stratum.n, confidence) for stratum in self.strata]
        known = [pair for pair in pairs if pair is not None]

        def estimate(function: Callable[[Shares], float | None], reason: str) -> Estimate:
            value = function(correct)
            if value is None:
                return Estimate(None, reason=f"undefined: {reason}")
            interval = mover(function, correct, known)
            missing = "" if interval else f"no interval: at its limits, {reason}"
            return Estimate(value, interval, "MOVER, Clopper–Pearson in each stratum", missing)

        return JudgeEstimates(
            pi1=self.pi1,
            ppv=estimate(self.ppv, "the judge accepts nothing"),
            npv=estimate(self.npv, "the judge rejects nothing"),
            theta=estimate(self.theta, ""),
            agreement=estimate(self.agreement, ""),
            sensitivity=estimate(self.sensitivity, "nothing is correct"),
            specificity=estimate(self.specificity, "nothing is incorrect"),
            kappa=estimate(self.kappa, "only one class is left"),
            theta_se=self.theta_se(),
            kappa_se=self.kappa_se(),
        )

    def theta_se(self, *, finite_frame: bool = False, superpopulation: int | None = None) -> float | None:
        """The standard error of theta; None without labels in a stratum.

        `finite_frame`: the frame itself is the target, so a stratum taken whole has no error (needs frame sizes).
        `superpopulation`: the frame is a sample of that many items, which adds the error of pi1.
        """
        variances = self._variances(finite_frame)
        if variances is None:
            return None
        total = sum(s.frame_share**2 * v for s, v in zip(self.strata, variances, strict=True))
        if superpopulation:
            correct = [stratum.human_correct / stratum.n for stratum in self.strata]
            mean = self.theta(correct)
            # For two strata this is p(1 − p)(PPV + NPV − 1)²/N.
            total += sum(s.frame_share * (c - mean) ** 2 for s, c in self._pairs(correct)) / superpopulation
        return sqrt(total)

    def kappa_se(self) -> float | None:
        """The linearised standard error of the population kappa; too small when a stratum has about one error."""
        variances = self._variances(finite_frame=False)
        if variances is None:
            return None
        correct = [stratum.human_correct / stratum.n for stratum in self.strata]
        theta = self.theta(correct)
        chance = 1 - self._expected(theta)
        if chance <= 1e-12:
            return None
        slope = (self.agreement(correct) - 1) / chance**2 * (2 * self.pi1 - 1)
        total = 0.0
        for stratum, variance in zip(self.strata, variances, strict=True):
            sign = 1 if stratum.accepted else -1
            total += (stratum.frame_share * (sign / chance + slope)) ** 2 * variance
        return sqrt(total)

    def _expected(self, theta: float) -> float:
        return self.pi1 * theta + (1 - self.pi1) * (1 - theta)

    def _pairs(self, correct: Shares) -> list[tuple[JudgeStratum, float]]:
        return list(zip(self.strata, correct, strict=True))

    def _variances(self, finite_frame: bool) -> list[float] | None:
        """The binomial variance of each stratum's share; None when one has no labels."""
        variances = []
        for stratum in self.strata:
            if not stratum.n:
                return None
            share = stratum.human_correct / stratum.n
            left = 1 - stratum.n / stratum.frame_size if finite_frame and stratum.frame_size else 1.0
            variances.append(share * (1 - share) / stratum.n * left)
        return variances


def two_strata(accepted: tuple[int, int], rejected: tuple[int, int], pi1: float) -> JudgeDesign:
    """The plain design: (human correct, human incorrect) among accepted and among rejected items."""
    return JudgeDesign(
        [
            JudgeStratum("accepted", True, pi1, sum(accepted), accepted[0]),
            JudgeStratum("rejected", False, 1 - pi1, sum(rejected), rejected[0]),
        ]
    )


def corrected_gap(
    direct: JudgeDesign, indirect: JudgeDesign, confidence: float = CONFIDENCE, limits: Limits = clopper_pearson
) -> Estimate:
    """Direct less indirect accuracy, each corrected for its judge's errors, with a MOVER interval over all strata.

    The interval covers the error of the validation samples only; add the sampling of events with `combine`.
    """
    strata = [*direct.strata, *indirect.strata]
    pairs = [limits(stratum.human_correct, stratum.n, confidence) for stratum in strata]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(strata):
        return Estimate(None, reason="undefined: a stratum has no labels")
    split = len(direct.strata)

    def gap(correct: Shares) -> float:
        return direct.theta(correct[:split]) - indirect.theta(correct[split:])

    correct = [stratum.human_correct / stratum.n for stratum in strata]
    return Estimate(gap(correct), mover(gap, correct, known), "MOVER, Clopper–Pearson in each stratum")


def configuration_bound(ppv: float, npv: float, accepted_share: float) -> float:
    """How far one configuration's accuracy can be from the share that the judge accepts, if PPV and NPV hold for it.

    A plain bound: pooled PPV and NPV do not transfer to a configuration with another accuracy.
    """
    return max((1 - ppv) * accepted_share, (1 - npv) * (1 - accepted_share))


@dataclass(frozen=True, slots=True)
class SampledCell:
    """`agreed` of the `n` items drawn from a cell of `frame_size` items."""

    frame_size: int
    n: int
    agreed: int


def pooled_share(cells: Sequence[SampledCell]) -> float | None:
    """The share in the frame: each cell weighted by its size. None when a cell with items gave no label."""
    size = sum(cell.frame_size for cell in cells)
    if not size or any(cell.frame_size and not cell.n for cell in cells):
        return None
    return sum(cell.frame_size * cell.agreed / cell.n for cell in cells if cell.frame_size) / size


def average_share(cells: Sequence[SampledCell]) -> float | None:
    """The mean of the cells' shares: a configuration-averaged quantity, not the pooled one. None without labels."""
    if not cells or any(not cell.n for cell in cells):
        return None
    return sum(cell.agreed / cell.n for cell in cells) / len(cells)
