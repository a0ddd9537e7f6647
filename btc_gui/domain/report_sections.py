"""A study's report in sections: the same words, figures and tables for the terminal, the page and the window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from btc_gui.domain.agreement_report import AgreementReport, Statistic
from btc_gui.domain.component_agreement import ComparedItem, ComponentAgreement
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.number_words import counted, decimal, span
from btc_gui.domain.packet import Layer, PacketId
from btc_gui.domain.reliability import Anchoring, PairAgreement, PracticeResult, Repeats
from btc_gui.domain.study import UnsureRule
from btc_gui.domain.study_record import LabelledCase
from btc_gui.domain.study_report import AnnotatorReport, StudyReport
from btc_gui.domain.trajectory import AnswerId

#: How many parts of the frame a sentence names.
_NAMED = 5
_CONFIDENCE = {1: "low", 2: "medium", 3: "high"}


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of texts. `answers` are, for every row, the cases that it is about (none: the row opens nothing)."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    answers: tuple[tuple[AnswerId, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ReportSection:
    """One section: what it says in words, a matrix, statistics, a table; each may be absent.

    `key` names the section for good (`labels`, `repeats`…), `who` the annotator and layer that it is about.
    """

    key: str
    title: str
    words: tuple[str, ...] = ()
    matrix: ConfusionMatrix | None = None
    statistics: tuple[Statistic, ...] = ()
    table: ReportTable | None = None
    who: str = ""


def report_sections(report: StudyReport) -> tuple[ReportSection, ...]:
    """All sections in the order in which they are read. What does not apply to a study is not there."""
    return tuple(_sections(report))


def _sections(report: StudyReport) -> Iterator[ReportSection]:
    yield _study(report)
    yield _flow(report)
    for number, each in enumerate(report.annotators):
        yield from _labels(report, each, "primary" if number == 0 else "further annotator")
    for each in report.revealed:
        yield from _labels(report, each, "second layer")
    for anchoring in report.anchoring:
        yield _anchoring(report, anchoring)
    for pair in report.between:
        yield _pair(pair)
    if report.alpha is not None:
        yield ReportSection("all annotators", "All annotators", statistics=(report.alpha,))
    if report.adjudicated is not None:
        yield from _labels(report, report.adjudicated, "secondary")
    yield from _judge(report)
    yield from _beside(report)


# -- what was done -------------------------------------------------------------------------------------------


def _study(report: StudyReport) -> ReportSection:
    study = report.study
    design = study.design
    rows = [
        ("Kind", report.kind),
        ("Mode", report.mode.text),
        (report.machine_role.capitalize(), report.machine),
        ("Annotators", ", ".join(design.annotators)),
        ("Answers drawn", f"{report.drawn:,} of {study.manifest['frame']['in_frame']:,} in the frame"),
        ("Distinct events", f"{report.events:,}"),
        ("Share of the frame", ", ".join(f"{label} {share:.4g}" for label, share in report.frame_shares.items())),
        ("Allocation", design.rule.value.replace("_", " ")),
        ("Seeds", f"draw {design.seed}, order {design.order_seed}"),
        ("Unsure labels", _UNSURE_RULE[design.unsure_rule]),
        ("Codebook version", str(study.manifest["codebook_version"])),
        ("Manifest SHA-256", study.manifest_sha256),
        *((f"Log SHA-256, {when}", sha256) for when, sha256 in report.log_hashes.items()),
        ("Made with", f"btc_gui {study.manifest['made_with']}"),
    ]
    return ReportSection("study", "Study", tuple(blinding_notes(report)), table=ReportTable(("", ""), tuple(rows)))


_UNSURE_RULE = {
    UnsureRule.EXCLUDED: "left out of the primary figures",
    UnsureRule.DISAGREEMENT: "count as disagreement in the primary figures",
}


def blinding_notes(report: StudyReport) -> Iterator[str]:
    """What the labels were blind to and what not, in sentences for the methods section."""
    machine = report.machine_role
    layer = report.mode.layers[0]
    if layer is Layer.BLIND:
        yield f"The labels are blind to the {machine}'s label: packets held none, and the key stayed in the project."
        yield (
            "Blinding to the model is partial: style, length and the number of searches can give a model away, and "
            "can't be removed."
        )
    else:
        yield (
            f"Assisted: the {machine}'s findings were on screen. This is verification of the {machine}, not "
            "independent classification; suggestions shift human labels and raise measured performance."
        )
    if Layer.REVEALED in report.mode.layers:
        yield f"Blind labels are primary; those given after the {machine}'s findings were revealed are told apart."
    passages = sum(report.masked.values())
    if passages:
        counts = ", ".join(f"{count:,} in {name}" for name, count in report.masked.items())
        yield f"Passages in which a text names its author were masked, by one list for all items: {counts}."
    else:
        yield "No passage was masked."
    if len(report.study.design.annotators) == 1:
        yield "One annotator: how far another would agree is not known from this study."


def _flow(report: StudyReport) -> ReportSection:
    manifest = report.study.manifest
    rows = [("considered", f"{manifest['frame']['considered']:,}", "")]
    rows += [(f"excluded: {reason}", f"{count:,}", "") for reason, count in report.excluded.items()]
    rows.append(("in the frame", f"{manifest['frame']['in_frame']:,}", ""))
    for name, size in manifest["frame"]["by_stratum"].items():
        cells = [cell for cell in manifest["cells"] if cell["stratum"] == name and cell["frame"]]
        drawn = sum(cell["drawn"] for cell in cells)
        chances = sorted({cell["drawn"] / cell["frame"] for cell in cells})
        chance = f"{chances[0]:.3g}" if len(chances) == 1 else f"{chances[0]:.3g} to {chances[-1]:.3g}"
        rows.append((f"stratum {name}", f"{size:,}", f"{drawn:,} drawn, probability {chance}"))
    rows += [(f"shortfall in {name}", f"{count:,}", "") for name, count in manifest["shortfall"].items()]
    for each in report.all_layers:
        who = _who(each)
        rows.append((f"{who}: labelled", f"{each.labelled:,}", f"of {len(each.cases):,}"))
        rows += [(f"{who}: left out, {reason}", f"{count:,}", "") for reason, count in each.matrix.left_out.items()]
        rows.append((f"{who}: in the matrix", f"{each.matrix.total:,}", ""))
    return ReportSection("flow", "Flow of items", table=ReportTable(("Step", "Items", ""), tuple(rows)))


# -- labels --------------------------------------------------------------------------------------------------


def _who(each: AnnotatorReport) -> str:
    return f"{each.annotator}, {each.layer.value}"


def _labels(report: StudyReport, each: AnnotatorReport, role: str) -> Iterator[ReportSection]:
    who = _who(each)
    words = [f"Labels: {each.layer.text}."]
    if each.layer is Layer.ADJUDICATION:
        words.append(
            "Secondary: disputed labels are the adjudicator's, who saw both labels without names and without the "
            f"{report.machine_role}'s. The agreement before adjudication is primary."
        )
        own = report.own_adjudicators
        if own:
            words.append(f"{', '.join(own)} decided where labels of their own were disputed: this is not independent.")
    words.append(f"Rows: {report.machine_role}; columns: {each.matrix.columns_name}.")
    if each.withdrawn or each.changed:
        withdrawn, changed = counted(each.withdrawn, "label"), counted(each.changed, "label")
        words.append(f"Withdrawn: {withdrawn}; changed later: {changed}. The first label of an item counts.")
    if each.late:
        reasons = "; ".join(report.record.late_reasons(PacketId(each.packet)))
        late = counted(len(each.late), "label came", "labels came")
        words.append(f"{late} too late, in no figure ({reasons}).")
    if each.empty_cells:
        names = ", ".join(each.empty_cells[:_NAMED]) + (", …" if len(each.empty_cells) > _NAMED else "")
        words.append(
            "Figures of the frame are weighted by stratum, not by stratum and configuration: each label of a stratum "
            f"counts alike. Parts without any label: {len(each.empty_cells)} ({names})."
        )
    words += each.agreement.notes
    yield ReportSection("labels", f"{who} ({role})", tuple(words), each.matrix, tuple(_primary_first(each)), None, who)
    if each.averaged is not None:
        known = {(s.key, s.scope) for s in each.agreement.statistics if "population" not in s.key}
        other = tuple(s for s in each.averaged.statistics if (s.key, s.scope) not in known)
        title = f"{who}: each label of a stratum counting alike"
        yield ReportSection("averaged", title, (_AVERAGED,), statistics=other or each.averaged.statistics, who=who)
    if each.merged is not None and each.merged_agreement is not None:
        title = f"{who}: classes joined"
        yield ReportSection("merged", title, (), each.merged, each.merged_agreement.statistics, None, who)
    if each.repeats is not None:
        yield _repeats(each.repeats, who)
    if each.components is not None:
        yield from _components(each.components, who)
    for key, title, cases in (
        ("disagreements", "disagreements", each.disagreements),
        ("unsure", "unsure", each.unsure),
        ("broken", "broken items", each.broken),
        ("missing", "without a label", each.missing),
    ):
        if cases:
            yield ReportSection(
                key, f"{who}: {title}", table=_cases(cases, report, words_of_both=key == "disagreements"), who=who
            )


_AVERAGED = (
    "A configuration counts by the number of its labels, not by its size in the frame: where each gave as many labels, "
    "these are averages over configurations, not figures of the frame."
)


def _primary_first(each: AnnotatorReport) -> Iterator[Statistic]:
    """The agreement by the design's rule first, then all statistics, then what unsure labels could change."""
    primary = each.primary_reading
    if each.unsure or not primary.words.endswith("left out"):
        for found in (primary.sample, primary.frame):
            if found is not None:
                yield replace(found, name=f"{found.name} (primary)")
    double = ("agreement_unsure_disagree", "agreement_unsure_agree")
    yield from (s for s in each.agreement.statistics if s.key not in double)
    if each.unsure:
        for reading in each.readings:
            if not reading.is_primary:
                yield reading.sample
                if reading.frame is not None:
                    yield reading.frame


def _cases(cases: Sequence[LabelledCase], report: StudyReport, *, words_of_both: bool) -> ReportTable:
    """Cases with the annotator's words and, where both labels are to be weighed, the machine's too."""
    machine = report.machine_role.capitalize()
    has_confidence = any(case.confidence for case in cases)
    header = [
        "Answer",
        machine,
        "Human",
        *(["Confidence"] if has_confidence else []),
        "Reason",
        "Note",
        *([f"Rationale of the {report.machine_role}"] if words_of_both else []),
    ]
    rows = [
        (
            case.key,
            case.machine,
            case.human,
            *([_CONFIDENCE.get(case.confidence or 0, "")] if has_confidence else []),
            case.reason,
            case.note,
            *([report.record.rationales.get(case.answer_id, "")] if words_of_both else []),
        )
        for case in cases
    ]
    return ReportTable(tuple(header), tuple(rows), tuple((case.answer_id,) for case in cases))


def _repeats(repeats: Repeats, who: str) -> ReportSection:
    table = None
    if repeats.changed:
        rows = tuple((item.item, item.first, item.second) for item in repeats.changed)
        table = ReportTable(("Item", "First", "Again"), rows, tuple((item.answer_id,) for item in repeats.changed))
    shown = counted(repeats.shown, "item was", "items were")
    words = (f"{shown} shown twice, unmarked. The first label is the one analysed.",)
    return ReportSection(
        "repeats", f"{who}: the same items again", words, None, (repeats.same, repeats.kappa), table, who
    )


def _components(found: ComponentAgreement, who: str) -> Iterator[ReportSection]:
    words = [f"{counted(len(found.items), 'item is', 'items are')} compared by parts."]
    words += [f"Not compared: {counted(count, 'item')}, {reason}." for reason, count in found.left_out.items()]
    yield ReportSection(
        "evidence", f"{who}: evidence", tuple(words), found.evidence.matrix, _short(found.evidence), None, who
    )
    words = ["Queries of one item are not independent: kappa and alpha resample items."]
    statistics = (*_short(found.queries, ("observed_agreement",)), *found.query_statistics)
    yield ReportSection("queries", f"{who}: query labels", tuple(words), found.queries.matrix, statistics, None, who)
    yield ReportSection("passages", f"{who}: passages", statistics=found.passages, who=who)
    words = ["The mode that follows from the annotator's parts, before any override."]
    yield ReportSection(
        "derived",
        f"{who}: derived mode",
        tuple(words),
        found.derived.matrix,
        (*_short(found.derived), found.overrides),
        _overrides(found),
        who,
    )
    if found.disagreements:
        counts = "; ".join(f"{cause.value}: {count}" for cause, count in found.causes.items())
        words = [f"What made the modes differ. {counts[0].upper()}{counts[1:]}."]
        rows = tuple((item.item, item.machine_mode, item.human_mode, str(item.cause)) for item in found.disagreements)
        answers = tuple((item.answer_id,) for item in found.disagreements)
        table = ReportTable(("Item", "Classifier", "Human", "Cause"), rows, answers)
        yield ReportSection("causes", f"{who}: causes of disagreement", tuple(words), table=table, who=who)


def _short(report: AgreementReport, keys: Sequence[str] = ()) -> tuple[Statistic, ...]:
    wanted = keys or ("observed_agreement", "expected_agreement", "kappa", "gwet_ac1", "krippendorff_alpha")
    return tuple(statistic for statistic in report.statistics if statistic.key in wanted)


def _overrides(found: ComponentAgreement) -> ReportTable | None:
    items: list[ComparedItem] = [item for item in found.items if item.human.override]
    if not items:
        return None
    rows = tuple((item.item, _mode(item), item.human_mode, item.human.override) for item in items)
    return ReportTable(("Item", "Derived", "Given", "Reason"), rows, tuple((item.answer_id,) for item in items))


def _mode(item: ComparedItem) -> str:
    return item.human.mode.text if item.human.mode else "undecided"


# -- several labels ------------------------------------------------------------------------------------------


def _anchoring(report: StudyReport, found: Anchoring) -> ReportSection:
    machine = report.machine_role
    words = (
        f"{counted(found.towards, 'label')} moved to the {machine}'s class after it was revealed, {found.away:,} away "
        f"from it, {found.between:,} between other classes.",
    )
    table = None
    if found.moved:
        rows = tuple((one.key, one.machine, one.human, two.human, two.reason or two.note) for one, two in found.moved)
        header = ("Answer", machine.capitalize(), "Blind", "Revealed", "Reason or note")
        table = ReportTable(header, rows, tuple((one.answer_id,) for one, _ in found.moved))
    statistics = (found.blind, found.revealed, found.difference, found.p)
    title = f"{found.annotator}: blind against revealed"
    return ReportSection("anchoring", title, words, None, statistics, table, found.annotator)


def _pair(pair: PairAgreement) -> ReportSection:
    table = None
    if pair.differing:
        rows = tuple((one.key, one.human, two.human, one.reason, two.reason) for one, two in pair.differing)
        header = ("Answer", pair.first, pair.second, f"Reason, {pair.first}", f"Reason, {pair.second}")
        table = ReportTable(header, rows, tuple((one.answer_id,) for one, _ in pair.differing))
    title = f"{pair.first} and {pair.second}"
    words = (f"Rows: {pair.first}; columns: {pair.second}. Only items that both had.",)
    return ReportSection("between", title, words, pair.matrix, _short(pair.agreement), table)


# -- the judge in pools and configurations -------------------------------------------------------------------


def _judge(report: StudyReport) -> Iterator[ReportSection]:
    for pool in report.pools:
        told = [f"{counted(pool.frame, 'answer')} of the frame."]
        if pool.is_coarse:
            told.append("A part of the pool gave no label, or is not counted: each label of a stratum counts alike.")
        yield ReportSection(
            "pool", f"Pool {pool.name}", tuple(told), pool.agreement.matrix, pool.agreement.statistics, None, pool.name
        )
    if report.bounds:
        rows = tuple(
            (b.configuration, f"{b.accepted}/{b.answers}", decimal(b.share), span((b.low, b.high)))
            for b in report.bounds
        )
        words = (
            "A model-based bound, no interval: if PPV and NPV of the whole frame held for each configuration, its "
            "share of correct answers would be within these limits. Errors were not measured by configuration: only "
            "the corrected share of the pool is design-based.",
        )
        table = ReportTable(("Configuration", "Accepted", "Share", "Bound"), rows)
        yield ReportSection("configurations", "Single configurations", words, table=table)


# -- beside the figures --------------------------------------------------------------------------------------


def _beside(report: StudyReport) -> Iterator[ReportSection]:
    if report.practice:
        yield ReportSection("practice", "Practice", table=_practice(report.practice))
    yield _exposures(report)
    if report.changed_pages:
        words = (
            "These texts to label by have changed since the study was locked. The labels below were given by the old "
            "ones; to label by the new ones, begin a new study.",
        )
        rows = tuple(
            (
                change.page,
                "gone" if change.is_gone else f"{counted(change.added, 'line')} added, {change.removed:,} removed",
                f"{len(change.items)}",
            )
            for change in report.changed_pages
        )
        answers = tuple(change.answers for change in report.changed_pages)
        table = ReportTable(("Page", "Change", "Labels to redo"), rows, answers)
        yield ReportSection("codebook", "Codebook changed", words, table=table)
    if report.amendments:
        table = ReportTable(("When", "Who", "Deviation"), tuple((a.at, a.actor, a.reason) for a in report.amendments))
        yield ReportSection("amendments", "Deviations from the plan", table=table)
    if report.problems:
        told = tuple(f"{problem[0].upper()}{problem[1:]}." for problem in report.problems)
        yield ReportSection("problems", "Not as the log tells it", told)


def _practice(results: Sequence[PracticeResult]) -> ReportTable:
    rows = [
        (
            result.annotator,
            f"{number}",
            f"{each.right}/{each.given}",
            f"{each.needed} of {each.items}",
            "reached" if each.is_passed else "not reached",
        )
        for result in results
        for number, each in enumerate(result.rounds, start=1)
    ]
    rows += [(result.annotator, "", "none", "", "did not practise") for result in results if not result.rounds]
    return ReportTable(("Annotator", "Round", "Right", "Needed", "Mark"), tuple(rows))


def _exposures(report: StudyReport) -> ReportSection:
    if not report.exposures:
        return ReportSection("exposures", "Exposure", ("No case of the study was opened while it was open.",))
    own = {name.casefold() for name in report.study.design.annotators}
    rows = tuple(
        (e.at, e.person, "annotator" if e.person.casefold() in own else "", str(e.answer_id)) for e in report.exposures
    )
    words = ("Cases of the study that were opened with the machine's label on screen while the study was open.",)
    table = ReportTable(("When", "Who", "", "Answer"), rows, tuple((e.answer_id,) for e in report.exposures))
    return ReportSection("exposures", "Exposure", words, table=table)
