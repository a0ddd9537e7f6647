"""Commands about a folder of documents for local search: index it, and look what a query finds."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import DONE, DONE_IN_PART, cancelled_by_ctrl_c, echo_json, json_option, text_progress
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.domain.trajectory import SearchResult
from btc_gui.evals.search.backend import Found
from btc_gui.evals.search.documents import index_documents
from btc_gui.evals.search.limits import shown
from btc_gui.evals.search.local import wanted_of
from btc_gui.store.local_documents import DocumentIndex

#: How many refused files are shown on a terminal.
_SHOWN = 20

_folder = click.argument("folder", type=click.Path(path_type=Path))


@click.group("documents")
def documents_command() -> None:
    """Search a folder of documents without a network (evaluate --search local)."""


@documents_command.command("index")
@_folder
@json_option
@click.pass_context
def index_command(context: click.Context, folder: Path, as_json: bool) -> None:
    """Bring the index of FOLDER up to date: text, Markdown, web pages, and JSONL with title, url, published, text."""
    progress = text_progress("index")
    with cancelled_by_ctrl_c(progress):
        report = index_documents(folder, progress)
    if as_json:
        echo_json(asdict(report))
    else:
        done = f"indexed in {report.seconds:.1f} s" if report.is_new else "the index is up to date"
        click.echo(f"{report.files:,} files, {report.documents:,} documents, {report.passages:,} passages: {done}.")
        for each in report.refused[:_SHOWN]:
            click.echo(f"Left out: {each.file}: {each.reason}.")
        if report.refusals > _SHOWN:
            click.echo(f"Left out: {report.refusals - _SHOWN:,} more.")
    context.exit(DONE_IN_PART if report.refusals else DONE)


@documents_command.command("search")
@_folder
@click.argument("query")
@click.option("--results", type=click.IntRange(min=1), default=SearchSettings().results, show_default=True)
@click.option("--as-of", default="", metavar="DAY", help="Drop what was published later.")
@click.option("--drop-undated", is_flag=True, help="With --as-of: also drop what has no date.")
@json_option
def search_command(folder: Path, query: str, results: int, as_of: str, drop_undated: bool, as_json: bool) -> None:
    """Say what an agent would get for QUERY from FOLDER."""
    settings = SearchSettings(
        SearchKind.LOCAL, results=results, as_of=as_of, keep_undated=not drop_undated, folder=str(folder)
    )
    with DocumentIndex(index_documents(folder, text_progress("index")).path) as index:
        seen = shown(Found(index.search(query, wanted_of(settings))), settings)
    if as_json:
        rows = [
            {"title": each.title, "url": each.url, "published": each.published, "excerpts": each.excerpts}
            for each in seen.results
        ]
        echo_json({"query": query, "results": rows, "dropped": seen.dropped})
        return
    for number, each in enumerate(seen.results, 1):
        click.echo(f"[{number}] {_head(each)}")
        for excerpt in each.excerpts:
            click.echo(f"    {excerpt}")
    if not seen.results:
        click.echo("No results.")
    if seen.dropped:
        click.echo(f"Dropped: {seen.dropped:,}, published after {as_of}{' or undated' if drop_undated else ''}.")


def _head(result: SearchResult) -> str:
    return f"{result.title}  ({result.published or 'undated'})  {result.url}"
