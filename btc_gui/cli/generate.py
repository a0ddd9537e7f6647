"""The command that has probes written by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

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
from btc_gui.cli.filter import FILTER_FIRST
from btc_gui.cli.language_models import NamedModel, price_of, role_options
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.event import EventId
from btc_gui.domain.model_family import SameFamily
from btc_gui.domain.probe import ProbeKind
from btc_gui.errors import InputError
from btc_gui.jobs.ask_model import FailedItem
from btc_gui.jobs.generate_probes import (
    AT_ONCE,
    REPLY_TOKENS,
    GenerationForecast,
    GenerationOutcome,
    forecast_generation,
    generate_probes,
    generator_kin,
)
from btc_gui.jobs.generation_plan import Choice, choose_again, choose_events, rewrite_event, rewrite_probe
from btc_gui.jobs.pair_probes import choose_pairs
from btc_gui.jobs.spending import Spending
from btc_gui.progress import Cancelled
from btc_gui.remote.model_choice import ModelChoice
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.probes import ProbeStore

_NAMED = 10


@dataclass(frozen=True)
class _Asked:
    """The options, as given."""

    project: Path
    events: tuple[str, ...]
    categories: tuple[str, ...]
    is_direct: bool
    rewrites: bool
    probe: str
    note: str
    retry: bool
    list_failed: bool
    dismisses: bool
    without_context: bool
    limit: int | None
    generator: NamedModel
    generator_price: TokenPrice | None
    at_once: int
    max_cost: float | None
    dry_run: bool
    as_json: bool


@click.command("generate")
@project_option
@click.option("--event", "events", multiple=True, metavar="EVENT", help="Only this event: number, QID, title or name.")
@click.option("--category", "categories", multiple=True, help="Only events of this category.")
@click.option("--direct", "is_direct", is_flag=True, help="Direct probes, for the events with a retained probe.")
@click.option("--rewrite", "rewrites", is_flag=True, help="With --event: write its five probes anew.")
@click.option("--probe", default="", metavar="KEY", help="Write this one probe anew.")
@click.option("--note", default="", help="With --rewrite or --probe: a remark to the model.")
@click.option("--retry", is_flag=True, help="Also ask again where the last reply could not be used.")
@click.option("--failed", "list_failed", is_flag=True, help="List what did not come, and why.")
@click.option(
    "--dismiss", "dismisses", is_flag=True, help="Put aside what was to be written anew and did not come: it stays."
)
@click.option("--without-context", is_flag=True, help="Go on where there is no article about the event.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many requests.")
@role_options("generator", "Who writes")
@click.option("--at-once", type=click.IntRange(1, 64), default=AT_ONCE, show_default=True, help="Requests at a time.")
@click.option(
    "--max-cost",
    type=click.FloatRange(min=0, min_open=True),
    metavar="DOLLARS",
    help="Stop before more than this is spent by this command.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be asked.")
@json_option
@click.pass_context
def generate_command(context: click.Context, /, **options: object) -> None:
    """Have five indirect probes written for each event that has none.

    Stopped, also by a crash, the same command goes on; nothing is asked twice. Replies that can't be used are listed
    with their reasons (--failed) and asked for again with --retry. Direct probes can also be made without a model:
    “btc-gui pair”.
    """
    asked = _Asked(**cast("dict[str, Any]", options))
    with open_project(asked.project) as database:
        if asked.dismisses:
            _dismiss(database, asked)
            return
        if asked.list_failed:
            _print_failed(database, asked.as_json)
            return
        choice = _choose(database, asked)
        model = _model(database, asked)
        price = price_of(database, model, asked.generator_price, asked.max_cost)
        kinship = generator_kin(database, model.name)
        if asked.dry_run:
            told = forecast_generation(
                database,
                model.name,
                categories(),
                choice.targets,
                limit=asked.limit,
                without_context=asked.without_context,
                price=price,
            )
            _print_forecast(told, choice, model, kinship, asked.as_json)
            return
        outcome = _generate(context, database, asked, choice, model, price, kinship)
    if asked.as_json:
        told_kin = [each.text for each in kinship]
        echo_json({**outcome.as_json(), **_choice_as_json(choice), "warnings": told_kin})
    else:
        _print_outcome(outcome, choice, asked)
    context.exit(DONE if outcome.is_complete and not choice.refused else DONE_IN_PART)


def _generate(
    context: click.Context,
    database: Database,
    asked: _Asked,
    choice: Choice,
    model: ModelChoice,
    price: TokenPrice | None,
    kinship: Sequence[SameFamily],
) -> GenerationOutcome:
    if not choice.targets:
        return GenerationOutcome()
    progress = text_progress("generate")
    try:
        with model.open(price) as language_model, cancelled_by_ctrl_c(progress):
            if _asks_anything(database, asked, choice, model):
                _print_kinship(kinship)
            return generate_probes(
                database,
                language_model,
                categories(),
                choice.targets,
                progress,
                author=load_settings().reviewer,
                limit=asked.limit,
                without_context=asked.without_context,
                at_once=asked.at_once,
                spending=Spending(asked.max_cost, price, first_reply=round(REPLY_TOKENS)),
            )
    except Cancelled:
        click.echo("Stopped. What was written is kept; the same command goes on.", err=True)
        context.exit(DONE_IN_PART)


def _asks_anything(database: Database, asked: _Asked, choice: Choice, model: ModelChoice) -> bool:
    """Whether there is one request to be made: where all are refused, notes about the model are beside the point."""
    told = forecast_generation(
        database, model.name, categories(), choice.targets, limit=1, without_context=asked.without_context
    )
    return told.forecast.calls > 0


def _model(database: Database, asked: _Asked) -> ModelChoice:
    """Who writes; direct probes have a role of their own in models.toml."""
    named = asked.generator
    if asked.is_direct:
        named = NamedModel("pairer", named.who, named.base_url, named.effort)
    return named.choice(database)


def _choose(database: Database, asked: _Asked) -> Choice:
    """What is to be written. Raises `InputError` for options that don't go together, or what there is not."""
    if asked.note and not (asked.rewrites or asked.probe):
        raise InputError("A note goes with --rewrite or --probe.")
    if asked.probe:
        known = ProbeStore(database).keys().get(asked.probe)
        if known is None:
            raise InputError(f"There is no probe “{asked.probe}” in this project.", "“btc-gui probes” lists them.")
        return rewrite_probe(database, known[0], asked.note)
    events = _events(database, asked)
    if asked.rewrites:
        if not asked.events or events is None:
            raise InputError("Say whose probes are to be written anew (--event).")
        return Choice(tuple(target for each in events for target in rewrite_event(each, asked.note).targets))
    if asked.is_direct:
        return choose_pairs(database, categories(), events, retry=asked.retry)
    choice = choose_events(database, events, retry=asked.retry)
    return _with_failed_rewrites(database, choice, events) if asked.retry else choice


def _with_failed_rewrites(database: Database, choice: Choice, events: list[EventId] | None) -> Choice:
    """Also what was to be written anew and did not come: those events have probes."""
    failed = GenerationStore(database).failed(ProbeKind.INDIRECT)
    again = choose_again(database, [each for each in failed if events is None or each.event_id in events]).targets
    return replace(choice, targets=(*choice.targets, *(each for each in again if each.rewrites or each.probe_id)))


def _dismiss(database: Database, asked: _Asked) -> None:
    """Put aside what failed to be written anew: of one probe, of some events, or all."""
    store, events = GenerationStore(database), _events(database, asked)
    failed = [each for each in store.failed() if events is None or each.event_id in events]
    if asked.probe:
        known = ProbeStore(database).keys().get(asked.probe)
        failed = [each for each in failed if known is not None and each.probe_id == known[0]]
    number = store.dismiss(failed, load_settings().reviewer)
    if asked.as_json:
        echo_json({"dismissed": number})
    else:
        click.echo(f"{_counted(number, 'request')} put aside; the probes stay as they are.")


def _events(database: Database, asked: _Asked) -> list[EventId] | None:
    """The events that were named by themselves or by their category; None for all."""
    store = EventStore(database)
    if asked.categories:
        unknown = set(asked.categories) - set(categories())
        if unknown:
            raise InputError(f"There is no category “{min(unknown)}”.", f"There are: {', '.join(categories())}.")
        return store.ids(EventQuery(categories=asked.categories))
    if not asked.events:
        return None
    found: list[EventId] = []
    for reference in asked.events:
        named = store.find(reference)
        if not named and reference.isdecimal() and store.fetch([EventId(int(reference))]):
            named = [EventId(int(reference))]
        if not named:
            raise InputError(f"There is no event “{reference}” in this project.")
        found += named
    return found


# -- output --------------------------------------------------------------------------------------------------


def _choice_as_json(choice: Choice) -> dict[str, object]:
    return {"skipped": choice.skipped, "unusable_before": choice.refused, "lack": choice.lack}


def _print_forecast(
    told: GenerationForecast, choice: Choice, model: ModelChoice, kinship: Sequence[SameFamily], as_json: bool
) -> None:
    forecast = told.forecast
    if as_json:
        counts = {name: value for name, value in forecast.as_json().items() if name not in ("answers", "skipped")}
        reasons = [{"reason": reason, "events": count} for reason, count in told.reasons]
        warnings = [each.text for each in kinship]
        echo_json({"model": model.name, **counts, **_choice_as_json(choice), "refused": reasons, "warnings": warnings})
        return
    if choice.lack:
        click.echo(f"{choice.lack} {FILTER_FIRST}")
        return
    if forecast.calls:
        _print_kinship(kinship)
    unknown = "the price is not known" if model.is_paid else "nothing to pay"
    cost = unknown if forecast.cost is None else f"about {forecast.cost:,.2f} dollars"
    basis = "as measured here" if forecast.is_measured else "a guess"
    click.echo(
        f"{model.name} would be asked {_counted(forecast.calls, 'time')} (about {forecast.input_tokens:,} tokens to "
        f"read, {forecast.output_tokens:,} to write ({basis}), {cost}); events that need nothing: {choice.skipped:,}."
    )
    for reason, count in told.reasons:
        click.echo(f"  {count:,} can't be asked for: {reason}", err=True)
    _print_refused_before(choice)


def _print_kinship(kinship: Sequence[SameFamily]) -> None:
    for each in kinship:
        click.echo(f"note: {each.text}", err=True)


def _print_outcome(outcome: GenerationOutcome, choice: Choice, asked: _Asked) -> None:
    if choice.lack:
        click.echo(f"{choice.lack} {FILTER_FIRST}")
        return
    what = "direct probe" if asked.is_direct else "probe"
    cost = "" if outcome.cost is None else f", {outcome.cost:.2f} dollars"
    told = [f"{_counted(len(outcome.probes), what)} written for {_counted(outcome.served, 'request')}."]
    if outcome.unusable:
        told.append(f"{_counted(len(outcome.unusable), 'reply', 'replies')} could not be used.")
    if outcome.failed:
        told.append(f"{_counted(len(outcome.failed), 'request')} got no reply.")
    if outcome.refused:
        told.append(f"{_counted(len(outcome.refused), 'event')} could not be asked for.")
    told.append(f"Events that need nothing: {choice.skipped:,}. {_counted(outcome.calls, 'call')}{cost}.")
    click.echo(" ".join(told))
    for words, items in (("not usable", outcome.unusable), ("failed", outcome.failed), ("not asked", outcome.refused)):
        _print_items(words, items)
    if outcome.left:
        click.echo(
            f"Stopped before more than {asked.max_cost:,.2f} dollars were spent: {outcome.left:,} requests are left; "
            "the same command goes on.",
            err=True,
        )
    _print_refused_before(choice)


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _print_refused_before(choice: Choice) -> None:
    if choice.refused:
        click.echo(
            f"  {choice.refused:,} had a reply that can't be used: see --failed, and ask again with --retry.", err=True
        )


def _print_items(words: str, items: Sequence[FailedItem]) -> None:
    for item in items[:_NAMED]:
        click.echo(f"  {words}: {item.about or item.subject}: {item.reason}", err=True)
    if len(items) > _NAMED:
        click.echo(f"  … and {len(items) - _NAMED:,} more", err=True)


def _print_failed(database: Database, as_json: bool) -> None:
    failed = GenerationStore(database).failed()
    if as_json:
        echo_json({"failed": [asdict(each) for each in failed]})
        return
    for each in failed:
        click.echo(f"{each.about}: {each.problem}")
    click.echo(f"{_counted(len(failed), 'request')} without probes", err=True)
