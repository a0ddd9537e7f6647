"""Commands that collect: collect CATEGORY, its articles, asking again, and what became of the rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    cancelled_by_ctrl_c,
    categories,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.domain.article import AsOf
from btc_gui.domain.category import Category
from btc_gui.domain.collection import CandidateRow, CollectionId
from btc_gui.domain.event import EventId
from btc_gui.domain.verification import Movement
from btc_gui.errors import InputError
from btc_gui.jobs.collect_events import (
    CollectionForecast,
    CollectionOutcome,
    acting_offices,
    collect_events,
    foresee_collection,
    question_of,
)
from btc_gui.jobs.fetch_articles import ArticleRequest, fetch_articles
from btc_gui.jobs.verify_events import VerifyOutcome, verify_events
from btc_gui.sessions.event_desk import EventDesk
from btc_gui.settings import QUERY_SERVICES, Settings, load_settings
from btc_gui.store.candidates import CandidateQuery, CandidateStore
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.movements import MovementId, MovementStore

_LISTED = 20
_service_option = click.option(
    "--service",
    type=click.Choice(QUERY_SERVICES),
    default=None,
    help="Where Wikidata is queried (else as in settings).",
)
_contact_option = click.option(
    "--contact",
    default=None,
    help="Whom Wikimedia may write to: your e-mail or page (else operator_contact in settings).",
)
_note_option = click.option("--note", default="", help="Why; kept with your name and the time.")


_DAY = click.DateTime(["%Y-%m-%d"])


class _CategoryGroup(click.Group):
    """Beside its own commands it has one for each category that can be collected."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_collectable(), *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        category = _collectable().get(cmd_name)
        return None if category is None else _category_command(category)


def _collectable() -> dict[str, Category]:
    return {name: category for name, category in categories().items() if category.collection is not None}


@click.group("collect", cls=_CategoryGroup)
def collect_command() -> None:
    """Collect events from Wikidata, their articles from Wikipedia, and ask again later what moved.

    “btc-gui collect demise --from 2026-02-01 --to 2026-06-30 -p PROJECT” asks day by day and keeps every answer:
    stopped in whatever way, the same command goes on. Wikimedia wants to know whom to write to: set operator_contact
    in the settings, or give --contact. Exit codes: 0 done; 1 done, but some rows need a look; 2 refused, or no answer.
    """


def _category_command(category: Category) -> click.Command:
    @click.command(category.name, help=f"Collect {category.plural.lower()} whose day of change lies in the window.")
    @click.option("--from", "first_day", type=_DAY, required=True, help="The first day of the window.")
    @click.option("--to", "last_day", type=_DAY, required=True, help="The last day of the window.")
    @project_option
    @_service_option
    @_contact_option
    @click.option("--dry-run", is_flag=True, help="Only say what would be asked.")
    @click.option("--again", is_flag=True, help="Ask everything anew, though the same was collected before.")
    @click.option("--decide-again", is_flag=True, help="Decide anew on the answers that are kept; nothing is asked.")
    @click.option(
        "--acting", type=click.Choice(["mark", "drop"]), default=None, help="Acting offices: with a mark, or left out."
    )
    @json_option
    @click.pass_context
    def command(
        context: click.Context,
        first_day: datetime,
        last_day: datetime,
        project: Path,
        service: str | None,
        contact: str | None,
        dry_run: bool,
        again: bool,
        decide_again: bool,
        acting: str | None,
        as_json: bool,
    ) -> None:
        settings = _settings(contact)
        question = question_of(category, first_day.date(), last_day.date(), settings, service or "")
        progress = text_progress(f"collect {category.name}")
        with open_project(project) as database, cancelled_by_ctrl_c(progress):
            if dry_run:
                _show_forecast(foresee_collection(database, category, question), as_json)
                return
            outcome = collect_events(
                database,
                category,
                question,
                settings,
                progress,
                author=settings.reviewer,
                again=again,
                decide_again=decide_again,
                overrides=acting_offices(category, acting or ""),
            )
        if as_json:
            echo_json(outcome.as_json())
        else:
            _show_outcome(outcome)
        context.exit(DONE_IN_PART if outcome.moved else DONE)

    return command


def _settings(contact: str | None) -> Settings:
    settings = load_settings()
    return replace(settings, operator_contact=contact) if contact is not None else settings


def _show_forecast(forecast: CollectionForecast, as_json: bool) -> None:
    if as_json:
        echo_json(forecast.as_json())
        return
    question = forecast.question
    click.echo(f"{question.category}, {question.first_day} to {question.last_day}, asked at {question.address}")
    if forecast.is_complete:
        click.echo("This has been collected already: nothing would be asked (--again asks anew).")
        return
    click.echo(f"{forecast.stretches:,} stretches of days, {forecast.answered:,} of them answered already.")
    click.echo(
        f"Then, in batches of what they name: {', '.join(name.replace('_', ' ') for name in forecast.follow_ups)}."
    )


def _show_outcome(outcome: CollectionOutcome) -> None:
    collection = outcome.collection
    if outcome.is_stored:
        click.echo(
            f"Collected already on {(collection.completed_at or '')[:10]}: nothing was asked (--again asks anew)."
        )
    click.echo(f"Collection {collection.id}: {outcome.text}")
    click.echo(f"{collection.requests:,} requests to {collection.question.service}", nl=False)
    click.echo(f", whose data is of {collection.data_date[:10]}." if collection.data_date else ".")
    for step in outcome.funnel.steps:
        click.echo(f"  {step.left:>7,} left  {f'−{step.dropped:,}' if step.dropped else '':>7}  {step.text}")
        for reason, count in list(outcome.reasons.get(step.name, {}).items())[:5]:
            click.echo(f"{'':>24}{count:>6,}  {reason}")


@collect_command.command("articles")
@project_option
@click.option(
    "--as-of",
    type=click.Choice(list(AsOf)),
    default=AsOf.WINDOW,
    show_default=True,
    help="The last revision before the window starts, before the day of the event, or the current one.",
)
@click.option("--window-start", type=_DAY, default=None, help="The window's first day (else that of the collection).")
@click.option("--again", is_flag=True, help="Fetch those that are there too.")
@_contact_option
@json_option
@click.pass_context
def articles_command(
    context: click.Context,
    project: Path,
    as_of: str,
    window_start: datetime | None,
    again: bool,
    contact: str | None,
    as_json: bool,
) -> None:
    """Fetch the articles about the events (and positions) as they stood before the change."""
    settings = _settings(contact)
    progress = text_progress("articles")
    request = ArticleRequest(AsOf(as_of), window_start.date() if window_start else None, again=again)
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        outcome = fetch_articles(database, categories(), request, settings, progress)
        events = EventStore(database).fetch(list(outcome.failed))
    failed = [
        {"event": event_id, "entity": events[event_id].facts.entity, "reason": reason}
        for event_id, reason in outcome.failed.items()
    ]
    if as_json:
        echo_json(
            {
                "fetched": outcome.fetched,
                "known": outcome.known,
                "leaking": outcome.leaking,
                "failed": failed,
                "requests": outcome.requests,
            }
        )
    else:
        click.echo(f"{outcome.text}; {outcome.requests:,} requests.")
        for row in failed[:_LISTED]:
            click.echo(f"  {row['entity']}: {row['reason']}")
        _more(len(failed))
    context.exit(DONE_IN_PART if failed or outcome.leaking else DONE)


@collect_command.command("verify")
@click.argument("names", nargs=-1, metavar="[CATEGORY]…")
@project_option
@_service_option
@click.option("--again", is_flag=True, help="Also those asked about within the last hours.")
@_contact_option
@json_option
@click.pass_context
def verify_command(
    context: click.Context,
    names: tuple[str, ...],
    project: Path,
    service: str | None,
    again: bool,
    contact: str | None,
    as_json: bool,
) -> None:
    """Ask again about the project's events. What moved waits in a queue (“collect moved”); nothing changes itself."""
    settings = _settings(contact)
    known = _collectable()
    for name in names:
        if name not in known:
            raise InputError(f"“{name}” can't be collected.", f"Categories: {', '.join(sorted(known))}.")
    progress = text_progress("verify")
    outcomes: dict[str, VerifyOutcome] = {}
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        for name in names or known:
            outcomes[name] = verify_events(
                database, known[name], settings, progress, service=service or "", again=again
            )
        waiting = len(MovementStore(database).open_ids())
    if as_json:
        echo_json({"categories": {name: each.as_json() for name, each in outcomes.items()}, "open": waiting})
    else:
        for name, outcome in outcomes.items():
            click.echo(f"{name}: {outcome.text}")
        click.echo(f"{waiting:,} wait for an answer (btc-gui collect moved)." if waiting else "Nothing waits.")
    context.exit(DONE_IN_PART if waiting else DONE)


@collect_command.command("moved")
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


@collect_command.command("list")
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
    for each in found:
        state = f"{each.new:,} events" if each.completed_at else "not complete: collect it again to go on"
        click.echo(f"{each.id:>4}  {each.title} ({each.question.service}): {state}")
    if not found:
        click.echo("Nothing has been collected into this project.")


@collect_command.command("dropped")
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


def _dropped(database: Database, collection: CollectionId, steps: tuple[str, ...] = ()) -> list[CandidateRow]:
    CollectionStore(database).get(collection)
    store = CandidateStore(database)
    ids = store.ids(CandidateQuery(collection, steps=steps, only_dropped=True, order="date"))
    found = store.fetch(ids)
    return [found[each] for each in ids]


@collect_command.command("put-back")
@click.argument("collection", type=int)
@click.argument("key")
@project_option
@_note_option
@json_option
def put_back_command(collection: int, key: str, project: Path, note: str, as_json: bool) -> None:
    """Take a dropped row (by its key, see “collect dropped”) in spite of its reason, now and in later collections."""
    with open_project(project) as database:
        row = next((row for row in _dropped(database, CollectionId(collection)) if row.key == key), None)
        if row is None:
            raise InputError(f"Collection {collection} dropped no row “{key}”.", "See “btc-gui collect dropped”.")
        event_id = CandidateStore(database).put_back(row.id, note, load_settings().reviewer)
    if as_json:
        echo_json({"event": event_id, "key": key})
    else:
        click.echo(f"{row.name} is event {event_id} now.")


@collect_command.command("reject")
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


def _more(count: int) -> None:
    if count > _LISTED:
        click.echo(f"  … {count - _LISTED:,} more; --json lists all.")
