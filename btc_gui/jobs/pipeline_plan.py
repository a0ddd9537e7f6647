"""What the pipeline is to do for a project, and what it will take before it is started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.configuration import Configuration, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel, TokenPrice
from btc_gui.domain.event import EventId
from btc_gui.domain.forecast import Forecast
from btc_gui.domain.pipeline import PipelineForecast, Stage, StageForecast
from btc_gui.domain.probe_sample import ProbeSample, SampleDesign
from btc_gui.domain.run import Purpose, RunId, RunRecipe
from btc_gui.domain.trajectory import Usage
from btc_gui.jobs.classify import forecast_classifying
from btc_gui.jobs.filter_probes import Item, forecast_filter, probes_to_filter
from btc_gui.jobs.judge import forecast_judging
from btc_gui.jobs.pair_probes import usable_direct_probes
from btc_gui.jobs.plan_run import forecast_answers
from btc_gui.jobs.sample_probes import items_of_sample
from btc_gui.remote.language_model import LanguageModel
from btc_gui.store.database import Database
from btc_gui.store.model_calls import ModelCallStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.runs import RunStore
from btc_gui.store.samples import SampleStore

#: What one request to a judge or classifier is taken to have before any was sent: input, output, seconds.
_ASSUMED_REQUEST = {"judge": (1_500, 150, 2.0), "classifier": (12_000, 900, 8.0), "pairer": (800, 1_000, 4.0)}
_ASSUMED = "assumed"
_MEASURED = "measured in this project"


@dataclass(frozen=True, slots=True)
class PipelinePlan:
    """What the pipeline is to do.

    `models` are filtered and sampled, `configurations` (of these models) evaluated. `sample` names the frozen
    sample: it is drawn by `design` when there is none of that name. `recipe` is that of all runs, `judge` and
    `classifier` are asked `ask_at_once` requests at a time; their prices are for the forecast and the limit. Direct
    probes are written by `pairer`, or from the categories' templates without one.

    Nothing new is started once the filters, the evaluations, and all calls of judges, classifiers and pairers of the
    project have cost `max_cost` US dollars together, in whatever session (None: no limit).
    """

    models: tuple[EvaluatedModel, ...]
    configurations: tuple[Configuration, ...]
    sample: str
    design: SampleDesign
    recipe: RunRecipe
    judge: LanguageModel
    classifier: LanguageModel
    categories: Mapping[str, Category]
    author: str
    replay_folder: Path | None = None
    include_unreviewed: bool = False
    retry_failed: bool = False
    ask_at_once: int = 8
    judge_price: TokenPrice | None = None
    classifier_price: TokenPrice | None = None
    max_cost: float | None = None
    pairer: LanguageModel | None = None
    pairer_price: TokenPrice | None = None


def runs_of_sample(database: Database, name: str) -> list[RunId]:
    """The evaluations of a sample, oldest first."""
    store = RunStore(database)
    runs = store.fetch(store.ids())
    return sorted(
        run.id for run in runs.values() if run.purpose is Purpose.EVALUATE and name and run.recipe.sample == name
    )


def unplanned_of_sample(
    database: Database, sample: ProbeSample, configurations: Sequence[Configuration]
) -> list[tuple[Configuration, list[Item]]]:
    """What of a sample no evaluation of it has planned, for each configuration that has something left."""
    planned = RunStore(database).planned(runs_of_sample(database, sample.name))
    left = [
        (each, [item for item in items if item[1] not in planned.get(each.identity, ())])
        for each, items in items_of_sample(database, sample, configurations)
    ]
    return [(each, items) for each, items in left if items]


def forecast_pipeline(database: Database, plan: PipelinePlan) -> PipelineForecast:
    """What each stage will take from now on; nothing is asked or written.

    Stages whose work rests on earlier ones that are not done are given as the most that they can come to.
    """
    items = probes_to_filter(database, include_unreviewed=plan.include_unreviewed)
    filtering = forecast_filter(database, plan.models, items, plan.recipe.at_once)
    sample = SampleStore(database).find(plan.sample)
    evaluating, is_bound = _evaluation(database, plan, sample)
    runs = runs_of_sample(database, plan.sample)
    to_judge = [_judging(database, plan, run_id) for run_id in RetentionStore(database).runs()]
    answered = [_judging(database, plan, run_id) for run_id in runs]
    failures = [_classifying(database, plan, run_id) for run_id in runs]
    of_shared = sum(row.answers for row in evaluating.rows if row.configuration.harness is Harness.SHARED)
    return PipelineForecast(
        (
            _run_stage(Stage.FILTER, filtering),
            _asking_stage(database, Stage.JUDGE_FILTER, plan, to_judge, filtering.answers),
            _pairing(plan, _events_without_direct(database, items)),
            StageForecast(Stage.SAMPLE, 0 if sample else _most_to_draw(database, plan, items), is_bound=True),
            _run_stage(Stage.EVALUATE, evaluating, is_bound=is_bound),
            _asking_stage(database, Stage.JUDGE, plan, answered, evaluating.answers, is_bound=is_bound),
            # A direct probe is never classified, and at most every other answer is to an indirect one.
            _asking_stage(
                database, Stage.CLASSIFY, plan, failures, _indirect(of_shared), is_bound=bool(of_shared or is_bound)
            ),
        )
    )


def _pairing(plan: PipelinePlan, events: int) -> StageForecast:
    if plan.pairer is None:
        return StageForecast(Stage.PAIR, events, is_bound=True)
    read, written, seconds = _ASSUMED_REQUEST["pairer"]
    usage = Usage(input=events * read, output=events * written)
    cost = plan.pairer_price.cost(usage) if plan.pairer_price is not None else None
    seconds *= events / max(1, plan.ask_at_once)
    return StageForecast(Stage.PAIR, events, events, usage, cost, seconds, is_bound=True, basis=_ASSUMED)


def _indirect(answers: int) -> int:
    return (answers + 1) // 2


def _judging(database: Database, plan: PipelinePlan, run_id: RunId) -> tuple[int, int, int, int]:
    told = forecast_judging(database, plan.judge.name, plan.categories, run_id=run_id)
    return told.answers, told.calls, told.input_tokens, told.output_tokens


def _classifying(database: Database, plan: PipelinePlan, run_id: RunId) -> tuple[int, int, int, int]:
    told = forecast_classifying(database, plan.classifier.name, plan.categories, run_id=run_id)
    return told.answers, told.calls, told.input_tokens, told.output_tokens


def _run_stage(stage: Stage, told: Forecast, *, is_bound: bool = False) -> StageForecast:
    bases = {row.basis for row in told.rows}
    return StageForecast(
        stage,
        told.answers,
        told.calls,
        told.usage,
        told.cost,
        told.seconds,
        is_bound,
        ", ".join(sorted(bases)),
    )


def _asking_stage(
    database: Database,
    stage: Stage,
    plan: PipelinePlan,
    there: Sequence[tuple[int, int, int, int]],
    to_come: int,
    *,
    is_bound: bool = False,
) -> StageForecast:
    """What asking a judge or classifier takes: for the answers that are there, and for those that are to come."""
    role = "classifier" if stage is Stage.CLASSIFY else "judge"
    price = plan.classifier_price if stage is Stage.CLASSIFY else plan.judge_price
    so_far = ModelCallStore(database).totals(role)
    each = _ASSUMED_REQUEST[role]
    # Recorded replies have no tokens: they say nothing about a real judge.
    is_measured = so_far.usage.total > 0
    if is_measured:
        each = (
            so_far.usage.input // so_far.calls,
            so_far.usage.output // so_far.calls,
            so_far.seconds / so_far.calls,
        )
    answers, calls, read, written = (sum(column) for column in zip(*there, strict=True)) if there else (0, 0, 0, 0)
    usage = Usage(input=read + to_come * each[0], output=written + to_come * each[1])
    return StageForecast(
        stage,
        answers + to_come,
        calls + to_come,
        usage,
        price.cost(usage) if price is not None else None,
        (calls + to_come) * each[2] / max(1, plan.ask_at_once),
        is_bound or bool(to_come and stage is Stage.JUDGE_FILTER),
        _MEASURED if is_measured else _ASSUMED,
    )


def _evaluation(database: Database, plan: PipelinePlan, sample: ProbeSample | None) -> tuple[Forecast, bool]:
    """What evaluating takes, and whether that is only the most it can come to: the sample is not drawn yet."""
    store = RunStore(database)
    if sample is None:
        items = probes_to_filter(database, include_unreviewed=plan.include_unreviewed)
        most = _most_for_a_model(database, plan, items)
        answers = [(each, most) for each in plan.configurations]
        return forecast_answers(database, answers, plan.recipe.at_once, plan.recipe.latency), True
    answers = [(each, len(items)) for each, items in unplanned_of_sample(database, sample, plan.configurations)]
    for run_id in runs_of_sample(database, sample.name):
        answers += [(each.configuration, each.pending) for each in store.progress(run_id) if each.pending]
    return forecast_answers(database, answers, plan.recipe.at_once, plan.recipe.latency), False


def _most_for_a_model(database: Database, plan: PipelinePlan, items: Sequence[Item]) -> int:
    """The indirect probes that can be drawn for a model, and a direct one for each of their events."""
    drawn = direct = 0
    for events in _probes_by_event(database, items).values():
        probes = min(plan.design.size, sum(min(count, plan.design.per_event) for count in events.values()))
        drawn += probes
        direct += min(probes, len(events))
    return drawn + direct


def _most_to_draw(database: Database, plan: PipelinePlan, items: Sequence[Item]) -> int:
    return len(plan.models) * sum(
        min(plan.design.size, sum(min(count, plan.design.per_event) for count in events.values()))
        for events in _probes_by_event(database, items).values()
    )


def _probes_by_event(database: Database, items: Sequence[Item]) -> dict[str, dict[EventId, int]]:
    """How many of the probes each event has, by category."""
    return ProbeStore(database).count_by_event([probe_id for probe_id, _ in items])


def _events_without_direct(database: Database, items: Sequence[Item]) -> int:
    paired = usable_direct_probes(database)
    events = {event for by_event in _probes_by_event(database, items).values() for event in by_event}
    return sum(event not in paired for event in events)
