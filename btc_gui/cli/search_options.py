"""The options of commands whose agents search."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from btc_gui.cli.common import text_progress
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.evals.search.opening import with_documents

_DEFAULT = SearchSettings()


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--search`, `--search-folder`, `--as-of`, `--results`, `--characters` and `--drop-undated`.

    The command gets one argument `search` with the settings of them all; a folder of documents is indexed first.
    """

    @wraps(command)
    def with_search(
        *arguments: object,
        search_kind: str,
        search_folder: str,
        as_of: str,
        results: int,
        characters: int,
        drop_undated: bool,
        **others: object,
    ) -> object:
        kind = SearchKind(search_kind or (SearchKind.LOCAL if search_folder else SearchKind.REPLAY))
        settings = SearchSettings(kind, results, characters, as_of, not drop_undated, search_folder)
        search = with_documents(settings, text_progress("index"))
        return command(*arguments, search=search, **others)

    for option in reversed(_OPTIONS):
        with_search = option(with_search)
    return with_search


_OPTIONS: tuple[Callable[[Callable[..., Any]], Callable[..., Any]], ...] = (
    click.option(
        "--search",
        "search_kind",
        type=click.Choice([each.value for each in SearchKind]),
        help="What stands behind web_search: recorded results, Exa (key in EXA_API_KEY) or a folder of documents.  "
        "[default: replay]",
    ),
    click.option(
        "--search-folder", default="", metavar="FOLDER", help="The documents to search (implies --search local)."
    ),
    click.option(
        "--as-of", default="", metavar="DAY", help="Drop results published later; the agents are told this day."
    ),
    click.option(
        "--results",
        type=click.IntRange(min=0),
        default=_DEFAULT.results,
        show_default=True,
        help="At most so many results for a query (0: no limit).",
    ),
    click.option(
        "--characters",
        type=click.IntRange(min=0),
        default=_DEFAULT.characters,
        show_default=True,
        help="At most so many characters of excerpts in a result (0: no limit).",
    ),
    click.option("--drop-undated", is_flag=True, help="With --as-of: also drop results without a date."),
)
