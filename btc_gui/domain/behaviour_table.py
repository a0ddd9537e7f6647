"""How configurations search and what that goes with, and how they differ from each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from btc_gui.domain.accuracy_table import AccuracyCell, paired
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.estimate import Interval, combine
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.paired import PairedCounts, holm, mcnemar_mid_p, newcombe_interval
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.query_table import Share, share_correct
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow


@dataclass(frozen=True, slots=True)
class BehaviourRow:
    """One configuration in one category, over its scored indirect answers (`indirect`: all of them).

    `no_query` is the share without any query; `after_one` and `after_two` are the accuracy of those with at least one
    and at least two. These are over the answers whose number of queries is known; of `unknown` ones it is not, since a
    provider did not reveal its own search, or an agent of others told no steps.
    """

    head: ConfigurationRow
    indirect: AccuracyCell
    unknown: int
    no_query: Share
    median_queries: float | None
    after_one: Share
    after_two: Share


def behaviour_rows(groups: Sequence[ConfigurationGroup]) -> list[BehaviourRow]:
    """Search behaviour by configuration, in the groups' order; those without a scored indirect answer left out."""
    rows = []
    for group in groups:
        scored = group.scored(ProbeKind.INDIRECT)
        known = [(answer, answer.queries) for answer in scored if answer.queries is not None]
        if scored:
            rows.append(
                BehaviourRow(
                    group.head,
                    AccuracyCell.of(group.of_kind(ProbeKind.INDIRECT)),
                    len(scored) - len(known),
                    Share(sum(not number for _, number in known), len(known)),
                    float(median(number for _, number in known)) if known else None,
                    share_correct(answer for answer, number in known if number >= 1),
                    share_correct(answer for answer, number in known if number >= 2),
                )
            )
    return rows


@dataclass(frozen=True, slots=True)
class ContrastRow:
    """Two configurations in one category: indirect accuracy of `second` less that of `first`, on the same events.

    `cells` are all indirect answers of either. `pairs` has the second one first, so that its difference is the change.
    `p` is McNemar's mid-p, `adjusted` after Holm over all rows of the same table. `modes` is the change of each mode's
    share of the scored probes, None unless both are of the shared harness and all their failures are classified.
    """

    first: ConfigurationRow
    second: ConfigurationRow
    cells: tuple[AccuracyCell, AccuracyCell]
    pairs: PairedCounts
    p: float
    adjusted: float
    modes: dict[FailureMode, float] | None

    @property
    def change(self) -> float | None:
        """The change of accuracy as a share."""
        return self.pairs.difference

    @property
    def interval(self) -> Interval | None:
        """Newcombe's method 10 interval (95 %) of the change."""
        return newcombe_interval(self.pairs)


def effort_contrasts(groups: Sequence[ConfigurationGroup]) -> list[ContrastRow]:
    """High less low effort, of configurations that are alike in all else (what a provider is told of it aside)."""

    def all_else(each: Configuration) -> object:
        settings = tuple(sorted((name, value) for name, value in each.settings.items() if name != "effort"))
        return each.model, each.harness, each.search, each.prompt_hash, each.as_of, settings

    return _contrasts(groups, all_else, lambda each: each.effort is Effort.LOW, lambda each: each.effort is Effort.HIGH)


def harness_contrasts(groups: Sequence[ConfigurationGroup]) -> list[ContrastRow]:
    """Shared less native harness, of the same model, effort and as-of day."""
    return _contrasts(
        groups,
        lambda each: (each.model, each.effort, each.as_of),
        lambda each: each.harness is Harness.NATIVE,
        lambda each: each.harness is Harness.SHARED,
    )


@dataclass(frozen=True, slots=True)
class CategoryContrast:
    """One configuration in two categories: the gap (direct less indirect) in `first` less that in `second`.

    The events of two categories are different ones, so the intervals of the two gaps are added as squares.
    """

    head: ConfigurationRow
    second: str
    gaps: tuple[float, float]
    interval: Interval

    @property
    def change(self) -> float:
        """The difference of the gaps."""
        return self.gaps[0] - self.gaps[1]


def category_contrasts(groups: Sequence[ConfigurationGroup]) -> list[CategoryContrast]:
    """The gap in one category less that in each later one (by name), of the same configuration."""
    known = [(group.head, _gap_pairs(group)) for group in groups]
    rows = []
    for head, pairs in known:
        for other, other_pairs in known:
            if other.configuration_id != head.configuration_id or other.category <= head.category:
                continue
            gaps = pairs.difference, other_pairs.difference
            limits, other_limits = newcombe_interval(pairs), newcombe_interval(other_pairs)
            if gaps[0] is None or gaps[1] is None or limits is None or other_limits is None:
                continue
            change = gaps[0] - gaps[1]
            # Each interval moved to the difference: its half-lengths are what is added.
            moved = (change - (gaps[0] - limits[0]), change + (limits[1] - gaps[0]))
            minus = (change - (other_limits[1] - gaps[1]), change + (gaps[1] - other_limits[0]))
            rows.append(CategoryContrast(head, other.category, (gaps[0], gaps[1]), combine(change, moved, minus)))
    return rows


def _contrasts(
    groups: Sequence[ConfigurationGroup],
    key: Callable[[Configuration], object],
    is_first: Callable[[Configuration], bool],
    is_second: Callable[[Configuration], bool],
) -> list[ContrastRow]:
    seconds: dict[object, list[ConfigurationGroup]] = {}
    for group in groups:
        if is_second(group.head.configuration):
            seconds.setdefault((group.head.category, key(group.head.configuration)), []).append(group)
    found = []
    for group in groups:
        configuration = group.head.configuration
        if not is_first(configuration):
            continue
        for other in seconds.get((group.head.category, key(configuration)), ()):
            pairs = paired(other.events(ProbeKind.INDIRECT), group.events(ProbeKind.INDIRECT))
            if pairs.n:
                found.append((group, other, pairs, mcnemar_mid_p(pairs)))
    adjusted = holm([p for *_, p in found])
    return [
        ContrastRow(
            one.head, other.head, (_indirect(one), _indirect(other)), pairs, p, after, _mode_changes(one, other)
        )
        for (one, other, pairs, p), after in zip(found, adjusted, strict=True)
    ]


def _mode_changes(first: ConfigurationGroup, second: ConfigurationGroup) -> dict[FailureMode, float] | None:
    shares = []
    for group in (first, second):
        scored = group.scored(ProbeKind.INDIRECT)
        modes = Counter(answer.mode for answer in scored if not answer.is_correct)
        if not scored or modes[None] or group.head.configuration.harness is not Harness.SHARED:
            return None
        shares.append({mode: modes[mode] / len(scored) for mode in FailureMode})
    return {mode: shares[1][mode] - shares[0][mode] for mode in FailureMode}


def _indirect(group: ConfigurationGroup) -> AccuracyCell:
    return AccuracyCell.of(group.of_kind(ProbeKind.INDIRECT))


def _gap_pairs(group: ConfigurationGroup) -> PairedCounts:
    return paired(group.events(ProbeKind.DIRECT), group.events(ProbeKind.INDIRECT))
