"""btc-gui export cases: case cards as Markdown, HTML and LaTeX."""

from __future__ import annotations

from pathlib import Path

import click

from btc_gui import paths
from btc_gui.cli.common import (
    DONE_IN_PART,
    cancelled_by_ctrl_c,
    categories,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.domain.case import CaseQuery
from btc_gui.domain.case_card import CardSheet
from btc_gui.domain.case_reference import answer_of_reference
from btc_gui.domain.case_remarks import place_reference
from btc_gui.domain.results_record import ILLUSTRATIVE
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError
from btc_gui.exports.case_card import FORMATS, write_cards
from btc_gui.exports.files import safe_name
from btc_gui.sessions.case_cards import case_cards
from btc_gui.settings import load_settings
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.saved_filters import SavedFilterStore


@click.command("cases")
@click.argument("references", nargs=-1, metavar="[REF]…")
@click.option("--collection", default="", help="The cases of this collection, in its order, with its description.")
@click.option("--filter", "--view", "view", default="", help="The cases of this saved view of the Cases page.")
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(list(FORMATS)), help="Only this format (default: all)."
)
@click.option("--out", type=click.Path(path_type=Path), default=None, help="The folder (default: exports).")
@project_option
@json_option
def export_cases_command(
    references: tuple[str, ...],
    collection: str,
    view: str,
    formats: tuple[str, ...],
    out: Path | None,
    project: Path,
    as_json: bool,
) -> None:
    """Write case cards: probe, change, direct answer, queries, evidence with source and date, answer, verdict, mode.

    Cases are named by references such as btc:17, by a collection, or by a saved view. A case of a study that is not
    unblinded yet gets no card, since a card tells its label; such cases are listed, and the exit code is 1.
    """
    if sum(map(bool, (references, collection, view))) != 1:
        raise InputError("Name the cases in one way.", "Give references, or --collection, or --filter.")
    folder = out or paths.exports() / project.stem
    progress = text_progress("export cases")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        ids, name, title, description = _wanted(database, references, collection, view)
        made = case_cards(database, categories(), ids, progress)
        note = ILLUSTRATIVE if ProjectStore(database).is_illustrative else ""
    files = []
    if made.cards:
        sheet = CardSheet(made.cards, title, description, note)
        files = write_cards(sheet, folder, name, formats or tuple(FORMATS))
    left_out = [place_reference(answer_id) for answer_id in made.in_study]
    if as_json:
        echo_json({"files": [str(file) for file in files], "cards": len(made.cards), "in_open_study": left_out})
    else:
        for file in files:
            click.echo(file)
        if left_out:
            click.echo(f"note: no card of {', '.join(left_out)}: part of a study that is not unblinded yet.", err=True)
        if not made.cards and not left_out:
            click.echo("note: there is no such case, so nothing was written.", err=True)
    if left_out:
        raise SystemExit(DONE_IN_PART)


def _wanted(
    database: Database, references: tuple[str, ...], collection: str, view: str
) -> tuple[list[AnswerId], str, str, str]:
    """The cases, the name of the file, the title and the description."""
    if collection:
        store = CaseCollectionStore(database)
        found = store.find(collection)
        return store.ids(found.id), f"cases_{safe_name(found.name)}", found.name, found.description
    if view:
        views = SavedFilterStore(database, "cases").all()
        if view not in views:
            known = ", ".join(f"“{name}”" for name in views)
            raise InputError(
                f"There is no saved view “{view}”.", f"There are: {known}." if known else "This project has none yet."
            )
        query = CaseQuery.from_json(views[view])
        person = load_settings().reviewer
        return CaseStore(database, blind_for=person).ids(query), f"cases_{safe_name(view)}", view, ""
    ids = list(dict.fromkeys(answer_of_reference(each) for each in references))
    name = f"case_{ids[0]}" if len(ids) == 1 else "cases"
    return ids, name, f"Case {place_reference(ids[0])}" if len(ids) == 1 else "Cases", ""
