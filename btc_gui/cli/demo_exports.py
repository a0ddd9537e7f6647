"""What the demo leaves behind beside its project: tables, matrices and a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from btc_gui.cli.demo_project import DemoRun, answer_of
from btc_gui.domain.accuracy_table import AccuracyRow
from btc_gui.domain.category import Category
from btc_gui.domain.composition_table import CompositionRow
from btc_gui.domain.results import results_of
from btc_gui.domain.study_report import StudyReport
from btc_gui.domain.trajectory import AnswerId
from btc_gui.exports.comparison import write_comparison_csv, write_comparison_page
from btc_gui.exports.result_tables import write_accuracy_table, write_composition_table, write_retention_table
from btc_gui.exports.study import write_study
from btc_gui.jobs.study_report import study_report
from btc_gui.progress import Progress
from btc_gui.sessions.comparing import ComparingSession
from btc_gui.store.database import Database
from btc_gui.store.results import ResultStore
from btc_gui.store.runs import RunStore

NOTE = "Illustrative: invented behaviour of fictional models."


@dataclass(frozen=True, slots=True)
class DemoTables:
    """What the exports are made from, and the files."""

    accuracy: tuple[AccuracyRow, ...]
    composition: tuple[CompositionRow, ...]
    studies: tuple[StudyReport, ...]
    files: tuple[Path, ...]


def write_exports(
    database: Database,
    run: DemoRun,
    comparison: Mapping[str, Any],
    categories: Mapping[str, Category],
    folder: Path,
    progress: Progress,
) -> DemoTables:
    """Write tables, the comparison and the studies' matrices below `folder`. Raises `InputError` when it can't."""
    store = ResultStore(database)
    results = results_of(store.answers(), RunStore(database).configurations(), store.blinding())
    accuracy, composition = results.accuracy, results.composition
    files = [
        write_accuracy_table(accuracy, folder / "tables" / "accuracy.csv", NOTE),
        write_composition_table(composition, folder / "tables" / "failure_modes.csv", NOTE),
        write_retention_table(run.retention, folder / "tables" / "retention.csv", NOTE),
    ]
    progress.report(1, 3, "Writing the comparison")
    files += _write_comparison(database, comparison, categories, folder / "comparison")
    progress.report(2, 3, "Drawing the matrices")
    studies = tuple(study_report(database, study_id, progress) for study_id in run.studies.values())
    for study in studies:
        files += write_study(study, folder / "studies", NOTE)
    return DemoTables(accuracy, composition, studies, tuple(files))


def _write_comparison(
    database: Database, wanted: Mapping[str, Any], categories: Mapping[str, Category], folder: Path
) -> list[Path]:
    """The two described trajectories of one probe, aligned step by step."""
    session = ComparingSession(database, categories, "demo")
    session.open(_side(database, wanted, "left"))
    session.compare_with(_side(database, wanted, "right"))
    left, right = (side.case.configuration.title for side in session.sides)
    pairs = [(row.steps[0], row.steps[1]) for row in session.rows]
    title = session.event.title if session.event else session.change
    facts = [f"Change: {session.change}", f"Request: {session.left.case.probe_text}"]
    name = f"comparison_{wanted['probe']}"
    return [
        write_comparison_csv(pairs, left, right, folder / f"{name}.csv", NOTE),
        write_comparison_page(
            pairs,
            left,
            right,
            folder / f"{name}.md",
            title,
            facts,
            NOTE,
        ),
    ]


def _side(database: Database, wanted: Mapping[str, Any], side: str) -> AnswerId:
    return answer_of(database, wanted["probe"], wanted[side]["model"], wanted[side]["effort"])
