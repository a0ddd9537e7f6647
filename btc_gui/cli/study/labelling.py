"""Label a packet from a file."""

from __future__ import annotations

from pathlib import Path

import click

from btc_gui.cli.common import DONE, DONE_IN_PART, echo_json, json_option
from btc_gui.errors import InputError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.recorded_labels import LabellingReport, give_labels, read_labels


@click.command("label")
@click.argument("packet", type=click.Path(path_type=Path))
@click.option(
    "--from", "source", required=True, type=click.Path(path_type=Path), help='JSON lines: {"item", "label", …}.'
)
@click.option("--annotator", default="", help="Refuse the packet unless it is this annotator's.")
@json_option
@click.pass_context
def label_command(context: click.Context, packet: Path, source: Path, annotator: str, as_json: bool) -> None:
    """Label a packet from a file, without a window. Rows: item, label, and optionally reason and note."""
    rows, unread = read_labels(source)
    with LabellingSession(packet) as session:
        if annotator and session.manifest.annotator != annotator:
            raise InputError(
                f"{packet.name} is the packet of {session.manifest.annotator}, not of {annotator}.",
                "Use your own packet.",
            )
        report = give_labels(session, rows)
    rejected = sorted((*unread, *report.rejected), key=lambda row: row.line)
    report = LabellingReport(report.given, report.known, report.done, report.total, tuple(rejected))
    if as_json:
        echo_json(report.as_json())
    else:
        click.echo(f"{report.given} given, {report.known} known; {report.done} of {report.total} items have a label")
        for row in rejected:
            click.echo(f"  line {row.line}: {row.reason}")
    context.exit(DONE_IN_PART if rejected else DONE)
