"""Label a packet without a window: print what is to be read, take labels from a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from btc_gui.cli.common import DONE, DONE_IN_PART, echo_json, json_option
from btc_gui.errors import InputError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.recorded_labels import LabellingReport, give_labels, items_to_read, read_labels


@click.command("label")
@click.argument("packet", type=click.Path(path_type=Path))
@click.option("--from", "source", type=click.Path(path_type=Path), help='JSON lines: {"item", "label", …}.')
@click.option("--items", "prints_items", is_flag=True, help="Print criteria, practice and open items as JSON lines.")
@click.option("--annotator", default="", help="Refuse the packet unless it is this annotator's.")
@json_option
@click.pass_context
def label_command(
    context: click.Context, packet: Path, source: Path | None, prints_items: bool, annotator: str, as_json: bool
) -> None:
    """Label a packet from a file, without a window.

    Rows: item, label, and optionally reason, note, confidence (1 to 3) and answers (the parts of the form). Rows of
    practice items come first, until the mark is reached.
    """
    if prints_items == (source is not None):
        raise InputError("Give either --items, to read what is to be labelled, or --from, to label it.")
    rows, unread = read_labels(source) if source is not None else ([], [])
    with LabellingSession(packet) as session:
        if annotator and session.manifest.annotator != annotator:
            raise InputError(
                f"{packet.name} is the packet of {session.manifest.annotator}, not of {annotator}.",
                "Use your own packet.",
            )
        if prints_items:
            for entry in items_to_read(session):
                click.echo(json.dumps(entry, ensure_ascii=False))
            return
        report = give_labels(session, rows)
    report = replace(report, rejected=tuple(sorted((*unread, *report.rejected), key=lambda row: row.line)))
    if as_json:
        echo_json(report.as_json())
    else:
        _print(report)
    context.exit(DONE_IN_PART if report.rejected else DONE)


def _print(report: LabellingReport) -> None:
    click.echo(f"{report.given} given, {report.known} known; labelled: {report.done:,} of {report.total:,}")
    for number, each in enumerate(report.practice, start=1):
        state = "" if each.is_over else f", {each.items - each.given} to go"
        click.echo(f"practice, round {number}: {each.right} of {each.given} right, {each.needed} needed{state}")
    for row in report.rejected:
        click.echo(f"  line {row.line}: {row.reason}")
