"""Commands about probes: list them with where their review stands."""

from __future__ import annotations

from pathlib import Path

import click

from btc_gui.cli.common import echo_json, json_option, open_project, project_option
from btc_gui.domain.probe import ProbeKind, ReviewStatus
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeQuery, ProbeStore


@click.command("probes")
@project_option
@click.option("--status", type=click.Choice([str(status) for status in ReviewStatus]), multiple=True)
@click.option("--kind", type=click.Choice([str(kind) for kind in ProbeKind]), multiple=True)
@click.option("--contains", default="", help="Only probes whose text or entity contains this.")
@json_option
def probes_command(project: Path, status: tuple[str, ...], kind: tuple[str, ...], contains: str, as_json: bool) -> None:
    """List probes: id, review status, event and text. “btc-gui load decisions” takes decisions on them."""
    query = ProbeQuery(
        kinds=tuple(ProbeKind(each) for each in kind),
        statuses=tuple(ReviewStatus(each) for each in status),
        contains=contains,
    )
    with open_project(project) as database:
        store = ProbeStore(database)
        ids = store.ids(query)
        found = store.fetch(ids)
        probes = [found[probe_id] for probe_id in ids]
        events = EventStore(database).fetch(list({probe.event_id for probe in probes}))
    if as_json:
        rows = [
            {
                "probe": probe.key,
                "kind": probe.kind,
                "status": probe.status,
                "stale": probe.is_stale,
                "flagged": probe.is_flagged,
                "event": events[probe.event_id].title,
                "text": probe.text,
            }
            for probe in probes
        ]
        echo_json({"probes": rows})
        return
    for probe in probes:
        text = " ".join(probe.text.split())
        click.echo(f"{probe.key:<20} {probe.status:<11} {events[probe.event_id].title}: {text[:100]}")
    click.echo(f"{len(probes):,} probes", err=True)
