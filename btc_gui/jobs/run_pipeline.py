"""The whole pipeline for a project: filter, pair, sample, evaluate, judge, classify, each going on where it was.

Nothing is kept about how far the pipeline has come: every stage looks at what is in the project and does what is
left. So it can be stopped anywhere, also by a crash, and be gone on with by the same command, or by single ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.number_words import counted
from btc_gui.domain.pipeline import Stage
from btc_gui.domain.probe_sample import ProbeSample
from btc_gui.domain.run import Purpose, RunId
from btc_gui.errors import InputError, RunError
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.ask_about import AskOutcome
from btc_gui.jobs.classify import classify
from btc_gui.jobs.filter_probes import filter_probes, probes_to_filter
from btc_gui.jobs.generate_probes import generate_probes
from btc_gui.jobs.judge import judge
from btc_gui.jobs.model_price import limit_needs_price
from btc_gui.jobs.pair_probes import choose_pairs, look_at_pairs, pair_probes
from btc_gui.jobs.pipeline_plan import PipelinePlan, forecast_pipeline, runs_of_sample, unplanned_of_sample
from btc_gui.jobs.run_evaluation import RunControl, plan_each, run_evaluation
from btc_gui.jobs.sample_probes import sample_probes
from btc_gui.jobs.spending import Budget, Spending
from btc_gui.progress import Cancelled, Progress, Report
from btc_gui.remote.language_model import LanguageModel
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.store.database import Database
from btc_gui.store.model_calls import ModelCallStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.runs import RunStore
from btc_gui.store.samples import SampleStore

__all__ = ["PipelineOutcome", "PipelinePlan", "StageOutcome", "forecast_pipeline", "plan_sample", "run_pipeline"]

_Outcome = TypeVar("_Outcome", bound=AskOutcome, covariant=True)


class _Asking(Protocol[_Outcome]):
    """`judge` or `classify`."""

    def __call__(
        self,
        database: Database,
        language_model: LanguageModel,
        categories: Mapping[str, Category],
        progress: Progress,
        *,
        run_id: int | None,
        at_once: int,
        spending: Spending,
    ) -> _Outcome: ...


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """What one stage did in this session.

    `left` answers have failed or are still to come; `limit` says which spending limit ended the stage, if one did.
    """

    stage: Stage
    done: int
    left: int
    text: str
    limit: str = ""


@dataclass(frozen=True, slots=True)
class PipelineOutcome:
    """What the pipeline did in this session.

    `stopped_in` is the stage in which somebody or the spending limit stopped it, if so; `reason` says which limit.
    """

    stages: tuple[StageOutcome, ...]
    stopped_in: Stage | None = None
    reason: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether all stages came to their end and nothing failed."""
        return self.stopped_in is None and not any(each.left for each in self.stages)

    def as_json(self) -> dict[str, object]:
        """The outcome for a machine."""
        return {
            "stages": [
                {"stage": each.stage, "done": each.done, "left": each.left, "text": each.text} for each in self.stages
            ],
            "stopped_in": self.stopped_in,
            "reason": self.reason,
        }


def run_pipeline(
    database: Database,
    plan: PipelinePlan,
    progress: Progress,
    control: RunControl | None = None,
    *,
    on_stage: Callable[[StageOutcome], None] | None = None,
    start_worker: Callable[[Path], Worker] = Worker,
) -> PipelineOutcome:
    """Do all that is left of the pipeline, stage by stage.

    Cancelling `progress` lets what is in flight finish and ends with an outcome that says where; `control` pauses
    and stops the runs. Answers that failed are left where they are (`retry_failed` of the plan tries them again):
    their probes are not retained, or not scored. At the plan's spending limit it ends in the same order.
    Raises `InputError` when the limit can't be kept because the price of judge, classifier or pairer is not known,
    `BtcError` when a stage is refused; what was done stays.
    """
    _check_prices(plan)
    pipeline = _Pipeline(database, plan, progress, control or RunControl(), start_worker)
    outcomes: list[StageOutcome] = []
    for number, (stage, do) in enumerate(pipeline.stages, 1):
        try:
            progress.check()
            outcome = do(_stage_progress(progress, f"{number} of {len(pipeline.stages)}: {stage.text}"))
        except Cancelled:
            return PipelineOutcome(tuple(outcomes), stage)
        outcomes.append(outcome)
        if on_stage is not None:
            on_stage(outcome)
        if outcome.limit:
            return PipelineOutcome(tuple(outcomes), stage, outcome.limit)
        if progress.is_cancelled or pipeline.control.is_stopped:
            is_last = number == len(pipeline.stages)
            return PipelineOutcome(tuple(outcomes), None if is_last and not outcome.left else stage)
    return PipelineOutcome(tuple(outcomes))


def plan_sample(database: Database, sample: ProbeSample, plan: PipelinePlan) -> list[RunId]:
    """Plan what no evaluation of the sample has planned; gives the evaluations that have something to do."""
    store = RunStore(database)
    left = unplanned_of_sample(database, sample, plan.configurations)
    if left:
        recipe = replace(plan.recipe, purpose=Purpose.EVALUATE, sample=sample.name)
        plan_each(database, f"Evaluation of {sample.name}", left, 1, plan.author, recipe)
    return [run_id for run_id in runs_of_sample(database, sample.name) if store.count_pending(run_id)]


class _Pipeline:
    """The stages over one project and plan."""

    def __init__(
        self,
        database: Database,
        plan: PipelinePlan,
        progress: Progress,
        control: RunControl,
        start_worker: Callable[[Path], Worker],
    ) -> None:
        self._database = database
        self._plan = plan
        self._progress = progress
        self.control = control
        self._start_worker = start_worker
        self._budget = Budget(plan.max_cost, _spent(database))
        self.stages: list[tuple[Stage, Callable[[Progress], StageOutcome]]] = [
            (Stage.FILTER, self._filter),
            (Stage.JUDGE_FILTER, self._judge_filter),
            (Stage.PAIR, self._pair),
            (Stage.SAMPLE, self._sample),
            (Stage.EVALUATE, self._evaluate),
            (Stage.JUDGE, self._judge),
            (Stage.CLASSIFY, self._classify),
        ]

    def _filter(self, progress: Progress) -> StageOutcome:
        plan = self._plan
        outcome = filter_probes(
            self._database,
            plan.models,
            probes_to_filter(self._database, include_unreviewed=plan.include_unreviewed),
            plan.replay_folder,
            progress,
            author=plan.author,
            recipe=plan.recipe,
            retry_failed=plan.retry_failed,
            control=self.control,
            start_worker=self._start_worker,
            budget=self._budget,
        )
        text = f"{outcome.stored:,} answers without search stored, {outcome.left:,} left"
        return StageOutcome(Stage.FILTER, outcome.stored, outcome.left, text, outcome.reason)

    def _judge_filter(self, progress: Progress) -> StageOutcome:
        runs = RetentionStore(self._database).runs()
        judged = self._judge_runs(Stage.JUDGE_FILTER, runs, progress)
        counts = RetentionStore(self._database).counts()
        retained = ", ".join(
            f"{each.model} retains {counted(each.retained, f'{each.category} probe')}"
            + (f" ({each.undecided:,} undecided)" if each.undecided else "")
            for each in counts
        )
        return replace(judged, text=f"{judged.text}; {retained or 'nothing was filtered'}")

    def _pair(self, progress: Progress) -> StageOutcome:
        if self._plan.pairer is not None:
            return self._pair_by(self._plan.pairer, progress)
        outcome = pair_probes(self._database, self._plan.categories, self._plan.author, progress)
        text = f"{outcome.created:,} direct probes made, {outcome.renewed:,} written anew, {outcome.known:,} there"
        left = outcome.stale + len(outcome.refused)
        return StageOutcome(Stage.PAIR, outcome.created + outcome.renewed, left, text)

    def _pair_by(self, pairer: LanguageModel, progress: Progress) -> StageOutcome:
        plan = self._plan
        outcome = generate_probes(
            self._database,
            pairer,
            plan.categories,
            choose_pairs(self._database, plan.categories, retry=plan.retry_failed).targets,
            progress,
            author=plan.author,
            at_once=plan.ask_at_once,
            spending=Spending(self._budget.left, plan.pairer_price),
        )
        self._budget.add(outcome.cost)
        now = look_at_pairs(self._database, plan.categories)
        missing = now.created + now.renewed
        text = f"{outcome.served:,} direct probes written by {pairer.name}, {now.known - outcome.served:,} there"
        text += (
            f", {missing:,} without a usable reply (btc-gui generate --failed)" if missing and not outcome.left else ""
        )
        left = missing + now.stale + len(now.refused)
        return StageOutcome(
            Stage.PAIR, outcome.served, left, text + _left(outcome.left), self._budget.words if outcome.left else ""
        )

    def _sample(self, progress: Progress) -> StageOutcome:
        plan, store = self._plan, SampleStore(self._database)
        names = [model.name for model in plan.models]
        sample = store.find(plan.sample)
        is_new = sample is None
        if sample is None:
            sample = sample_probes(self._database, plan.sample, names, plan.design, plan.author)
        else:
            _check_same(sample, plan, names)
        short = "".join(
            f"; {cell.model}, {cell.category}: {cell.shortfall:,} short of {cell.wanted:,}"
            for cell in sample.cells
            if cell.shortfall
        )
        drawn = sum(cell.drawn for cell in sample.cells)
        progress.report(drawn, drawn, sample.name)
        state = "drawn" if is_new else "there"
        return StageOutcome(
            Stage.SAMPLE, drawn if is_new else 0, 0, f"“{sample.name}” {state}: {drawn:,} probes{short}"
        )

    def _evaluate(self, progress: Progress) -> StageOutcome:
        sample = SampleStore(self._database).get(self._plan.sample)
        store = RunStore(self._database)
        if self._plan.retry_failed:
            for run_id in runs_of_sample(self._database, sample.name):
                store.retry_failed(run_id)
        stored = left = 0
        limit = ""
        for run_id in plan_sample(self._database, sample, self._plan):
            outcome = run_evaluation(
                self._database,
                run_id,
                self._plan.replay_folder,
                progress,
                control=self.control,
                start_worker=self._start_worker,
                budget=self._budget,
            )
            stored, left, limit = stored + outcome.stored, left + outcome.left, outcome.reason
            if outcome.is_cancelled:
                break
        return StageOutcome(Stage.EVALUATE, stored, left, f"{stored:,} answers stored, {left:,} left", limit)

    def _judge(self, progress: Progress) -> StageOutcome:
        return self._judge_runs(Stage.JUDGE, runs_of_sample(self._database, self._plan.sample), progress)

    def _judge_runs(self, stage: Stage, runs: Sequence[RunId], progress: Progress) -> StageOutcome:
        plan = self._plan
        outcomes = self._ask(judge, plan.judge, plan.judge_price, runs, progress)
        done = sum(each.judged for each in outcomes)
        unscored = sum(each.unscored for each in outcomes)
        failed = sum(each.failed for each in outcomes)
        left = sum(each.left for each in outcomes)
        why = next((f" (most often: {each.why_unscored})" for each in outcomes if each.why_unscored), "")
        text = f"{done:,} judged, {unscored:,} unscored{why}, {failed:,} failed{_left(left)}"
        return StageOutcome(stage, done, unscored + failed + left, text, self._budget.words if left else "")

    def _classify(self, progress: Progress) -> StageOutcome:
        plan = self._plan
        runs = runs_of_sample(self._database, plan.sample)
        outcomes = self._ask(classify, plan.classifier, plan.classifier_price, runs, progress)
        done = sum(each.classified + each.by_construction for each in outcomes)
        open_now = sum(each.failed + each.unscored for each in outcomes)
        left = sum(each.left for each in outcomes)
        text = f"{done:,} failures classified, {open_now:,} without a mode{_left(left)}"
        return StageOutcome(Stage.CLASSIFY, done, open_now + left, text, self._budget.words if left else "")

    def _ask(
        self,
        work: _Asking[_Outcome],
        language_model: LanguageModel,
        price: TokenPrice | None,
        runs: Sequence[RunId],
        progress: Progress,
    ) -> list[_Outcome]:
        """Judge or classify run by run, until the spending limit leaves something undone."""
        outcomes: list[_Outcome] = []
        for run_id in runs:
            outcome = work(
                self._database,
                language_model,
                self._plan.categories,
                progress,
                run_id=run_id,
                at_once=self._plan.ask_at_once,
                spending=Spending(self._budget.left, price),
            )
            self._budget.add(outcome.cost)
            outcomes.append(outcome)
            if outcome.left:
                break
        return outcomes


def _check_prices(plan: PipelinePlan) -> None:
    asked = [(plan.judge, plan.judge_price), (plan.classifier, plan.classifier_price)]
    if plan.pairer is not None:
        asked.append((plan.pairer, plan.pairer_price))
    for model, price in asked:
        if plan.max_cost is not None and price is None and not isinstance(model, ScriptedLanguageModel):
            raise limit_needs_price(model.name)


def _spent(database: Database) -> float:
    """What the pipeline's stages have cost in a project so far, in US dollars, as far as it is known."""
    store, calls = RunStore(database), ModelCallStore(database)
    asked = sum(calls.totals(role).cost or 0.0 for role in ("judge", "classifier"))
    asked += calls.totals("generator", "pair/").cost or 0.0
    return store.spent((Purpose.FILTER, Purpose.EVALUATE)) + asked


def _left(count: int) -> str:
    return f", {count:,} left" if count else ""


def _check_same(sample: ProbeSample, plan: PipelinePlan, names: list[str]) -> None:
    """A sample stays as it was drawn: other wishes need another name."""
    if sample.design != plan.design:
        raise InputError(
            f"The sample “{sample.name}” was drawn by another design (size {sample.design.size}, "
            f"seed “{sample.design.seed}”).",
            "Take that design, or another name; to have more of it, extend it with “btc-gui sample --extends”.",
        )
    missing = [name for name in names if name not in sample.models]
    if missing:
        raise RunError(
            f"The sample “{sample.name}” was drawn without {', '.join(missing)}.",
            "Leave the model out, or draw a sample of another name for all of them.",
        )


def _stage_progress(progress: Progress, title: str) -> Progress:
    """A stage's own progress: its reports carry the stage's title, and cancelling the whole cancels it."""

    def reported(report: Report) -> None:
        progress.tell(report.done, report.total, f"{title}: {report.text}" if report.text else title)

    own = Progress(reported)
    progress.on_cancel(own.cancel)
    return own
