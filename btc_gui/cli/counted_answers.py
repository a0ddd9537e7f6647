"""The options of commands about results that say which answers count, and for whose eyes they are."""

from __future__ import annotations

import click

from btc_gui.domain.study import StudyId
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore

with_trials_option = click.option("--with-trials", is_flag=True, help="Also count what was only tried out (“try”).")

show_open_option = click.option(
    "--show-open",
    is_flag=True,
    help="Also show what tells labels of studies that are still open; their logs note that you have seen it.",
)


def person_on_record(database: Database, show_open: bool) -> str | None:
    """Who may be shown what open studies keep back: with `show_open` the person of the settings, who is put on record
    in these studies' logs for it; else nobody."""
    return put_on_record(database) if show_open else None


def put_on_record(database: Database, of: StudyId | None = None) -> str:
    """Note in the logs of open studies that the person of the settings is shown labels of their answers, and say so.

    With `of` only for answers that this study has as well. Gives the person.
    """
    person = load_settings().reviewer
    seen = StudyStore(database).expose_all(person, of=of)
    if seen:
        click.echo(
            f"note: the logs of the open studies say now that {person or 'somebody unnamed'} has seen "
            f"{seen:,} of their answers.",
            err=True,
        )
    return person
