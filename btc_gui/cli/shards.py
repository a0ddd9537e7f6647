"""Runs beyond one process: evaluate --shard, and the command cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from btc_gui import paths
from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    Command,
    cancelled_by_ctrl_c,
    echo_json,
    find_run,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.domain.configuration import Configuration
from btc_gui.domain.shard import Shard
from btc_gui.errors import InputError
from btc_gui.jobs.run_evaluation import run_evaluation
from btc_gui.jobs.run_shards import run_on_cluster, run_shard
from btc_gui.settings import load_settings
from btc_gui.store.runs import RunStore


def shard_options(command: Command) -> Command:
    """`--shard I/N` and `--logs PLACE`."""
    shard = click.option(
        "--shard", default="", metavar="I/N", help="With --run: answer only part I of N, beside other processes."
    )
    logs = click.option(
        "--logs",
        default="",
        metavar="PLACE",
        help="With --shard: only read the project, and leave logs in this folder or address for “load logs”.",
    )
    return shard(logs(command))


def evaluate_shard(
    project: Path,
    run: str,
    shard: str,
    logs: str,
    replay_folder: Path | None,
    as_json: bool,
    check: Callable[[Sequence[Configuration]], None],
) -> int:
    """Answer one shard of a run, into the project or into logs. Gives the exit code.

    `check` refuses configurations that can't be asked. Raises `InputError`.
    """
    if not run:
        raise InputError("A shard is a part of a run.", "Name the run with --run, and plan it first.")
    try:
        part = Shard.parse(shard)
    except ValueError as error:
        raise InputError(f"“{shard}” is no shard.", "Write --shard 2/8 for the second of eight parts.") from error
    progress = text_progress(f"shard {part.text}")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        run_id = find_run(database, run)
        check([each.configuration for each in RunStore(database).progress(run_id) if each.pending])
        if logs:
            done = run_shard(database, run_id, part, logs, replay_folder, progress)
            asked, finished, known, left = done.asked, done.finished, done.known, done.left
        else:
            outcome = run_evaluation(database, run_id, replay_folder, progress, shard=part)
            finished, known, left = outcome.stored, 0, outcome.left
            asked = finished + left
    if as_json:
        echo_json({"shard": part.text, "asked": asked, "finished": finished, "known": known, "left": left})
    else:
        there = f", {known:,} were in the logs already" if known else ""
        click.echo(f"Shard {part.text}: {asked:,} to answer, {finished:,} answered{there}, {left:,} left.")
    return DONE_IN_PART if left else DONE


@click.command("cluster")
@project_option
@click.option("--run", "run", required=True, help="The run (number or name); plan it first, with “evaluate”.")
@click.option("--scheduler", required=True, metavar="ADDRESS", help="The Dask scheduler, such as tcp://host:8786.")
@click.option("--shards", type=click.IntRange(min=1), default=16, show_default=True, help="How many parts.")
@click.option("--logs", required=True, metavar="PLACE", help="A folder or address that all workers and you can reach.")
@click.option("--replay", "replay_folder", type=click.Path(path_type=Path), help="Recordings (default: the demo's).")
@json_option
@click.pass_context
def cluster_command(
    context: click.Context,
    project: Path,
    run: str,
    scheduler: str,
    shards: int,
    logs: str,
    replay_folder: Path | None,
    as_json: bool,
) -> None:
    """Have a run answered by a Dask cluster, and load what it answered.

    Needs the extra “cluster” here and on the workers, which bring their own keys. A shard whose worker dies goes
    to another one. Run it again to go on: what the logs hold is not asked again.
    """
    folder = replay_folder or paths.resources() / "demo"
    progress = text_progress("cluster")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        run_id = find_run(database, run)
        author = load_settings().reviewer
        outcome = run_on_cluster(database, run_id, scheduler, shards, logs, folder, progress, author=author)
    new = sum(each.report.new for each in outcome.logs)
    if as_json:
        counts = {
            name: {"asked": each.asked, "known": each.known, "finished": each.finished}
            for name, each in outcome.shards.items()
        }
        echo_json({"shards": counts, "new": new, "left": outcome.left})
    else:
        click.echo(f"{len(outcome.shards)} shards done, {new:,} answers loaded, {outcome.left:,} left.")
    context.exit(DONE_IN_PART if outcome.left else DONE)
