"""Commands that find cases: find, pick, facets, views, index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from btc_gui.cli.common import (
    cancelled_by_ctrl_c,
    echo_json,
    find_run,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.domain.case import ALL_CASES, ORDERS, CasePool, CaseQuery, CaseRow
from btc_gui.domain.number_words import counted
from btc_gui.domain.search_snippet import Snippet
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError
from btc_gui.jobs.index_cases import index_cases
from btc_gui.settings import load_settings
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.saved_filters import SavedFilterStore

#: The page that saved views of cases belong to.
VIEWS = "cases"
_OPTIONS = {
    "categories": "category",
    "kinds": "kind",
    "models": "model",
    "harnesses": "harness",
    "efforts": "effort",
    "modes": "mode",
    "labels": "label",
    "humans": "human",
    "directs": "direct",
    "endings": "ending",
    "queries": "queries",
    "tags": "tag",
    "sources": "source",
    "runs": "run",
    "releases": "release",
    "samples": "sample",
}
_LISTED = 50


def query_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """SEARCH, `--view`, `--pool` and an option for each facet; the command gets `choose`, which makes the query."""

    @wraps(command)
    def with_query(*arguments: object, search: str, view: str, pool: str | None, **others: object) -> object:
        chosen = {facet: cast("tuple[str, ...]", others.pop(option)) for facet, option in _OPTIONS.items()}

        def choose(database: Database) -> CaseQuery:
            query = _saved(database, view) if view else ALL_CASES
            values = {facet: given for facet, given in chosen.items() if given}
            if "runs" in values:
                values["runs"] = tuple(str(find_run(database, each)) for each in values["runs"])
            query = CaseQuery.from_json({**query.as_json(), **values})
            query = replace(query, contains=search) if search else query
            return replace(query, pool=CasePool(pool)) if pool else query

        return command(*arguments, choose=choose, **others)

    options: list[Callable[..., Any]] = [
        click.argument("search", default=""),
        click.option("--view", default="", help="Begin with this saved view."),
        click.option("--pool", type=click.Choice([each.value for each in CasePool]), help="Whose answers."),
        *(
            click.option(f"--{option}", option, multiple=True, help=f"Only this {option} (can be given again).")
            for option in _OPTIONS.values()
        ),
    ]
    for option in reversed(options):
        with_query = option(with_query)
    return with_query


def _saved(database: Database, name: str) -> CaseQuery:
    saved = SavedFilterStore(database, VIEWS).all()
    if name not in saved:
        raise InputError(f"There is no saved view “{name}”.", f"Saved views: {', '.join(saved) or 'none'}.")
    return CaseQuery.from_json(saved[name])


@click.group("cases")
def cases_command() -> None:
    """Find cases by facets and words; pick some at random. See docs/cases.md."""


@cases_command.command("find")
@query_options
@project_option
@click.option("--order", type=click.Choice(ORDERS), help="By what they are sorted.")
@click.option("--descending", is_flag=True, help="The other way round.")
@click.option("--limit", type=click.IntRange(min=0), help="List so many (50; with --json all).")
@click.option("--facets", "with_facets", is_flag=True, help="The counts of all facets too.")
@json_option
def find_command(
    choose: Callable[[Database], CaseQuery],
    project: Path,
    order: str | None,
    descending: bool,
    limit: int | None,
    with_facets: bool,
    as_json: bool,
) -> None:
    """List the cases that fit SEARCH (such as: “query:minister NOT answer:died”) and all given facets."""
    progress = text_progress("cases find")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        query = choose(database)
        query = replace(query, order=order or query.order, descending=descending or query.descending)
        store = _store(database)
        if query.contains.strip():
            index_cases(database, progress, query.pool)
        found = store.find(query, progress)
        shown = found.ids if limit is None and as_json else found.ids[: _LISTED if limit is None else limit]
        rows = store.fetch(shown)
        snippets = store.snippets(shown, query.contains, progress)
    if as_json:
        cases = [_as_json(rows[each], snippets.get(each)) for each in shown]
        echo_json({"found": len(found.ids), "facets": found.facets if with_facets else None, "cases": cases})
        return
    _print_cases(shown, rows, snippets)
    if with_facets:
        _print_facets(found.facets, found.names)
    rest = f" ({len(found.ids) - len(shown):,} more are not listed: --limit)" if len(found.ids) > len(shown) else ""
    click.echo(f"{counted(len(found.ids), 'case')}{rest}")


@cases_command.command("pick")
@query_options
@project_option
@click.option("-n", "--count", type=click.IntRange(min=1), default=20, show_default=True, help="How many.")
@click.option("--seed", default="1", show_default=True, help="What decides the draw: any text.")
@json_option
def pick_command(choose: Callable[[Database], CaseQuery], project: Path, count: int, seed: str, as_json: bool) -> None:
    """Draw some of the cases that fit at random: the same seed gives the same cases, here and in the window."""
    progress = text_progress("cases pick")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        query = choose(database)
        store = _store(database)
        if query.contains.strip():
            index_cases(database, progress, query.pool)
        picked = store.pick(query, count, seed, progress)
        rows = store.fetch(picked)
    if as_json:
        echo_json({"seed": seed, "cases": [_as_json(rows[each], None) for each in picked]})
        return
    _print_cases(picked, rows, {})
    click.echo(f"{counted(len(picked), 'case')}, picked with seed {seed}")


@cases_command.command("views")
@project_option
@json_option
def views_command(project: Path, as_json: bool) -> None:
    """The saved views, and how many cases each has now."""
    with open_project(project) as database:
        store = _store(database)
        saved = SavedFilterStore(database, VIEWS).all()
        found = {name: len(store.ids(CaseQuery.from_json(content))) for name, content in saved.items()}
    if as_json:
        echo_json({"views": [{"name": name, "filter": saved[name], "cases": n} for name, n in found.items()]})
        return
    for name, count in found.items():
        click.echo(f"{name}: {counted(count, 'case')}")
    if not found:
        click.echo("No saved view yet: Saved, on the Cases page.")


@cases_command.command("index")
@project_option
@click.option("--pool", type=click.Choice([each.value for each in CasePool]), help="Only these answers.")
def index_command(project: Path, pool: str | None) -> None:
    """Make all cases searchable that are not yet: those of older projects, and the answers of filters."""
    progress = text_progress("cases index")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        for each in [CasePool(pool)] if pool else list(CasePool):
            done = index_cases(database, progress, each)
            click.echo(f"{counted(done, f'answer of {each}', f'answers of {each}')} made searchable")


def _store(database: Database) -> CaseStore:
    return CaseStore(database, blind_for=load_settings().reviewer)


def _as_json(case: CaseRow, snippet: Snippet | None) -> dict[str, object]:
    return {
        "reference": case.reference,
        "pool": case.pool,
        "entity": case.entity,
        "category": case.category,
        "date": case.date.iso if case.date else None,
        "kind": case.kind,
        "probe": case.probe_text,
        "model": case.configuration.model,
        "harness": case.configuration.harness,
        "effort": case.configuration.effort,
        "repetition": case.repetition,
        "ending": case.ending,
        "queries": None if case.hides_queries else case.queries,
        "label": case.label_text,
        "mode": case.mode_text,
        "snippet": {"field": snippet.field, "step": snippet.step, "text": snippet.text, "marks": snippet.marks}
        if snippet
        else None,
    }


def _print_cases(ids: list[AnswerId], rows: dict[AnswerId, CaseRow], snippets: dict[AnswerId, Snippet]) -> None:
    for answer_id in ids:
        case = rows[answer_id]
        said = ", ".join(each for each in (case.label_text, case.mode_text) if each and each != case.ending)
        what = " · ".join(each for each in (case.kind_text, case.configuration.title, case.queries_text, said) if each)
        click.echo(_plain(f"{case.reference}  {case.entity}  {what}"))
        snippet = snippets.get(answer_id)
        if snippet is not None:
            click.echo(_plain(f"    {snippet.field}: {_marked(snippet)}"))


def _marked(snippet: Snippet) -> str:
    text, done = "", 0
    for start, stop in snippet.marks:
        if start >= done:
            text += f"{snippet.text[done:start]}[{snippet.text[start:stop]}]"
            done = stop
    return text + snippet.text[done:]


def _plain(text: str) -> str:
    """One line without characters that would act on a terminal."""
    return "".join(each if each.isprintable() else " " for each in text)


def _print_facets(facets: dict[str, dict[str, int]], names: dict[str, dict[str, str]]) -> None:
    for facet, option in _OPTIONS.items():
        words = names.get(facet, {})
        counts = ", ".join(_plain(f"{words.get(value, value)} {n:,}") for value, n in facets[facet].items())
        if counts:
            click.echo(f"{option}: {counts}")
