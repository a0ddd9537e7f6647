"""How far labels can be relied on: items labelled twice, several annotators, blind against revealed, practice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from btc_gui.domain.agreement import kappa_estimate
from btc_gui.domain.agreement_report import AgreementReport, Statistic
from btc_gui.domain.component_agreement import of_estimate, raters_report, share_statistic
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.item_bootstrap import alpha_by_item
from btc_gui.domain.packet import ItemId
from btc_gui.domain.paired import PairedCounts, mcnemar_mid_p, newcombe_interval
from btc_gui.domain.practice import PracticeRound, practice_rounds
from btc_gui.domain.raters import count_units
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import BROKEN, UNSURE
from btc_gui.domain.study_draw import ItemRole
from btc_gui.domain.study_record import LabelledCase, LabelledPacket, StudyRecord
from btc_gui.domain.trajectory import AnswerId

_NO_REPEATS = "no repeated item was labelled twice"
_ASIDE = (UNSURE.value, BROKEN.value)


# -- the same annotator twice --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RepeatedItem:
    """One item labelled twice by one annotator, by the names of the classes; unsure is a label like another."""

    item: ItemId
    repeat: ItemId
    answer_id: AnswerId
    first: str
    second: str

    @property
    def is_same(self) -> bool:
        """Whether both labels are the same."""
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class Repeats:
    """How often an annotator gave an item the same label again. `shown` items were repeated, `items` of them have
    both labels. Labels of repeats are in no other figure."""

    annotator: str
    shown: int
    items: tuple[RepeatedItem, ...]
    same: Statistic
    kappa: Statistic

    @property
    def changed(self) -> list[RepeatedItem]:
        """The items that got another label the second time."""
        return [item for item in self.items if not item.is_same]


def repeats_of(record: StudyRecord, labelled: LabelledPacket) -> Repeats | None:
    """The repeats of one annotator's packet; None when none of its items was shown twice."""
    kind = study_kind(record.study.design.kind)
    cases = {case.item: case for case in labelled.cases}
    shown = [item for item in record.items if item.role is ItemRole.REPEAT and item.repeats in cases]
    if not shown:
        return None
    items = []
    for item in shown:
        first, second = cases[ItemId(item.repeats)], labelled.summary.analysed.get(item.item)
        if first.human and second is not None:
            label = kind.classes.get(second.label, second.label)
            items.append(RepeatedItem(first.item, item.item, item.answer_id, first.human, label))
    matrix = ConfusionMatrix.from_pairs(
        [(item.first, item.second) for item in items],
        tuple(kind.classes.values()),
        rows_name="first",
        columns_name="again",
        unsure=_ASIDE,
    )
    scope = "of the items shown twice"
    return Repeats(
        labelled.annotator,
        len(shown),
        tuple(items),
        share_statistic(
            "repeat_agreement", "Same label again", scope, sum(i.is_same for i in items), len(items), _NO_REPEATS
        ),
        of_estimate("repeat_kappa", "Cohen's kappa, first and again", scope, kappa_estimate(matrix.counts)),
    )


# -- several annotators --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators on the items that both had. `differing` are those on which they do not agree, unsure
    included: the ones that are adjudicated."""

    first: str
    second: str
    agreement: AgreementReport
    differing: tuple[tuple[LabelledCase, LabelledCase], ...]

    @property
    def matrix(self) -> ConfusionMatrix:
        """Their labels: rows the first annotator, columns the second."""
        return self.agreement.matrix


def pairs_of(packets: Sequence[LabelledPacket], classes: Sequence[str]) -> tuple[PairAgreement, ...]:
    """Every two annotators compared. Items that only one of them had are not counted as missing."""
    return tuple(_pair(first, second, classes) for first, second in combinations(packets, 2))


def _pair(first: LabelledPacket, second: LabelledPacket, classes: Sequence[str]) -> PairAgreement:
    theirs = {case.item: case for case in second.cases}
    common = [(case, theirs[case.item]) for case in first.cases if case.item in theirs]
    matrix = ConfusionMatrix.from_pairs(
        [(one.human, other.human) for one, other in common],
        classes,
        rows_name=first.annotator,
        columns_name=second.annotator,
        unsure=(UNSURE.value,),
        broken=(BROKEN.value,),
    )
    differing = tuple((one, other) for one, other in common if one.human and other.human and _is_open(one, other))
    return PairAgreement(first.annotator, second.annotator, raters_report(matrix), differing)


def _is_open(one: LabelledCase, other: LabelledCase) -> bool:
    return one.human != other.human or one.is_unsure


def alpha_of_all(packets: Sequence[LabelledPacket], classes: Sequence[str]) -> Statistic | None:
    """Krippendorff's alpha over three annotators or more, items resampled; None for fewer."""
    if len(packets) < 3:
        return None
    labels: dict[ItemId, list[str | None]] = {}
    for packet in packets:
        for case in packet.cases:
            labels.setdefault(case.item, []).append(case.human if case.human in classes else None)
    items = [count_units([given], classes) for given in labels.values()]
    scope = f"of {len(packets)} annotators"
    return of_estimate("alpha_of_all", "Krippendorff's alpha", scope, alpha_by_item(items))


# -- blind, then revealed ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Anchoring:
    """What seeing the machine's findings did: agreement with it before and after, over items with both labels.

    `difference` is revealed less blind (Newcombe's method 10, McNemar mid-p in `p`): an estimate of anchoring.
    `towards` labels went to the machine's class, `away` left it, `between` went from one other class to another.
    """

    annotator: str
    blind: Statistic
    revealed: Statistic
    difference: Statistic
    p: Statistic
    towards: int
    away: int
    between: int
    moved: tuple[tuple[LabelledCase, LabelledCase], ...]


def anchoring_of(blind: LabelledPacket, revealed: LabelledPacket, machine: str) -> Anchoring:
    """Compare the two layers of one annotator. Items that are unsure, broken or missing in one are left out."""
    later = {case.item: case for case in revealed.cases}
    pairs = [
        (one, later[one.item])
        for one in blind.cases
        if one.item in later and all(c.human and not c.is_unsure and not c.is_broken for c in (one, later[one.item]))
    ]
    moved = tuple((one, two) for one, two in pairs if one.human != two.human)
    counts = PairedCounts(
        both=sum(one.agrees and two.agrees for one, two in pairs),
        first_only=sum(two.agrees and not one.agrees for one, two in pairs),
        second_only=sum(one.agrees and not two.agrees for one, two in pairs),
        neither=sum(not one.agrees and not two.agrees for one, two in pairs),
    )
    scope = "of the items with both labels"
    empty = "" if pairs else "no item has both labels"
    return Anchoring(
        annotator=blind.annotator,
        blind=share_statistic(
            "agreement_blind", f"Agreement with the {machine}, blind", scope, counts.both + counts.second_only, counts.n
        ),
        revealed=share_statistic(
            "agreement_revealed",
            f"Agreement with the {machine}, revealed",
            scope,
            counts.both + counts.first_only,
            counts.n,
        ),
        difference=Statistic(
            "anchoring",
            "Difference, revealed less blind",
            "an estimate of anchoring",
            counts.difference,
            newcombe_interval(counts),
            method="Newcombe's method 10",
            reason=empty,
        ),
        p=Statistic(
            "anchoring_p",
            "Difference (McNemar), p",
            scope,
            mcnemar_mid_p(counts) if pairs else None,
            method="mid-p",
            reason=empty,
        ),
        towards=counts.first_only,
        away=counts.second_only,
        between=len(moved) - counts.first_only - counts.second_only,
        moved=moved,
    )


# -- practice ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """How an annotator's practice went. `mark` is the share of right labels that the design asks for."""

    annotator: str
    mark: float
    rounds: tuple[PracticeRound, ...]

    @property
    def is_passed(self) -> bool:
        """Whether a round reached the mark."""
        return any(each.is_passed for each in self.rounds)


def practice_results(record: StudyRecord) -> tuple[PracticeResult, ...]:
    """The practice of every annotator, in the order of the packets; nothing when the design has none."""
    known = {ItemId(entry["item"]): str(entry["label"]) for entry in record.study.manifest.get("practice", ())}
    if not known:
        return ()
    mark = record.study.design.practice_mark
    return tuple(
        PracticeResult(packet.annotator, mark, tuple(practice_rounds(known, record.practice.get(packet.id, ()), mark)))
        for packet in record.packets
        if packet.layer is record.study.design.mode.layers[0]
    )
