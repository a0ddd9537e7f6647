"""The accuracy table: direct and indirect accuracy and their drop, for each configuration and category.

Pure arithmetic over counts. Accuracy is over the answers that the judge scored; no final answer, refusals,
failures and replies of the judge that could not be read are counted beside it, never as right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from btc_gui.domain.configuration import Harness
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import Ending
from btc_gui.domain.verdict import Label


@dataclass(frozen=True, slots=True)
class AnswerTally:
    """How many final answers are alike in everything that the table needs.

    `is_judged` tells an unscored verdict (`label` None) from no verdict at all.
    """

    category: str
    kind: ProbeKind
    model: str
    effort: str
    harness: str
    ending: Ending
    label: Label | None
    is_judged: bool
    mode: FailureMode | None
    is_classified: bool
    count: int


@dataclass(frozen=True, slots=True)
class AccuracyCell:
    """The answers of one configuration to one kind of probe, by what became of them."""

    correct: int = 0
    incorrect: int = 0
    unscored: int = 0
    unjudged: int = 0
    no_answer: int = 0
    refused: int = 0
    failed: int = 0

    @property
    def scored(self) -> int:
        """Answers with a label: the denominator of the accuracy."""
        return self.correct + self.incorrect

    @property
    def accuracy(self) -> float | None:
        """The share of correct answers among the scored ones; None when there is none."""
        return self.correct / self.scored if self.scored else None

    @property
    def unanswered(self) -> int:
        """Attempts that ended without an answer to judge: no final answer or a refusal. Failures are not attempts."""
        return self.no_answer + self.refused

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The accuracy if every unanswered or unscored probe were wrong, and if every one were right."""
        open_count = self.unanswered + self.unscored
        total = self.scored + open_count
        return (self.correct / total, (self.correct + open_count) / total) if total else None


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """One configuration in one category."""

    category: str
    model: str
    effort: str
    harness: str
    direct: AccuracyCell
    indirect: AccuracyCell

    @property
    def drop(self) -> float | None:
        """Direct less indirect accuracy, as a share (0.31 = 31 points; it can be negative); None if one is missing."""
        if self.direct.accuracy is None or self.indirect.accuracy is None:
            return None
        return self.direct.accuracy - self.indirect.accuracy

    @property
    def title(self) -> str:
        """`Model · low · shared`."""
        return f"{self.model} · {self.effort} · {self.harness}"


@dataclass(frozen=True, slots=True)
class CompositionRow:
    """The failures of one configuration in one category, by mode. `unclassified` has no mode yet or unread reply."""

    category: str
    model: str
    effort: str
    harness: str
    modes: dict[FailureMode, int]
    unclassified: int

    @property
    def total(self) -> int:
        """All indirect answers judged incorrect."""
        return sum(self.modes.values()) + self.unclassified

    @property
    def title(self) -> str:
        """`Model · low · shared`."""
        return f"{self.model} · {self.effort} · {self.harness}"


@dataclass(frozen=True, slots=True)
class Pooling:
    """What the rows of the tables put together that a reader would hold apart.

    `titles` are rows with answers of several configurations (another as-of day, search, prompt or setting);
    `repeated` counts answers to a wording that the same configuration has answered in an earlier run too.
    """

    titles: tuple[str, ...] = ()
    repeated: int = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences for whoever reads the tables; none when nothing is put together."""
        found = []
        if self.titles:
            found.append(
                f"{', '.join(self.titles)}: answers of several configurations (as-of days, searches, prompts or "
                "settings) are counted together."
            )
        if self.repeated:
            found.append(
                f"{self.repeated:,} answers repeat a probe that the same configuration answered in an earlier run; "
                "all of them count, so the intervals are too narrow."
            )
        return tuple(found)


def _cell_field(tally: AnswerTally) -> str:
    if tally.ending is Ending.ANSWERED:
        if not tally.is_judged:
            return "unjudged"
        return str(tally.label) if tally.label else "unscored"
    return {
        Ending.NO_ANSWER: "no_answer",
        Ending.REFUSED: "refused",
        Ending.FAILED: "failed",
        Ending.CANCELLED: "failed",
    }[tally.ending]


def accuracy_rows(tallies: Iterable[AnswerTally]) -> list[AccuracyRow]:
    """The rows of the accuracy table, by category, then model, harness and effort (low before high)."""
    cells: dict[tuple[str, str, str, str], dict[ProbeKind, AccuracyCell]] = {}
    for tally in tallies:
        key = (tally.category, tally.model, tally.harness, tally.effort)
        by_kind = cells.setdefault(key, {ProbeKind.DIRECT: AccuracyCell(), ProbeKind.INDIRECT: AccuracyCell()})
        name = _cell_field(tally)
        cell = by_kind[tally.kind]
        by_kind[tally.kind] = replace(cell, **{name: getattr(cell, name) + tally.count})
    return [
        AccuracyRow(category, model, effort, harness, by_kind[ProbeKind.DIRECT], by_kind[ProbeKind.INDIRECT])
        for (category, model, harness, effort), by_kind in sorted(cells.items(), key=lambda entry: _order(entry[0]))
    ]


def composition_rows(tallies: Iterable[AnswerTally]) -> list[CompositionRow]:
    """The failure modes of each configuration's indirect failures in the shared harness, in the table's order."""
    found: dict[tuple[str, str, str, str], dict[FailureMode | None, int]] = {}
    for tally in tallies:
        if tally.kind is not ProbeKind.INDIRECT or tally.label is not Label.INCORRECT:
            continue
        if tally.harness != Harness.SHARED:
            continue  # Modes are defined by queries and results, which only the shared harness records alike.
        counts = found.setdefault((tally.category, tally.model, tally.harness, tally.effort), {})
        counts[tally.mode] = counts.get(tally.mode, 0) + tally.count
    return [
        CompositionRow(
            category,
            model,
            effort,
            harness,
            {mode: counts.get(mode, 0) for mode in FailureMode},
            counts.get(None, 0),
        )
        for (category, model, harness, effort), counts in sorted(found.items(), key=lambda entry: _order(entry[0]))
    ]


def _order(key: tuple[str, str, str, str]) -> tuple[str, str, str, int]:
    category, model, harness, effort = key
    return category, model.casefold(), harness, 0 if effort == "low" else 1
