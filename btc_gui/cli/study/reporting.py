"""The end of a study: close, unblind, report, amend; and its log."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    categories,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.cli.counted_answers import put_on_record
from btc_gui.domain.number_words import counted
from btc_gui.domain.report_lines import matrix_lines, statistic_lines
from btc_gui.domain.report_sections import ReportTable, report_sections
from btc_gui.domain.study import Account
from btc_gui.domain.study_report import StudyReport
from btc_gui.exports.study import report_json, write_study
from btc_gui.exports.study_labels import cells_too_long
from btc_gui.jobs.conclude_study import amend_study, note_report
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, study_problems, unblind_study
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore

_SHOWN = 20


@click.command("close")
@click.argument("study")
@project_option
@click.option("--abandon", default="", metavar="REASON", help="Why items without a label will never get one.")
@json_option
def close_command(study: str, project: Path, abandon: str, as_json: bool) -> None:
    """End labelling and seal the labels by their hash."""
    with open_project(project) as database:
        study_id = StudyStore(database).find(study).id
        accounts = close_study(database, study_id, load_settings().reviewer, abandon_reason=abandon)
        log_hash = StudyStore(database).log(study_id)[-1].hash
    if as_json:
        echo_json({"accounts": [asdict(account) for account in accounts], "log_sha256": log_hash})
        return
    click.echo("\n".join(_account_line(account) for account in accounts))
    click.echo(f"SHA-256 of the log so far: {log_hash}")


def _account_line(account: Account) -> str:
    return f"{account.annotator}: {account.sent} sent, {account.back} back, {account.missing} missing"


@click.command("unblind")
@click.argument("study")
@project_option
@json_option
def unblind_command(study: str, project: Path, as_json: bool) -> None:
    """Open the key of a closed study."""
    with open_project(project) as database:
        store = StudyStore(database)
        found = store.find(study)
        unblind_study(database, found.id, load_settings().reviewer)
        log_hash = store.log(found.id)[-1].hash
    if as_json:
        echo_json({"study": found.name, "log_sha256": log_hash})
        return
    click.echo(f"“{found.name}” is unblinded. See “btc-gui study report {found.id}”.")
    click.echo(f"SHA-256 of the log so far: {log_hash}")


@click.command("log")
@click.argument("study")
@project_option
@json_option
@click.pass_context
def log_command(context: click.Context, study: str, project: Path, as_json: bool) -> None:
    """Print the study's log and check its hash chain, its manifest and the sealed labels."""
    with open_project(project) as database:
        store = StudyStore(database)
        found = store.find(study)
        log = store.log(found.id)
        problems = study_problems(database, found)
    if as_json:
        echo_json({"log": [asdict(entry) for entry in log], "problems": problems})
    else:
        for entry in log:
            click.echo(f"{entry.number}  {entry.at}  {entry.actor}  {entry.step}  {entry.hash[:12]}")
        click.echo("\n".join(f"Problem: {problem}" for problem in problems) or "The chain holds.")
    context.exit(DONE_IN_PART if problems else DONE)


@click.command("report")
@click.argument("study")
@project_option
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Also write page, matrices, labels and log here."
)
@click.option("--excel", is_flag=True, help="Tables of labels with the byte-order mark that Excel needs.")
@json_option
def report_command(study: str, project: Path, out: Path | None, excel: bool, as_json: bool) -> None:
    """Report an unblinded study: matrices and every statistic with its interval.

    Writing the files is noted in the study's log, with the hash of each: the study is then analysed.
    """
    with open_project(project) as database:
        study_id = StudyStore(database).find(study).id
        report = study_report(database, study_id, text_progress("Reading"), categories())
        put_on_record(database, study_id)
        note = _note(database)
        files = write_study(report, out, note, for_spreadsheets=excel) if out is not None else []
        if files:
            note_report(database, study_id, files, load_settings().reviewer)
    long = cells_too_long(report) if files else 0
    if long:
        told = counted(long, "text is", "texts are")
        click.echo(f"note: {told} too long for a spreadsheet; labels_*.jsonl has all of them whole.", err=True)
    if as_json:
        echo_json({**report_json(report), "note": note, "files": [str(file) for file in files]})
        return
    click.echo("\n".join(report_lines(report)))
    for line in ([note] if note else []) + [f"Wrote {file}" for file in files]:
        click.echo(line)


@click.command("amend")
@click.argument("study")
@click.argument("reason")
@project_option
def amend_command(study: str, reason: str, project: Path) -> None:
    """Note a deviation from the plan of an unblinded study: what was done otherwise, and why."""
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        amend_study(database, found.id, reason, load_settings().reviewer)
    click.echo(f"Noted in the log of “{found.name}”.")


def _note(database: Database) -> str:
    return "Illustrative data." if ProjectStore(database).is_illustrative else ""


def report_lines(report: StudyReport) -> list[str]:
    """The report for a terminal."""
    lines = [report.study.name]
    for section in report_sections(report):
        lines += ["", f"— {section.title} —", *section.words]
        if section.matrix is not None:
            lines += matrix_lines(section.matrix)
        if section.statistics:
            lines += ["", *statistic_lines(section.statistics)]
        if section.table is not None:
            lines += _table_lines(section.table)
    return lines


def _table_lines(table: ReportTable) -> list[str]:
    """The first rows of a table, one a line."""
    lines = ["  ".join(table.header).strip()] if any(table.header) else []
    lines += ["  ".join(" ".join(cell.split()) for cell in row if cell) for row in table.rows[:_SHOWN]]
    more = len(table.rows) - _SHOWN
    return [*lines, f"and {more:,} more (--out writes all)"] if more > 0 else lines
