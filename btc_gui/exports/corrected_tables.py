"""Accuracies, gaps and failure modes as judged, and corrected by what people said in finished studies."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.agreement_report import Statistic
from btc_gui.domain.judge_correction import CorrectedGap, CorrectedMode, CorrectedPool
from btc_gui.domain.result_cases import LOST, ResultCases
from btc_gui.domain.result_rows import ConfigurationGroup
from btc_gui.domain.result_table import CasesOf, Cell, Form, ResultTable, ShownColumn, Tells
from btc_gui.exports.result_tables import ends

_METHOD = "MOVER over Clopper–Pearson limits of each stratum, 95 %."


def corrected_table(rows: Sequence[CorrectedPool], groups: Sequence[ConfigurationGroup] = ()) -> ResultTable:
    """The accuracy of each pool over all configurations, as judged and corrected."""
    body: list[tuple[Cell, ...]] = []
    behind: list[CasesOf] = []
    cases = ResultCases(groups)
    for row in rows:
        known, raw = row.correction, row.raw
        corrected = known.corrected if known else None
        agreement = known.agreement if known else None
        body.append(
            (
                *(row.category, str(row.kind), raw.accuracy, raw.correct, raw.scored, *ends(row.raw_interval)),
                *(known.judge if known else None, known.frame if known else None),
                *(corrected.value if corrected else None, *ends(corrected.interval if corrected else None)),
                *(agreement.value if agreement else None, *ends(agreement.interval if agreement else None)),
                *(_value(known.ppv if known else None), _value(known.npv if known else None)),
                *(known.labels if known else None, row.events),
                *(known.study if known else None, row.reason or None),
            )
        )
        behind.append(cases.of_groups([group for group in groups if group.head.category == row.category]))
    return ResultTable(
        "corrected_accuracy",
        "Accuracy, corrected for the judge's errors",
        "Over all configurations of a category and kind of probe. raw: what the judge says of the scored answers, with "
        "a 95 % interval that takes events as clusters; frame_accuracy the same in the frame that the study froze. "
        "corrected: the accuracy in that "
        "frame once the errors that people found in the judge are taken out, π₁·PPV + (1 − π₁)(1 − NPV), with MOVER "
        "over Clopper–Pearson limits of each stratum. Only the pool is corrected by design; PPV and NPV do not carry "
        "over to a single configuration. reason: why there is none.",
        (
            *("category", "kind", "raw", "raw_correct", "raw_scored", "raw_low", "raw_high"),
            *("frame_accuracy", "frame", "corrected", "corrected_low", "corrected_high"),
            *("agreement", "agreement_low", "agreement_high", "ppv", "npv", "labels", "events", "study", "reason"),
        ),
        tuple(body),
        ("category", "kind", "raw", "raw_scored", "corrected", "corrected_low", "corrected_high", "labels", "study"),
        (
            ShownColumn("Category", "category", width=84),
            ShownColumn("Probes", "kind", width=72),
            ShownColumn(
                "As judged",
                "raw",
                Form.SHARE,
                168,
                "raw_low",
                "raw_high",
                "raw_correct",
                "raw_scored",
                "scored",
                words="Over the scored answers of all configurations; 95 % interval with events as clusters.",
            ),
            ShownColumn("In the frame", "frame_accuracy", Form.SHARE, 128, of="frame", words="As the study froze it."),
            ShownColumn(
                "Corrected",
                "corrected",
                Form.SHARE,
                144,
                "corrected_low",
                "corrected_high",
                words=f"In the frame of the study, once the judge's errors are taken out. {_METHOD}",
            ),
            ShownColumn(
                "Judge is right",
                "agreement",
                Form.SHARE,
                144,
                "agreement_low",
                "agreement_high",
                words=f"Agreement with people in the frame. {_METHOD}",
            ),
            ShownColumn("Labels", "labels", Form.COUNT, 64, words="By people, unsure and broken ones left out."),
            ShownColumn("Study", "study", width=120),
            ShownColumn("Why not", "reason", width=0),
        ),
        tuple(_of_kind(each, str(row.kind)) for each, row in zip(behind, rows, strict=True)),
    )


def _value(statistic: Statistic | None) -> float | None:
    return statistic.value if statistic else None


def _of_kind(cases: CasesOf, kind: str) -> CasesOf:
    return lambda _: cases(kind)


def corrected_gap_table(rows: Sequence[CorrectedGap], groups: Sequence[ConfigurationGroup] = ()) -> ResultTable:
    """The gap of each category over all configurations, as judged and corrected."""
    cases = ResultCases(groups)
    return ResultTable(
        "corrected_gaps",
        "Gap, corrected for the judge's errors",
        "Direct less indirect accuracy over all configurations of a category. raw: as judged, events as clusters. "
        "corrected: of the two corrected accuracies; judge_low and judge_high cover the error of the validation "
        "samples, low and high that and the sampling of events (squared half-lengths added).",
        (
            *("category", "events", "raw", "raw_low", "raw_high", "corrected", "judge_low", "judge_high"),
            *("low", "high", "reason"),
        ),
        tuple(
            (
                *(row.category, row.events, row.raw, *ends(row.raw_interval), row.corrected),
                *(*ends(row.judge_interval), *ends(row.interval), row.reason or None),
            )
            for row in rows
        ),
        ("category", "events", "raw", "raw_low", "raw_high", "corrected", "low", "high"),
        (
            ShownColumn("Category", "category", width=96),
            ShownColumn("Events", "events", Form.COUNT, 72),
            ShownColumn(
                "As judged, points",
                "raw",
                Form.POINTS,
                156,
                "raw_low",
                "raw_high",
                cases=LOST,
                tells=Tells.COMPARISON,
                words="Direct less indirect over all scored answers; 95 % interval with events as clusters.",
            ),
            ShownColumn(
                "Corrected, points",
                "corrected",
                Form.POINTS,
                156,
                "low",
                "high",
                words="Of the corrected accuracies; the interval covers the judge's errors and the sampling of events.",
            ),
            ShownColumn("Why not", "reason", width=0),
        ),
        tuple(cases.of_groups([group for group in groups if group.head.category == row.category]) for row in rows),
    )


def corrected_mode_table(rows: Sequence[CorrectedMode]) -> ResultTable:
    """Failure modes as classified, and corrected by finished studies of the classifier."""
    return ResultTable(
        "corrected_modes",
        "Failure modes, corrected for the classifier's errors",
        "Over the failures in the frame of each finished study, and those without a query, whose mode follows from "
        "that. raw: the classifier's share; corrected: that of the people, each label weighted by what it stands for, "
        f"with {_METHOD[:-1]}.",
        ("study", "mode", "failures", "by_construction", "labels", "raw", "corrected", "low", "high", "reason"),
        tuple(
            (
                *(row.study, row.mode.text, row.failures, row.by_construction, row.labels),
                *(row.raw, row.corrected, *ends(row.interval), row.reason or None),
            )
            for row in rows
        ),
        ("study", "mode", "failures", "labels", "raw", "corrected", "low", "high"),
        (
            ShownColumn("Study", "study", width=0),
            ShownColumn("Mode", "mode", width=112),
            ShownColumn("Failures", "failures", Form.COUNT, 80),
            ShownColumn("Without a query", "by_construction", Form.COUNT, 112, words="Their mode follows from that."),
            ShownColumn("Labels", "labels", Form.COUNT, 64),
            ShownColumn("As classified", "raw", Form.SHARE, 104),
            ShownColumn("Corrected", "corrected", Form.SHARE, 144, "low", "high", words=_METHOD),
            ShownColumn("Why not", "reason", width=160),
        ),
    )
