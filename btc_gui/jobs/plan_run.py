"""Plan an evaluation, and say what it will take before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import chain, count

from btc_gui.domain.configuration import Configuration
from btc_gui.domain.dates import day_words
from btc_gui.domain.forecast import Forecast, forecast_of
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import AT_ONCE, LATENCY, RunId, RunRecipe
from btc_gui.errors import RunError
from btc_gui.jobs.run_agents import keep_prompts
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models, search_prices
from btc_gui.store.runs import RunStore


def plan_run(
    database: Database,
    name: str,
    configurations: Sequence[Configuration],
    items: Sequence[tuple[ProbeId, RevisionId]],
    repetitions: int,
    created_by: str,
    recipe: RunRecipe | None = None,
) -> RunId:
    """Plan a run over `items` × `configurations` × `repetitions`; nothing is asked yet.

    Without a recipe: scripted agents, told today's date. Raises `RunError` when there is nothing to run.
    """
    return plan_each(database, name, [(each, items) for each in configurations], repetitions, created_by, recipe)


def plan_each(
    database: Database,
    name: str,
    plan: Sequence[tuple[Configuration, Sequence[tuple[ProbeId, RevisionId]]]],
    repetitions: int,
    created_by: str,
    recipe: RunRecipe | None = None,
) -> RunId:
    """Plan a run in which each configuration has items of its own (those of its model's sample); see `plan_run`."""
    if not plan:
        raise RunError("There is no configuration to run.", "Choose at least one model and effort.")
    if not any(items for _, items in plan):
        raise RunError("There is no probe to run.", "Accept some probes in the review first.")
    if repetitions < 1:
        raise RunError("Every probe is to be answered at least once.")
    recipe = recipe or RunRecipe(current_date=date.today().isoformat())
    keep_prompts(database, [configuration for configuration, _ in plan])
    return RunStore(database).create_each(name.strip() or _free_name(database), recipe, plan, repetitions, created_by)


def _free_name(database: Database) -> str:
    """A name for a run that nobody named, and that no other one has: runs are also gone on with by their names."""
    store, first = RunStore(database), f"Evaluation of {day_words(date.today())}"
    taken = {run.name for run in store.fetch(store.ids()).values()}
    names = chain([first], (f"{first} ({number})" for number in count(2)))
    return next(name for name in names if name not in taken)


def forecast(
    database: Database,
    configurations: Sequence[Configuration],
    items: int,
    repetitions: int = 1,
    *,
    at_once: int = AT_ONCE,
) -> Forecast:
    """What a run over `items` probes will take: calls, tokens, cost, time."""
    return forecast_answers(database, [(each, items * repetitions) for each in configurations], at_once)


def forecast_plan(
    database: Database,
    plan: Sequence[tuple[Configuration, Sequence[tuple[ProbeId, RevisionId]]]],
    repetitions: int = 1,
    *,
    at_once: int = AT_ONCE,
) -> Forecast:
    """What a run in which each configuration has items of its own will take."""
    return forecast_answers(database, [(each, len(items) * repetitions) for each, items in plan], at_once)


def forecast_left(database: Database, run_id: RunId) -> Forecast:
    """What the pending items of a run will take."""
    store = RunStore(database)
    recipe = store.get(run_id).recipe
    answers = [(each.configuration, each.pending) for each in store.progress(run_id) if each.pending]
    return forecast_answers(database, answers, recipe.at_once, recipe.latency)


def forecast_answers(
    database: Database, answers: Sequence[tuple[Configuration, int]], at_once: int, latency: float = LATENCY
) -> Forecast:
    """What so many answers of each configuration will take: measured in this project where there is something to
    measure, else assumed; at the prices of models.toml."""
    models = {model.name: model for model in available_models(database)}
    typical = RunStore(database).typical()
    return forecast_of(answers, typical, at_once, models, search_prices(database), latency)
