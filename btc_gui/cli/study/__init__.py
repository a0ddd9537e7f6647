"""Commands about studies, from the design to the report. `label` (in `labelling`) is a command of its own."""

from __future__ import annotations

import click

from btc_gui.cli.study.design import (
    discard_command,
    frame_command,
    list_command,
    lock_command,
    manifest_command,
    preview_command,
)
from btc_gui.cli.study.new import extend_command, new_command
from btc_gui.cli.study.packets import adjudicate_command, audit_command, packet_command, return_command
from btc_gui.cli.study.reporting import amend_command, close_command, log_command, report_command, unblind_command


@click.group("study")
def study_command() -> None:
    """Validate the judge or the classifier against people: new, preview, lock, packet, return, close, unblind, report.

    A study is named by its number or its name. Labelling itself opens a packet: btc-gui packet FILE.
    """


for command in (
    new_command,
    extend_command,
    list_command,
    preview_command,
    discard_command,
    lock_command,
    manifest_command,
    frame_command,
    packet_command,
    adjudicate_command,
    audit_command,
    return_command,
    close_command,
    unblind_command,
    log_command,
    report_command,
    amend_command,
):
    study_command.add_command(command)
