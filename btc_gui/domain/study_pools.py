"""What a judge's labels say once corrected: for each pool by design, for a single configuration only a bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from btc_gui.domain.agreement_report import AgreementReport, SampleKind, Statistic, agreement_report
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.judge_design import configuration_bound
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.study import Study
from btc_gui.domain.study_record import LabelledCase
from btc_gui.domain.weighted_agreement import TableStratum

#: The figures that a pool is given: those that its frame counts allow. Without strata by the machine's label the
#: corrected share is the prevalence in the frame.
_OF_A_POOL = (
    "observed_agreement",
    "population_agreement",
    "ppv",
    "npv",
    "sensitivity",
    "specificity",
    "judge_accuracy",
    "corrected_accuracy",
    "population_prevalence",
)
_COARSE = ", each label of a stratum counting alike"


@dataclass(frozen=True, slots=True)
class Pool:
    """The answers of one category and kind of probe: its share of the frame, and its statistics.

    They are weighted as those of the whole frame are: by cell, or by stratum where a cell of the pool has no label.
    `is_coarse` is the latter: each label of a stratum counts alike, though the design drew from its cells.
    """

    name: str
    frame: int
    agreement: AgreementReport
    is_coarse: bool = False


@dataclass(frozen=True, slots=True)
class ConfigurationBound:
    """The share that the judge accepts of one configuration, and between what the true share must lie.

    `low` and `high` hold if PPV and NPV of the whole frame hold for the configuration; they are a model, no interval.
    """

    configuration: str
    accepted: int
    answers: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share that the judge accepts."""
        return self.accepted / self.answers


def pools(study: Study, cases: Sequence[LabelledCase], classes: Sequence[str], rows_name: str) -> tuple[Pool, ...]:
    """The pools of a study that has several; none where the frame is one pool, or an older manifest."""
    by_page: Mapping[str, Mapping[str, int]] = study.manifest["frame"].get("by_page", {})
    if len(by_page) < 2:
        return ()
    return tuple(_pool(study, name, [c for c in cases if c.page == name], classes, rows_name) for name in by_page)


def _pool(study: Study, name: str, cases: Sequence[LabelledCase], classes: Sequence[str], rows_name: str) -> Pool:
    pairs = [(case.machine, case.human) for case in cases if case.machine in classes and case.human in classes]
    matrix = ConfusionMatrix.from_pairs(pairs, classes, rows_name=rows_name)
    frame = study.manifest["frame"]
    sizes = frame["by_page"][name]
    strata = tables(matrix, sizes, [(case.stratum, case) for case in cases])
    is_coarse = False
    if study.design.rule is not AllocationRule.POOLED:
        # Earlier manifests don't count the cells of a pool.
        cells = frame.get("by_page_cell", {}).get(name, {})
        by_cell = tables(matrix, cells, [(case.cell, case) for case in cases]) if cells else []
        is_coarse = not by_cell or not all(table.n for table in by_cell)
        strata = strata if is_coarse else by_cell
    found = agreement_report(matrix, strata=strata, rows_fixed=study.design.rows_fixed)
    kept = [statistic for statistic in found.statistics if statistic.key.split(":")[0] in _OF_A_POOL]
    if is_coarse:
        kept = [replace(each, scope=f"{each.scope}{_COARSE}") if _is_weighted(each) else each for each in kept]
    agreement = AgreementReport(matrix, found.confidence, SampleKind.STRATIFIED, None, tuple(kept), ())
    return Pool(name, sum(sizes.values()), agreement, is_coarse)


def _is_weighted(statistic: Statistic) -> bool:
    """Whether it is a figure of the frame that rests on labels."""
    return statistic.key not in ("observed_agreement", "judge_accuracy") and statistic.value is not None


def tables(
    matrix: ConfusionMatrix, sizes: Mapping[str, int], cases: Sequence[tuple[str, LabelledCase]]
) -> list[TableStratum]:
    """The table of each part of the frame, with the part's size. Cases without a class are in none."""
    place = {name: index for index, name in enumerate(matrix.classes)}
    counts = {part: [[0] * len(place) for _ in place] for part in sizes}
    for part, case in cases:
        if case.machine in place and case.human in place:
            counts[part][place[case.machine]][place[case.human]] += 1
    return [TableStratum(part, size, tuple(map(tuple, counts[part]))) for part, size in sizes.items()]


def configuration_bounds(
    manifest: Mapping[str, Any], accepted: str, ppv: Statistic | None, npv: Statistic | None
) -> tuple[ConfigurationBound, ...]:
    """How far each configuration's accuracy may be from the share that the judge accepts (`accepted` is that label).

    None when PPV or NPV is undefined, or the manifest does not count configurations.
    """
    if ppv is None or npv is None or ppv.value is None or npv.value is None:
        return ()
    found = []
    for name, labels in manifest["frame"].get("by_configuration", {}).items():
        answers, kept = sum(labels.values()), labels.get(accepted, 0)
        reach = configuration_bound(ppv.value, npv.value, kept / answers)
        share = kept / answers
        found.append(ConfigurationBound(name, kept, answers, max(0.0, share - reach), min(1.0, share + reach)))
    return tuple(found)
