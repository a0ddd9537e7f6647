"""Commands that collect: collect CATEGORY, its articles, asking again, and what became of the rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from btc_gui.cli.collected import COMMANDS
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
from btc_gui.jobs.find_ids import find_ids
from btc_gui.jobs.verify_events import VerifyOutcome, verify_events
from btc_gui.settings import QUERY_SERVICES, Settings, load_settings
from btc_gui.store.events import EventStore
from btc_gui.store.movements import MovementStore

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
    for step in outcome.funnel.told:
        click.echo(f"  {step.left:>7,} left  {step.change:>7}  {step.text}")
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
        events = EventStore(database).fetch([*outcome.failed, *outcome.years])
    entities = {event_id: event.facts.entity for event_id, event in events.items()}
    years = [
        {"event": event_id, "entity": entities[event_id], "told": list(told)}
        for event_id, told in outcome.years.items()
    ]
    failed = [
        {"event": event_id, "entity": entities[event_id], "reason": reason}
        for event_id, reason in outcome.failed.items()
    ]
    if as_json:
        echo_json(
            {
                "fetched": outcome.fetched,
                "known": outcome.known,
                "leaking": outcome.leaking,
                "failed": failed,
                "years_in_descriptions": years,
                "requests": outcome.requests,
            }
        )
    else:
        click.echo(f"{outcome.text}; {outcome.requests:,} requests.")
        for event_id, told in list(outcome.years.items())[:_LISTED]:
            click.echo(f"  {entities[event_id]}: {' '.join(told)}")
        _more(len(years))
        for row in failed[:_LISTED]:
            click.echo(f"  {row['entity']}: {row['reason']}")
        _more(len(failed))
    context.exit(DONE_IN_PART if failed or outcome.leaking else DONE)


@collect_command.command("ids")
@project_option
@_contact_option
@json_option
@click.pass_context
def ids_command(context: click.Context, project: Path, contact: str | None, as_json: bool) -> None:
    """Find the Wikidata ids of events that name only an English article (as events from files do)."""
    settings = _settings(contact)
    progress = text_progress("ids")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        outcome = find_ids(database, settings, progress, author=settings.reviewer)
    if as_json:
        missing = [{"event": event_id, "article": title} for event_id, title in outcome.missing.items()]
        echo_json({"found": outcome.found, "missing": missing, "requests": outcome.requests})
    else:
        click.echo(f"{outcome.found:,} ids found, {len(outcome.missing):,} articles without an item.")
        for title in list(outcome.missing.values())[:_LISTED]:
            click.echo(f"  {title}")
        _more(len(outcome.missing))
    context.exit(DONE_IN_PART if outcome.missing else DONE)


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
            if outcome.has_events or names:
                click.echo(f"{name}: {outcome.text}")
        click.echo(f"{waiting:,} wait for an answer (btc-gui collect moved)." if waiting else "Nothing waits.")
    is_all = not waiting and not any(each.unanswered for each in outcomes.values())
    context.exit(DONE if is_all else DONE_IN_PART)


def _more(count: int) -> None:
    if count > _LISTED:
        click.echo(f"  … {count - _LISTED:,} more; --json lists all.")


for _command in COMMANDS:
    collect_command.add_command(_command)
