"""What was collected: lists of collections, dropped rows and what moved, and a curator's answers to them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from btc_gui.cli.common import DONE, DONE_IN_PART, categories, echo_json, json_option, open_project, project_option
from btc_gui.domain.collection import CandidateRow, CollectionId
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventId
from btc_gui.domain.verification import Movement
from btc_gui.errors import InputError
from btc_gui.sessions.event_desk import EventDesk
from btc_gui.settings import load_settings
from btc_gui.store.candidates import CandidateQuery, CandidateStore
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.movements import MovementId, MovementStore

_note_option = click.option("--note", default="", help="Why; kept with your name and the time.")


@click.command("moved")
@project_option
@click.option("--take", type=int, default=None, metavar="ENTRY", help="Correct the event to what the source says now.")
@click.option("--reject", type=int, default=None, metavar="ENTRY", help="Reject the event with its probes.")
@click.option("--leave", type=int, default=None, metavar="ENTRY", help="Leave the event as it is (needs --note).")
@_note_option
@json_option
@click.pass_context
def moved_command(
    context: click.Context,
    project: Path,
    take: int | None,
    reject: int | None,
    leave: int | None,
    note: str,
    as_json: bool,
) -> None:
    """List what asking again has found, or answer one entry of the list."""
    with open_project(project) as database:
        desk = EventDesk(database, categories(), load_settings().reviewer)
        for entry, answer in ((take, desk.take), (reject, desk.reject_moved), (leave, desk.leave)):
            if entry is not None:
                answer(MovementId(entry), note)
        store = MovementStore(database)
        rows = [row for _, row in sorted(store.fetch(store.open_ids()).items())]
        events = EventStore(database).fetch([row.event_id for row in rows])
    listed = [
        {
            "entry": row.id,
            "event": row.event_id,
            "entity": events[row.event_id].facts.entity,
            "movement": row.movement.value,
            "reason": row.reason,
            "date": events[row.event_id].facts.date.iso,
            "date_now": row.now.date.iso if row.now and row.movement is Movement.DATE_CORRECTED else "",
        }
        for row in rows
    ]
    if as_json:
        echo_json(listed)
    else:
        for each in listed:
            click.echo(f"{each['entry']:>5}  {each['entity']} ({each['date']}): {each['movement']}. {each['reason']}")
        if not listed:
            click.echo("Nothing waits.")
    context.exit(DONE_IN_PART if listed else DONE)


@click.command("list")
@project_option
@json_option
def list_command(project: Path, as_json: bool) -> None:
    """List the project's collections."""
    with open_project(project) as database:
        found = CollectionStore(database).all()
    if as_json:
        echo_json(
            [
                {
                    "collection": each.id,
                    "category": each.question.category,
                    "from": each.question.first_day.isoformat(),
                    "to": each.question.last_day.isoformat(),
                    "service": each.question.service,
                    "started_at": each.started_at,
                    "completed_at": each.completed_at,
                    "requests": each.requests,
                    "events": each.new,
                }
                for each in found
            ]
        )
        return
    known = categories()
    for each in found:
        state = f"{each.new:,} events" if each.completed_at else "not complete: collect it again to go on"
        name = each.question.category
        title = each.titled(known[name].plural if name in known else name)
        click.echo(f"{each.id:>4}  {title} ({each.question.service}): {state}")
    if not found:
        click.echo("Nothing has been collected into this project.")


@click.command("dropped")
@click.argument("collection", type=int)
@project_option
@click.option("--step", "steps", multiple=True, help="Only rows that this step dropped.")
@json_option
def dropped_command(collection: int, project: Path, steps: tuple[str, ...], as_json: bool) -> None:
    """List the rows of a collection that gave no event, with the reasons."""
    with open_project(project) as database:
        rows = _dropped(database, CollectionId(collection), steps)
    if as_json:
        echo_json(
            [
                {
                    "key": row.key,
                    "qid": row.qid,
                    "name": row.name,
                    "date": row.date,
                    "position": row.position,
                    "step": row.step,
                    "reason": row.reason,
                    "event": row.event_id,
                    "can_be_put_back": row.can_be_put_back,
                }
                for row in rows
            ]
        )
        return
    for row in rows:
        position = f", {row.position}" if row.position else ""
        back = "  (put back)" if row.event_id is not None else ""
        click.echo(f"{row.key}  {row.name}{position}, {row.date}: {row.reason}{back}")
    if not rows:
        click.echo("No row was dropped at this step." if steps else "No row was dropped.")


def _dropped(database: Database, collection: CollectionId, steps: tuple[str, ...] = ()) -> list[CandidateRow]:
    found_at = CollectionStore(database).get(collection)
    if found_at.completed_at is None:
        raise InputError(
            f"“{found_at.title}” is not complete: nothing is decided yet.",
            "Collect it again: it goes on where it stopped.",
        )
    store = CandidateStore(database)
    known = [step.name for step in store.funnel(collection).steps]
    for step in steps:
        if step not in known:
            raise InputError(f"Collection {collection} has no step “{step}”.", f"Its steps: {', '.join(known)}.")
    ids = store.ids(CandidateQuery(collection, steps=steps, only_dropped=True, order="date"))
    found = store.fetch(ids)
    return [found[each] for each in ids]


@click.command("put-back")
@click.argument("collection", type=int)
@click.argument("key")
@project_option
@_note_option
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    default=None,
    help="The day, where the source knows only the month or year.",
)
@click.option("--withdraw", is_flag=True, help="Let the rules decide about it again; its event stays (see “reject”).")
@json_option
def put_back_command(
    collection: int, key: str, project: Path, note: str, day: datetime | None, withdraw: bool, as_json: bool
) -> None:
    """Take a dropped row (by its key, see “collect dropped”) in spite of its reason, now and in later collections."""
    with open_project(project) as database:
        if withdraw:
            _withdraw_put_back(database, CollectionId(collection), key, as_json)
            return
        row = next((row for row in _dropped(database, CollectionId(collection)) if row.key == key), None)
        if row is None:
            raise InputError(f"Collection {collection} dropped no row “{key}”.", "See “btc-gui collect dropped”.")
        said = EventDate(day.year, day.month, day.day) if day else None
        event_id = CandidateStore(database).put_back(row.id, note, load_settings().reviewer, said)
    if as_json:
        echo_json({"event": event_id, "key": key})
    else:
        click.echo(f"{row.name} is event {event_id} now.")


def _withdraw_put_back(database: Database, collection: CollectionId, key: str, as_json: bool) -> None:
    store = CandidateStore(database)
    # In a collection after the one where it was put back it is no dropped row.
    rows = store.fetch(store.ids(CandidateQuery(collection, only_put_back=True))).values()
    row = next((row for row in rows if row.key == key), None)
    if row is None:
        raise InputError(f"“{key}” is not put back in collection {collection}.", "See “btc-gui collect dropped”.")
    store.withdraw_put_back(row.id, load_settings().reviewer)
    if as_json:
        echo_json({"event": row.event_id, "key": key})
    else:
        click.echo(f"{row.name} is decided by the rules again; event {row.event_id} stays.")


@click.command("reject")
@click.argument("event", type=int)
@project_option
@_note_option
@click.option("--restore", is_flag=True, help="Take the rejected event in again.")
def reject_command(event: int, project: Path, note: str, restore: bool) -> None:
    """Reject an event (by its number) with its probes, or take it in again."""
    with open_project(project) as database:
        desk = EventDesk(database, categories(), load_settings().reviewer)
        title = EventStore(database).get(EventId(event)).title
        if restore:
            desk.restore(EventId(event))
            click.echo(f"{title} is in again; its probes keep their rejections.")
        else:
            click.echo(f"{title} is rejected, and {desk.reject(EventId(event), note):,} of its probes with it.")


#: The commands that `collect` has from here.
COMMANDS = (list_command, dropped_command, put_back_command, moved_command, reject_command)
