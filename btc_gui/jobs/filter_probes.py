"""The filter: three answers without search to each probe from each model; their verdicts say who retains it.

Filter runs are runs like others (paused, stopped, resumed and retried the same way), but their answers are kept
without steps and appear in no list of cases and no result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.forecast import Forecast
from btc_gui.domain.probe import ProbeId, ProbeKind, ReviewStatus, RevisionId
from btc_gui.domain.retention import FILTER_ANSWERS
from btc_gui.domain.run import Purpose, RunId, RunRecipe
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import RunError
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.plan_run import forecast_answers
from btc_gui.jobs.run_evaluation import RunControl, run_evaluation
from btc_gui.jobs.spending import Budget
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.runs import RunStore

Item = tuple[ProbeId, RevisionId]


@dataclass(frozen=True, slots=True)
class FilterOutcome:
    """What one session of the filter did: attempts stored by their ending, and answers that are still to come.

    `reason` says which spending limit ended it, if one did.
    """

    runs: tuple[RunId, ...]
    stored: int
    by_ending: Mapping[Ending, int] = field(default_factory=dict)
    left: int = 0
    is_cancelled: bool = False
    reason: str = ""


def filter_configuration(model: EvaluatedModel) -> Configuration:
    """How a model answers in the filter: at low effort, without search and without a system prompt."""
    return configuration_of(model, Harness.NONE, Effort.LOW)


def probes_to_filter(database: Database, *, include_unreviewed: bool = False, limit: int | None = None) -> list[Item]:
    """The indirect probes that a filter is for, by event, in their current wording; the first `limit` of them.

    Those accepted for facts that still hold, and on request those that wait for their review.
    """
    statuses = (ReviewStatus.ACCEPTED, ReviewStatus.UNREVIEWED) if include_unreviewed else (ReviewStatus.ACCEPTED,)
    store = ProbeStore(database)
    ids = store.ids(ProbeQuery(kinds=(ProbeKind.INDIRECT,), statuses=statuses, order="event"))
    probes = store.fetch(ids)
    return [(i, probes[i].revision_id) for i in ids if not probes[i].is_stale][:limit]


def plan_filter(
    database: Database,
    models: Sequence[EvaluatedModel],
    items: Sequence[Item],
    author: str,
    recipe: RunRecipe,
) -> list[RunId]:
    """Plan what was not planned before, and give the filter runs that have something to do, oldest first.

    A wording is planned once for each model, so a second filter over the same probes plans nothing. A run begun
    earlier is finished with, also where it is about other models. The models' settings of now are those that count.
    """
    store, retention = RunStore(database), RetentionStore(database)
    retention.prefer({model.name: filter_configuration(model).identity for model in models})
    missing = [(each, left) for each, left in _unplanned(database, models, items) if left]
    if missing:
        names = ", ".join(configuration.model for configuration, _ in missing)
        store.create_each(f"Filter: {names}", _filter_recipe(recipe), missing, FILTER_ANSWERS, author)
    return [run_id for run_id in retention.runs() if store.count_pending(run_id)]


def forecast_filter(
    database: Database, models: Sequence[EvaluatedModel], items: Sequence[Item], at_once: int
) -> Forecast:
    """What the filter over these probes will take: answers not planned yet, and planned ones that are pending."""
    store = RunStore(database)
    answers = [(each, len(left) * FILTER_ANSWERS) for each, left in _unplanned(database, models, items) if left]
    for run_id in RetentionStore(database).runs():
        answers += [(each.configuration, each.pending) for each in store.progress(run_id) if each.pending]
    return forecast_answers(database, answers, at_once)


def filter_probes(
    database: Database,
    models: Sequence[EvaluatedModel],
    items: Sequence[Item],
    replay_folder: Path | None,
    progress: Progress,
    *,
    author: str,
    recipe: RunRecipe,
    retry_failed: bool = False,
    control: RunControl | None = None,
    start_worker: Callable[[Path], Worker] = Worker,
    budget: Budget | None = None,
) -> FilterOutcome:
    """Get the no-search answers that are missing; nothing is asked twice, and cancelling loses nothing.

    The answers are judged like all others (`judge` with the run's id); what they come to is `RetentionStore`'s.
    `budget` is as in `run_evaluation`.
    Raises what `run_evaluation` raises, and `RunError` when there is nothing to filter.
    """
    if not items:
        raise RunError("There is no probe to filter.", "Accept some indirect probes in the review first.")
    if not models:
        raise RunError("There is no model to filter for.", "Choose at least one.")
    store = RunStore(database)
    if retry_failed:
        for run_id in RetentionStore(database).runs():
            store.retry_failed(run_id)
    runs = plan_filter(database, models, items, author, recipe)
    total = FilterOutcome(tuple(runs), 0)
    for run_id in runs:
        outcome = run_evaluation(
            database, run_id, replay_folder, progress, control=control, start_worker=start_worker, budget=budget
        )
        total = replace(
            total,
            stored=total.stored + outcome.stored,
            by_ending=_added(total.by_ending, outcome.by_ending),
            is_cancelled=outcome.is_cancelled,
            reason=outcome.reason,
        )
        if outcome.is_cancelled:
            break
    return replace(total, left=sum(store.count_pending(run_id) for run_id in runs))


def _filter_recipe(recipe: RunRecipe) -> RunRecipe:
    return replace(recipe, purpose=Purpose.FILTER, sample="")


def _unplanned(
    database: Database, models: Sequence[EvaluatedModel], items: Sequence[Item]
) -> list[tuple[Configuration, list[Item]]]:
    """For each model, the wordings that no filter run of its configuration has planned."""
    planned = RunStore(database).planned(RetentionStore(database).runs())
    configurations = [filter_configuration(model) for model in models]
    return [
        (each, [item for item in items if item[1] not in planned.get(each.identity, ())]) for each in configurations
    ]


def _added(left: Mapping[Ending, int], right: Mapping[Ending, int]) -> dict[Ending, int]:
    return {ending: left.get(ending, 0) + right.get(ending, 0) for ending in Ending if ending in {*left, *right}}
