"""Commands about releases: release new, check, list, diff; export release and load release stand with their kind."""

from __future__ import annotations

import shlex
from pathlib import Path

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
from btc_gui.domain.release import Release, ReleaseDiff, ReleasePair, compare
from btc_gui.jobs.freeze_release import draft_release, freeze_release
from btc_gui.jobs.load_release import read_release
from btc_gui.settings import load_settings
from btc_gui.store.releases import ReleaseStore

_LISTED = 50
_category = click.option("--category", "only", multiple=True, help="Only this category (can be given again).")


@click.group("release")
def release_command() -> None:
    """Freeze what is accepted as a named release, and compare releases."""


@release_command.command("check")
@project_option
@_category
@json_option
@click.pass_context
def check_command(context: click.Context, project: Path, only: tuple[str, ...], as_json: bool) -> None:
    """What a release would hold now, and every accepted probe that stands against it (exit code 1 if there is one)."""
    progress = text_progress("release check")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        draft = draft_release(database, categories(), progress, only)
    if as_json:
        problems = [
            {"key": each.key, "entity": each.entity, "what": each.what, "remedy": each.remedy}
            for each in draft.problems
        ]
        echo_json({"pairs": len(draft.items), "problems": problems})
    else:
        for each in draft.problems:
            click.echo(f"{each.key} ({each.entity}): {each.what}. {each.remedy}")
        click.echo(f"{len(draft.items):,} pairs can be released, {len(draft.problems):,} accepted probes can't.")
    context.exit(DONE_IN_PART if draft.problems else DONE)


@release_command.command("new")
@click.argument("name")
@project_option
@_category
@click.option("--note", default="", help="A sentence that stands in manifest and datasheet.")
@click.option("--licence", default="", help="The licence of the wordings, such as “CC BY 4.0”.")
@json_option
def new_command(project: Path, name: str, only: tuple[str, ...], note: str, licence: str, as_json: bool) -> None:
    """Freeze what is accepted under NAME. Refused while anything of it is stale, unreviewed or unpaired."""
    progress = text_progress("release")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        author = load_settings().reviewer
        release = freeze_release(database, categories(), name, author, progress, only=only, note=note, licence=licence)
    if as_json:
        echo_json(_as_json(release))
        return
    click.echo(_line(release))
    # To be pasted into a shell: a name from a stranger is one word there.
    words = f"{shlex.quote(release.name)} -p {shlex.quote(str(project))}"
    click.echo(f"Write its files with: btc-gui export release {words} --out FOLDER")


@release_command.command("list")
@project_option
@json_option
def list_command(project: Path, as_json: bool) -> None:
    """The releases of a project, the newest first, and how many of their pairs have moved on since."""
    with open_project(project) as database:
        store = ReleaseStore(database)
        found = [(release, store.moved(release.id)) for release in store.all()]
    if as_json:
        echo_json({"releases": [{**_as_json(release), "moved": moved} for release, moved in found]})
        return
    for release, moved in found:
        click.echo(_line(release) + (f", {moved:,} of them have changed in the project since" if moved else ""))
    if not found:
        click.echo("No release yet: btc-gui release new NAME.")


@release_command.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "-p", "--project", type=click.Path(path_type=Path), envvar="BTC_PROJECT", help="The project of releases by name."
)
@json_option
@click.pass_context
def diff_command(context: click.Context, old: str, new: str, project: Path | None, as_json: bool) -> None:
    """What the release NEW has more, less and different than OLD: names in the project, or folders of releases.

    Exit code 1 when they differ.
    """
    first, second = _pairs(old, project), _pairs(new, project)
    difference = compare(first, second)
    if as_json:
        echo_json(_diff_as_json(difference))
    else:
        _print_diff(difference)
    context.exit(DONE if difference.is_empty else DONE_IN_PART)


def _pairs(place: str, project: Path | None) -> list[ReleasePair]:
    if project is not None and not Path(place).exists():
        with open_project(project) as database:
            store = ReleaseStore(database)
            return list(store.pairs(store.get(place).id))
    return list(read_release(Path(place), text_progress("release diff")).pairs)


def _as_json(release: Release) -> dict[str, object]:
    return {
        "name": release.name,
        "created_at": release.created_at,
        "created_by": release.created_by,
        "pairs": release.pairs,
        "by_category": dict(release.counts),
        "sha256": release.sha256,
    }


def _line(release: Release) -> str:
    counts = ", ".join(f"{count:,} {category}" for category, count in release.counts.items())
    return f"“{release.name}” of {release.created_at[:10]}: {release.pairs:,} pairs ({counts})"


def _diff_as_json(difference: ReleaseDiff) -> dict[str, object]:
    return {
        "added": [pair.key for pair in difference.added],
        "removed": [pair.key for pair in difference.removed],
        "changed": [{"key": each.key, "parts": list(each.parts)} for each in difference.changed],
        "same": difference.same,
    }


def _print_diff(difference: ReleaseDiff) -> None:
    lines = [f"+ {pair.key} ({pair.facts.entity})" for pair in difference.added]
    lines += [f"- {pair.key} ({pair.facts.entity})" for pair in difference.removed]
    lines += [f"~ {each.key} ({each.entity}): {', '.join(each.parts)}" for each in difference.changed]
    for line in lines[:_LISTED]:
        click.echo(line)
    if len(lines) > _LISTED:
        click.echo(f"… and {len(lines) - _LISTED:,} more (--json lists all)")
    click.echo(
        f"{len(difference.added):,} added, {len(difference.removed):,} removed, "
        f"{len(difference.changed):,} changed, {difference.same:,} the same"
    )
