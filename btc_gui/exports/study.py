"""A study's report as files: matrices, labels, statistics, the page, the design and log, and what recomputes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.agreement_report import Statistic
from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import Layer
from btc_gui.domain.report_sections import ReportSection, blinding_notes, report_sections
from btc_gui.domain.study_report import AnnotatorReport, StudyReport
from btc_gui.exports.drawing import PICTURES
from btc_gui.exports.files import safe_name, write_whole
from btc_gui.exports.latex import write_matrix_latex, write_statistics_latex
from btc_gui.exports.matrix import (
    matrix_json,
    matrix_path,
    write_matrix_csv,
    write_matrix_json,
    write_matrix_pictures,
)
from btc_gui.exports.study_labels import write_labels_csv, write_labels_jsonl
from btc_gui.exports.study_page import write_study_page
from btc_gui.exports.tables import write_csv, write_json

#: Recomputes the main figures from a file of labels, with nothing but Python.
SCRIPT = "recompute.py"


def write_study(report: StudyReport, folder: Path, note: str = "", *, for_spreadsheets: bool = False) -> list[Path]:
    """Write everything about an unblinded study into `folder`; gives the files.

    For every annotator, layer and pair `matrix_*` (CSV, JSON, LaTeX, SVG, PNG, PDF) and `labels_*.csv`, one row an
    item (`btc-gui agreement` reads it); `labels_*.jsonl`, every row of the packets' logs; `report_*.html` and
    `.json`, `statistics_*.csv` and `.tex`; `manifest_*.json`, whose SHA-256 is the one that was fixed at locking;
    `log_*.jsonl`, the hash-chained log; and a script that recomputes the main figures. The same report gives the same
    bytes. `note` (such as "Illustrative") stands on every picture and in every table. `for_spreadsheets`: the tables of
    labels open well in Excel (see `write_labels_csv`). Raises `InputError` when the
    folder can't be written.
    """
    name = safe_name(report.study.name)
    sections = report_sections(report)
    files = list(_matrix_files(report, folder, name, note))
    for each in report.all_layers:
        path = folder / f"labels_{name}_{safe_name(_title(each))}.csv"
        files.append(write_labels_csv(report, each, path, note, for_spreadsheets=for_spreadsheets))
    files.append(write_labels_jsonl(report, folder / f"labels_{name}.jsonl"))
    files.append(write_study_page(report, folder / f"report_{name}.html", note))
    files.append(write_json(folder / f"report_{name}.json", {**report_json(report), "note": note}))
    files.append(_write_statistics(sections, folder / f"statistics_{name}.csv", note))
    primary = next(section for section in sections if section.key == "labels")
    heading = f"{report.study.name}: {primary.title}"
    files.append(write_statistics_latex(primary.statistics, folder / f"statistics_{name}.tex", heading, note))
    manifest = canonical_json(dict(report.study.manifest)).encode()
    files.append(write_whole(folder / f"manifest_{name}.json", manifest))
    log = "".join(f"{canonical_json(asdict(entry))}\n" for entry in report.record.log)
    files.append(write_whole(folder / f"log_{name}.jsonl", log.encode()))
    files.append(write_whole(folder / SCRIPT, (paths.resources() / "scripts" / SCRIPT).read_bytes()))
    return files


def write_matrices(report: StudyReport, folder: Path, note: str = "") -> list[Path]:
    """Write only the matrices of a study; gives the files. They are those of `write_study`."""
    return list(_matrix_files(report, folder, safe_name(report.study.name), note))


def report_json(report: StudyReport) -> dict[str, object]:
    """The report as data, without the single cases. The study's state is not in it: exporting changes that."""
    study = report.study
    return {
        "study": study.name,
        "kind": report.kind,
        "mode": report.mode.value,
        "mode_text": report.mode.text,
        report.machine_role: report.machine,
        "manifest_sha256": study.manifest_sha256,
        "log_sha256": report.log_hashes,
        "codebook_version": study.manifest["codebook_version"],
        "unsure_rule": study.design.unsure_rule.value,
        "blinding": list(blinding_notes(report)),
        "frame": dict(study.manifest["frame"]),
        "frame_shares": report.frame_shares,
        "excluded": dict(report.excluded),
        "drawn": report.drawn,
        "events": report.events,
        "annotators": [_annotator_json(annotator) for annotator in report.annotators],
        "revealed": [_annotator_json(annotator) for annotator in report.revealed],
        "anchoring": [
            {
                "annotator": each.annotator,
                "towards": each.towards,
                "away": each.away,
                "between": each.between,
                "statistics": _statistics_json((each.blind, each.revealed, each.difference, each.p)),
            }
            for each in report.anchoring
        ],
        "adjudicated": _annotator_json(report.adjudicated) if report.adjudicated is not None else None,
        "adjudicated_by_annotators": list(report.own_adjudicators),
        "between_annotators": [
            {**pair.agreement.as_json(), "differing": [one.item for one, _ in pair.differing]}
            for pair in report.between
        ],
        "all_annotators": asdict(report.alpha) if report.alpha is not None else None,
        "pools": [
            {"pool": pool.name, "frame": pool.frame, "agreement": pool.agreement.as_json()} for pool in report.pools
        ],
        "configurations": [{**asdict(bound), "share": bound.share} for bound in report.bounds],
        "practice": [
            {"annotator": each.annotator, "mark": each.mark, "rounds": [asdict(one) for one in each.rounds]}
            for each in report.practice
        ],
        "masked": dict(report.masked),
        "changed_pages": [asdict(change) for change in report.changed_pages],
        "amendments": [asdict(amendment) for amendment in report.amendments],
        "exposures": [{"answer": e.answer_id, "person": e.person, "at": e.at} for e in report.exposures],
        "problems": list(report.problems),
    }


def _title(each: AnnotatorReport) -> str:
    """Whose labels: the layer is named where it is not the first."""
    return (
        f"{each.annotator} {each.layer.value}" if each.layer in (Layer.REVEALED, Layer.ADJUDICATION) else each.annotator
    )


def _matrix_files(report: StudyReport, folder: Path, name: str, note: str) -> Iterator[Path]:
    for title, matrix, words, is_drawn in _matrices(report):
        heading = f"{report.study.name}: {title}"
        foot = f"{words.capitalize()}. {note}".strip()

        def place(suffix: str, title: str = title) -> Path:
            return matrix_path(folder, f"{name}_{title}", suffix)

        yield write_matrix_csv(matrix, place("csv"), note)
        yield write_matrix_json(matrix, place("json"), heading, foot)
        yield write_matrix_latex(matrix, place("tex"), heading, foot)
        if is_drawn:
            yield from write_matrix_pictures(matrix, {suffix: place(suffix) for suffix in PICTURES}, heading, foot)


def _matrices(report: StudyReport) -> Iterator[tuple[str, ConfusionMatrix, str, bool]]:
    """Title, matrix, layer in words, and whether it is drawn: those of components are tables only."""
    for each in report.all_layers:
        title, words = _title(each), each.layer.text
        yield title, each.matrix, words, True
        if each.merged is not None:
            yield f"{title} merged", each.merged, words, True
        if each.components is not None:
            yield f"{title} evidence", each.components.evidence.matrix, words, False
            yield f"{title} queries", each.components.queries.matrix, words, False
            yield f"{title} derived", each.components.derived.matrix, words, False
    for pair in report.between:
        yield f"{pair.first} and {pair.second}", pair.matrix, report.mode.layers[0].text, True


def _write_statistics(sections: tuple[ReportSection, ...], path: Path, note: str) -> Path:
    """Every statistic of the report, one a row, with the section that it stands in."""
    header = ["section", "about", "key", "statistic", "scope", "k", "n", "estimate", "low", "high", "method", "reason"]
    rows: list[list[object]] = []
    for section in sections:
        for each in section.statistics:
            k, n = each.count or (None, None)
            low, high = each.interval or (None, None)
            about = [section.title, section.who, each.key, each.name, each.scope]
            rows.append([*about, k, n, each.value, low, high, each.method, each.reason])
    if note:
        header, rows = [*header, "data"], [[*row, note] for row in rows]
    write_csv(path, header, rows)
    return path


def _annotator_json(annotator: AnnotatorReport) -> dict[str, object]:
    found: dict[str, object] = {
        "annotator": annotator.annotator,
        "layer": annotator.layer.value,
        "layer_text": annotator.layer.text,
        "items": len(annotator.cases),
        "labelled": annotator.labelled,
        "unsure": len(annotator.unsure),
        "broken": len(annotator.broken),
        "missing": len(annotator.missing),
        "withdrawn": annotator.withdrawn,
        "changed_later": annotator.changed,
        "too_late": len(annotator.late),
        "active_seconds": round(annotator.active_seconds, 1),
        "agreement": annotator.agreement.as_json(),
        "weighted_by": "cell" if annotator.is_by_cell else "stratum",
        "readings": [asdict(reading) for reading in annotator.readings],
    }
    if annotator.averaged is not None:
        found["agreement_configurations_alike"] = annotator.averaged.as_json()
    if annotator.merged is not None and annotator.merged_agreement is not None:
        found["merged"] = matrix_json(annotator.merged)
        found["merged_agreement"] = annotator.merged_agreement.as_json()
    if annotator.repeats is not None:
        repeats = annotator.repeats
        found["repeats"] = {
            "shown": repeats.shown,
            "changed": [asdict(item) for item in repeats.changed],
            "statistics": _statistics_json((repeats.same, repeats.kappa)),
        }
    if annotator.components is not None:
        parts = annotator.components
        found["components"] = {
            "items": len(parts.items),
            "left_out": dict(parts.left_out),
            "evidence": parts.evidence.as_json(),
            "queries": parts.queries.as_json(),
            "derived": parts.derived.as_json(),
            "statistics": _statistics_json((*parts.query_statistics, *parts.passages, parts.overrides)),
            "causes": {cause.value: count for cause, count in parts.causes.items()},
            "disagreements": [{"item": item.item, "cause": str(item.cause)} for item in parts.disagreements],
        }
    return found


def _statistics_json(statistics: tuple[Statistic, ...]) -> dict[str, object]:
    return {statistic.key: asdict(statistic) for statistic in statistics}
