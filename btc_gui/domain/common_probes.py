"""Several models on the same probes: those that all of them were evaluated on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from btc_gui.domain.accuracy_table import AccuracyCell
from btc_gui.domain.configuration import Harness
from btc_gui.domain.paired import common_events
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow


@dataclass(frozen=True, slots=True)
class CommonRow:
    """One configuration: its indirect answers to the common probes, and to all of its probes."""

    head: ConfigurationRow
    common: AccuracyCell
    all_probes: AccuracyCell


@dataclass(frozen=True, slots=True)
class CommonProbes:
    """One category: the common probes by key, what each model loses by keeping only these, and the rows.

    A model is evaluated on probes that it retained, so common probes are retained by all.
    """

    category: str
    probes: tuple[str, ...]
    lost: dict[str, int]
    rows: tuple[CommonRow, ...]


def common_probes(groups: Sequence[ConfigurationGroup], models: Collection[str] = ()) -> list[CommonProbes]:
    """The comparison in the shared harness for each category with two models or more; of `models`, or of all.

    A model's probes are those that any of its configurations was asked.
    """
    found = []
    for category in sorted({group.head.category for group in groups}):
        chosen = [
            group
            for group in groups
            if group.head.category == category
            and group.head.configuration.harness is Harness.SHARED
            and (not models or group.head.configuration.model in models)
        ]
        asked: dict[str, set[str]] = {}
        for group in chosen:
            probes = {answer.probe for answer in group.of_kind(ProbeKind.INDIRECT)}
            asked.setdefault(group.head.configuration.model, set()).update(probes)
        asked = {model: probes for model, probes in asked.items() if probes}
        if len(asked) < 2:
            continue
        common = common_events({model: sorted(probes) for model, probes in asked.items()})
        kept = frozenset(common.common)
        rows = []
        for group in chosen:
            answers = group.of_kind(ProbeKind.INDIRECT)
            if answers:
                inside = [answer for answer in answers if answer.probe in kept]
                rows.append(CommonRow(group.head, AccuracyCell.of(inside), AccuracyCell.of(answers)))
        found.append(CommonProbes(category, common.common, common.lost, tuple(rows)))
    return found
