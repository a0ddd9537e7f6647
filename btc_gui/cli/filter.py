"""Commands about the filter: filter, retention, pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

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
from btc_gui.domain.number_words import counted
from btc_gui.domain.retention import RetentionCount, Standing
from btc_gui.domain.run import RunRecipe
from btc_gui.domain.trajectory import Ending
from btc_gui.exports.result_tables import write_retention_table
from btc_gui.jobs.filter_probes import filter_probes, forecast_filter, probes_to_filter
from btc_gui.jobs.pair_probes import pair_probes, why_no_pairs
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.retention import RetentionStore


@click.command("filter")
@project_option
@agent_options(harnesses=())
@click.option("--unreviewed", is_flag=True, help="Also filter probes that wait for their review.")
@click.option("--retry-failed", is_flag=True, help="Also try again what failed.")
@click.option("--dry-run", is_flag=True, help="Only say what it would take.")
@json_option
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N probes.")
@click.pass_context
def filter_command(
    context: click.Context,
    project: Path,
    agents: Agents,
    unreviewed: bool,
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
        chosen = agents.chosen_models(database)
        items = probes_to_filter(database, include_unreviewed=unreviewed, limit=limit)
        if dry_run:
            told = forecast_filter(database, chosen, items, agents.at_once)
            if as_json:
                echo_json({"answers": told.answers, "calls": told.calls, "seconds": round(told.seconds)})
            else:
                click.echo(f"{told.answers:,} answers, about {duration_text(told.seconds)}. Nothing was run.")
            return
        progress = text_progress("filter")
        with cancelled_by_ctrl_c(progress):
            outcome = filter_probes(
                database,
                chosen,
                items,
                agents.folder,
                progress,
                author=load_settings().reviewer,
                recipe=RunRecipe(current_date=date.today().isoformat(), at_once=agents.at_once),
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


#: What to do where no probe is retained.
FILTER_FIRST = "Filter first (btc-gui filter), and judge the answers (btc-gui judge)."


@click.command("pair")
@project_option
@click.option(
    "--accepted", is_flag=True, help="Also for events with an accepted probe, retained or not: for a release."
)
@json_option
@click.pass_context
def pair_command(context: click.Context, project: Path, accepted: bool, as_json: bool) -> None:
    """Make the direct probe of every event that has a retained probe and no direct one yet.

    Which probes are retained is said by “btc-gui filter” and the judge of its answers: they come first.
    """
    progress = text_progress("pair")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        outcome = pair_probes(database, categories(), load_settings().reviewer, progress, of_accepted=accepted)
        lack = "" if outcome.is_any else why_no_pairs(database)
    if as_json:
        echo_json(asdict(outcome))
    elif lack:
        click.echo(f"{lack} {FILTER_FIRST} Accepted ones get theirs all the same by --accepted.")
    else:
        click.echo(
            f"{counted(outcome.created, 'direct probe')} made, {outcome.renewed:,} written anew for changed facts, "
            f"{outcome.known:,} were there; {outcome.stale:,} of other facts have to be looked at."
        )
        for entity, reason in outcome.refused:
            click.echo(f"  {entity}: {reason}", err=True)
    context.exit(DONE_IN_PART if outcome.stale or outcome.refused else DONE)


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
    if any("unscored" in reason for _, _, reason in rows):
        click.echo("Replies that can't be read are asked for anew by “btc-gui judge --again unscored”.", err=True)
