"""A study's report as files: matrices, labels, statistics, the manifest whose hash was fixed before labelling."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.study_report import AnnotatorReport, StudyReport
from btc_gui.exports.files import safe_name, write_whole
from btc_gui.exports.matrix import matrix_path, write_matrix_csv, write_matrix_svg
from btc_gui.exports.tables import write_csv, write_json

_LABEL_COLUMNS = (
    "annotator",
    "layer",
    "item",
    "answer",
    "event",
    "design_stratum",
    "stratum",
    "frame_size",
    "weight",
    "human",
    "changed_to",
    "reason",
    "note",
    "active_seconds",
    "at",
)


def write_study(report: StudyReport, folder: Path, note: str = "") -> list[Path]:
    """Write everything about an unblinded study into `folder`; gives the files.

    `matrix_*.csv` and `.svg` for every annotator (and every pair), `labels_*.csv` (one row a label, with who and
    when; `btc-gui agreement` reads it), `report_*.json`, and `manifest_*.json`: its SHA-256 is the one that was fixed
    at locking. `note` (such as "Illustrative") stands on every picture and in every table. Raises `InputError` when
    the folder can't be written.
    """
    name = safe_name(report.study.name)
    files: list[Path] = []
    for title, matrix in _matrices(report):
        files.append(write_matrix_csv(matrix, matrix_path(folder, f"{name}_{title}", "csv"), note))
        heading = f"{report.study.name}: {title}"
        files.append(
            write_matrix_svg(matrix, matrix_path(folder, f"{name}_{title}", "svg"), heading, _note(report, note))
        )
    labels = folder / f"labels_{name}.csv"
    rows = [row for annotator in report.annotators for row in _label_rows(annotator)]
    header = [report.machine_role, *_LABEL_COLUMNS]
    if note:
        header, rows = [*header, "data"], [[*row, note] for row in rows]
    write_csv(labels, header, rows)
    files.append(labels)
    files.append(write_json(folder / f"report_{name}.json", {**report_json(report), "note": note}))
    manifest = canonical_json(dict(report.study.manifest)).encode()
    files.append(write_whole(folder / f"manifest_{name}.json", manifest))
    return files


def report_json(report: StudyReport) -> dict[str, object]:
    """The report as data, without the single cases."""
    study = report.study
    return {
        "study": study.name,
        "kind": report.kind,
        "mode": report.mode.value,
        "mode_text": report.mode.text,
        report.machine_role: report.machine,
        "state": study.state.value,
        "manifest_sha256": study.manifest_sha256,
        "codebook_version": study.manifest["codebook_version"],
        "frame": dict(study.manifest["frame"]),
        "frame_shares": report.frame_shares,
        "excluded": dict(report.excluded),
        "drawn": report.drawn,
        "events": report.events,
        "annotators": [_annotator_json(annotator) for annotator in report.annotators],
        "between_annotators": [pair.agreement.as_json() for pair in report.between],
        "exposures": [{"answer": e.answer_id, "person": e.person, "at": e.at} for e in report.exposures],
        "problems": list(report.problems),
    }


def _matrices(report: StudyReport) -> Iterator[tuple[str, ConfusionMatrix]]:
    for annotator in report.annotators:
        yield annotator.annotator, annotator.matrix
        if annotator.merged is not None:
            yield f"{annotator.annotator} merged", annotator.merged
    for pair in report.between:
        yield f"{pair.first} and {pair.second}", pair.matrix


def _note(report: StudyReport, note: str) -> str:
    mode = report.mode.text.capitalize()
    return f"{mode}. {note}".strip()


def _annotator_json(annotator: AnnotatorReport) -> dict[str, object]:
    found: dict[str, object] = {
        "annotator": annotator.annotator,
        "layer": annotator.layer.value,
        "items": len(annotator.cases),
        "labelled": annotator.labelled,
        "unsure": len(annotator.unsure),
        "missing": len(annotator.missing),
        "withdrawn": annotator.withdrawn,
        "changed_later": annotator.changed,
        "active_seconds": round(annotator.active_seconds, 1),
        "agreement": annotator.agreement.as_json(),
    }
    if annotator.averaged is not None:
        found["agreement_configurations_alike"] = annotator.averaged.as_json()
    if annotator.merged is not None:
        found["merged"] = _matrix_json(annotator.merged)
    return found


def _matrix_json(matrix: ConfusionMatrix) -> dict[str, object]:
    return {
        "rows": matrix.rows_name,
        "columns": matrix.columns_name,
        "classes": list(matrix.classes),
        "counts": [list(row) for row in matrix.counts],
        "left_out": dict(matrix.left_out),
    }


def _label_rows(annotator: AnnotatorReport) -> Iterator[list[object]]:
    for case in annotator.cases:
        yield [
            case.machine,
            annotator.annotator,
            annotator.layer.value,
            case.item,
            case.key,
            case.event,
            case.stratum,
            case.cell,
            case.frame_count,
            round(case.weight, 6),
            case.human,
            case.changed_to,
            case.reason,
            case.note,
            case.active_seconds,
            case.at,
        ]
