"""Two releases, or two dates, of the same configurations: what got better and what got worse, event by event."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from btc_gui.domain.accuracy_table import AccuracyCell, paired
from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.configuration_titles import configuration_titles
from btc_gui.domain.dates import day_words
from btc_gui.domain.estimate import Interval
from btc_gui.domain.event import EventId
from btc_gui.domain.natural_order import natural_key
from btc_gui.domain.paired import PairedCounts, holm, mcnemar_mid_p, newcombe_interval
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import (
    ConfigurationGroup,
    ConfigurationRow,
    ResultAnswer,
    counted_answers,
    first_of_event,
    grouped,
)
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError


class SideKind(StrEnum):
    """What one side of a comparison is."""

    #: The probes of a release, whenever they were asked.
    RELEASE = "release"
    #: The runs in which agents were told this day.
    DATE = "date"
    #: The configurations whose search went back to this day.
    AS_OF = "as-of"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Side:
    """One side: `release:spring`, `date:2026-05-01`, `as-of:2026-05-01` or `run:3`."""

    kind: SideKind
    value: str
    title: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """How commands call it."""
        return f"{self.kind}:{self.value}"

    @property
    def words(self) -> str:
        """How the window calls it."""
        return self.title or f"{self.kind} {self.value}"


@dataclass(frozen=True, slots=True)
class Sides:
    """What answers can be chosen by: dates of runs, as-of days of configurations, wordings of releases.

    `runs` are names by number, `dates` the days that agents were told; both of the runs that have an answer.
    """

    runs: Mapping[int, str]
    dates: Mapping[int, str]
    configurations: Mapping[ConfigurationId, Configuration]
    releases: Mapping[str, frozenset[int]]

    def all(self) -> list[Side]:
        """Every side that has another one of its kind to stand against, releases first."""
        days = sorted({day for day in self.dates.values() if day})
        as_of = sorted({each.as_of for each in self.configurations.values() if each.as_of})
        kinds = (
            [Side(SideKind.RELEASE, name, f"Release {name}") for name in self.releases],
            [Side(SideKind.DATE, day, f"Asked on {_day(day)}") for day in days],
            [Side(SideKind.AS_OF, day, f"Search as of {_day(day)}") for day in as_of],
            [Side(SideKind.RUN, str(number), f"Run {number}: {name}") for number, name in self.runs.items()],
        )
        return [side for sides in kinds if len(sides) > 1 for side in sides]

    def named(self, name: str) -> Side:
        """The side of a name. Raises `InputError` when there is none."""
        for side in self.all():
            if side.name == name.strip():
                return side
        offered = ", ".join(side.name for side in self.all()[:12])
        remedy = f"Use one of: {offered}." if offered else "It takes two runs, dates, as-of days or releases."
        raise InputError(f"There is no “{name}” to compare.", remedy)

    def answers(self, side: Side, answers: Iterable[ResultAnswer]) -> list[ResultAnswer]:
        """The answers of a side."""
        if side.kind is SideKind.RELEASE:
            wordings = self.releases.get(side.value, frozenset())
            return [answer for answer in answers if answer.revision in wordings]
        if side.kind is SideKind.DATE:
            return [answer for answer in answers if self.dates.get(answer.run) == side.value]
        if side.kind is SideKind.RUN:
            return [answer for answer in answers if str(answer.run) == side.value]
        days = {number for number, each in self.configurations.items() if each.as_of == side.value}
        return [answer for answer in answers if answer.configuration in days]


def _day(iso: str) -> str:
    """A day as a person reads it; what is none stays as it is."""
    try:
        return day_words(date.fromisoformat(iso))
    except ValueError:
        return iso


@dataclass(frozen=True, slots=True)
class EventChange:
    """An event that only one side has right, with the two answers about it."""

    event: EventId
    before: ResultAnswer
    after: ResultAnswer

    @property
    def is_better(self) -> bool:
        """Whether the later one is right."""
        return self.after.is_correct


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One configuration, category and kind of probe on both sides.

    `pairs` are the events that are scored on both, the later side first, so that their difference is the change. `p`
    is McNemar's mid-p, `adjusted` after Holm over all rows. `changes` are the discordant events.
    """

    head: ConfigurationRow
    kind: ProbeKind
    before: AccuracyCell
    after: AccuracyCell
    pairs: PairedCounts
    changes: tuple[EventChange, ...]
    p: float | None = None
    adjusted: float | None = None

    @property
    def change(self) -> float | None:
        """The change of the accuracy over the events of both sides, as a share."""
        return self.pairs.difference

    @property
    def interval(self) -> Interval | None:
        """Newcombe's method 10 interval (95 %) of the change."""
        return newcombe_interval(self.pairs)

    @property
    def better(self) -> tuple[EventChange, ...]:
        """The events that only the later side has right."""
        return tuple(change for change in self.changes if change.is_better)

    @property
    def worse(self) -> tuple[EventChange, ...]:
        """The events that only the earlier side has right."""
        return tuple(change for change in self.changes if not change.is_better)


def change_rows(
    before: Iterable[ResultAnswer],
    after: Iterable[ResultAnswer],
    configurations: Mapping[ConfigurationId, Configuration],
    blinded: Collection[AnswerId] = (),
) -> list[ChangeRow]:
    """The comparison, one row for each configuration, category and kind of probe that both sides have scored.

    Rows with an answer of `blinded` on either side are withheld: pairs would tell its label.

    The as-of day aside, a configuration is the same when all is: another prompt or search makes it another one. On each
    side one answer counts for each configuration and probe, as in all tables.
    """
    one, other = (_by_identity(side, configurations) for side in (before, after))
    rows = []
    for key in one.keys() & other.keys():
        rows += _rows(one[key], other[key], frozenset(blinded))
    rows.sort(key=lambda row: (row.head.category, natural_key(row.head.title), row.kind))
    adjusted = iter(holm([row.p for row in rows if row.p is not None]))
    return [row if row.p is None else replace(row, adjusted=next(adjusted)) for row in rows]


def _by_identity(
    answers: Iterable[ResultAnswer], configurations: Mapping[ConfigurationId, Configuration]
) -> dict[tuple[str, str], ConfigurationGroup]:
    plain = {number: replace(each, as_of="") for number, each in configurations.items()}
    counted = counted_answers(answers).answers
    used = {answer.configuration for answer in counted}
    # Of configurations that differ in the as-of day only, all are one here: the first of them lends its number.
    first: dict[str, ConfigurationId] = {}
    same = {number: first.setdefault(plain[number].identity, number) for number in sorted(used)}
    merged: dict[tuple[ConfigurationId, str], ResultAnswer] = {}
    for answer in counted:
        merged.setdefault((same[answer.configuration], answer.probe), _under(answer, same))
    titles = configuration_titles({number: plain[number] for number in first.values()})
    groups = grouped(merged.values(), plain, titles)
    return {(group.head.category, group.head.configuration.identity): group for group in groups}


def _under(answer: ResultAnswer, same: Mapping[ConfigurationId, ConfigurationId]) -> ResultAnswer:
    """The answer under the number that its configuration has in the comparison."""
    number = same[answer.configuration]
    return answer if number == answer.configuration else replace(answer, configuration=number)


def _rows(one: ConfigurationGroup, other: ConfigurationGroup, blinded: frozenset[AnswerId]) -> list[ChangeRow]:
    rows = []
    for kind in (ProbeKind.DIRECT, ProbeKind.INDIRECT):
        before, after = one.of_kind(kind), other.of_kind(kind)
        if any(answer.id in blinded for answer in (*before, *after)):
            continue
        pairs = paired(other.events(kind), one.events(kind))
        if pairs.n:
            rows.append(
                ChangeRow(
                    other.head,
                    kind,
                    AccuracyCell.of(before),
                    AccuracyCell.of(after),
                    pairs,
                    _changes(before, after),
                    mcnemar_mid_p(pairs),
                )
            )
    return rows


def _changes(before: Sequence[ResultAnswer], after: Sequence[ResultAnswer]) -> tuple[EventChange, ...]:
    one, other = first_of_event(before), first_of_event(after)
    return tuple(
        EventChange(event, one[event], other[event])
        for event in sorted(one.keys() & other.keys())
        if one[event].is_correct != other[event].is_correct
    )
