"""Commands about a project file as a whole: new, info, check, copy."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import DONE, DONE_IN_PART, echo_json, json_option, open_project
from btc_gui.errors import InputError
from btc_gui.jobs.check_project import check_project
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.project_file import copy_project
from btc_gui.store.projects import ProjectStore


@click.command("new")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--name", default="", help="The project's name (default: the file's).")
def new_command(project: Path, name: str) -> None:
    """Make a new, empty project."""
    if not project.name:
        raise InputError(f"“{project}” is not a name for a file.", "Write, for instance: btc-gui new spring.btc")
    if not project.suffix:
        project = project.with_suffix(".btc")
    with Database.create(project, name) as database:
        click.echo(f"Made {database.path}.")


@click.command("info")
@click.argument("project", type=click.Path(path_type=Path))
@json_option
def info_command(project: Path, as_json: bool) -> None:
    """Say what a project holds."""
    with open_project(project) as database:
        store = ProjectStore(database)
        counts = asdict(store.counts())
        if as_json:
            echo_json(
                {"project": str(database.path), "name": store.name, "illustrative": store.is_illustrative, **counts}
            )
            return
        click.echo(f"{store.name} ({database.path})")
        if store.is_illustrative:
            click.echo("Illustrative: model behaviour in this project is invented.")
        for subject, count in counts.items():
            click.echo(f"{subject:>16}  {count:,}")


@click.command("check")
@click.argument("project", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def check_command(context: click.Context, project: Path, as_json: bool) -> None:
    """Check a project: integrity, versions, orphaned rows, approvals, lint, the filter, samples, studies' logs."""
    with open_project(project) as database:
        findings = check_project(database, Progress())
    if as_json:
        echo_json({"project": str(project), "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            click.echo(f"{finding.severity}: {finding.text}")
        if all(finding.severity == "figure" for finding in findings):
            click.echo(f"{project.name} is sound.")
    context.exit(DONE_IN_PART if any(f.severity == "error" for f in findings) else DONE)


@click.command("copy")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
def copy_command(project: Path, target: Path) -> None:
    """Write a complete copy of a project, also of a read-only one, and while it is in use."""
    click.echo(f"Copied to {copy_project(project, target)}.")
