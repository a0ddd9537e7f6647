"""The end of a study: close, unblind, report; and its log."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.domain.agreement_report import text_lines
from btc_gui.domain.study import Account
from btc_gui.domain.study_report import StudyReport
from btc_gui.exports.study import report_json, write_study
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, study_problems, unblind_study
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore


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
    if as_json:
        echo_json({"accounts": [asdict(account) for account in accounts]})
        return
    click.echo("\n".join(_account_line(account) for account in accounts))


def _account_line(account: Account) -> str:
    return f"{account.annotator}: {account.sent} sent, {account.back} back, {account.missing} missing"


@click.command("unblind")
@click.argument("study")
@project_option
def unblind_command(study: str, project: Path) -> None:
    """Open the key of a closed study."""
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        unblind_study(database, found.id, load_settings().reviewer)
    click.echo(f"“{found.name}” is unblinded. See “btc-gui study report {found.id}”.")


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
    "--out", type=click.Path(path_type=Path), default=None, help="Also write matrices, labels and report here."
)
@json_option
def report_command(study: str, project: Path, out: Path | None, as_json: bool) -> None:
    """Report an unblinded study: matrices and every statistic with its interval."""
    with open_project(project) as database:
        report = study_report(database, StudyStore(database).find(study).id, text_progress("Reading"))
        note = _note(database)
    files = write_study(report, out, note) if out is not None else []
    if as_json:
        echo_json({**report_json(report), "note": note, "files": [str(file) for file in files]})
        return
    click.echo("\n".join(report_lines(report)))
    for line in ([note] if note else []) + [f"Wrote {file}" for file in files]:
        click.echo(line)


def _note(database: Database) -> str:
    return "Illustrative data." if ProjectStore(database).is_illustrative else ""


def report_lines(report: StudyReport) -> list[str]:
    """The report for a terminal."""
    lines = [
        f"{report.study.name}: {report.kind} ({report.mode.text})",
        f"{report.machine_role} {report.machine}; {report.drawn} answers drawn, {report.events} events; "
        f"manifest {report.study.manifest_sha256}",
        "share of the frame: " + ", ".join(f"{label} {share:.3f}" for label, share in report.frame_shares.items()),
    ]
    lines += [f"excluded from the frame: {count} {reason}" for reason, count in report.excluded.items()]
    for annotator in report.annotators:
        lines += ["", f"— {annotator.annotator} —", *text_lines(annotator.agreement)]
        if annotator.withdrawn or annotator.changed:
            lines.append(
                f"{annotator.withdrawn} labels withdrawn, {annotator.changed} changed later (first one counts)"
            )
    if report.exposures:
        lines.append(f"Exposure: {len(report.exposures)} cases were opened while the study was open.")
    return lines + [f"Problem: {problem}" for problem in report.problems]
