"""From rows of tables to what figures draw of them, and to the answers behind each point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from btc_gui.domain.accuracy_table import AccuracyCell
from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.event import EventId
from btc_gui.domain.figures.figure import Point, Series, counts_of, ids_of
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.query_table import Share
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow, ResultAnswer
from btc_gui.domain.results import Results
from btc_gui.domain.trajectory import AnswerId

#: What the events of a category are called, in the plural.
Names = Mapping[str, str]


def names_within(plurals: Mapping[str, str]) -> Names:
    """What categories are called within a sentence: their plurals, which begin with a capital elsewhere."""
    return {name: f"{words[:1].lower()}{words[1:]}" for name, words in plurals.items()}


class _OfConfiguration(Protocol):
    @property
    def head(self) -> ConfigurationRow:
        """The category and the configuration."""


_Row = TypeVar("_Row", bound=_OfConfiguration)


def groups_by_key(results: Results) -> dict[tuple[str, ConfigurationId], ConfigurationGroup]:
    """The counted answers by category and configuration."""
    return {(group.head.category, group.head.configuration_id): group for group in results.shown}


def by_category(rows: Iterable[_Row]) -> list[tuple[str, list[_Row]]]:
    """Rows by category, in the order in which these come."""
    found: dict[str, list[_Row]] = {}
    for row in rows:
        found.setdefault(row.head.category, []).append(row)
    return list(found.items())


def without_score(cell: AccuracyCell) -> int:
    """Answers that were asked for and have no label: none given, refused, failed, unscored or not judged yet."""
    return cell.unanswered + cell.failed + cell.unscored + cell.unjudged


def scored(answers: Iterable[ResultAnswer]) -> list[ResultAnswer]:
    """Those with a label."""
    return [answer for answer in answers if answer.is_scored]


def kind_answers(results: Results, category: str, kind: ProbeKind) -> list[ResultAnswer]:
    """The answers of all configurations to one kind of probe of a category."""
    return [each for group in results.pooled if group.head.category == category for each in group.of_kind(kind)]


def cell_point(
    series: Series, cell: AccuracyCell, answers: Sequence[ResultAnswer], *, with_interval: bool = True
) -> Point | None:
    """The accuracy of a cell; None without a scored answer. Answers of many configurations are no sample of one."""
    if cell.accuracy is None:
        return None
    apart = [
        f"{count:,} {name}"
        for count, name in (
            (cell.no_answer, "without an answer"),
            (cell.refused, "refused"),
            (cell.failed, "failed"),
            (cell.unscored, "unscored"),
            (cell.unjudged, "not judged"),
        )
        if count
    ]
    counts = "; ".join([f"{cell.correct:,} of {cell.scored:,} correct", *([", ".join(apart)] if apart else [])])
    interval = cell.interval if with_interval else None
    return Point(series, cell.accuracy, interval, counts, ids_of(scored(answers)))


def share_point(series: Series, share: Share, answers: Iterable[ResultAnswer]) -> Point | None:
    """A share with its interval; None of nothing."""
    if share.value is None:
        return None
    return Point(series, share.value, share.interval, counts_of(share), ids_of(answers))


def paired_ids(first: Iterable[ResultAnswer], second: Iterable[ResultAnswer]) -> tuple[AnswerId, ...]:
    """The answers of which pairs are made: of each event that is scored in both, the one that counts of each side."""
    one, other = _chosen(first), _chosen(second)
    return ids_of(side[event] for event in sorted(one.keys() & other.keys()) for side in (one, other))


def _chosen(answers: Iterable[ResultAnswer]) -> dict[EventId, ResultAnswer]:
    found: dict[EventId, ResultAnswer] = {}
    for answer in sorted(scored(answers), key=lambda answer: answer.probe):
        found.setdefault(answer.event, answer)
    return found
