"""The options of commands about results that say which answers count, and for whose eyes they are."""

from __future__ import annotations

import click

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
    if not show_open:
        return None
    person = load_settings().reviewer
    seen = StudyStore(database).expose_all(person)
    if seen:
        click.echo(
            f"note: the logs of the open studies say now that {person or 'somebody unnamed'} has seen "
            f"{seen:,} of their answers.",
            err=True,
        )
    return person
