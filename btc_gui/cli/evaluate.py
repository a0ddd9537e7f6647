"""Commands about runs: evaluate, runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

import click

from btc_gui import paths
from btc_gui.cli.agent_options import Agents, agent_options, members
from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    duration_text,
    echo_json,
    find_run,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.cli.search_options import search_options
from btc_gui.cli.shards import evaluate_shard, shard_options
from btc_gui.domain.forecast import Forecast
from btc_gui.domain.model_family import Role
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.run import ConfigurationProgress, Run, RunId, RunRecipe
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import InputError
from btc_gui.evals.replay import SEARCHES_FILE
from btc_gui.jobs.choose_probes import choose_probes
from btc_gui.jobs.run_evaluation import (
    RunControl,
    RunOutcome,
    forecast_left,
    forecast_plan,
    log_folder,
    plan_each,
    run_evaluation,
)
from btc_gui.jobs.same_family import kin
from btc_gui.jobs.sample_probes import items_of_sample
from btc_gui.progress import Progress
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from btc_gui.store.samples import SampleStore


@click.command("evaluate")
@project_option
@agent_options(default=paths.resources() / "demo")
@click.option("--kind", "kinds", default="direct,indirect", show_default=True, help="Which probes.")
@click.option("--sample", "sample_name", default="", metavar="SAMPLE", help="The probes of this frozen sample.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N probes.")
@click.option("--repetitions", type=click.IntRange(min=1), default=1, show_default=True, help="Answers to each probe.")
@click.option(
    "--max-cost",
    type=click.FloatRange(min=0, min_open=True),
    help="Start nothing new once the known costs of the run reach so many US dollars.",
)
@click.option("--name", default="", help="What the run is called.")
@click.option(
    "--resume",
    "--run",
    "resume",
    default="",
    metavar="RUN",
    help="Go on with this run (number or name), not a new one.",
)
@search_options
@shard_options
@click.option("--retry-failed", is_flag=True, help="With --resume: also try again what failed.")
@click.option("--dry-run", is_flag=True, help="Only say what it would take.")
@click.option("--plan-only", is_flag=True, help="Plan the run and ask nobody: for --shard, cluster or the window.")
@json_option
@click.pass_context
def evaluate_command(
    context: click.Context,
    project: Path,
    agents: Agents,
    kinds: str,
    sample_name: str,
    limit: int | None,
    repetitions: int,
    max_cost: float | None,
    name: str,
    search: SearchSettings,
    resume: str,
    shard: str,
    logs: str,
    retry_failed: bool,
    dry_run: bool,
    plan_only: bool,
    as_json: bool,
) -> None:
    """Put the accepted probes to agents, or those of a sample: each model its own.

    Ctrl+C lets what is in flight finish and stops then; a second one stops at once. Nothing that is finished
    is lost or asked again: go on with --resume.
    """
    if shard or logs:
        _refuse_beside_shards(dry_run, plan_only, retry_failed, max_cost)
        context.exit(evaluate_shard(project, resume, shard, logs, agents.folder, as_json, agents.check_searches))
    with open_project(project) as database:
        if resume:
            run_id = find_run(database, resume)
            pending = [each.configuration for each in RunStore(database).progress(run_id) if each.pending]
            agents.check_searches(pending)
            if retry_failed and not dry_run:
                RunStore(database).retry_failed(run_id)
            if max_cost is not None and not dry_run:
                RunStore(database).set_max_cost(run_id, max_cost)
            if dry_run:
                _print_forecast(forecast_left(database, run_id), as_json)
                return
        else:
            configurations = agents.configurations(database, search)
            names = list(dict.fromkeys(each.model for each in configurations))
            for warning in kin(database, role=Role.EVALUATED, names=names):
                click.echo(f"note: {warning.text}", err=True)
            chosen = members([kinds], ProbeKind, list(ProbeKind))
            if sample_name:
                sample = SampleStore(database).get(sample_name)
                plan = items_of_sample(database, sample, configurations, chosen, limit)
            else:
                items = choose_probes(database, chosen, limit)
                plan = [(each, items) for each in configurations]
            agents.check_recordings(database, plan)
            if dry_run:
                _print_forecast(forecast_plan(database, plan, repetitions, at_once=agents.at_once), as_json)
                return
            recipe = RunRecipe(
                current_date=date.today().isoformat(), at_once=agents.at_once, sample=sample_name, max_cost=max_cost
            )
            run_id = plan_each(database, name, plan, repetitions, load_settings().reviewer, recipe)
        if plan_only:
            _print_outcome(database, run_id, RunOutcome(0, {}, len(RunStore(database).pending(run_id))), as_json)
            return
        progress, control = text_progress("evaluate"), RunControl()
        with _ctrl_c(progress, control):
            outcome = run_evaluation(database, run_id, agents.folder, progress, control=control)
        _print_outcome(database, run_id, outcome, as_json)
        failed = outcome.by_ending.get(Ending.FAILED, 0)
    context.exit(DONE_IN_PART if outcome.left or failed else DONE)


def _refuse_beside_shards(dry_run: bool, plan_only: bool, retry_failed: bool, max_cost: float | None) -> None:
    """What belongs to a whole run says nothing to one shard of it: better refused than left out silently."""
    given = {"--dry-run": dry_run, "--plan-only": plan_only, "--retry-failed": retry_failed}
    given["--max-cost"] = max_cost is not None
    refused = [option for option, is_given in given.items() if is_given]
    if refused:
        raise InputError(
            f"{' and '.join(refused)} can't be combined with --shard or --logs.",
            "It belongs to the run: give it when the run is planned, or with --resume alone.",
        )


@click.command("runs")
@project_option
@json_option
def runs_command(project: Path, as_json: bool) -> None:
    """List the runs of a project and how far they have come."""
    with open_project(project) as database:
        store = RunStore(database)
        ids = store.ids()
        runs = store.fetch(ids)
        if as_json:
            echo_json({"runs": [_run_as_json(runs[each], store.progress(each)) for each in ids]})
            return
        if not ids:
            click.echo("There is no run yet.")
        for each in ids:
            run = runs[each]
            click.echo(f"{run.id}  {run.name}  ({run.created_by}, {run.created_at[:10]})")
            _print_progress(store.progress(each))


@contextmanager
def _ctrl_c(progress: Progress, control: RunControl) -> Iterator[None]:
    """Ctrl+C drains, a second one stops at once, a third one is the usual interrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupted(number: int, frame: FrameType | None) -> None:
        if not progress.is_cancelled:
            progress.cancel()
            click.echo("\nFinishing what is in flight (Ctrl+C again stops at once) …", err=True)
        elif not control.is_stopped:
            control.stop_now()
            click.echo("\nStopping …", err=True)
        else:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# -- output --------------------------------------------------------------------------------------------------


def _print_outcome(database: Database, run_id: RunId, outcome: RunOutcome, as_json: bool) -> None:
    store = RunStore(database)
    run, progress = store.get(run_id), store.progress(run_id)
    recording = log_folder(database, run) / SEARCHES_FILE
    if as_json:
        echo_json(
            {
                **_run_as_json(run, progress),
                "stored": outcome.stored,
                "by_ending": dict(outcome.by_ending),
                "left": outcome.left,
                "cancelled": outcome.is_cancelled,
                "reason": outcome.reason,
                "recording": str(recording) if recording.exists() else None,
            }
        )
        return
    click.echo(f"Run {run.id} “{run.name}”: {outcome.stored:,} answers stored, {outcome.left:,} left.")
    _print_progress(progress)
    if outcome.reason:
        click.echo(outcome.reason)
    if recording.exists():
        click.echo(f"What its searches found is recorded for --replay: {recording.parent}")
    if outcome.left:
        click.echo(f"Go on with: btc-gui evaluate -p {database.path} --resume {run.id}")


def _print_progress(progress: Sequence[ConfigurationProgress]) -> None:
    width = max((len(each.configuration.title) for each in progress), default=0)
    for each in progress:
        endings = ", ".join(
            f"{each.by_ending[ending]:,} {ending.text}" for ending in Ending if ending in each.by_ending
        )
        again = f", asked again {sum(each.retries.values()):,} times" if each.retries else ""
        click.echo(f"    {each.configuration.title:<{width}}  {each.done:,} of {each.planned:,}  {endings}{again}")


def _run_as_json(run: Run, progress: Sequence[ConfigurationProgress]) -> dict[str, Any]:
    return {
        "run": run.id,
        "name": run.name,
        "created_by": run.created_by,
        "created_at": run.created_at,
        "configurations": [
            {
                "model": each.configuration.model,
                "effort": each.configuration.effort,
                "harness": each.configuration.harness,
                "planned": each.planned,
                "done": each.done,
                "attempts": each.attempts,
                "by_ending": dict(each.by_ending),
                "tokens": each.usage.total,
                "cost": each.cost,
                "seconds": round(each.seconds, 3),
                "retries": dict(each.retries),
            }
            for each in progress
        ],
    }


def _print_forecast(told: Forecast, as_json: bool) -> None:
    if as_json:
        echo_json(
            {
                "answers": told.answers,
                "calls": told.calls,
                "searches": told.searches,
                "input_tokens": told.usage.input,
                "output_tokens": told.usage.output,
                "cost": told.cost,
                "unpriced": list(told.unpriced),
                "seconds": round(told.seconds),
                "configurations": [
                    {
                        "model": row.configuration.model,
                        "effort": row.configuration.effort,
                        "harness": row.configuration.harness,
                        "answers": row.answers,
                        "calls": row.calls,
                        "searches": row.searches,
                        "input_tokens": row.usage.input,
                        "output_tokens": row.usage.output,
                        "cost": row.cost,
                        "basis": row.basis,
                    }
                    for row in told.rows
                ],
            }
        )
        return
    for row in told.rows:
        click.echo(
            f"{row.configuration.title}: {row.answers:,} answers, {row.calls:,} calls, {row.searches:,} searches, "
            f"{row.usage.input:,} tokens in, {row.usage.output:,} out{_dollars(row.cost)} ({row.basis})"
        )
    without = f" (without {', '.join(told.unpriced)}: no price is known)" if told.unpriced and told.cost else ""
    click.echo(
        f"Together {told.answers:,} answers, {told.calls:,} calls{_dollars(told.cost)}{without}, "
        f"about {duration_text(told.seconds)}. Nothing was run."
    )


def _dollars(cost: float | None) -> str:
    return "" if cost is None else f", ${cost:,.2f}"
