"""The command that runs the whole pipeline of a project."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast

import click

from btc_gui.cli.agent_options import Agents, agent_options
from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    cancelled_by_ctrl_c,
    categories,
    duration_text,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.cli.language_models import NamedModel, price_of, role_options
from btc_gui.cli.sample import design_options
from btc_gui.cli.search_options import search_options
from btc_gui.domain.configuration import Harness
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.pipeline import PipelineForecast, StageForecast
from btc_gui.domain.probe_sample import SampleDesign
from btc_gui.domain.run import RunRecipe
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.errors import ModelError
from btc_gui.jobs.run_pipeline import PipelinePlan, StageOutcome, forecast_pipeline, run_pipeline
from btc_gui.remote.language_model import LanguageModel, ModelReply, ModelRequest, Wait
from btc_gui.settings import load_settings
from btc_gui.store.database import Database


@click.command("pipeline")
@project_option
@agent_options(harnesses=(Harness.SHARED, Harness.NATIVE))
@search_options
@click.option("--unreviewed", is_flag=True, help="Also filter probes that wait for their review.")
@click.option("--sample", "sample", default="main", show_default=True, help="The sample: drawn if there is none yet.")
@design_options
@role_options("judge", "Who judges")
@role_options("classifier", "Who classifies failures")
@role_options("direct_by", "Who writes the direct probes", "nobody, they follow the category's template")
@click.option(
    "--max-cost",
    type=click.FloatRange(min=0, min_open=True),
    metavar="DOLLARS",
    help="Start nothing new once all filters, evaluations, judges, classifiers and direct probes have cost so much.",
)
@click.option("--retry-failed", is_flag=True, help="Also try again what failed.")
@click.option("--dry-run", is_flag=True, help="Only say what it would take.")
@json_option
@click.pass_context
def pipeline_command(context: click.Context, /, **options: object) -> None:
    """Filter, judge, pair, sample, evaluate, judge and classify: all that is left of it.

    Ctrl+C stops in order, as does the spending limit; the same command goes on. --dry-run says what each stage
    will take.
    """
    asked = _Asked(**cast("dict[str, Any]", options))
    with open_project(asked.project) as database, ExitStack() as stack:
        plan = _plan(database, asked, stack)
        if asked.dry_run:
            _print_forecast(forecast_pipeline(database, plan), asked.as_json)
            return
        progress = text_progress("pipeline")
        with cancelled_by_ctrl_c(progress):
            outcome = run_pipeline(database, plan, progress, on_stage=None if asked.as_json else _print_stage)
    if asked.as_json:
        echo_json(outcome.as_json())
    elif outcome.stopped_in:
        reason = f" {outcome.reason}" if outcome.reason else ""
        more = "the same command with a higher limit goes on" if outcome.reason else "the same command goes on"
        click.echo(f"Stopped in: {outcome.stopped_in.text}.{reason} What was answered is kept; {more}.")
    context.exit(DONE if outcome.is_complete else DONE_IN_PART)


@dataclass(frozen=True)
class _Asked:
    """The options, as given."""

    project: Path
    agents: Agents
    search: SearchSettings
    unreviewed: bool
    sample: str
    design: SampleDesign
    judge: NamedModel
    judge_price: TokenPrice | None
    classifier: NamedModel
    classifier_price: TokenPrice | None
    direct_by: NamedModel
    direct_by_price: TokenPrice | None
    max_cost: float | None
    retry_failed: bool
    dry_run: bool
    as_json: bool


@dataclass(frozen=True, slots=True)
class _Foreseen:
    """A model that is only counted on: a forecast asks nobody, and so needs no key."""

    name: str

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        """Raises `ModelError`: who foresees does not ask."""
        raise ModelError(f"{self.name} is only counted on.", "Leave out --dry-run to have it asked.")


def _chosen(
    database: Database, named: NamedModel, given: TokenPrice | None, asked: _Asked, stack: ExitStack
) -> tuple[LanguageModel, TokenPrice | None]:
    """The model with a role, and what its tokens cost."""
    choice = named.choice(database)
    price = price_of(database, choice, given, asked.max_cost)
    return _Foreseen(choice.name) if asked.dry_run else stack.enter_context(choice.open(price)), price


def _plan(database: Database, asked: _Asked, stack: ExitStack) -> PipelinePlan:
    judge, judge_price = _chosen(database, asked.judge, asked.judge_price, asked, stack)
    classifier, classifier_price = _chosen(database, asked.classifier, asked.classifier_price, asked, stack)
    pairer, pairer_price = None, None
    if asked.direct_by.who:
        pairer, pairer_price = _chosen(database, asked.direct_by, asked.direct_by_price, asked, stack)
    return PipelinePlan(
        models=tuple(asked.agents.chosen_models(database)),
        configurations=tuple(asked.agents.configurations(database, asked.search)),
        sample=asked.sample,
        design=asked.design,
        recipe=RunRecipe(current_date=date.today().isoformat(), at_once=asked.agents.at_once),
        judge=judge,
        classifier=classifier,
        categories=categories(),
        author=load_settings().reviewer,
        replay_folder=asked.agents.folder,
        include_unreviewed=asked.unreviewed,
        retry_failed=asked.retry_failed,
        judge_price=judge_price,
        classifier_price=classifier_price,
        max_cost=asked.max_cost,
        pairer=pairer,
        pairer_price=pairer_price,
    )


def _print_stage(outcome: StageOutcome) -> None:
    click.echo(f"{outcome.stage.text}: {outcome.text}.")


def _print_forecast(told: PipelineForecast, as_json: bool) -> None:
    if as_json:
        echo_json(told.as_json())
        return
    for each in told.stages:
        click.echo(_stage_text(each))
    cost = "" if told.cost is None else f", about {told.cost:,.2f} dollars"
    if not any(each.items for each in told.stages):
        click.echo("There is nothing to do: accept probes in the review, or filter those that wait too (--unreviewed).")
        return
    click.echo(f"Together {told.calls:,} calls, about {duration_text(told.seconds)}{cost}. Nothing was run.")


def _stage_text(told: StageForecast) -> str:
    most = "at most " if told.is_bound and told.items else ""
    if not told.calls:
        return f"{told.stage.text}: {most}{told.items:,}"
    cost = "" if told.cost is None else f", {told.cost:,.2f} dollars"
    return (
        f"{told.stage.text}: {most}{told.items:,} answers, {told.calls:,} calls, {told.usage.input:,} tokens in, "
        f"{told.usage.output:,} out, {duration_text(told.seconds)}{cost} ({told.basis})"
    )
