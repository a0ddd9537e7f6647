"""Accuracy by the number of queries: descriptive, since the model chose that number after seeing the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from btc_gui.domain.accuracy_table import AccuracyCell
from btc_gui.domain.estimate import Interval
from btc_gui.domain.paired import holm
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.proportions import wilson
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow, ResultAnswer
from btc_gui.domain.trend import Trend, cochran_armitage

#: A group of fewer probes is listed, but not drawn.
SMALLEST_DRAWN = 9


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `n`, with Wilson's 95 % interval; without a value when n = 0."""

    count: int
    n: int

    @property
    def value(self) -> float | None:
        """The share."""
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's interval."""
        return wilson(self.count, self.n)


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """The scored indirect answers with this many queries: how many are right, and their share of all scored ones."""

    queries: int
    accuracy: Share
    share: Share

    @property
    def is_drawn(self) -> bool:
        """Whether the group is large enough for a figure."""
        return self.accuracy.n >= SMALLEST_DRAWN


@dataclass(frozen=True, slots=True)
class QueryRow:
    """One configuration in one category: the groups by rising number of queries, and all of them together.

    `indirect` are all of its indirect answers, the unscored ones too. Scored ones whose number is not known are in no
    group.

    `trend` is the Cochran–Armitage test over all groups with the number of queries as score; None where accuracy or
    number never varies. `adjusted` is its p after Holm over all rows of the table.
    """

    head: ConfigurationRow
    indirect: AccuracyCell
    groups: tuple[QueryGroup, ...]
    overall: Share
    trend: Trend | None
    adjusted: float | None = None


def query_rows(groups: Sequence[ConfigurationGroup]) -> list[QueryRow]:
    """Indirect accuracy by number of queries, in the order of the groups; those without a scored answer left out."""
    rows = []
    for group in groups:
        scored = group.scored(ProbeKind.INDIRECT)
        if not scored:
            continue
        by_number: dict[int, list[ResultAnswer]] = {}
        for answer in scored:
            if answer.queries is None:
                continue
            by_number.setdefault(answer.queries, []).append(answer)
        numbers = sorted(by_number)
        parts = [share_correct(by_number[number]) for number in numbers]
        right = [part.count for part in parts]
        trend = cochran_armitage(right, [part.n - part.count for part in parts], numbers)
        rows.append(
            QueryRow(
                group.head,
                AccuracyCell.of(group.of_kind(ProbeKind.INDIRECT)),
                tuple(
                    QueryGroup(number, part, Share(part.n, len(scored)))
                    for number, part in zip(numbers, parts, strict=True)
                ),
                share_correct(scored),
                trend,
            )
        )
    adjusted = iter(holm([row.trend.p for row in rows if row.trend is not None]))
    return [row if row.trend is None else replace(row, adjusted=next(adjusted)) for row in rows]


def share_correct(scored: Iterable[ResultAnswer]) -> Share:
    """How many of these scored answers are right."""
    labels = [answer.is_correct for answer in scored]
    return Share(sum(labels), len(labels))
