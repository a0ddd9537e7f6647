"""The accuracy table: direct and indirect accuracy and their drop, for each configuration and category.

Accuracy is over the answers that the judge scored; no final answer, refusals, failures and replies of the judge that
could not be read are counted beside it, never as right or wrong. Direct and indirect are compared on the same events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.estimate import Interval
from btc_gui.domain.event import EventId
from btc_gui.domain.paired import PairedCounts, holm, mcnemar_mid_p, newcombe_interval
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.proportions import wilson
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow, ResultAnswer


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

    @classmethod
    def of(cls, answers: Iterable[ResultAnswer]) -> AccuracyCell:
        """Count answers."""
        return cls(**Counter(answer.outcome for answer in answers))

    @property
    def scored(self) -> int:
        """Answers with a label: the denominator of the accuracy."""
        return self.correct + self.incorrect

    @property
    def accuracy(self) -> float | None:
        """The share of correct answers among the scored ones; None when there is none."""
        return self.correct / self.scored if self.scored else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval of the accuracy."""
        return wilson(self.correct, self.scored)

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
    """One configuration in one category.

    `pairs` are the events of which a direct and an indirect answer are scored (direct first). `p` is McNemar's mid-p,
    `adjusted` the same after Holm over the family of all rows of the table; both None without pairs.
    """

    head: ConfigurationRow
    direct: AccuracyCell
    indirect: AccuracyCell
    pairs: PairedCounts
    p: float | None = None
    adjusted: float | None = None

    @property
    def category(self) -> str:
        """The category."""
        return self.head.category

    @property
    def configuration(self) -> Configuration:
        """The configuration."""
        return self.head.configuration

    @property
    def configuration_id(self) -> ConfigurationId:
        """Its number in the project."""
        return self.head.configuration_id

    @property
    def title(self) -> str:
        """`Model · low · shared`, with more where several are alike in that."""
        return self.head.title

    @property
    def drop(self) -> float | None:
        """Direct less indirect accuracy, as a share (0.31 = 31 points; it can be negative); None if one is missing."""
        if self.direct.accuracy is None or self.indirect.accuracy is None:
            return None
        return self.direct.accuracy - self.indirect.accuracy

    @property
    def paired_drop(self) -> float | None:
        """The drop over the events that are scored in both: what the interval and the test are about."""
        return self.pairs.difference

    @property
    def paired_interval(self) -> Interval | None:
        """Newcombe's method 10 interval (95 %) of the paired drop."""
        return newcombe_interval(self.pairs)


def accuracy_rows(
    groups: Sequence[ConfigurationGroup], unpaired: Collection[tuple[str, ConfigurationId]] = ()
) -> list[AccuracyRow]:
    """The rows of the accuracy table, in the order of the groups.

    Of the categories and configurations `unpaired` nothing is told about pairs.
    """
    rows = []
    for group in groups:
        direct, indirect = group.of_kind(ProbeKind.DIRECT), group.of_kind(ProbeKind.INDIRECT)
        pairs = PairedCounts(0, 0, 0, 0)
        if (group.head.category, group.head.configuration_id) not in unpaired:
            pairs = paired(group.events(ProbeKind.DIRECT), group.events(ProbeKind.INDIRECT))
        rows.append(
            AccuracyRow(
                group.head,
                AccuracyCell.of(direct),
                AccuracyCell.of(indirect),
                pairs,
                mcnemar_mid_p(pairs) if pairs.n else None,
            )
        )
    tested = [row.p for row in rows if row.p is not None]
    adjusted = iter(holm(tested))
    return [row if row.p is None else replace(row, adjusted=next(adjusted)) for row in rows]


def paired(one: Mapping[EventId, bool], other: Mapping[EventId, bool]) -> PairedCounts:
    """The events that are scored in both, by which of the two was right (`ConfigurationGroup.events`)."""
    counts = Counter((one[event], other[event]) for event in one.keys() & other.keys())
    return PairedCounts(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


@dataclass(frozen=True, slots=True)
class RepeatRow:
    """Probes that one configuration answered more than once, which the other tables count once.

    Of `probes` with two scored answers or more, `same` got the same label each time; `answers` counts all of theirs.
    """

    head: ConfigurationRow
    kind: ProbeKind
    probes: int
    answers: int
    same: int

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval of the share that got the same label each time."""
        return wilson(self.same, self.probes)


def repeat_rows(groups: Sequence[ConfigurationGroup], repeats: Iterable[ResultAnswer]) -> list[RepeatRow]:
    """The table of repetitions: only configurations and kinds with a probe that was scored twice."""
    further: dict[tuple[ConfigurationId, str], list[ResultAnswer]] = {}
    for answer in repeats:
        if answer.is_scored:
            further.setdefault((answer.configuration, answer.probe), []).append(answer)
    rows = []
    for group in groups:
        for kind in (ProbeKind.DIRECT, ProbeKind.INDIRECT):
            labels = [
                [answer.label, *(each.label for each in further[answer.configuration, answer.probe])]
                for answer in group.of_kind(kind)
                if answer.is_scored and (answer.configuration, answer.probe) in further
            ]
            if labels:
                same = sum(len(set(each)) == 1 for each in labels)
                rows.append(RepeatRow(group.head, kind, len(labels), sum(map(len, labels)), same))
    return rows
