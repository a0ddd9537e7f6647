"""Commands of the pipeline's runs: filter, retention, pair, sample, pipeline."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar, cast

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
from btc_gui.domain.configuration import EFFORTS, Effort, Harness
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.pipeline import PipelineForecast, StageForecast
from btc_gui.domain.probe_sample import SAMPLE_SIZE, ProbeSample, SampleCell, SampleDesign
from btc_gui.domain.retention import RetentionCount, Standing
from btc_gui.domain.run import AT_ONCE, RunRecipe
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import InputError
from btc_gui.evals.search.opening import with_documents
from btc_gui.exports.result_tables import write_retention_table
from btc_gui.jobs.choose_agents import choose_configurations, choose_models
from btc_gui.jobs.filter_probes import filter_probes, forecast_filter, probes_to_filter
from btc_gui.jobs.pair_probes import pair_probes
from btc_gui.jobs.run_pipeline import PipelinePlan, StageOutcome, forecast_pipeline, run_pipeline
from btc_gui.jobs.sample_probes import draw_sample, sample_probes
from btc_gui.remote.gemini import GeminiModel
from btc_gui.remote.language_model import LanguageModel
from btc_gui.remote.openai_compatible import OpenAICompatibleModel, ReasoningEffort
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.samples import SampleStore

Command = TypeVar("Command", bound=Callable[..., Any])

_WHOM = "gemini:MODEL, openai:MODEL (either with :EFFORT), or replay:[NAME=]FILE[,FILE] for recorded replies"


def _model_options(command: Command) -> Command:
    """Which models answer, and how."""
    options: list[Callable[[Command], Command]] = [
        project_option,
        click.option("--model", "models", multiple=True, help="A model, more than once for several."),
        click.option(
            "--replay",
            "replay_folder",
            type=click.Path(path_type=Path),
            help="A folder with recorded agents, which answer then instead of real models (default: all of them).",
        ),
        click.option("--unreviewed", is_flag=True, help="Also filter probes that wait for their review."),
        click.option(
            "--at-once", type=click.IntRange(min=1), default=AT_ONCE, show_default=True, help="Samples in parallel."
        ),
        click.option("--retry-failed", is_flag=True, help="Also try again what failed."),
        click.option("--dry-run", is_flag=True, help="Only say what it would take."),
        json_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command("filter")
@_model_options
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N probes.")
@click.pass_context
def filter_command(
    context: click.Context,
    project: Path,
    models: tuple[str, ...],
    replay_folder: Path | None,
    unreviewed: bool,
    at_once: int,
    retry_failed: bool,
    dry_run: bool,
    as_json: bool,
    limit: int | None,
) -> None:
    """Get three answers without search to each accepted indirect probe, at low effort.

    Judge them afterwards (btc-gui judge); a model retains the probes for which all three recommend the person.
    Nothing is asked twice: the same command goes on where it was.
    """
    with open_project(project) as database:
        chosen = choose_models(database, models, replay_folder)
        items = probes_to_filter(database, include_unreviewed=unreviewed, limit=limit)
        if dry_run:
            told = forecast_filter(database, chosen, items, at_once)
            if as_json:
                echo_json({"answers": told.answers, "calls": told.calls, "seconds": round(told.seconds)})
            else:
                click.echo(f"{told.answers:,} answers, about {_duration(told.seconds)}. Nothing was run.")
            return
        progress = text_progress("filter")
        with cancelled_by_ctrl_c(progress):
            outcome = filter_probes(
                database,
                chosen,
                items,
                replay_folder,
                progress,
                author=load_settings().reviewer,
                recipe=_recipe(at_once),
                retry_failed=retry_failed,
            )
        counts = RetentionStore(database).counts()
    failed = outcome.by_ending.get(Ending.FAILED, 0)
    if as_json:
        echo_json(
            {
                "stored": outcome.stored,
                "left": outcome.left,
                "by_ending": dict(outcome.by_ending),
                "retention": [asdict(each) for each in counts],
            }
        )
    else:
        click.echo(f"{outcome.stored:,} answers stored, {outcome.left:,} left, {failed:,} failed.")
        _print_counts(counts)
    context.exit(DONE_IN_PART if outcome.left or failed else DONE)


@click.command("retention")
@project_option
@click.option("--common", "models", multiple=True, metavar="MODEL", help="List the probes that all of these retain.")
@click.option("--undecided", "only_undecided", is_flag=True, help="List the probes that nothing can be said of yet.")
@click.option("--csv", "csv_path", type=click.Path(path_type=Path), help="Also write the table to this file.")
@json_option
def retention_command(
    project: Path, models: tuple[str, ...], only_undecided: bool, csv_path: Path | None, as_json: bool
) -> None:
    """Say which model retains how many probes, or which probes several models have in common."""
    with open_project(project) as database:
        store = RetentionStore(database)
        if models:
            common = store.retained(models)
            if as_json:
                echo_json({"models": list(models), "probes": [each.probe_key for each in common]})
                return
            for each in common:
                click.echo(each.probe_key)
            return
        if only_undecided:
            _print_undecided(database, store, as_json)
            return
        counts = store.counts()
        if csv_path is not None:
            note = "Illustrative" if ProjectStore(database).is_illustrative else ""
            write_retention_table(counts, csv_path, note)
    if as_json:
        echo_json({"retention": [asdict(each) for each in counts]})
    else:
        _print_counts(counts)


@click.command("pair")
@project_option
@json_option
@click.pass_context
def pair_command(context: click.Context, project: Path, as_json: bool) -> None:
    """Make the direct probe of every event that has a retained probe and no direct one yet."""
    progress = text_progress("pair")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        outcome = pair_probes(database, categories(), load_settings().reviewer, progress)
    if as_json:
        echo_json(asdict(outcome))
    else:
        click.echo(
            f"{outcome.created:,} direct probes made, {outcome.renewed:,} written anew for changed facts, "
            f"{outcome.known:,} were there; {outcome.stale:,} of other facts have to be looked at."
        )
        for entity, reason in outcome.refused:
            click.echo(f"  {entity}: {reason}", err=True)
    context.exit(DONE_IN_PART if outcome.stale or outcome.refused else DONE)


def _design_options(command: Command) -> Command:
    options: list[Callable[[Command], Command]] = [
        click.option(
            "--size", type=click.IntRange(min=1), default=SAMPLE_SIZE, show_default=True, help="For each category."
        ),
        click.option("--seed", default="1", show_default=True, help="What decides the draw: any text."),
        click.option(
            "--per-event",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="At most so many of one event.",
        ),
        click.option("--common", "is_common", is_flag=True, help="Draw from what all the models retain."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command("sample")
@project_option
@click.option("--name", default="", help="What the sample is called; without a name the samples are listed.")
@click.option("--model", "models", multiple=True, help="A filtered model, more than once for several (default: all).")
@_design_options
@click.option("--extends", default="", metavar="SAMPLE", help="Contain this sample.")
@click.option("--dry-run", is_flag=True, help="Only say what would be drawn.")
@json_option
def sample_command(
    project: Path,
    name: str,
    models: tuple[str, ...],
    size: int,
    seed: str,
    per_event: int,
    is_common: bool,
    extends: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Draw and freeze a sample: for each model and category retained probes, one for each event."""
    with open_project(project) as database:
        if not name and not dry_run:
            samples = SampleStore(database).all()
            if as_json:
                echo_json({"samples": [_sample_as_json(each) for each in samples]})
            for sample in () if as_json else samples:
                click.echo(
                    f"{sample.name}  (seed {sample.design.seed}, {sample.created_at[:10]}, {sample.sha256[:12]})"
                )
                _print_cells(sample.cells)
            return
        design = SampleDesign(seed, size, per_event, is_common)
        chosen = models or tuple(RetentionStore(database).models())
        if dry_run:
            drawn = draw_sample(database, chosen, design, extends=extends)
            if as_json:
                echo_json({"cells": [_cell_as_json(cell) for cell in drawn.cells], "unpaired": drawn.unpaired})
            else:
                _print_cells(drawn.cells)
                click.echo(f"{drawn.unpaired:,} without a direct probe. Nothing was frozen.")
            return
        sample = sample_probes(database, name, chosen, design, load_settings().reviewer, extends=extends)
        items = SampleStore(database).items(sample.id)
    if as_json:
        echo_json(_sample_as_json(sample))
    else:
        click.echo(f"“{sample.name}” is frozen: {len(items):,} probes, {sample.sha256[:12]}.")
        _print_cells(sample.cells)


@click.command("pipeline")
@_model_options
@click.option(
    "--effort", "efforts", multiple=True, type=click.Choice([each.value for each in EFFORTS]), help="Default: both."
)
@click.option(
    "--harness",
    "harnesses",
    multiple=True,
    type=click.Choice([Harness.SHARED.value, Harness.NATIVE.value]),
    help="Default: shared.",
)
@click.option(
    "--search",
    type=click.Choice([each.value for each in SearchKind]),
    default=SearchKind.REPLAY.value,
    show_default=True,
    help="What stands behind web_search.",
)
@click.option("--search-folder", default="", metavar="FOLDER", help="With --search local: where the documents are.")
@click.option("--as-of", default="", metavar="DAY", help="Drop search results published later.")
@click.option("--sample", "sample", default="main", show_default=True, help="The sample: drawn if there is none yet.")
@_design_options
@click.option("--judge", "judge", required=True, metavar="WHO", help=f"Who judges: {_WHOM}.")
@click.option("--classifier", required=True, metavar="WHO", help="Who classifies failures, named the same way.")
@click.option("--base-url", metavar="URL", help="The address of the judge's and classifier's server.")
@click.pass_context
def pipeline_command(context: click.Context, /, **options: object) -> None:
    """Filter, judge, pair, sample, evaluate, judge and classify: all that is left of it.

    Ctrl+C stops in order; the same command goes on. --dry-run says what each stage will take.
    """
    asked = _Wanted(**cast("dict[str, Any]", options))
    with open_project(asked.project) as database, ExitStack() as stack:
        plan = _plan(database, asked, stack)
        if asked.dry_run:
            _print_pipeline_forecast(forecast_pipeline(database, plan), asked.as_json)
            return
        progress = text_progress("pipeline")
        with cancelled_by_ctrl_c(progress):
            outcome = run_pipeline(database, plan, progress, on_stage=None if asked.as_json else _print_stage)
    if asked.as_json:
        echo_json(outcome.as_json())
    elif outcome.stopped_in:
        click.echo(f"Stopped in: {outcome.stopped_in.text}. The same command goes on.")
    context.exit(DONE if outcome.is_complete else DONE_IN_PART)


@dataclass(frozen=True)
class _Wanted:
    """The options of `pipeline`, as given."""

    project: Path
    models: tuple[str, ...]
    replay_folder: Path | None
    unreviewed: bool
    at_once: int
    retry_failed: bool
    dry_run: bool
    as_json: bool
    efforts: tuple[str, ...]
    harnesses: tuple[str, ...]
    search: str
    search_folder: str
    as_of: str
    sample: str
    size: int
    seed: str
    per_event: int
    is_common: bool
    judge: str
    classifier: str
    base_url: str | None


def _plan(database: Database, asked: _Wanted, stack: ExitStack) -> PipelinePlan:
    models = choose_models(database, asked.models, asked.replay_folder)
    search = with_documents(
        SearchSettings(SearchKind(asked.search), as_of=asked.as_of, folder=asked.search_folder), text_progress("index")
    )
    efforts = [Effort(each) for each in asked.efforts]
    harnesses = [Harness(each) for each in asked.harnesses]
    return PipelinePlan(
        models=tuple(models),
        configurations=tuple(
            choose_configurations(database, asked.models, efforts, harnesses, search, asked.replay_folder)
        ),
        sample=asked.sample,
        design=SampleDesign(asked.seed, asked.size, asked.per_event, asked.is_common),
        recipe=_recipe(asked.at_once),
        judge=stack.enter_context(_language_model(asked.judge, asked.base_url)),
        classifier=stack.enter_context(_language_model(asked.classifier, asked.base_url)),
        categories=categories(),
        author=load_settings().reviewer,
        replay_folder=asked.replay_folder,
        include_unreviewed=asked.unreviewed,
        retry_failed=asked.retry_failed,
        judge_price=_price_of(database, asked.judge),
        classifier_price=_price_of(database, asked.classifier),
    )


def _recipe(at_once: int) -> RunRecipe:
    return RunRecipe(current_date=date.today().isoformat(), at_once=at_once)


@contextmanager
def _language_model(who: str, base_url: str | None) -> Iterator[LanguageModel]:
    """The judge or classifier that was named. Raises `InputError` for what names nobody."""
    kind, _, rest = who.partition(":")
    if kind == "replay" and rest:
        own_name, equals, files = rest.partition("=")
        paths = [Path(part) for part in (files if equals else rest).split(",")]
        yield ScriptedLanguageModel(own_name if equals else f"recorded ({paths[0].stem})", *paths)
        return
    name, _, effort = rest.partition(":")
    if kind == "gemini" and name:
        key = os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY", "")
        with closing(GeminiModel(name, key, thinking=effort or None, base_url=base_url)) as gemini:
            yield gemini
    elif kind == "openai" and name:
        own_effort = cast("ReasoningEffort | None", effort or None)
        key = os.environ.get("OPENAI_API_KEY", "")
        with closing(OpenAICompatibleModel(name, key, base_url=base_url, effort=own_effort)) as openai:
            yield openai
    else:
        raise InputError(f"“{who}” names no language model.", f"Write {_WHOM}.")


def _price_of(database: Database, who: str) -> TokenPrice | None:
    kind, _, rest = who.partition(":")
    name = rest.partition(":")[0]
    known = [each for each in available_models(database) if name in (each.name, each.model, each.engine_name)]
    return known[0].price if known and kind != "replay" else None


# -- output --------------------------------------------------------------------------------------------------


def _print_counts(counts: Sequence[RetentionCount]) -> None:
    if not counts:
        click.echo("No probe was filtered yet.")
    for each in counts:
        click.echo(
            f"{each.model}, {each.category}: {each.events:,} events, {each.generated:,} probes, "
            f"{each.filtered:,} filtered, {each.retained:,} retained (of {each.retained_events:,} events), "
            f"{each.undecided:,} undecided"
        )


def _print_undecided(database: Database, store: RetentionStore, as_json: bool) -> None:
    rows = [
        (model, probe_id, each.reason)
        for model in store.models()
        for probe_id, each in store.of_model(model).items()
        if each.standing is Standing.UNDECIDED
    ]
    probes = ProbeStore(database).fetch([probe_id for _, probe_id, _ in rows])
    if as_json:
        echo_json({"undecided": [{"model": m, "probe": probes[i].key, "answers": reason} for m, i, reason in rows]})
        return
    for model, probe_id, reason in rows:
        click.echo(f"{model}  {probes[probe_id].key}  {reason}")


def _print_cells(cells: Sequence[SampleCell]) -> None:
    for cell in cells:
        short = f", {cell.shortfall:,} short of {cell.wanted:,}" if cell.shortfall else ""
        lost = f", {cell.lost:,} of the extended sample lost" if cell.lost else ""
        click.echo(f"    {cell.model}, {cell.category}: {cell.drawn:,} probes of {cell.events:,} events{short}{lost}")


def _cell_as_json(cell: SampleCell) -> dict[str, object]:
    return {**asdict(cell), "shortfall": cell.shortfall}


def _sample_as_json(sample: ProbeSample) -> dict[str, object]:
    return {
        "name": sample.name,
        "seed": sample.design.seed,
        "size": sample.design.size,
        "per_event": sample.design.per_event,
        "common": sample.design.is_common,
        "sha256": sample.sha256,
        "cells": [_cell_as_json(cell) for cell in sample.cells],
    }


def _print_stage(outcome: StageOutcome) -> None:
    click.echo(f"{outcome.stage.text}: {outcome.text}.")


def _print_pipeline_forecast(told: PipelineForecast, as_json: bool) -> None:
    if as_json:
        echo_json(told.as_json())
        return
    for each in told.stages:
        click.echo(_stage_text(each))
    cost = "" if told.cost is None else f", about {told.cost:,.2f} dollars"
    click.echo(f"Together {told.calls:,} calls, about {_duration(told.seconds)}{cost}. Nothing was run.")


def _stage_text(told: StageForecast) -> str:
    most = "at most " if told.is_bound and told.items else ""
    if not told.calls:
        return f"{told.stage.text}: {most}{told.items:,}"
    cost = "" if told.cost is None else f", {told.cost:,.2f} dollars"
    return (
        f"{told.stage.text}: {most}{told.items:,} answers, {told.calls:,} calls, {told.usage.input:,} tokens in, "
        f"{told.usage.output:,} out, {_duration(told.seconds)}{cost} ({told.basis})"
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"
