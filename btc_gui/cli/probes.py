"""Commands about probes: list them with where their review stands."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from btc_gui.cli.common import echo_json, json_option, open_project, project_option
from btc_gui.domain.number_words import counted
from btc_gui.domain.probe import ProbeId, ProbeKind, ReviewStatus
from btc_gui.sessions.review_queue import BY_ANY, BY_NONE, Queue, QueueKind, QueueOrder, QueueReader
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore

Command = TypeVar("Command", bound=Callable[..., Any])
_ANY, _NONE = "any", "none"


def filter_options(command: Command, default: QueueKind = QueueKind.ALL) -> Command:
    """The options that choose probes; the command gets them as one argument `queue`, without `--queue` the default."""

    @wraps(command)
    def run(
        *arguments: object,
        queue_kind: str,
        category: tuple[str, ...],
        kind: tuple[str, ...],
        contains: str,
        retained_by: tuple[str, ...],
        lint: tuple[str, ...],
        assigned_to: str,
        order: str,
        **others: object,
    ) -> object:
        queue = Queue(
            kind=QueueKind(queue_kind),
            categories=category,
            kinds=tuple(ProbeKind(each) for each in kind),
            contains=contains,
            retained=tuple({_ANY: BY_ANY, _NONE: BY_NONE}.get(name, name) for name in retained_by),
            lint=lint,
            assigned_to=assigned_to,
            order=QueueOrder(order),
        )
        return command(*arguments, queue=queue, **others)

    options = [
        click.option(
            "--queue",
            "queue_kind",
            type=click.Choice([str(each) for each in QueueKind]),
            default=str(default),
            show_default=True,
            help="Where their review stands.",
        ),
        click.option("--category", multiple=True, help="Of this category."),
        click.option("--kind", type=click.Choice([str(kind) for kind in ProbeKind]), multiple=True),
        click.option("--contains", default="", help="Whose wording or entity contains this."),
        click.option("--retained-by", multiple=True, help="Retained by this model, by “any” or by “none”."),
        click.option("--lint", multiple=True, help="With a finding of this rule or severity."),
        click.option("--assigned-to", default="", help="Assigned to this curator."),
        click.option(
            "--order",
            type=click.Choice([str(each) for each in QueueOrder]),
            default=str(QueueOrder.EVENT),
            show_default=True,
            help="By event, or in the order of the sample: what any model retained first.",
        ),
    ]
    decorated: Any = run
    for option in reversed(options):
        decorated = option(decorated)
    result: Command = decorated
    return result


def chosen_probes(database: Database, queue: Queue) -> list[ProbeId]:
    """The probes of a queue, in its order."""
    return list(QueueReader(database).read(queue, queue.assigned_to).ids)


@click.command("probes")
@project_option
@click.option("--status", type=click.Choice([str(status) for status in ReviewStatus]), multiple=True)
@filter_options
@json_option
def probes_command(project: Path, status: tuple[str, ...], queue: Queue, as_json: bool) -> None:
    """List probes: id, review status, event and text. “btc-gui load decisions” takes decisions on them."""
    with open_project(project) as database:
        ids = chosen_probes(database, queue)
        found = ProbeStore(database).fetch(ids)
        probes = [found[probe_id] for probe_id in ids if not status or found[probe_id].status in status]
        events = EventStore(database).fetch(list({probe.event_id for probe in probes}))
    if as_json:
        rows = [
            {
                "probe": probe.key,
                "kind": probe.kind,
                "status": probe.status,
                "stale": probe.is_stale,
                "flagged": probe.is_flagged,
                "disputed": probe.is_disputed,
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
    click.echo(counted(len(probes), "probe"), err=True)
