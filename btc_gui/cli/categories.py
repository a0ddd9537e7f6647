"""`btc-gui categories`: the app's and one's own, and what a project used."""

from __future__ import annotations

from pathlib import Path

import click

from btc_gui import paths
from btc_gui.cli.common import DONE, DONE_IN_PART, categories, echo_json, json_option, open_project
from btc_gui.domain.category import Category
from btc_gui.errors import InputError
from btc_gui.store.own_categories import UsedCategory, restore_category, used_categories


@click.command("categories")
@click.option("-p", "--project", type=click.Path(path_type=Path), help="Also say what this project used.")
@click.option("--restore", metavar="NAME", default="", help="Write a category that the project keeps into your folder.")
@json_option
@click.pass_context
def categories_command(context: click.Context, project: Path | None, restore: str, as_json: bool) -> None:
    """List the categories of change: the app's, and your own in the settings folder.

    A project keeps the files of your own categories that it has events of. Who gets the project writes them into their
    own folder with --restore. Exit code 1: the project has events of a category that is not here, or has changed.
    """
    if restore:
        if project is None:
            raise InputError("Which project keeps it?", "Add -p PROJECT.")
        with open_project(project) as database:
            folder = restore_category(database, restore)
        click.echo(f"Wrote {folder}.")
        return
    known = categories().values()
    used: list[UsedCategory] = []
    if project is not None:
        with open_project(project) as database:
            used = used_categories(database)
    if as_json:
        echo_json(
            {
                "folder": str(paths.own_categories()),
                "categories": [{"name": each.name, "title": each.title, "own": _is_own(each)} for each in known],
                "used": [
                    {"name": each.name, "here": each.folder is not None, "kept": each.is_kept, "differs": each.differs}
                    for each in used
                ],
            }
        )
    else:
        for each in known:
            click.echo(f"{each.name:<16} {each.title}{' (your own)' if _is_own(each) else ''}")
        click.echo(f"Your own categories are folders in {paths.own_categories()}.")
        for one in used:
            if one.problem:
                click.echo(one.problem)
    context.exit(DONE_IN_PART if any(each.problem for each in used) else DONE)


def _is_own(category: Category) -> bool:
    return paths.category_folder(category.name).parent == paths.own_categories()
