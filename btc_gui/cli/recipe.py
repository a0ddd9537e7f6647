"""The commands `recipe export` and `recipe run`: a run's whole recipe as a file, and the same run planned again."""

from __future__ import annotations

from pathlib import Path

import click

from btc_gui.cli.common import echo_json, find_run, json_option, open_project, project_option
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.hashing import sha256
from btc_gui.errors import InputError
from btc_gui.exports.files import write_whole
from btc_gui.jobs.run_recipe import export_recipe, plan_recipe, read_recipe
from btc_gui.settings import load_settings


@click.group("recipe")
def recipe_command() -> None:
    """Take a run's whole recipe out of a project, or plan the run of a recipe in another one."""


@recipe_command.command("export")
@project_option
@click.option("--run", required=True, help="The run (number or name).")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write (.json).")
@json_option
def export_command(project: Path, run: str, out: Path, as_json: bool) -> None:
    """Write what made a run: versions, prompts, models, configurations, probes, sample, dates and settings.

    The file is canonical JSON with its own SHA-256, the same each time. It holds no keys and no folders of this
    machine; a file in which a key of the environment would stand is not written.
    """
    with open_project(project) as database:
        run_id = find_run(database, run)
        text = export_recipe(database, run_id)
    write_whole(out, text.encode())
    if as_json:
        echo_json({"run": run_id, "file": str(out), "bytes": len(text.encode()), "file_sha256": sha256(text)})
    else:
        click.echo(f"Wrote the recipe of run {run_id} to {out}.")


@recipe_command.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@project_option
@click.option(
    "--name", default="", help="What the new run is called (default: as in the recipe; taken: with a number)."
)
@click.option("--search-folder", type=click.Path(path_type=Path), help="Where the documents of a local search are.")
@click.option("--current-date", default="", metavar="DAY", help="Tell the agents this day instead of the recipe's.")
@json_option
def run_command(
    file: Path, project: Path, name: str, search_folder: Path | None, current_date: str, as_json: bool
) -> None:
    """Plan the run of a recipe in a project that holds the same probes; nothing is asked yet.

    Refuses, with the list of what differs, when probes, wordings, facts or prompts are missing.
    """
    recipe = read_recipe(file)
    if current_date:
        current_date = _day(current_date)
    with open_project(project) as database:
        planned = plan_recipe(
            database,
            recipe,
            load_settings().reviewer,
            name=name,
            search_folder=str(search_folder.resolve()) if search_folder else "",
            current_date=current_date,
        )
        place = database.path
    if as_json:
        echo_json(
            {
                "run": planned.run_id,
                "configurations": planned.configurations,
                "samples": planned.samples,
                "notes": list(planned.notes),
            }
        )
        return
    click.echo(f"Planned run {planned.run_id}: {planned.configurations} configurations, {planned.samples:,} samples.")
    for note in planned.notes:
        click.echo(f"note: {note}")
    click.echo(f"Start it with: btc-gui evaluate -p {place} --resume {planned.run_id}")


def _day(text: str) -> str:
    try:
        day = parse_event_date(text).as_day()
    except ValueError:
        day = None
    if day is None:
        raise InputError(f"“{text}” is not a day.", "Write it as 2026-05-09.")
    return day.isoformat()
