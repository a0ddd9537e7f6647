"""Why indirect answers failed: the failure modes of each configuration in the shared harness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.accuracy_table import AccuracyCell
from btc_gui.domain.composition import goodman_intervals
from btc_gui.domain.configuration import Harness
from btc_gui.domain.estimate import Interval
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow
from btc_gui.domain.verdict import Label


@dataclass(frozen=True, slots=True)
class CompositionRow:
    """The failures of one configuration in one category, by mode. `unclassified` has no mode yet or unread reply.

    `indirect` are all of its indirect answers.
    """

    head: ConfigurationRow
    indirect: AccuracyCell
    modes: dict[FailureMode, int]
    unclassified: int

    @property
    def category(self) -> str:
        """The category."""
        return self.head.category

    @property
    def title(self) -> str:
        """`Model · low · shared`, with more where several are alike in that."""
        return self.head.title

    @property
    def classified(self) -> int:
        """Failures with a mode: the denominator of the shares."""
        return sum(self.modes.values())

    @property
    def total(self) -> int:
        """All indirect answers judged incorrect."""
        return self.classified + self.unclassified

    @property
    def merged(self) -> dict[str, int]:
        """The modes with indirect and no or unrelated search taken together, as conclusions about tenures need."""
        return {
            FailureMode.REASONING.value: self.modes[FailureMode.REASONING],
            FailureMode.EXPLICIT.value: self.modes[FailureMode.EXPLICIT],
            MERGED: self.modes[FailureMode.INDIRECT] + self.modes[FailureMode.NONE],
        }

    def intervals(self, *, merged: bool = False) -> dict[str, Interval]:
        """Goodman's simultaneous 95 % intervals of the shares of the classified failures; empty without any."""
        counts = self.merged if merged else {mode.value: count for mode, count in self.modes.items()}
        return dict(zip(counts, goodman_intervals(list(counts.values())) or (), strict=False))


#: Indirect and no or unrelated search, taken together.
MERGED = "indirect_or_none"


def composition_rows(groups: Sequence[ConfigurationGroup]) -> list[CompositionRow]:
    """The failure modes of each configuration's indirect failures in the shared harness, in the groups' order."""
    rows = []
    for group in groups:
        if group.head.configuration.harness is not Harness.SHARED:
            continue  # Modes are defined by queries and results, which only the shared harness records alike.
        answers = group.of_kind(ProbeKind.INDIRECT)
        failures = [each for each in answers if each.outcome == Label.INCORRECT]
        if failures:
            counts, cell = Counter(answer.mode for answer in failures), AccuracyCell.of(answers)
            rows.append(CompositionRow(group.head, cell, {mode: counts[mode] for mode in FailureMode}, counts[None]))
    return rows
