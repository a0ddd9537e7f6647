"""All tables of results as files: CSV, JSON, Markdown, LaTeX, the single answers, and a script for the accuracies."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.judge_correction import corrected_gaps, corrected_modes, corrected_pools, corrections
from btc_gui.domain.model_tables import cutoff_rows, effort_rows, stage_rows
from btc_gui.domain.result_cases import ResultCases
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.domain.result_table import Cell, ResultTable
from btc_gui.domain.results import Results
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.exports.behaviour_tables import (
    behaviour_table,
    category_table,
    common_tables,
    contrast_table,
    cutoff_table,
    effort_table,
    gap_table,
    query_table,
    stage_table,
)
from btc_gui.exports.corrected_tables import corrected_gap_table, corrected_mode_table, corrected_table
from btc_gui.exports.files import write_whole
from btc_gui.exports.printed_tables import latex_page, markdown_page
from btc_gui.exports.result_tables import (
    HEAD,
    accuracy_table,
    composition_table,
    head_cells,
    plain,
    repeat_table,
    retention_table,
    write_table,
)
from btc_gui.exports.tables import write_json

#: Recomputes accuracies and drops from the answers, with nothing but Python.
SCRIPT = "recompute_accuracy.py"
MANIFEST = "tables_manifest.json"


#: The tables of which a study that is open withholds rows.
RESTING_ON_LABELS = frozenset(
    {
        *("accuracy", "corrected_accuracy", "corrected_gaps", "gaps", "common_probes", "failure_modes", "queries"),
        *("behaviour", "effort_change", "harness_change", "category_gaps", "repetitions"),
    }
)


def result_tables(record: ResultsRecord) -> list[ResultTable]:
    """Every table that has a row; unblinded studies correct what machines said."""
    results, facts, reports = record.results, record.facts, record.reports
    used, pooled = results.configurations, results.pooled
    cases = ResultCases(results.shown)
    known = corrections(reports, facts.judges, {group.head.category for group in results.whole})
    counted = [answer for group in results.groups for answer in group.answers]
    tables = [
        accuracy_table(results.accuracy, cases, known),
        corrected_table(corrected_pools(pooled, known, results.open_categories), pooled),
        corrected_gap_table(corrected_gaps(pooled, known, results.open_categories), pooled),
        gap_table(results.gaps(), cases),
        *common_tables(results.common(), cases, known),
        composition_table(results.composition, cases),
        corrected_mode_table(corrected_modes(reports)),
        query_table(results.queries(), cases),
        behaviour_table(results.behaviour(), cases),
        contrast_table("effort_change", "High less low effort", results.by_effort(), cases),
        contrast_table("harness_change", "Shared less native harness", results.by_harness(), cases),
        category_table(results.by_category(), cases),
        repeat_table(results.repeats, [*counted, *results.further_answers]),
        retention_table(record.retention),
        stage_table(stage_rows(used, facts.roles, facts.judges)),
        cutoff_table(cutoff_rows(used, facts.models)),
        effort_table(effort_rows(used, facts.models)),
    ]
    kept = [table for table in tables if table.rows or table.name in ("accuracy", "failure_modes")]
    withheld = results.withheld_words
    if not withheld:
        return kept
    return [
        replace(table, words=f"{table.words} {withheld}") if table.name in RESTING_ON_LABELS else table
        for table in kept
    ]


def write_results(record: ResultsRecord, folder: Path, *, also: Sequence[Path] = ()) -> list[Path]:
    """Write each table as CSV, JSON, Markdown and LaTeX, the single answers, a script that recomputes the accuracies,
    and one manifest with the hashes of all of them and of `also`: files in `folder` that are written already, such as
    matrices and figures.

    The same results give the same bytes. Of a configuration with answers in a study whose key is closed, the single
    answers, which would tell labels, are left out, and the manifest says so. Raises `InputError` when the folder can't
    be written.
    """
    results, note = record.results, record.note
    files = list(also)
    for table in result_tables(record):
        files += write_formats(table, folder, note)
    left_out = left_out_words(results)
    if results.groups or not left_out:
        files.append(write_table(answer_table(results), folder / "answers.csv", note))
        files.append(write_whole(folder / SCRIPT, (paths.resources() / "scripts" / SCRIPT).read_bytes()))
    manifest = {
        "files": {file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
        "left_out": left_out,
        "withheld": results.withheld_words,
        "note": note,
        "repetitions": results.repeats_note,
    }
    return [*files, write_json(folder / MANIFEST, manifest)]


def left_out_words(results: Results) -> str:
    """Which answers answers.csv does not have, and why; empty where it has all."""
    listed = sum(len(group.answers) for group in results.groups)
    missing = sum(len(group.answers) for group in results.whole) - listed
    if not missing:
        return ""
    which = f"{missing:,} of {missing + listed:,} answers are left out" if listed else "the file is left out"
    return f"answers.csv: {which}, since single answers would tell labels of a study that isn't unblinded."


def write_formats(table: ResultTable, folder: Path, note: str = "") -> list[Path]:
    """One table as CSV, JSON, Markdown and LaTeX."""
    return [
        write_table(table, folder / f"{table.name}.csv", note),
        _write_json(table, folder / f"{table.name}.json", note),
        write_whole(folder / f"{table.name}.md", markdown_page(table, note).encode("utf-8", "backslashreplace")),
        write_whole(folder / f"{table.name}.tex", latex_page(table, note).encode("utf-8", "backslashreplace")),
    ]


def answer_table(results: Results) -> ResultTable:
    """Every final answer with its label and mode; `counted` says which one of a probe's answers the tables count.

    Without those of a category and configuration that have an answer in a study whose key is closed.
    """
    heads = {(group.head.category, group.head.configuration_id): group.head for group in results.groups}
    listed: list[tuple[ResultAnswer, str]] = [(each, "yes") for group in results.groups for each in group.answers]
    listed += [(each, "no") for each in results.further_answers if (each.category, each.configuration) in heads]
    body: list[tuple[Cell, ...]] = []
    for answer, counted in sorted(listed, key=lambda entry: entry[0].id):
        _, *configuration = head_cells(heads[answer.category, answer.configuration])
        facts: tuple[Cell, ...] = (int(answer.event), answer.probe, str(answer.kind))
        mode = None if answer.mode is None else str(answer.mode)
        body.append(
            (
                f"btc:{answer.id}",
                answer.category,
                *configuration,
                *facts,
                *(answer.run, answer.repetition, counted, answer.outcome, mode, answer.queries),
            )
        )
    header = ("answer", *HEAD, "event", "probe", "kind", "run", "repetition", "counted", "outcome", "mode", "queries")
    return ResultTable("answers", "Answers", "One row for each final answer.", header, tuple(body))


def _write_json(table: ResultTable, path: Path, note: str) -> Path:
    rows = [{name: _rounded(cell) for name, cell in zip(table.header, row, strict=True)} for row in table.rows]
    return write_json(path, {"title": table.title, "words": table.words, "note": note, "rows": rows})


def _rounded(cell: Cell) -> Cell:
    """As many digits as the CSV has: the last ones of a double differ between machines."""
    return float(str(plain(cell))) if isinstance(cell, float) else cell
