"""The packets of a study: write them, take them back."""

from __future__ import annotations

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
from btc_gui.errors import BtcError, InputError
from btc_gui.jobs.audit_study import audit_study, written_by_the_app
from btc_gui.jobs.issue_adjudication import issue_adjudication
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.issue_revealed import issue_revealed
from btc_gui.jobs.return_packet import return_packet
from btc_gui.settings import load_settings
from btc_gui.store.studies import StudyStore


@click.command("packet")
@click.argument("study")
@project_option
@click.option("--annotator", default="", help="For whom (default: the primary annotator).")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path(), help="The folder for the packet (default: here)."
)
@click.option("--again", is_flag=True, help="Write the same packet once more: the first one got lost.")
@click.option(
    "--revealed", is_flag=True, help="The second packet, with the classifier's findings (blind, then revealed)."
)
@click.option("--abandon", default="", metavar="REASON", help="With --revealed: why missing blind labels never come.")
@json_option
def packet_command(
    study: str, project: Path, annotator: str, out: Path, again: bool, revealed: bool, abandon: str, as_json: bool
) -> None:
    """Write the packet of one annotator."""
    if abandon and not revealed:
        raise InputError("--abandon belongs to --revealed.", "Closing a study has an --abandon of its own.")
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        who = annotator or found.design.annotators[0]
        actor, progress = load_settings().reviewer, text_progress("Writing")
        if revealed:
            path = issue_revealed(
                database, found.id, who, out, categories(), actor, progress, abandon_reason=abandon, again=again
            )
        else:
            path = issue_packet(database, found.id, who, out, categories(), actor, progress, again=again)
    _tell_packet(who, "annotator", path, as_json=as_json)


def _tell_packet(who: str, role: str, path: Path, *, as_json: bool) -> None:
    if as_json:
        echo_json({role: who, "packet": str(path)})
    else:
        click.echo(f"{path} is the packet of {who}. Label it with “btc-gui packet {path}”.")


@click.command("adjudicate")
@click.argument("study")
@project_option
@click.option("--by", "adjudicator", required=True, help="Who decides.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path(), help="The folder for the packet (default: here)."
)
@click.option("--again", is_flag=True, help="Write the same packet once more: the first one got lost.")
@json_option
def adjudicate_command(study: str, project: Path, adjudicator: str, out: Path, again: bool, as_json: bool) -> None:
    """Write the packet that decides where annotators of a closed study differ, or were unsure."""
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        actor, progress = load_settings().reviewer, text_progress("Writing")
        path = issue_adjudication(database, found.id, adjudicator, out, categories(), actor, progress, again=again)
    if adjudicator.casefold() in {name.casefold() for name in found.design.annotators}:
        click.echo(f"note: {adjudicator} gave some of these labels; the report will say so.", err=True)
    _tell_packet(adjudicator, "adjudicator", path, as_json=as_json)


@click.command("audit")
@click.argument("study")
@project_option
@click.option("--packet", "packets", multiple=True, type=click.Path(path_type=Path), help="A packet (repeatable).")
@click.option(
    "--also",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file or folder that annotators can reach, such as one of exports (repeatable).",
)
@json_option
@click.pass_context
def audit_command(
    context: click.Context, study: str, project: Path, packets: tuple[Path, ...], also: tuple[Path, ...], as_json: bool
) -> None:
    """Search packets, their window, logs, settings and further places for what is hidden from annotators."""
    places = {**written_by_the_app(), "other places": also}
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        report = audit_study(database, found.id, packets, text_progress("Searching"), places=places)
    if as_json:
        echo_json(report.as_json())
    else:
        click.echo(f"{report.words:,} hidden words looked for")
        for channel, pieces in report.channels.items():
            leaks = [leak for leak in report.leaks if leak.channel == channel]
            click.echo(f"  {channel}: {pieces:,} searched, {f'{len(leaks)} found' if leaks else 'nothing found'}")
            for leak in leaks:
                click.echo(f"    {leak.what}: {leak.text} (in {leak.where})")
    context.exit(DONE_IN_PART if report.leaks else DONE)


@click.command("return")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@project_option
@json_option
@click.pass_context
def return_command(context: click.Context, files: tuple[Path, ...], project: Path, as_json: bool) -> None:
    """Take labelled packets back. Twice is the same as once."""
    reports: list[dict[str, object]] = []
    lines: list[str] = []
    is_complete = True
    with open_project(project) as database:
        for file in files:
            try:
                report = return_packet(database, file, load_settings().reviewer, text_progress(file.name))
            except BtcError as error:
                if len(files) == 1:
                    raise
                is_complete = False
                reports.append({"file": str(file), "refused": str(error)})
                lines.append(f"{file.name}: refused. {error}")
                continue
            is_complete = is_complete and not report.missing and not report.late_rows
            reports.append({"file": str(file), **report.as_json()})
            lines.append(f"{file.name}: {report.text}")
    if as_json:
        echo_json({"packets": reports})
    else:
        click.echo("\n".join(lines))
    context.exit(DONE if is_complete else DONE_IN_PART)
