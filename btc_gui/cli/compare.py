"""The command `compare`: what got better and worse between two releases, dates or runs."""

from __future__ import annotations

from pathlib import Path

import click

from btc_gui.cli.common import cancelled_by_ctrl_c, echo_json, json_option, open_project, project_option, text_progress
from btc_gui.cli.counted_answers import put_on_record, show_open_option
from btc_gui.domain.change_table import ChangeRow, Side
from btc_gui.domain.result_table import cell_text
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.errors import InputError
from btc_gui.exports.change_tables import change_table
from btc_gui.jobs.read_results import read_results
from btc_gui.progress import Progress
from btc_gui.store.database import Database


@click.command("compare")
@click.argument("before", required=False)
@click.argument("after", required=False)
@project_option
@show_open_option
@json_option
def compare_command(before: str | None, after: str | None, project: Path, show_open: bool, as_json: bool) -> None:
    """Compare two sides of the same configurations, event by event: release:NAME, date:DAY, as-of:DAY or run:NUMBER.

    Without two sides it lists what there is to compare. “btc-gui export comparison” writes the same with the events.
    """
    progress = text_progress("compare")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        if before is None or after is None:
            _list_sides(database, progress, as_json)
            return
        record, one, other, rows = compared(database, before, after, progress, show_open)
    table = change_table(rows, one, other)
    if as_json:
        cells = [dict(zip(table.header, row, strict=True)) for row in table.rows]
        echo_json({"before": one.name, "after": other.name, "note": record.note, "rows": cells})
        return
    click.echo(table.title)
    for place in range(len(rows)):
        click.echo("  ".join(cell_text(table, place, column) for column in table.window_columns))
    if record.note:
        click.echo(record.note)


def compared(
    database: Database, before: str, after: str, progress: Progress, show_open: bool
) -> tuple[ResultsRecord, Side, Side, list[ChangeRow]]:
    """The record, both sides and the comparison; with `show_open` also what open studies keep back.

    Raises `InputError` when there is nothing to compare.
    """
    record = read_results(database, progress)
    one, other = record.sides.named(before), record.sides.named(after)
    if show_open:
        # Only now: whoever mistyped a side has seen nothing, and would be on record for good.
        record = read_results(database, progress, person=put_on_record(database))
    rows = record.changes(one, other)
    if not rows:
        raise InputError(
            f"No configuration has scored answers about the same events in {one.name} and {other.name}.",
            "Rows with answers of a study that isn't unblinded are withheld (but with --show-open)."
            if record.blinded
            else "The as-of day aside, both sides need the same model, effort, harness, search and prompt.",
        )
    return record, one, other, rows


def _list_sides(database: Database, progress: Progress, as_json: bool) -> None:
    sides = read_results(database, progress).sides.all()
    if as_json:
        echo_json({"sides": [{"name": side.name, "title": side.words} for side in sides]})
        return
    if not sides:
        click.echo("There is nothing to compare: it takes two runs, dates, as-of days or releases.")
    for side in sides:
        click.echo(f"{side.name}  {side.words}")
