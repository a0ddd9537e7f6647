"""Commands that write files for papers and other programs: export tables, export matrix, export log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from btc_gui import paths
from btc_gui.cli.common import (
    cancelled_by_ctrl_c,
    categories,
    echo_json,
    find_run,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.cli.compare import compared
from btc_gui.cli.counted_answers import person_on_record, put_on_record, show_open_option, with_trials_option
from btc_gui.cli.export_cases import export_cases_command
from btc_gui.cli.export_figures import export_figures_command, pictures_option, write_all_figures
from btc_gui.errors import StudyError
from btc_gui.exports.change_tables import write_comparison
from btc_gui.exports.files import safe_name
from btc_gui.exports.release import write_release
from btc_gui.exports.results import left_out_words, write_results
from btc_gui.exports.study import write_matrices, write_study
from btc_gui.jobs.conclude_study import note_report
from btc_gui.jobs.export_log import export_log
from btc_gui.jobs.read_results import read_results
from btc_gui.jobs.study_report import study_report
from btc_gui.progress import Progress
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore

_out = click.option("--out", type=click.Path(path_type=Path), default=None, help="The folder (default: exports).")


@click.group("export")
def export_command() -> None:
    """Write result tables, figures, confusion matrices, case cards and logs as files.

    Existing tables and pictures of the same name are replaced whole.
    """


export_command.add_command(export_cases_command)


@export_command.command("tables")
@project_option
@_out
@with_trials_option
@show_open_option
@json_option
def export_tables_command(project: Path, out: Path | None, with_trials: bool, show_open: bool, as_json: bool) -> None:
    """Write every table of results (CSV, JSON, Markdown, LaTeX), the matrices of unblinded studies, the single
    answers and one manifest of hashes.

    What would tell a label of a study whose key is closed is left out, and said.
    """
    folder = out or paths.exports() / project.stem
    progress = text_progress("export")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        person = person_on_record(database, show_open)
        files = write_tables(database, folder, progress, with_trials=with_trials, person=person)
    _tell(files, as_json)


def write_tables(
    database: Database,
    folder: Path,
    progress: Progress,
    also: Sequence[Path] = (),
    *,
    with_trials: bool = False,
    person: str | None = None,
) -> list[Path]:
    """Write all tables and the matrices of unblinded studies; the manifest names `also` too. Tells what is left out.

    `person` is who looks (see `ResultStore`).
    """
    record = read_results(database, progress, with_trials=with_trials, person=person)
    if record.results.repeats_note:
        click.echo(f"note: {record.results.repeats_note}", err=True)
    for words in (record.results.withheld_words, left_out_words(record.results)):
        if words:
            click.echo(f"note: {words}", err=True)
    if record.results.withheld_words:
        click.echo("note: --show-open writes all, and their logs note that you have seen it.", err=True)
    for problem in record.problems:
        click.echo(f"note: no matrix of {problem}", err=True)
    files = list(also)
    for report in record.reports:
        matrices = write_matrices(report, folder, record.note)
        note_report(database, report.study.id, matrices, load_settings().reviewer)
        files += matrices
    return write_results(record, folder, also=files)


@export_command.command("all")
@project_option
@_out
@pictures_option
@with_trials_option
@show_open_option
@json_option
def export_all_command(
    project: Path, out: Path | None, formats: tuple[str, ...], with_trials: bool, show_open: bool, as_json: bool
) -> None:
    """Write all tables, figures and matrices with one manifest of hashes. The same project gives the same bytes."""
    folder = out or paths.exports() / project.stem
    progress = text_progress("export")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        person = person_on_record(database, show_open)
        figures = write_all_figures(database, folder, progress, formats=formats, with_trials=with_trials, person=person)
        files = write_tables(database, folder, progress, figures, with_trials=with_trials, person=person)
    _tell(files, as_json)


export_command.add_command(export_figures_command)


@export_command.command("comparison")
@click.argument("before")
@click.argument("after")
@project_option
@_out
@show_open_option
@json_option
def export_comparison_command(
    before: str, after: str, project: Path, out: Path | None, show_open: bool, as_json: bool
) -> None:
    """Write what got better and worse from one side to another, with the events that changed.

    A side is release:NAME, date:DAY, as-of:DAY or run:NUMBER; “btc-gui compare” lists them.
    """
    folder = out or paths.exports() / project.stem
    progress = text_progress("export")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        record, one, other, rows = compared(database, before, after, progress, show_open)
        files = write_comparison(rows, one, other, folder, record.note, blinded=record.blinded)
    _tell(files, as_json)


@export_command.command("matrix")
@project_option
@_out
@json_option
def export_matrix_command(project: Path, out: Path | None, as_json: bool) -> None:
    """Write the reports of all unblinded studies: matrices, labels, page, manifest and log.

    As with “btc-gui study report”, the log of each study notes the export.
    """
    folder = out or paths.exports() / project.stem
    files: list[Path] = []
    with open_project(project) as database:
        store = StudyStore(database)
        unblinded = [study for study in store.all() if study.state.is_unblinded]
        if not unblinded:
            raise StudyError("No study of this project is unblinded yet.", "See “btc-gui study list”.")
        progress = text_progress("export")
        for study in unblinded:
            report = study_report(database, study.id, progress, categories())
            put_on_record(database, study.id)
            written = write_study(report, folder, _note(database))
            note_report(database, study.id, written, load_settings().reviewer)
            files += written
    _tell(files, as_json)


@export_command.command("log")
@project_option
@click.option("--run", "run", required=True, help="The run (number or name).")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The log to write, such as run.eval.")
@json_option
def export_log_command(project: Path, run: str, out: Path, as_json: bool) -> None:
    """Write a run's answers, their steps and the judges' verdicts as Inspect logs (“inspect view” opens them).

    A log has one configuration: a run with several becomes several files, with model and effort in their names.
    Nothing is replaced.
    """
    progress = text_progress("export log")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        written = export_log(database, find_run(database, run), out, progress)
    _tell([each.path for each in written], as_json)


@export_command.command("release")
@click.argument("name")
@project_option
@_out
@json_option
def export_release_command(name: str, project: Path, out: Path | None, as_json: bool) -> None:
    """Write a release: pairs as JSON lines and CSV, datasheet, manifest. The same bytes every time."""
    with open_project(project) as database:
        folder = out or paths.exports() / project.stem / safe_name(name, "release")
        files = write_release(database, name, folder)
    _tell(files, as_json)


def _note(database: Database) -> str:
    return "Illustrative: invented behaviour of fictional models." if ProjectStore(database).is_illustrative else ""


def _tell(files: list[Path], as_json: bool) -> None:
    if as_json:
        echo_json({"files": [str(file) for file in files]})
        return
    for file in files:
        click.echo(file)
