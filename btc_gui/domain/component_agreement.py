"""Where annotator and classifier part: evidence, query labels, passages and the mode that follows, each by itself.

A disagreement about a failure mode says nothing until one knows which component it came from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from btc_gui.domain.agreement_report import AgreementReport, SampleKind, Statistic, agreement_report
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.estimate import Estimate
from btc_gui.domain.failure_mode import FailureMode, QueryClass, derive_mode
from btc_gui.domain.item_bootstrap import alpha_by_item, kappa_by_item
from btc_gui.domain.mode_form import EvidenceAnswer, ModeForm
from btc_gui.domain.packet import ItemId
from btc_gui.domain.proportions import wilson
from btc_gui.domain.raters import count_units
from btc_gui.domain.trajectory import AnswerId

_WORD = re.compile(r"\w+")
_EVIDENCE = ("evidence", "no evidence")
_QUERIES = tuple(each.value for each in QueryClass)
_MODES = tuple(mode.text for mode in FailureMode)
_UNSURE = "unsure"
_NO_ITEMS = "no item to compare"


@dataclass(frozen=True, slots=True)
class Passage:
    """A marked passage: the number of its query and of its result there (both from 1; result 0: not told apart)."""

    search: int
    result: int
    text: str


@dataclass(frozen=True, slots=True)
class Components:
    """What a mode follows from. None is unsure (or missing). `override` says why another mode was given."""

    queries: tuple[QueryClass | None, ...]
    evidence: bool | None
    passages: tuple[Passage, ...] = ()
    override: str = ""

    @property
    def mode(self) -> FailureMode | None:
        """The mode that follows."""
        return derive_mode(self.evidence, self.queries).mode


def components_of(form: ModeForm, relations: Collection[str]) -> Components:
    """An annotator's components; only passages with one of these relations are evidence."""
    passages = tuple(Passage(s.search, s.result, s.quote) for s in form.spans if s.relation in relations)
    undecided = form.evidence in (None, EvidenceAnswer.UNSURE)
    code = f"{form.override.text}: {form.override_text}" if form.override is not None else ""
    return Components(
        tuple(label.query_class if label else None for label in form.labels),
        None if undecided else bool(passages),
        passages,
        code,
    )


class Cause(StrEnum):
    """Which component made the modes differ: with it alone taken from the classifier they would be the same."""

    EVIDENCE = "evidence"
    QUERIES = "query labels"
    BOTH = "evidence and query labels"
    OVERRIDE = "override"
    UNDECIDED = "an undecided part"
    MACHINE = "the classifier's mode does not follow from its components"


@dataclass(frozen=True, slots=True)
class ComparedItem:
    """One item with the components of both; `machine_mode` and `human_mode` are the labels by their names."""

    item: ItemId
    answer_id: AnswerId
    machine: Components
    human: Components
    machine_mode: str
    human_mode: str

    @property
    def cause(self) -> Cause | None:
        """Why the modes differ; None when they are the same."""
        if self.machine_mode == self.human_mode:
            return None
        if _name(self.machine.mode) != self.machine_mode:
            return Cause.MACHINE
        if self.human.override:
            # Without the override the derived mode would stand.
            return Cause.OVERRIDE if _name(self.human.mode) in ("", self.machine_mode) else self._parted
        return self._parted

    @property
    def _parted(self) -> Cause:
        if self.human.mode is None:
            return Cause.UNDECIDED
        if _name(replace(self.human, evidence=self.machine.evidence).mode) == self.machine_mode:
            return Cause.EVIDENCE
        if _name(replace(self.human, queries=self.machine.queries).mode) == self.machine_mode:
            return Cause.QUERIES
        return Cause.BOTH


@dataclass(frozen=True, slots=True)
class ComponentAgreement:
    """The components of one annotator's labels against the classifier's.

    `left_out` counts items that can't be compared, by reason. `evidence`, `queries` and `derived` (the mode that
    follows from the annotator's parts, before any override) are matrices with their statistics, rows classifier.
    `passages` are about items where both found evidence. `overrides` is how often the annotator gave another mode
    than the derived one.
    """

    items: tuple[ComparedItem, ...]
    left_out: dict[str, int]
    evidence: AgreementReport
    queries: AgreementReport
    query_statistics: tuple[Statistic, ...]
    passages: tuple[Statistic, ...]
    derived: AgreementReport
    overrides: Statistic

    @property
    def disagreements(self) -> list[ComparedItem]:
        """The items whose modes differ."""
        return [item for item in self.items if item.cause is not None]

    @property
    def causes(self) -> dict[Cause, int]:
        """How many disagreements each component caused."""
        found = Counter(item.cause for item in self.items if item.cause is not None)
        return {cause: found[cause] for cause in Cause if found[cause]}


def component_agreement(items: Sequence[ComparedItem], left_out: dict[str, int]) -> ComponentAgreement:
    """Compare the components of these items."""
    evidence = ConfusionMatrix.from_pairs(
        [(_has(item.machine.evidence), _has(item.human.evidence)) for item in items],
        _EVIDENCE,
        rows_name="classifier",
        unsure=(_UNSURE,),
    )
    pairs = [
        [
            (_said(machine), _said(human))
            for machine, human in zip(item.machine.queries, item.human.queries, strict=True)
        ]
        for item in items
    ]
    queries = _query_matrix(pair for item in pairs for pair in item)
    derived = ConfusionMatrix.from_pairs(
        [(item.machine_mode, _name(item.human.mode) or _UNSURE) for item in items],
        _MODES,
        rows_name="classifier",
        columns_name="derived",
        unsure=(_UNSURE,),
    )
    overridden = sum(bool(item.human.override) for item in items)
    return ComponentAgreement(
        items=tuple(items),
        left_out=dict(left_out),
        evidence=raters_report(evidence),
        queries=raters_report(queries),
        query_statistics=tuple(_query_statistics(pairs)),
        passages=tuple(_passage_statistics(items)),
        derived=raters_report(derived),
        overrides=share_statistic(
            "override_rate", "Derived mode overridden", "of the compared items", overridden, len(items)
        ),
    )


def raters_report(matrix: ConfusionMatrix, sample: SampleKind = SampleKind.STRATIFIED) -> AgreementReport:
    """The statistics of two raters of whom neither is a classifier to be scored: no precision, no recall."""
    found = agreement_report(matrix, sample=sample)
    one_sided = ("precision:", "recall:", "f1:")
    kept = tuple(statistic for statistic in found.statistics if not statistic.key.startswith(one_sided))
    return replace(found, statistics=kept)


def share_statistic(key: str, name: str, scope: str, count: int, n: int, empty: str = _NO_ITEMS) -> Statistic:
    """k of n with Wilson's interval; with n = 0 the words of `empty`."""
    share = count / n if n else None
    return Statistic(key, name, scope, share, wilson(count, n), (count, n), "Wilson", "" if n else empty)


def _query_matrix(pairs: Iterable[tuple[str, str]]) -> ConfusionMatrix:
    return ConfusionMatrix.from_pairs(pairs, _QUERIES, rows_name="classifier", unsure=(_UNSURE,))


def _query_statistics(pairs: Sequence[Sequence[tuple[str, str]]]) -> Iterable[Statistic]:
    """Kappa and alpha of the query labels: queries of one item are not independent, so items are resampled."""
    scope = "of the queries of these items"
    kappa = kappa_by_item([_query_matrix(item).counts for item in pairs])
    alpha = alpha_by_item(
        [
            count_units([[label if label != _UNSURE else None for label in pair] for pair in item], _QUERIES)
            for item in pairs
        ]
    )
    for key, name, found in (("query_kappa", "Cohen's kappa", kappa), ("query_alpha", "Krippendorff's alpha", alpha)):
        yield of_estimate(key, f"Query labels, {name}", scope, found)


def of_estimate(key: str, name: str, scope: str, found: Estimate) -> Statistic:
    """An estimate as a statistic of a report."""
    method = found.method if found.interval else ""
    return Statistic(key, name, scope, found.value, found.interval, method=method, reason=found.reason)


def _passage_statistics(items: Sequence[ComparedItem]) -> Iterable[Statistic]:
    both = [item for item in items if item.machine.evidence and item.human.evidence]
    scope = "of the items where both found evidence"
    same = sum(bool(_places(item.machine) & _places(item.human)) for item in both)
    yield share_statistic("same_result", "A passage in the same result", scope, same, len(both))
    scores = [token_f1(_text(item.machine), _text(item.human)) for item in both]
    mean = sum(scores) / len(scores) if scores else None
    method = "words of all passages of an item; no interval"
    yield Statistic(
        "token_f1",
        "Words in common (token F1), mean",
        scope,
        mean,
        method=method,
        reason=_NO_ITEMS if mean is None else "",
    )


def token_f1(first: str, second: str) -> float:
    """The harmonic mean of the shares of words in common, counted with their repetitions; 0 without any."""
    words = [Counter(_WORD.findall(text.casefold())) for text in (first, second)]
    common = sum((words[0] & words[1]).values())
    total = sum(words[0].values()) + sum(words[1].values())
    return 2 * common / total if total else 0.0


def _places(components: Components) -> set[tuple[int, int]]:
    return {(passage.search, passage.result) for passage in components.passages}


def _text(components: Components) -> str:
    return "\n".join(dict.fromkeys(passage.text for passage in components.passages))


def _has(evidence: bool | None) -> str:
    return _UNSURE if evidence is None else _EVIDENCE[0 if evidence else 1]


def _said(label: QueryClass | None) -> str:
    return _UNSURE if label is None else label.value


def _name(mode: FailureMode | None) -> str:
    return mode.text if mode is not None else ""
