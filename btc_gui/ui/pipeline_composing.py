"""The whole pipeline as it is being composed in the window, and what each of its stages would take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from btc_gui.domain.category import Category
from btc_gui.domain.configuration import Harness
from btc_gui.domain.pipeline import PipelineForecast
from btc_gui.domain.probe_sample import SampleDesign
from btc_gui.domain.search_settings import SearchKind
from btc_gui.errors import BtcError, InputError
from btc_gui.evals.search.opening import with_documents
from btc_gui.jobs.model_price import known_price, limit_needs_price
from btc_gui.jobs.run_pipeline import PipelinePlan, forecast_pipeline
from btc_gui.progress import Progress
from btc_gui.remote.model_choice import ModelChoice
from btc_gui.store.database import Database
from btc_gui.ui.run_composing import Composition, configurations_of


@dataclass(frozen=True, slots=True)
class PipelineDraft:
    """What is to be done: `agents` says who answers and how (its probes are not used), `design` draws `sample`.

    Direct probes follow the templates unless there is a `pairer`.

    `max_cost` is what everything that the pipeline does may cost in US dollars, in all its sessions.
    """

    agents: Composition
    sample: str
    design: SampleDesign
    judge: ModelChoice
    classifier: ModelChoice
    include_unreviewed: bool = False
    retry_failed: bool = False
    max_cost: float | None = None
    pairer: ModelChoice | None = None

    @property
    def asked(self) -> list[tuple[str, ModelChoice]]:
        """The language models that are asked, each with its role."""
        found = [("judge", self.judge), ("classifier", self.classifier)]
        return [*found, ("writer of direct probes", self.pairer)] if self.pairer else found

    @property
    def is_free(self) -> bool:
        """Whether nobody is asked who wants to be paid: agents, searches and language models are recordings."""
        return (
            all(offer.model.is_scripted for offer in self.agents.models)
            and self.agents.search.kind is not SearchKind.EXA
            and not any(choice.is_paid for _, choice in self.asked)
        )

    def missing(self) -> tuple[str, str]:
        """What has not been chosen, and what to do about it; empty when everything is."""
        problem, remedy = self.agents.missing()
        if problem:
            return problem, remedy
        if not self.sample:
            return "The sample has no name", "Name the sample that is to be drawn, or one that is there."
        for role, choice in self.asked:
            if choice.problem():
                return f"The {role} can't be asked", choice.problem()
        return "", ""


@dataclass(frozen=True, slots=True)
class PipelineOutlook:
    """What each stage takes, or why it can't be done."""

    draft: PipelineDraft
    forecast: PipelineForecast | None = None
    problem: str = ""
    remedy: str = ""


@contextmanager
def opened_plan(
    database: Database, draft: PipelineDraft, categories: Mapping[str, Category], author: str, progress: Progress
) -> Iterator[PipelinePlan]:
    """The plan with its judge and classifier ready to be asked. Raises `BtcError` for what can't be done."""
    agents = draft.agents
    search = agents.search.settings()
    if Harness.SHARED in agents.harnesses:
        search = with_documents(search, progress)
    configurations, _ = configurations_of(database, agents, search)
    if not configurations:
        raise InputError("None of these models can be asked this way.", "Choose other harnesses or efforts.")
    prices = [known_price(database, choice) for _, choice in draft.asked]
    for (_, choice), price in zip(draft.asked, prices, strict=True):
        if draft.max_cost is not None and choice.is_paid and price is None:
            raise limit_needs_price(choice.model)
    with ExitStack() as stack:
        judge, classifier, *pairer = [
            stack.enter_context(choice.open(price)) for (_, choice), price in zip(draft.asked, prices, strict=True)
        ]
        yield PipelinePlan(
            models=tuple(offer.model for offer in agents.models),
            configurations=tuple(configurations),
            sample=draft.sample,
            design=draft.design,
            recipe=agents.recipe,
            judge=judge,
            classifier=classifier,
            categories=categories,
            author=author,
            replay_folder=agents.folder,
            include_unreviewed=draft.include_unreviewed,
            retry_failed=draft.retry_failed,
            judge_price=prices[0],
            classifier_price=prices[1],
            max_cost=draft.max_cost,
            pairer=pairer[0] if pairer else None,
            pairer_price=prices[2] if pairer else None,
        )


def look_ahead_pipeline(
    database: Database, draft: PipelineDraft, categories: Mapping[str, Category], author: str, progress: Progress
) -> PipelineOutlook:
    """Forecast every stage. Changes nothing, asks nobody."""
    problem, remedy = draft.missing()
    if problem:
        return PipelineOutlook(draft, problem=problem, remedy=remedy)
    try:
        with opened_plan(database, draft, categories, author, progress) as plan:
            return PipelineOutlook(draft, forecast_pipeline(database, plan))
    except BtcError as error:
        return PipelineOutlook(draft, problem=error.message, remedy=error.remedy)
